use proptest::prelude::*;

use super::*;
use crate::cast::{Careful, Character, Gender};

fn character(given: &[&str], family: &[&str], gender: Gender) -> Character {
    let parts = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
    let name = [given, family].concat().join(" ");
    let (given, family, husband) = (parts(given), parts(family), Vec::new());
    Character { name, gender, given, husband, family, seen: 5, keep: false }
}

fn cast(characters: Vec<Character>, careful: Vec<Careful>) -> CastFile {
    let (version, book, text) = (1, "b1".to_owned(), String::new());
    let (tagger, culture) = (None, "english".to_owned());
    let (places, nobody) = (vec![], vec![]);
    let substitutes = Vec::new();
    CastFile {
        version,
        book,
        text,
        tagger,
        culture,
        characters,
        places,
        careful,
        substitutes,
        nobody,
    }
}

fn sample() -> CastFile {
    let characters = vec![
        character(&["Anne"], &["Elliot"], Gender::Female),
        character(&["Mary", "Zoë"], &["O'Brien"], Gender::Female),
        character(&["James"], &["Elliot"], Gender::Male),
        character(&["Will"], &[], Gender::Male),
    ];
    cast(characters, vec![Careful { part: "Will".to_owned(), at: vec![] }])
}

fn drawn(text: &str, seed: u64) -> Substitutes {
    Substitutes::draw(&sample(), &Words::new(text), Seed::new(seed)).unwrap()
}

fn of<'s>(substitutes: &'s Substitutes, part: &str) -> &'s str {
    &substitutes.pairs().iter().find(|pair| pair.part == part).unwrap().substitute
}

#[test]
fn repeats_capitals_possessives_and_plurals() {
    let text = "Anne Anne ANNE Annex Anne’s anne; the Elliots. Miss O’Brien, O'Brien";
    let substitutes = drawn(text, 1);
    let [anne, elliot, brien] = ["Anne", "Elliot", "O'Brien"].map(|part| of(&substitutes, part));
    let caps = anne.to_uppercase();
    let expected =
        format!("{anne} {anne} {caps} Annex {anne}’s anne; the {elliot}s. Miss {brien}, {brien}");
    assert_eq!(substitutes.apply(text, Sure::Beside).text, expected);
}

#[test]
fn a_common_word_is_replaced_only_where_it_is_surely_a_name() {
    let text = "Will you? Master Will will. Will Elliot. Where there is a Will";
    let substitutes = drawn(text, 1);
    let (will, elliot) = (of(&substitutes, "Will"), of(&substitutes, "Elliot"));
    let expected = format!("Will you? Master {will} will. {will} {elliot}. Where there is a Will");
    assert_eq!(substitutes.apply(text, Sure::Beside).text, expected);
    let expected = format!("{will} you? Master Will will. Will {elliot}. Where there is a Will");
    assert_eq!(substitutes.apply(text, Sure::At(&[0])).text, expected);
}

#[test]
fn the_plural_of_a_family_that_is_a_word_too_is_replaced() {
    let careful = vec![Careful { part: "Fox".to_owned(), at: vec![4] }];
    let cast = cast(vec![character(&[], &["Fox"], Gender::Male)], careful);
    let text = "Mr. Fox, a fox. Fox! The Foxes.";
    let substitutes = Substitutes::draw(&cast, &Words::new(text), Seed::new(1)).unwrap();
    let [one, many] = ["Fox", "Foxes"].map(|part| of(&substitutes, part));
    let expected = format!("Mr. {one}, a fox. Fox! The {many}.");
    assert_eq!(substitutes.apply(text, Sure::At(&[4])).text, expected);
    // Where the plural is a word of the book, it is left.
    let text = "Mr. Fox, two foxes. Foxes!";
    let substitutes = Substitutes::draw(&cast, &Words::new(text), Seed::new(1)).unwrap();
    assert!(substitutes.apply(text, Sure::At(&[4])).text.ends_with(", two foxes. Foxes!"));
}

