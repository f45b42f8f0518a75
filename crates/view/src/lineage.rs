//! Where an item comes from, as somebody else finds it.

use serde::Serialize;
use storymill_core::Fault;

/// One thing that an item comes from, and what that comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Came {
    /// What it is: `question`, `retelling`, `scene`, `page`.
    pub what: String,
    /// Its id.
    pub id: String,
    /// The step that made it, with kind and version.
    pub step: String,
    /// More that there is to say, as names and values.
    pub facts: Vec<(String, String)>,
    /// What it comes from in turn.
    pub from: Vec<Came>,
}

/// Finds where an item comes from, back to a model's raw answer and the bytes of a page.
pub trait Lineage: Send + Sync {
    /// Everything of this id.
    ///
    /// # Errors
    ///
    /// There is no such item, or what is kept of it cannot be read.
    fn of(&self, id: &str) -> Result<Vec<Came>, Fault>;
}
