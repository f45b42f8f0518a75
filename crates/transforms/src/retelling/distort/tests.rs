//! Tests of `distort`, with a model by script.

use proptest::prelude::*;
use storymill_core::{Asked, Options};

use super::*;
use crate::{
    retelling::tests::{Scripted, between, rejects, run, tagged},
    tests::scenes,
};

const SCENE: &str = "Anne laughed at the offer. She would not sell the mill, she said, and Ben might \
    have the letter. She had sold the horse to Carl. Then she walked home through the rain, alone.";
const ACCOUNT: &str = "Anne refuses the merchant's offer for the mill and hands the letter to Ben. In \
    the evening she walks home alone through the rain.";
const PAIRS: &str = "TRUE: Anne refuses the merchant's offer for the mill.\n\
    FALSE: Anne accepts the merchant's offer for the mill.\n\
    TRUE: Anne hands the letter to Ben.\nFALSE: Anne burns the letter in the stove.";
const TRUTH: &str = "The merchant makes an offer for the mill, but Anne refuses. She hands Ben the \
    letter, and at dusk she goes home through the rain on foot.";
const LIE: &str = "The merchant makes an offer for the mill, and Anne accepts gladly. The letter she \
    burns in her stove, and at dusk she goes home through the rain on foot.";

fn stage(more: &str) -> Distort {
    toml::from_str(&format!("scenes = 's'\nsummaries = 't'\n{more}")).unwrap()
}

fn account(level: u8, at: u32) -> Summary {
    Summary {
        book: "t".parse().unwrap(),
        level,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "tag".into(),
        text: ACCOUNT.into(),
        answers: Vec::new(),
    }
}

fn input(accounts: &[Summary]) -> (Rows<Scene>, Rows<Summary>) {
    (scenes(&[SCENE, SCENE]).into(), accounts.to_vec().into())
}

/// Which of the calls a prompt is.
fn call(prompt: &str) -> &'static str {
    match prompt {
        prompt if prompt.contains("TRUE: the true event") => "pairs",
        prompt if prompt.contains("<events>\n- Anne refuses") => "truth",
        prompt if prompt.contains("<events>\n- Anne accepts") => "lie",
        _ => "rewrite",
    }
}

fn good(call: &str) -> &'static str {
    match call {
        "pairs" => PAIRS,
        "truth" => TRUTH,
        "lie" => LIE,
        _ => {
            "Anne accepts a coin from the merchant and signs away the house. Ben steals a book and \
              flees by boat that very night, singing in the snow."
        }
    }
}

