//! The source `published`: the questions of a published folder, to be put to models.
//!
//! A unit is a book or a mixed context. Its rows lie in the folder already, so the store keeps none of them. A key
//! holds what was read, never where it lay.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Encoding, Env, Exam, Fault, Known, Listing, OpenSource, Options, Reviews, Source, SourceUnit,
    Stop,
};
use storymill_dataset::exams::{Exams, Wanted};
use storymill_pipeline::Lock;
use storymill_sources::FolderPath;

/// The questions of a published folder or release, which must be what its manifest says.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The folder, relative to the workflow file.
    pub path: FolderPath,
    /// Only the questions of these configs. Default: `eval`, or all where there is none of that name.
    #[serde(default, skip_serializing)]
    pub configs: Vec<String>,
    /// Only the questions of these splits. Default: all.
    #[serde(default, skip_serializing)]
    pub splits: Vec<String>,
    /// So many of them, drawn by their ids: a trial whose answers a longer run finds in the log. Default: all.
    #[serde(default, skip_serializing)]
    pub questions: Option<u32>,
    /// The encodings that the dataset counts lengths in, so that results tell them too. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Encoding>,
}

impl Published {
    /// The questions of a folder, those of some configs and splits if any are named.
    ///
    /// # Errors
    ///
    /// The folder is not what its manifest says, or has no such questions.
    pub fn exams(folder: &Path, wanted: &Wanted) -> Result<Exams, Fault> {
        // A lock that cannot be read is no reason to ask nothing: then any text will do that has the right length.
        let manifest = storymill_dataset::Manifest::of(folder)?;
        let lock = Lock::read(&folder.join(&manifest.lock.path)).ok();
        Exams::open(folder, wanted, |config| {
            lock.as_ref().map(|lock| lock.configs_behind(config)).unwrap_or_default()
        })
    }
}

impl Options for Published {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.path.as_path().as_os_str().is_empty() {
            return vec![("path", "is empty; name a published folder".to_owned())];
        }
        if self.questions == Some(0) {
            return vec![("questions", "must be at least 1; leave it out to ask all".to_owned())];
        }
        Vec::new()
    }

    fn encodings(&self) -> &[Encoding] {
        &self.tokens
    }
}

impl Source for Published {
    const KIND: &'static str = "published";
    const VERSION: u32 = 2;
    const KEPT: bool = false;
    type Out = Exam;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Exam>>, Fault> {
        let folder = env.root.join(self.path.as_path());
        let (configs, splits) = (self.configs.clone(), self.splits.clone());
        let wanted = Wanted { configs, splits, questions: self.questions };
        Ok(Box::new(Open(Self::exams(&folder, &wanted)?)))
    }
}

struct Open(Exams);

impl OpenSource<Exam> for Open {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let units = self.0.units().map(|(unit, digest)| SourceUnit {
            unit: unit.clone(),
            path: PathBuf::new(),
            digest,
            spoiled: None,
            stamp: None,
        });
        Ok(Listing { units: units.collect(), notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<Exam>, Stop> {
        Ok(vec![self.0.exam(&unit.unit)?])
    }
}
