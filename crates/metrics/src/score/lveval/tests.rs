use super::{scorer::is_cut, *};

fn item(id: &str, level: u32) -> Item {
    Item {
        id: id.into(),
        set: "s".into(),
        level,
        question: "What did Ivo carve above the door?".into(),
        answers: vec!["a heron holding a key".into(), "a bird".into()],
        keywords: "heron key".into(),
        confusing: vec!["Ivo carved a ram holding a lantern above the gate.".into()],
        evidence: vec![(500, 520)],
        ..Item::default()
    }
}

fn options(lists: &WordLists) -> Options<'_> {
    Options { score: Score::AsReleased, lists, cutter: None, window: Some(8), partial: false }
}

#[test]
fn a_table_by_set_and_level() {
    let lists = WordLists::ours();
    let cut = |item| Item { cut: Some((300, 700)), ..item };
    let items = [item("a", 16), item("b", 16), item("c", 4)].map(cut);
    let jsonl = "{\"_id\":\"a\",\"pred\":\"a heron holding a key\"}\n\n{\"id\":\"b\",\"prediction\":\"a ram with a lantern\"}\n{\"_id\":\"c\",\"pred\":\"\"}";
    let report = lveval(jsonl, &items, &options(&lists)).unwrap();
    let cell = &report.cells[1];
    assert_eq!((cell.level, cell.rows), (16, 2));
    assert!((cell.score - 50.0).abs() < 1e-9);
    assert_eq!((cell.repeated, cell.cut), (Some(50.0), Some(100.0)));
    assert_eq!(
        report.levels.iter().map(|level| level.reference).collect::<Vec<_>>(),
        [Some(100.0), Some(50.0)]
    );
    assert_eq!(
        report.rows[1].repeats.as_deref(),
        Some("Ivo carved a ram holding a lantern above the gate.")
    );
}

#[test]
fn a_piece_of_evidence_is_cut_where_nothing_of_it_is_left() {
    let both = Item { evidence: vec![(0, 20), (500, 520)], ..item("a", 16) };
    for (cut, expected) in
        [((500, 520), true), ((501, 900), false), ((400, 519), false), ((900, 900), false)]
    {
        assert_eq!((is_cut(&item("a", 16), cut), is_cut(&both, cut)), (expected, expected));
    }
}

#[test]
fn only_the_first_answer_counts_as_released() {
    let lists = WordLists::ours();
    let items = [Item { keywords: String::new(), ..item("a", 16) }];
    let score = |score| {
        let report = lveval(
            "{\"id\":\"a\",\"pred\":\"a bird\"}",
            &items,
            &Options { score, ..options(&lists) },
        );
        report.unwrap().rows[0].score
    };
    assert_eq!([Score::AsReleased, Score::AsInPaper, Score::PlainF1].map(score), [0.0, 1.0, 0.0]);
}

#[test]
fn chinese_without_a_dictionary_is_scored_by_characters() {
    let lists = WordLists::ours();
    let items = [Item {
        chinese: true,
        question: "钟楼里藏着什么？".into(),
        answers: vec!["铜鼓".into()],
        keywords: "铜鼓".into(),
        confusing: Vec::new(),
        ..item("a", 16)
    }];
    let report = lveval("{\"id\":\"a\",\"pred\":\"铜鼓。\"}", &items, &options(&lists)).unwrap();
    assert!((report.rows[0].score - 1.0).abs() < 1e-9 && report.variant.ends_with("by characters"));
    assert_eq!(report.cells[0].repeated, None);
}

#[track_caller]
fn check_refused(jsonl: &str, expected: &str) {
    let lists = WordLists::ours();
    let error = lveval(jsonl, &[item("a", 16), item("b", 16), item("c", 16)], &options(&lists))
        .unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn what_cannot_be_scored_says_where() {
    check_refused(
        "{\"id\":\"a\",\"pred\":\"x\"}\n{\"id\":\"z\",\"pred\":\"x\"}",
        "line 2: no context has the id `z`",
    );
    check_refused(
        "{\"id\":\"a\",\"pred\":\"x\"}\n{\"id\":\"a\",\"pred\":\"x\"}",
        "line 2: `a` was predicted on line 1 already",
    );
    check_refused("{\"id\":\"a\",\"pred\":\"x\"}", "`b`: has no prediction, and 1 more have none");
    check_refused("{\"id\":\"a\",\"pred\":\"x\"}\n{\"id\":", "line 2");
    check_refused("{\"id\":\"a\"}", "line 1: no `pred` or `prediction`");
    check_refused("{\"pred\":\"a\"}", "line 1: no `_id` or `id`");
    check_refused("", "no rows");
}
