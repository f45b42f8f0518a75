//! What is generated and kept in the repository is what the binary prints today.

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
    for command in
        ["", "build", "plan", "inspect", "clean", "init", "schema", "explain", "completions"]
    {
        let args: Vec<&str> =
            [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = project.run(&args).exits(0).out();
        let lines: Vec<_> = help.lines().map(str::trim_end).collect();
        text +=
            &format!("\n## storymill {command}\n\n```text\n{}\n```\n", lines.join("\n").trim_end())
                .replace("storymill \n", "storymill\n");
    }
    text += "\n## Exit codes\n\n```text\n";
    text += &project.run(&["explain", "exit-codes"]).exits(0).out();
    text += "```\n";
    check("docs/cli.md", &text);
}
