//! Tests of facts.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use proptest::prelude::*;

use super::*;

/// A book of some people.
const BOOK: &str = "“No,” said Mr. Pym to Mrs. Venn. Mr. Pym shut the red door. “Yes,” said Mr. Thrale. Then Mrs. Venn and \
    Mrs. Coyle left. “Why?” asked Mrs. Coyle. So Mr. Thrale and Elizabeth Venn came, and Elizabeth laughed. “Oh!” \
    cried Elizabeth Venn. She told Thomas Pym. Thomas smiled. “Never,” said Thomas. He met Mrs. Venn and Mr. Pym.";

static PEOPLE: LazyLock<Persons> = LazyLock::new(|| people(&BOOK.repeat(2), Language::English));

/// The facts of a text, in order.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = facts(text, &PEOPLE);
    let found: Vec<_> = found.iter().map(|fact| &text[fact.range.clone()]).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn persons_stand_alone() {
    check("Mr. Pym met Elizabeth Venn’s maid.", &["Mr. Pym", "Elizabeth Venn"]);
    check("Then Thomas and Mrs. Coyle spoke.", &["Thomas", "Mrs. Coyle"]);
    check("There sat his Elizabeth. Elizabeth of Venn Farm, and Mr. and Mrs. Venn came.", &[]);
}

#[test]
fn people_of_a_gender_are_of_a_kind() {
    let text = "Mr. Pym, Mrs. Venn, Mr. Thrale, Thomas, Mrs. Coyle";
    let found = facts(text, &PEOPLE);
    let of_kind = |kind| {
        let alike = found.iter().filter(move |fact| fact.kind == kind);
        alike.map(|fact| fact.text).collect::<Vec<_>>()
    };
    assert_eq!(of_kind(found[0].kind), ["Mr. Pym", "Mr. Thrale"]);
    assert_eq!(of_kind(found[1].kind), ["Mrs. Venn", "Mrs. Coyle"]);
}

#[test]
fn numbers_count_something() {
    check("Three men ate forty large apples at two o’clock.", &["Three", "forty", "two"]);
    check("The three men, one or two days, two of them, his two hands.", &[]);
}

#[test]
fn phrases_of_lists_stand_in_no_longer_ones() {
    check(
        "In the morning an old man turned to the left.",
        &["In the morning", "old man", "to the left"],
    );
    check("The left hand of old man.", &["left hand", "old man"]);
    check("On Friday he hurt the left knee.", &["Friday"]);
    check("On Good Friday friday came his father and mother.", &[]);
    check("The next morning was cold.", &["The next morning"]);
    check("He met his father-in-law, his father and a father.", &[]);
}

/// The lists are sound: who is swapped for whom has as many words, and is of one list alone.
#[test]
fn members_of_a_list_have_as_many_words() {
    let mut seen = BTreeSet::new();
    let mut lengths: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for phrase in LISTED.values().flatten() {
        assert!(seen.insert(phrase.text), "{} is in two lists", phrase.text);
        assert!(!phrase.text.is_empty() && phrase.text.trim() == phrase.text);
        lengths.entry(phrase.list).or_default().push(phrase.text.split(' ').count());
    }
    for (list, lengths) in lengths {
        assert!(lengths.len() > 1 && lengths.iter().all(|one| *one == lengths[0]), "list {list}");
    }
}

proptest! {
    /// Facts lie in order, none overlaps another, and each stands where it says.
    #[test]
    fn facts_lie_in_order(picks in prop::collection::vec(0..12_usize, 0..12)) {
        const WORDS: [&str; 12] = [
            "Mr. Pym", "two", "men", "his father", "and", "The next", "morning", "Elizabeth", ". ", "of", "’s", "left hand",
        ];
        let text = picks.iter().map(|at| WORDS[*at]).collect::<Vec<_>>().join(" ");
        let mut behind = 0;
        for fact in facts(&text, &PEOPLE) {
            prop_assert!(fact.range.start >= behind);
            behind = fact.range.end;
            let here = &text[fact.range];
            prop_assert!(here.to_lowercase() == fact.text.to_lowercase());
            prop_assert_eq!(here.split(' ').count(), fact.text.split(' ').count());
        }
    }
}
