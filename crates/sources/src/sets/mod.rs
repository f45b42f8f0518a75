//! The source `question-sets`: questions with their documents, as LV-Eval mixes them.
//!
//! A unit is a set: one file of JSON lines (or one JSON array), named like the set. Its lines have
//! our own form, HotpotQA's, that of LongBench's MultiFieldQA, or one in which CMRC 2018, DuReader and
//! LooGLE are released; each line says by its fields which.

mod forms;
mod line;
mod literal;
mod released;

use std::{
    fs,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reason, Reviews,
    SetQuestion, Source, SourceUnit, Stop, UnitId, did_you_mean,
};
use storymill_disk::most;

use crate::{files::FolderPath, listed};

/// Question sets in JSON lines, one file a set: our own form, HotpotQA's, MultiFieldQA's, CMRC's,
/// DuReader's, LooGLE's.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionSets {
    /// A folder of `*.jsonl` and `*.json` files, or one file, relative to the workflow file.
    pub path: FolderPath,
    /// Only the sets with these names.
    #[serde(default, skip_serializing)]
    pub sets: Option<Vec<String>>,
    /// The language of all of them, `en` or `zh`; else each question says it, or its letters do.
    #[serde(default)]
    pub language: Option<String>,
}

impl QuestionSets {
    /// The sets at a path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: FolderPath::from(path.into()), sets: None, language: None }
    }
}

impl Options for QuestionSets {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.path.as_path().as_os_str().is_empty() {
            faults.push(("path", "is empty; `.` is the workflow's own folder".to_owned()));
        }
        if let Some(other) = self.language.as_ref().filter(|tag| !["en", "zh"].contains(&&tag[..]))
        {
            faults.push(("language", format!("is `{other}`, and can be `en` or `zh`")));
        }
        faults
    }
}

impl Source for QuestionSets {
    const KIND: &'static str = "question-sets";
    const VERSION: u32 = 1;
    type Out = SetQuestion;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<SetQuestion>>, Fault> {
        let path = env.root.join(self.path.as_path());
        Ok(Box::new(OpenSets { options: self.clone(), path }))
    }
}

struct OpenSets {
    options: QuestionSets,
    path: PathBuf,
}

impl OpenSource<SetQuestion> for OpenSets {
    fn units(&self, known: &Known) -> Result<Listing, Fault> {
        let sets = self.options.sets.as_deref();
        let mut found = found(&self.path)?;
        found.retain(|(unit, _)| {
            sets.is_none_or(|sets| sets.iter().any(|set| set == unit.as_str()))
        });
        let list = |(unit, path): (UnitId, PathBuf)| {
            listed::unit(unit, &[&path], "", known, || {
                match storymill_disk::read(&path, most::TABLE) {
                    Ok(bytes) => (digest(&bytes), None),
                    Err(error) => (digest(b""), Some(Reason::new("unreadable", error.to_string()))),
                }
            })
        };
        let units: Vec<_> = found.into_iter().map(list).collect();
        let missing = |set: &&String| units.iter().all(|one| one.unit.as_str() != *set);
        if let Some(set) = sets.into_iter().flatten().find(missing) {
            return Err(Fault::new(FaultKind::Input, format!("there is no set `{set}`"))
                .at(&self.path)
                .hint(
                    did_you_mean(set, units.iter().map(|one| one.unit.as_str())).unwrap_or_else(
                        || "a set is named like its file, without `.jsonl`".to_owned(),
                    ),
                ));
        }
        Ok(Listing { units, notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<SetQuestion>, Stop> {
        let bytes = storymill_disk::read(&unit.path, most::TABLE)
            .map_err(|error| Fault::io("cannot read the question set", &unit.path, error))?;
        listed::unchanged(unit, digest(&bytes), "the question set")?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line =
                String::from_utf8_lossy(&bytes[..error.valid_up_to()]).matches('\n').count() + 1;
            Stop::reject("not-utf-8", format!("line {line} is not UTF-8"))
        })?;
        line::read(text, self.options.language.as_deref()).map_err(Stop::Reject)
    }
}

/// The files of sets with their names, sorted.
fn found(path: &Path) -> Result<Vec<(UnitId, PathBuf)>, Fault> {
    let meta = fs::metadata(path).map_err(|error| {
        Fault::new(FaultKind::Input, "there are no question sets")
            .at(path)
            .because(error)
            .hint("`path` counts from the folder of the workflow file")
    })?;
    let mut paths = vec![path.to_owned()];
    if meta.is_dir() {
        let unreadable = |error| Fault::io("cannot read the folder of question sets", path, error);
        let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(unreadable)?.collect();
        paths = entries.map_err(unreadable)?.into_iter().map(|entry| entry.path()).collect();
        paths.retain(|path| is_set(path));
        paths.sort();
    }
    let mut sets: Vec<(UnitId, PathBuf)> = Vec::new();
    for path in paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let unit: UnitId = stem.parse().map_err(|error| {
            Fault::new(FaultKind::Input, "the file's name gives no name of a set")
                .at(&path)
                .because(error)
        })?;
        if let Some((_, other)) = sets.iter().find(|(known, _)| *known == unit) {
            let message = format!("{} and another file are the same set", other.display());
            return Err(Fault::new(FaultKind::Input, message).at(path).hint("rename one of them"));
        }
        sets.push((unit, path));
    }
    if sets.is_empty() {
        return Err(Fault::new(FaultKind::Input, "the folder holds no question set")
            .at(path)
            .hint("a set is a file of JSON lines: `my-set.jsonl`"));
    }
    Ok(sets)
}

fn is_set(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let ending = path.extension().is_some_and(|ending| ending == "jsonl" || ending == "json");
    ending && !hidden && path.is_file()
}

fn digest(bytes: &[u8]) -> Digest {
    Digest::of_parts("storymill 2026 question set source unit", [bytes])
}
