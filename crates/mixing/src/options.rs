//! How contexts are mixed, and what came of a question.

use storymill_core::{Context, Heading, Reason};

/// How contexts are mixed.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that users turn")]
pub struct Options {
    /// The lengths that are wanted, by LV-Eval's rule, ascending.
    pub levels: Vec<u32>,
    /// The line above each passage; the language's own where nobody chose one.
    pub heading: Option<Heading>,
    /// Whether each supporting document has a place of its own; else they stand together.
    pub disperse: bool,
    /// Whether a shorter context is a longer one with passages left out; else each draws its own.
    pub nested: bool,
    /// Whether the evidence of a question has the same tenth at all levels. Contexts that are nested
    /// have no choice.
    pub same_depth: bool,
    /// Whether the depths of evidence are balanced over questions, a tenth each; else drawn.
    pub balance: bool,
    /// Whether confusing facts go in.
    pub confusing: bool,
    /// Whether rules are applied.
    pub replace: bool,
    /// Whether passages that hold the answer are kept and flagged; else they distract nobody.
    pub flag: bool,
    /// Whether there is no context at all, so that it shows what is known without: one recipe without
    /// a passage, of level 0.
    pub bare: bool,
}

/// A level that could not be mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmixable {
    /// The level.
    pub level: u32,
    /// Why.
    pub reason: Reason,
}

/// What came of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    /// The recipes, a level each.
    pub contexts: Vec<Context>,
    /// The levels that could not be mixed.
    pub unmixable: Vec<Unmixable>,
    /// How many passages were passed over because they hold the answer.
    pub answered: u32,
    /// How many were passed over because rules do not leave them clean.
    pub unclean: u32,
}
