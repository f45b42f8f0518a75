//! Tests of `summarize`, with a model by script.

use proptest::prelude::*;
use storymill_core::{Asked, Options};

use super::*;
use crate::{
    retelling::tests::{Scripted, between, rejects, run, tagged},
    tests::scenes,
};

const BOOK: [&str; 3] = [
    "On Tuesday Dorcas Venn drove eleven miles to Oxwold with two sacks of wool, and the carter \
     laughed at her old grey mare all the way to the gate. ",
    "At the Wool Hall the clerk shut his book and told her to come back when the bell had rung. She \
     sat down upon the sacks and ate an apple, and looked at nobody. ",
    "When the bell rang Percival Tarn paid her nine shillings for the wool, and she drove home \
     through the rain with a goose under the seat.",
];

const GOOD: [&str; 3] = [
    "Dorcas Venn takes her wool to Oxwold, and a carter mocks her horse.",
    "A clerk sends the woman away until the bell, and she waits on her wool, eating fruit.",
    "For nine shillings Percival Tarn gets the wool, and the seller goes home with a bird.",
];

fn stage(more: &str) -> Summarize {
    toml::from_str(&format!("from = 'scenes'\n{more}")).unwrap()
}

fn book() -> Rows<Scene> {
    scenes(&BOOK).into()
}

/// Which scene a prompt shows.
fn shown(prompt: &str) -> usize {
    let passage = between(prompt, "passage");
    BOOK.iter().position(|scene| scene.trim() == passage).unwrap()
}

