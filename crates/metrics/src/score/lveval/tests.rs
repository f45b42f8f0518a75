use super::{scorer::is_cut, *};

/// Scores one file of predictions.
fn scored(jsonl: &str, items: &[Item], options: &Options<'_>) -> Result<Report, FileError> {
    lveval(&predictions(jsonl, 0, "p.jsonl")?, items, options).map_err(|(_, error)| error)
}

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
    let report = scored(jsonl, &items, &options(&lists)).unwrap();
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
        let report = scored(
            "{\"id\":\"a\",\"pred\":\"a bird\"}",
            &items,
            &Options { score, ..options(&lists) },
        );
        report.unwrap().rows[0].score
    };
    assert_eq!([Score::AsReleased, Score::AsInPaper, Score::PlainF1].map(score), [0.0, 1.0, 0.0]);
}

#[test]
fn chinese_is_cut_into_words_or_refused() {
    let lists = WordLists::ours();
    let items = [Item {
        chinese: true,
        question: "钟楼里藏着什么？".into(),
        answers: vec!["铜鼓".into()],
        keywords: "铜鼓".into(),
        confusing: Vec::new(),
        ..item("a", 16)
    }];
    let jsonl = "{\"id\":\"a\",\"pred\":\"铜鼓。\"}";
    let letters = |text: &str| text.chars().map(String::from).collect();
    let cutter = Some(Cutter { dictionary: "letters", words: &letters });
    let report = scored(jsonl, &items, &Options { cutter, ..options(&lists) }).unwrap();
    assert!((report.rows[0].score - 1.0).abs() < 1e-9 && report.variant.ends_with("by letters"));
    assert_eq!(report.cells[0].repeated, None);
    let error = scored(jsonl, &items, &options(&lists)).unwrap_err();
    assert!(error.to_string().contains("line 1: Chinese"), "{error}");
}

#[test]
fn a_context_that_two_files_predict_names_both() {
    let lists = WordLists::ours();
    let of = |file| predictions("{\"id\":\"a\",\"pred\":\"x\"}", file, "p.jsonl").unwrap();
    let said: Vec<Prediction> = [of(0), of(1)].into_iter().flatten().collect();
    let (file, error) = lveval(&said, &[item("a", 16)], &options(&lists)).unwrap_err();
    assert_eq!(file, Some(1));
    assert!(matches!(error, FileError::Twice { line: 1, first: (0, 1), .. }), "{error}");
}

const SAID: &str = r#"{"pred": "a ram", "answers": ["a ram", "a heron"], "gold_ans": "ram", "input": "What?", "all_classes": null, "length": 9}
{"pred": "a heron", "answers": ["a ram", "a heron"], "gold_ans": null, "input": "What?", "all_classes": null, "length": 9}"#;

#[test]
fn predictions_as_lv_evals_program_writes_them_need_nothing_else() {
    let lists = WordLists::ours();
    for (name, kind, scores) in [
        ("hotpotwikiqa_mixup_16k.jsonl", "lveval-keyword-f1-as-released", [1.0, 0.0]),
        ("factrecall_en_32k.jsonl", "squad-f1", [1.0, 0.0]),
    ] {
        let mut said = predictions(SAID, 0, name).unwrap();
        let items: Vec<Item> = said.iter_mut().map(|said| said.item().unwrap()).collect();
        let report = lveval(&said, &items, &options(&lists)).unwrap();
        assert_eq!(report.rows.iter().map(|row| row.score).collect::<Vec<_>>(), scores);
        assert!(report.variant.starts_with(kind), "{}", report.variant);
        assert!(report.levels[0].level >= 16_000);
    }
    let error = predictions(r#"{"pred": "x", "input": "y"}"#, 0, "p").unwrap()[0].item();
    assert!(error.unwrap_err().to_string().contains("line 1: no `answers`"));
}

#[test]
fn predictions_without_an_id_are_matched_by_file_and_question() {
    let lists = WordLists::ours();
    let line = r#"{"input": "What?", "context": "…", "answers": ["a ram"], "length": 9, "dataset": "lanterns_16k", "language": "en", "answer_keywords": "ram", "confusing_facts": ["x"]}"#;
    let items = [1, 2, 3].map(|at| record(line, at, "anything.jsonl").unwrap());
    assert_eq!((&items[1].id[..], items[1].level), ("lanterns_16k/2", 16_000));
    let report = |said: &str, name: &str| {
        let said = predictions(said, 0, name).unwrap();
        lveval(&said, &items, &Options { partial: true, ..options(&lists) })
    };
    let found = report(SAID, "lanterns_16k.jsonl").unwrap();
    assert_eq!((found.rows.len(), found.missing), (2, 1));
    assert_eq!((found.rows[0].score, &found.rows[1].id[..]), (1.0, "lanterns_16k/2"));
    let refused = |said: &str, name: &str, says: &str| {
        let (file, error) = report(said, name).unwrap_err();
        assert!(file == Some(0) && error.to_string().contains(says), "{error}");
    };
    refused(SAID, "p.jsonl", "neither set nor level");
    refused(SAID, "lanterns_32k.jsonl", "no context of `lanterns`");
    refused(&format!("{SAID}\n{SAID}"), "lanterns_16k.jsonl", "line 4: `lanterns_16k/3` was");
}

#[track_caller]
fn check_refused(jsonl: &str, expected: &str) {
    let lists = WordLists::ours();
    let error = scored(jsonl, &[item("a", 16), item("b", 16), item("c", 16)], &options(&lists))
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
    check_refused("{\"pred\":\"a\"}", "line 1: no `_id`, `id` or `input`");
    check_refused("", "no rows");
}
