//! The script of Chinese texts. Passages in another script than the evidence give it away: who looks for
//! the other characters finds it without reading.

use std::{collections::HashMap, sync::LazyLock};

/// How Chinese is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Script {
    /// `门`.
    Simplified,
    /// `門`.
    Traditional,
}

impl Script {
    /// Its name in messages: `simplified`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simplified => "simplified",
            Self::Traditional => "traditional",
        }
    }
}

static SCRIPTS: LazyLock<HashMap<char, Script>> = LazyLock::new(|| {
    let list = const { storymill_data::text("mixing/scripts.txt") };
    let pairs = list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    let both = |pair: &str| {
        let mut signs = pair.chars();
        [(signs.next(), Script::Simplified), (signs.next(), Script::Traditional)]
    };
    pairs.flat_map(both).filter_map(|(sign, script)| Some((sign?, script))).collect()
});

/// The script of a text: that of most of the characters that differ between the two; none where a text
/// has none of them, or as many of both.
///
/// ```
/// use storymill_mixing::{Script, script};
/// assert_eq!(script("她在门口听见了。"), Some(Script::Simplified));
/// assert_eq!(script("她在門口聽見了。"), Some(Script::Traditional));
/// assert_eq!(script("山上有雨。"), None);
/// ```
pub fn script(text: &str) -> Option<Script> {
    let (mut simplified, mut traditional) = (0_u32, 0_u32);
    for sign in text.chars() {
        match SCRIPTS.get(&sign) {
            Some(Script::Simplified) => simplified += 1,
            Some(Script::Traditional) => traditional += 1,
            None => (),
        }
    }
    match simplified.cmp(&traditional) {
        std::cmp::Ordering::Greater => Some(Script::Simplified),
        std::cmp::Ordering::Less => Some(Script::Traditional),
        std::cmp::Ordering::Equal => None,
    }
}
