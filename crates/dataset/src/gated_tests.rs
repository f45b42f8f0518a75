use super::*;

/// A side of so many books with two retellings each, of so many words, of which some are flagged.
fn side(books: u64, words: u64, flagged: u64) -> Side {
    let mut side = Side { rows: 2 * books, ..Side::default() };
    for book in 0..books {
        let sums = [2 * words + book, 8 * words, 500 * book, 100, 600];
        side.books.insert(format!("b{book}"), (2, sums));
    }
    side.kinds.insert(("level", "0".to_owned()), 2 * books);
    side.kinds.insert(("made by way of", "tag".to_owned()), books);
    side.kinds.insert(("made by way of", "json".to_owned()), books);
    side.said.insert(("j".to_owned(), "binary".to_owned()), [books, books, flagged]);
    side
}

fn line<'v>(view: &'v GateView, what: &str) -> &'v LineView {
    view.lines.iter().find(|line| line.what.starts_with(what)).unwrap()
}

#[test]
fn both_sides_have_means_shares_and_differences() {
    let facts = GatedFacts(BTreeMap::from([("g".to_owned(), [side(10, 30, 10), side(40, 50, 0)])]));
    let view = facts.view(&[]);
    let gate = &view.gates[0];
    assert_eq!((&*gate.kept, &*gate.dropped), ("80", "20"));
    // Wilson's interval of 20 in 100.
    assert_eq!(gate.share, "20.0 % (13.3 to 28.9), 20 of 100");
    // Means of (100 + b) / 2 over 40 books and (60 + b) / 2 over 10 of them.
    let words = line(gate, "words, mean");
    assert_eq!((&*words.kept, &*words.dropped), ("59.8", "32.2"));
    assert!(words.difference.starts_with("27.5 ("), "{}", words.difference);
    let flagged = line(gate, "of these with a verdict, flagged by j (binary)");
    assert!(flagged.kept.starts_with("0.0 % (0.0 to "), "{}", flagged.kept);
    assert!(flagged.dropped.starts_with("100.0 % ("), "{}", flagged.dropped);
    assert!(flagged.difference.starts_with("-100.0 (-100.0 to -"), "{}", flagged.difference);
    assert!(line(gate, "looked at by").kept.starts_with("50.0 %"));
    assert!(line(gate, "made by way of tag").kept.contains("40 of 80"));
    // What all have tells nothing.
    assert!(gate.lines.iter().all(|line| !line.what.starts_with("level")));
}

#[test]
fn few_books_have_no_interval_and_one_side_alone_no_difference() {
    let facts = GatedFacts(BTreeMap::from([("g".to_owned(), [side(2, 30, 1), side(2, 50, 0)])]));
    let view = facts.view(&[]);
    assert_eq!(
        line(&view.gates[0], "words, mean").difference,
        "20.0 (too few books for an interval)"
    );
    let facts = GatedFacts(BTreeMap::from([("g".to_owned(), [Side::default(), side(9, 50, 3)])]));
    let view = facts.view(&[]);
    let words = line(&view.gates[0], "words, mean");
    assert_eq!((&*words.dropped, &*words.difference), ("", ""));
    assert!(!view.gates[0].both && !view.missing);
    assert!(line(&view.gates[0], "of these").kept.starts_with("33.3 % ("));
}

#[test]
fn what_nobody_compares_is_told() {
    let dropped = |reason: &str, count| RejectCount {
        step: "gate".to_owned(),
        reason: reason.to_owned(),
        count,
    };
    let none = GatedFacts::default();
    assert!(none.view(&[dropped("duplicate", 3)]).is_empty());
    assert!(none.view(&[dropped("judged-wrong", 3)]).missing);
    let facts = GatedFacts(BTreeMap::from([("g".to_owned(), [side(2, 30, 1), side(2, 50, 0)])]));
    assert!(!facts.view(&[dropped("judged-wrong", 4)]).missing);
    assert!(facts.view(&[dropped("judged-wrong", 4), dropped("not-judged", 1)]).missing);
}
