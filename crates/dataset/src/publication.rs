//! What is to be published: all that the dataset is made from, and nothing of how it is written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use storymill_core::{
    Changes, Digest, Encoding, Fault, FaultKind, PartRef, Record, UnitId, Vote, canonical,
};

use crate::{
    column::CANARY,
    manifest::{FORMAT_VERSION, SCHEMA_VERSION, TOOL_VERSION},
    shape::WRITER_FORMAT,
    table::Tables,
};

/// A dataset to be published.
#[derive(Clone, Debug, Default)]
pub struct Publication {
    /// Its name: letters, digits, `.`, `_` and `-`, as for units.
    pub name: String,
    /// What people call it; the name, if this is blank.
    pub title: String,
    /// Its version, in one word.
    pub version: String,
    /// The licence of what is new in it, in one word: `CC-BY-4.0`.
    pub license: String,
    /// What it is, in a sentence or two; may be blank.
    pub description: String,
    /// Who is to be cited; may be empty. The lock has them too.
    pub authors: Vec<String>,
    /// Where it can be found; may be blank.
    pub url: String,
    /// The canary, minted once for a family of datasets.
    pub canary: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The lock file, as it is written to `dataset.lock`.
    pub lock: Vec<u8>,
    /// The models that wrote or proposed what is published.
    pub models: Vec<String>,
    /// The models that only judged it.
    pub judges: Vec<String>,
    /// The tables, in the order in which the card lists them.
    pub configs: Vec<Config>,
    /// The split of each unit. If this is empty, all is `train`.
    pub splits: BTreeMap<UnitId, String>,
    /// The steps it was made by, in order.
    pub steps: Vec<Step>,
    /// What failed on the way.
    pub rejects: Vec<RejectCount>,
    /// What was left out on purpose.
    pub left_out: Vec<RejectCount>,
    /// How many decisions were doubtful, so that a person may want to look at them.
    pub reviews: u64,
    /// What models were asked, step by step.
    pub asked: Vec<Asked>,
    /// The texts that they were asked with, those that `asked` names by their digests.
    pub prompts: Vec<Vec<u8>>,
    /// What people who decided something are called in what is published, by their names.
    pub people: BTreeMap<String, String>,
    /// The step that the rows of each config come from, as far as it is known.
    pub from: BTreeMap<String, String>,
    /// The configs whose texts the questions of each config are asked about, the nearest first: what the audit for the
    /// card searches. Where a config is not named, every text is tried.
    pub texts: BTreeMap<String, Vec<String>>,
}

/// What one step asked models.
///
/// All of it follows from the answers that the dataset is made from, never from what one run had
/// still to ask, or what that cost; else the same rows would come with another card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The step.
    pub step: String,
    /// The users' names for the weights that were asked.
    pub models: Vec<String>,
    /// The digests of the templates of its prompts.
    pub prompts: Vec<Digest>,
    /// How many answers it read, those that were refused and asked again among them.
    pub answers: u64,
    /// What endpoints refused of its requests.
    pub changes: Changes,
}

/// One table of the dataset.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name, and its folder's.
    pub name: String,
    /// `Record::NAME` of its rows.
    pub record: String,
    /// The encodings whose tokens its rows count.
    pub encodings: Vec<Encoding>,
    /// Its rows, in parts; of a unit there may be several.
    pub parts: Vec<PartRef>,
}

/// A step that the dataset was made by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name in the workflow.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// The version of its kind.
    pub version: u32,
    /// What finds names in it, if it finds any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tagger: Option<String>,
}

/// How many items a step rejected or left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectCount {
    /// The step's name in the workflow.
    pub step: String,
    /// `Reason::code`.
    pub reason: String,
    /// How many items.
    pub count: u64,
}

/// The split of all units where there are no splits.
const ONLY_SPLIT: &str = "train";

