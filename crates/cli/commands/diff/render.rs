//! A difference in words: for a terminal, and for a comment on a pull request.

use std::io::Write;

use storymill_dataset::diff::{Difference, Finding, Gate, Rows, Sample, Step, Verdict};

use storymill::Comparison;

use crate::{
    exit::Failure,
    table::{Table, bold, plain, plural},
};

/// How many changed answers are listed for people; `--format json` has all.
const ANSWERS: usize = 5;
/// How many symbols of a value are shown.
const VALUE: usize = 60;

/// The report for a terminal.
pub(super) fn text(report: &Comparison) -> Result<(), Failure> {
    let mut out = crate::screen::out();
    writeln!(out, "{}", bold(&plain(&headline(report))))?;
    writeln!(out, "{}", advice(report))?;
    if let Some(rows) = report.rows.as_ref().filter(|rows| has_changes(rows)) {
        writeln!(out, "\n{}", bold("Rows"))?;
        let mut table =
            Table::new(&["config", "split", ">added", ">removed", ">changed", ">same", ">moved"]);
        each_split(rows, |config, split, counts| {
            table.row([&[config.to_owned(), split.to_owned()], &counts[..]].concat());
        });
        write!(out, "{table}")?;
    }
    for (title, lines) in sections(report) {
        writeln!(out, "\n{}", bold(title))?;
        for line in lines {
            writeln!(out, "  {}", plain(&line))?;
        }
    }
    let Some(rows) = &report.rows else { return Ok(()) };
    for Sample { config, id, cells } in &rows.samples {
        writeln!(out, "\n{}", bold(&plain(&format!("{config} {id}"))))?;
        for (column, old, new) in cells {
            writeln!(out, "  {}", plain(&changed(column, old, new)))?;
        }
    }
    Ok(())
}

/// The report for a pull request. What comes from books and models stands in fences.
pub(super) fn markdown(report: &Comparison) -> Result<(), Failure> {
    let mut out = crate::screen::out();
    writeln!(out, "### {}\n\n{}", safe(&headline(report)), safe(&advice(report)))?;
    if let Some(rows) = report.rows.as_ref().filter(|rows| has_changes(rows)) {
        writeln!(out, "\n| config | split | added | removed | changed | same | moved |")?;
        writeln!(out, "| --- | --- | ---: | ---: | ---: | ---: | ---: |")?;
        let mut lines = Vec::new();
        each_split(rows, |config, split, counts| {
            lines.push(format!("| {} | {} | {} |", safe(config), safe(split), counts.join(" | ")));
        });
        writeln!(out, "{}", lines.join("\n"))?;
    }
    for (title, lines) in sections(report) {
        writeln!(out, "\n**{title}**\n\n{}", fenced(&lines.join("\n")))?;
    }
    let Some(rows) = &report.rows else { return Ok(()) };
    if rows.samples.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n<details><summary>{}</summary>", plural(rows.samples.len() as u64, "sample"))?;
    for Sample { config, id, cells } in &rows.samples {
        let told = cells.iter().map(|(column, old, new)| changed(column, old, new));
        let told: Vec<_> = std::iter::once(format!("{config} {id}")).chain(told).collect();
        writeln!(out, "\n{}", fenced(&told.join("\n")))?;
    }
    writeln!(out, "\n</details>")?;
    Ok(())
}

/// A cell that changed, from a few words before the first that differs.
fn changed(column: &str, old: &str, new: &str) -> String {
    const BEFORE: usize = 20;
    let same = old.chars().zip(new.chars()).take_while(|(one, other)| one == other).count();
    let from = same.saturating_sub(BEFORE);
    let told = |text: &str| {
        let rest: String = text.chars().skip(from).collect();
        format!("{}{}", if from > 0 { "..." } else { "" }, cut(&rest.replace('\n', " ")))
    };
    format!("{column}: {} -> {}", told(old), told(new))
}

fn has_changes(rows: &Difference) -> bool {
    rows.tables.iter().any(|table| !table.is_same())
}

fn headline(report: &Comparison) -> String {
    let verdict = match report.verdict {
        Verdict::Same => "the same rows",
        Verdict::Differs => "rows differ; scores on the old version stay valid",
        Verdict::Unsure => {
            "rows differ; locks do not tell whether scores on the old version stay valid: compare the folders"
        }
        Verdict::Breaking => "breaking: scores on the old version do not apply to the new one",
    };
    format!("{} -> {}: {verdict}", report.old, report.new)
}

fn advice(report: &Comparison) -> String {
    let step = match report.step {
        Step::None => return "The version may stay as it is.".to_owned(),
        Step::Patch => "a patch",
        Step::Minor => "a minor step",
        Step::Major => "a major step",
    };
    if report.verdict == Verdict::Unsure {
        return format!(
            "Locks alone do not say more than that this is at most {step}: compare the folders."
        );
    }
    match (&report.least_version, report.version_is_enough) {
        (Some(least), Some(true)) => {
            format!("This is {step}: {least} or later, as the new version is.")
        }
        (Some(least), _) => {
            format!("This is {step}: {least} or later. The new version is too low.")
        }
        (None, _) => format!("This is {step}; the versions are not of the form 1.2.3."),
    }
}

