//! Tests of `swap-facts`.

use proptest::prelude::*;
use storymill_core::Seed;

use super::*;
use crate::testing::{run, scenes};

fn stage(first: u32, edits: u32) -> SwapFacts {
    SwapFacts {
        scenes: Edge::to("scenes"),
        summaries: Edge::to("summaries"),
        first,
        least: 1,
        edits,
    }
}

fn summary(scene: u32, text: &str) -> Summary {
    Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at: scene,
        first_scene: scene,
        last_scene: scene,
        protocol: "extract".into(),
        text: text.into(),
        answers: Vec::new(),
    }
}

/// A book from which persons, places, things and numbers can be taken.
const BOOK: [&str; 4] = [
    "On Tuesday Mrs. Venn drove to Oxwold with three sacks. “No,” said Mr. Pym, and Mr. Pym shut \
     the red door. Then Mrs. Venn left Oxwold, and near Oxwold it rained on Friday. ",
    "In Tarrow the clerk told Mrs. Coyle of it. “Yes,” said Mr. Thrale to Mrs. Coyle. The doctor \
     and Mr. Thrale came to Tarrow, and in Tarrow they stayed for seven days. ",
    "Before dinner they stood up, and after dinner they sat down. Nobody left home. \
     So Mr. Pym and Mrs. Coyle rode a blue cart into Tarrow. There Mr. Thrale and Mrs. Venn found \
     an apple and a pear. When Mr. Thrale laughed, the whole of Oxwold slept. ",
    "At last the baker gave Mrs. Venn his horse, and Mr. Pym fed the donkey with five green leaves.",
];

fn false_texts(text: &str, first: u32) -> Vec<Distortion> {
    let summaries = vec![summary(0, text)];
    run(&stage(first, 1), (scenes(&BOOK).into(), summaries.into())).0.unwrap()
}

/// Every false telling of a text with one edit is among the expected ones, and each is made.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut found: Vec<_> = false_texts(text, 60).into_iter().map(|made| made.text).collect();
    found.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn persons_are_swapped_within_their_gender() {
    check("There stood Mr. Pym.", &["There stood Mr. Thrale."]);
    check("There stood Mrs. Venn’s house.", &["There stood Mrs. Coyle’s house."]);
}

#[test]
fn persons_change_places() {
    let exchanged = "Mr. Thrale warned Mr. Pym.";
    let found = false_texts("Mr. Pym warned Mr. Thrale.", 60);
    assert!(found.iter().any(|made| made.text == exchanged), "{found:#?}");
    // `Mr. Pym met Mr. Thrale` is as true the other way round.
    let found = false_texts("Mr. Pym met Mr. Thrale.", 60);
    assert!(found.iter().all(|made| made.text != "Mr. Thrale met Mr. Pym."));
}

#[test]
fn places_things_and_numbers_are_the_books_own() {
    check("It snowed in Oxwold.", &["It snowed in Tarrow."]);
    check("It was a red ribbon.", &["It was a blue ribbon.", "It was a green ribbon."]);
    check("It was an apple.", &["It was a pear."]);
    check("It was a pear.", &["It was an apple."]);
    check("It was Tuesday.", &["It was Friday."]);
    check("It lasted three winters.", &["It lasted five winters.", "It lasted seven winters."]);
    check("The horse fell.", &["The donkey fell."]);
}

#[test]
fn events_are_reversed() {
    check("The lid was found after dinner.", &["The lid was found before dinner."]);
    check("The guests sat down.", &["The guests stood up."]);
    // The book knows nobody who went home, so that is what gives it away: seldom.
    check("Then she left home.", &[]);
    // `never ... anything` has no `always`; nobody hides `in front of` a door.
    check("He hid behind the little hut.", &[]);
    check(
        "The hat fell as he rose and never said anything of Tuesday.",
        &["The hat fell as he rose and never said anything of Friday."],
    );
}

#[test]
fn a_false_retelling_records_its_edits() {
    let text = "Mrs. Venn sat down, and it rained on Tuesday.";
    let (rows, _) = run(&stage(1, 2), (scenes(&BOOK).into(), vec![summary(0, text)].into()));
    let made = rows.unwrap().remove(0);
    assert_eq!((made.twin.as_str(), made.id().as_str()), (text, "t/0000/d0"));
    assert!(!made.edits.is_empty());
    for edit in &made.edits {
        assert!(text.contains(&edit.true_event));
        assert!(made.text.contains(&edit.false_event));
    }
}

