//! The source `published`: the questions of a published folder, to be put to models.
//!
//! A unit is a book or a mixed context. Its rows lie in the folder already, so the store keeps none of them. A key
//! holds what was read, never where it lay.

use std::{path::PathBuf, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Disk, Distortion, Encoding, Env, Exam, Fault, Known, Listing, OpenSource, Options, Record as _,
    Reviews, Source, SourceUnit, Stop, Summary,
};
use storymill_dataset::{
    Site,
    exams::{Behind, Exams, Wanted},
};
use storymill_sources::FolderPath;

use crate::dataset::lock_of;

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
    /// Only those of which these tests hold: `"demand_tokens < 32768 and task = lookahead"`. The fields are the columns of
    /// the questions, and `task`, `demand`, `demand_tokens`, `context`, `context_tokens`. Default: all.
    #[serde(default, skip_serializing, rename = "where")]
    pub filter: Option<String>,
    /// What `questions` is shared out evenly over: a column, or so many strata of equal size of its numbers: `"demand:5"`.
    #[serde(default, skip_serializing)]
    pub stratify: Option<String>,
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
    pub fn exams(folder: impl Into<Site>, wanted: &Wanted) -> Result<Exams, Fault> {
        let folder = &folder.into();
        // A lock that cannot be read is no reason to ask nothing: then any text will do that has the right length.
        let manifest = storymill_dataset::Manifest::of(folder)?;
        let lock = lock_of(folder, &manifest).ok();
        Exams::open(folder, wanted, |config| {
            let Some(lock) = &lock else { return Behind::default() };
            let writers = lock.models_behind(config, &[Summary::NAME, Distortion::NAME]);
            Behind { texts: lock.configs_behind(config), writers }
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
        if self.stratify.is_some() && self.questions.is_none() {
            return vec![("stratify", "shares out `questions`, which is not there".to_owned())];
        }
        Vec::new()
    }

    fn encodings(&self) -> &[Encoding] {
        &self.tokens
    }
}

impl Source for Published {
    const KIND: &'static str = "published";
    const VERSION: u32 = 3;
    const KEPT: bool = false;
    type Out = Exam;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Exam>>, Fault> {
        let folder = env.root.join(self.path.as_path());
        let wanted = Wanted {
            configs: self.configs.clone(),
            splits: self.splits.clone(),
            filter: self.filter.clone(),
            questions: self.questions,
            stratify: self.stratify.clone(),
        };
        let site = match env.lent.get::<Arc<dyn Disk>>() {
            Some(disk) => Site::on(Arc::clone(disk), folder),
            None => folder.into(),
        };
        Ok(Box::new(Open(Self::exams(site, &wanted)?)))
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
