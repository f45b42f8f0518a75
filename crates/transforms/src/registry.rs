//! The list of all stages, one line each.

use storymill_core::Register;

use crate::{
    Choose, Chunk, Distort, Extract, Hierarchy, ReadAlong, Reconstruct, Split, Summarize,
    SwapFacts, Take,
};

/// Shows every stage of this crate.
///
/// ```
/// use storymill_core::{CorpusStage, Register, Source, Stage};
///
/// struct Kinds(Vec<&'static str>);
///
/// impl Register for Kinds {
///     fn source<S: Source>(&mut self) {
///         self.0.push(S::KIND);
///     }
///     fn stage<S: Stage>(&mut self) {
///         self.0.push(S::KIND);
///     }
///     fn ruling<S: CorpusStage>(&mut self) {
///         self.0.push(S::KIND);
///     }
/// }
///
/// let mut kinds = Kinds(Vec::new());
/// storymill_transforms::register(&mut kinds);
/// assert_eq!(kinds.0[..3], ["chunk", "extract", "swap-facts"]);
/// assert_eq!(kinds.0[3..], ["summarize", "hierarchy", "distort", "read-along", "reconstruct", "take", "split", "choose"]);
/// ```
pub fn register(into: &mut impl Register) {
    into.stage::<Chunk>();
    into.stage::<Extract>();
    into.stage::<SwapFacts>();
    into.stage::<Summarize>();
    into.stage::<Hierarchy>();
    into.stage::<Distort>();
    into.stage::<ReadAlong>();
    into.stage::<Reconstruct>();
    into.stage::<Take>();
    into.ruling::<Split>();
    into.ruling::<Choose>();
}
