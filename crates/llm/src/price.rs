//! What models cost: a table that the user writes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Fault, FaultKind};

use crate::{CacheLife, ModelConfig, Usage, Usd};

/// Prices by model: by the user's `model_id`, or by the endpoint's name for it.
///
/// ```
/// let prices = storymill_llm::Prices::parse("
///     [\"tiny-1\"]
///     input = 0.15
///     cached_input = 0.075
///     output = 0.60
/// ").unwrap();
/// assert!(!prices.0.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Prices(pub BTreeMap<String, Price>);

/// The price of one model, in USD for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Of the request.
    pub input: f64,
    /// Of the part of the request that the endpoint had in its cache; as `input` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Of the part that is put into its cache for five minutes; as `input` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// The same for an hour, for models with `cache = "1h"`; as `cache_write` if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<f64>,
    /// Of the answer, reasoning included.
    pub output: f64,
    /// What batches cost of these prices: `0.5` is half; as much if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<f64>,
}

impl Prices {
    /// Reads a table of prices, in TOML or (if it begins with a brace) in JSON.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let fault = || Fault::new(FaultKind::Input, "cannot read the table of prices");
        let prices: Self = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| fault().because(error))?
        } else {
            toml::from_str(text).map_err(|error| fault().because(error))?
        };
        for (model, price) in &prices.0 {
            let caches = [price.cached_input, price.cache_write, price.cache_write_1h];
            let all = caches.map(Option::unwrap_or_default).into_iter();
            let mut all = all.chain([price.input, price.output]);
            if !all.all(|price| (0.0..=1e6).contains(&price)) {
                let message = format!("the price of `{model}` must be from 0 to 1,000,000");
                return Err(Fault::new(FaultKind::Input, message));
            }
            if !price.batch.is_none_or(|share| (0.0..=1.0).contains(&share)) {
                let message =
                    format!("the share that batches of `{model}` cost must be from 0 to 1");
                return Err(Fault::new(FaultKind::Input, message));
            }
        }
        Ok(prices)
    }

    /// The prices of requests that are sent in batches.
    #[must_use]
    pub fn in_batches(mut self) -> Self {
        for price in self.0.values_mut() {
            let share = price.batch.unwrap_or(1.0);
            price.input *= share;
            price.output *= share;
            for cache in
                [&mut price.cached_input, &mut price.cache_write, &mut price.cache_write_1h]
            {
                *cache = cache.map(|cached| cached * share);
            }
        }
        self
    }

    /// The price of a model, if it is known: `cache_write` is that of the time that it keeps things for.
    pub fn of(&self, model: &ModelConfig) -> Option<Price> {
        let mut price = *self.0.get(model.id()).or_else(|| self.0.get(&model.model))?;
        if model.cache == CacheLife::Hour {
            price.cache_write = price.cache_write_1h.or(price.cache_write);
        }
        Some(price)
    }
}

impl Price {
    /// The cost of some tokens.
    pub fn of(self, usage: &Usage) -> Usd {
        // A dollar for a million tokens is a million trillionths for one: prices have up to six digits after the point.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        let of = |price: f64, tokens: u64| (price * 1e6).round() as u128 * u128::from(tokens);
        let cached = usage.cached.min(usage.prompt);
        let put = usage.cache_write.min(usage.prompt - cached);
        let trillionths = of(self.input, usage.prompt - cached - put)
            + of(self.cached_input.unwrap_or(self.input), cached)
            + of(self.cache_write.unwrap_or(self.input), put)
            + of(self.output, usage.completion);
        Usd::nano(u64::try_from(trillionths.div_ceil(1000)).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_tokens_cost_what_the_table_says() {
        let priced = |price: &str| Prices::parse(price).unwrap().0["m"];
        let price = priced("[m]\ninput = 0.15\ncached_input = 0.075\noutput = 0.6");
        let usage =
            Usage { prompt: 1_000_000, cached: 400_000, completion: 100_000, ..Usage::default() };
        assert_eq!(price.of(&usage), Usd::micro(90_000 + 30_000 + 60_000));
        // A price is not rounded to thousandths of a dollar.
        let price = priced("[m]\ninput = 0.0375\noutput = 0.0");
        assert_eq!(price.of(&usage), Usd::micro(37_500));
        let price =
            priced("[m]\ninput = 1.0\ncached_input = 0.1\ncache_write = 1.25\noutput = 0.0");
        let usage = Usage { cache_write: 500_000, ..usage };
        assert_eq!(price.of(&usage), Usd::micro(100_000 + 40_000 + 625_000));
    }

    #[test]
    fn nonsense_is_refused() {
        let half =
            Prices::parse("[m]\ninput = 2.0\noutput = 4.0\nbatch = 0.5").unwrap().in_batches();
        assert_eq!((half.0["m"].input, half.0["m"].output), (1.0, 2.0));
        let more = "[m]\ninput = 1.0\noutput = 1.0\nbatch = 1.5";
        for text in
            ["[m]\ninput = -1.0\noutput = 1.0", "[m]\ninput = nan\noutput = 1.0", "{]", more]
        {
            assert!(Prices::parse(text).is_err(), "{text}");
        }
        assert!(Prices::parse("{\"m\": {\"input\": 1, \"output\": 2}}").is_ok());
    }
}