impl Publication {
    /// The parts of a config by split, splits in their usual order, parts in the order of units.
    pub(crate) fn by_split<'s>(
        &'s self,
        config: &'s Config,
    ) -> Result<Vec<(&'s str, Vec<&'s PartRef>)>, Fault> {
        let mut splits: BTreeMap<(usize, &str), Vec<&PartRef>> = BTreeMap::new();
        for part in &config.parts {
            let split = match self.splits.get(&part.unit) {
                // Votes are on units that were left out too; these have no split, and nobody trains on them.
                None if config.record == Vote::NAME && !self.splits.is_empty() => "test",
                _ => self.split_of(&part.unit)?,
            };
            splits.entry((rank(split), split)).or_default().push(part);
        }
        for parts in splits.values_mut() {
            parts.sort_by_key(|part| &part.unit);
        }
        Ok(splits.into_iter().map(|((_, split), parts)| (split, parts)).collect())
    }

    /// Where an empty config gets its one file.
    pub(crate) fn first_split(&self) -> &str {
        let splits = self.splits.values().map(String::as_str);
        splits.min_by_key(|split| (rank(split), *split)).unwrap_or(ONLY_SPLIT)
    }

    fn split_of(&self, unit: &UnitId) -> Result<&str, Fault> {
        if self.splits.is_empty() {
            return Ok(ONLY_SPLIT);
        }
        self.splits.get(unit).map(String::as_str).ok_or_else(|| {
            Fault::new(FaultKind::Internal, format!("unit {unit} belongs to no split"))
        })
    }

    /// A digest over all that the published bytes follow from: the tool, the writer, the
    /// columns, every part, and what its card is made of beside them.
    pub(crate) fn digest(&self, tables: &Tables, card: &impl Serialize) -> Result<Digest, Fault> {
        let Self { name, title, version, license, description, canary, seed, models, .. } = self;
        let tool = (TOOL_VERSION, WRITER_FORMAT, SCHEMA_VERSION, FORMAT_VERSION, card);
        let words =
            (name, title, version, license, description, canary, seed, models, &self.people);
        let made = (&self.steps, &self.rejects, &self.left_out, self.reviews, &self.asked);
        let mut texts = vec![canonical::json(&(tool, words, made))];
        for config in &self.configs {
            let columns = format!("{:?}", tables.get(&config.record)?.columns(&config.encodings));
            texts.push(canonical::json(&(&config.name, &config.record, columns)));
            for (split, parts) in self.by_split(config)? {
                let parts: Vec<_> = parts.iter().map(|p| (&p.unit, p.digest)).collect();
                texts.push(canonical::json(&(split, parts)));
            }
        }
        let texts = texts.iter().map(String::as_bytes);
        Ok(Digest::of_parts("storymill 2026 publication v1", texts.chain([self.lock.as_slice()])))
    }

    /// Finds what cannot be published, before anything is written.
    pub(crate) fn check(&self, tables: &Tables) -> Result<(), Fault> {
        let wrong = |message: String| Err(Fault::new(FaultKind::Input, message));
        let word = |what: &str, text: &str| {
            let fits =
                !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
            if fits { Ok(()) } else { wrong(format!("the {what} of the dataset is not one word")) }
        };
        word("version", &self.version)?;
        word("license", &self.license)?;
        word("canary", &self.canary)?;
        is_file_name("dataset", &self.name)?;
        if self.configs.is_empty() {
            return wrong("the dataset has no tables".to_owned());
        }
        let mut names = std::collections::BTreeSet::new();
        for config in &self.configs {
            is_file_name("config", &config.name)?;
            // `README.md` would be a folder.
            if config.name.contains('.') {
                return wrong(format!(
                    "a config cannot be named `{}`: leave out the dot",
                    config.name
                ));
            }
            if !names.insert(config.name.to_lowercase()) {
                return wrong(format!("two configs are named `{}`", config.name));
            }
            let table = tables.get(&config.record)?;
            if table.evaluation()
                && table.columns(&config.encodings).last().map(|last| last.name) != Some(CANARY)
            {
                let message =
                    format!("the table of `{}` rows does not end with its canary", config.record);
                return Err(Fault::new(FaultKind::Internal, message));
            }
        }
        for split in self.splits.values() {
            let fits =
                !split.is_empty() && split.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            if !fits {
                return wrong(format!("`{}` cannot be a split", split.escape_debug()));
            }
        }
        Ok(())
    }
}

/// Names become folders, so their alphabet is that of units.
fn is_file_name(what: &str, name: &str) -> Result<(), Fault> {
    name.parse::<UnitId>().map(drop).map_err(|error| {
        Fault::new(FaultKind::Input, format!("bad name of a {what}")).because(error)
    })
}

/// The place of a split among the others.
pub(crate) fn rank(split: &str) -> usize {
    let usual = ["train", "validation", "test"];
    usual.iter().position(|usual| *usual == split).unwrap_or(usual.len())
}
