use proptest::prelude::*;
use storymill_core::{
    Difficulty, Distortion, Edit, GoldLabels, Judgement, Label, Options, Retold, Rows, Scene,
    Status, Summary,
};

use super::{
    faithful::{Faithful, listed},
    false_check::FalseCheck,
    gate::{GateDistortions, GateSummaries},
    propose::Propose,
    sample::Sample,
    verdict::{Rule, verdict},
};
use crate::{
    retelling::tests::{Scripted, between, run},
    tests::{run as plain, scenes},
};

pub(super) fn retold(source: &str, sentences: &[&str]) -> Retold {
    Retold {
        id: "t/0000/s0".to_owned(),
        of: "t".parse().unwrap(),
        scenes: None,
        story: "t".to_owned(),
        source: source.to_owned(),
        ends: Vec::new(),
        sentences: sentences.iter().map(|one| (*one).to_owned()).collect(),
        claims: Vec::new(),
        written_by: String::new(),
        split: "val".to_owned(),
        edits: None,
        gold: None,
    }
}

fn stage<S: Options>(options: &str) -> S {
    let stage: S = toml::from_str(&format!("of = 'told'\n{options}")).unwrap();
    assert_eq!(stage.check(), []);
    stage
}

/// A judge who finds what stands in the story word for word.
fn sharp(text: &str) -> String {
    if text.contains("into single claims") {
        let lines = between(text, "summary").split_inclusive(". ");
        return lines.map(|line| ["- ", line.trim(), "\n"].concat()).collect();
    }
    let story = between(text, "story");
    let find = |name: &str| text.contains(&format!("<{name}>")).then(|| between(text, name));
    if let Some(claim) = find("claim") {
        return if story.contains(claim) { "True" } else { "False" }.to_owned();
    }
    let found = match find("sentence") {
        Some(sentence) => story.contains(sentence),
        None => {
            between(text, "summary").split_inclusive(". ").all(|one| story.contains(one.trim()))
        }
    };
    let word = if found { "Yes" } else { "No" };
    if text.contains("Explain first") {
        format!("I looked for it.\n<answer>{word}</answer>")
    } else {
        format!("{word}.")
    }
}

fn judged(options: &str, told: &[Retold]) -> Vec<Judgement> {
    let asker = Scripted::new(|_, text| (sharp(text), "stop"));
    let (rows, trace, _) = run(&stage::<Faithful>(options), || told.to_vec().into(), &asker);
    assert!(trace.rejects.is_empty());
    rows
}

#[track_caller]
fn check(rule: Rule, text: &str, expected: Result<Label, Status>) {
    assert_eq!(verdict(rule, text).map(|(label, _)| label), expected, "{text}");
}

#[test]
fn verdicts_are_read_by_rule() {
    use Label::{Faithful as Yes, Unfaithful as No};
    let none = Err(Status::Unparsed);
    for (text, expected) in [
        ("Yes", Ok(Yes)),
        ("**Yes**, all of it.", Ok(Yes)),
        ("\n no: the dog is a cat", Ok(No)),
        ("\"No\"", Ok(No)),
        ("Nothing speaks against it.", none),
        ("Yesterday he came.", none),
        ("The summary is a good one. Yes.", none),
        ("I cannot assist with that.", Err(Status::Refused)),
    ] {
        check(Rule::FirstWord, text, expected);
    }
    for (text, expected) in [
        ("He did. <answer>Yes</answer>", Ok(Yes)),
        ("<answer>Yes</answer> or rather <answer> No. </answer>", Ok(No)),
        ("<answer>no", Ok(No)),
        ("<answer>perhaps</answer>", none),
        ("Yes", none),
    ] {
        check(Rule::Tag, text, expected);
    }
    for (text, expected) in
        [("True\n", Ok(Yes)), (" False", Ok(No)), ("True.", none), ("true", none), ("Yes", none)]
    {
        check(Rule::Whole, text, expected);
    }
    assert_eq!(verdict(Rule::Tag, "Why.\n<answer>Yes</answer>").unwrap().1, "Why.");
}

#[test]
fn claims_are_lines_behind_a_sign() {
    let claims =
        listed("Claims:\n- A dog ran.\n2. It barked.\n* A dog ran.\n12) On.\n-\n3.").unwrap();
    assert_eq!(claims, ["A dog ran.", "It barked.", "On."]);
    assert_eq!(listed("A dog ran. It barked."), Err(Status::Unparsed));
}

const STORY: &str = "A dog ran. It barked. The sun set.";

