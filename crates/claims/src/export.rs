//! Pairs as a file that an import takes back: their ids and all that is known of them.

use crate::{
    pair::{Half, Pair, Scope, Stretch},
    read::{Column, Format},
    set::lines,
};

/// The columns of a table, in order.
static COLUMNS: [Column; 19] = [
    Column::Id,
    Column::Book,
    Column::Story,
    Column::TrueClaim,
    Column::FalseClaim,
    Column::Explanation,
    Column::TrueScope,
    Column::FalseScope,
    Column::TrueEvidence,
    Column::FalseEvidence,
    Column::WrittenBy,
    Column::ModelWritten,
    Column::ThisVolumeAlone,
    Column::WriterHasRead,
    Column::Consent,
    Column::PublishedOn,
    Column::AddedIn,
    Column::RetireAfter,
    Column::Index,
];

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
    let all = COLUMNS.iter().map(|column| (column.name(), cell(pair, column)));
    all.filter(|(_, text)| !text.is_empty())
}

fn table(pairs: &[Pair], delimiter: u8) -> Vec<u8> {
    let is_used = |column: &&Column| {
        matches!(column, Column::Id | Column::Book | Column::TrueClaim | Column::FalseClaim)
            || pairs.iter().any(|pair| !cell(pair, column).is_empty())
    };
    let columns: Vec<&Column> = COLUMNS.iter().filter(is_used).collect();
    // A claim may hold anything that a spreadsheet puts between cells, or takes for a mark.
    let mut writer = csv::WriterBuilder::new()
        .delimiter(delimiter)
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    let head = columns.iter().map(|column| column.name().to_owned()).collect();
    let row = |pair: &Pair| columns.iter().map(|column| cell(pair, column)).collect();
    let rows = std::iter::once(head).chain(pairs.iter().map(row));
    for row in rows.collect::<Vec<Vec<String>>>() {
        writer.write_record(row).expect("memory takes what is written");
    }
    writer.into_inner().expect("memory takes what is written")
}

fn cell(pair: &Pair, column: &Column) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let truth = |truth: Option<bool>| truth.map(|is| is.to_string()).unwrap_or_default();
    let scope = |half| pair.scope_of(half).map_or("", Scope::name).to_owned();
    let stretches = |half| {
        let one = |stretch: &Stretch| format!("{}-{}", stretch.start, stretch.end);
        pair.evidence(half).iter().map(one).collect::<Vec<_>>().join("; ")
    };
    match column {
        Column::Id => pair.id.clone(),
        Column::Book => pair.book.clone(),
        Column::Story => text(&pair.story),
        Column::TrueClaim => pair.true_claim.clone(),
        Column::FalseClaim => pair.false_claim.clone(),
        Column::Explanation => pair.explanation.clone(),
        Column::TrueScope => scope(Half::True),
        Column::FalseScope => scope(Half::False),
        Column::TrueEvidence => stretches(Half::True),
        Column::FalseEvidence => stretches(Half::False),
        Column::WrittenBy => text(&pair.written_by),
        Column::ModelWritten => truth(pair.model_written),
        Column::ThisVolumeAlone => truth(pair.this_volume_alone),
        Column::WriterHasRead => truth(pair.writer_has_read),
        Column::Consent => truth(pair.consent),
        Column::PublishedOn => text(&pair.published_on),
        Column::AddedIn => text(&pair.added_in),
        Column::RetireAfter => text(&pair.retire_after),
        Column::Index => text(&pair.index),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        import::{Set, merge},
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
