//! `refine`: questions and answers put right by a model, by the protocol of LiteraryQA in our own words.
//!
//! The model sees the summary, the question and its answers, and says of each what is wrong with it and what should stand
//! there. A question whose text *and* answer would both change is left out: too little of what people wrote would be left.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    AskedDocument, AskedQuestion, Cx, Digest, Edge, Fault, Reckoned, Reply, Resource, Revision,
    RevisionState, Rows, Size, Stage, Stop, stage,
};

use super::{
    proposal::{self, Correction, Proposal},
    revising::Proposed,
};
use crate::{
    asking::{Asks, all, asking},
    retelling::prompt::{AGAIN, Ask},
};

/// Asks a model what is wrong with each question and its answers, and puts it right. Every change is a row of the ledger
/// and a review item that takes it back.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::Refine;
/// let stage: Refine = toml::from_str("from = 'distinct'").unwrap();
/// assert_eq!((stage.models(), stage.tries), (vec!["default"], 3));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refine {
    /// The step that makes the documents: `distinct-questions`.
    pub from: Edge<AskedDocument>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// What rows call the model. Default: its name in the workflow.
    #[serde(default)]
    pub called: String,
    /// How often to ask at most until an answer can be read; a question without one stays as it is. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(Refine, ["refine.jinja"], [AGAIN], [prompt]);

/// About how many symbols a summary, a question with its answers, and what is said of them have.
const SIZES: [u64; 3] = [3_500, 200, 300];

impl Stage for Refine {
    stage!("refine", 1, Rows<AskedDocument> => AskedDocument, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let rows = input.first().copied().unwrap_or_default();
        let [summary, question, said] = SIZES;
        let asks = rows.symbols.saturating_sub(rows.rows * summary) / question;
        let sent = Self::TEMPLATES[0].1.len() as u64 + summary + question;
        Reckoned::questions(rows, (&self.model, self.tries), asks, (sent, said))
    }

    fn run(
        &self,
        documents: Rows<AskedDocument>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<AskedDocument>, Stop> {
        all(documents.iter(), |document| self.refine(document, cx))
    }
}

/// What became of a question: it, if it is left, and its rows of the ledger.
type Outcome = (Option<AskedQuestion>, Vec<Revision>);

impl Refine {
    fn refine(&self, document: &AskedDocument, cx: &mut Cx<'_>) -> Result<AskedDocument, Stop> {
        let mut out = document.clone();
        // Without a summary nobody can say what is wrong.
        if document.left_out.is_none() && !document.summary.is_empty() {
            let outcomes =
                cx.each(&document.questions, |cx, question| self.question(document, question, cx))?;
            out.questions.clear();
            for (question, rows) in outcomes {
                out.questions.extend(question);
                out.revisions.extend(rows);
            }
        }
        out.pass(Self::KIND);
        Ok(out)
    }

    fn question(
        &self,
        document: &AskedDocument,
        question: &AskedQuestion,
        cx: &mut Cx<'_>,
    ) -> Result<Outcome, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let schema = proposal::schema(question);
        let ask = Ask { schema: Some(&schema), ..asking.with(0) };
        let answers: Vec<_> = question
            .answers
            .iter()
            .map(
                |answer| context! { field => proposal::field(answer.number), text => &answer.text },
            )
            .collect();
        let variables = context! {
            title => &document.title,
            summary => &document.summary,
            question => &question.question,
            answers,
        };
        match ask.first(cx, 0, &variables, |answer| proposal::read(question, answer)) {
            Ok(taken) => {
                let digest = taken.digest();
                Ok(self.apply(document, question, &taken.value, digest, cx)?)
            }
            Err(Stop::Reject(why)) => {
                let proposed = Proposed {
                    part: "question".to_owned(),
                    kind: "not-refined",
                    after: &question.question,
                    reason: format!("no answer could be used: {}", why.detail),
                    ..self.proposed(question)
                };
                let row = proposed.row(document, question, RevisionState::Refused, false);
                Ok((Some(question.clone()), vec![row]))
            }
            Err(other) => Err(other),
        }
    }

