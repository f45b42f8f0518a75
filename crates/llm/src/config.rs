//! How a workflow describes a model: the table `[model.NAME]`.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storymill_core::{Chat, Fault, FaultKind, Options, Schema};

use crate::wire::Wires;

/// A model behind an endpoint.
///
/// ```
/// let text = r#"
/// url = "http://127.0.0.1:8080/v1"
/// model = "smollm2-135m-instruct"
/// model_id = "smollm2-135m-instruct q4_1 sha256:b179c952"
/// max_tokens = 256
/// extra = { cache_prompt = false }
/// "#;
/// let model = storymill_llm::ModelConfig::parse(text).unwrap();
/// assert_eq!(model.concurrency, 8);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Where the endpoint is, up to and with its version: `http://127.0.0.1:8080/v1`.
    pub url: String,
    /// Whose wire format the endpoint speaks: `openai`, as most do, `responses`, `anthropic`, or one that the program adds.
    #[schemars(extend("examples" = ["openai", "responses", "anthropic"]))]
    #[serde(default = "openai", skip_serializing_if = "is_openai")]
    pub wire: String,
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// Your own name for exactly these weights: revision, quantisation, digest. It is part of the
    /// key of every answer, because servers answer whatever name they are asked for. The same as
    /// `model` if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// The environment variable that holds the key to the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// The header the key is sent in, where it is not the one of the wire format: `api-key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key_header: Option<String>,
    /// Whether the key may go over plain `http` to another machine, where everybody on the way can read it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_http: bool,
    /// The temperature.
    #[serde(default)]
    pub temperature: f64,
    /// The share of probability that is sampled from.
    #[serde(default = "one")]
    pub top_p: f64,
    /// How long an answer may be, in the model's tokens.
    #[serde(default = "is::<1024>")]
    pub max_tokens: u32,
    /// How hard the model thinks before it answers, in the words that it has for that: `low`, `high`. Each wire format
    /// sends it in its own place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// Where the seeds of the requests start: variant s, re-ask a is sent `seed + 1000 s + a`.
    #[serde(default)]
    pub seed: u32,
    /// Further fields of the request's body, for what the endpoint alone knows:
    /// `{ cache_prompt = false, repeat_penalty = 1.1 }`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, Value>,
    /// Fields that the endpoint refuses and that are left out: `["seed"]`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub omit: BTreeSet<Field>,
    /// What to do with the JSON schema that a stage asks for.
    #[serde(default)]
    pub response_format: ResponseFormat,
    /// What to do when a request is too long for the model.
    #[serde(default)]
    pub too_long: TooLong,
    /// How long the endpoint keeps what requests mark for its cache, where it wants marks.
    #[serde(default, skip_serializing_if = "CacheLife::is_default")]
    pub cache: CacheLife,
    /// Whether answers are sent piece by piece. For slow servers: with it, `idle_seconds` notices
    /// a server that has died in the middle of an answer.
    #[serde(default)]
    pub stream: bool,
    /// How many requests are in flight at most. For a server of your own: its slots.
    #[serde(default = "is::<8>")]
    pub concurrency: u32,
    /// How many requests a minute the endpoint allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u32>,
    /// How many tokens a minute the endpoint allows, of requests and answers together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u32>,
    /// How often a request is sent again after a failure that may pass.
    #[serde(default = "is::<8>")]
    pub retries: u32,
    /// The longest wait before a retry. If the endpoint asks for a longer one, the run stops.
    #[serde(default = "is::<120>")]
    pub longest_wait_seconds: u32,
    /// How long connecting may take.
    #[serde(default = "is::<5>")]
    pub connect_seconds: u32,
    /// How long an answer that has begun may pause.
    #[serde(default = "is::<120>")]
    pub idle_seconds: u32,
    /// How long a request may take in all. A model on a busy laptop can need minutes.
    #[serde(default = "is::<600>")]
    pub total_seconds: u32,
}

/// The models that a file describes: a workflow, or its tables `[model.NAME]` alone. Whatever else the file
/// holds is passed over.
///
/// ```
/// let text = "name = \"mine\"\n[model.default]\nurl = \"http://127.0.0.1:8080/v1\"\nmodel = \"m\"";
/// let described = storymill_llm::Described::parse(text, &Default::default(), None).unwrap();
/// assert_eq!(described.model["default"].model, "m");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Described {
    /// The models by name.
    #[serde(default)]
    pub model: BTreeMap<String, ModelConfig>,
    /// Endpoints that private text may go to.
    #[serde(default)]
    pub send_private_to: Vec<String>,
}

impl Described {
    /// Reads a file, and checks its models, which speak one of these wire formats; or one model alone, where only that is meant.
    ///
    /// # Errors
    ///
    /// It is not TOML, or a model's table is wrong.
    pub fn parse(text: &str, wires: &Wires, only: Option<&str>) -> Result<Self, Fault> {
        let unread = "cannot read the description of models";
        let described: Self = toml::from_str(text)
            .map_err(|error| Fault::new(FaultKind::Input, unread).because(error))?;
        for (name, config) in
            described.model.iter().filter(|(name, _)| only.is_none_or(|only| *name == only))
        {
            let spoken = wires.of_model(config).map_err(|why| vec![why]);
            config.check().and(spoken.map(drop)).map_err(|mistakes| {
                Fault::new(FaultKind::Input, format!("model `{name}`: {}", mistakes.join("; ")))
            })?;
        }
        Ok(described)
    }
}

/// What to do with the JSON schema that a stage asks for. The answer is checked in every case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseFormat {
    /// Send it; if the endpoint refuses the field, ask again without it.
    #[default]
    Auto,
    /// Send it; if the endpoint refuses it, stop.
    Schema,
    /// Never send it.
    None,
}

