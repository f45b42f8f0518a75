//! Commands that are printed as the next to type: with the file, store, folder and shelf of the run that prints them, so
//! that they do what is said where they are printed.

use std::{ffi::OsString, path::Path};

use clap::{Command, CommandFactory};
use storymill::Fault;

use crate::{args, exit::Failure, session::STORE, table::typed};

/// Where a run works.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<'a> {
    workflow: &'a Path,
    store: &'a Path,
    out: Option<&'a Path>,
    shelf: Option<&'a Path>,
    key: Option<&'a Path>,
}

impl<'a> Next<'a> {
    pub(crate) fn of(workflow: &'a Path, store: &'a Path) -> Self {
        Self { workflow, store, out: None, shelf: None, key: None }
    }

    pub(crate) fn of_build(args: &'a args::Build) -> Self {
        let (shelf, key) = (args.shelf.as_deref(), args.key.key.as_deref());
        Self { out: args.out.as_deref(), shelf, key, ..Self::of(&args.workflow, &args.store) }
    }

    pub(crate) fn of_review(args: &'a args::Review) -> Self {
        let (shelf, key) = (args.shelf.as_deref(), args.key.key.as_deref());
        Self { shelf, key, ..Self::of(&args.of, &args.store) }
    }

    pub(crate) fn workflow(&self) -> &'a Path {
        self.workflow
    }

    pub(crate) fn store(&self) -> &'a Path {
        self.store
    }

    /// The same with the folder of the dataset.
    pub(crate) fn with_out(self, out: Option<&'a Path>) -> Self {
        Self { out, ..self }
    }

    /// `storymill build my.toml --store there --out here`, with these options behind the file.
    pub(crate) fn build(&self, options: &str) -> String {
        let out = self.out.map(|out| format!(" --out {}", typed(out))).unwrap_or_default();
        format!("{}{out}", self.command("build", options))
    }

    /// Another command about the same workflow and store.
    pub(crate) fn command(&self, verb: &str, options: &str) -> String {
        let file = typed(self.workflow);
        let mut line = format!("storymill {verb} {file}");
        if !options.is_empty() {
            line += &format!(" {options}");
        }
        if let Some(shelf) = self.shelf {
            line += &format!(" --shelf {}", typed(shelf));
            if let Some(key) = self.key {
                line += &format!(" --key {}", typed(key));
            }
        } else if self.store != Path::new(STORE) {
            line += &format!(" --store {}", typed(self.store));
        }
        line
    }
}

/// ` --shelf DIR --key FILE`, as they were typed: behind a command about the same shelf.
pub(crate) fn on_shelf(shelf: Option<&Path>, key: Option<&Path>) -> String {
    let option = |name: &str, path: Option<&Path>| {
        path.map_or_else(String::new, |path| format!(" --{name} {}", typed(path)))
    };
    option("shelf", shelf) + &option("key", key)
}

/// The same for commands that look for the folder `shelf` where none is named.
pub(crate) fn at(place: &args::shelf::Place) -> String {
    let shelf = Some(place.shelf.as_path()).filter(|shelf| *shelf != Path::new("shelf"));
    on_shelf(shelf, place.key.key.as_deref())
}

/// Options that say where: a command that is named repeats them as they were typed, where it takes them; with the commands for
/// which others than that do so, and those behind which they were typed.
const WHERE: [(&str, &str, &str); 6] = [
    ("shelf", "", ""),
    ("key", "", ""),
    ("store", "", ""),
    ("books", "init", "init"),
    ("for", "init", "init"),
    ("out", "build", "build release"),
];

/// A failure whose hints name commands as they have to be typed where it came about.
pub(crate) fn repeating(failure: Failure, line: &[OsString]) -> Failure {
    let root = args::Args::command();
    let line: Vec<String> = line.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let again = |text: String| {
        let part = |(at, part): (usize, &str)| match at % 2 {
            1 => repeated(&root, part, &line),
            _ => part.to_owned(),
        };
        text.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
    };
    match failure {
        Failure::Usage(text) => Failure::Usage(again(text)),
        Failure::Fault(fault) => Failure::Fault(Fault { hint: fault.hint.map(again), ..fault }),
        other => other,
    }
}