/// Answers well but for the first answers to the second scene.
fn faulty(wrong: &'static [(&'static str, &'static str)]) -> Scripted<'static> {
    Scripted::new(move |asked, prompt| match (shown(prompt), asked.attempt as usize) {
        (1, attempt) if attempt < wrong.len() => (wrong[attempt].0.into(), wrong[attempt].1),
        (scene, _) => tagged(GOOD[scene]),
    })
}

#[test]
fn every_scene_is_retold() {
    let (rows, trace, asked) = run(&stage(""), book, &faulty(&[]));
    let texts: Vec<&str> = rows.iter().map(|row| &row.text[..]).collect();
    assert_eq!((texts, asked), (GOOD.to_vec(), 3));
    assert_eq!(rejects(&trace), []);
    assert_eq!((rows[2].at, rows[2].level, &rows[2].protocol[..]), (2, 0, "tag"));
    let keys: Vec<_> = trace.reads.iter().map(|(key, _)| vec![key.0]).collect();
    assert_eq!(rows.iter().map(|row| row.answers.clone()).collect::<Vec<_>>(), keys);
}

#[test]
fn unfit_answers_are_asked_for_again_and_more_firmly() {
    const COPY: &str = "### BEGIN ANSWER ###\nAt the Wool Hall the clerk shut his book and told her to \
                        come back when the bell had rung.";
    let seen = std::sync::Mutex::new(Vec::new());
    let wrong = [
        ("No tag here at all, only a retelling of it.", "stop"),
        ("### BEGIN ANSWER ###\nA clerk sends the woman away until", "length"),
        (COPY, "stop"),
        (
            "### BEGIN ANSWER ###\nPercival is waited for by a woman who sits on sacks of wool.",
            "stop",
        ),
    ];
    let asker = Scripted::new(|asked: &Asked, prompt: &str| {
        let scene = shown(prompt);
        if scene == 1 {
            seen.lock().unwrap().push((asked.attempt, prompt.to_owned()));
        }
        match wrong.get(asked.attempt as usize) {
            Some((text, finish)) if scene == 1 => ((*text).to_owned(), *finish),
            _ => tagged(GOOD[scene]),
        }
    });
    let (rows, trace, asked) = run(&stage(""), book, &asker);
    assert_eq!((rows.len(), asked, trace.reads.len()), (3, 7, 7));
    assert_eq!(rows[1].answers, [trace.reads[5].0.0]);
    let seen = seen.lock().unwrap();
    let says = [
        "",
        "did not begin with the line",
        "its end was cut off",
        "copied long stretches",
        "stand only in the text around",
    ];
    for ((attempt, prompt), says) in seen.iter().zip(says) {
        assert!(prompt.contains(says), "{attempt}: {prompt}");
        assert_eq!(prompt.contains("Your last answer"), *attempt > 0);
    }
    // Neighbours are marked, and nothing but a stretch of them is shown.
    assert_eq!(between(&seen[0].1, "before"), BOOK[0].trim());
    assert_eq!(between(&seen[0].1, "after"), BOOK[2]);
}

#[test]
fn what_never_passes_is_a_reject_with_its_last_reason() {
    let loops =
        "### BEGIN ANSWER ###\nShe sat and sat and sat and sat and sat and sat and sat and sat.";
    let asker = Scripted::new(move |_, prompt| match shown(prompt) {
        1 => (loops.into(), "stop"),
        scene => tagged(GOOD[scene]),
    });
    let (rows, trace, asked) = run(&stage("tries = 4\nchecks = { loop_words = 4 }"), book, &asker);
    assert_eq!((rows.len(), asked), (2, 6));
    assert_eq!(rejects(&trace), [("t/0001", "loop")]);
    assert!(trace.rejects[0].span.is_some());
}

#[test]
fn a_window_keeps_retellings_of_one_length() {
    let run = |window: &str| run(&stage(&format!("tries = 2\n{window}")), book, &faulty(&[]));
    assert_eq!(run("window_pm = 900").0.len(), 3);
    let (rows, trace, asked) = run("window_pm = 1");
    assert!(rows.len() < 3 && asked > 3, "{asked} asked");
    assert!(rejects(&trace).iter().all(|(_, why)| *why == "off-length"));
}

#[test]
fn answers_in_json() {
    let asker = Scripted::new(|asked, prompt| {
        let schema = &asked.request.chat().unwrap().schema.as_ref().unwrap().schema;
        assert_eq!(schema["properties"]["summary"]["maxLength"], 300);
        assert!(!prompt.contains("BEGIN ANSWER"));
        let text = serde_json::json!({ "summary": GOOD[shown(prompt)] }).to_string();
        // Complete, although the room was used up by blanks.
        (text + "\n\n\n\n", "length")
    });
    let stage = stage("protocol = 'json'\nchecks = { longest = 300 }");
    let (rows, ..) = run(&stage, book, &asker);
    assert_eq!((rows.len(), &rows[0].protocol[..]), (3, "json"));
}

#[test]
fn neighbours_are_cut_to_size() {
    let asker = Scripted::new(|_, prompt| {
        if shown(prompt) == 1 {
            assert_eq!(between(prompt, "before"), "gate.");
            assert_eq!(between(prompt, "after"), "When t");
        } else {
            assert_ne!(prompt.contains("<before>\n"), prompt.contains("<after>\n"));
        }
        tagged(GOOD[shown(prompt)])
    });
    assert_eq!(run(&stage("neighbours = 6"), book, &asker).0.len(), 3);
}

#[test]
fn scenes_without_words_are_not_asked_about() {
    let asker = faulty(&[]);
    let (rows, trace, asked) = run(&stage(""), || scenes(&["* * *", BOOK[0]]).into(), &asker);
    assert_eq!((rows.len(), asked), (1, 1));
    assert_eq!(rejects(&trace), [("t/0000", "empty-scene")]);
}

#[test]
fn the_papers_protocol_can_be_used() {
    const PAPER: &[u8] = include_bytes!("../../../../../data/prompts/narrativexl-summarize.jinja");
    let asker = Scripted::new(|asked, prompt| {
        assert_eq!(prompt.contains("essential"), asked.attempt > 0);
        let scene = BOOK.iter().rposition(|scene| prompt.contains(&format!("{}\n", scene.trim())));
        if asked.attempt == 0 {
            ("Sorry?".into(), "stop")
        } else {
            tagged(GOOD[scene.unwrap_or(2)])
        }
    });
    let mut stage = stage("prompt = 'own.jinja'\nneighbours = 0");
    stage.prompt.as_mut().unwrap().fill(PAPER);
    assert_eq!(run(&stage, book, &asker).0.len(), 3);
}

#[test]
fn options_are_checked() {
    let faults = stage("tries = 0\nwords = 1\nchecks = { copy_pm = 1001 }").check();
    let names: Vec<_> = faults.into_iter().map(|fault| fault.0).collect();
    assert_eq!(names, ["checks", "tries", "words"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Rows are the same whatever order answers arrive in, and allowing more tries never changes
    /// a row that is there.
    #[test]
    fn rows_depend_on_answers_alone(
        wrong in prop::collection::vec(0..5_u32, 3),
        at_once in 1..4_usize,
        backwards: bool,
        tries in 1..5_u32,
    ) {
        let rows = |tries: u32, at_once, backwards| {
            let mut asker = Scripted::new(|asked: &Asked, prompt: &str| match shown(prompt) {
                scene if asked.attempt < wrong[scene] => ("No.".into(), "stop"),
                scene => tagged(GOOD[scene]),
            });
            (asker.at_once, asker.backwards) = (at_once, backwards);
            let (rows, trace, _) = run(&stage(&format!("tries = {tries}")), book, &asker);
            (rows, trace)
        };
        let once = rows(tries, usize::MAX, false);
        prop_assert_eq!(&rows(tries, at_once, backwards), &once);
        prop_assert_eq!(once.0.len() + once.1.rejects.len(), 3);
        let more = rows(tries + 2, usize::MAX, false).0;
        prop_assert!(once.0.iter().all(|row| more.contains(row)));
    }
}

#[test]
fn of_many_scenes_some_are_retold() {
    let (rows, _, asked) = run(&stage("most = 2"), book, &faulty(&[]));
    let scenes: Vec<_> = rows.iter().map(|row| row.at).collect();
    assert_eq!((scenes, asked), (vec![0, 2], 2));
}

proptest! {
    /// As many as are wanted, each once and in order, and no two stretches without one differ by more than a scene.
    #[test]
    fn scenes_are_drawn_all_over_a_book(count in 1_usize..200, most in 1_u32..220) {
        let texts: Vec<String> = (0..count).map(|at| format!("Scene {at}. ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let all = scenes(&texts);
        let drawn: Vec<_> = spread(&all, NonZeroU32::new(most)).iter().map(|scene| scene.scene).collect();
        prop_assert_eq!(drawn.len(), count.min(most as usize));
        let steps: Vec<u32> = drawn.windows(2).map(|two| two[1].checked_sub(two[0]).unwrap()).collect();
        prop_assert!(steps.iter().all(|step| *step > 0));
        let (least, largest) = (steps.iter().min(), steps.iter().max());
        prop_assert!(largest.zip(least).is_none_or(|(largest, least)| largest - least <= 1));
    }
}
