//! `ambiguity`: wrong options that did happen in what was read.

use std::collections::BTreeMap;

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Choice, Cx, Edge, Encoding, Form, Label, MadeBy, OptionKind, QuestionType, ReadAlongQuestion,
    Reckoned, Resource, Rows, Scene, Size, Spare, Spares, Stage, Stop, Summary, stage,
};
use storymill_metrics::bm25::{Cut, Index, Parameters};

use super::{
    judge::Judge,
    verdict::{Rule, verdict},
};
use crate::{
    asking::{Asks, all, asking},
    questions::by_question,
    retelling::prompt::Prompt,
};

/// Compares each wrong option of a read-along question with the true retellings of what was read, and has a model judge those
/// that come near against the scenes. An option that did happen is replaced by a spare one; where there is none, the question is left out.
///
/// ```
/// use storymill_transforms::Ambiguity;
/// let stage = "questions = 'asked'\nscenes = 'scenes'\nsummaries = 'summaries'";
/// let stage: Ambiguity = toml::from_str(stage).unwrap();
/// assert_eq!((stage.top, stage.near_pm), (5, 400));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ambiguity {
    /// The step that makes the questions.
    pub questions: Edge<ReadAlongQuestion>,
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings; those of single scenes are used.
    pub summaries: Edge<Summary>,
    /// The step that draws spare decoys, which take the place of options that did happen. Default: none, so that such
    /// questions are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spares: Option<Edge<Spares>>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// With how many retellings of what was read an option is compared: the nearest by BM25. Default: 5.
    #[serde(default = "crate::defaults::count::<5>")]
    pub top: u32,
    /// From where on one is near, per mille of how near an option is to itself. 0: all that share a word. Default: 400.
    #[serde(default = "crate::defaults::thousandths::<400>")]
    pub near_pm: u16,
    /// How many tokens an answer may have, thinking among them. Default: 64.
    #[serde(default = "crate::defaults::count::<64>")]
    pub max_tokens: u32,
    /// How often to ask: always once, since whatever is said counts. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(
    Ambiguity,
    ["happened.jinja"],
    std::iter::empty(),
    [prompt],
    least = [(max_tokens, 1), (top, 1)],
    check = |stage, mut faults| {
        if stage.near_pm > 1000 {
            faults.push(("near_pm", "must be at most 1000, which is as near as itself".to_owned()));
        }
        faults
    }
);

/// What stands between scenes that are not neighbours.
const GAP: &str = "\n\n[...]\n\n";

impl Stage for Ambiguity {
    stage!("ambiguity", 1,
        (Rows<ReadAlongQuestion>, Rows<Scene>, Rows<Summary>, Option<Rows<Spares>>) =>
            ReadAlongQuestion,
        questions, scenes, summaries, spares);

    /// About every other wrong option comes near to something.
    fn reckon(&self, input: &[Size]) -> Reckoned {
        let size = |at: usize| input.get(at).copied().unwrap_or_default();
        let asked = size(0).rows.saturating_mul(2);
        let each = (size(1).of_row().saturating_mul(2), 4);
        Reckoned::questions(size(0), (&self.model, 1), asked, each)
    }

    fn run(
        &self,
        (questions, scenes, summaries, spares): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ReadAlongQuestion>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let told: Vec<&Summary> = summaries.iter().filter(|one| one.level == 0).collect();
        let index =
            Index::new(told.iter().map(|one| one.text.as_str()), Cut::Words, Parameters::default());
        // Without words nothing comes near to anything.
        let Ok(index) = index else { return Ok(questions.to_vec()) };
        let scenes = scenes.iter().map(|scene| (scene.scene, scene.text.as_str())).collect();
        let book = Read { told, index, scenes };
        let spares = by_question(spares.as_deref().unwrap_or_default());
        let of_book = OfBook { stage: self, book, prompt: asking.with(0).prompt };
        cx.each(&questions, |cx, question| {
            let read = question.0.asked_at();
            let wrong = question.0.options().iter().enumerate();
            let wrong = wrong.filter(|(_, option)| is_decoy(option));
            let happened = all(wrong, |(at, option)| {
                Ok(of_book.happened(&option.text, read, cx)?.map(|near| (at, near)))
            })?;
            let happened: Vec<(usize, Vec<u32>)> = happened.into_iter().flatten().collect();
            let spares = spares.get(question.0.id.as_str()).copied().unwrap_or_default();
            of_book.replaced(question, &happened, spares, cx)
        })
    }
}

/// What options of a book's questions are held against.
struct OfBook<'r> {
    stage: &'r Ambiguity,
    book: Read<'r>,
    prompt: &'r Prompt,
}