/// A command with what was typed, where it is one.
fn repeated(root: &Command, text: &str, line: &[String]) -> String {
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    // Whoever prints a key has their own.
    if words[0] != "storymill" || text.contains("--key-only") {
        return text.to_owned();
    }
    let ((command, behind), verb) =
        (words_of(root, &words[1..]), words.get(1).map_or("", String::as_str));
    let own = line.get(1).map_or("", String::as_str);
    let value_of = |long: &str| {
        line.iter().zip(1..).find_map(|(word, next)| match word.split_once('=') {
            Some((name, value)) => (name == long).then_some(value),
            None => (word == long).then(|| line.get(next).map(String::as_str)).flatten(),
        })
    };
    let first = words_of(root, &line[1..]).1.first().filter(|word| !word.contains('='));
    let is_file = first.is_some_and(|word| Path::new(word).extension() == Some("toml".as_ref()));
    let mut text = text.to_owned();
    if text == "storymill doctor" {
        let file = first.filter(|_| is_file).map(String::as_str).or(value_of("--models"));
        text = format!("{text} {}", typed(file.unwrap_or("models.toml").as_ref()));
    }
    // A command that is only named is not typed so.
    if behind.is_empty() && command.get_positionals().any(clap::Arg::is_required_set) {
        return text;
    }
    for (option, named, typed_behind) in WHERE {
        let long = format!("--{option}");
        let takes = command.get_arguments().any(|arg| arg.get_long() == Some(option));
        let is_meant = |list: &str, word| list.is_empty() || list.split(' ').any(|one| one == word);
        if !takes || !is_meant(named, verb) || !is_meant(typed_behind, own) {
            continue;
        }
        // The shelf that these commands look for where none is named.
        let unnamed = (option == "shelf" && own == "shelf" && verb != own).then_some("shelf");
        let Some(value) = value_of(&long).or(unnamed) else { continue };
        let said = format!("{long} {}", typed(value.as_ref()));
        if !text.contains(&long) {
            text = format!("{text} {said}");
        }
        for blank in ["DIR", "FILE"] {
            text = text.replace(&format!("{long} {blank}"), &said);
        }
    }
    let Some(first) = first else { return text };
    let blanks =
        [("WORKFLOW|SET", true), ("WORKFLOW", is_file), ("SET", !is_file && !first.contains('/'))];
    for (blank, _) in blanks.into_iter().filter(|(_, fits)| *fits) {
        text = text.replace(&format!(" {blank}"), &format!(" {}", typed(first.as_ref())));
    }
    text
}

/// The command that words name, and the words behind it up to the first option.
fn words_of<'r, 'w>(root: &'r Command, words: &'w [String]) -> (&'r Command, &'w [String]) {
    let inner = words.first().and_then(|word| root.find_subcommand(word));
    match inner {
        Some(inner) => words_of(inner, &words[1..]),
        None => (
            root,
            &words[..words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len())],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_repeat_what_was_typed() {
        let root = args::Args::command();
        for (line, named, expected) in [
            (
                "shelf state s --key a.key",
                "storymill shelf rekey --trust",
                "storymill shelf rekey --trust --key a.key",
            ),
            (
                "shelf state s --shelf=my",
                "storymill claims list SET",
                "storymill claims list s --shelf my",
            ),
            ("shelf list", "storymill claims list SET", "storymill claims list SET --shelf shelf"),
            (
                "claims list s --shelf d --key k",
                "storymill shelf state --key FILE",
                "storymill shelf state --key k --shelf d",
            ),
            (
                "claims list s --shelf d --key k",
                "storymill shelf init --key-only",
                "storymill shelf init --key-only",
            ),
            (
                "claims list s",
                "storymill claims import FILE --into DIR",
                "storymill claims import FILE --into DIR",
            ),
            (
                "init my.toml --books ../novels",
                "storymill init other.toml",
                "storymill init other.toml --books ../novels",
            ),
            (
                "release w.toml --first --out out/d",
                "storymill build w.toml",
                "storymill build w.toml --out out/d",
            ),
            (
                "shelf state s --out one.json",
                "storymill build w.toml --shelf DIR",
                "storymill build w.toml --shelf shelf",
            ),
            (
                "build my.toml --step x --store 'my store'",
                "storymill plan WORKFLOW --steps",
                "storymill plan my.toml --steps --store 'my store'",
            ),
            ("build my.toml", "storymill claims list SET", "storymill claims list SET"),
            ("shelf state s/n/1=2", "storymill shelf state SET", "storymill shelf state SET"),
            (
                "review my.toml",
                "storymill review WORKFLOW|SET --list",
                "storymill review my.toml --list",
            ),
            ("build my.toml", "storymill doctor", "storymill doctor my.toml"),
            ("evaluate out/my --models=m.toml", "storymill doctor", "storymill doctor m.toml"),
            ("evaluate out/my", "storymill doctor", "storymill doctor models.toml"),
            ("report s --shelf d", "storymill evaluate", "storymill evaluate"),
            ("build my.toml", "--locked", "--locked"),
            ("build my.toml", "storymill", "storymill"),
        ] {
            let line = line.replace("'my store'", "my\u{1}store");
            let line: Vec<String> = ["storymill"]
                .into_iter()
                .chain(line.split(' '))
                .map(|word| word.replace('\u{1}', " "))
                .collect();
            assert_eq!(repeated(&root, named, &line), expected, "{line:?}");
        }
    }
}
