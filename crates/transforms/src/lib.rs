//! The stages: pure functions of input, options, seed and answers.
//!
//! One stage, one file: under `narrative` what works on one book by rule, under `retelling`
//! what asks a model, under `naming` what hides names, under `archive` what reads an archive of
//! another system, under `mixing` what mixes long contexts, under `judging` what has retellings and questions judged, under `selection` what chooses books, under `corpus` the corpus stages over all books;
//! under `documents` what a released file asks about books,
//! `registry` names each of them once. What is deliberately absent: files, network, clock, threads
//! and Arrow; and no random stream is shared, each choice has its own from `Cx::stream`.

mod archive;
mod asking;
mod corpus;
mod defaults;
mod documents;
mod evaluation;
mod judging;
mod mixing;
mod naming;
mod narrative;
mod preset;
mod questions;
mod reading;
mod registry;
mod retelling;
mod selection;
mod tokens;

#[cfg(test)]
mod tests;

pub use archive::{
    book::ArchivedBook, questions::ArchivedQuestions, recorded, scenes::ArchivedScenes,
};
pub use corpus::{
    hold_out::HoldOut,
    partners::{Partners, Pool},
    split::{By, Split},
};
pub use documents::{
    asked_book::AskedBook, distinct_questions::DistinctQuestions, join::Join, ledger::Ledger,
    literary::LiteraryQuestions, locate::Locate, refine::Refine, released_split::ReleasedSplit,
};
pub use evaluation::{
    answer::AnswerStage,
    baseline::{Baseline, BaselineStage},
    exam_split::ExamSplit,
    grade::GradeStage,
    judge_answers::{JudgeAnswers, ShownToJudge},
    read::{NamedReader, Read},
    responses::Responses,
    said::prompt_of,
    shown::Unasked,
    wordnet::WordNetFolder,
};
pub use judging::{
    ambiguity::Ambiguity,
    compare::{CompareDistortions, CompareSummaries},
    faithful::{Faithful, JudgeBy, Unclear},
    false_check::FalseCheck,
    gate::{GateDistortions, GateSummaries, Keep},
    label::LabelStage,
    propose::Propose,
    sample::Sample,
};
pub use mixing::{
    closed_book::ClosedBook,
    confuse::Confuse,
    fact_recall::{FactRecall, Replacement},
    keywords::Keywords,
    mix::{Answered, Heading, Mix},
    passages::Passages,
    rules::Rules,
    scene_set::SceneSet,
    select::Select,
};
pub use naming::{
    cast::{CastStage, Tagger},
    count::CountNames,
    leaks::CheckNames,
    recognise::Recognise,
    rows::{
        SubstituteBooks, SubstituteDistortions, SubstituteQuestions, SubstituteReconstructions,
        SubstituteScenes, SubstituteSummaries,
    },
    substitutes::Substitutes,
};
pub use narrative::{
    chunk::{At, Chunk},
    extract::Extract,
    reconstruct::{Each, Reconstruct},
    swap_facts::SwapFacts,
};
pub use preset::Preset;
pub use questions::{
    choose::{Choose, Longest},
    draft_state::DraftState,
    read_along::{Decoys, ReadAlong, SpareDecoys},
    take::{Set, Take},
};
pub use registry::register;
pub use retelling::{
    adequacy::Adequacy,
    answer::Protocol,
    checks::Checks,
    distort::{Distort, How},
    hierarchy::Hierarchy,
    summarize::Summarize,
};
pub use selection::{
    distinct::Distinct,
    duplicates::Duplicates,
    kind::{Kind, Verdict},
    sort::Sort,
};
#[cfg(feature = "tokens")]
pub use tokens::Tokenizer;
pub use tokens::tokens;
