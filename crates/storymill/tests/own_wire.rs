//! A wire format from outside, that of `integrations/own-stage`: a workflow names it, and its requests are in it.

#![allow(missing_docs, clippy::unwrap_used, unreachable_pub)]

#[path = "../../../integrations/own-stage/src/completion.rs"]
mod completion;

use std::{fs, path::Path};

use serde_json::Value;
use storymill::{ModelOptions, NotAWorkflow, Project, Registry};
use storymill_disk::RealDisk;
use storymill_llm::batch;

use completion::Completion;

const WORKFLOW: &str = r#"
name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "cc0-1.0"
canary = "storymill-canary-of-a-test"

[model.default]
url = "http://127.0.0.1:9"
model = "m"
wire = "completion"

[source.books.folder]
path = "books"

[stage.scenes.chunk]
from = "books"

[stage.summaries.summarize]
from = "scenes"

[dataset.summaries]
from = "summaries"
"#;

fn project(folder: &Path, registry: Registry) -> Result<Project, NotAWorkflow> {
    let project = Project::open(folder.join("mine.toml"), registry)?;
    Ok(project.in_folder(folder.join("store")))
}

#[test]
fn a_workflow_speaks_a_format_that_its_registry_knows() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("books")).unwrap();
    let said = "Anna went to the mill and found nobody there. ".repeat(200);
    let text = format!("The Mill\n\nby Ann Lee\n\nCHAPTER I\n\n{said}\n");
    fs::write(folder.join("books/one.txt"), text).unwrap();
    fs::write(folder.join("mine.toml"), WORKFLOW).unwrap();

    let Err(NotAWorkflow::Problems(problems)) = project(folder, Registry::standard()) else {
        panic!("nobody knows the format");
    };
    let told = problems.to_string();
    let expected = "`wire` is `completion`, which is no wire format here; known here: `anthropic`, `responses`, `openai`";
    assert!(told.contains(expected), "{told}");

    let registry = Registry::standard().with_wire(&Completion);
    let requests = project(folder, registry).unwrap().requests(&ModelOptions::default());
    let requests = requests.unwrap().unwrap();
    let (asker, wave) = (requests.asker(), requests.elsewhere().unwrap());
    let (wire, out) = (asker.wires().of("completion").unwrap(), folder.join("batch"));
    let written = batch::export(asker, &wave, (wire, wire.limits()), &out, &RealDisk).unwrap();
    let lines = fs::read_to_string(out.join(&written.files[0].file)).unwrap();
    assert!(lines.lines().count() > 1);
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let prompt = line["body"]["prompt"].as_str().unwrap();
        assert!(prompt.contains("found nobody there") && prompt.ends_with("assistant:"));
    }
}
