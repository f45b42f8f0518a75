//! Tests of `extract`.

use proptest::prelude::*;

use super::*;
use crate::testing::{run, scenes};

fn stage(sentences: u32, max_words: u32) -> Extract {
    Extract { from: Edge::to("scenes"), sentences, max_words }
}

const STORY: &str = "CHAPTER I\n\nOn Tuesday Mrs. Dorcas Venn drove eleven miles to Oxwold with two \
    sacks of wool. It was a fine day.\n\n“Where is it?” asked Mr. Pym. “Did you see it?”\n\n\
    The clerk of the market laughed at Mrs. Dorcas Venn and closed his book. But Mr. Pym opened \
    the red door of the Wool Hall. He counted nine shillings into her hand.\n\n\
    Roses are red\nand wool is white.\n\nSo they drove home in the rain.";

#[track_caller]
fn check(stage: &Extract, text: &str, expected: &str) {
    let (rows, _) = run(stage, scenes(&[text]).into());
    let found: Vec<_> = rows.unwrap().into_iter().map(|summary| summary.text).collect();
    assert_eq!(found.join(""), expected);
}

#[test]
fn the_telling_sentences_are_picked() {
    check(
        &stage(2, 110),
        STORY,
        "On Tuesday Mrs. Dorcas Venn drove eleven miles to Oxwold with two sacks of wool. \
         Mr. Pym opened the red door of the Wool Hall.",
    );
    check(
        &stage(4, 10),
        "“Yes!” said he. The old clerk closed his book.",
        "The old clerk closed his book.",
    );
    check(&stage(1, 50), "But the old clerk closed his book.", "The old clerk closed his book.");
}

#[test]
fn pronouns_are_named_only_where_they_would_dangle() {
    let text = "Then there was Mr. Pym, and Mr. Pym rose. Mr. Pym opened the red door. But he counted \
                nine shillings into her hand.";
    let pronoun = "Mr. Pym opened the red door. He counted nine shillings into her hand.";
    check(&stage(2, 20), text, pronoun);
    check(&stage(1, 20), text, "Mr. Pym counted nine shillings into her hand.");
}

#[test]
fn no_pronoun_is_named_with_two_whom_it_may_mean() {
    let told =
        "So came Mr. Pym, and Mr. Pym rose. He counted nine shillings into the old wool bag.";
    let lines = [
        "Mr. Pym thought of his father.",
        "Mr. Pym nodded at him.",
        "The clerk laughed. Mr. Pym nodded.",
        "There he stood. Mr. Pym nodded.",
        "Mr. Pym followed Mr. Venn, and Mr. Venn sat.",
    ];
    for line in lines {
        let text = format!("{told}\n\n{line} He carried nine heavy sacks to Oxwold.");
        let (rows, _) = run(&stage(9, 110), scenes(&[&text]).into());
        let rows = rows.unwrap();
        assert!(!rows[0].text.contains("Mr. Pym carried"), "{}", rows[0].text);
    }
}

#[test]
fn a_scene_that_tells_nothing_is_left_out_on_purpose() {
    let (rows, trace) = run(&stage(4, 110), scenes(&["“Why?” “Because.” “Oh!”", STORY]).into());
    assert_eq!(rows.unwrap().len(), 1);
    assert_eq!(trace.rejects, []);
    assert_eq!(trace.left_out[0].reason.code, "nothing-to-extract");
    assert_eq!(trace.left_out[0].item, "t/0000");
}

#[test]
fn options_are_checked() {
    let faults = stage(0, 1).check();
    assert_eq!(
        faults.into_iter().map(|fault| fault.0).collect::<Vec<_>>(),
        ["sentences", "max_words"]
    );
}

proptest! {
    /// Each retelling keeps to its limits and is made of words of its scene, in order.
    #[test]
    fn retellings_keep_to_the_limits(
        text in "([A-Z][a-z]{1,8}( [a-z]{1,8}){2,20}[.!?] |“[A-Z][a-z ]{1,30}[.!?]” |\n\n){1,30}",
        sentences in 1..6_u32,
        max_words in 10..120_u32,
    ) {
        let (rows, _) = run(&stage(sentences, max_words), scenes(&[&text]).into());
        for summary in rows.unwrap() {
            prop_assert!(summary.text.split_whitespace().count() <= max_words as usize);
            let low = text.to_lowercase();
            for word in summary.text.to_lowercase().split_whitespace() {
                prop_assert!(low.contains(word));
            }
        }
    }

    #[test]
    fn the_same_scenes_give_the_same_retellings(texts in prop::collection::vec("([A-Z][a-z]{1,8}( [a-z]{1,8}){2,20}[.!?] ){1,9}", 1..5)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rows = || run(&stage(3, 60), scenes(&texts).into());
        prop_assert_eq!(rows().0.unwrap(), rows().0.unwrap());
        prop_assert_eq!(rows().1, rows().1);
    }
}
