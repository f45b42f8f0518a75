//! Every command stands in one group, and `docs/cli.md` has a line of each.

use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

use clap::{Command, CommandFactory};

use super::{Args, groups::GROUPS};

#[test]
fn every_command_stands_in_one_group() {
    let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
    let once: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(listed.len(), once.len(), "{listed:?}");
    let args = Args::command();
    let shown = args.get_subcommands().filter(|command| !command.is_hide_set());
    let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
    let left_out = |name: &&str| {
        cfg!(not(feature = "app")) && *name == "view"
            || cfg!(not(feature = "mirror")) && *name == "fetch"
    };
    let listed: BTreeSet<&str> = once.into_iter().filter(|name| !left_out(name)).collect();
    assert_eq!(listed, shown);
}

#[test]
fn numbers_are_refused_without_words_of_rust() {
    for (line, words) in [
        ("build my.toml --pilot=x", "'x' for '--pilot [<SCENES>]': this is not a whole number"),
        ("build my.toml --threads zero", "this is not a whole number"),
        ("build my.toml --max-usd x", "'x'"),
        ("build my.toml --max-requests ''", "a whole number is missing"),
        ("build my.toml --threads 99999999999999999999999", "this is too large"),
    ] {
        let line: Vec<String> = ["storymill"]
            .into_iter()
            .chain(line.split(' '))
            .map(|word| word.replace("''", ""))
            .collect();
        let said = Args::read(&line).unwrap_err();
        let text = said.to_string();
        assert!(said.use_stderr() && text.starts_with("error: ") && text.contains(words), "{text}");
        let rust = ["digit", "literal", "target type", "parse"];
        assert!(!rust.iter().any(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn every_command_can_answer_in_json() {
    fn each(command: &Command, above: &str, without: &mut Vec<String>) {
        let name = format!("{above} {}", command.get_name());
        let takes = |arg: &clap::Arg| {
            arg.get_long().is_some_and(|long| long.ends_with("format"))
                && arg
                    .get_possible_values()
                    .iter()
                    .any(|value| value.get_name().starts_with("json"))
        };
        if !command.has_subcommands() && !command.get_arguments().any(takes) {
            without.push(name.clone());
        }
        command.get_subcommands().for_each(|below| each(below, &name, without));
    }
    let mut without = Vec::new();
    Args::command().get_subcommands().for_each(|one| each(one, "storymill", &mut without));
    // What these print is JSON already, or a script for a shell; `export-batch` writes files in a provider's format.
    let own = ["schema", "answers calls", "answers export-batch", "completions"];
    without.retain(|name| !own.contains(&&name["storymill ".len()..]));
    assert_eq!(without, [""; 0], "these lack `--format json`");
}

#[test]
fn the_help_fits_a_screen() {
    for asks in ["--help", "-h", "help"] {
        let help = Args::read(&["storymill", asks]).expect_err("help is no run");
        let help = help.to_string();
        assert!(help.lines().count() < 40, "{} lines:\n{help}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// The first example of a command's own help, else of the first command below it that has one.
fn example(command: &Command) -> Option<String> {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut lines = text.lines().map(str::trim).filter(|line| line.starts_with("storymill "));
    let own = lines.next().map(|line| line.split("  #").next().unwrap_or(line).trim().to_owned());
    own.or_else(|| command.get_subcommands().find_map(example))
}

/// A line of a command, with the commands below it.
fn row(command: &Command, text: &mut String) {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let example = example(command).map(|line| format!(": `{line}`")).unwrap_or_default();
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    let below = shown.map(Command::get_name).filter(|name| *name != "help");
    let below: Vec<String> = below.map(|below| format!("`{name} {below}`")).collect();
    let below = if below.is_empty() { String::new() } else { format!(" ({})", below.join(", ")) };
    writeln!(text, "- `{name}`: {about}{below}{example}").expect("a string takes all");
}

fn page() -> String {
    let mut args = Args::command();
    args.build();
    let mut text = "# Commands\n\n`storymill help COMMAND` has all options, `storymill explain options` those that many commands share, `storymill explain exit-codes` the exit codes. Written by a test from the program's help.\n".to_owned();
    for (group, names) in GROUPS {
        write!(text, "\n## {group}\n\n").expect("a string takes all");
        for name in names.split(' ') {
            row(args.find_subcommand(name).expect("a group names commands"), &mut text);
        }
    }
    text
}

#[test]
#[cfg(all(feature = "app", feature = "mirror"))]
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests may have the page written anew"
)]
fn the_page_of_commands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    if std::env::var_os("SNAPSHOTS").is_some_and(|how| how == "overwrite") {
        fs::write(&path, page()).expect("the page is written");
    }
    let kept = fs::read_to_string(&path).expect("the page is there");
    assert!(kept == page(), "docs/cli.md is out of date: run the tests with SNAPSHOTS=overwrite");
}
