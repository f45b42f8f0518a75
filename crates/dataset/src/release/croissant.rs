//! `croissant.json`: the dataset in MLCommons' Croissant 1.1, file by file and column by column.
//!
//! Each Parquet file is a file object with its length and SHA-256; each table is a record set over
//! the set of its files. Paths are relative, so that the description holds wherever the folder is.

use std::{collections::BTreeMap, path::Path};

use arrow_schema::{DataType, Field};
use serde_json::{Value, json};
use storymill_core::{Fault, FaultKind};

use super::{Words, citation, responsible::Responsible};
use crate::{manifest::Manifest, reading::open_here, table::Tables};

/// The file's name.
pub(super) const CROISSANT: &str = "croissant.json";

const PARQUET: &str = "application/x-parquet";

/// Describes a published folder. `records` names the record of each config, for what its columns
/// mean.
pub(super) fn render(
    folder: &Path,
    manifest: &Manifest,
    words: &Words,
    tables: &Tables,
    records: &BTreeMap<String, String>,
    responsible: &Responsible,
    date: &str,
) -> Result<String, Fault> {
    let (mut distribution, mut record_sets) = (Vec::new(), Vec::new());
    let mut configs: Vec<&str> = Vec::new();
    for file in &manifest.files {
        distribution.push(json!({
            "@type": "cr:FileObject", "@id": file.path, "name": file.path, "contentUrl": file.path,
            "encodingFormat": PARQUET, "contentSize": format!("{} B", file.bytes), "sha256": file.sha256,
        }));
        let config = file.config.as_str();
        if configs.contains(&config) {
            continue;
        }
        configs.push(config);
        let columns = records.get(config).and_then(|record| tables.columns(record, &[]));
        let abouts: BTreeMap<_, _> =
            columns.into_iter().flatten().map(|column| (column.name, column.about)).collect();
        let set = format!("{config}-files");
        distribution.push(json!({
            "@type": "cr:FileSet", "@id": set, "name": set, "encodingFormat": PARQUET,
            "includes": format!("{config}/*.parquet"),
        }));
        let reader = open_here(&folder.join(&file.path))?;
        let schema = reader.schema();
        let fields: Vec<_> = schema
            .fields()
            .iter()
            .map(|column| {
                let mut field = field(config, &set, column, &[]);
                if let Some(about) = abouts.get(column.name().as_str()) {
                    field["description"] = json!(about);
                }
                field
            })
            .collect();
        let id = schema.fields().first().map(|first| format!("{config}/{}", first.name()));
        record_sets.push(json!({
            "@type": "cr:RecordSet", "@id": config, "name": config, "key": { "@id": id }, "field": fields,
        }));
    }
    let license = citation::spdx(&words.license)
        .map_or_else(|| words.license.clone(), |id| format!("https://spdx.org/licenses/{id}"));
    let creators: Vec<_> = words.authors.iter().map(|name| creator(name)).collect();
    let mut dataset = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": manifest.name,
        "alternateName": words.title,
        "description": if words.description.trim().is_empty() { &words.title } else { &words.description },
        "version": manifest.version,
        "license": license,
        "url": words.url,
        "creator": creators,
        "datePublished": date,
        "isLiveDataset": false,
        "keywords": ["long-context", "narrative", "benchmark"],
        "citeAs": citation::bibtex(manifest, words, date),
        "rai:dataReleaseMaintenancePlan": "A release is never changed. Versions are semantic; CHANGELOG.md says what changed, ERRATA.csv which rows are gone or changed, and why.",
        "distribution": distribution,
        "recordSet": record_sets,
    });
    for (name, value) in &responsible.fields {
        dataset[*name] = value.clone();
    }
    if !words.models.is_empty() {
        dataset["rai:machineAnnotationTools"] = json!(words.models);
    }
    let mut text = serde_json::to_string_pretty(&dataset).map_err(|error| {
        Fault::new(FaultKind::Internal, "the description cannot be JSON").because(error)
    })?;
    text.push('\n');
    Ok(text)
}

/// A person, if the name is written as `Family, Given`; else whoever goes by it.
fn creator(name: &str) -> Value {
    match name.split_once(',') {
        Some((family, given)) => json!({
            "@type": "sc:Person", "name": format!("{} {}", given.trim(), family.trim()),
        }),
        None => json!({ "@type": "sc:Organization", "name": name.trim() }),
    }
}

/// A column, or a field of the records in one. `above` are the column and the fields around it.
fn field(id: &str, set: &str, column: &Field, above: &[&str]) -> Value {
    let name = column.name();
    let id = format!("{id}/{name}");
    let mut field = json!({ "@type": "cr:Field", "@id": id, "name": name });
    let mut kind = column.data_type();
    if let DataType::List(of) | DataType::LargeList(of) = kind {
        kind = of.data_type();
        field["isArray"] = json!(true);
        field["arrayShape"] = json!("-1");
    }
    let path = [above, &[name.as_str()]].concat();
    if let DataType::Struct(inner) = kind {
        let inner = inner.iter().map(|own| self::field(&id, set, own, &path));
        field["subField"] = inner.collect();
        return field;
    }
    field["dataType"] = if kind.is_integer() { json!("sc:Integer") } else { json!("sc:Text") };
    let mut source = json!({ "fileSet": { "@id": set }, "extract": { "column": path[0] } });
    if path.len() > 1 {
        source["transform"] = json!({ "jsonPath": format!("$.{}", path[1..].join(".")) });
    }
    field["source"] = source;
    field
}

/// The words of Croissant's own.
const OWN: [&str; 29] = [
    "arrayShape",
    "citeAs",
    "column",
    "containedIn",
    "equivalentProperty",
    "extract",
    "field",
    "fileObject",
    "fileProperty",
    "fileSet",
    "format",
    "includes",
    "isArray",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
];

/// The context of Croissant 1.1: what the short names mean.
fn context() -> Value {
    let mut context = json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "dct": "http://purl.org/dc/terms/",
        "prov": "http://www.w3.org/ns/prov#",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "description": { "@container": "@language" },
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "name": { "@container": "@language" },
    });
    for word in OWN {
        context[word] = json!(format!("cr:{word}"));
    }
    context
}