#[test]
fn each_protocol_finds_the_wrong_sentence() {
    let good = retold(STORY, &["A dog ran.", "The sun set."]);
    let mut bad = retold(STORY, &["A dog ran.", "A cat sat.", "It barked."]);
    bad.gold = Some(GoldLabels {
        faithful: false,
        difficulty: Some(Difficulty::Easy),
        sentences: Vec::new(),
        votes: Vec::new(),
    });
    for (options, name, parts) in [
        ("protocol = 'binary'", "binary", [0, 0]),
        ("protocol = 'reasoned'", "reasoned", [0, 0]),
        ("protocol = 'binary'\nsentences = true", "binary-sentences", [2, 3]),
        ("protocol = 'reasoned'\nsentences = true", "reasoned-sentences", [2, 3]),
        ("", "claims", [2, 3]),
    ] {
        let rows = judged(&format!("called = 'j'\n{options}"), &[good.clone(), bad.clone()]);
        assert_eq!([rows[0].faithful, rows[1].faithful], [Some(true), Some(false)], "{name}");
        assert_eq!([rows[0].parts.len(), rows[1].parts.len()], parts, "{name}");
        assert_eq!(rows[1].id, format!("t/0000/s0/{name}/j"));
        assert_eq!((rows[0].gold, rows[1].gold), (None, Some(false)));
        assert_eq!(rows[1].difficulty, Some(Difficulty::Easy));
        if let Some(part) = rows[1].parts.get(1) {
            assert_eq!((part.label, &*part.text), (Some(Label::Unfaithful), "A cat sat."));
        }
    }
    let mut given = bad;
    given.claims = vec!["It barked.".to_owned()];
    let rows = judged("", &[given]);
    assert_eq!((rows[0].faithful, rows[0].answers.len()), (Some(true), 1));
}

#[test]
fn whatever_a_judge_says_is_a_row() {
    let told = [retold(STORY, &["A dog ran."])];
    for (text, finish, expected) in [
        ("The summary is a good summary.", "stop", Status::Unparsed),
        ("and so on and so on and so", "length", Status::Cut),
        ("", "stop", Status::Failed),
        ("Yes", "content_filter", Status::Refused),
        ("I cannot assist with that.", "stop", Status::Refused),
        ("", "context_overflow", Status::DoesNotFit),
    ] {
        for options in ["", "protocol = 'binary'", "protocol = 'reasoned'\nsentences = true"] {
            let asker = Scripted::new(|_, _| (text.to_owned(), finish));
            let (rows, ..) = run(&stage::<Faithful>(options), || told.to_vec().into(), &asker);
            assert_eq!((rows[0].status, rows[0].faithful), (expected, None), "{text} {options}");
        }
        let asker = Scripted::new(|_, _| (text.to_owned(), finish));
        let (rows, ..) = run(&stage::<Propose>(""), || told.to_vec().into(), &asker);
        assert_eq!(rows[0].status, expected);
    }
    let asker = Scripted::new(|_, _| ("It is fine.".to_owned(), "stop"));
    let counted = "protocol = 'binary'\nunclear = 'unfaithful'";
    let (rows, ..) = run(&stage::<Faithful>(counted), || told.to_vec().into(), &asker);
    assert_eq!(rows[0].faithful, Some(false));
}

#[cfg(feature = "tokens")]
#[test]
fn a_claim_is_borne_out_by_any_scene() {
    let scenes = ["A dog ran. ", "It barked. ", "The sun set."];
    let mut told = retold(&scenes.concat(), &["It barked.", "A cat sat."]);
    told.ends = vec![11, 22, 34];
    // However small the window: a verdict is the same, or there is none.
    let (mut pieces, mut none) = (0, 0);
    for window in (60..300).step_by(4) {
        let options = format!("protocol = 'binary'\nmax_tokens = 1\nwindow = {window}");
        let row = judged(&format!("sentences = true\n{options}"), &[told.clone()]).remove(0);
        let labels: Vec<_> = row.parts.iter().map(|part| part.label).collect();
        for (label, right) in labels.iter().zip([Label::Faithful, Label::Unfaithful]) {
            none += usize::from(label.is_none());
            assert!(label.is_none_or(|label| label == right), "{window}");
        }
        pieces = pieces.max(row.answers.len());
        // A whole retelling is put to all of its source, or to nothing.
        let row = judged(&options, &[told.clone()]).remove(0);
        assert_eq!(row.answers.len(), usize::from(row.status == Status::Answered), "{window}");
    }
    assert!(pieces >= 4 && none > 0, "{pieces} answers at most, {none} without room");
}

fn summary(at: u32, text: &str) -> Summary {
    Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "extract".to_owned(),
        text: text.to_owned(),
        answers: Vec::new(),
    }
}

