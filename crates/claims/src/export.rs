//! Pairs as a file that an import takes back: their ids and all that is known of them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    pair::Pair,
    read::{Format, column::OF_PAIRS, object},
    set::lines,
};

/// Pairs in a format; a table has the columns that some pair fills, and `delimiter` between them.
///
/// Law: what is imported again changes nothing.
pub fn export(pairs: &[Pair], format: Format, delimiter: u8) -> Vec<u8> {
    match format {
        Format::Jsonl => lines(pairs).into_bytes(),
        Format::Json => {
            let mut text = serde_json::to_string_pretty(pairs).expect("plain structs become JSON");
            text.push('\n');
            text.into_bytes()
        }
        Format::Csv => table(pairs, delimiter),
    }
}

/// What is known of a pair, by column.
pub fn fields(pair: &Pair) -> impl Iterator<Item = (&'static str, String)> {
    let fields = object(pair);
    let all = OF_PAIRS.iter().map(move |(column, ..)| (*column, cell(fields.get(*column))));
    all.filter(|(_, text)| !text.is_empty())
}

fn table(pairs: &[Pair], delimiter: u8) -> Vec<u8> {
    let rows: Vec<BTreeMap<&str, String>> =
        pairs.iter().map(|pair| fields(pair).collect()).collect();
    let is_used = |column: &&str| {
        ["id", "book", "true_claim", "false_claim"].contains(column)
            || rows.iter().any(|row| row.contains_key(column))
    };
    let columns: Vec<&str> = OF_PAIRS.iter().map(|(column, ..)| *column).filter(is_used).collect();
    // A claim may hold anything that a spreadsheet puts between cells, or takes for a mark.
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    let mut write =
        |row: Vec<&str>| writer.write_record(row).expect("memory takes what is written");
    write(columns.clone());
    for row in &rows {
        write(columns.iter().map(|column| row.get(column).map_or("", String::as_str)).collect());
    }
    writer.into_inner().expect("memory takes what is written")
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(stretches)) => {
            let one = |stretch: &Value| format!("{}-{}", stretch["start"], stretch["end"]);
            stretches.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        import::{Set, merge},
        pair::{Scope, Stretch},
        read,
    };

    #[test]
    fn what_is_exported_is_imported_as_it_was() {
        let full = Pair {
            id: "b/0001".into(),
            book: "b".into(),
            story: Some("The Mill".into()),
            true_claim: "“Anna”; said:\n\"no\", and left.".into(),
            false_claim: "=Anna\tstayed".into(),
            explanation: "She left.".into(),
            true_scope: Some(Scope::Sentence),
            false_scope: Some(Scope::Global),
            true_evidence: vec![Stretch { start: 1, end: 4 }, Stretch { start: 9, end: 12 }],
            false_evidence: vec![Stretch { start: 3, end: 5 }],
            written_by: Some("ann".into()),
            model_written: Some(false),
            this_volume_alone: Some(true),
            writer_has_read: Some(true),
            consent: Some(true),
            published_on: Some("2024-05".into()),
            added_in: Some("1.0.0".into()),
            retire_after: Some("2030-01-01".into()),
            index: Some("7".into()),
        };
        let bare = Pair {
            id: "b/0002".into(),
            book: "b".into(),
            true_claim: "It rang.".into(),
            false_claim: "It fell.".into(),
            ..Pair::default()
        };
        let set = Set { pairs: vec![full, bare.clone()], ..Set::default() };
        for (format, delimiter) in
            [(Format::Csv, b','), (Format::Csv, b'\t'), (Format::Jsonl, 0), (Format::Json, 0)]
        {
            let bytes = export(&set.pairs, format, delimiter);
            let read = read::claims(&bytes, format).unwrap_or_else(|faults| panic!("{faults:?}"));
            assert_eq!((&read.pairs, read.warnings.len()), (&set.pairs, 0), "{format:?}");
            let mut again = set.clone();
            let done = merge(&mut again, read, &|_| true).unwrap();
            assert_eq!((done.added.len(), done.changed.len(), done.same), (0, 0, 2));
            assert_eq!(again.pairs, set.pairs);
        }
        let bytes = export(&[bare], Format::Csv, b',');
        let head = String::from_utf8(bytes).unwrap();
        assert!(head.starts_with("\"id\",\"book\",\"true_claim\",\"false_claim\"\n"), "{head}");
    }
}
