//! Numbers in words.

use storymill_core::many;
pub(crate) use storymill_dataset::thousands;

/// `1 scene`, `2,412 words`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {}", thousands(count), many(noun)) }
}
