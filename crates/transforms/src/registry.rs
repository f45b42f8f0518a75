//! The list of all stages, one line each.

use storymill_core::Register;

use crate::{
    Adequacy, Ambiguity, AnswerStage, ArchivedBook, ArchivedQuestions, ArchivedScenes, AskedBook,
    BaselineStage, CastStage, CheckNames, Choose, Chunk, ClosedBook, CompareDistortions,
    CompareSummaries, Confuse, CountNames, Distinct, DistinctQuestions, Distort, DraftState,
    Duplicates, ExamSplit, Extract, FactRecall, Faithful, FalseCheck, GateDistortions,
    GateSummaries, GradeStage, Hierarchy, HoldOut, Join, JudgeAnswers, Keywords, LabelStage,
    Ledger, LiteraryQuestions, Locate, Mix, Partners, Passages, Propose, Read, ReadAlong,
    Recognise, Reconstruct, Refine, ReleasedSplit, Responses, Rules, Sample, SceneSet, Select,
    Sort, SpareDecoys, Split, SubstituteBooks, SubstituteDistortions, SubstituteQuestions,
    SubstituteReconstructions, SubstituteScenes, SubstituteSummaries, Substitutes, Summarize,
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
///     fn corpus_stage<S: CorpusStage>(&mut self) {
///         self.0.push(S::KIND);
///     }
/// }
///
/// let mut kinds = Kinds(Vec::new());
/// storymill_transforms::register(&mut kinds);
/// assert_eq!(kinds.0[..3], ["chunk", "extract", "swap-facts"]);
/// assert_eq!(kinds.0[3..9], ["summarize", "hierarchy", "distort", "read-along", "reconstruct", "take"]);
/// assert_eq!(kinds.0[9..11], ["cast", "substitutes"]);
/// assert_eq!(kinds.0[19..22], ["archived-book", "archived-scenes", "archived-questions"]);
/// assert_eq!(kinds.0[22..26], ["sort", "distinct", "select", "scene-set"]);
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
    into.stage::<CastStage>();
    into.stage::<Substitutes>();
    into.stage::<SubstituteBooks>();
    into.stage::<SubstituteScenes>();
    into.stage::<SubstituteSummaries>();
    into.stage::<SubstituteDistortions>();
    into.stage::<SubstituteQuestions>();
    into.stage::<SubstituteReconstructions>();
    into.stage::<CheckNames>();
    into.stage::<Recognise>();
    into.stage::<ArchivedBook>();
    into.stage::<ArchivedScenes>();
    into.stage::<ArchivedQuestions>();
    into.stage::<Sort>();
    into.stage::<Distinct>();
    into.stage::<Select>();
    into.stage::<SceneSet>();
    into.stage::<Passages>();
    into.stage::<Keywords>();
    into.stage::<Confuse>();
    into.stage::<Rules>();
    into.stage::<ClosedBook>();
    into.stage::<Mix>();
    into.stage::<FactRecall>();
    into.stage::<AnswerStage>();
    into.stage::<BaselineStage>();
    into.stage::<Responses>();
    into.stage::<Read>();
    into.stage::<GradeStage>();
    into.stage::<ExamSplit>();
    into.stage::<CountNames>();
    into.stage::<Sample>();
    into.stage::<Faithful>();
    into.stage::<FalseCheck>();
    into.stage::<Propose>();
    into.stage::<LabelStage>();
    into.stage::<GateSummaries>();
    into.stage::<GateDistortions>();
    into.stage::<CompareSummaries>();
    into.stage::<CompareDistortions>();
    into.stage::<SpareDecoys>();
    into.stage::<Ambiguity>();
    into.stage::<Join>();
    into.stage::<DistinctQuestions>();
    into.stage::<Refine>();
    into.stage::<DraftState>();
    into.stage::<AskedBook>();
    into.stage::<LiteraryQuestions>();
    into.stage::<Locate>();
    into.stage::<Ledger>();
    into.stage::<ReleasedSplit>();
    into.stage::<JudgeAnswers>();
    into.stage::<Adequacy>();
    into.corpus_stage::<Split>();
    into.corpus_stage::<Partners>();
    into.corpus_stage::<Choose>();
    into.corpus_stage::<Duplicates>();
    into.corpus_stage::<HoldOut>();
}
