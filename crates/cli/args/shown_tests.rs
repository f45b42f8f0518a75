//! Every command that the documentation or a `--help` shows can be typed.

use std::{fs, path::Path};

use clap::CommandFactory;

use super::Args;

/// The words of the commands in a text, as a shell takes them apart.
fn commands(text: &str) -> Vec<Vec<String>> {
    let text = text.replace("\\\n", " ").replace("$i/", "1/").replace("$SHARD/$SHARDS", "1/2");
    let mut found = Vec::new();
    for line in text.lines() {
        for (at, _) in line.match_indices("storymill ") {
            let before = line[..at].trim_end();
            let begins = ["do", "&&", ";", "$(", "$", "-"].iter().any(|end| before.ends_with(end));
            if before.is_empty() || (begins && !line[..at].ends_with('-')) {
                // A command in the quotes of another, as `ssh` takes it, ends with them.
                let quoted = line[..at].matches('"').count() % 2 == 1;
                let end = if quoted { line[at..].find('"') } else { None };
                found.push(words(&line[at..end.map_or(line.len(), |end| at + end)]));
            }
        }
    }
    found
}

fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut begun = false;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => (quote, begun) = (Some(c), true),
            (None, '|' | '>' | '<' | '&' | ';' | ')') => break,
            (None, '#') if word.is_empty() => break,
            (None, c) if c.is_whitespace() => {
                if begun || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            (_, c) => word.push(c),
        }
    }
    if begun || !word.is_empty() {
        words.push(word);
    }
    words
}

fn check(place: &str, text: &str) -> usize {
    let commands = commands(text);
    for command in &commands {
        let typed = Args::read(command);
        let shown = || command.join(" ");
        typed.unwrap_or_else(|error| panic!("{place}: `{}`\n{error}", shown()));
    }
    commands.len()
}

#[test]
fn commands_on_every_page() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = [top.join("docs"), top.join("docs/stages")];
    let below = docs.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let pages = below.map(|entry| entry.unwrap().path());
    let mut checked = 0;
    for page in pages.chain([top.join("README.md")]) {
        if page.extension().is_some_and(|extension| extension == "md") && !page.ends_with("cli.md")
        {
            let text = fs::read_to_string(&page).unwrap();
            for fence in ["```sh\n", "```console\n"] {
                for block in text.split(fence).skip(1) {
                    let block = block.split("```").next().unwrap();
                    checked += check(&page.display().to_string(), block);
                }
            }
        }
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn examples_of_every_help() {
    fn each(command: &clap::Command) -> usize {
        let after = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        check(command.get_name(), &after) + command.get_subcommands().map(each).sum::<usize>()
    }
    let checked = each(&Args::command());
    assert!(checked > 80, "{checked}");
}

/// What is wrong with a command that a message names: its words in backticks, with options. A file or an id is not looked at.
fn named(text: &str) -> Option<String> {
    let all = Args::command();
    let mut command = &all;
    let mut words = text.split_whitespace().skip(1).peekable();
    while let Some(word) = words.peek() {
        let Some(next) = command.find_subcommand(word) else { break };
        if next.is_hide_set() {
            return Some(format!("`{word}` is an old word"));
        }
        command = next;
        words.next();
    }
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if let Some(word) = words.peek()
        && command.has_subcommands()
        && plain(word)
    {
        return Some(format!("`{}` has no command `{word}`", command.get_name()));
    }
    let options = words.filter_map(|word| word.strip_prefix("--")).filter(|word| plain(word));
    let known = |option: &str| {
        command.get_arguments().any(|own| own.get_long() == Some(option)) || option == "color"
    };
    options.filter(|option| !known(option)).map(|option| format!("no option --{option}")).next()
}

#[test]
fn commands_that_messages_name() {
    fn search(folder: &Path, found: &mut Vec<(String, String)>) {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                search(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !name.contains("test")
                && name != "renamed.rs"
            {
                let text = fs::read_to_string(&path).unwrap();
                // Comments are for who reads the code; what a help says is one all the same.
                let is_said = |line: &&str| {
                    let line = line.trim_start();
                    !line.starts_with("//")
                        || line.starts_with("/// ") && path.parent().unwrap().ends_with("cli/args")
                };
                let text = text.lines().filter(is_said).collect::<Vec<_>>().join("\n");
                for said in text.split("`storymill ").skip(1) {
                    let said = said.split(['`', '\n', '{', '"', '\\']).next().unwrap();
                    found.push((path.display().to_string(), format!("storymill {said}")));
                }
            }
        }
    }
    let mut found = Vec::new();
    search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates"), &mut found);
    assert!(found.len() > 100, "{}", found.len());
    let wrong = found.iter().filter_map(|(file, said)| Some((file, said, named(said)?)));
    let wrong: Vec<_> = wrong.map(|(file, said, why)| format!("{file}: `{said}`: {why}")).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
