//! Records the answers of the quickstart: what is written in `data/answers/told`, as the answers to
//! the requests that the quickstart's stages make. To be run when a prompt or a book changes.

use std::{collections::BTreeMap, fs};

use serde::Deserialize;
use storymill_core::{Answer, Asked, Edit};

use crate::{Done, record::record, top};

/// What is told of one book: its scenes, and what is made of them on each level (`L1/000`).
#[derive(Deserialize)]
struct Work {
    book: String,
    scenes: Vec<Told>,
    levels: BTreeMap<String, Told>,
    /// What changes between scenes, by their numbers (`0002-0030`); none where nothing does.
    #[serde(default)]
    states: BTreeMap<String, Option<Changed>>,
}

/// A question about what changes between scenes. Whoever read all of them knows the answer, and nobody else.
#[derive(Clone, Deserialize)]
struct Changed {
    question: String,
    right: String,
    wrong: Vec<String>,
    /// The words of each retelling that bear the answer out.
    from: Vec<String>,
}

/// A true retelling and false ones.
#[derive(Clone, Deserialize)]
struct Told {
    #[serde(default)]
    scene: u32,
    summary: String,
    /// The scene told again so that other things happen; where there is none, the first false twin.
    rewrite: Option<String>,
    distortions: Vec<Twins>,
    /// Pairs of events in the same words, which are all that the several retellings of one scene tell.
    #[serde(default)]
    variants: Vec<Edit>,
}

/// A list of changed events, and the retellings made from it.
#[derive(Clone, Deserialize)]
struct Twins {
    edits: Vec<Edit>,
    #[serde(rename = "true")]
    truth: String,
    #[serde(rename = "false")]
    lie: String,
}

/// An answer that is not in order, in place of the one that is.
#[derive(Deserialize)]
struct Slip {
    stage: String,
    /// Which of the calls for a distortion: `edits`, `true` or `false`.
    on: Option<String>,
    item: String,
    attempts: Vec<u32>,
    text: String,
    finish_reason: String,
}

pub(crate) fn run() -> Done {
    let folder = top().join("data/answers/told");
    let (mut told, mut states) = (BTreeMap::new(), BTreeMap::new());
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "slips") {
            continue;
        }
        let book: Work = serde_json::from_slice(&fs::read(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for scene in book.scenes {
            told.insert(format!("{}/{:04}", book.book, scene.scene), scene);
        }
        let drafted = book.states.into_iter();
        states.extend(drafted.map(|(at, state)| (format!("{}/{at}/q", book.book), state)));
        let levels = book.levels.into_iter();
        told.extend(levels.map(|(at, level)| (format!("{}/{at}", book.book), level)));
    }
    let slips: Vec<Slip> = serde_json::from_slice(&fs::read(folder.join("slips.json"))?)?;
    record("workflows/quickstart.toml", "data/answers/quickstart", |asked| {
        let item = asked.item.as_deref().unwrap_or_default();
        let said = match asked.stage {
            "draft-state" => states.get(item).and_then(|state| drafted(state.as_ref(), asked)),
            _ => answer(&told, &slips, asked, item),
        };
        said.ok_or_else(|| {
            format!("nothing is told for {} {item}, sample {}", asked.stage, asked.sample)
        })
    })
}

fn answer(
    told: &BTreeMap<String, Told>,
    slips: &[Slip],
    asked: &Asked,
    item: &str,
) -> Option<Answer> {
    let of = match asked.stage {
        "distort" => item.rsplit_once('/')?.0,
        _ => item,
    };
    let told = told.get(of)?;
    let (call, text) = match asked.stage {
        "distort" => {
            let text: String = asked.request.chat()?.texts().collect();
            match item.rsplit_once('/') {
                Some((_, last)) if last.starts_with('v') => variant(told, &text),
                _ => distorted(told, asked.sample as usize, &text)?,
            }
        }
        _ => ("summary", told.summary.clone()),
    };
    let slip = slips.iter().find(|slip| {
        let this_call = slip.on.as_deref().is_none_or(|on| on == call);
        this_call
            && slip.stage == asked.stage
            && slip.item == item
            && slip.attempts.contains(&asked.attempt)
    });
    let (text, finish_reason) = match slip {
        Some(slip) => (slip.text.clone(), slip.finish_reason.clone()),
        None => (format!("### BEGIN ANSWER ###\n{text}"), "stop".to_owned()),
    };
    Some(Answer { text, finish_reason })
}

/// A draft, or what a reader answers to one: the right option if he has all its scenes, else that he does not know.
fn drafted(state: Option<&Changed>, asked: &Asked) -> Option<Answer> {
    let prompt: String = asked.request.chat()?.texts().collect();
    let passages = prompt.matches("<passage>\n").count();
    let text = match state {
        None => "NONE".to_owned(),
        Some(state) if passages == 0 => {
            let mut lines = format!("QUESTION: {}\nRIGHT: {}", state.question, state.right);
            lines.extend(state.wrong.iter().map(|wrong| format!("\nWRONG: {wrong}")));
            let from = (1..).zip(&state.from);
            lines.extend(from.map(|(number, words)| format!("\nFROM {number}: {words}")));
            lines
        }
        Some(state) if passages < state.from.len() => "UNKNOWN".to_owned(),
        Some(state) => {
            let right = format!(") {}", state.right);
            prompt.lines().find_map(|line| line.strip_suffix(&right))?.to_owned()
        }
    };
    let text = format!("### BEGIN ANSWER ###\n{text}");
    Some(Answer { text, finish_reason: "stop".to_owned() })
}

/// What is wanted of a distortion, and its text: a rewrite, the pairs, or one of the twins.
fn distorted(told: &Told, sample: usize, asked: &str) -> Option<(&'static str, String)> {
    let twins = told.distortions.get(sample)?;
    if !asked.contains("<events>") && !asked.contains("TRUE: the true event") {
        return Some(("rewrite", told.rewrite.as_ref().unwrap_or(&twins.lie).clone()));
    }
    if !asked.contains("<events>") {
        return Some(("edits", pairs(&twins.edits)));
    }
    if twins.edits.iter().any(|edit| asked.contains(&edit.false_event)) {
        return Some(("false", twins.lie.clone()));
    }
    Some(("true", twins.truth.clone()))
}

/// What is wanted where several false retellings have one true twin: the pairs, or one of the retellings.
fn variant(told: &Told, asked: &str) -> (&'static str, String) {
    if !asked.contains("<events>") {
        return ("edits", pairs(&told.variants));
    }
    let happens = |edit: &Edit| {
        let lie = asked.contains(&format!("- {}\n", edit.false_event));
        if lie { edit.false_event.clone() } else { edit.true_event.clone() }
    };
    ("variant", told.variants.iter().map(happens).collect::<Vec<_>>().join(" "))
}

fn pairs(edits: &[Edit]) -> String {
    let pair = |edit: &Edit| format!("TRUE: {}\nFALSE: {}", edit.true_event, edit.false_event);
    edits.iter().map(pair).collect::<Vec<_>>().join("\n")
}
