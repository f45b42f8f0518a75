//! `propose`: a model proposes inconsistencies, people decide on them.

use std::borrow::Cow;

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Digest, Edge, Encoding, Judgement, Label, PartVerdict, Resource, Retold, Review, Rows,
    Stage, Status, Stop, stage,
};

use super::{
    judge::Judge,
    verdict::{of_parts, unread},
    window::pieces,
};
use crate::asking::{Asks, asking};

/// Has a model propose what may be wrong in retellings, and puts each proposal before people (StorySumm's hybrid
/// protocol). What counts is what people decide: `yes`, `no`, or `open` until somebody does.
///
/// ```
/// use storymill_transforms::Propose;
/// assert!(toml::from_str::<Propose>("of = 'sampled'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Propose {
    /// The retellings.
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
    /// How often to ask: always once. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(Propose, ["propose.jinja"], std::iter::empty(), [prompt], least = [(max_tokens, 1)]);

impl Stage for Propose {
    stage!("propose", 2, Rows<Retold> => Judgement, of);

    fn run(&self, told: Rows<Retold>, cx: &mut Cx<'_>) -> Result<Vec<Judgement>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let prompt = asking.with(0).prompt;
        let Self { model, called, window, tokens, max_tokens, .. } = self;
        let judge =
            Judge { model, called, window: *window, tokens: *tokens, max_tokens: *max_tokens };
        cx.each(&told, |cx, one| {
            let reads = cx.reads().len();
            let sentences = &one.sentences;
            let variables = |source: &str| context! { source, sentences };
            let room = judge.room(prompt, &variables(""))?;
            let said = match pieces(one, room, *tokens)?.as_deref() {
                Some([source]) => judge.ask(prompt, &variables(source), cx)?,
                _ => Err(Status::DoesNotFit),
            };
            let (found, parts) = match said.and_then(|text| proposed(&text, sentences.len())) {
                Err(status) => ((status, None), Vec::new()),
                Ok(found) if found.is_empty() => ((Status::Answered, Some(true)), Vec::new()),
                Ok(found) => {
                    let decided = found.into_iter().map(|(at, what)| decide(one, at, what, cx));
                    let parts = decided.collect::<Result<Vec<_>, Stop>>()?;
                    (of_parts(&parts), parts)
                }
            };
            Ok(judge.row(one, "propose", found, parts, (cx, reads)))
        })
    }
}

/// Puts a proposal before people. Until somebody decides, the part has no verdict.
fn decide(of: &Retold, at: usize, what: String, cx: &mut Cx<'_>) -> Result<PartVerdict, Stop> {
    let sentence = of.sentences[at].trim();
    let retelling: String = of.sentences.concat();
    let review = Review {
        item: of.id.clone(),
        code: Cow::Borrowed("inconsistency"),
        // What people say holds for this text, and for no other that is told by the same sentence.
        about: format!("{sentence}\n{what}\n{}", Digest::of(of.source.as_bytes())),
        question: "is this sentence of the retelling wrong, as a model says?".to_owned(),
        excerpt: format!("{sentence}\nthe model: {what}"),
        text: format!(
            "The retelling:\n\n{}\n\nThe text that it tells of:\n\n{}",
            retelling.trim(),
            of.source.trim()
        ),
        choices: ["yes", "no", "open"].map(str::to_owned).to_vec(),
        default: "open".to_owned(),
        ..Review::default()
    };
    let label = match cx.decide(review)?.as_str() {
        "yes" => Some(Label::Unfaithful),
        "no" => Some(Label::Faithful),
        _ => None,
    };
    let sentence_at = u32::try_from(at).ok();
    let status = Status::Answered;
    Ok(PartVerdict {
        sentence: sentence_at,
        text: sentence.to_owned(),
        status,
        label,
        reason: what,
    })
}

/// What is said to be wrong, sentence by sentence, each with its position from 0; nothing if the answer is `none`.
fn proposed(text: &str, sentences: usize) -> Result<Vec<(usize, String)>, Status> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let line = line.trim_matches(|c: char| c.is_whitespace() || "*-".contains(c));
        let Some((head, what)) = line.split_once([':', '.', ')']) else { continue };
        let at = head.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let what = what.trim();
        if let Some(at) = at.filter(|at| *at < sentences)
            && !what.is_empty()
            && !found.iter().any(|(own, _)| *own == at)
        {
            found.push((at, what.to_owned()));
        }
    }
    let none = text.trim().trim_end_matches('.').eq_ignore_ascii_case("none");
    if found.is_empty() && !none { Err(unread(text)) } else { Ok(found) }
}
