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
    describe(&project, &[], &mut text);
    text += "\n## Exit codes\n\n```text\n";
    text += &project.run(&["explain", "exit-codes"]).exits(0).out();
    text += "```\n";
    check("docs/cli.md", &text);
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
