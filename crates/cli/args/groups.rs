//! The commands by what they are for: the screen of `storymill --help`, and the page `docs/cli.md`.

use clap::{Command as Clap, Subcommand, builder::Styles};

use super::Command;

/// Each command stands in one group. clap has no groups of subcommands, so this list is kept by hand; a test compares.
pub(crate) const GROUPS: &[(&str, &str)] = &[
    ("Start", "quickstart init plan build"),
    ("Look", "inspect view explain"),
    ("Evaluate", "evaluate report audit score"),
    ("Publish", "review verify diff release"),
    ("Books", "books fetch book"),
    ("Private sets", "shelf claims"),
    (MORE, "schema completions answers doctor export import labels store"),
];

/// The group that the screen leaves to `storymill explain commands`.
pub(crate) const MORE: &str = "More";

/// What `--help` prints, 80 columns and less than 40 lines.
pub(crate) fn template() -> String {
    let all = Command::augment_subcommands(Clap::new("storymill"));
    let styles = Styles::default();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (group, names) in GROUPS {
        text += &format!("{heading}{group}:{heading:#}\n");
        if *group == MORE {
            text += &format!("  {literal}storymill explain commands{literal:#}\n");
            continue;
        }
        for command in names.split(' ').filter_map(|name| all.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().unwrap_or_default());
            text += &format!("  {literal}{name:<10}{literal:#}  {about}\n");
        }
    }
    text + &format!("{heading}Options:{heading:#}\n{{options}}")
}
