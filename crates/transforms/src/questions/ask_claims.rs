//! `ask-claims`: puts requests about claims to a model, as they are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, ClaimAnswer, ClaimRequest, Content, Cx, Edge, Options, Reckoned, Request, Rows, Size,
    Stage, Stop,
};

use crate::retelling::summarize::model;

/// Puts requests about claims to a model. Each has one answer, or the word of the field for why there is none:
/// `SKIPPED` is too long for the model, `PROHIBITED_CONTENT` was stopped by a filter, `EMPTY_RESPONSE` is
/// nothing.
///
/// ```
/// use storymill_core::Options;
/// use storymill_transforms::AskClaims;
/// let stage: AskClaims = toml::from_str("from = 'requests'").unwrap();
/// assert_eq!(stage.models(), ["default"]);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskClaims {
    /// The source of requests.
    pub from: Edge<ClaimRequest>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "model")]
    pub model: String,
}

impl Options for AskClaims {
    fn models(&self) -> Vec<&str> {
        vec![&self.model]
    }
}

/// About how many symbols an answer has: a paragraph of reasons and a word.
const ANSWER: u64 = 800;

impl Stage for AskClaims {
    const KIND: &'static str = "ask-claims";
    const VERSION: u32 = 1;
    type In = Rows<ClaimRequest>;
    type Out = ClaimAnswer;

    fn edges(&self) -> Edge<ClaimRequest> {
        self.from.clone()
    }

    fn run(&self, requests: Rows<ClaimRequest>, cx: &mut Cx<'_>) -> Result<Vec<ClaimAnswer>, Stop> {
        cx.each(&requests, |cx, request| {
            let prompt = |_: Option<&_>| Request {
                model: self.model.clone(),
                content: Content::Chat(request.chat()),
                tries: 1,
            };
            // Whatever was said is scored, so no answer is refused.
            let answer = cx.ask(0, prompt, |answer| Ok(claim_answer(answer)))?;
            Ok(ClaimAnswer { id: request.id.clone(), answer })
        })
    }

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let requests = input.first().copied().unwrap_or_default();
        let rows = Size { rows: requests.rows, symbols: requests.rows * ANSWER };
        let each = (requests.of_row(), ANSWER);
        Reckoned::questions(rows, (&self.model, 1), requests.rows, each)
    }
}

/// An answer to a claim, or the word of the field for why there is none.
pub fn claim_answer(answer: &Answer) -> String {
    match (answer.text.trim().is_empty(), answer.finish_reason.as_str()) {
        (true, "context_overflow") => "SKIPPED".to_owned(),
        // A text that was torn off is no answer.
        (_, "content_filter" | "refusal") => "PROHIBITED_CONTENT".to_owned(),
        (true, _) => "EMPTY_RESPONSE".to_owned(),
        (false, _) => answer.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_answer_has_a_word() {
        for (text, finish_reason, expected) in [
            (" TRUE\n", "stop", " TRUE\n"),
            ("TRUE", "length", "TRUE"),
            ("", "context_overflow", "SKIPPED"),
            ("The cl", "content_filter", "PROHIBITED_CONTENT"),
            ("", "refusal", "PROHIBITED_CONTENT"),
            (" \n", "stop", "EMPTY_RESPONSE"),
        ] {
            let (text, finish_reason) = (text.to_owned(), finish_reason.to_owned());
            assert_eq!(claim_answer(&Answer { text, finish_reason }), expected);
        }
    }
}
