//! Tests of `replace`.

use proptest::prelude::*;
use storymill_core::Scope;
use storymill_text::article;

use super::*;

fn rules(pairs: &[(&str, &str)]) -> Vec<Rule> {
    let rule = |(from, to): &(&str, &str)| Rule {
        from: (*from).into(),
        to: (*to).into(),
        scope: vec![Scope::Context],
    };
    pairs.iter().map(rule).collect()
}

#[track_caller]
fn check(pairs: &[(&str, &str)], language: Language, text: &str, expected: &str) {
    let replacer = Replacer::new(&rules(pairs), language);
    assert_eq!(replacer.replaced(text), expected);
}

#[test]
fn words_are_whole_and_keep_their_form() {
    let en = Language::English;
    check(&[("York", "Bath")], en, "Yorkshire, York-born, YORK’s", "Yorkshire, Bath-born, BATH’s");
    check(&[("city", "fort")], en, "City cities CITIES", "Fort forts FORTS");
    check(&[("two mills", "nine wells")], en, "The Two Mills", "The Nine Wells");
    check(&[("Church", "Abbey")], en, "Churches", "Abbeys");
    check(
        &[("New York", "Old Bath"), ("New", "Low")],
        en,
        "New Yorker, New York",
        "Low Yorker, Old Bath",
    );
    check(&[("Ann", "Lea"), ("Lea", "Ann")], en, "Ann Lea Ann", "Lea Ann Lea");
    check(&[("", "x"), ("y", "")], en, "x y", "x y");
    check(&[("thief", "child")], en, "Thieves, a thief", "Children, a child");
    check(
        &[("贝多芬", "大卫")],
        Language::Chinese,
        "他叫贝多芬。贝多芬贝多芬",
        "他叫大卫。大卫大卫",
    );
    check(&[("GPS", "雷达")], Language::Chinese, "用GPS定位，GPSX", "用雷达定位，GPSX");
}

#[test]
fn articles_go_by_what_is_written() {
    let en = Language::English;
    let rules =
        [("harp", "accordion"), ("old", "young"), ("Ivo Marsh", "Otto Unwin"), ("11", "12")];
    check(
        &rules,
        en,
        "A harp, an old “harp”, a Harp",
        "An accordion, a young “accordion”, an Accordion",
    );
    check(
        &rules,
        en,
        "AN OLD HARP. An 11 and an Ivo Marsh",
        "A YOUNG ACCORDION. A 12 and an Otto Unwin",
    );
    check(
        &rules,
        en,
        "vitamin A harp; a half-harp; a sharp, an owl",
        "vitamin A accordion; a half-accordion; a sharp, an owl",
    );
    check(&[("owl", "unicorn"), ("mile", "hour")], en, "an owl in a mile", "a unicorn in an hour");
    check(&[("lion", "ox")], Language::Other, "a lion", "a ox");
}

#[test]
fn parts_of_a_name_go_with_it() {
    let rules = [("Dorian Gray", "Everard Finch"), ("May Orr", "Ann Lee")];
    let text = "Dorian’s eyes. Mr. Gray and the Grays met Lady Gray; DORIAN GRAY, Dorian\nGray. A gray Dorian.";
    let other = "Everard’s eyes. Mr. Finch and the Finches met Lady Finch; EVERARD FINCH, Everard\nFinch. A gray Everard.";
    check(&rules, Language::English, text, other);
    // Nobody can tell these: they are left, and looked for by `left`.
    let left = "Gray clouds hung in May.";
    check(&rules, Language::English, left, left);
    check(&rules, Language::English, "Miss May saw an Orr.", "Miss Ann saw a Lee.");
    let two = [("Ada Penn", "Lise Crane"), ("Otto Penn", "Karl Wick")];
    check(&two, Language::English, "Ada met Otto; Penn did not.", "Lise met Karl; Penn did not.");
}

#[test]
fn what_cannot_be_put_back_is_not_clean() {
    let rules = rules(&[("hotel", "inn"), ("James", "Marsh")]);
    let replacer = Replacer::new(&rules, Language::English);
    for (text, clean) in [
        ("a hotel", true),
        ("an hotel", false),
        ("James’s hotel", true),
        ("James’ hotel", false),
        ("an inn", false),
    ] {
        assert_eq!(replacer.is_clean(text), clean, "{text}");
    }
}

proptest! {
    /// What `edit` is told is what was written, and nothing else is changed; articles agree; a clean
    /// text comes back.
    #[test]
    fn edits_are_what_was_written(
        text in "((a|an|A|the|owl|Owl|pear|hour|hours|Ada Penn|Ada|Penn|Penn’s|AN|OWL|it|was)[ ,.\n]{1,2}){0,14}",
        pairs in prop::collection::btree_map("(owl|pear|hour|Ada Penn)", "(ox|lute|unit|Ella Orr|Tom Kidd)", 0..4),
    ) {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&**a, &**b)).collect();
        let replacer = Replacer::new(&rules(&pairs), Language::English);
        let (mut out, mut edits) = (String::new(), Vec::new());
        replacer.apply(&text, &mut out, |_, old, new| edits.push((old, new)));
        let (mut old_end, mut new_end) = (0, 0);
        for (old, new) in &edits {
            prop_assert_eq!(&text[old_end..old.start], &out[new_end..new.start]);
            prop_assert!(article::slips(&out[new.clone()]).next().is_none());
            (old_end, new_end) = (old.end, new.end);
        }
        prop_assert_eq!(&text[old_end..], &out[new_end..]);
        if pairs.is_empty() {
            prop_assert_eq!(&out, &text);
        }
        if replacer.is_clean(&text) {
            prop_assert_eq!(replacer.restored(&out), text);
        }
    }

    /// One pass: what is written is never replaced again, and a clean text comes back.
    #[test]
    fn clean_texts_come_back(
        text in "((ab|cd|ef|gh|Ab|AB|abs) ?){0,12}",
        pairs in prop::collection::btree_map("(ab|cd|ef|gh|ab cd)", "(kl|mn|op|kl mn)", 0..4),
    ) {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&**a, &**b)).collect();
        let replacer = Replacer::new(&rules(&pairs), Language::English);
        let other = replacer.replaced(&text);
        // The substitutes are no words of any rule's left side, so a second pass finds nothing.
        prop_assert_eq!(&replacer.replaced(&other), &other);
        if replacer.is_clean(&text) {
            prop_assert_eq!(replacer.restored(&other), text);
        }
    }
}
