//! What requests will cost, before they are sent. Estimates, and called so.

use serde::Serialize;
use storymill_core::{AskTotals, Asked, plural};

use crate::{ModelConfig, Price, Prices, Usage, Usd};

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
    /// About what they cost; none if the model has no price.
    #[serde(rename = "micro_usd")]
    pub usd: Option<Usd>,
}

impl Toll {
    /// Reckons with four symbols a token.
    pub fn of(model_id: &str, exchanged: &AskTotals, prices: &Prices) -> Self {
        let (prompt, completion) =
            (of_symbols(exchanged.symbols_in), of_symbols(exchanged.symbols_out));
        let usage = Usage { prompt, completion, ..Usage::default() };
        Self {
            model_id: model_id.to_owned(),
            answers: exchanged.answers,
            prompt_tokens: prompt,
            completion_tokens: completion,
            usd: prices.0.get(model_id).map(|price| price.of(&usage)),
        }
    }

    /// `12 answers of tiny-1, about 8,000 tokens in and 900 out, about $0.02`.
    pub fn shown(&self) -> String {
        let cost = match self.usd {
            Some(usd) => format!("about {usd}"),
            None => "no price known".to_owned(),
        };
        let Self { model_id, answers, prompt_tokens, completion_tokens, .. } = self;
        let answers = plural(*answers, "answer");
        let read = plural(*prompt_tokens, "token");
        format!("{answers} of `{model_id}`, about {read} in and {completion_tokens} out, {cost}")
    }
}

/// What an exchange costs at four symbols a token.
pub(crate) fn usd(price: Price, exchanged: &AskTotals) -> Usd {
    let (prompt, completion) =
        (of_symbols(exchanged.symbols_in), of_symbols(exchanged.symbols_out));
    price.of(&Usage { prompt, completion, ..Usage::default() })
}

/// What one wave of requests of one stage to one model will take: as many as there are now, and at most if
/// each of them needs every try that it has. What follows from the answers is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forecast {
    /// The kind of stage.
    pub stage: String,
    /// The model's name in the workflow.
    pub model: String,
    /// Requests of the wave.
    pub requests: u64,
    /// Requests at most, if each needs every try.
    pub most_requests: u64,
    /// About how many tokens are sent in the wave.
    pub prompt_tokens: u64,
    /// How many tokens its answers have at most.
    pub completion_tokens: u64,
    /// The most it may cost with every try; none if the model has no price.
    #[serde(rename = "micro_usd")]
    pub usd: Option<Usd>,
}

impl Forecast {
    /// Adds a forecast of the same stage and model.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.most_requests += other.most_requests;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.usd = self.usd.zip(other.usd).map(|(a, b)| a + b);
    }

    /// `12 requests, about 8000 tokens in, at most 4000 out, in one wave; with every try at most 36 requests and $0.06`.
    pub fn shown(&self) -> String {
        let Self { requests, most_requests, prompt_tokens, completion_tokens, .. } = self;
        let cost = match self.usd {
            Some(usd) => usd.to_string(),
            None => "no price known".to_owned(),
        };
        let wave = format!(
            "{}, about {} in, at most {completion_tokens} out, in one wave",
            plural(*requests, "request"),
            plural(*prompt_tokens, "token")
        );
        match (most_requests > requests, self.usd) {
            (true, Some(_)) => {
                format!("{wave}; with every try at most {most_requests} requests and {cost}")
            }
            (true, None) => {
                format!("{wave}; with every try at most {most_requests} requests, {cost}")
            }
            (false, Some(_)) => format!("{wave}, at most {cost}"),
            (false, None) => format!("{wave}, {cost}"),
        }
    }
}

/// Adds up a wave by stage and model.
pub fn of_wave<'a>(
    wave: &[Asked],
    models: impl Fn(&str) -> Option<&'a ModelConfig>,
    prices: &Prices,
) -> Vec<Forecast> {
    let mut sums = std::collections::BTreeMap::<(&str, &str), Forecast>::new();
    for asked in wave {
        let name = asked.request.model.as_str();
        let Some(model) = models(name) else { continue };
        let own = asked.request.chat().and_then(|chat| chat.max_tokens);
        let completion_tokens = u64::from(own.unwrap_or(model.max_tokens));
        let prompt_tokens = of_symbols(asked.request.symbols());
        let tries = u64::from(asked.request.tries.saturating_sub(asked.attempt).max(1));
        let dearest = dearest(prompt_tokens, completion_tokens);
        let usd = prices.of(model).map(|price| price.of(&dearest) * tries);
        let one = Forecast {
            requests: 1,
            most_requests: tries,
            prompt_tokens,
            completion_tokens,
            usd,
            ..Forecast::default()
        };
        let none = || Forecast {
            stage: asked.stage.to_owned(),
            model: name.to_owned(),
            usd: Some(Usd::default()),
            ..Forecast::default()
        };
        sums.entry((asked.stage, name)).or_insert_with(none).add(&one);
    }
    sums.into_values().collect()
}

/// The most that a request of about so many tokens may use: two symbols a token, and the longest answer.
fn dearest(prompt: u64, completion: u64) -> Usage {
    Usage { prompt: prompt * 2 + 64, completion, ..Usage::default() }
}