    fn called(&self) -> &str {
        if self.called.is_empty() { &self.model } else { &self.called }
    }

    /// What is common to all that is proposed about a question.
    fn proposed<'p>(&'p self, question: &'p AskedQuestion) -> Proposed<'p> {
        let (step, before, model) = (Self::KIND, question.question.as_str(), self.called());
        Proposed { step, before, model, ..Proposed::default() }
    }

    fn apply(
        &self,
        document: &AskedDocument,
        question: &AskedQuestion,
        proposal: &Proposal,
        digest: Digest,
        cx: &mut Cx<'_>,
    ) -> Result<Outcome, Fault> {
        let mut rows = Vec::new();
        // What is to stand there, if the change is made: what a person wrote, else what the model did.
        let mut decide = |part: String, before: &str, wrong: &Correction| {
            let is_question = part == "question";
            // What is not proposed changes nothing.
            let after = wrong.text.as_deref().unwrap_or(before);
            let (kind, reason) = (wrong.kind, proposal.reason.clone());
            let answer = Some(digest);
            let whole = self.proposed(question);
            let proposed = Proposed { part, kind, before, after, reason, answer, ..whole };
            if let Some(why) = wrong.refused(is_question) {
                let proposed = Proposed { reason: why, ..proposed };
                rows.push(proposed.row(document, question, RevisionState::Refused, false));
                return Ok(None);
            }
            let decided = proposed.decide(document, question, cx)?;
            rows.push(decided.row);
            let text = decided.written.unwrap_or_else(|| wrong.text.clone().unwrap_or_default());
            Ok::<_, Fault>(decided.applies.then_some(text))
        };
        let mut out = question.clone();
        if let Some(wrong) = &proposal.question
            && let Some(text) = decide("question".to_owned(), &question.question, wrong)?
        {
            out.question = text;
            out.is_modified = true;
        }
        let mut changed = false;
        out.answers.clear();
        for (answer, wrong) in question.answers.iter().zip(&proposal.answers) {
            let part = format!("answer-{}", answer.number);
            let put = wrong.as_ref().map(|wrong| decide(part, &answer.text, wrong)).transpose()?;
            match put.flatten() {
                Some(text) => {
                    changed = true;
                    if !text.is_empty() {
                        out.answers.push(Reply { text, is_modified: true, ..answer.clone() });
                    }
                }
                None => out.answers.push(answer.clone()),
            }
        }
        if out.question.is_empty() {
            return Ok((None, rows));
        }
        let Some((kind, reason)) = left_out(&out, changed) else { return Ok((Some(out), rows)) };
        let (part, answer) = ("whole".to_owned(), Some(digest));
        let proposed = Proposed { part, kind, reason, answer, ..self.proposed(question) };
        let decided = proposed.decide(document, question, cx)?;
        rows.push(decided.row);
        // Who keeps it takes back the changes that it would be left out for.
        let kept = (!decided.applies).then(|| question.clone());
        if kept.is_some() {
            for row in &mut rows {
                row.state = match row.state {
                    RevisionState::Applied => RevisionState::TakenBack,
                    other => other,
                };
            }
        }
        Ok((kept, rows))
    }
}

/// Why a changed question is to be left out whole, if it is.
fn left_out(out: &AskedQuestion, changed: bool) -> Option<(&'static str, String)> {
    if out.answers.is_empty() {
        return Some(("no-answer", "no answer is left".to_owned()));
    }
    let answers: Vec<&str> = out.answers.iter().map(|one| &*one.text).collect();
    let both = format!("{} ({})", out.question, answers.join(" / "));
    let why = format!("the question and an answer would both be changed: {both}");
    (out.is_modified && changed).then_some(("both-changed", why))
}

#[cfg(test)]
mod tests;
