use proptest::prelude::*;
use storymill_core::{Label, NameChange, ReviewForm, SentenceLabel};

use super::*;
use crate::tests::{desk, ids, item, rule, vote, with_form};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[=+@'\\-\t a-c,;\"\n\r]{0,8}",
        Just("=HYPERLINK(\"http://x\")".to_owned()),
        Just("'-1".to_owned()),
        "\\PC{0,6}",
    ]
}

#[test]
fn cells_that_look_like_formulas_are_quoted_and_read_back() {
    for (cell, written) in [
        ("=1+1", "'=1+1"),
        ("-x", "'-x"),
        ("'@x", "''@x"),
        ("＝1", "'＝1"),
        ("'tis", "'tis"),
        ("a=b", "a=b"),
        ("", ""),
    ] {
        assert_eq!(guarded(cell), written);
        assert_eq!(unguarded(written), cell);
    }
    // What people type themselves stays as it is.
    assert_eq!(unguarded("=1+1"), "=1+1");
}

#[test]
fn a_spreadsheet_is_a_way_to_vote() {
    let mut own = desk(4, rule(1, &[]));
    let all = ids(&own);
    vote(&mut own, "ann", all[0], "cut");
    vote(&mut own, "bob", all[1], "cut");
    let table = String::from_utf8(export(&own, Some("ann"), None).unwrap()).unwrap();
    assert!(!table.contains("bob") && !table.contains("cut it"), "{table}");
    // Ann thinks again about the first, and votes on the third.
    let mut rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
    let at = |name: &str| COLUMNS.iter().position(|own| *own == name).unwrap();
    let mut set = |row: usize, name: &str, value: &str| {
        let cells: Vec<String> = rows[row]
            .iter()
            .enumerate()
            .map(|(place, cell)| if place == at(name) { value.to_owned() } else { cell.to_owned() })
            .collect();
        rows[row] = cells.into();
    };
    set(0, "choice", "keep");
    set(2, "choice", "cut");
    let mut writer = csv::WriterBuilder::new().delimiter(b';').from_writer(vec![0xef, 0xbb, 0xbf]);
    writer.write_record(COLUMNS).unwrap();
    for row in &rows {
        writer.write_record(row).unwrap();
    }
    let edited = writer.into_inner().unwrap();
    let lines = import(&own, &edited, "ann").unwrap();
    assert_eq!(lines.len(), 2);
    for line in lines {
        assert!(own.take(line));
    }
    assert_eq!(own.sight(all[0], "ann").unwrap().own.unwrap().choice, "keep");
    assert_eq!(own.sight(all[2], "ann").unwrap().own.unwrap().choice, "cut");
    // The same table once more changes nothing.
    assert_eq!(import(&own, &edited, "ann").unwrap(), []);
    let fault = import(&own, b"review,choice\nxy,cut\n", "ann").unwrap_err();
    assert!(fault.message.starts_with("line 2: `xy`"), "{fault}");
    let fault =
        import(&own, format!("review,choice\n{},burn\n", all[3]).as_bytes(), "ann").unwrap_err();
    assert!(fault.message.contains("`burn` is not a choice"), "{fault}");
}

proptest! {
    #[test]
    fn a_table_gives_back_every_line(
        said in prop::collection::vec((0..6_usize, 0..3_usize, text(), text(), any::<bool>()), 0..12),
        gone in 0..3_usize,
    ) {
        let items = || {
            let mut items: Vec<Item> = (0..4).map(|at| item("preface", at)).collect();
            items.push(with_form(ReviewForm::Text { text: "=a".into(), of: "cut".into() }, 4));
            items.push(with_form(ReviewForm::Labels { sentences: vec!["A.".into()], kinds: Vec::new(), of: "cut".into() }, 5));
            items
        };
        let mut whole = Desk::new(items(), Vec::new(), rule(1, &[]));
        for (at, who, note, edited, undo) in said {
            let name = ["ann", "=bob", "-"][who];
            if undo {
                if let Some(line) = whole.undo(name) { whole.take(line); }
                continue;
            }
            let label = SentenceLabel { label: Label::Partial, kinds: Vec::new(), explanation: edited.clone() };
            let said = match at {
                4 if !edited.trim().is_empty() => Said::Text(edited),
                5 => Said::Labels(vec![label]),
                _ => Said::Nothing,
            };
            let ballot = Ballot { said, note, seconds: 3, proposal_shown: who == 1, protocol: "+x".into(), ..Ballot::of("cut") };
            let line = whole.vote(name, ids(&whole)[at], ballot).unwrap();
            whole.take(line);
        }
        // Some items are not there any more; their lines are.
        let lines: Vec<Decision> = whole.lines().cloned().collect();
        let left: Vec<Item> = items().into_iter().skip(gone).collect();
        let desk = Desk::new(left.clone(), lines, rule(1, &[]));
        let table = export(&desk, None, None).unwrap();
        let blank = Desk::new(left, Vec::new(), rule(1, &[]));
        let mut back: Vec<Digest> = import(&blank, &table, "").unwrap().iter().map(Decision::id).collect();
        let mut all: Vec<Digest> = desk.lines().map(Decision::id).collect();
        back.sort_unstable();
        all.sort_unstable();
        prop_assert_eq!(back, all);
        prop_assert_eq!(import(&desk, &table, "").unwrap(), Vec::new());
    }
}

#[test]
fn changes_of_a_cast_are_json_in_a_cell() {
    let said = Said::Names(vec![NameChange::Keep { of: "Kell".into() }]);
    let json = canonical::json(&said);
    assert_eq!(json, r#"{"names":[{"keep":{"of":"Kell"}}]}"#);
    assert_eq!(serde_json::from_str::<Said>(&json).unwrap(), said);
}
