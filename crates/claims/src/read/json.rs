//! JSON lines, and lists of objects.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use storymill_core::plural;

use super::{Row, Table, column, csv::renamed};
use crate::mistake::{Mistake, Mistakes};

/// A list of objects.
pub(super) fn list(text: &str) -> Result<Table, Mistakes> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(values)) => table((1..).zip(values).collect()),
        Ok(_) => Err(vec![Mistake::new("the file must be a JSON list of objects")]),
        Err(error) => {
            let mut fault = syntax(&error);
            fault.reason = format!("line {}: {}", error.line(), fault.reason);
            Err(vec![fault])
        }
    }
}

/// What is wrong with a text that is no JSON. The library's own words hold nothing of the text:
/// it is read as a bare value, so only the grammar can be at fault.
pub(super) fn syntax(error: &serde_json::Error) -> Mistake {
    let told = error.to_string();
    let told = told.split(" at line ").next().unwrap_or_default().to_owned();
    Mistake::new(format!("no JSON: {told} (symbol {})", error.column()))
}

/// Objects, each under its number.
pub(super) fn table(values: Vec<(usize, Value)>) -> Result<Table, Mistakes> {
    let mut table = Table::default();
    let mut faults = Vec::new();
    // Warnings of a whole column come once.
    let mut told: BTreeSet<String> = BTreeSet::new();
    let mut unknown: Option<(usize, usize)> = None;
    for (number, value) in values {
        let Value::Object(map) = value else {
            faults.push(Mistake::new("must be a JSON object").row(number));
            continue;
        };
        match row(number, map, &mut told, &mut table.columns) {
            Ok((row, left_out)) => {
                if left_out > 0 {
                    let (_, rows) = unknown.get_or_insert((number, 0));
                    *rows += 1;
                }
                table.rows.push(row);
            }
            Err(fault) => faults.push(fault),
        }
    }
    table.warnings.extend(told.into_iter().map(Mistake::new));
    if let Some((first, rows)) = unknown {
        let have = if rows == 1 { "has" } else { "have" };
        let rows = plural(rows as u64, "row");
        let reason =
            format!("{rows} {have} fields of unknown names, which are left out; this is the first");
        table.warnings.push(Mistake::new(reason).row(first));
    }
    if faults.is_empty() { Ok(table) } else { Err(faults) }
}

fn row(
    number: usize,
    map: Map<String, Value>,
    told: &mut BTreeSet<String>,
    columns: &mut BTreeSet<String>,
) -> Result<(Row, usize), Mistake> {
    let mut row = Row { number, cells: Vec::with_capacity(map.len()) };
    let mut left_out = 0;
    for (name, value) in map {
        let Some((column, other)) = column::named(&name) else {
            left_out += 1;
            continue;
        };
        if row.cells.iter().any(|(known, _)| *known == column) {
            let reason = "stands here a second time, under another of its names";
            return Err(Mistake::new(reason).row(number).column(column));
        }
        told.extend(renamed(&column, other));
        if column == "type" && value.is_string() {
            told.insert("`type` is text in some rows, as NoCha's README has it; its file has true and false".into());
        }
        // An answer keeps its blanks, and an empty one is an answer.
        columns.insert(column.clone());
        let cell = match value {
            Value::Null => None,
            Value::String(text) if !column::is_response(&column) => column::text(&text),
            Value::Array(items) if items.is_empty() => None,
            value => Some(value),
        };
        row.cells.extend(cell.map(|cell| (column, cell)));
    }
    Ok((row, left_out))
}
