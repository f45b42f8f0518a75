//! The JSON schema of workflow files, for editors.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use storymill_core::ReviewRule;

use crate::{Asking, Publish, Registry, registry::Kind};

impl Registry {
    /// The JSON schema (draft 7) of workflows over these kinds.
    pub fn schema(&self) -> Value {
        let mut generator = SchemaSettings::draft07().into_generator();
        let sources = one_of_kinds(&self.sources, &mut generator, "a source of units");
        let stages = one_of_kinds(&self.stages, &mut generator, "a stage or a corpus stage");
        let model = self
            .model
            .as_ref()
            .map_or(Value::Bool(false), |model| (model.schema)(&mut generator).into());
        let publish = generator.subschema_for::<Publish>();
        let asking = generator.subschema_for::<Asking>();
        let review = generator.subschema_for::<ReviewRule>();
        let definitions = generator.take_definitions(true);
        let mut schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "storymill workflow",
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "version", "seed", "publish", "source", "dataset"],
            "properties": {
                "name": { "type": "string", "description": "the dataset's name: A-Z a-z 0-9 . _ -", "pattern": "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$" },
                "version": { "type": "string", "description": "the dataset's version: three numbers", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
                "seed": { "type": "integer", "minimum": 0, "description": "the root of all random choices" },
                "base": { "type": "string", "description": "path of the `dataset.lock` that this version grows from" },
                "answers": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "files and folders with recorded answers, which are only read",
                },
                "send_private_to": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "endpoints that may be sent private text, as `https://host:port`; those of this machine always may",
                },
                "decisions": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "files with what people decided, the first of which `storymill review` adds to; `decisions.jsonl` beside the workflow where none is named",
                },
                "review": review,
                "publish": publish,
                "model": { "type": "object", "description": "the models that stages may ask", "additionalProperties": model },
                "asking": asking,
                "source": { "type": "object", "description": "where units come from", "additionalProperties": sources },
                "stage": { "type": "object", "description": "what is made of them", "additionalProperties": stages },
                "dataset": {
                    "type": "object",
                    "description": "the configs to publish",
                    "additionalProperties": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["from"],
                        "properties": { "from": { "type": "string", "description": "the step whose rows are published" } },
                    },
                },
            },
            "definitions": definitions,
        });
        for_users(&mut schema);
        schema
    }
}

fn one_of_kinds(
    kinds: &std::collections::BTreeMap<&'static str, Kind>,
    generator: &mut SchemaGenerator,
    description: &str,
) -> Value {
    let properties: Map<String, Value> = kinds
        .iter()
        .map(|(name, kind)| {
            let schema: Schema = (kind.schema)(generator);
            ((*name).to_owned(), Value::from(schema))
        })
        .collect();
    json!({
        "type": "object",
        "description": description,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": properties,
    })
}

/// Descriptions come from doc comments; the examples in Rust that some have are not for editors.
fn for_users(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get_mut("description")
                && let Some(at) = text.find("```")
            {
                text.truncate(at);
                text.truncate(text.trim_end().len());
            }
            map.values_mut().for_each(for_users);
        }
        Value::Array(items) => items.iter_mut().for_each(for_users),
        _ => {}
    }
}
