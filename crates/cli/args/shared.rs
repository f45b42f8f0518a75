//! Options that many commands take and that mean the same in each: the help of a command names them in one line, and
//! `storymill explain options` says once what they do.

use clap::{Arg, Command};

/// A command that takes them, and which of its options they are. Its own help says in full what those before `|` do.
const HOMES: [(&str, &str); 3] = [
    (
        "build",
        "store shelf frozen prices max-usd format | key answers mode max-requests requests-per-minute tokens-per-minute in-flight ask-again wait-ready tagger-models message-format",
    ),
    ("view", "| texts"),
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

fn named(mut command: Command, shared: &[String]) -> Command {
    let below: Vec<String> =
        command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    for below in below {
        command = command.mut_subcommand(below, |below| named(below, shared));
    }
    let name = command.get_name().to_owned();
    let in_full = HOMES.into_iter().find(|(home, _)| *home == name);
    let in_full = in_full.map_or("", |(_, listed)| listed.split('|').next().unwrap_or_default());
    let is_in_full = |arg: &Arg| in_full.split(' ').any(|name| arg.get_long() == Some(name));
    let taken: Vec<_> = command
        .get_arguments()
        .filter(|arg| shared.contains(&typed(arg)) && !arg.is_hide_set() && !is_in_full(arg))
        .map(|arg| (arg.get_id().clone(), typed(arg)))
        .collect();
    if taken.is_empty() {
        return command;
    }
    let mut line = "Shared options, which `storymill explain options` explains:".to_owned();
    for (id, typed) in taken {
        command = command.mut_arg(id, |arg| arg.hide(true));
        line += &format!(" {typed}");
    }
    let long = command.get_after_long_help().map(|text| format!("{line}\n\n{text}"));
    command = command.after_help(line);
    match long {
        Some(long) => command.after_long_help(long),
        None => command,
    }
}