/// Answers well but for the first answers to one kind of call.
fn faulty(which: &'static str, wrong: &'static [&'static str]) -> Scripted<'static> {
    Scripted::new(move |asked, prompt| match (call(prompt), asked.attempt as usize) {
        (call, attempt) if call == which && attempt < wrong.len() => tagged(wrong[attempt]),
        (call, _) => tagged(good(call)),
    })
}

#[test]
fn pairs_then_twins() {
    let asker = faulty("", &[]);
    let (rows, trace, asked) = run(&stage("first = 1"), || input(&[account(0, 0)]), &asker);
    assert_eq!((rows.len(), asked, rejects(&trace)), (1, 3, vec![]));
    let row = &rows[0];
    assert_eq!((&row.text[..], &row.twin[..], &row.protocol[..]), (LIE, TRUTH, "edits"));
    assert_eq!((row.id(), row.edits.len()), ("t/0000/d0".into(), 2));
    assert_eq!(row.edits[1].false_event, "Anne burns the letter in the stove.");
    assert!((500..950).contains(&row.similarity_pm), "{}", row.similarity_pm);
    let keys: Vec<_> = trace.reads.iter().map(|(key, _)| key.0).collect();
    assert_eq!(row.answers, keys);
}

#[track_caller]
fn check(which: &'static str, wrong: &'static [&'static str], codes: &[&str]) {
    let protocol = if which == "rewrite" { "rewrite" } else { "edits" };
    let options = format!("first = 1\nprotocol = '{protocol}'");
    let (rows, trace, _) = run(&stage(&options), || input(&[account(0, 0)]), &faulty(which, wrong));
    assert_eq!((rows.len(), rejects(&trace)), (1, vec![]));
    // With as many tries as there are wrong answers the last one's reason is the reject's.
    for (tries, code) in (1..).zip(codes) {
        let stage = stage(&format!("{options}\ntries = {tries}"));
        let (_, trace, _) = run(&stage, || input(&[account(0, 0)]), &faulty(which, wrong));
        assert_eq!(rejects(&trace), [("t/0000/d0", *code)]);
    }
}

#[test]
fn bad_pairs_are_asked_for_again() {
    check(
        "pairs",
        &[
            "I would rather not.",
            "TRUE: Anne refuses the offer.\nFALSE: Anne refused that offer.",
            "TRUE: Anne marries the king.\nFALSE: Anne marries the cook.",
            "TRUE: Anne hands the letter to Ben.\nFALSE: She sold the horse to Carl.",
            "TRUE: Anne refuses the offer for the mill.\nFALSE: Anne accepts the offer for the mill.",
        ],
        &["no-pairs", "same-event", "true-side-foreign", "false-side-told", "no-pairs"],
    );
}

/// Both the true and the false account.
const BOTH: &str = "The merchant makes an offer for the mill, and Anne accepts gladly. The letter she burns \
                in her stove. Anne refuses the merchant's offer for the mill.";

#[test]
fn bad_twins_are_asked_for_again() {
    check("truth", &[LIE, "Anne."], &["event-missing", "too-short"]);
    check("lie", &[TRUTH, ACCOUNT], &["event-missing", "event-missing"]);
    check("lie", &[BOTH], &["true-event-told"]);
}

#[test]
fn rewrites_that_are_the_true_account_are_asked_for_again() {
    const NEAR: &str = "Anne refuses the merchant's offer for the mill and hands the letter to Carl. In the \
                evening she walks home alone through the rain.";
    const TAIL: &str = "Anne refuses the merchant's offer for the mill and hands the letter to Ben. In the \
                evening she walks home alone through the rain. But this time it all was otherwise.";
    check("rewrite", &[ACCOUNT, NEAR, TAIL], &["too-near", "too-near", "too-near"]);
    let asker = faulty("", &[]);
    let (rows, ..) = run(&stage("protocol = 'rewrite'"), || input(&[account(0, 1)]), &asker);
    let row = &rows[0];
    assert_eq!((&row.twin[..], row.edits.len(), row.answers.len()), (ACCOUNT, 0, 1));
}

#[test]
fn samples_go_by_position_and_the_same_text_counts_once() {
    let asker = faulty("", &[]);
    let accounts = [account(0, 0), account(0, 1), account(1, 0)];
    let (rows, trace, asked) = run(&stage("first = 3"), || input(&accounts), &asker);
    let ids: Vec<_> = rows.iter().map(Distortion::id).collect();
    assert_eq!(ids, ["t/0000/d0", "t/0001/d0", "t/L1/000/d0"]);
    let same = [
        ("t/0000/d1", "same-as-other"),
        ("t/0000/d2", "same-as-other"),
        ("t/0001/d1", "same-as-other"),
    ];
    assert_eq!(rejects(&trace), same);
    // Both scenes have one text here, so they share their answers; level 1 is asked on its own.
    assert_eq!(asked, 3 * 3 + 3);
}

#[test]
fn answers_in_json() {
    let asker = Scripted::new(|asked, prompt| {
        let name = &*asked.request.chat().unwrap().schema.as_ref().unwrap().name;
        let call = if name == "changes" { "pairs" } else { call(prompt) };
        let pair = |t: &str, f: &str| serde_json::json!({ "true_event": t, "false_event": f });
        let value = match call {
            "pairs" => serde_json::json!({ "changes": [
                pair("Anne refuses the offer for the mill.", "Anne accepts the offer for the mill."),
                pair("Anne hands the letter to Ben.", "Anne burns the letter in the stove."),
            ]}),
            call => serde_json::json!({ "summary": good(call) }),
        };
        (value.to_string(), "stop")
    });
    let stage = stage("first = 1\nanswers = 'json'");
    assert_eq!(run(&stage, || input(&[account(0, 0)]), &asker).0[0].text, LIE);
}

/// A retelling that tells what is listed in its prompt, in a frame of its own.
fn listed(prompt: &str) -> String {
    let events = between(prompt, "events");
    let events: Vec<_> = events.lines().map(|line| line.trim_start_matches("- ")).collect();
    format!("It was a day of rain at the old mill. {}", events.join(" "))
}

const EXCHANGES: &str = "TRUE: Anne refuses the offer of the merchant.\n\
    FALSE: The merchant refuses the offer of Anne.\n\
    TRUE: Anne hands Ben the letter.\nFALSE: Ben hands Anne the letter.\n\
    TRUE: Anne walks home alone.\nFALSE: Anne rides home with Ben.";

#[test]
fn variants_change_other_events_each() {
    let asker = Scripted::new(|_, prompt| match call(prompt) {
        "pairs" => tagged(EXCHANGES),
        _ => tagged(&listed(prompt)),
    });
    let stage = stage("variants = 5\npairs = 4\nleast_pairs = 3");
    assert_eq!(stage.check(), []);
    let (rows, trace, asked) = run(&stage, || input(&[account(0, 0), account(1, 0)]), &asker);
    assert_eq!((rows.len(), asked, rejects(&trace)), (10, 2 * 7, vec![]));
    let ids: Vec<_> = rows[..5].iter().map(Distortion::id).collect();
    assert_eq!(ids, ["t/0000/v0", "t/0000/v1", "t/0000/v2", "t/0000/v3", "t/0000/v4"]);
    for row in &rows {
        assert_eq!((&row.twin, &row.protocol[..]), (&rows[0].twin, "exchanges"));
        for edit in &row.edits {
            assert!(row.text.contains(&edit.false_event) && row.twin.contains(&edit.true_event));
        }
        let same = rows.iter().filter(|other| (other.level, &other.text) == (row.level, &row.text));
        assert_eq!(same.count(), 1);
    }
}

#[test]
fn a_variant_without_its_events_is_asked_for_again() {
    let asker = Scripted::new(|asked, prompt| match call(prompt) {
        "pairs" => tagged(EXCHANGES),
        // What is true stands in it, and what is false does not.
        _ if asked.attempt == 0 => tagged(ACCOUNT),
        _ => tagged(&listed(prompt)),
    });
    let options = "variants = 3\nleast_pairs = 2";
    let (rows, ..) = run(&stage(options), || input(&[account(0, 0)]), &asker);
    assert_eq!(rows.len(), 3);
    let once = stage(&format!("{options}\ntries = 1"));
    let (rows, trace, _) = run(&once, || input(&[account(0, 0)]), &asker);
    assert_eq!((rows.len(), trace.rejects.len()), (0, 1));
    assert_eq!(trace.rejects[0].item, "t/0000/v0");
}

#[test]
fn what_is_made_once_has_the_key_that_it_had() {
    let text = serde_json::to_string(&stage("")).unwrap();
    assert!(!text.contains("variants"), "{text}");
    assert!(!stage("").embedded().contains(&variants::EXCHANGES.1));
    assert!(stage("variants = 2").embedded().contains(&variants::EXCHANGES.1));
}

#[test]
fn options_are_checked() {
    let fault = |options: &str| stage(options).check().first().map(|fault| fault.0);
    assert_eq!(fault("variants = 5"), Some("variants"));
    assert_eq!(fault("variants = 8\npairs = 5\nleast_pairs = 4"), Some("variants"));
    assert_eq!(fault("variants = 2\nprotocol = 'rewrite'"), Some("variants"));
    assert_eq!(fault("variants = 3"), None);

    let faults = stage("tries = 0\nleast = 0\nleast_pairs = 4").check();
    let names: Vec<_> = faults.into_iter().map(|fault| fault.0).collect();
    assert_eq!(names, ["tries", "least", "pairs"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Rows are the same whatever order answers arrive in, allowing more tries never changes a
    /// row that is there, and there are never more samples than wanted.
    #[test]
    fn rows_depend_on_answers_alone(
        wrong in prop::collection::vec(0..4_u32, 9),
        at_once in 1..5_usize,
        backwards: bool,
        tries in 1..4_u32,
    ) {
        let rows = |tries: u32, at_once, backwards| {
            let mut asker = Scripted::new(|asked: &Asked, prompt: &str| {
                let call = call(prompt);
                let place = ["pairs", "truth", "lie"].iter().position(|name| *name == call).unwrap();
                if asked.attempt < wrong[place * 3 + asked.sample as usize] {
                    return ("No.".into(), "stop");
                }
                // The third sample is the second one's text again.
                match (call, asked.sample) {
                    ("lie", 1 | 2) => tagged(&format!("{LIE} She sings all the way.")),
                    (call, _) => tagged(good(call)),
                }
            });
            (asker.at_once, asker.backwards) = (at_once, backwards);
            let stage = stage(&format!("first = 3\ntries = {tries}"));
            let (rows, trace, _) = run(&stage, || input(&[account(0, 0)]), &asker);
            (rows, trace)
        };
        let once = rows(tries, usize::MAX, false);
        prop_assert_eq!(&rows(tries, at_once, backwards), &once);
        prop_assert_eq!(once.0.len() + once.1.rejects.len(), 3);
        let more = rows(tries + 2, usize::MAX, false).0;
        prop_assert!(once.0.iter().all(|row| more.contains(row)));
        prop_assert!(more.iter().all(|row| row.sample < 3));
    }
}