fn distortion(at: u32, edits: &[&str]) -> Distortion {
    let edit = |one: &&str| Edit { true_event: String::new(), false_event: (*one).to_owned() };
    Distortion {
        book: "t".parse().unwrap(),
        summary: format!("t/{at:04}/s0"),
        level: 0,
        first_scene: at,
        last_scene: at,
        sample: 0,
        protocol: "edits".to_owned(),
        text: edits.join(" "),
        twin: String::new(),
        edits: edits.iter().map(edit).collect(),
        similarity_pm: 0,
        answers: Vec::new(),
    }
}

#[test]
fn a_false_retelling_is_wrong_about_events_and_right_about_the_setting() {
    let mut told = retold(STORY, &["A cat ran.", "It barked."]);
    let edits = ["A cat ran.", "It barked."];
    told.edits = Some(distortion(0, &edits).edits);
    let says = |answer: &'static str| {
        let asker = Scripted::new(move |_, _| (answer.to_owned(), "stop"));
        let rows = vec![told.clone(), retold(STORY, &["A dog ran."])];
        let (rows, trace, _) = run(&stage::<FalseCheck>(""), || rows.clone().into(), &asker);
        assert_eq!((rows.len(), &*trace.left_out[0].reason.code), (1, "not-false"));
        rows
    };
    let good = says("1: no\n2: yes\nSETTING: right");
    assert_eq!((good[0].faithful, good[0].meant_false), (Some(false), true));
    let labels: Vec<_> = good[0].parts.iter().map(|part| part.label).collect();
    assert_eq!(labels, [Some(Label::Unfaithful), Some(Label::Faithful), Some(Label::Faithful)]);
    let elsewhere = says("1: no\n2: no\n**Setting**: wrong");
    let happened = says("1: yes\n2: yes\nSETTING: right");
    assert_eq!(happened[0].faithful, Some(true));
    assert_eq!(says("1: perhaps")[0].status, Status::Unparsed);
    let half = says("2: yes");
    assert_eq!((half[0].status, half[0].faithful), (Status::Unparsed, None));

    for (judgements, keep, kept) in [
        (&good, "right", 1),
        (&elsewhere, "not-wrong", 0),
        (&elsewhere, "all", 1),
        (&happened, "not-wrong", 0),
        (&half, "not-wrong", 1),
        (&half, "right", 0),
    ] {
        let mut judgements = judgements.clone();
        judgements[0].retelling = "t/0000/d0".to_owned();
        let gate = format!("from = 'f'\njudgements = 'j'\nkeep = '{keep}'");
        let gate: GateDistortions = toml::from_str(&gate).unwrap();
        let (rows, trace) = plain(&gate, (vec![distortion(0, &edits)].into(), judgements.into()));
        assert_eq!((rows.unwrap().len(), trace.left_out.len()), (kept, 1 - kept), "{keep}");
    }
}

#[test]
fn a_gate_filters_only_where_it_is_told_to() {
    let rows = [summary(0, "A dog ran."), summary(1, "A cat sat."), summary(2, "It barked.")];
    let said = |at: u32, faithful| {
        let mut judgement =
            judged("protocol = 'binary'", &[retold(STORY, &["A dog ran."])]).remove(0);
        judgement.retelling = format!("t/{at:04}/s0");
        judgement.faithful = Some(faithful);
        judgement
    };
    let judgements = [said(0, true), said(1, false)];
    for (keep, expected) in [("all", vec![0, 1, 2]), ("not-wrong", vec![0, 2]), ("right", vec![0])]
    {
        let gate = format!("from = 'f'\njudgements = 'j'\nkeep = '{keep}'");
        let gate: GateSummaries = toml::from_str(&gate).unwrap();
        let (kept, trace) = plain(&gate, (rows.to_vec().into(), judgements.to_vec().into()));
        let kept: Vec<u32> = kept.unwrap().iter().map(|one| one.at).collect();
        assert_eq!(kept, expected);
        assert_eq!(trace.left_out.len(), 3 - expected.len());
        assert!(trace.rejects.is_empty());
    }
}

#[test]
fn people_decide_on_what_a_model_proposes() {
    let told = retold(STORY, &["A dog ran.", "A cat sat."]);
    let asker =
        Scripted::new(|_, _| ("2: there is no cat\n9: nothing\n2: again".to_owned(), "stop"));
    let (rows, trace, _) = run(&stage::<Propose>(""), || vec![told.clone()].into(), &asker);
    assert_eq!((rows[0].faithful, rows[0].parts.len(), trace.reviews.len()), (None, 1, 1));
    assert_eq!(
        (rows[0].parts[0].sentence, &*rows[0].parts[0].reason),
        (Some(1), "there is no cat")
    );
    // Who decides reads the story and the whole retelling, and decides for this story alone.
    let review = &trace.reviews[0];
    assert!(review.text.contains(STORY) && review.text.contains("A dog ran."), "{}", review.text);
    let other = Retold { source: format!("{STORY} A cat came."), ..told.clone() };
    let (_, again, _) = run(&stage::<Propose>(""), || vec![other.clone()].into(), &asker);
    assert_ne!(again.reviews[0].id(), review.id());
    let asker = Scripted::new(|_, _| ("None.".to_owned(), "stop"));
    let (rows, trace, _) = run(&stage::<Propose>(""), || vec![told.clone()].into(), &asker);
    assert_eq!((rows[0].faithful, trace.reviews.len()), (Some(true), 0));
}

