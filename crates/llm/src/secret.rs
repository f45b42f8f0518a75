//! A key to an endpoint: used in one header, shown nowhere.

use std::fmt;

/// A secret. It has no `Display` and no `Serialize`, and its `Debug` shows nothing.
#[derive(Clone, Default)]
pub(crate) struct Secret(Option<String>);

impl Secret {
    pub(crate) fn new(text: Option<String>) -> Self {
        Self(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
    }

    /// The secret itself, for the header it belongs in.
    pub(crate) fn reveal(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A text of somebody else (an error message, an answer) without the secret in it.
    pub(crate) fn scrub(&self, text: String) -> String {
        match &self.0 {
            Some(secret) if text.contains(secret.as_str()) => text.replace(secret, "[key]"),
            _ => text,
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Secret([key])" } else { "Secret(none)" })
    }
}
