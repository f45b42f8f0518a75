//! The name and version of a score, so that two numbers are only compared if they mean the same.

use std::{borrow::Cow, fmt};

use serde::Serialize;

/// What exactly a number is: the rule's name and the version of our code for it.
///
/// The version goes up when the same input would give another number.
///
/// ```
/// assert_eq!(storymill_metrics::f1::PLAIN.to_string(), "squad-f1 v1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// The rule, as a user would look it up: `rouge-score-0.1.2`.
    pub name: Cow<'static, str>,
    /// Counts changes of our own output.
    pub version: u32,
}

impl Variant {
    /// A variant with a fixed name.
    pub const fn new(name: &'static str, version: u32) -> Self {
        Self { name: Cow::Borrowed(name), version }
    }

    /// The same rule with a resource or an option named beside it.
    pub fn with(&self, detail: &str) -> Self {
        Self { name: Cow::Owned(format!("{}+{detail}", self.name)), version: self.version }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{}", self.name, self.version)
    }
}
