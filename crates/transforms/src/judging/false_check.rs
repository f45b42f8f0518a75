//! `false-check`: whether false retellings are false, and only in what they tell.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Edge, Encoding, Judgement, Label, PartVerdict, Resource, Retold, Rows, Stage, Status, Stop,
    stage,
};

use super::{
    judge::{Judge, whole},
    verdict::{of_parts, part, unread},
    window::pieces,
};
use crate::asking::{Asks, asking};

/// How rows name the protocol.
pub(super) const PROTOCOL: &str = "false-check";
/// The text of the part that speaks of people, place and time.
pub(super) const SETTING: &str = "setting";

/// Asks a model which of the changes of a false retelling do not happen in the scene, and whether its people, place
/// and time are those of the scene.
///
/// ```
/// use storymill_transforms::FalseCheck;
/// assert!(toml::from_str::<FalseCheck>("of = 'sampled'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FalseCheck {
    /// The retellings; those that are meant to be true are left out.
    pub of: Edge<Retold>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// What rows call the judge. Default: its name in the workflow.
    #[serde(default)]
    pub called: String,
    /// The judge's window in tokens of `tokens`, request and answer together. Default: none is kept.
    #[serde(default)]
    pub window: Option<u32>,
    /// The encoding that sources are counted in. Default: `o200k_base`.
    #[serde(default = "crate::defaults::encoding")]
    pub tokens: Encoding,
    /// How many tokens an answer may have, thinking among them. Default: 1024.
    #[serde(default = "crate::defaults::count::<1024>")]
    pub max_tokens: u32,
    /// How often to ask: always once, since whatever is said counts. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(FalseCheck, ["false-check.jinja"], std::iter::empty(), [prompt], least = [(max_tokens, 1)]);

impl Stage for FalseCheck {
    stage!("false-check", 1, Rows<Retold> => Judgement, of);

    fn run(&self, told: Rows<Retold>, cx: &mut Cx<'_>) -> Result<Vec<Judgement>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let prompt = asking.with(0).prompt;
        let Self { model, called, window, tokens, max_tokens, .. } = self;
        let judge =
            Judge { model, called, window: *window, tokens: *tokens, max_tokens: *max_tokens };
        cx.each(&told, |cx, one| {
            let Some(edits) = &one.edits else {
                return Err(Stop::left_out("not-false", "it is meant to be true"));
            };
            let reads = cx.reads().len();
            // Where nobody noted the changes, any sentence may be one.
            let events: Vec<String> = if edits.is_empty() {
                one.sentences.clone()
            } else {
                edits.iter().map(|edit| edit.false_event.clone()).collect()
            };
            let account = whole(one);
            let variables =
                |source: &str| context! { source, account => &account, events => &events };
            let room = judge.room(prompt, &variables(""))?;
            let (found, parts) = match pieces(one, room, *tokens)?.as_deref() {
                Some([source]) => {
                    let said = judge.ask(prompt, &variables(source), cx)?;
                    match said.and_then(|text| checked(&text, &events)) {
                        Ok(parts) => (of_parts(&parts), parts),
                        Err(status) => ((status, None), Vec::new()),
                    }
                }
                _ => ((Status::DoesNotFit, None), Vec::new()),
            };
            Ok(judge.row(one, PROTOCOL, found, parts, (cx, reads)))
        })
    }
}

/// A part for each event and one for the setting: what happens is `faithful`. A line that is not there, or says
/// neither yes nor no, leaves its part without a verdict; without any line there is nothing.
fn checked(text: &str, events: &[String]) -> Result<Vec<PartVerdict>, Status> {
    let mut said: Vec<Option<Label>> = vec![None; events.len() + 1];
    for line in text.lines() {
        let Some((head, tail)) = line.split_once(':') else { continue };
        let head = head.trim_matches(|c: char| !c.is_alphanumeric());
        let at = match head.parse::<usize>() {
            Ok(number) => number.checked_sub(1).filter(|at| *at < events.len()),
            Err(_) => head.eq_ignore_ascii_case(SETTING).then_some(events.len()),
        };
        let mut words = tail.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let (Some(at), Some(word)) = (at, words.next()) else { continue };
        let label = match (word.to_ascii_lowercase().as_str(), at == events.len()) {
            ("yes", false) | ("right", true) => Label::Faithful,
            ("no", false) | ("wrong", true) => Label::Unfaithful,
            _ => continue,
        };
        // What is said first counts: an answer that begins again may end anywhere.
        _ = said[at].get_or_insert(label);
    }
    if said.iter().all(Option::is_none) {
        return Err(unread(text));
    }
    let texts = events.iter().map(String::as_str).chain([SETTING]);
    let verdict = |label: Option<Label>| match label {
        Some(label) => Ok((label, String::new())),
        None => Err(Status::Unparsed),
    };
    Ok(texts.zip(said).map(|(text, label)| part(None, text, verdict(label))).collect())
}
