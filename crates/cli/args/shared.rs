//! Options that many commands take and that mean the same in each: the help of a command names them in one line, and
//! `storymill explain options` says once what they do.

use clap::{Arg, Command};

/// A command that takes them, and which of its options they are. Its own help says in full what those before `|` do.
const HOMES: [(&str, &str); 4] = [
    (
        "build",
        "store shelf frozen prices max-usd format | key answers mode max-requests requests-per-minute tokens-per-minute in-flight ask-again wait-ready tagger-models message-format",
    ),
    ("evaluate", "config split tokenizer |"),
    ("view", "| texts port"),
    ("score answers", "| wordnet wordlists seed"),
];

/// Where the names of shared options are explained.
pub(crate) const TOPIC: &str = "options";

fn names(listed: &str) -> impl Iterator<Item = &str> {
    listed.split(' ').filter(|name| *name != "|")
}

/// What is typed for an option: `--store <DIR>`. An option of the same name that takes something else is not shared.
pub(crate) fn typed(arg: &Arg) -> String {
    let value = arg.get_value_names().unwrap_or_default().first();
    let value = value.filter(|_| arg.get_action().takes_values());
    let name = arg.get_long().unwrap_or_default();
    value.map_or_else(|| format!("--{name}"), |value| format!("--{name} <{value}>"))
}

/// The shared options, from the commands that explain them.
pub(crate) fn all(program: &Command) -> Vec<&Arg> {
    let of = |(home, listed): (&str, &'static str)| {
        let home = home.split(' ').try_fold(program, |above, name| above.find_subcommand(name));
        names(listed)
            .filter_map(move |name| home?.get_arguments().find(|arg| arg.get_long() == Some(name)))
    };
    HOMES.into_iter().flat_map(of).collect()
}

/// What a shared option does, in full.
pub(crate) fn meaning(arg: &Arg) -> String {
    let text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The program's commands, each with the shared options in one line of its help.
pub(crate) fn said_once(program: Command) -> Command {
    let shared: Vec<String> = all(&program).into_iter().map(typed).collect();
    named(program, &shared)
}

fn named(command: Command, shared: &[String]) -> Command {
    let command = command.mut_subcommands(|below| named(below, shared));
    let in_full = HOMES.into_iter().find(|(home, _)| *home == command.get_name());
    let in_full = in_full.map_or("", |(_, listed)| listed.split('|').next().unwrap_or_default());
    let is_taken = |arg: &Arg| {
        let in_full = in_full.split(' ').any(|name| arg.get_long() == Some(name));
        !in_full && !arg.is_hide_set() && shared.contains(&typed(arg))
    };
    let taken: Vec<String> =
        command.get_arguments().filter(|arg| is_taken(arg)).map(typed).collect();
    if taken.is_empty() {
        return command;
    }
    let line =
        format!("Shared options, which `storymill explain options` explains: {}", taken.join(" "));
    let command = command.mut_args(|arg| if is_taken(&arg) { arg.hide(true) } else { arg });
    let long = command.get_after_long_help().map(|text| format!("{line}\n\n{text}"));
    let command = command.after_help(line);
    match long {
        Some(long) => command.after_long_help(long),
        None => command,
    }
}
