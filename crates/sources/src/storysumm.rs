//! The source `storysumm`: a file of retellings whose sentences people labelled, in StorySumm's form or ours.
//!
//! A unit is a story with all its retellings: they are not independent of each other.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::PathBuf,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Digest, Env, Fault, FaultKind, Known, Listing, OpenSource, Options, Reason, Retold, Reviews,
    Source, SourceUnit, Stop, UnitId,
};
use storymill_disk::most;
use storymill_faithfulness::{
    defects::{Defect, Fault as Wrong, defects},
    fables,
    file::{Placed, read},
    record::retold,
};

use crate::files::FolderPath;

/// Retellings with the labels that people gave their sentences, from one file: StorySumm's, or ours.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StorySumm {
    /// The file, relative to the workflow file.
    pub path: FolderPath,
    /// The annotators: a vote of anybody else makes its story a reject.
    #[serde(default)]
    pub annotators: Option<Vec<String>>,
}

impl StorySumm {
    /// The retellings of a file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: FolderPath::from(path.into()), annotators: None }
    }
}

impl Options for StorySumm {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.path.as_path().as_os_str().is_empty() {
            faults.push(("path", "is empty; it names a file of labels".to_owned()));
        }
        if self.annotators.as_ref().is_some_and(Vec::is_empty) {
            faults.push(("annotators", "is empty; leave it out to take every vote".to_owned()));
        }
        faults
    }
}

impl Source for StorySumm {
    const KIND: &'static str = "storysumm";
    const VERSION: u32 = 1;
    type Out = Retold;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Retold>>, Fault> {
        let path = env.root.join(self.path.as_path());
        let bytes = storymill_disk::read(&path, most::TABLE).map_err(|error| {
            Fault::new(FaultKind::Input, "there is no file of labels")
                .at(&path)
                .because(error)
                .hint("`path` counts from the folder of the workflow file")
        })?;
        let refused = |message: &str| Fault::new(FaultKind::Input, message).at(&path);
        let text = String::from_utf8(bytes)
            .map_err(|error| refused("the file of labels is not UTF-8 text").because(error))?;
        let unread = |error| {
            let hint = format!("`storymill labels check {}` tells more", path.display());
            refused("cannot read the file of labels").because(error).hint(hint)
        };
        if fables::is_fables(&text).map_err(unread)? {
            let hint = "FABLES' file has no books; `storymill labels check` counts its labels";
            return Err(refused("there is nothing in it that a judge could read").hint(hint));
        }
        let items = read(&text).map_err(unread)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let found = defects(&items);
        let mut stories = BTreeMap::new();
        for item in items {
            let id = format!("{stem}-{}", item.labelled.story_id);
            let unit: UnitId = id.parse().map_err(|error| {
                refused("the file's name gives no name of a story")
                    .because(error)
                    .hint("name it with letters, digits, `.`, `_` and `-`")
            })?;
            match stories.entry(unit) {
                Entry::Vacant(new) => drop(new.insert(vec![item])),
                Entry::Occupied(mut known) => known.get_mut().push(item),
            }
        }
        Ok(Box::new(OpenLabels { path, stories, found, annotators: self.annotators.clone() }))
    }
}

struct OpenLabels {
    path: PathBuf,
    stories: BTreeMap<UnitId, Vec<Placed>>,
    found: Vec<Defect>,
    annotators: Option<Vec<String>>,
}

impl OpenLabels {
    /// Why a story cannot be used.
    fn spoiled(&self, items: &[Placed]) -> Option<Reason> {
        let of_story = items
            .iter()
            .flat_map(|item| self.found.iter().filter(move |defect| defect.id == item.id));
        for defect in of_story {
            let code = match defect.fault {
                Wrong::LabelsWithoutSentences => "labels-without-sentences",
                Wrong::SentencesWithoutLabels => "sentences-without-labels",
                Wrong::VoteLengthDiffers => "vote-length",
                Wrong::UnknownAnnotator => "unknown-annotator",
                Wrong::StoryTextDiffers => "story-text-differs",
                _ => continue,
            };
            return Some(Reason::new(code, format!("`{}`: {}", defect.id, defect.what)));
        }
        if let Some(item) = items.iter().find(|item| item.labelled.story.trim().is_empty()) {
            return Some(Reason::new(
                "no-story",
                format!("`{}` has no text to be judged by", item.id),
            ));
        }
        let known = self.annotators.as_ref()?;
        for item in items {
            let stranger = |name: &&str| !known.iter().any(|known| known == name);
            let mut names = item.labelled.votes.iter().map(|vote| vote.person.as_str());
            if let Some(name) = names.find(stranger) {
                let what =
                    format!("`{}` has a vote of `{name}`, who is not in `annotators`", item.id);
                return Some(Reason::new("unknown-annotator", what));
            }
        }
        None
    }
}

impl OpenSource<Retold> for OpenLabels {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let unit = |(unit, items): (&UnitId, &Vec<Placed>)| {
            let rows = items.iter().map(|item| {
                serde_json::to_vec(&(&item.id, &item.labelled)).map_err(|error| {
                    Fault::new(FaultKind::Internal, "cannot list a story").because(error)
                })
            });
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            let said = rows.iter().map(Vec::as_slice);
            let digest = Digest::of_parts("storymill 2026 labelled story source unit", said);
            let (unit, path) = (unit.clone(), self.path.clone());
            Ok(SourceUnit { unit, path, digest, spoiled: self.spoiled(items), stamp: None })
        };
        // Labels that fit no sentence are not kept; those of the whole are.
        let odd = self.found.iter().filter(|one| one.fault.spoils_sentences());
        let note = |one: &Defect| {
            let (path, place) = (self.path.display(), format!("line {}", one.line));
            format!("{path}, {place}: `{}`: {}; its sentences have no labels", one.id, one.what)
        };
        let units: Vec<SourceUnit> = self.stories.iter().map(unit).collect::<Result<_, Fault>>()?;
        Ok(Listing { units, notes: odd.map(note).collect() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<Retold>, Stop> {
        let items = self.stories.get(&unit.unit).map(Vec::as_slice).unwrap_or_default();
        Ok(items.iter().map(|item| retold(&unit.unit, item)).collect())
    }
}

#[cfg(test)]
#[path = "storysumm_tests.rs"]
mod tests;
