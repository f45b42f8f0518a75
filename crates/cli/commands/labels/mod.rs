//! `storymill labels`: files of labels, read and written here; what is done with them is in `storymill-faithfulness`.

mod check;
mod merge;

use std::path::Path;

use storymill_core::{Fault, FaultKind};
use storymill_metrics::score::FileError;

use super::score::text;
use crate::{
    args::labels::{Labels, LabelsWhat},
    exit::{Exit, Failure},
};

pub(super) fn run(args: &Labels) -> Result<Exit, Failure> {
    match &args.what {
        LabelsWhat::Check(check) => check::run(check),
        LabelsWhat::Merge(merge) => merge::run(merge),
    }
}

/// A file that holds no labels.
fn unread(path: &Path, error: FileError) -> Fault {
    Fault::new(FaultKind::Input, "cannot read the labels").at(path).because(error)
}
