//! Small word lists: what stands before names, what they do, what ends in a point (`data/lists.txt`).

use std::sync::LazyLock;

/// Words of a group.
pub(crate) type List = LazyLock<Vec<&'static str>>;

fn words(group: &str) -> Vec<&'static str> {
    let lines = include_str!("../data/lists.txt").lines();
    let lines = lines.skip_while(|line| *line != group).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect()
}

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident = $group:literal;)*) => {
        $($(#[$doc])* pub(crate) static $name: List = LazyLock::new(|| words($group));)*
    };
}

lists! {
    /// Words whose point ends no sentence.
    ABBREVIATIONS = "[abbreviations]";
    /// What stands before a person's name, as the taggers count it.
    TITLES = "[titles]";
    /// Verbs of speech.
    SPEECH = "[speech]";
    /// Verbs that mostly people are the subject of.
    VERBS = "[verbs]";
    /// Prepositions of place.
    PLACES = "[places]";
    /// Honorifics and words of kinship: they stand beside a name and are no part of it.
    HONORIFICS = "[honorifics]";
    /// Small words inside names: de, von, of.
    PARTICLES = "[particles]";
}

/// Whether the point behind this word belongs to it: an abbreviation or an initial.
pub(crate) fn is_abbreviation(word: &str) -> bool {
    let mut chars = word.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && c.is_uppercase()
    {
        return true;
    }
    word.len() <= 6 && ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

/// Whether a lower-cased word is an honorific, with its point or without.
pub(crate) fn is_honorific(low: &str) -> bool {
    HONORIFICS.contains(&low) || HONORIFICS.contains(&low.trim_end_matches('.'))
}
