use storymill_core::{
    Label, NameChange, NamedPerson, ReviewPassage, SaidGrounds, SentenceLabel, Span,
};

use super::*;
use crate::tests::with_form;

#[track_caller]
fn check(form: ReviewForm, ballot: (&str, Said), says: Option<&str>) {
    let (choice, said) = ballot;
    let checked = Ballot { said, ..Ballot::of(choice) }.check(&with_form(form, 1).review);
    match (checked, says) {
        (Ok(()), None) => {}
        (Err(fault), Some(says)) => assert!(fault.message.contains(says), "{fault}"),
        (other, _) => panic!("{other:?}"),
    }
}

#[test]
fn a_text_is_edited_with_the_choice_that_takes_it() {
    let form = || ReviewForm::Text { text: "Who?".into(), of: "cut".into() };
    check(form(), ("cut", Said::Text("Who is it?".into())), None);
    check(form(), ("keep", Said::Nothing), None);
    check(form(), ("keep", Said::Text("Who is it?".into())), Some("takes no changes"));
    check(form(), ("cut", Said::Text(" \n".into())), Some("is blank"));
    check(form(), ("cut", Said::Labels(Vec::new())), Some("labels cannot be said"));
}

#[test]
fn grounds_are_kinds_that_there_are_and_passages() {
    let form = || ReviewForm::Grounds { texts: Vec::new(), kinds: vec!["order".into()] };
    let say = |kinds: &[&str], spans: Vec<ReviewPassage>| {
        let kinds = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        ("cut", Said::Grounds(SaidGrounds { kinds, spans }))
    };
    check(form(), ("cut", Said::Nothing), None);
    check(form(), say(&["order"], Vec::new()), None);
    check(form(), say(&["odour"], Vec::new()), Some("`odour` is not a kind of error"));
    let nowhere = ReviewPassage { book: "b".into(), span: Span::default(), role: String::new() };
    check(form(), say(&[], vec![nowhere]), Some("is empty or of no book"));
}

