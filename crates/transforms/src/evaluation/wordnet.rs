//! The files of a WordNet folder as a stage names them.

use std::{borrow::Cow, path::PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use storymill_core::{Fault, FaultKind, Resource};
use storymill_metrics::wordnet::{Files, PartFiles, WordNet};

/// A folder with WordNet 3.0: `index.noun`, `data.noun`, `noun.exc` and so on.
#[derive(Clone, Debug)]
pub struct WordNetFolder(Vec<Resource>);

const PARTS: [&str; 4] = ["noun", "verb", "adj", "adv"];

impl WordNetFolder {
    /// Its files, to be read by the engine.
    pub(super) fn resources(&mut self) -> impl Iterator<Item = &mut Resource> {
        self.0.iter_mut()
    }

    /// What is in them.
    pub(super) fn read(&self) -> Result<WordNet, Fault> {
        let mut parts = self.0.chunks(3).map(|files| match files {
            [index, data, exceptions] => PartFiles {
                index: index.content().to_vec(),
                data: data.content().to_vec(),
                exceptions: exceptions.content().to_vec(),
            },
            _ => PartFiles::default(),
        });
        let mut part = || parts.next().unwrap_or_default();
        let files = Files { noun: part(), verb: part(), adj: part(), adv: part() };
        WordNet::parse(files).map_err(|error| {
            Fault::new(FaultKind::Input, "this is not a folder of WordNet").because(error)
        })
    }
}

impl Serialize for WordNetFolder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WordNetFolder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let folder = PathBuf::deserialize(deserializer)?;
        let names = PARTS.iter().flat_map(|part| {
            [format!("index.{part}"), format!("data.{part}"), format!("{part}.exc")]
        });
        let file = |name: String| {
            serde_json::from_value(serde_json::json!(folder.join(name))).map_err(D::Error::custom)
        };
        names.map(file).collect::<Result<_, _>>().map(Self)
    }
}

impl JsonSchema for WordNetFolder {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "WordNetFolder".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "path of a folder with WordNet 3.0, relative to the workflow file",
        })
    }
}
