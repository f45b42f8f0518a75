//! Tests of `hierarchy`, with a model by script.

use proptest::prelude::*;

use super::*;
use crate::retelling::tests::{Scripted, between, rejects, run, tagged};

/// Retellings of so many scenes, each of about this many symbols.
fn base(count: u32, symbols: usize) -> Vec<Summary> {
    let summary = |at: u32| Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "tag".into(),
        text: format!("The {at}th carter ") + &"comes to town ".repeat(symbols / 14),
        answers: Vec::new(),
    };
    (0..count).map(summary).collect()
}

fn stage(more: &str) -> Hierarchy {
    toml::from_str(&format!("from = 'summaries'\n{more}")).unwrap()
}

/// Joins the accounts of a prompt into a text of its own.
fn joined(prompt: &str) -> String {
    let accounts = between(prompt, "accounts");
    let first = accounts.lines().nth(1).unwrap().split(' ').nth(1).unwrap();
    let last = accounts.lines().last().unwrap().split(' ').nth(1).unwrap();
    format!("The {first} up to {last} of them arrive there in one long row of old wagons.")
}

fn ids(rows: &[Summary]) -> Vec<String> {
    rows.iter().map(Summary::id).collect()
}

#[test]
fn levels_are_made_until_one_is_left() {
    let asker = Scripted::new(|_, prompt| tagged(&joined(prompt)));
    let (rows, trace, asked) = run(&stage("pack = 1000"), || base(9, 300).into(), &asker);
    let expected = [
        "t/0000/s0",
        "t/0001/s0",
        "t/0002/s0",
        "t/0003/s0",
        "t/0004/s0",
        "t/0005/s0",
        "t/0006/s0",
        "t/0007/s0",
        "t/0008/s0",
        "t/L1/000",
        "t/L1/001",
        "t/L1/002",
        "t/L2/000",
    ];
    assert_eq!((ids(&rows), asked), (expected.map(str::to_owned).to_vec(), 4));
    let covered: Vec<_> = rows[9..].iter().map(|row| (row.first_scene, row.last_scene)).collect();
    assert_eq!(covered, [(0, 2), (3, 5), (6, 8), (0, 8)]);
    assert_eq!(rows[12].answers, [trace.reads[3].0.0]);
    assert_eq!(rows[..9], base(9, 300));
}

#[test]
fn nobody_is_left_alone_at_the_end() {
    let packs = packs(&base(7, 300), 1, 1000, Preset::Storymill);
    let covered: Vec<_> = packs.iter().map(|row| (row.first_scene, row.last_scene)).collect();
    assert_eq!(covered, [(0, 2), (3, 4), (5, 6)]);
    assert!(packs[2].text.starts_with("Summary 1:\nThe 5th carter"));
    assert!(packs[2].text.contains("\n\nSummary 2:\nThe 6th carter"));
    let packs = self::packs(&base(7, 300), 1, 1000, Preset::Paper);
    let covered: Vec<_> = packs.iter().map(|row| (row.first_scene, row.last_scene)).collect();
    assert_eq!(covered, [(0, 2), (3, 5), (6, 6)]);
}

#[test]
fn a_pack_that_fails_is_a_named_reject_and_the_rest_goes_on() {
    let asker = Scripted::new(|_, prompt| match joined(prompt) {
        text if text.starts_with("The 3th") => ("no".into(), "stop"),
        text => tagged(&text),
    });
    let stage = stage("pack = 1000\ntries = 2");
    let (rows, trace, _) = run(&stage, || base(9, 300).into(), &asker);
    assert_eq!(rejects(&trace), [("t/L1/001", "tag-missing")]);
    assert_eq!(ids(&rows)[9..], ["t/L1/000", "t/L1/002", "t/L2/000"]);
}

#[test]
fn what_cannot_be_packed_is_said() {
    let asker = Scripted::new(|_, prompt| tagged(&joined(prompt)));
    let (rows, trace, asked) = run(&stage("pack = 1000"), || base(3, 900).into(), &asker);
    assert_eq!((rows.len(), asked), (3, 0));
    assert_eq!(rejects(&trace), [("t/L1/000", "no-packing")]);
    let (rows, _, asked) = run(&stage(""), || base(1, 900).into(), &asker);
    assert_eq!((rows.len(), asked), (1, 0));
}

proptest! {
    /// Packs keep the order, cover everything once and keep to their size.
    #[test]
    fn packs_cover_everything(sizes in prop::collection::vec(20..900_usize, 1..30), most in 1000..3000_usize) {
        let mut below = base(u32::try_from(sizes.len()).unwrap(), 0);
        for (row, size) in below.iter_mut().zip(&sizes) {
            row.text = "x".repeat(*size);
        }
        let paper = packs(&below, 1, most, Preset::Paper);
        prop_assert_eq!(paper.iter().map(|pack| pack.last_scene + 1 - pack.first_scene).sum::<u32>() as usize, sizes.len());
        let packs = packs(&below, 1, most, Preset::Storymill);
        prop_assert_eq!(packs[0].first_scene, 0);
        prop_assert_eq!(packs[packs.len() - 1].last_scene as usize, sizes.len() - 1);
        for pair in packs.windows(2) {
            prop_assert_eq!(pair[0].last_scene + 1, pair[1].first_scene);
            prop_assert_eq!(pair[0].at + 1, pair[1].at);
        }
        prop_assert!(packs.iter().all(|pack| pack.text.chars().count() <= most));
    }
}
