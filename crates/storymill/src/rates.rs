//! How fast models are asked at most, beside what the workflow says of them: the share of one of several runs.

use std::{collections::BTreeMap, str::FromStr};

use storymill_core::{Fault, FaultKind, did_you_mean};
use storymill_llm::ModelConfig;

/// Limits on how fast models are asked. They only lower what the workflow says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rates {
    /// Requests a minute.
    pub requests: Vec<Rate>,
    /// Tokens a minute, of requests and answers together.
    pub tokens: Vec<Rate>,
    /// Requests in flight.
    pub in_flight: Vec<Rate>,
}

/// A limit for one model, or for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The model's name in the workflow; none for each model.
    pub model: Option<String>,
    /// The most.
    pub most: u32,
}

/// A text that says no rate.
#[derive(Debug)]
pub struct NotARate;

impl std::fmt::Display for NotARate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "not a rate: write a number from 1, as in `600`, or one for a model, as in `small=600`",
        )
    }
}

impl std::error::Error for NotARate {}

impl FromStr for Rate {
    type Err = NotARate;

    fn from_str(text: &str) -> Result<Self, NotARate> {
        let (model, most) = match text.rsplit_once('=') {
            Some((model, most)) => (Some(model.to_owned()), most),
            None => (None, text),
        };
        let most = most.parse().ok().filter(|most| *most > 0).ok_or(NotARate)?;
        Ok(Self { model, most })
    }
}

impl Rates {
    /// The models with these limits.
    ///
    /// # Errors
    ///
    /// A limit is for a model that is not described.
    pub(crate) fn cap(
        &self,
        mut models: BTreeMap<String, ModelConfig>,
    ) -> Result<BTreeMap<String, ModelConfig>, Fault> {
        let all = self.requests.iter().chain(&self.tokens).chain(&self.in_flight);
        let unknown =
            all.filter_map(|rate| rate.model.as_ref()).find(|name| !models.contains_key(*name));
        if let Some(name) = unknown {
            let message = format!(
                "a rate is for the model `{}`, which the workflow does not describe",
                name.escape_debug()
            );
            let known = models.keys().map(String::as_str);
            return Err(Fault::new(FaultKind::Input, message)
                .hint(did_you_mean(name, known).unwrap_or_default()));
        }
        for (name, config) in &mut models {
            let most = |rates: &[Rate], own: Option<u32>| {
                let ours = rates
                    .iter()
                    .filter(|rate| rate.model.as_ref().is_none_or(|model| model == name));
                ours.map(|rate| rate.most).chain(own).min()
            };
            config.requests_per_minute = most(&self.requests, config.requests_per_minute);
            config.tokens_per_minute = most(&self.tokens, config.tokens_per_minute);
            config.concurrency =
                most(&self.in_flight, Some(config.concurrency)).unwrap_or(config.concurrency);
        }
        Ok(models)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_only_lower_what_the_workflow_says() {
        let model = |more: &str| {
            let text = format!("url = \"http://127.0.0.1:1\"\nmodel = \"m\"\n{more}");
            ModelConfig::parse(&text).unwrap()
        };
        let models = BTreeMap::from([
            ("a".to_owned(), model("requests_per_minute = 60")),
            ("b".to_owned(), model("concurrency = 2")),
        ]);
        let rate = |text: &str| vec![text.parse::<Rate>().unwrap()];
        let rates = Rates { requests: rate("90"), tokens: rate("a=500"), in_flight: rate("4") };
        let capped = rates.cap(models.clone()).unwrap();
        let of = |name: &str| {
            let one = &capped[name];
            (one.requests_per_minute, one.tokens_per_minute, one.concurrency)
        };
        assert_eq!(of("a"), (Some(60), Some(500), 4));
        assert_eq!(of("b"), (Some(90), None, 2));
        let rates = Rates { tokens: rate("c=1"), ..Rates::default() };
        assert!(rates.cap(models).unwrap_err().message.contains("`c`"));
        for text in ["0", "", "a=", "a=x", "-1"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
