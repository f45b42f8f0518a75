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

#[test]
fn the_reference_of_commands() {
    let project = Project::new();
    let mut text =
        "# Commands\n\nPrinted by `storymill help`; kept up to date by a test.\n".to_owned();
    describe(&project, &[], &mut text);
    text += "\n## Exit codes\n\n```text\n";
    text += &project.run(&["explain", "exit-codes"]).exits(0).out();
    text += "```\n";
    check("docs/cli.md", &text);
}

/// The stages, each with the first sentence of its page.
#[test]
fn the_list_of_stages() {
    let folder = top().join("docs/stages");
    let mut text = "# Stages\n\nEach stage has a page with its options and examples; `storymill explain KIND` prints the options. The first sentence of each \
                    page:\n\n| stage | |\n| --- | --- |\n"
        .to_owned();
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
        text += &format!("| [{kinds}]({name}) | {first} |\n");
    }
    check("docs/stages/README.md", &text);
}

/// Every key of a workflow, from the schema.
#[test]
fn the_reference_of_workflows() {
    let schema: Value =
        serde_json::from_str(&Project::new().run(&["schema"]).exits(0).out()).unwrap();
    let mut text = "# Workflow files\n\nEvery key that a workflow may have; written by a test from `storymill schema`. The schema itself is \
                    [workflow.schema.json](workflow.schema.json): with `#:schema PATH-OR-URL` as its first line a workflow is completed and checked in editors \
                    that use taplo (Even Better TOML in VS Code, Zed, Helix, Neovim).\n"
        .to_owned();
    let top = &schema["properties"];
    table("At the top", &schema, &mut text);
    for (key, heading) in
        [("publish", "`[publish]`"), ("asking", "`[asking]`"), ("review", "`[review]`")]
    {
        table(heading, defined(&schema, &top[key]), &mut text);
    }
    table("`[model.NAME]`", defined(&schema, &top["model"]["additionalProperties"]), &mut text);
    for key in ["source", "stage"] {
        let kinds = top[key]["additionalProperties"]["properties"].as_object().unwrap();
        for (kind, options) in kinds {
            let heading = format!("`[{key}.NAME.{kind}]`");
            table(&heading, defined(&schema, options), &mut text);
        }
    }
    table("`[dataset.CONFIG]`", &top["dataset"]["additionalProperties"], &mut text);
    check("docs/workflow.md", &text);
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
    *text += "| key | default | |\n| --- | --- | --- |\n";
    for (key, of) in keys {
        let default = match &of["default"] {
            Value::Null if required.contains(&key.as_str()) => "needed".to_owned(),
            Value::Null => String::new(),
            value => format!("`{value}`"),
        };
        let about = of["description"].as_str().unwrap_or_default().replace('\n', " ");
        *text += &format!("| `{key}` | {default} | {} |\n", about.replace('|', "\\|"));
    }
}

/// The help of a command, and of the commands that it lists.
fn describe(project: &Project, command: &[&str], text: &mut String) {
    let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
    let help = project.run(&args).exits(0).out();
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    let name: Vec<&str> = ["storymill"].into_iter().chain(command.iter().copied()).collect();
    *text += &format!("\n## {}\n\n```text\n{}\n```\n", name.join(" "), lines.join("\n").trim_end());
    let listed = lines
        .iter()
        .skip_while(|line| **line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    for line in listed.filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let below = line.split_whitespace().next().unwrap();
        if below != "help" {
            describe(project, &[command, &[below]].concat(), text);
        }
    }
}
