//! What is generated and kept in the repository is what the binary prints today.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::{Project, overwrite, top};

#[track_caller]
fn check(file: &str, printed: &str) {
    let path = top().join(file);
    if overwrite() {
        std::fs::write(&path, printed).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == printed, "{file} is out of date: run the tests with SNAPSHOTS=overwrite");
}

#[test]
fn the_schema_of_workflows() {
    check("docs/workflow.schema.json", &Project::new().run(&["schema"]).exits(0).out());
}

/// What stands on the list of stages once, for all of their pages.
const COMMON: &str = "## Options that many stages have

- `from`, `of`, `scenes`, ...: the step that makes these rows
- `model`: which `[model.NAME]` is asked
- `called`: what rows call the model; else its name in the workflow
- `tries`: how often to ask at most, until an answer passes
- `prompt`: a template in place of ours (data/prompts)
- `window`: the model's window in tokens, request and answer together
- `tokens`: the encoding in which that is counted
- `max_tokens`: how long an answer may be

## All stages
";

/// The stages, each with the first sentence of its page.
#[test]
fn the_list_of_stages() {
    let folder = top().join("docs/stages");
    let mut text = "# Stages\n\nEach has a page with its options (defaults in brackets) and examples; `storymill explain KIND` prints the options.\n\n".to_owned();
    text += COMMON;
    text += "\n";
    let mut pages: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    for path in pages.iter().filter(|path| !path.ends_with("README.md")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let page = std::fs::read_to_string(path).unwrap();
        let mut parts = page.split("\n\n");
        let kinds = parts.next().unwrap().trim_start_matches("# ").to_owned();
        let about = parts.next().unwrap().replace('\n', " ");
        let first = about.split_inclusive(". ").next().unwrap().trim_end();
        text += &format!("- [{kinds}]({name}): {first}\n");
    }
    check("docs/stages/README.md", &text);
}

/// Every key of a workflow but the options of stages, from the schema.
#[test]
fn the_reference_of_workflows() {
    let schema: Value =
        serde_json::from_str(&Project::new().run(&["schema"]).exits(0).out()).unwrap();
    let mut text = "# Workflow files\n\nEvery key that a workflow may have; the options of a stage stand on [its page](stages/README.md). Written by a test from `storymill schema`. \
                    In brackets: what stands where a key is left out. `#:schema workflow.schema.json` ([that file](workflow.schema.json)) as its first line has \
                    editors with taplo (VS Code, Zed, Helix, Neovim) complete and check it.\n"
        .to_owned();
    let top = &schema["properties"];
    table("At the top", &schema, &mut text);
    for (key, heading) in [("publish", "`[publish]`"), ("asking", "`[asking]`")] {
        table(heading, defined(&schema, &top[key]), &mut text);
    }
    text += "\n## `[review]`, `[model.NAME]`\n\nSee [review](review.md#several-people) and [models](models.md#all-lines).\n";
    let sources = top["source"]["additionalProperties"]["properties"].as_object().unwrap();
    for (kind, options) in sources {
        table(&format!("`[source.NAME.{kind}]`"), defined(&schema, options), &mut text);
    }
    table("`[dataset.CONFIG]`", &top["dataset"]["additionalProperties"], &mut text);
    check("docs/workflow.md", &text);
}

/// A page has a row for each option of its kinds, which its heading names; that on models one for each of a model.
#[test]
fn every_option_stands_on_its_page() {
    let printed = Project::new().run(&["schema"]).exits(0).out();
    let schema: Value = serde_json::from_str(&printed).unwrap();
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(top().join("docs/stages")).unwrap() {
        let page = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let kinds = page.lines().next().unwrap().trim_start_matches("# ").to_owned();
        pages.extend(kinds.split(", ").map(|kind| (kind.to_owned(), page.clone())));
    }
    let models = std::fs::read_to_string(top().join("docs/models.md")).unwrap();
    pages.insert("model".to_owned(), models);
    let top = &schema["properties"];
    let stages = top["stage"]["additionalProperties"]["properties"].as_object().unwrap();
    let model = ("model".to_owned(), &top["model"]["additionalProperties"]);
    let stages = stages.iter().map(|(kind, options)| (kind.clone(), options));
    let mut missing = Vec::new();
    for (kind, options) in stages.chain([model]) {
        let page = pages.get(&kind).map_or("", String::as_str);
        // `- `option` (default): what it does`, or the first cell of a table.
        let rows = page.lines().filter_map(|line| {
            let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("| "))?;
            line.split([':', '(', '|']).next()
        });
        let named: Vec<&str> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        let keys = defined(&schema, options)["properties"].as_object();
        let keys = keys.into_iter().flat_map(|keys| keys.keys());
        let keys = keys.filter(|key| !named.contains(&key.as_str()));
        missing.extend(keys.map(|key| format!("`{key}` of `{kind}`")));
    }
    assert!(missing.is_empty(), "options that no page has: {missing:?}");
}

/// What a schema refers to, if it refers.
fn defined<'s>(schema: &'s Value, node: &'s Value) -> &'s Value {
    let path = node["$ref"].as_str().or_else(|| node.pointer("/allOf/0/$ref")?.as_str());
    path.map_or(node, |path| schema.pointer(path.trim_start_matches('#')).unwrap())
}

/// The keys of a table: whether one must be there, else what stands for it.
fn table(heading: &str, node: &Value, text: &mut String) {
    *text += &format!("\n## {heading}\n\n");
    let required: Vec<&str> = node["required"]
        .as_array()
        .iter()
        .flat_map(|all| all.iter())
        .filter_map(Value::as_str)
        .collect();
    let Some(keys) = node["properties"].as_object() else {
        *text += "Takes no keys.\n";
        return;
    };
    for (key, of) in keys {
        let default = match &of["default"] {
            Value::Null if required.contains(&key.as_str()) => " (needed)".to_owned(),
            Value::Null => String::new(),
            value => format!(" (`{value}`)"),
        };
        let about = of["description"].as_str().unwrap_or_default().replace('\n', " ");
        // It stands before it.
        let about = match about.rsplit_once(" Default: ") {
            Some((about, _)) if !default.is_empty() => about,
            _ => &about,
        };
        let about = about.trim_end_matches('.');
        *text += &format!("- `{key}`{default}: {about}\n").replace(": \n", "\n");
    }
}
