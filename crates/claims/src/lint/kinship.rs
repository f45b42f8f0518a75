//! Which words mean the same, or are spellings of one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use storymill_text::stem::stem;

/// Words and phrases of nearly the same meaning; a group in each line, separated by commas.
const SYNONYMS: &str = storymill_data::text("claims/synonyms.txt");

static GROUPS: LazyLock<BTreeMap<String, BTreeSet<usize>>> = LazyLock::new(|| {
    let mut groups: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (group, line) in lines(SYNONYMS).enumerate() {
        for phrase in line.split(',') {
            let roots: Vec<_> = phrase.split_whitespace().map(stem).collect();
            groups.entry(roots.join(" ")).or_default().insert(group);
        }
    }
    groups
});

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether two words stand in one group of the list.
pub(super) fn alike(a: &str, b: &str) -> bool {
    phrases_alike(&[a.to_owned()], &[b.to_owned()])
}

/// Whether two phrases stand in one group of the list.
pub(super) fn phrases_alike(a: &[String], b: &[String]) -> bool {
    let group = |words: &[String]| {
        GROUPS.get(&words.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" "))
    };
    match (group(a), group(b)) {
        (Some(a), Some(b)) => !a.is_disjoint(b),
        _ => false,
    }
}

/// Whether two words are spellings of one: `grey` and `gray`, `honour` and `honor`.
pub(super) fn spelt_alike(a: &str, b: &str) -> bool {
    let plain = |word: &str| {
        word.replace("our", "or")
            .replace("ise", "ize")
            .replace("yse", "yze")
            .replace("grey", "gray")
            .replace("theatre", "theater")
            .replace("centre", "center")
            .replace('-', "")
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table() {
        assert!(alike("angry", "furious") && !alike("angry", "happy"));
        assert!(spelt_alike("grey", "gray") && !spelt_alike("grey", "green"));
    }

    #[test]
    fn the_lists_hold_what_they_should() {
        for line in lines(SYNONYMS) {
            assert!(
                line.split(',').count() > 1
                    && line.split(',').all(|phrase| !phrase.trim().is_empty()),
                "{line}"
            );
        }
    }
}
