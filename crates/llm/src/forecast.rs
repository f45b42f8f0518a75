//! What requests will cost, before they are sent. Estimates, and called so.

use serde::Serialize;
use storymill_core::{Asked, Exchanged, text_symbols};

use crate::{ModelConfig, Prices, Usage, budget::dollars};

/// About how many tokens a text has: a quarter of its symbols. English prose in common
/// vocabularies lies within a fifth of it; other languages take more.
///
/// ```
/// assert_eq!(storymill_llm::forecast::tokens("Call me Ishmael."), 4);
/// ```
pub fn tokens(text: &str) -> u64 {
    of_symbols(text.chars().count() as u64)
}

/// The same from a number of symbols.
pub fn of_symbols(symbols: u64) -> u64 {
    symbols.div_ceil(4)
}

/// About how many tokens the messages of a request have.
pub fn of_request(body: &serde_json::Value) -> u64 {
    of_symbols(text_symbols(body))
}

/// `1 answer`, `2 answers`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// About what it takes to have the answers of one model that some rows were made from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Toll {
    /// The user's name for the model's weights.
    pub model_id: String,
    /// Answers.
    pub answers: u64,
    /// About how many tokens were sent.
    pub prompt_tokens: u64,
    /// About how many tokens the answers have, reasoning apart.
    pub completion_tokens: u64,
    /// About what they cost, in millionths of a dollar; none if the model has no price.
    pub micro_usd: Option<u64>,
}

impl Toll {
    /// Reckons with four symbols a token.
    pub fn of(model_id: &str, exchanged: &Exchanged, prices: &Prices) -> Self {
        let (prompt, completion) =
            (of_symbols(exchanged.symbols_in), of_symbols(exchanged.symbols_out));
        let usage = Usage { prompt, completion, ..Usage::default() };
        Self {
            model_id: model_id.to_owned(),
            answers: exchanged.answers,
            prompt_tokens: prompt,
            completion_tokens: completion,
            micro_usd: prices.0.get(model_id).map(|price| price.nano_usd(&usage).div_ceil(1000)),
        }
    }

    /// `12 answers of tiny-1, about 8,000 tokens in and 900 out, about $0.02`.
    pub fn shown(&self) -> String {
        let cost = match self.micro_usd {
            Some(micro) => format!("about {}", dollars(micro.saturating_mul(1000))),
            None => "no price known".to_owned(),
        };
        let Self { model_id, answers, prompt_tokens, completion_tokens, .. } = self;
        let word = if *answers == 1 { "answer" } else { "answers" };
        format!(
            "{answers} {word} of `{model_id}`, about {prompt_tokens} tokens in and {completion_tokens} out, {cost}"
        )
    }
}

/// About what some requests of one stage to one model will take.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// The kind of stage.
    pub stage: String,
    /// The model's name in the workflow.
    pub model: String,
    /// Requests.
    pub requests: u64,
    /// About how many tokens are sent.
    pub prompt_tokens: u64,
    /// How many tokens the answers have at most.
    pub completion_tokens: u64,
    /// The most it may cost, in millionths of a dollar; none if the model has no price.
    pub micro_usd: Option<u64>,
}

impl Forecast {
    /// A forecast from counts: for stages that know how often they will ask, and how much.
    pub fn new(
        stage: &str,
        (name, model): (&str, &ModelConfig),
        prices: &Prices,
        requests: u64,
        prompt_tokens: u64,
    ) -> Self {
        let completion_tokens = requests.saturating_mul(u64::from(model.max_tokens));
        let usage =
            Usage { prompt: prompt_tokens, completion: completion_tokens, ..Usage::default() };
        let price = prices.of(model);
        Self {
            stage: stage.to_owned(),
            model: name.to_owned(),
            requests,
            prompt_tokens,
            completion_tokens,
            micro_usd: price.map(|price| price.nano_usd(&usage).div_ceil(1000)),
        }
    }

    /// `12 requests, about 8,000 tokens in, at most 4,000 out, at most $0.02`.
    pub fn shown(&self) -> String {
        let cost = match self.micro_usd {
            Some(micro) => format!("at most {}", dollars(micro.saturating_mul(1000))),
            None => "no price known".to_owned(),
        };
        let requests = if self.requests == 1 { "request" } else { "requests" };
        format!(
            "{} {requests}, about {} tokens in, at most {} out, {cost}",
            self.requests, self.prompt_tokens, self.completion_tokens
        )
    }
}

/// Adds up a wave by stage and model.
pub fn of_wave<'a>(
    wave: &[Asked],
    models: impl Fn(&str) -> Option<&'a ModelConfig>,
    prices: &Prices,
) -> Vec<Forecast> {
    let mut sums = std::collections::BTreeMap::<(&str, &str), (u64, u64)>::new();
    for asked in wave {
        let sum = sums.entry((asked.stage, asked.request.model.as_str())).or_default();
        sum.0 += 1;
        sum.1 += of_request(&asked.request.body);
    }
    let forecast = |((stage, name), (requests, tokens)): ((&str, &str), (u64, u64))| {
        Some(Forecast::new(stage, (name, models(name)?), prices, requests, tokens))
    };
    sums.into_iter().filter_map(forecast).collect()
}
