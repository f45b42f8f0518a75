//! Tests of `line`: each form, and what is wrong.

use super::*;

#[track_caller]
fn check_refused(text: &str, code: &str, detail: &str) {
    let reason = read(text, None).unwrap_err();
    assert_eq!((&*reason.code, reason.detail.contains(detail)), (code, true), "{}", reason.detail);
}

#[test]
fn each_form_is_read() {
    let own = r#"{"id":"a","question":"Who?","answer":"Ann","documents":["Ann did.",{"title":"T","text":"No."}],"supporting":[0],"rules":[{"from":"Ann","to":"Lea"}]}
        {"documents":["Other words."]}"#;
    let rows = read(own, None).unwrap();
    assert_eq!(
        (rows[0].supporting.clone(), &rows[0].documents[1].title[..], rows[0].rules.len()),
        (vec![0], "T", 1)
    );
    assert_eq!(
        (&rows[1].id[..], &rows[1].question[..], &rows[1].supporting[..]),
        ("q2", "", &[][..])
    );
    let hotpot = r#"[{"_id":"h1","question":"Which?","answer":"B","context":[["A",[]],["B",["One.", " Two."]],["C",["Three."]]],"supporting_facts":[["C",0],["B",1]],"type":"bridge"}]"#;
    let rows = read(hotpot, None).unwrap();
    assert_eq!((rows[0].documents.len(), rows[0].supporting.clone()), (2, vec![0, 1]));
    assert_eq!(rows[0].documents[0].text, "One. Two.");
    let multi = r#"{"input":"谁？","context":"安娜做的。","answers":["安娜"],"length":5,"dataset":"multifieldqa_zh","language":"zh","all_classes":null,"_id":"m1"}"#;
    let rows = read(multi, None).unwrap();
    assert_eq!(
        (&rows[0].id[..], &rows[0].language[..], &rows[0].answers[..]),
        ("m1", "zh", &["安娜".to_owned()][..])
    );
    assert_eq!(
        read("{\"question\":\"谁？\",\"answer\":\"安\",\"documents\":[\"安\"]}", None).unwrap()[0]
            .language,
        "zh"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    check_refused("{\"documents\":[\"a\"]}\n{", "bad-json", "line 2");
    check_refused(
        "{\"question\":\"Who?\",\"answer\":\"a\"}",
        "no-documents",
        "line 1: `q1` has no documents",
    );
    check_refused("{\"question\":\"Who?\",\"documents\":[\"a\"]}", "no-answer", "line 1");
    check_refused(
        "{\"question\":\"Who?\",\"answer\":\"a\",\"documents\":[\"a\"],\"supporting\":[1]}",
        "bad-supporting",
        "document 1",
    );
    check_refused(
        "{\"question\":\"Who?\",\"answer\":\"a\",\"documents\":[\"a\"],\"supporting\":[]}",
        "no-evidence",
        "line 1",
    );
    check_refused(
        "{\"id\":\"x\",\"documents\":[\"a\"]}\n{\"id\":\"x\",\"documents\":[\"b\"]}",
        "duplicate-id",
        "line 2",
    );
    check_refused("{\"documents\":[\"  \"]}", "empty-document", "document 1");
    check_refused("{\"documents\":[\"a\"],\"dokuments\":[]}", "bad-line", "dokuments");
    check_refused("\n", "empty", "no question");
    check_refused(
        "[{\"question\":\"q\",\"answer\":\"a\",\"context\":[[\"A\",[\"x\"]]],\"supporting_facts\":[[\"Z\",0]]}]",
        "bad-supporting",
        "item 1",
    );
}

/// Ten texts of our own in each form that others are released in.
#[track_caller]
fn check_released(text: &str, [rows_in_all, asked]: [usize; 2], first: [&str; 4]) {
    let rows = read(text, None).unwrap();
    let asks = |row: &&SetQuestion| !row.question.is_empty();
    assert_eq!([rows.len(), rows.iter().filter(asks).count()], [rows_in_all, asked]);
    let row = &rows[0];
    let document = &row.documents[row.supporting[0] as usize];
    assert_eq!([&row.id[..], &row.language, &row.answers[0], &document.title], first);
    for row in rows.iter().filter(asks) {
        let documents = row.supporting.iter().map(|at| &row.documents[*at as usize]);
        let evidence: Vec<_> = documents.map(|one| one.title.clone() + &one.text).collect();
        assert!(!row.answers.is_empty() && evidence.iter().all(|text| text.len() > 5), "{row:?}");
    }
}

#[test]
fn forms_of_others_are_read() {
    let cmrc = include_str!("../../tests/sets/cmrc.json");
    check_released(cmrc, [14, 14], ["TRIAL_0_QUERY_0", "zh", "三条", "青石渡"]);
    assert_eq!(read(cmrc, None).unwrap()[0].answers, ["三条"]);
    let squad = include_str!("../../tests/sets/cmrc-squad.json");
    check_released(squad, [10, 10], ["T0_Q0", "zh", "三条", "青石渡"]);
    // A page without an answer, or without one that was selected, only distracts.
    let dureader = include_str!("../../tests/sets/dureader.jsonl");
    check_released(dureader, [10, 8], ["186300", "zh", "三条", "青石渡"]);
    let rows = read(dureader, None).unwrap();
    assert_eq!((rows[4].documents.len(), &rows[4].supporting[..]), (3, &[1][..]));
    assert_eq!(rows[0].documents[1].text, "望月楼建于丙子年，共有五层。\n来源：地方志。");
    let loogle = include_str!("../../tests/sets/loogle.jsonl");
    check_released(loogle, [15, 14], ["q1", "en", "Bees", "The Heron Lock"]);
    let rows = read(loogle, None).unwrap();
    assert_eq!((&rows[1].id[..], &rows[2].id[..]), ("q2-1", "q2-2"));
    assert_eq!(rows[3].answers, ["\"Patient\""]);
    let flat = r#"{"id":"d1_0","doc_id":"d1","task":"shortdep_qa","context":"It rained.","question":"What did it do?","answer":"Rain","title":"T","evidence":["It rained."]}
        {"id":"T1","context":"下雨了。","question":"怎么了？","answers":{"text":["下雨"],"answer_start":[0]}}"#;
    let rows = read(flat, None).unwrap();
    assert_eq!((&rows[0].answers[0][..], &rows[1].answers[0][..]), ("Rain", "下雨"));
    check_refused(
        "{\"input\":\"a b\",\"title\":\"T\",\"qa_pairs\":\"[{'Q'\"}",
        "bad-line",
        "line 1: `qa_pairs` is not a list of questions",
    );
}