#[test]
fn gender_and_family_are_kept_and_seeds_differ() {
    let lists = &crate::knowledge::CULTURES[0].1;
    let mut seen = BTreeSet::new();
    for seed in 0..20 {
        let substitutes = drawn("Anne met James.", seed);
        assert!(lists.female.iter().any(|name| name == of(&substitutes, "Anne")));
        assert!(lists.male.iter().any(|name| name == of(&substitutes, "James")));
        assert_eq!(substitutes.pairs(), drawn("Anne met James.", seed).pairs());
        seen.insert(of(&substitutes, "Anne").to_owned());
    }
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn forms_of_one_first_name_stay_forms_of_one() {
    let characters = vec![
        character(&["Elizabeth", "Lizzy", "Eliza"], &["Fox"], Gender::Female),
        character(&["Jane"], &["Fox"], Gender::Female),
    ];
    let cast = cast(characters, vec![]);
    for seed in 0..10 {
        let words = Words::new("Elizabeth, Lizzy and Eliza met Jane.");
        let substitutes = Substitutes::draw(&cast, &words, Seed::new(seed)).unwrap();
        let [long, one, other, jane] =
            ["Elizabeth", "Lizzy", "Eliza", "Jane"].map(|part| of(&substitutes, part).to_owned());
        let forms: Vec<&str> = crate::knowledge::forms_of(&long).collect();
        assert!(forms.contains(&&*one) && forms.contains(&&*other), "{long}, {one}, {other}");
        assert!(!forms.contains(&&*jane) && !crate::knowledge::is_pet_name(&jane), "{jane}");
    }
}

#[test]
fn who_may_be_either_gets_a_name_of_both_and_her_husband_one_of_his() {
    let lists = &crate::knowledge::CULTURES[0].1;
    let is = |names: &[String], name: &str| names.iter().any(|one| one == name);
    let wife = Character {
        husband: vec!["Struan".to_owned()],
        ..character(&["Struan"], &["Fox"], Gender::Female)
    };
    let cast = cast(vec![character(&["Zork"], &[], Gender::Unknown), wife], vec![]);
    for seed in 0..10 {
        let words = Words::new("Zork met Mrs. Struan Fox.");
        let substitutes = Substitutes::draw(&cast, &words, Seed::new(seed)).unwrap();
        let [zork, struan] = ["Zork", "Struan"].map(|part| of(&substitutes, part));
        assert!(is(&lists.female, zork) && is(&lists.male, zork), "{zork}");
        assert!(is(&lists.male, struan) && !is(&lists.female, struan), "{struan}");
    }
}

#[test]
fn a_first_name_that_is_a_family_s_too_is_what_it_mostly_is() {
    let characters = vec![
        character(&["Lowick"], &["Fox"], Gender::Male),
        character(&["Ann"], &["Lowick"], Gender::Female),
    ];
    let cast = cast(characters, vec![]);
    let role = |text: &str| {
        let substitutes = Substitutes::draw(&cast, &Words::new(text), Seed::new(1)).unwrap();
        substitutes.pairs().iter().find(|pair| pair.part == "Lowick").unwrap().role.clone()
    };
    assert_eq!(
        role("Lowick Fox met Ann Lowick. Lowick ran; Lowick sat; Lowick fell; Lowick Fox."),
        "male"
    );
    assert_eq!(role("Lowick Fox met Ann Lowick. Mr. Lowick and Mrs. Lowick."), "family");
}

#[test]
fn an_article_fits_what_stands_behind_it() {
    let cast = cast(vec![character(&["Ursula"], &["Amory"], Gender::Female)], vec![]);
    for seed in 0..20 {
        let words = Words::new("a Ursula, an Amory, the Amories");
        let substitutes = Substitutes::draw(&cast, &words, Seed::new(seed)).unwrap();
        let [ursula, amory] = ["Ursula", "Amory"].map(|part| of(&substitutes, part));
        assert!(!ursula.starts_with(['A', 'E', 'I', 'O', 'U']), "{ursula}");
        assert!(amory.starts_with(['A', 'E', 'I', 'O']), "{amory}");
        assert!(of(&substitutes, "Amories").starts_with(amory), "{amory}");
    }
}

#[test]
fn an_empty_pool_is_said() {
    let many = (0..900).map(|n| character(&[&format!("Nam{n}")], &[], Gender::Female)).collect();
    let fault = Substitutes::draw(&cast(many, vec![]), &Words::new(""), Seed::new(1)).unwrap_err();
    assert!(fault.message.contains("female") && fault.hint.is_some(), "{fault}");
    let fault = Substitutes::draw(
        &CastFile { culture: "martian".to_owned(), ..sample() },
        &Words::new(""),
        Seed::new(1),
    );
    assert!(fault.unwrap_err().message.contains("martian"));
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Anne",
        "ANNE",
        "Elliot",
        "Elliots",
        "Mary",
        "Zoë",
        "Zoe",
        "James",
        "O'Brien",
        "O’BRIEN",
        "Maryx",
        "anne",
        "said",
        "é",
    ]);
    let gap = prop::sample::select(vec![" ", "-", "’s ", "\n\n", ", ", ". ", "_", ""]);
    prop::collection::vec((piece, gap), 0..40)
        .prop_map(|all| all.into_iter().flat_map(|(piece, gap)| [piece, gap]).collect())
}

