//! `storymill inspect`: a dataset in one screen; its columns, counts and sample rows where they are asked for.

mod context;
mod overview;

use std::io::Write;

use serde_json::{Value, json};
use storymill::{Dataset, Site};
use storymill_dataset::{
    Inspection, Query, Sample, SampleRow, TableView, asked, inspect, scan::ColumnFacts,
};
use storymill_shelf::Access;

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    private::{Sealed, hidden},
    question::{self, Telling},
    table::{Table, plain, plural},
};

/// Symbols of a text that are shown unless all of it is wanted.
const SHOWN: usize = 240;

pub(crate) fn run(args: &args::Inspect) -> Result<Exit, Failure> {
    if !args.show.is_empty() && args.question.is_none() && !args.questions {
        let message = "`--show` is for a question, or for `--questions`";
        return Err(Failure::Usage(message.to_owned()));
    }
    if let Some(id) = &args.question {
        return context::run(args, id);
    }
    let sealed = Sealed::named(&args.on, Access::Look)?;
    let site = sealed.as_ref().map(|sealed| sealed.find(&args.path)).transpose()?;
    let site = site.unwrap_or_else(|| (&args.path).into());
    // Words of private books are shown to whom asks for them.
    let hides = sealed.is_some() && !args.texts;
    if hides && args.questions {
        return Err(hidden());
    }
    let query = Query {
        config: args.config.clone(),
        split: args.split.clone(),
        rows: if hides { 0 } else { args.rows.unwrap_or(1) },
        sample: args.seed.map_or(Sample::First, Sample::Seeded),
    };
    if let Some(original) = args.compare {
        return super::compare::run(args, &site, &query, original);
    }
    let mut inspection = inspect(&site, &query)?;
    if hides {
        let columns = inspection.tables.iter_mut().flat_map(|table| &mut table.columns);
        columns.for_each(|column| column.facts = told(&column.facts));
    }
    if args.format == Format::Json {
        return super::json(&as_json(&inspection));
    }
    let mut out = crate::screen::out();
    if let Some(manifest) = &inspection.manifest {
        if !hides && args.asks_for_no_detail() {
            write!(out, "{}", overview::text(manifest, &inspection.tables, &args.path))?;
            return Ok(DONE);
        }
        writeln!(
            out,
            "{} {}  digest {}",
            plain(&manifest.name),
            plain(&manifest.version),
            manifest.digest
        )?;
    }
    for table in &inspection.tables {
        writeln!(out)?;
        show(&mut out, table, &site, args)?;
    }
    Ok(DONE)
}

/// What is told of a column of a private dataset: no words.
fn told(facts: &ColumnFacts) -> ColumnFacts {
    match facts {
        ColumnFacts::Words(_) => ColumnFacts::Texts,
        other => other.clone(),
    }
}

fn show(
    out: &mut impl Write,
    view: &TableView,
    site: &Site,
    args: &args::Inspect,
) -> std::io::Result<()> {
    let bytes: u64 = view.files.iter().map(|file| file.bytes).sum();
    let groups: usize = view.files.iter().map(|file| file.row_groups).sum();
    let name = [view.config.as_str(), view.split.as_str()]
        .into_iter()
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" / ");
    writeln!(
        out,
        "== {}  {} in {}, {bytes} bytes, {}",
        plain(&name),
        plural(view.rows, "row"),
        plural(view.files.len() as u64, "file"),
        plural(groups as u64, "row group")
    )?;
    if args.questions {
        let config = &view.config;
        return view.sample.iter().try_for_each(|row| question(out, row, config, site, args));
    }
    let mut table = Table::new(&["column", "type", "values"]);
    for column in &view.columns {
        let null = if column.nullable { "?" } else { "" };
        table.row([column.name.clone(), format!("{}{null}", column.kind), facts(&column.facts)]);
    }
    write!(out, "{table}")?;
    view.sample.iter().try_for_each(|row| sample(out, row, args.full))
}

/// A row as a question, if it is one.
fn question(
    out: &mut impl Write,
    row: &SampleRow,
    config: &str,
    site: &Site,
    args: &args::Inspect,
) -> std::io::Result<()> {
    let value: Value = row.values.iter().cloned().collect::<serde_json::Map<_, _>>().into();
    // What cannot be understood stands there as it is.
    let Ok(Some(asks)) = asked::question(&value) else { return Ok(()) };
    let id = asks.id.as_str();
    // The evidence is shown where the books are published too.
    let asked = Dataset::open(site).and_then(|dataset| dataset.question(id, Some(config))).ok();
    let telling = Telling::of(&args.show, true);
    writeln!(out, "\n-- {}", plain(id))?;
    write!(out, "{}", question::words((&value, &asks), asked.as_ref(), telling))
}

fn facts(facts: &ColumnFacts) -> String {
    match facts {
        ColumnFacts::Numbers { min, max, mean } => format!("{min} to {max}, mean {mean:.1}"),
        ColumnFacts::Words(words) if words.len() > 3 && words.values().all(|count| *count == 1) => {
            format!("{} texts, each once", words.len())
        }
        ColumnFacts::Words(words) => words
            .iter()
            .map(|(word, count)| format!("{word} x{count}"))
            .collect::<Vec<_>>()
            .join(", "),
        ColumnFacts::Texts => "texts".to_owned(),
        ColumnFacts::Nothing => String::new(),
    }
}

fn sample(out: &mut impl Write, row: &SampleRow, full: bool) -> std::io::Result<()> {
    writeln!(out, "\n-- row {}", row.at)?;
    for (name, value) in &row.values {
        let text = match value {
            Value::String(text) => plain(text),
            other => plain(&other.to_string()),
        };
        let shown: String = if full { text.clone() } else { text.chars().take(SHOWN).collect() };
        let rest = text.chars().count() - shown.chars().count();
        let rest = if rest > 0 {
            format!(" ... {} more", plural(rest as u64, "symbol"))
        } else {
            String::new()
        };
        writeln!(out, "{}: {}{rest}", plain(name), shown.replace('\n', "\n    "))?;
    }
    Ok(())
}

fn as_json(inspection: &Inspection) -> Value {
    let tables: Vec<_> = inspection
        .tables
        .iter()
        .map(|view| {
            let columns: Vec<_> = view
                .columns
                .iter()
                .map(|column| {
                    let facts = match &column.facts {
                        ColumnFacts::Numbers { min, max, mean } => json!({ "min": min, "max": max, "mean": mean }),
                        ColumnFacts::Words(words) => json!({ "counts": words }),
                        ColumnFacts::Texts | ColumnFacts::Nothing => json!({}),
                    };
                    json!({ "name": column.name, "type": column.kind, "nullable": column.nullable, "values": facts })
                })
                .collect();
            let rows: Vec<_> = view
                .sample
                .iter()
                .map(|row| json!({ "row": row.at, "values": row.values.iter().cloned().collect::<serde_json::Map<_, _>>() }))
                .collect();
            let files: Vec<_> = view
                .files
                .iter()
                .map(|file| json!({ "path": file.path, "bytes": file.bytes, "rows": file.rows, "row_groups": file.row_groups }))
                .collect();
            json!({ "config": view.config, "split": view.split, "rows": view.rows, "files": files, "columns": columns, "sample": rows })
        })
        .collect();
    json!({ "manifest": inspection.manifest, "tables": tables })
}
