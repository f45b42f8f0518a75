//! What requests come to: counted where they were sent, estimated before they are.

use std::{collections::BTreeMap, fmt, iter::Sum, ops::AddAssign};

use serde::Serialize;
use serde_json::{Value, json};
use storymill_core::{AskTotals, Asked, plural};

use crate::{
    Price, Usage, Usd,
    model::Model,
    sharing::{self, Row},
};

/// What some requests came to, or about what they will come to.
///
/// It prints as what is known, or, with `{:#}`, as an estimate.
///
/// ```
/// use storymill_llm::{Cost, Usage};
/// let cost = Cost::of(2, Usage { prompt: 800, completion: 90, ..Usage::default() }, None);
/// assert_eq!(cost.to_string(), "800 tokens in and 90 out, no price known");
/// assert_eq!(format!("{cost:#}"), "about 800 tokens in and 90 out, no price known");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Requests sent; of an estimate, none.
    pub requests: u64,
    /// Answers that are safe in the log; of an estimate, requests that are to be answered.
    pub answers: u64,
    /// Tokens, as far as they are known.
    pub usage: Usage,
    /// Answers whose usage is our estimate, because the server gave none.
    pub estimated: u64,
    /// Money; of models without a price, nothing.
    #[serde(rename = "micro_usd")]
    pub usd: Usd,
    /// Answers of models without a price.
    pub unpriced: u64,
}

impl Cost {
    /// What it takes to have so many answers with so many tokens.
    pub fn of(answers: u64, usage: Usage, price: Option<Price>) -> Self {
        let usd = price.map(|price| price.of(&usage)).unwrap_or_default();
        let unpriced = if price.is_some() { 0 } else { answers };
        Self { answers, usage, usd, unpriced, ..Self::default() }
    }

    /// About what an exchange takes, at four symbols a token.
    pub fn about(exchanged: &AskTotals, price: Option<Price>) -> Self {
        Self::of(
            exchanged.answers,
            Usage::about(exchanged.symbols_in, exchanged.symbols_out),
            price,
        )
    }

    /// As programs read the whole of a run.
    pub fn as_json(&self) -> Value {
        json!({
            "requests": self.requests, "answers": self.answers, "tokens_in": self.usage.prompt,
            "tokens_cached": self.usage.cached, "tokens_put_in_caches": self.usage.cache_write,
            "tokens_out": self.usage.completion, "micro_usd": self.usd, "unpriced": self.unpriced,
        })
    }

    /// The money; none where a part of it has no price.
    pub fn known_usd(&self) -> Option<Usd> {
        (self.unpriced == 0).then_some(self.usd)
    }

    /// The money in words: `$0.020625`, or, as an estimate, `about $0.02`.
    pub fn money(&self, is_estimate: bool) -> String {
        match self.known_usd() {
            Some(usd) if is_estimate => format!("about {}", usd.about()),
            Some(usd) => usd.to_string(),
            None => "no price known".to_owned(),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = if f.alternate() { "about " } else { "" };
        let Usage { prompt, cached, completion, .. } = self.usage;
        let (read, money) = (plural(prompt, "token"), self.money(f.alternate()));
        let cached = match cached {
            0 => String::new(),
            cached => format!(" ({cached} of them from caches)"),
        };
        write!(f, "{about}{read} in{cached} and {completion} out, {money}")
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.answers += other.answers;
        self.usage += other.usage;
        self.estimated += other.estimated;
        self.usd += other.usd;
        self.unpriced += other.unpriced;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        let mut sum = Self::default();
        costs.for_each(|cost| sum += cost);
        sum
    }
}

/// What the next wave of requests of one stage to one model will take. What follows from the answers is no part
/// of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    /// If each request is sent once and has the longest answer.
    pub once: Cost,
    /// The most: if each of them needs every try that it has.
    pub most: Cost,
}

impl AddAssign for Forecast {
    fn add_assign(&mut self, other: Self) {
        self.once += other.once;
        self.most += other.most;
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (usage, most) = (self.once.usage, self.most);
        write!(
            f,
            "{}, about {} in{}, at most {} out, in one wave; with every try at most {}, {}",
            plural(self.once.answers, "request"),
            plural(usage.prompt, "token"),
            match usage.cached {
                0 => String::new(),
                cached => format!(" ({cached} of them from caches)"),
            },
            usage.completion,
            plural(most.answers, "request"),
            most.money(false)
        )
    }
}

/// Adds up requests of a model, in the order in which they are asked, by stage.
pub(crate) fn of_rows(rows: &[Row<'_>], model: &Model) -> BTreeMap<String, Forecast> {
    let (mut sums, price) = (BTreeMap::<_, Forecast>::new(), model.price);
    for (asked, usage) in in_order(rows, model) {
        let tries = u64::from(asked.request.tries.saturating_sub(asked.attempt).max(1));
        let once = Cost::of(1, usage, price);
        let plain = Usage { cached: 0, cache_write: 0, ..usage };
        let most = dearest(tries, plain, price);
        let most = Cost { usd: most.usd * tries, ..most };
        *sums.entry(asked.stage.to_owned()).or_default() += Forecast { once, most };
    }
    sums
}

/// The most that requests of about so many tokens may take: two symbols a token, and all of it put into a cache where
/// that costs more.
pub(crate) fn dearest(answers: u64, usage: Usage, price: Option<Price>) -> Cost {
    let usage = Usage { prompt: usage.prompt * 2 + 64, ..usage };
    let plain = Cost::of(answers, usage, price);
    let put = Cost::of(answers, Usage { cache_write: usage.prompt, ..usage }, price);
    Cost { usd: plain.usd.max(put.usd), ..plain }
}

/// What requests of a model take, in the order in which they are asked, with what its caches have by then. A cache is
/// reckoned with where what it has is cheaper.
pub(crate) fn in_order<'r>(
    rows: &'r [Row<'r>],
    model: &'r Model,
) -> impl Iterator<Item = (&'r Asked, Usage)> {
    let (config, marks) = (&model.config, model.wire.wants_marks());
    let has_cache = model.price.is_some_and(|price| price.cached_input.is_some());
    rows.iter().enumerate().map(move |(at, row)| {
        let request = &row.asked.request;
        let chat = request.chat();
        let completion = chat.and_then(|chat| chat.max_tokens).unwrap_or(config.max_tokens);
        let plain = Usage::about(request.symbols(), 0);
        let mut usage = Usage { completion: u64::from(completion), ..plain };
        if !has_cache {
            return (row.asked, usage);
        }
        let tokens = |end: usize| {
            let system = chat.and_then(|chat| chat.system.as_deref()).unwrap_or_default();
            let text =
                chat.and_then(|chat| chat.turns.first()?.text.get(..end)).unwrap_or_default();
            let symbols = system.chars().count() + text.chars().count();
            Some(Usage::about(symbols as u64, 0).prompt).filter(|tokens| *tokens >= FEWEST)
        };
        if marks {
            usage.cached = tokens(row.place.known).unwrap_or_default();
            let last = row.place.marks.last().and_then(|end| tokens(*end)).unwrap_or_default();
            usage.cache_write = last.saturating_sub(usage.cached);
        } else {
            let common = tokens(sharing::common(rows, at)).unwrap_or_default();
            usage.cached = common / STEP * STEP;
        }
        (row.asked, usage)
    })
}

/// The fewest tokens that caches keep, and the steps in which those without marks do.
const FEWEST: u64 = 1_024;
const STEP: u64 = 128;
