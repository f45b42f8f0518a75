//! The wire formats that models may speak, by name.

use std::fmt;

use serde_json::Value;
use storymill_core::{Chat, did_you_mean};

use super::{Outcome, Wire, anthropic, openai, responses};
use crate::ModelConfig;

/// The wire formats that models may speak: `openai`, `responses` and `anthropic`, and those that a program adds.
#[derive(Clone)]
pub struct Wires(Vec<&'static dyn Wire>);

impl Default for Wires {
    fn default() -> Self {
        // A line of results is read by the first that knows it: of those that look alike the pickier one stands first.
        Self(Vec::new())
            .with(&openai::OpenAi)
            .with(&responses::Responses)
            .with(&anthropic::Anthropic)
    }
}

impl fmt::Debug for Wires {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Wires {
    /// The same with one more, in place of one of the same name.
    #[must_use]
    pub fn with(mut self, wire: &'static dyn Wire) -> Self {
        self.0.retain(|known| known.name() != wire.name());
        self.0.insert(0, wire);
        self
    }

    /// Their names, those that were added last first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|wire| wire.name())
    }

    /// The format of this name.
    ///
    /// # Errors
    ///
    /// A fragment, if there is none, with those that there are.
    pub fn of(&self, name: &str) -> Result<&'static dyn Wire, String> {
        self.0.iter().copied().find(|wire| wire.name() == name).ok_or_else(|| {
            let hint = did_you_mean(name, self.names()).unwrap_or_default();
            format!("is `{}`, which is no wire format here; {hint}", name.escape_debug())
        })
    }

    /// The format that a model's table names, which can say what the table holds.
    ///
    /// # Errors
    ///
    /// A fragment that begins with the line of the table that it is about.
    pub fn of_model(&self, config: &ModelConfig) -> Result<&'static dyn Wire, String> {
        let wire = self.of(&config.wire).map_err(|why| format!("`wire` {why}"))?;
        // What it cannot say of this, it cannot say of any request.
        match wire.body(config, &Chat::new(""), config.seed) {
            Ok(_) => Ok(wire),
            Err(why) if why.starts_with('`') => Err(why),
            Err(why) => Err(format!("`wire` is `{}`, and {why}", wire.name())),
        }
    }

    /// What a line of results says, whichever format it is in.
    pub(crate) fn outcome(&self, line: &Value) -> Option<Result<Outcome, String>> {
        self.0.iter().find_map(|wire| wire.outcome(line))
    }

    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static dyn Wire> {
        self.0.iter().copied()
    }
}