impl OfBook<'_> {
    /// The scenes that were read in one of which an option happens, as a judge says; none if in none.
    fn happened(&self, text: &str, read: u32, cx: &mut Cx<'_>) -> Result<Option<Vec<u32>>, Stop> {
        let near = self.book.near(text, read, self.stage);
        if near.is_empty() {
            return Ok(None);
        }
        let passages: Vec<&str> =
            near.iter().filter_map(|at| self.book.scenes.get(at).copied()).collect();
        let said = self.stage.happened(text, &passages.join(GAP), self.prompt, cx)?;
        Ok(said.then_some(near))
    }

    /// A question with spares in place of options that did happen. Left out if there are too few that did not.
    fn replaced(
        &self,
        question: &ReadAlongQuestion,
        happened: &[(usize, Vec<u32>)],
        spares: &[Spare],
        cx: &mut Cx<'_>,
    ) -> Result<ReadAlongQuestion, Stop> {
        let mut asked = question.clone();
        let mut spares = spares.iter();
        let mut changes = Vec::new();
        for (at, near) in happened {
            let old = &question.0.options()[*at];
            let scenes: Vec<String> = near.iter().map(u32::to_string).collect();
            let mut detail = format!(
                "option {}, which should be wrong, happens in one of the scenes {}",
                at + 1,
                scenes.join(", ")
            );
            let spare = loop {
                let Some(spare) = spares.next() else {
                    return Err(Stop::left_out(codes(old.kind)[0], detail));
                };
                let text = &spare.choice.text;
                let fits = spare.choice.kind == old.kind
                    && asked.0.options().iter().all(|option| option.text != *text);
                if fits && self.happened(text, question.0.asked_at(), cx)?.is_none() {
                    break spare;
                }
            };
            detail.push_str(", and another one stands in its place: ");
            detail.push_str(&spare.choice.from);
            changes.push((codes(old.kind)[1], detail));
            if let Form::Options { options, .. } = &mut asked.0.form {
                options[*at] = spare.choice.clone();
            }
            // A question some of whose texts are of another maker is of both, and stays so.
            asked.0.made_by = MadeBy::of_all(asked.0.made_by.into_iter().chain(spare.made_by));
        }
        if let Some((code, detail)) = changes.into_iter().next() {
            cx.stop(format!("{}/replaced", question.0.id), Stop::left_out(code, detail))?;
        }
        Ok(asked)
    }
}

/// A book with what is told of it.
struct Read<'r> {
    told: Vec<&'r Summary>,
    index: Index,
    scenes: BTreeMap<u32, &'r str>,
}

impl Read<'_> {
    /// The scenes up to the last one read whose retellings an option comes near to, in reading order.
    fn near(&self, option: &str, read: u32, stage: &Ambiguity) -> Vec<u32> {
        let bar = self.index.score_of_itself(option) * f64::from(stage.near_pm) / 1000.0;
        let hits = self.index.top(option, self.told.len()).into_iter();
        let hits = hits.map(|hit| (self.told[hit.passage].at, hit.score));
        let hits = hits.filter(|(scene, _)| *scene <= read).take(stage.top as usize);
        let near = hits.filter(|(_, score)| *score > 0.0 && *score >= bar);
        let mut scenes: Vec<u32> = near.map(|(scene, _)| scene).collect();
        scenes.sort_unstable();
        scenes
    }
}

impl Ambiguity {
    /// Whether a judge says so; what is no verdict says nothing against a question.
    fn happened(
        &self,
        account: &str,
        passages: &str,
        prompt: &Prompt,
        cx: &mut Cx<'_>,
    ) -> Result<bool, Stop> {
        let judge = Judge {
            model: &self.model,
            called: "",
            window: None,
            tokens: Encoding::O200kBase,
            max_tokens: self.max_tokens,
        };
        let said = judge.ask(prompt, &context! { account, passages }, cx)?;
        let verdict = said.and_then(|text| verdict(Rule::FirstWord, &text));
        Ok(matches!(verdict, Ok((Label::Faithful, _))))
    }
}

/// Whether it is wrong only as long as it did not happen.
fn is_decoy(option: &Choice) -> bool {
    match option.kind {
        OptionKind::Decoy(of) => !of.decoys_happened(),
        OptionKind::Wrong => true,
        OptionKind::True | OptionKind::None => false,
    }
}

/// The reasons by type, so that the card can tell the rate of each: of a question that is left out, of an option that is replaced.
fn codes(kind: OptionKind) -> [&'static str; 2] {
    match kind {
        OptionKind::Decoy(QuestionType::Lookahead) => ["ambiguous-lookahead", "replaced-lookahead"],
        OptionKind::Decoy(QuestionType::SceneDistortion) => {
            ["ambiguous-scene-distortion", "replaced-scene-distortion"]
        }
        OptionKind::Decoy(QuestionType::OtherBook) => {
            ["ambiguous-other-book", "replaced-other-book"]
        }
        // A type of decoy that has no word here yet is told without one.
        _ => ["ambiguous", "replaced"],
    }
}

#[cfg(test)]
mod tests;
