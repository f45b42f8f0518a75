//! When a stage whose answers are refused is stopped: the table `[asking]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a build asks a model whose answers are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// How many answers of a stage are looked at before more are asked for, and before it is stopped.
    /// Default: 20.
    #[serde(default = "look_at")]
    pub look_at: u32,
    /// The share of first answers that may be refused. A stage of which more are is stopped, and the build
    /// ends with exit code 16. 1 stops nothing. Default: 0.8.
    #[serde(default = "most_refused")]
    pub most_refused: f64,
}

fn look_at() -> u32 {
    20
}

fn most_refused() -> f64 {
    0.8
}

impl Default for Asking {
    fn default() -> Self {
        Self { look_at: look_at(), most_refused: most_refused() }
    }
}

impl Asking {
    /// What is wrong with it: the option, and why.
    pub(super) fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        if self.look_at == 0 {
            faults.push(("look_at", "must be at least 1"));
        }
        if !(0.0..=1.0).contains(&self.most_refused) {
            faults.push(("most_refused", "must be from 0 to 1"));
        }
        faults
    }
}