proptest! {
    /// Two parts never share a substitute, no substitute is a word or a part, and none is famous.
    #[test]
    fn substitutes_are_injective_and_new(seed in any::<u64>(), book in "([A-Z][a-z]{2,8} ){0,30}") {
        let text = format!("{book} Abigail Ackroyd Abel");
        let substitutes = drawn(&text, seed);
        let mut all = BTreeSet::new();
        let words = Words::new(&text);
        for pair in substitutes.pairs() {
            let folded = fold(&pair.substitute);
            prop_assert!(!words.lows().iter().any(|low| fold(low) == folded));
            prop_assert!(substitutes.pairs().iter().all(|other| fold(&other.part) != folded));
            prop_assert!(!crate::knowledge::BLOCKED.contains(&folded));
            prop_assert!(all.insert(folded));
        }
    }

    /// No part is left, nothing else is changed, and what was written is not replaced again.
    #[test]
    fn one_pass_is_all(text in text(), seed in 0_u64..50) {
        let substitutes = drawn(&text, seed);
        let new = substitutes.apply(&text, Sure::Beside);
        prop_assert!(substitutes.apply(&new.text, Sure::Beside).edits.is_empty());
        let mut back = new.text.clone();
        for edit in new.edits.iter().rev() {
            back.replace_range(edit.new.clone(), &text[edit.old.clone()]);
        }
        prop_assert_eq!(back, text);
    }

    /// Places outside names go there and back; a span holds the same words on both sides.
    #[test]
    fn spans_map_both_ways(text in text(), seed in 0_u64..50) {
        let new = drawn(&text, seed).apply(&text, Sure::Beside);
        for (byte, _) in text.char_indices() {
            let inside = new.edits.iter().any(|edit| edit.old.start < byte && byte < edit.old.end);
            let there = new.to_new(byte);
            prop_assert!(new.text.is_char_boundary(there));
            if !inside {
                prop_assert_eq!(new.to_old(there), byte);
            }
        }
        for edit in &new.edits {
            prop_assert_eq!(new.span_to_new(edit.old.clone()), edit.new.clone());
            prop_assert_eq!(new.span_to_old(edit.new.clone()), edit.old.clone());
        }
        prop_assert_eq!(new.span_to_new(0..text.len()), 0..new.text.len());
    }
}
