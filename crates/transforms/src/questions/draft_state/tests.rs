//! Tests of `draft-state`, with a model by script.

use std::sync::Mutex;

use proptest::prelude::*;
use storymill_core::{Asked, Options};

use super::*;
use crate::{
    retelling::tests::{Scripted, rejects, run, tagged},
    tests,
};

const HID: &str = "Anne hid the letter under the stone.";
const BURNED: &str = "Carl burned the letter in the stove.";
const RIGHT: &str = "It was under the stone at first, and Carl burned it later.";
const DRAFT: &str = "QUESTION: What had become of it when Anne was in the garden, and what when Carl came home?\n\
    RIGHT: It was under the stone at first, and Carl burned it later.\n\
    WRONG: It was in the well at first, and Carl burned it later.\n\
    WRONG: It was under the stone at first, and Carl sold it later.\n\
    - **WRONG:** It was in the well at first, and Carl sold it later.\n\
    FROM 1: hid the letter under the stone\nFROM 2: Carl burned the letter";

fn stage(more: &str) -> DraftState {
    toml::from_str(&format!("scenes = 's'\nsummaries = 't'\n{more}")).unwrap()
}

/// A book in which a letter is hidden, and burned later.
fn input() -> (Rows<Scene>, Rows<Summary>) {
    let told = [HID, "It rained.", "It snowed.", "It rained again.", "It thawed.", BURNED];
    let texts: Vec<String> = told.iter().map(|told| format!("In the book: {told} ")).collect();
    let scenes = tests::scenes(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let summary = |(at, text): (u32, &&str)| Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "tag".into(),
        text: (*text).to_owned(),
        answers: Vec::new(),
    };
    let mut summaries: Vec<Summary> = (0..).zip(&told).map(summary).collect();
    // A retelling of a higher level shares the word too, and is not drafted from.
    summaries.push(Summary { level: 1, last_scene: 5, ..summaries[0].clone() });
    (scenes.into(), summaries.into())
}

/// The number of the option that a prompt has in these words.
fn number(prompt: &str, option: &str) -> String {
    let line = prompt.lines().find_map(|line| line.strip_suffix(option)?.strip_suffix(") "));
    line.unwrap().to_owned()
}

/// What stands in a prompt of a check: the scenes' texts that it has, by their numbers.
fn shown(prompt: &str) -> Vec<u32> {
    let all = [(0, HID), (5, BURNED)];
    let there = |(_, told): &(u32, &str)| prompt.contains(&format!("In the book: {told}"));
    all.into_iter().filter(there).map(|(at, _)| at).collect()
}

/// Drafts as said, and answers checks by the passages that it is shown: as a reader does who needs these scenes.
fn reader(drafts: &'static [&'static str], needs: &'static [u32]) -> Scripted<'static> {
    Scripted::new(move |asked: &Asked, prompt| {
        if !prompt.contains("<passage>") {
            return tagged(drafts[(asked.attempt as usize).min(drafts.len() - 1)]);
        }
        assert!(!prompt.contains("<account"), "{prompt}");
        let knows = needs.iter().all(|scene| shown(prompt).contains(scene));
        tagged(&if knows { number(prompt, RIGHT) } else { "UNKNOWN".to_owned() })
    })
}

#[test]
fn a_draft_that_needs_both_scenes_is_kept() {
    let seen = Mutex::new(Vec::new());
    let asker = Scripted::new(|_: &Asked, prompt: &str| {
        if !prompt.contains("<passage>") {
            assert!(
                prompt.contains(HID)
                    && prompt.contains(BURNED)
                    && prompt.contains("speaks of \"letter\".")
            );
            return tagged(DRAFT);
        }
        let shown = shown(prompt);
        seen.lock().unwrap().push(shown.clone());
        tagged(&if shown.len() == 2 { number(prompt, RIGHT) } else { "unknown.".to_owned() })
    });
    let (rows, trace, asked) = run(&stage(""), input, &asker);
    assert_eq!((rows.len(), asked, rejects(&trace)), (1, 4, vec![]));
    let row = &rows[0];
    assert_eq!(
        (row.item_id(), &row.scenes[..], &row.things[0][..]),
        ("t/0000-0005/q".into(), &[0, 5][..], "letter")
    );
    assert_eq!(row.options[usize::from(row.right)], RIGHT);
    assert_eq!((row.options.len(), row.evidence.len(), row.answers.len()), (4, 2, 4));
    // All of them, then those without the first and without the last.
    assert_eq!(*seen.lock().unwrap(), [vec![0, 5], vec![5], vec![0]]);
    assert_eq!(trace.reviews[0].item, "t/0000-0005/q");
}

#[track_caller]
fn check_needs(needs: &'static [u32], code: &str, why: &str) {
    let (rows, trace, _) = run(&stage(""), input, &reader(&[DRAFT], needs));
    assert_eq!((rows.len(), rejects(&trace)), (0, vec![("t/0000-0005/q", code)]));
    assert!(trace.rejects[0].reason.detail.contains(why), "{}", trace.rejects[0].reason.detail);
}