/// How long an endpoint keeps what requests mark for its cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum CacheLife {
    /// Five minutes after it was used last.
    #[default]
    #[serde(rename = "5m")]
    Minutes,
    /// An hour, for a higher price.
    #[serde(rename = "1h")]
    Hour,
}

impl CacheLife {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// How long it is.
    pub(crate) fn time(self) -> Duration {
        match self {
            Self::Minutes => Duration::from_mins(5),
            Self::Hour => Duration::from_hours(1),
        }
    }
}

/// What to do when a request is too long for the model's context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TooLong {
    /// Ask the rest of the wave, then stop and say which.
    #[default]
    Stop,
    /// Note an empty answer that ended by `context_overflow`; the stage rejects the item.
    Reject,
}

/// A parameter that can be left out of the body.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// `temperature`
    Temperature,
    /// `top_p`
    TopP,
    /// `max_tokens`
    MaxTokens,
    /// `seed`
    Seed,
}

fn openai() -> String {
    "openai".to_owned()
}

fn is_openai(wire: &str) -> bool {
    wire == "openai"
}

fn is<const N: u32>() -> u32 {
    N
}

fn one() -> f64 {
    1.0
}

/// Fields of the body that have a line of their own in the table, or that the client decides.
const OWN: [&str; 10] = [
    "model",
    "messages",
    "temperature",
    "top_p",
    "max_tokens",
    "seed",
    "n",
    "stream",
    "stream_options",
    "response_format",
];

impl ModelConfig {
    /// Reads the lines of one model's table, and checks them.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let config: Self = toml::from_str(text).map_err(|error| {
            Fault::new(FaultKind::Input, "cannot read the description of a model").because(error)
        })?;
        config.check().map_err(|mistakes| Fault::new(FaultKind::Input, mistakes.join("; ")))?;
        Ok(config)
    }

    /// Checks what the types cannot say. All mistakes at once, each a fragment.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let mut mistakes = Vec::new();
        let mut expect = |holds: bool, mistake: &str| {
            if !holds {
                mistakes.push(mistake.to_owned());
            }
        };
        match crate::endpoint::parse_url(&self.url) {
            Ok(_) => {}
            Err(mistake) => expect(false, &mistake),
        }
        expect(!self.model.is_empty(), "`model` must not be empty");
        expect(self.model_id.as_deref() != Some(""), "`model_id` must not be empty");
        expect((0.0..=10.0).contains(&self.temperature), "`temperature` must be from 0 to 10");
        expect(self.top_p > 0.0 && self.top_p <= 1.0, "`top_p` must be above 0 and at most 1");
        expect(self.effort.as_deref() != Some(""), "`effort` must not be empty");
        expect(self.max_tokens > 0, "`max_tokens` must be at least 1");
        expect((1..=4096).contains(&self.concurrency), "`concurrency` must be from 1 to 4096");
        expect(self.requests_per_minute != Some(0), "`requests_per_minute` must be at least 1");
        expect(self.tokens_per_minute != Some(0), "`tokens_per_minute` must be at least 1");
        expect(self.retries <= 100, "`retries` must be at most 100");
        let timeouts = [self.connect_seconds, self.idle_seconds, self.total_seconds];
        expect(timeouts.iter().all(|seconds| *seconds > 0), "a timeout must be at least 1 second");
        for field in OWN.iter().filter(|field| self.extra.contains_key(**field)) {
            expect(false, &format!("`extra` must not hold `{field}`"));
        }
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }

    /// The schema that is sent with a conversation, if one is.
    pub fn schema<'c>(&self, chat: &'c Chat) -> Option<&'c Schema> {
        chat.schema.as_ref().filter(|_| self.response_format != ResponseFormat::None)
    }

    /// The user's name for these weights.
    pub fn id(&self) -> &str {
        self.model_id.as_deref().unwrap_or(&self.model)
    }

    /// The line of the table that a mistake is about, and what is wrong with it.
    pub fn line_of(mistake: &str) -> (&'static str, String) {
        const NAMED: [&str; 12] = [
            "wire",
            "model",
            "model_id",
            "temperature",
            "top_p",
            "max_tokens",
            "effort",
            "concurrency",
            "requests_per_minute",
            "tokens_per_minute",
            "retries",
            "extra",
        ];
        let option = NAMED.into_iter().find(|name| mistake.starts_with(&format!("`{name}` ")));
        match option {
            Some(option) => (option, mistake[option.len() + 3..].to_owned()),
            None => ("url", format!("or a timeout is wrong: {mistake}")),
        }
    }
}

impl Options for ModelConfig {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mistakes = Self::check(self).err().into_iter().flatten();
        mistakes.map(|mistake| Self::line_of(&mistake)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_come_all_at_once() {
        let text = "url = \"ftp://x\"\nmodel = \"\"\ntop_p = 2.0\nextra = { messages = 1 }";
        let fault = ModelConfig::parse(text).unwrap_err().to_string();
        for part in ["http", "`model`", "`top_p`", "`extra` must not hold `messages`"] {
            assert!(fault.contains(part), "{part} in {fault}");
        }
    }

    #[test]
    fn a_misspelt_field_is_refused() {
        let text = "url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\ntemprature = 1";
        assert!(ModelConfig::parse(text).is_err());
    }

    #[test]
    fn credentials_in_the_url_are_refused_and_not_repeated() {
        let text = "url = \"http://me:hunter2@127.0.0.1/v1\"\nmodel = \"m\"";
        let fault = ModelConfig::parse(text).unwrap_err();
        assert!(!format!("{fault:?}{fault}").contains("hunter2"));
    }
}
