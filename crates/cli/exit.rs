//! Exit codes: one public list, and which failure leads to which.

use std::{io, process::ExitCode};

use storymill_core::{Fault, FaultKind};
use storymill_pipeline::Problems;

/// An exit code, with the word and the meaning that `storymill explain exit-codes` prints.
#[derive(Debug)]
pub(crate) struct Exit {
    /// The number.
    pub(crate) code: u8,
    /// A short word for it.
    pub(crate) word: &'static str,
    /// The version that first used it.
    pub(crate) since: &'static str,
    /// What it means, and what to do.
    pub(crate) meaning: &'static str,
}

macro_rules! exits {
    ($($name:ident $code:literal $word:literal since $since:literal: $meaning:literal)*) => {
        $(pub(crate) const $name: Exit = Exit { code: $code, word: $word, since: $since, meaning: $meaning };)*
        /// Every exit code.
        pub(crate) const ALL: &[Exit] = &[$($name),*];
    };
}

exits! {
    DONE 0 "done" since "0.1.0": "what was asked for is done"
    USAGE 2 "usage" since "0.1.0": "the command line was not understood"
    WORKFLOW 3 "workflow" since "0.1.0": "the workflow file has mistakes; nothing was run"
    INPUT 4 "input" since "0.1.0": "an input file is missing, unreadable or not what it should be"
    REJECTS 5 "rejects" since "0.1.0": "built, with more rejected items than `expected_rejects`, else than 1 in 10 of a step's items and no whole book; or scored, but for rows that are named"
    LOCK 6 "lock" since "0.1.0": "a lock disagrees with what was built or cannot be read, or a frozen run misses an answer"
    VERIFY 7 "verify" since "0.1.0": "a published folder is not what its manifest says, a gate or a limit of the audit is not passed, or a log of answers is damaged"
    MODEL 8 "model" since "0.1.0": "a model was needed and not available, or a limit on cost was reached"
    STORE 9 "store" since "0.1.0": "the store or output folder is not one that this version may write to"
    DIFFERS 10 "differs" since "0.1.0": "two versions of a dataset differ; scores on the old one stay valid"
    BREAKING 11 "breaking" since "0.1.0": "ids, columns or answers of the old version are gone; or only locks were compared, which do not tell"
    RELEASE 12 "release" since "0.1.0": "a release was refused: a changelog line, an erratum or a higher version is missing; nothing was written"
    FINDINGS 13 "findings" since "0.1.0": "the lint found errors in claim pairs, or a file of labels contradicts itself; nothing was changed"
    WAITS 14 "waits" since "0.1.0": "a shard did all that it can, and some of it waits for others; or what `--step` or `--finalize` needs is not there yet, and is named"
    EMPTY 15 "empty" since "0.1.0": "built, and no table has a row: nothing was published"
    REFUSED 16 "refused" since "0.1.0": "too many of a model's first answers were refused; what was done is kept"
    BELOW 17 "below" since "0.1.0": "an evaluation did not pass `--fail-below` or `--smoke`; the results are kept"
    INTERNAL 70 "internal" since "0.1.0": "a bug in storymill; please report it"
    IO 74 "io" since "0.1.0": "reading or writing failed: no space, no permission, a broken disk"
    AGAIN 75 "again" since "0.1.0": "running the same command again may work: another run held the store, or damage was set aside"
    INTERRUPTED 130 "interrupted" since "0.1.0": "stopped by Ctrl-C or a signal; what was done is kept"
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code)
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line asks for something that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A workflow has mistakes.
    #[error(transparent)]
    Problems(Box<Problems>),
    /// A filter has mistakes.
    #[error(transparent)]
    Filter(Box<Problems>),
    /// Something failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Nobody reads what is printed.
    #[error("the pipe is closed")]
    Pipe,
}

impl Failure {
    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::Filter(_) => USAGE,
            Self::Problems(_) => WORKFLOW,
            Self::Pipe => DONE,
            Self::Fault(fault) => match fault.kind {
                FaultKind::Input => INPUT,
                FaultKind::Io => IO,
                FaultKind::Store => STORE,
                FaultKind::Damage => VERIFY,
                FaultKind::Again => AGAIN,
                FaultKind::Lock => LOCK,
                FaultKind::Model => MODEL,
                FaultKind::Refused => REFUSED,
                FaultKind::Interrupted => INTERRUPTED,
                FaultKind::Internal => INTERNAL,
            },
        }
    }
}

impl From<storymill_pipeline::NotAWorkflow> for Failure {
    fn from(error: storymill_pipeline::NotAWorkflow) -> Self {
        match error {
            storymill_pipeline::NotAWorkflow::Problems(problems) => Self::Problems(problems),
            storymill_pipeline::NotAWorkflow::Fault(fault) => Self::Fault(fault),
        }
    }
}

/// A failed print: a closed pipe, or a disk that standard output goes to.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        Self::Fault(Fault::new(FaultKind::Io, "cannot print").because(error))
    }
}
