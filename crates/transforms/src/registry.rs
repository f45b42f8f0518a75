//! The list of all stages, one line each.
//!
//! This crate knows nothing of the engine that runs them, so the list is a walk: whoever wants
//! the stages brings a [`Visit`].

use storymill_core::{CorpusStage, Stage};

use crate::{Chunk, Distort, Extract, Hierarchy, Reconstruct, Split, Summarize, SwapFacts};

/// Takes the stages one by one, each as its type.
pub trait Visit {
    /// Takes a stage.
    fn stage<S: Stage>(&mut self);
    /// Takes a ruling.
    fn ruling<S: CorpusStage>(&mut self);
}

/// Shows every stage of this crate.
///
/// ```
/// use storymill_core::{CorpusStage, Stage};
///
/// struct Kinds(Vec<&'static str>);
///
/// impl storymill_transforms::Visit for Kinds {
///     fn stage<S: Stage>(&mut self) {
///         self.0.push(S::KIND);
///     }
///     fn ruling<S: CorpusStage>(&mut self) {
///         self.0.push(S::KIND);
///     }
/// }
///
/// let mut kinds = Kinds(Vec::new());
/// storymill_transforms::visit(&mut kinds);
/// assert_eq!(kinds.0[..3], ["chunk", "extract", "swap-facts"]);
/// assert_eq!(kinds.0[3..], ["summarize", "hierarchy", "distort", "reconstruct", "split"]);
/// ```
pub fn visit(v: &mut impl Visit) {
    v.stage::<Chunk>();
    v.stage::<Extract>();
    v.stage::<SwapFacts>();
    v.stage::<Summarize>();
    v.stage::<Hierarchy>();
    v.stage::<Distort>();
    v.stage::<Reconstruct>();
    v.ruling::<Split>();
}