fn sample(per_book: u32, scenes: &[Scene], told: &[Summary]) -> Vec<Retold> {
    let stage = format!("scenes = 's'\nsummaries = 't'\nper_book = {per_book}");
    let stage: Sample = toml::from_str(&stage).unwrap();
    let (rows, trace) = plain(&stage, (scenes.to_vec().into(), told.to_vec().into(), None));
    assert!(trace.rejects.is_empty());
    rows.unwrap()
}

proptest! {
    /// A larger sample holds the smaller one, whatever order rows come in; and what a retelling tells of is there.
    #[test]
    fn samples_nest(count in 1_usize..12, size in 1_u32..12, turn in 0_usize..12) {
        let texts: Vec<String> = (0..count).map(|at| format!("Scene {at} ends. ")).collect();
        let scenes = scenes(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let mut told: Vec<Summary> =
            (0..).zip(&texts).map(|(at, text)| summary(at, text)).collect();
        let small = sample(size, &scenes, &told);
        prop_assert_eq!(small.len(), count.min(size as usize));
        let large = sample(size + 1, &scenes, &told);
        prop_assert!(small.iter().all(|one| large.contains(one)));
        for one in &small {
            let (_, first, last) = one.scenes.clone().unwrap();
            prop_assert_eq!(&one.source, &texts[first as usize..=last as usize].concat());
            prop_assert_eq!(one.ends.last().copied(), u32::try_from(one.source.chars().count()).ok());
        }
        told.rotate_left(turn % count);
        prop_assert_eq!(sample(size, &scenes, &told), small);
    }

    /// How many answers come at once, and in which order, changes no row.
    #[test]
    fn verdicts_do_not_hang_on_the_order_of_answers(
        picks in prop::collection::vec((0_usize..4, 0_usize..4), 1..5),
        at_once in 1_usize..4,
        backwards: bool,
    ) {
        let lines = ["A dog ran.", "A cat sat.", "It barked.", "The sun rose."];
        let told: Vec<Retold> = (0..).zip(&picks).map(|(at, (one, other))| {
            let mut told = retold(STORY, &[lines[*one], lines[*other]]);
            told.id = format!("t/{at:04}/s0");
            told
        }).collect();
        for options in ["", "protocol = 'binary'\nsentences = true"] {
            let expected = judged(options, &told);
            for (row, told) in expected.iter().zip(&told) {
                let right = told.sentences.iter().all(|line| STORY.contains(line));
                prop_assert_eq!(row.faithful, Some(right));
            }
            let mut asker = Scripted::new(|_, text| (sharp(text), "stop"));
            (asker.at_once, asker.backwards) = (at_once, backwards);
            let input: Rows<Retold> = told.clone().into();
            let (rows, ..) = run(&stage::<Faithful>(options), || input.clone(), &asker);
            prop_assert_eq!(&rows, &expected);
        }
    }

    /// Pieces are the source, end where scenes end and have room.
    #[cfg(feature = "tokens")]
    #[test]
    fn pieces_are_the_source(words in prop::collection::vec(1_usize..9, 1..9), room in 1_u32..40) {
        let texts: Vec<String> = words.iter().map(|words| "wörd ".repeat(*words)).collect();
        let mut told = retold(&texts.concat(), &[]);
        let mut ends = 0;
        for text in &texts {
            ends += u32::try_from(text.chars().count()).unwrap();
            told.ends.push(ends);
        }
        let encoding = storymill_core::Encoding::O200kBase;
        let count = |text: &str| crate::tokens::tokens(text, encoding).unwrap();
        match super::window::pieces(&told, Some(room), encoding).unwrap() {
            Some(pieces) => {
                prop_assert_eq!(pieces.concat(), told.source.clone());
                let mut at = 0;
                for piece in pieces {
                    prop_assert!(count(piece) <= u64::from(room));
                    at += u32::try_from(piece.chars().count()).unwrap();
                    prop_assert!(told.ends.contains(&at));
                }
            }
            None => prop_assert!(texts.iter().any(|text| count(text) > u64::from(room))),
        }
    }
}
