//! Tests of `swap-facts`.

use proptest::prelude::*;
use storymill_core::Seed;

use super::*;
use crate::tests::{run, scenes};

fn stage(first: u32, edits: u32) -> SwapFacts {
    SwapFacts {
        scenes: Edge::to("scenes"),
        summaries: Edge::to("summaries"),
        first,
        least: 1,
        edits,
        variants: 1,
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

/// A book from which persons, times and numbers can be taken.
const BOOK: [&str; 4] = [
    "On Tuesday Mrs. Venn drove to Oxwold with three sacks. “No,” said Mr. Pym, and Mr. Pym shut \
     the red door. Then Mrs. Venn left Oxwold, and near Oxwold it rained on Friday. ",
    "In Tarrow the clerk told Mrs. Coyle of it. “Yes,” said Mr. Thrale to Mrs. Coyle. The doctor \
     and Mr. Thrale came to Tarrow, and in Tarrow they stayed for five days. ",
    "Before dinner they stood up, and after dinner they sat down. Nobody left home. \
     So Mr. Pym and Mrs. Coyle rode a blue cart into Tarrow. There Mr. Thrale and Mrs. Venn found \
     an old man and a young man. When Mr. Thrale laughed, the whole of Oxwold slept. ",
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
fn variants_tell_the_events_in_other_orders() {
    let stage = SwapFacts { variants: 5, ..stage(5, 3) };
    let told = ["Anne left.", "Ben saw her.", "Carl sold the horse."].join(" ");
    let summaries = vec![summary(0, &told), summary(1, "Anne left. Ben saw her.")];
    let (rows, trace) = run(&stage, (scenes(&BOOK).into(), summaries.into()));
    let rows = rows.unwrap();
    let ids: Vec<_> = rows.iter().map(Distortion::id).collect();
    assert_eq!(ids, ["t/0000/v0", "t/0000/v1", "t/0000/v2", "t/0000/v3", "t/0000/v4"]);
    assert_eq!(trace.left_out.len(), 1);
    for row in &rows {
        assert!(row.twin == told && row.text != told && row.text.len() == told.len());
        assert!(rows.iter().filter(|other| other.text == row.text).count() == 1);
        assert!(!row.edits.is_empty());
        assert!(row.edits.iter().all(|edit| row.text.contains(&edit.false_event)));
    }
}

#[test]
fn facts_are_swapped_for_others_of_the_book() {
    check("There stood Mr. Pym.", &["There stood Mr. Thrale."]);
    check("There stood Mrs. Venn’s house.", &["There stood Mrs. Coyle’s house."]);
    check("It was Tuesday.", &["It was Friday."]);
    check("It lasted three winters.", &["It lasted five winters."]);
    check("Before dinner it fell.", &["After dinner it fell."]);
    check("He was an old man.", &["He was a young man."]);
    check("An old man and a young man came.", &[]);
    // The book has no other.
    check("It was upstairs.", &[]);
    // Nobody is swapped for who is there.
    check("Mr. Pym warned Mr. Thrale.", &[]);
    check("Mr. Pym fell, so Mr. Pym wept.", &["Mr. Thrale fell, so Mr. Thrale wept."]);
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

/// What the book seldom has is seldom told instead, so that it does not tell what is false.
#[test]
fn a_swap_is_as_likely_as_its_reverse() {
    let people = people("", Language::English);
    let flow = |said: [(&str, usize); 3], from: usize, to: usize| {
        let book: Vec<String> =
            said.iter().map(|(word, times)| format!("{word}. ").repeat(*times)).collect();
        let book = book.concat();
        let mut stock = Stock::new();
        for fact in facts(&book, &people) {
            stock.entry(fact.kind).or_default().push(fact);
        }
        let mut stream = Seed::new(7).derive("t", &"t".parse().unwrap(), "t", "t");
        let text = format!("It was {}.", said[from].0);
        let told = [Line { text: &text, facts: facts(&text, &people) }];
        let drawn = (0..4_000).map(|_| draw(&told, &stock, 3, &mut stream).concat());
        drawn.filter(|text| text.contains(said[to].0)).count() * said[from].1
    };
    for [one, other, third] in [[40, 2, 1], [30, 20, 5], [3, 9, 50]] {
        let said = [("Friday", one), ("Tuesday", other), ("Sunday", third)];
        let (forth, back) = (flow(said, 0, 1), flow(said, 1, 0));
        let most = forth.max(back);
        assert!(most > 0 && forth.abs_diff(back) * 5 < most, "{said:?}: {forth} {back}");
    }
}

#[test]
fn later_scenes_get_fewer() {
    let texts = "On Tuesday Mrs. Venn and Mr. Pym met an old man for three days.";
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

proptest! {
    /// Each is false, differs from its brothers, and undoing its edits gives the true retelling.
    #[test]
    fn false_retellings_are_false(picks in prop::collection::vec(0..8_usize, 1..5), edits in 1..4_u32) {
        const LINES: [&str; 8] = [
            "Mrs. Venn drove to Oxwold on Friday.", "Mr. Pym shut the red door.",
            "Then Mr. Thrale told Mr. Pym of it.", "They waited for five days.",
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
            prop_assert_eq!(made.text.split(' ').count(), text.split(' ').count());
            prop_assert!(rows[..at].iter().all(|other| other.text != made.text));
            prop_assert!(made.edits.iter().all(|edit| made.text.contains(&edit.false_event)));
            prop_assert!(made.edits.iter().all(|edit| text.contains(&edit.true_event)));
        }
    }

    /// The retellings of other scenes change nothing.
    #[test]
    fn neighbours_change_nothing(skip in 0..3_usize) {
        let texts = ["It rained on Tuesday.", "Then the old man fell.", "They waited for three days."];
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