#[test]
fn a_scene_that_is_not_needed_rejects_the_draft() {
    check_needs(&[5], "not-needed", "without scene 0");
    check_needs(&[0], "not-needed", "without scene 5");
    check_needs(&[], "not-needed", "without scene 0");
    check_needs(&[7], "not-answered", "does not know");
}

#[test]
fn another_answer_than_the_right_one_rejects_the_draft() {
    let other = "It was in the well at first, and Carl sold it later.";
    let asker = Scripted::new(|_: &Asked, prompt: &str| {
        let checks = prompt.contains("<passage>");
        tagged(&if checks { number(prompt, other) } else { DRAFT.to_owned() })
    });
    let (_, trace, _) = run(&stage(""), input, &asker);
    assert_eq!(rejects(&trace), [("t/0000-0005/q", "not-answered")]);
}

#[track_caller]
fn check_draft(from: &str, to: &str, code: &str) {
    let wrong: &'static str = DRAFT.replace(from, to).leak();
    let drafts: &'static [&'static str] = vec![wrong, DRAFT].leak();
    let (rows, _, _) = run(&stage(""), input, &reader(drafts, &[0, 5]));
    assert_eq!(rows.len(), 1, "{code}: it is asked for again");
    let (_, trace, _) = run(&stage("tries = 1"), input, &reader(drafts, &[0, 5]));
    assert_eq!(rejects(&trace), [("t/0000-0005/q", code)]);
}

#[test]
fn unfit_drafts_are_asked_for_again() {
    check_draft("RIGHT:", "right it is", "no-question");
    check_draft("- **WRONG:**", "OTHER:", "no-question");
    check_draft("FROM 2:", "FROM 3:", "no-question");
    check_draft("home?", "home.", "not-asking");
    check_draft("home?", "home in the last scene?", "speaks-of-text");
    check_draft(
        "in the well at first, and Carl burned",
        "Under the stone at first, and Carl burned",
        "options-alike",
    );
    check_draft(
        "RIGHT: It was",
        "RIGHT: As far as anybody who was there that day can remember it all was",
        "uneven",
    );
    check_draft(
        "had become of it",
        "had become of it, under which stone, burned first or later by",
        "answer-given",
    );
    check_draft("FROM 2: Carl burned", "FROM 2: Carl sold and drowned", "evidence-foreign");
    check_draft("FROM 1: hid the letter under the stone", "FROM 1: the", "evidence-foreign");
}

#[test]
fn a_check_that_says_neither_number_nor_unknown_is_asked_again() {
    let asker = Scripted::new(|asked: &Asked, prompt: &str| {
        if !prompt.contains("<passage>") {
            return tagged(DRAFT);
        }
        let knows = shown(prompt).len() == 2;
        tagged(&match asked.attempt {
            0 => "5".to_owned(),
            _ if knows => format!("{})", number(prompt, RIGHT)),
            _ => "UNKNOWN".to_owned(),
        })
    });
    assert_eq!(run(&stage(""), input, &asker).0.len(), 1);
    assert_eq!(
        rejects(&run(&stage("tries = 1"), input, &asker).1),
        [("t/0000-0005/q", "no-choice")]
    );
}

#[test]
fn where_nothing_changes_nothing_is_asked() {
    let (rows, trace, asked) = run(&stage(""), input, &reader(&["none."], &[0, 5]));
    assert_eq!((rows.len(), asked, rejects(&trace)), (0, 1, vec![]));
    assert_eq!(trace.left_out[0].reason.code, "nothing-changes");
}

#[test]
fn numbers_of_places_have_limits() {
    let faults =
        |more: &str| stage(more).check().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(faults("places = 1"), ["places"]);
    assert_eq!(faults("places = 5\nlimit = 0"), ["limit", "places"]);
    assert_eq!(faults("places = 4"), [""; 0]);
}

proptest! {
    /// The rows do not hang on how many answers come at once, nor from which end.
    #[test]
    fn rows_are_the_same_however_answers_come(at_once in 1_usize..4, backwards: bool) {
        let all = run(&stage(""), input, &reader(&[DRAFT], &[0, 5])).0;
        let mut slow = reader(&[DRAFT], &[0, 5]);
        (slow.at_once, slow.backwards) = (at_once, backwards);
        prop_assert_eq!(run(&stage(""), input, &slow).0, all);
    }
}

#[test]
fn each_place_is_right_as_often() {
    let unit = "t".parse().unwrap();
    let mut right = [0; 4];
    for scene in 0..2000 {
        let id = StateDraft::id_of(&"t".parse().unwrap(), &[scene, scene + 9]);
        let cx = Cx::new(DraftState::KIND, &unit, storymill_core::Seed::new(2023), &tests::Nobody);
        right[order(&id, &cx).iter().position(|at| *at == 0).unwrap()] += 1;
    }
    assert!(right.iter().all(|count| (420..580).contains(count)), "{right:?}");
}