/// A word that the book seldom says is seldom told instead, so that it does not tell what is false.
#[test]
fn a_swap_is_made_as_often_as_its_reverse() {
    let telling = |said| slots::Telling { changes: Vec::new(), said };
    let slot = |said: u32, others: &[u32]| Slot {
        kind: SlotKind::Thing,
        sentence: 0..1,
        key: String::new(),
        said: Some(said),
        tellings: others.iter().map(|said| telling(*said)).collect(),
    };
    let flow = |from: u32, others: &[u32], to: u32| {
        let slot = slot(from, others);
        let mut stream = Seed::new(7).derive("t", &"t".parse().unwrap(), "t", "t");
        let drawn = (0..4_000).filter_map(|_| balanced(&slot, &mut stream));
        let hits = drawn.filter(|telling| telling.said == to).count();
        u32::try_from(hits).unwrap() * from
    };
    for (one, other, third) in [(40, 2, 0), (30, 20, 5), (3, 9, 50)] {
        let forth = flow(one, &[other, third], other);
        let back = flow(other, &[one, third], one);
        let most = forth.max(back);
        assert!(most > 0 && forth.abs_diff(back) * 5 < most, "{one} {other}: {forth} {back}");
    }
}

#[test]
fn reversals_go_both_ways() {
    for (from, to) in tables::REVERSALS.iter() {
        assert!(tables::REVERSALS.contains(&(to, from)), "{from}: {to}");
    }
}

#[test]
fn later_scenes_get_fewer() {
    let texts = "Mrs. Venn and Mr. Pym sat down on Tuesday for three days with a red horse.";
    let summaries: Vec<_> = (0..4).map(|at| summary(at, texts)).collect();
    let (rows, _) = run(&stage(3, 1), (scenes(&BOOK).into(), summaries.into()));
    let rows = rows.unwrap();
    let count = |at| rows.iter().filter(|made| made.first_scene == at).count();
    assert_eq!([count(0), count(1), count(2), count(3)], [3, 2, 1, 1]);
}

#[test]
fn what_cannot_be_swapped_is_left_out_on_purpose() {
    let summaries = vec![summary(0, "It was so.")];
    let (rows, trace) = run(&stage(1, 3), (scenes(&BOOK).into(), summaries.into()));
    assert_eq!(rows.unwrap(), []);
    assert_eq!(trace.left_out[0].reason.code, "nothing-to-swap");
    let french =
        "Il ne pensait pas que la porte était ouverte et que le vent était dans la maison.";
    let (_, trace) = run(&stage(1, 3), (scenes(&[french]).into(), vec![summary(0, french)].into()));
    assert_eq!(trace.left_out[0].reason.code, "not-english");
    assert_eq!(trace.rejects, []);
}

#[test]
fn similarity_counts_common_words() {
    assert_eq!(similarity_pm("a b c d", "a b c d"), 1000);
    assert_eq!(similarity_pm("a b c d", "a x c d"), 750);
    assert_eq!(similarity_pm("a b", "x y z"), 0);
}

proptest! {
    /// Each is false, differs from its brothers, and undoing its edits gives the true retelling.
    #[test]
    fn false_retellings_are_false(picks in prop::collection::vec(0..8_usize, 1..5), edits in 1..4_u32) {
        const LINES: [&str; 8] = [
            "Mrs. Venn drove to Oxwold on Friday.", "Mr. Pym shut the red door.",
            "Then Mr. Thrale told Mr. Pym of it.", "They waited for seven days.",
            "Mrs. Coyle sat down before dinner, and the doctor left the house.", "It was so.",
            "He opened the letter; she wept.", "In Tarrow the young man bought an apple.",
        ];
        let text = picks.iter().map(|at| LINES[*at]).collect::<Vec<_>>().join(" ");
        let (rows, _) = run(&stage(5, edits), (scenes(&BOOK).into(), vec![summary(0, &text)].into()));
        let rows = rows.unwrap();
        for (at, made) in rows.iter().enumerate() {
            prop_assert_ne!(&made.text, &text);
            prop_assert_eq!(made.sample as usize, at);
            prop_assert!((1..=edits as usize).contains(&made.edits.len()));
            prop_assert!(made.similarity_pm < 1000);
            prop_assert!(rows[..at].iter().all(|other| other.text != made.text));
            prop_assert!(made.edits.iter().all(|edit| made.text.contains(&edit.false_event)));
            prop_assert!(made.edits.iter().all(|edit| text.contains(&edit.true_event)));
        }
    }

    /// The retellings of other scenes change nothing but what may be borrowed from them: with
    /// deeds left out, each scene is distorted as if it stood alone.
    #[test]
    fn neighbours_change_nothing(skip in 0..3_usize) {
        let texts = ["It rained on Tuesday.", "The old man sat down.", "They waited for three days."];
        let all: Vec<_> = (0..).zip(texts).map(|(at, text)| summary(at, text)).collect();
        let rows = |summaries: Vec<Summary>| {
            run(&stage(5, 3), (scenes(&BOOK).into(), summaries.into())).0.unwrap()
        };
        let mut fewer = all.clone();
        let gone = fewer.remove(skip).id();
        let mut expected = rows(all.clone());
        expected.retain(|made| made.summary != gone);
        prop_assert_eq!(rows(fewer), expected);
        prop_assert_eq!(rows(all.clone()), rows(all));
    }
}
