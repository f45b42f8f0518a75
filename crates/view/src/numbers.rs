//! Numbers in words.

pub(crate) use storymill_dataset::thousands;

/// `1 scene`, `2,412 words`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", thousands(count))
}
