use storymill_core::{Document, Rule};

use super::*;

fn question(rules: &[(&str, &str)]) -> SetQuestion {
    let rule = |(from, to): &(&str, &str)| Rule {
        from: (*from).into(),
        to: (*to).into(),
        scope: vec![Scope::Context],
    };
    let text = "Ada Penn kept the lighthouse at Kell. Kell lies north. Reader, she read much.";
    SetQuestion {
        question: "Where did Ada Penn keep the lighthouse?".into(),
        answers: vec!["at Kell".into()],
        keywords: "Kell".into(),
        documents: vec![Document { title: String::new(), text: text.into() }],
        supporting: vec![0],
        rules: rules.iter().map(rule).collect(),
        ..SetQuestion::default()
    }
}

#[track_caller]
fn check(rules: &[(&str, &str)], expected: &[(usize, &str, &str)]) {
    let groups = [vec!["lighthouse".to_owned(), "pharos".to_owned()]];
    let found = conflicts(&question(rules), Language::English, &groups);
    let found: Vec<_> = found.iter().map(|one| (one.rule, &one.place[..], one.code)).collect();
    assert_eq!(found, expected, "{rules:?}");
}

#[test]
fn each_conflict_is_told() {
    check(&[("Kell", "Orm"), ("Ada Penn", "Lise Crane")], &[]);
    check(&[("Kell", " ")], &[(0, "answer", "empty-answer")]);
    check(&[("north", " ")], &[(0, "rule 1", "blank-rule")]);
    check(&[("Kell", "The")], &[(0, "answer", "empty-answer")]);
    check(&[("Ada Penn", "Penn Otto")], &[(0, "rule 1", "not-different")]);
    check(&[("lighthouse", "lighthouses")], &[(0, "rule 1", "not-different")]);
    check(&[("lighthouse", "pharos")], &[(0, "rule 1", "synonym")]);
    check(&[("the lighthouses", "some old Pharos")], &[(0, "rule 1", "synonym")]);
    check(&[("Gull", "Orm")], &[(0, "evidence", "hits-nothing")]);
    check(&[("Kell", "Ada Penn"), ("Ada Penn", "Lise")], &[(0, "rule 2", "chain")]);
    check(&[("Kell", "Orm"), ("Ada Penn", "Orm")], &[(1, "rule 1", "collision")]);
    check(
        &[("Kell", "Orm"), ("Kell", "Ulm")],
        &[(0, "rule 2", "collision"), (1, "rule 1", "collision")][1..],
    );
    check(&[("Kell", "north")], &[(0, "document 1", "collision")]);
    check(&[("light", "dark")], &[(0, "evidence", "hits-nothing")]);
    check(&[("much", "little"), ("read", "sang")], &[]);
    check(&[("north", "Kell")], &[(0, "answer", "collision")]);
}

#[test]
fn an_answer_must_not_be_lost() {
    let mut question = question(&[("Ada Penn", "Lise Crane")]);
    question.answers = vec!["Ada Penn kept it".into()];
    question.keywords = String::new();
    question.documents[0].text = "Ada Penn kept it. Ada Penn’s lamp burns in the tower.".into();
    assert_eq!(conflicts(&question, Language::English, &[]), []);
    question.documents[0].text = "ada penn kept it. Ada Penn was there.".into();
    let found = conflicts(&question, Language::English, &[]);
    assert_eq!(found.first().map(|one| one.code), Some("answer-lost"));
}

#[test]
fn chinese_sides_share_no_character() {
    let mut question = question(&[("贝多芬", "贝克汉姆")]);
    question.documents[0].text = "他叫贝多芬。".into();
    let found = conflicts(&question, Language::Chinese, &[]);
    assert_eq!(found.first().map(|one| one.code), Some("not-different"));
}

#[test]
fn keywords_must_not_be_lost() {
    let mut question = question(&[("Kell", "Orm"), ("the lighthouse at Kell", "a mill")]);
    question.keywords = "lighthouse Kell".into();
    question.answers = vec!["in Kell, in the lighthouse".into()];
    question.documents[0].text = "Ada Penn kept the lighthouse at Kell. Kell lies north.".into();
    let found = conflicts(&question, Language::English, &[]);
    let found: Vec<_> = found.iter().map(|one| (&one.place[..], one.code)).collect();
    assert_eq!(found, [("keywords", "answer-lost")]);
}

#[test]
fn no_part_of_a_name_is_left() {
    let mut question = question(&[("Ada Penn", "Lise Crane")]);
    question.documents[0].text = "Ada Penn kept it. Penn’s lamp burns in the tower at Kell.".into();
    let found = conflicts(&question, Language::English, &[]);
    assert_eq!((&found[0].place[..], found[0].code), ("document 1", "left-over"));
    assert!(found[0].detail.contains("`Penn` would be left"), "{}", found[0].detail);
    // Somebody else of that name confuses.
    let mut other = question.clone();
    other.documents[0].text = "Ada Penn kept it. A lamp burns in the tower at Kell.".into();
    other.confusing = vec!["Otto Penn kept a mill.".into()];
    assert_eq!(conflicts(&other, Language::English, &[]), []);
    let scope = vec![Scope::Context];
    question.rules.push(Rule { from: "Penn".into(), to: "Crane".into(), scope });
    // Two rules write `Crane`, and each is told apart by what it stands for.
    assert_eq!(conflicts(&question, Language::English, &[]), []);
}
