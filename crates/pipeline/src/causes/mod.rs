//! Why two builds differ: what was changed, told apart from what followed from it.
//!
//! Two locks say for each step and unit which rows it had. A difference is a cause where nothing
//! before it differs: an option that was written otherwise, a page with other bytes, an answer
//! that was recorded anew. All else is a consequence, and only counted.

mod between;

use std::{collections::BTreeMap, fmt};

use serde::Serialize;
use serde_json::Value;
use storymill_core::{AskTotals, Digest, UnitId, few};

use crate::decided::Lapsed;

/// One thing that was changed between two builds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "cause", rename_all = "kebab-case")]
pub enum Cause {
    /// The root seed.
    Seed {
        /// Before.
        old: u64,
        /// Now.
        new: u64,
    },
    /// The lock of the version that this one grows from, which corpus stages hold to.
    Base {
        /// Its digest before; none if there was none.
        old: Option<Digest>,
        /// Its digest now.
        new: Option<Digest>,
    },
    /// Units whose pages have other bytes, or what their catalog says of them is another.
    UnitsChanged {
        /// Which ones.
        units: Vec<UnitId>,
    },
    /// Units that were not there before.
    UnitsAdded {
        /// Which ones.
        units: Vec<UnitId>,
    },
    /// Units that are no longer there.
    UnitsRemoved {
        /// Which ones.
        units: Vec<UnitId>,
    },
    /// A step that was not there before, or is no longer.
    Step {
        /// Its name.
        step: String,
        /// Its kind.
        kind: String,
        /// Whether it was added.
        added: bool,
    },
    /// A step of another kind, or one that reads from other steps.
    Wiring {
        /// Its name.
        step: String,
        /// Its kind and what it read.
        old: String,
        /// Its kind and what it reads.
        new: String,
    },
    /// A kind of step that works in another way in this version of the tool.
    Version {
        /// The step.
        step: String,
        /// The kind.
        kind: String,
        /// Its version before.
        old: u32,
        /// Its version now.
        new: u32,
    },
    /// An option that was set otherwise. A file appears as the digest of what is in it.
    Option {
        /// The step.
        step: String,
        /// The option, with dots: `checks.copy_pm`.
        option: String,
        /// Before; null where it was not set.
        old: Value,
        /// Now.
        new: Value,
    },
    /// A text that comes with a step, such as a prompt.
    Text {
        /// The step.
        step: String,
    },
    /// The model that a step asks, or how it is asked.
    Model {
        /// The step.
        step: String,
        /// The id before.
        old: String,
        /// The id now.
        new: String,
    },
    /// Answers that were recorded anew: the same was asked.
    Answers {
        /// The step.
        step: String,
        /// For these units.
        units: Vec<UnitId>,
    },
    /// What people decided.
    Decisions {
        /// The step that it decides.
        step: String,
        /// For these units.
        units: Vec<UnitId>,
    },
    /// Decisions of people that found an item before and find none any more: what they were made on has
    /// changed.
    DecisionsLapsed {
        /// Which ones.
        decisions: Vec<Lapsed>,
    },
    /// What is said about the dataset as a whole.
    Publish {
        /// `title`, `description`, `license`, `canary`, `split`, `configs.NAME`.
        what: String,
        /// Before.
        old: Value,
        /// Now.
        new: Value,
    },
    /// Rows that differ though nothing before them does: a mistake of the tool.
    Unexplained {
        /// The step.
        step: String,
        /// For these units.
        units: Vec<UnitId>,
    },
}

/// How the rows of a step differ, unit by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StepChange {
    /// The step.
    pub step: String,
    /// Units with rows in the new lock alone.
    pub added: u64,
    /// Units with rows in the old lock alone.
    pub removed: u64,
    /// Units with other rows.
    pub changed: u64,
    /// Units with the same rows.
    pub same: u64,
    /// How many answers the units read that read others than before: what the change asked for at
    /// most, for some of a unit's answers may have stayed.
    pub answers: u64,
    /// How much of that was asked of each model, by its id.
    pub exchanged: BTreeMap<String, AskTotals>,
}

/// What two locks differ in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LockChange {
    /// What was changed, in the order in which it works.
    pub causes: Vec<Cause>,
    /// What followed, step by step.
    pub steps: Vec<StepChange>,
    /// The same for the published configs, which `step` then names.
    pub configs: Vec<StepChange>,
    /// Units that moved from one split to another, with both.
    pub moved: Vec<(UnitId, String, String)>,
}

impl LockChange {
    /// How much was asked of each model, by its id, all steps together.
    pub fn exchanged(&self) -> BTreeMap<&str, AskTotals> {
        let mut sums: BTreeMap<&str, AskTotals> = BTreeMap::new();
        for (id, exchanged) in self.steps.iter().flat_map(|step| &step.exchanged) {
            *sums.entry(id).or_default() += *exchanged;
        }
        sums
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed { old, new } => write!(f, "the seed: {old} -> {new}"),
            Self::Base { new: None, .. } => f.write_str("the base: it grows from no version now"),
            Self::Base { .. } => f.write_str("the base: it grows from another version now"),
            Self::UnitsChanged { units } => write!(f, "changed pages: {}", few(units, SHOWN)),
            Self::UnitsAdded { units } => write!(f, "added: {}", few(units, SHOWN)),
            Self::UnitsRemoved { units } => write!(f, "removed: {}", few(units, SHOWN)),
            Self::Step { step, kind, added } => {
                let word = if *added { "added" } else { "removed" };
                write!(f, "step `{step}` ({kind}) {word}")
            }
            Self::Wiring { step, old, new } => write!(f, "step `{step}`: {old} -> {new}"),
            Self::Version { step, kind, old, new } => {
                write!(f, "the tool's `{kind}` (step `{step}`): version {old} -> {new}")
            }
            Self::Option { step, option, old, new } if is_file(old) || is_file(new) => {
                write!(f, "the file that option `{option}` of `{step}` names")
            }
            Self::Option { step, option, old, new } => {
                write!(f, "option `{option}` of `{step}`: {} -> {}", value(old), value(new))
            }
            Self::Text { step } => write!(f, "a prompt or other text of `{step}`"),
            Self::Model { step, old, new } if old == new => {
                write!(f, "how `{step}` asks the model {new}")
            }
            Self::Model { step, old, new } => write!(f, "the model of `{step}`: {old} -> {new}"),
            Self::Answers { step, units } => {
                write!(f, "answers of `{step}` were recorded anew: {}", few(units, SHOWN))
            }
            Self::Decisions { step, units } => {
                write!(f, "people decided otherwise in `{step}`: {}", few(units, SHOWN))
            }
            Self::DecisionsLapsed { decisions } => {
                let said = match decisions.len() {
                    1 => "a decision of people finds no item any more".to_owned(),
                    count => format!("{count} decisions of people find no item any more"),
                };
                write!(
                    f,
                    "{said}, since its text has changed or is gone: {}",
                    few(decisions, SHOWN)
                )
            }
            Self::Publish { what, old, new } => {
                write!(f, "`{what}` of the dataset: {} -> {}", value(old), value(new))
            }
            Self::Unexplained { step, units } => {
                write!(f, "not explained: rows of `{step}` for {}", few(units, SHOWN))
            }
        }
    }
}

/// The first units or decisions of some, and how many more there are.
/// How many units or decisions a sentence names.
const SHOWN: usize = 5;

/// A value in JSON, cut where it is long.
fn value(value: &Value) -> String {
    const SHOWN: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN).chain("...".chars()).collect()
}

/// Whether a value stands for what is in a file.
fn is_file(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
