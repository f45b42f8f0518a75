//! The family of a model, from its name alone.

/// The list of families: lines of a name and beginnings.
const FAMILIES: &str = include_str!("../data/families.txt");

/// The family of a model: as the list says, else the letters that its name begins with. What stands before a slash is
/// who serves it and does not count, unless nothing else is known.
///
/// ```
/// assert_eq!(storymill_report::family("openai/gpt-4o-mini"), "openai");
/// assert_eq!(storymill_report::family("meta-llama/Llama-3.1-8B"), storymill_report::family("llama3:70b"));
/// assert_eq!(storymill_report::family("lantern-7b"), "lantern");
/// ```
pub fn family(model: &str) -> String {
    let name = model.trim().to_lowercase();
    let own = name.rsplit('/').next().unwrap_or_default();
    let lines = FAMILIES.lines().filter(|line| !line.starts_with('#'));
    for (family, beginnings) in lines.filter_map(|line| line.split_once(':')) {
        // `anthropic.claude-3` is how some providers write it.
        let begins = |start: &str| own.starts_with(start) || own.contains(&format!(".{start}"));
        if beginnings.split_whitespace().any(begins) {
            return family.to_owned();
        }
    }
    own.chars().take_while(|letter| letter.is_alphabetic()).collect()
}
