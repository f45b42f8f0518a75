//! What is generated and kept in the repository is what the binary prints today.

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

/// The stages, each with the first sentence of its page.
#[test]
fn the_list_of_stages() {
    let folder = top().join("docs/stages");
    let mut text = "# Stages\n\n`storymill explain KIND` prints the options of a stage with their defaults, which [workflow.schema.json](../workflow.schema.json) has too.\n\n".to_owned();
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
    let mut text = "# Workflow files\n\nThe keys of a workflow. Written by a test from `storymill schema`. In brackets: what stands where a key is left out. `#:schema workflow.schema.json` ([that file](workflow.schema.json)) as its first line has \
                    editors with taplo (VS Code, Zed, Helix, Neovim) complete and check it.\n"
        .to_owned();
    let top = &schema["properties"];
    table("At the top", &schema, &mut text);
    for (key, heading) in [("publish", "`[publish]`"), ("asking", "`[asking]`")] {
        table(heading, defined(&schema, &top[key]), &mut text);
    }
    text += "\n## `[review]`, `[model.NAME]`\n\nSee [review](review.md#several-people) and [models](models.md#all-lines).\n";
    let kinds = |of: &str| {
        let kinds = top[of]["additionalProperties"]["properties"].as_object().unwrap();
        kinds.keys().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ")
    };
    text += &format!(
        "\n## `[source.NAME.KIND]`, `[stage.NAME.KIND]`\n\n`storymill explain KIND` prints the options of a kind. Sources: {}. \
         [Stages](stages/README.md) are many.\n",
        kinds("source")
    );
    table("`[dataset.CONFIG]`", &top["dataset"]["additionalProperties"], &mut text);
    check("docs/workflow.md", &text);
}

/// What `storymill explain` prints of each option; the page on models has a row for each key of a model.
#[test]
fn every_option_is_explained() {
    let printed = Project::new().run(&["schema"]).exits(0).out();
    let schema: Value = serde_json::from_str(&printed).unwrap();
    let top = &schema["properties"];
    let mut missing = Vec::new();
    for what in ["source", "stage"] {
        for (kind, options) in top[what]["additionalProperties"]["properties"].as_object().unwrap()
        {
            let keys = defined(&schema, options)["properties"].as_object();
            let bare = keys.into_iter().flatten().filter(|(_, option)| {
                let about = |node: &Value| node["description"].as_str().is_some();
                !about(option) && !about(defined(&schema, option))
            });
            missing.extend(bare.map(|(key, _)| format!("`{key}` of `{kind}`")));
        }
    }
    let page = std::fs::read_to_string(crate::project::top().join("docs/models.md")).unwrap();
    // `- `option` (default): what it does`.
    let rows = page.lines().filter_map(|line| line.strip_prefix("- ")?.split([':', '(']).next());
    let named: Vec<&str> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let keys = defined(&schema, &top["model"]["additionalProperties"])["properties"].as_object();
    let keys = keys.unwrap().keys().filter(|key| !named.contains(&key.as_str()));
    missing.extend(keys.map(|key| format!("`{key}` of a model")));
    assert!(missing.is_empty(), "options that nothing explains: {missing:?}");
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