/// Titles and lines that are told alike everywhere.
fn sections(report: &Comparison) -> Vec<(&'static str, Vec<String>)> {
    let mut sections = Vec::new();
    let causes: Vec<_> = report.locks.causes.iter().map(ToString::to_string).collect();
    sections.push(("Causes", or_none(causes)));
    let asked: u64 = report.locks.steps.iter().map(|step| step.answers).sum();
    let steps = report.locks.steps.iter().map(|step| {
        let counts = [
            (step.added, "added"),
            (step.removed, "removed"),
            (step.changed, "changed"),
            (step.same, "same"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> = counts.map(|(count, what)| format!("{count} {what}")).collect();
        let asked = if step.answers > 0 {
            format!("; at most {} asked for", plural(step.answers, "answer"))
        } else {
            String::new()
        };
        format!("`{}`: {} (units){asked}", step.step, counts.join(", "))
    });
    let mut steps: Vec<_> = steps.collect();
    if asked > 0 {
        steps.push(format!("in all, at most {} asked for", plural(asked, "answer")));
        steps.extend(
            report.tolls.iter().map(|(id, cost)| {
                format!("{} of `{id}`, {cost:#}", plural(cost.answers, "answer"))
            }),
        );
    }
    if !steps.is_empty() {
        sections.push(("What followed, by step", steps));
    }
    if !report.locks.moved.is_empty() {
        let moved = report.locks.moved.iter();
        let moved = moved.map(|(unit, old, new)| format!("{unit}: {old} -> {new}")).collect();
        sections.push(("Moved to another split", moved));
    }
    if let Some(rows) = &report.rows {
        sections.extend(of_rows(rows));
    }
    let findings = report.findings.iter().map(|finding| {
        let Finding { gate, place, rows, example } = finding;
        format!("not passed: {} ({place}: {}, {example})", gate.about(), plural(*rows, "row"))
    });
    let complaints = report.complaints.iter().map(|one| format!("not passed: {one}"));
    let failed: Vec<_> = findings.chain(complaints).collect();
    let passed = if report.looked {
        let all = [
            Gate::Ids,
            Gate::Canary,
            Gate::Splits,
            Gate::Duplicates,
            Gate::Rights,
            Gate::Boilerplate,
            Gate::Names,
            Gate::Counts,
            Gate::Strangers,
        ];
        let all: Vec<_> = all.iter().map(|gate| gate.about()).collect();
        format!("all passed: {}; groups in one split; the canary kept", all.join("; "))
    } else {
        "all passed that locks alone can show: groups in one split; the canary kept".to_owned()
    };
    sections.push(("Gates", if failed.is_empty() { vec![passed] } else { failed }));
    sections
}

fn of_rows(rows: &Difference) -> Vec<(&'static str, Vec<String>)> {
    let mut sections = Vec::new();
    let columns = rows.tables.iter().flat_map(|table| {
        let said = [
            (&table.columns_added, "new column"),
            (&table.columns_removed, "column gone"),
            (&table.columns_retyped, "column of another type"),
        ];
        said.into_iter().flat_map(move |(names, what)| {
            names.iter().map(move |name| format!("{}: {what} `{name}`", table.config))
        })
    });
    let cells = rows.tables.iter().filter(|table| !table.cells.is_empty()).map(|table| {
        let cells = table.cells.iter().map(|(column, rows)| format!("{column} {rows}"));
        format!("{}: {}", table.config, cells.collect::<Vec<_>>().join(", "))
    });
    let told = [
        ("Columns", columns.collect()),
        ("Changed cells", cells.collect()),
        ("Changed answers", answers(rows)),
    ];
    sections.extend(told.into_iter().filter(|(_, lines): &(_, Vec<_>)| !lines.is_empty()));
    if rows.card {
        sections.push(("Data card", vec!["its text differs".to_owned()]));
    }
    sections
}

fn answers(rows: &Difference) -> Vec<String> {
    let told = rows.answers.iter().take(ANSWERS).map(|answer| {
        let value = |value: &serde_json::Value| cut(&value.to_string());
        let (old, new) = (value(&answer.old), value(&answer.new));
        format!("{} {}: {} {old} -> {new}", answer.config, answer.id, answer.column)
    });
    let mut told: Vec<_> = told.collect();
    let more = rows.answers.len().saturating_sub(ANSWERS);
    if more > 0 {
        told.push(format!("and {more} more: `--format json` has all"));
    }
    told
}

fn each_split(rows: &Difference, mut f: impl FnMut(&str, &str, Vec<String>)) {
    for table in rows.tables.iter().filter(|table| !table.is_same()) {
        for (split, Rows { added, removed, changed, same, moved }) in &table.splits {
            let counts = [added, removed, changed, same, moved].map(ToString::to_string);
            f(&table.config, split, counts.to_vec());
        }
    }
}

fn or_none(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        vec!["none: both are made from the same inputs".to_owned()]
    } else {
        lines
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= VALUE {
        return text.to_owned();
    }
    text.chars().take(VALUE).chain("...".chars()).collect()
}

/// A text in a fence that nothing inside can close.
fn fenced(text: &str) -> String {
    let text = plain(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

/// A text in one line that means nothing in Markdown.
fn safe(text: &str) -> String {
    let mut safe = String::new();
    for symbol in plain(text).replace(['\n', '\t'], " ").chars() {
        match symbol {
            '<' => safe.push_str("&lt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '!' | '~' | '@' => {
                safe.push('\\');
                safe.push(symbol);
            }
            other => safe.push(other),
        }
    }
    safe
}