#[test]
fn names_are_those_of_the_cast() {
    let person = |name: &str, names: &[&str]| NamedPerson {
        name: name.into(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        gender: "unknown".into(),
        seen: 3,
        keep: false,
    };
    let people = vec![person("Ada Penn", &["Ada", "Penn"]), person("Kell", &["Kell"])];
    let form = || ReviewForm::Names { people: people.clone(), of: "cut".into() };
    let say = |change: NameChange| ("cut", Said::Names(vec![change]));
    let merge = |one: &str, with: &str| NameChange::Merge { one: one.into(), with: with.into() };
    check(form(), say(merge("Ada Penn", "Kell")), None);
    check(form(), say(merge("Ada Penn", "Nobody")), Some("nobody in the cast"));
    check(form(), say(merge("Kell", "Kell")), Some("with itself"));
    let split = |of: &str, name: &str| NameChange::Split { of: of.into(), name: name.into() };
    check(form(), say(split("Ada Penn", "Ada")), None);
    check(form(), say(split("Ada Penn", "Kell")), Some("not a name of"));
    check(form(), say(split("Kell", "Kell")), Some("the only name"));
    let gender = |gender: &str| NameChange::Gender { of: "Kell".into(), gender: gender.into() };
    check(form(), say(gender("female")), None);
    check(form(), say(gender("she")), Some("not a gender"));
    let put = |by: &str| NameChange::Substitute { name: "Ada".into(), by: by.into() };
    check(form(), say(put("Ina")), None);
    check(form(), say(put("Ina May")), Some("not one word"));
    check(form(), say(put("Kell")), Some("the cast has that name already"));
    // What can be said of each alone, and not of all together.
    let all = |changes: &[NameChange]| ("cut", Said::Names(changes.to_vec()));
    let keep = |of: &str| NameChange::Keep { of: of.into() };
    check(form(), all(&[put("Ina"), put("Ida")]), Some("two names are to stand for `Ada`"));
    check(form(), all(&[keep("Ada Penn"), put("Ina")]), Some("`Ada` stays as it is"));
    check(form(), all(&[split("Ada Penn", "Ada"), split("Ada Penn", "Penn")]), Some("only name"));
}

#[test]
fn passages_are_marked_with_the_choice_that_takes_them() {
    let place = |symbol: u32| storymill_core::Place { byte: symbol, symbol };
    let span = storymill_core::Span { start: place(1), end: place(9) };
    let passage = ReviewPassage { book: "b".into(), span, role: String::new() };
    let some = || Said::Spans(vec![passage.clone()]);
    // Where passages are free, any choice has them.
    check(ReviewForm::Evidence, ("cut", some()), None);
    check(ReviewForm::Evidence, ("cut", Said::Nothing), None);
    let check = |choice: &str, said: Said, says: Option<&str>| {
        let mut review = with_form(ReviewForm::Evidence, 1).review;
        review.choices = ["open", ReviewForm::MARKED, "nowhere"].map(str::to_owned).to_vec();
        let fault = Ballot { said, ..Ballot::of(choice) }.check(&review).err();
        let says_so = |says: &str| fault.as_ref().is_some_and(|fault| fault.message.contains(says));
        assert!(says.map_or(fault.is_none(), says_so), "{fault:?}");
    };
    check("marked", some(), None);
    check("nowhere", Said::Nothing, None);
    check("marked", Said::Nothing, Some("has no passages"));
    check("marked", Said::Spans(Vec::new()), Some("has no passages"));
    check("nowhere", some(), Some("`nowhere` takes no passages"));
    check("open", some(), Some("`open` takes no passages"));
}

#[test]
fn every_sentence_has_one_label() {
    let label = |kinds: &[&str]| SentenceLabel {
        label: Label::Unfaithful,
        kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        explanation: String::new(),
    };
    let form = || ReviewForm::Labels {
        sentences: vec!["A.".into(), "B.".into()],
        kinds: vec!["event".into()],
        of: "keep".into(),
    };
    check(form(), ("keep", Said::Labels(vec![label(&["event"]), label(&[])])), None);
    check(form(), ("keep", Said::Labels(vec![label(&[])])), Some("1 labels for the 2 sentences"));
    let odd = Said::Labels(vec![label(&["mood"]), label(&[])]);
    check(form(), ("keep", odd), Some("not a kind of error"));
    check(form(), ("keep", Said::Nothing), Some("has no labels"));
    check(form(), ("cut", Said::Nothing), None);
    let whole = Said::Labels(vec![label(&[]), label(&[])]);
    check(form(), ("cut", whole), Some("takes no changes"));
}

#[test]
fn fields_are_written_with_the_choice_that_takes_them() {
    let field = |name: &str, text: &str, needed: bool| ReviewField {
        name: name.into(),
        text: text.into(),
        needed,
        ..ReviewField::default()
    };
    let scopes = vec!["sentence".to_owned(), "global".to_owned()];
    let scope = ReviewField { options: scopes, ..field("true_scope", "", false) };
    let form = |written: &str| ReviewForm::Fields {
        fields: vec![field("false_claim", written, true), scope.clone()],
        of: "cut".into(),
    };
    let say = |name: &str, value: &str| {
        let values = [(name.to_owned(), value.to_owned())].into();
        Said::Fields(SaidFields { values, spans: None })
    };
    check(form("He left."), ("cut", say("false_claim", "He stayed.")), None);
    check(form("He left."), ("cut", Said::Nothing), None);
    check(form(""), ("cut", Said::Nothing), Some("the false claim of"));
    check(form(""), ("keep", Said::Nothing), None);
    check(form(""), ("cut", say("false_claim", "He left.")), None);
    check(form("He left."), ("cut", say("false_claim", " ")), Some("is blank"));
    check(form("He left."), ("keep", say("false_claim", "He stayed.")), Some("takes no changes"));
    check(form("He left."), ("cut", say("true_claim", "He stayed.")), Some("is not a field"));
    check(form("He left."), ("cut", say("true_scope", "book")), Some("is not a true scope"));
    check(form("He left."), ("cut", say("true_scope", "global")), None);
    check(form("He left."), ("cut", Said::Text("He stayed.".into())), Some("text cannot be said"));
}
