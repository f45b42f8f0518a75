//! The commands by what they are for: the screen of `storymill --help`, and the page `docs/cli.md`.

use clap::{Command as Clap, Subcommand, builder::Styles};

use super::Command;

/// Each command stands in one group. clap has no groups of subcommands, so this list is kept by hand; a test compares.
pub(crate) const GROUPS: &[(&str, &str)] = &[
    ("Start", "quickstart init plan build status"),
    ("Look", "inspect view context explain"),
    ("Evaluate", "evaluate report audit score"),
    ("Publish", "review verify diff release"),
    ("Books", "books fetch clean"),
    ("Private sets", "shelf claims"),
    (MORE, "answers cast completions doctor import labels materialize schema store substitute"),
];

/// The group of which the screen shows names alone.
const MORE: &str = "More";

/// What `--help` prints, 80 columns and less than 40 lines.
pub(crate) fn template() -> String {
    let all = Command::augment_subcommands(Clap::new("storymill"));
    let styles = Styles::default();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (group, names) in GROUPS {
        let names: Vec<&str> = names.split(' ').collect();
        text += &format!("{heading}{group}:{heading:#}\n");
        if *group == MORE {
            for five in names.chunks(5) {
                text += &format!("  {literal}{}{literal:#}\n", five.join(", "));
            }
            continue;
        }
        for command in names.iter().filter_map(|name| all.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().unwrap_or_default());
            text += &format!("  {literal}{name:<10}{literal:#}  {about}\n");
        }
    }
    text + &format!("{heading}Options:{heading:#}\n{{options}}")
}
