//! Tests of `extract`.

use proptest::prelude::*;

use super::*;
use crate::tests::{run, scenes};

fn stage(sentences: u32, max_words: u32) -> Extract {
    Extract { from: Edge::to("scenes"), sentences, most: None, max_words }
}

const STORY: &str = "CHAPTER I\n\nOn Tuesday Mrs. Dorcas Venn drove eleven miles to Oxwold with two \
    sacks of wool. It was a fine day.\n\n“Where is it?” asked Mr. Pym. “Did you see it?”\n\n\
    The clerk of the market laughed at Mrs. Dorcas Venn and closed his book. At last Mr. Pym opened \
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
         At last Mr. Pym opened the red door of the Wool Hall.",
    );
    check(
        &stage(4, 10),
        "“Yes!” said he. The old clerk closed his book.",
        "The old clerk closed his book.",
    );
}

#[test]
fn what_stands_alone_is_picked_before_what_does_not() {
    let alone = "The clerk carried nine heavy sacks to the mill.";
    let lines = [
        "But he carried nine heavy sacks to the mill.",
        "They carried their nine heavy sacks to the mill.",
        "For years I carried my heavy sacks to your mill.",
        "“Nine heavy sacks,” said the clerk of the mill.",
        "“Nine heavy sacks went. No more of them.",
        "The clerk carried nine heavy sacks to the mill!",
        "Did the clerk carry nine heavy sacks to the mill?",
    ];
    for line in lines {
        check(&stage(1, 50), &format!("{line}\n\n{alone}"), alone);
        check(&stage(1, 50), &format!("{alone} {line}"), alone);
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
            let closed = summary.text.matches('”').count();
            prop_assert_eq!(summary.text.matches('“').count(), closed);
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
