//! Telling of people's decisions that hold no longer, or that nobody reads.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use storymill_core::{Decisions, Review, few, nearest};
use storymill_pipeline::{Lapsed, Workflow};

use crate::{
    events::Notice,
    words::{plural, typed},
};

/// So many decisions are told one by one.
const SHOWN: usize = 8;

/// What to say of decisions that are on none of the items of a whole build; where an open item has the place
/// of one, it is named.
pub fn lapsed<'r>(
    lapsed: &[Lapsed],
    items: impl IntoIterator<Item = &'r Review>,
    decisions: &Decisions,
    workflow: &Path,
) -> Vec<Notice> {
    if lapsed.is_empty() {
        return Vec::new();
    }
    let open = |item: &&Review| item.choices.len() > 1 && decisions.choice(item).is_none();
    let open: Vec<&Review> = items.into_iter().filter(open).collect();
    let notice = |one: &Lapsed| {
        let notice = Notice::warning(format!(
            "the decision {one} finds no item: what it was made on has changed or is gone"
        ));
        let place = open.iter().filter(|item| item.item == one.item && item.code == one.code);
        place.filter(|item| item.choices.contains(&one.choice)).take(2).fold(notice, |notice, item| {
            let (id, file, choice) = (item.id().short(), typed(workflow), &one.choice);
            notice.hint(format!(
                "the item may now be {id}; `storymill review {file} --decide \"{id}={choice}\"` decides it so again"
            ))
        })
    };
    lapsed.iter().take(SHOWN).map(notice).chain(more(lapsed)).collect()
}

/// What to say of files of decisions that are not there while one with almost that name is. A file that is not there
/// may also be one that nobody has decided anything in yet: of that nothing is said.
pub(crate) fn misnamed(workflow: &Workflow) -> Vec<Notice> {
    let lost = workflow.decided.iter().filter(|path| !path.exists());
    let notice = |path: &PathBuf| {
        // A path of one part has a blank parent.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let files = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let is_other = |name: &String| {
            let other = path.with_file_name(name);
            other.extension() == path.extension() && !workflow.decided.contains(&other)
        };
        let mut names: Vec<String> = names.filter(is_other).collect();
        names.sort();
        let word = path.file_name().and_then(OsStr::to_str)?;
        let near = nearest(word, names.iter().map(String::as_str))?;
        let notice = Notice::warning(format!("there is no file of decisions {}", path.display()));
        Some(notice.hint(format!("did you mean `{near}`?")))
    };
    lost.filter_map(notice).collect()
}

/// What to say, in a plan, of decisions that a build will not find an item for, and of those of which nobody
/// knows yet.
pub(crate) fn foretell(lapsed: &[Lapsed], unsure: &[Lapsed]) -> Vec<Notice> {
    let notice = |one: &Lapsed| {
        Notice::warning(format!(
            "the decision {one} will find no item: what it was made on has changed or is gone"
        ))
    };
    let mut notices: Vec<_> = lapsed.iter().take(SHOWN).map(notice).chain(more(lapsed)).collect();
    if !unsure.is_empty() {
        let hold = if unsure.len() == 1 { "decision still holds" } else { "decisions still hold" };
        let unsure = few(unsure, SHOWN);
        notices
            .push(Notice::note(format!("only the build will tell whether the {hold}: {unsure}")));
    }
    notices
}

/// The same of a private build: ids alone, for the rest is private.
pub fn lapsed_privately(lapsed: &[Lapsed]) -> Option<Notice> {
    let count = plural(lapsed.len() as u64, "decision");
    let ids: Vec<_> = lapsed.iter().map(|one| one.review.short()).collect();
    (!lapsed.is_empty()).then(|| {
        Notice::warning(format!(
            "{count} on items that are not there, perhaps because what they were made on has changed: {}",
            ids.join(", ")
        ))
    })
}

fn more(lapsed: &[Lapsed]) -> Option<Notice> {
    let more = lapsed.len().saturating_sub(SHOWN);
    let decisions = plural(more as u64, "decision");
    (more > 0).then(|| {
        Notice::warning(format!("{decisions} more find no item; `--format json` has all of them"))
    })
}
