//! `storymill books`: what a catalog holds, and which of it fits a filter.

use std::{io::Write, path::Path};

use serde_json::{Value, json};
use storymill_core::{Author, BookId, Fault, FaultKind};
use storymill_disk::most;
use storymill_pipeline::{Problem, Problems};
use storymill_sources::catalog::{self, Catalog, Chosen, Filter, Mistakes, Row};

use crate::{
    args::books::{Books, Form},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plural},
};

/// Symbols of a title and of a list of authors that are shown.
const SHOWN: (usize, usize) = (48, 36);

pub(crate) fn run(args: &Books) -> Result<Exit, Failure> {
    let filter = filter(args.filter.as_deref())?;
    let mut catalog = open(&args.catalog)?;
    for (name, path) in &args.flags {
        let ids = ids(path)?.into_iter().collect();
        let unknown = catalog.flag(name, &ids);
        if let Some(first) = unknown.first() {
            let count = plural(unknown.len() as u64, "id");
            report::warn(&format!(
                "{count} of {} in `{}` not in the catalog, `{first}` for one",
                ids.len(),
                path.display()
            ));
        }
    }
    let chosen = choose(&catalog, &filter, args.filter.as_deref())?;
    match args.format {
        Form::Text => table(&chosen.rows)?,
        Form::Json => {
            let rows: Vec<_> = chosen.rows.iter().map(|row| as_json(row)).collect();
            super::json(&rows)?;
        }
        Form::Ids => {
            let mut ids = chosen.rows.iter().map(|row| row.id.to_string()).collect::<Vec<_>>();
            ids.push(String::new());
            crate::screen::out().write_all(ids.join("\n").as_bytes())?;
        }
        Form::Csv => crate::screen::out().write_all(&catalog::csv(chosen.rows.iter().copied())?)?,
    }
    report::say(summary(&chosen, catalog.rows().len()));
    Ok(DONE)
}

/// A filter as typed; without one all books fit.
pub(crate) fn filter(text: Option<&str>) -> Result<Filter, Failure> {
    let Some(text) = text else { return Ok(Filter::all()) };
    Filter::parse(text).map_err(|mistakes| drawn(mistakes, text))
}

/// The rows that a filter, typed as `text`, lets through.
pub(crate) fn choose<'c>(
    catalog: &'c Catalog,
    filter: &Filter,
    text: Option<&str>,
) -> Result<Chosen<'c>, Failure> {
    catalog.choose(filter).map_err(|mistakes| drawn(mistakes, text.unwrap_or_default()))
}

/// Mistakes in a filter, each to be drawn at its place.
pub(crate) fn drawn(mistakes: Mistakes, text: &str) -> Failure {
    let problems = mistakes.all.into_iter().map(|mistake| Problem {
        message: mistake.message,
        span: Some(mistake.at),
        hint: mistake.hint,
    });
    Failure::Filter(Box::new(Problems {
        path: "--where".into(),
        text: text.to_owned(),
        problems: problems.collect(),
    }))
}

/// Opens a catalog.
pub(crate) fn open(path: &Path) -> Result<Catalog, Failure> {
    Ok(Catalog::open(path, "name a catalog file, such as pg_catalog.csv")?)
}

/// The ids that a file lists, separated by blanks, commas or lines; `#` begins a comment.
pub(crate) fn ids(path: &Path) -> Result<Vec<BookId>, Failure> {
    let text = storymill_disk::read_text(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read the ids", path, error).input())?;
    let mut ids = Vec::new();
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let words = line.split('#').next().unwrap_or_default();
        for word in words.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()) {
            let id = word.parse::<BookId>().map_err(|error| {
                Fault::new(FaultKind::Input, format!("line {}: {error}", at + 1))
                    .at(path)
                    .hint("such a file holds ids and nothing else")
            })?;
            ids.push(id);
        }
    }
    Ok(ids)
}

/// How many books were chosen, and what was left out unasked.
pub(crate) fn summary(chosen: &Chosen<'_>, of: usize) -> String {
    let mut text = format!("{} of {of}", plural(chosen.rows.len() as u64, "book"));
    for (count, what, field) in [
        (chosen.copyrighted, "under copyright", "rights"),
        (chosen.other_types, "no texts", "type"),
    ] {
        if count > 0 {
            text +=
                &format!("; {count} more left out as {what} (a test of `{field}` takes them in)");
        }
    }
    text
}

fn table(rows: &[&Row]) -> Result<(), Failure> {
    let mut table = Table::new(&["id", "title", "authors", "language", "class"]);
    for row in rows {
        table.row([
            row.id.to_string(),
            cut(&row.title, SHOWN.0),
            cut(&row.author_line(), SHOWN.1),
            row.language.clone(),
            row.locc.join("; "),
        ]);
    }
    write!(crate::screen::out(), "{table}")?;
    Ok(())
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

fn as_json(row: &Row) -> Value {
    let agent = |agent: &Author| {
        json!({
            "id": agent.agent_id,
            "name": agent.name,
            "birth": agent.birth_year,
            "death": agent.death_year,
        })
    };
    let others = row.others.iter().map(|other| {
        let mut value = agent(&other.agent);
        value["role"] = json!(other.role);
        value
    });
    json!({
        "id": row.id,
        "type": row.medium,
        "issued": row.issued,
        "title": row.title,
        "authors": row.authors.iter().map(agent).collect::<Vec<_>>(),
        "contributors": others.collect::<Vec<_>>(),
        "language": row.language,
        "subjects": row.subjects,
        "locc": row.locc,
        "bookshelves": row.bookshelves,
        "flags": row.flags,
        "life70": row.life70(),
        "rights": row.rights,
        "kind": row.kind,
        "file": row.file,
        "source_url": row.source_url,
    })
}
