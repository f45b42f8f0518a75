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
fn one_chinese_character_is_part_of_many_words() {
    let mut question = question(&[("归", "鹤")]);
    question.question = "碑上少了哪个字？".into();
    question.answers = vec!["少了一个“归”字".into()];
    question.documents[0].text = "碑上少了一个“归”字。".into();
    let code = |question: &SetQuestion| {
        conflicts(question, Language::Chinese, &[]).first().map(|one| one.code)
    };
    assert_eq!(code(&question), Some("one-character"));
    question.rules[0].from = "“归”".into();
    question.rules[0].to = "“鹤”".into();
    question.keywords = String::new();
    assert_eq!(code(&question), None);
}

/// A name that is a word of every day too would be replaced where nobody is named.
#[test]
fn two_chinese_characters_may_be_an_ordinary_word() {
    let mut question = question(&[("高兴", "贝克")]);
    question.question = "谁来了？".into();
    question.answers = vec!["高兴".into()];
    question.keywords = String::new();
    question.documents[0].text = "高兴来了，大家很高兴。".into();
    let code = |question: &SetQuestion| {
        conflicts(question, Language::Chinese, &[]).first().map(|one| one.code)
    };
    assert_eq!(code(&question), Some("ordinary-word"));
    question.rules[0].from = "梁舟".into();
    question.answers = vec!["梁舟".into()];
    question.documents[0].text = "梁舟来了，大家很高兴。".into();
    assert_eq!(code(&question), None);
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
    let mut question = question(&[("Ada Marsh", "Lise Crane")]);
    question.question = "Where did Ada Marsh keep the lighthouse?".into();
    let mut check = |text: &str, expected: Option<(&str, &str)>| {
        question.documents[0].text = text.into();
        let found = conflicts(&question, Language::English, &[]);
        let first = found.first();
        assert_eq!(
            first.map(|one| (&one.place[..], one.code)),
            expected.map(|(code, _)| ("document 1", code))
        );
        let told = expected.map_or("", |(_, detail)| detail);
        assert!(first.is_none_or(|one| one.detail.contains(told)), "{found:?}");
    };
    // Where it is the name it is replaced, title, possessive and plural alike.
    check("Ada Marsh kept it. So Mrs. Marsh’s lamp, and Ada, and the Marshes, burn at Kell.", None);
    // Where it may be a word nobody is asked to guess.
    let left = "`Marsh` would be left, a part of it that may be another word (`Marsh kept it at Kell. Marsh gas burns there.`)";
    check("Ada Marsh kept it at Kell. Marsh gas burns there.", Some(("left-over", left)));
    check("Ada Marsh at Kell. Lise came.", Some(("collision", "the text says `Lise` already")));
}

#[test]
fn what_would_not_agree_is_told() {
    check(&[("lighthouse", "mills")], &[(0, "rule 1", "agreement")]);
    check(&[("lighthouse", "a accordion")], &[(0, "rule 1", "agreement")]);
    let mut other = question(&[("Kell", "Orm"), ("Boss", "Knight")]);
    other.documents[0].text = "At Kell Boss’ lamp burns.".into();
    let found = conflicts(&other, Language::English, &[]);
    assert_eq!((found[0].rule, found[0].code), (1, "agreement"));
    // What a form does not tell, the verb beside it does; nobody guesses.
    for (from, to, text, told) in [
        ("sheep", "goat", "At Kell the sheep were shorn.", "the words around `sheep` show several"),
        ("loaf", "bread", "At Kell she broke a loaf.", "`bread` is not counted"),
    ] {
        other.rules[1] = Rule { from: from.into(), to: to.into(), scope: vec![] };
        other.documents[0].text = text.into();
        let found = conflicts(&other, Language::English, &[]);
        assert_eq!(found.first().map(|one| one.code), Some("agreement"), "{from}");
        assert!(found[0].detail.contains(told), "{found:?}");
    }
    other.documents[0].text = "At Kell she broke the loaf.".into();
    assert_eq!(conflicts(&other, Language::English, &[]), []);
    other.rules[1] = Rule { from: "hotel".into(), to: "inn".into(), scope: vec![] };
    other.documents[0].text = "At Kell stood an hotel.".into();
    let found = conflicts(&other, Language::English, &[]);
    assert_eq!(found[0].detail, "`an hotel.` would be put back as `a hotel.`");
}
