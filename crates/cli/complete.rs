//! What the shell completes: steps of the workflow that was typed, configs, splits and questions of the folder, kinds.
//!
//! The shell runs the program again with the words so far, and these functions look into what the words name. Whatever
//! cannot be read completes to nothing.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use storymill_dataset::{Manifest, context};

/// A shell shows no more of them.
const MOST: usize = 200;

/// The names of a workflow's steps; behind a comma the next one.
pub(crate) fn steps() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let begun = begun.to_string_lossy();
        let (before, last) = begun.rsplit_once(',').map_or(("", &*begun), |parts| parts);
        let names = table_names(&typed(), &["source", "stage"]);
        let whole =
            |name: String| if before.is_empty() { name } else { format!("{before},{name}") };
        candidates(beginning(names, last).into_iter().map(whole))
    })
}

/// The configs of a published folder.
pub(crate) fn configs() -> ArgValueCompleter {
    of_folder(|folder, _| {
        Manifest::of(folder).map(|all| all.files.into_iter().map(|file| file.config).collect())
    })
}

/// The splits of a published folder.
pub(crate) fn splits() -> ArgValueCompleter {
    of_folder(|folder, _| {
        Manifest::of(folder).map(|all| all.files.into_iter().map(|file| file.split).collect())
    })
}

/// The questions of a published folder.
pub(crate) fn questions() -> ArgValueCompleter {
    of_folder(|folder, begun| {
        context::ids(folder, begun, MOST).map(|ids| ids.into_iter().collect())
    })
}

/// What `explain` explains: kinds, exit codes, and the questions of what was published here.
pub(crate) fn topics() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let begun = begun.to_string_lossy();
        let kinds = storymill::Registry::standard();
        let known = kinds.kinds().source_kinds().chain(kinds.kinds().stage_kinds());
        let measures =
            storymill_dataset::audit::Measure::ALL.map(storymill_dataset::audit::Measure::name);
        let known = known
            .chain(measures)
            .chain(["exit-codes", "commands", "options"])
            .map(ToOwned::to_owned);
        candidates(beginning(known, &begun).into_iter())
    })
}

/// The models of a workflow, or of `models.toml` here.
pub(crate) fn models() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let mut words = typed();
        words.push(PathBuf::from("models.toml"));
        candidates(beginning(table_names(&words, &["model"]), &begun.to_string_lossy()).into_iter())
    })
}

fn of_folder<F, E>(list: F) -> ArgValueCompleter
where
    F: Fn(&Path, &str) -> Result<BTreeSet<String>, E> + Send + Sync + 'static,
{
    ArgValueCompleter::new(move |begun: &OsStr| {
        let begun = begun.to_string_lossy();
        let folder = typed().into_iter().find(|word| word.join("manifest.json").is_file());
        let listed = folder.and_then(|folder| list(&folder, &begun).ok()).unwrap_or_default();
        candidates(beginning(listed, &begun).into_iter())
    })
}

/// The words that were typed so far: the shell hands them over behind `--`.
fn typed() -> Vec<PathBuf> {
    let words = std::env::args_os().skip_while(|word| word != OsStr::new("--"));
    words.skip(2).map(PathBuf::from).collect()
}

/// The names of tables `[KIND.NAME...]` in the first file among some words that has any.
fn table_names(words: &[PathBuf], kinds: &[&str]) -> BTreeSet<String> {
    let files = words.iter().filter(|word| word.extension().is_some_and(|end| end == "toml"));
    let names =
        files.map(|file| names_in(&std::fs::read_to_string(file).unwrap_or_default(), kinds));
    names.into_iter().find(|names| !names.is_empty()).unwrap_or_default()
}

/// Read line by line, so that a workflow that is being written completes too.
fn names_in(text: &str, kinds: &[&str]) -> BTreeSet<String> {
    let heads = text.lines().filter_map(|line| line.trim().strip_prefix('[')?.split(']').next());
    let name = |head: &str| {
        let (kind, rest) = head.split_once('.')?;
        kinds.contains(&kind).then(|| rest.split('.').next().unwrap_or(rest).to_owned())
    };
    heads.filter_map(name).collect()
}

fn beginning(names: impl IntoIterator<Item = String>, begun: &str) -> Vec<String> {
    names.into_iter().filter(|name| name.starts_with(begun)).take(MOST).collect()
}

fn candidates(names: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    names.map(CompletionCandidate::new).collect()
}

#[cfg(test)]
mod tests {
    use super::names_in;

    #[test]
    fn steps_and_models_are_found_in_a_workflow_that_is_still_being_written() {
        let text = "name = \"a\"\n[source.books.folder]\n[stage.scenes.chunk]\nfrom = \n  [stage.qs.read-along] # x\n[model.small]\n[dataset.x]\n";
        let all: Vec<_> = names_in(text, &["source", "stage"]).into_iter().collect();
        assert_eq!(all, ["books", "qs", "scenes"]);
        assert_eq!(names_in(text, &["model"]).into_iter().collect::<Vec<_>>(), ["small"]);
    }
}
