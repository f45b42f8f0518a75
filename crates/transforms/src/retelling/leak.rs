//! Finds what a retelling has from a neighbouring scene alone.
//!
//! The neighbours are shown so that the model understands who `she` is. What they tell is not to
//! be retold: their scenes have retellings of their own. A name that half the book speaks of may
//! be used; a name or a word that is rare in the book and stands beside the scene, not in it, is
//! a leak.

use std::collections::{BTreeSet, HashMap, HashSet};

use storymill_core::{Reason, Scene};
use storymill_text::{lists::is_small, stem::stem, word::words};

use super::{checks::Checks, tokens::tokens};

/// In how many scenes of a book each word stands.
#[derive(Debug)]
pub(crate) struct Spread {
    scenes: usize,
    counts: HashMap<String, usize>,
}

impl Spread {
    pub(crate) fn of(scenes: &[Scene]) -> Self {
        let mut counts = HashMap::new();
        for scene in scenes {
            let words: BTreeSet<String> = tokens(&scene.text).into_iter().collect();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
        }
        Self { scenes: scenes.len(), counts }
    }

    /// Whether a word stands in one scene of so many at most, or in two.
    fn is_rare(&self, word: &str, of: usize) -> bool {
        let count = self.counts.get(word).copied().unwrap_or(0);
        count <= 2.max(self.scenes / of)
    }
}

/// Whether a retelling of a scene tells names or rare words of the stretches beside it.
pub(crate) fn leaked(
    text: &str,
    scene: &str,
    beside: [&str; 2],
    spread: &Spread,
    checks: &Checks,
) -> Result<(), Reason> {
    let own: HashSet<String> = tokens(scene).into_iter().collect();
    let own_stems: HashSet<String> = own.iter().map(|word| stem(word)).collect();
    let other: Vec<String> = beside.iter().flat_map(|text| tokens(text)).collect();
    let other_stems: HashSet<String> = other.iter().map(|word| stem(word)).collect();
    let mut named = names(text);
    named.extend(beside.iter().flat_map(|text| names(text)));
    named.retain(|name| !other.contains(name) || !is_plain(beside, name));

    let (mut found_names, mut found_words) = (Vec::new(), Vec::new());
    let distinct: BTreeSet<String> = tokens(text).into_iter().collect();
    for word in distinct {
        let stem = stem(&word);
        let foreign =
            other_stems.contains(&stem) && !own.contains(&word) && !own_stems.contains(&stem);
        if !foreign || is_small(&word) || akin(&word, &own) {
            continue;
        }
        if named.contains(&word) {
            found_names.extend(spread.is_rare(&word, 4).then_some(word));
        } else if word.chars().count() >= 5 && spread.is_rare(&word, 100) {
            found_words.push(word);
        }
    }
    let over = |found: &[String], limit: u32| limit > 0 && found.len() >= limit as usize;
    if over(&found_names, checks.leak_names) || over(&found_words, checks.leak_words) {
        found_names.append(&mut found_words);
        let detail = format!("`{}` stands only beside the scene", found_names.join("`, `"));
        return Err(Reason::new("leaked", detail));
    }
    Ok(())
}

/// Words with a capital inside a sentence, in small letters.
fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut from = 0;
    let mut title = false;
    for word in words(text) {
        let gap = &text[from..word.start];
        let opens = from == 0 || gap.contains(OPENERS) && !(title && gap.starts_with('.'));
        if word.is_capitalised() && !opens {
            found.extend(tokens(word.text));
        }
        title = word.text.chars().count() <= 3 && word.is_capitalised();
        from = word.end;
    }
    found
}

/// Marks behind which a capital proves nothing.
const OPENERS: [char; 16] =
    ['.', '!', '?', '…', ':', ';', '“', '"', '‘', '«', '»', '(', '[', '—', '\n', '_'];

/// Whether a word also stands there in small letters.
fn is_plain(beside: [&str; 2], name: &str) -> bool {
    beside.iter().any(|text| words(text).any(|word| word.text == name))
}

/// Whether some word of the scene begins like this one: `walker` and `walking`.
fn akin(word: &str, own: &HashSet<String>) -> bool {
    let length = word.chars().count();
    let head: String = word.chars().take(4.max(length.saturating_sub(3))).collect();
    // Only whether there is one counts, so the order of the set does not show.
    own.iter().any(|other| other.starts_with(&head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::scenes;

    const BOOK: [&str; 3] = [
        "Old Marlow counted his coins and cursed the harbour. He would go to Tilbury.",
        "She stood at the window. The captain came in, and she gave him the letter.",
        "Later the captain sailed. A storm broke the mast, and Ruth drowned.",
    ];

    #[track_caller]
    fn check(text: &str, expected: Result<(), &str>) {
        let spread = Spread::of(&scenes(&BOOK));
        let found = leaked(text, BOOK[1], [BOOK[0], BOOK[2]], &spread, &Checks::default());
        assert_eq!(
            found.map_err(|reason| reason.code.into_owned()),
            expected.map_err(str::to_owned)
        );
    }

    #[test]
    fn names_and_rare_words_of_neighbours_are_leaks() {
        check("A woman hands the captain a letter at her window.", Ok(()));
        check("At the window Ruth hands the captain a letter.", Err("leaked"));
        check("A woman gives old Marlow a letter.", Err("leaked"));
        check("The captain takes a letter, and a storm comes.", Ok(()));
        check("The captain takes a letter and is drowned in a storm.", Err("leaked"));
        check("Somebody whom Percival knew gave a letter.", Ok(()));
    }
}
