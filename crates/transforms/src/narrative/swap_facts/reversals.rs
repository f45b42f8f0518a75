//! The opposite: reversals of verbs, manners and states.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    line::Line,
    slots::{Slot, SlotKind, Stock, Telling},
    tables::{ONLY_BEFORE, REVERSALS, UNLESS},
};

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase {
    pub(super) from: &'static str,
    to: &'static str,
}

/// The table by the first word of each phrase, in its order.
pub(super) static PHRASES: LazyLock<HashMap<&str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<&str, Vec<Phrase>> = HashMap::new();
    for &(from, to) in REVERSALS.iter() {
        let first = from.split(' ').next().unwrap_or_default();
        phrases.entry(first).or_default().push(Phrase { from, to });
    }
    phrases
});

impl Stock<'_> {
    /// Words and phrases for what is told instead.
    pub(super) fn reversals_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        let mut at = 0;
        while at < line.words.len() {
            let word = line.words[at].text.to_ascii_lowercase();
            let found = PHRASES.get(&word[..]).into_iter().flatten().find_map(|phrase| {
                let last = line.matches(at, phrase.from)?;
                line.may_reverse(at, last, phrase.from).then_some((phrase, last))
            });
            let Some((Phrase { from, to }, last)) = found else {
                at += 1;
                continue;
            };
            let changes = vec![line.replace(at, last, to)];
            let telling = Telling { changes, said: self.says(to) };
            let of = (*from, Some(self.says(from)));
            line.keep(SlotKind::Reversal, of, vec![telling], slots);
            at = last + 1;
        }
    }
}

impl Line<'_> {
    /// The last word of a phrase that stands at a place.
    fn matches(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut last = at;
        for (offset, part) in phrase.split(' ').enumerate() {
            last = at + offset;
            let word = self.words.get(last)?;
            let same = word.text == part || offset == 0 && word.text.eq_ignore_ascii_case(part);
            if !same || offset > 0 && !self.is_joined(last - 1) {
                return None;
            }
        }
        (!self.is_named(at)).then_some(last)
    }

    fn may_reverse(&self, at: usize, last: usize, phrase: &str) -> bool {
        let (before, after) = (self.before(at), self.after(last));
        let listed = |list: &str, word: &str| list.split(' ').any(|other| other == word);
        let hedged = ["not", "no", "never", "as", "so", "how", "too", "almost", "nearly", "hardly"];
        let graded = matches!(&after[..], "as" | "than");
        let banned = UNLESS.iter().any(|(word, around)| {
            let (befores, afters) = around.split_once('|').unwrap_or((around, ""));
            *word == phrase
                && (listed(befores.trim(), &before)
                    || listed(afters.trim(), &after) && !after.is_empty())
        });
        let unmet = ONLY_BEFORE.iter().any(|(word, afters)| {
            let met = self.is_joined(last)
                && (listed(afters, &after) || listed(afters, "NAME") && self.is_named(last + 1));
            *word == phrase && !met
        });
        // `never ... anything` has no `always`.
        let polar = matches!(phrase, "never" | "seldom")
            && self.words[last + 1..]
                .iter()
                .any(|w| w.text.starts_with("any") || matches!(w.text, "ever" | "once" | "yet"));
        !polar
            && !hedged.contains(&&before[..])
            && !graded
            && !banned
            && !unmet
            && !self.is_tied(at, last)
    }
}
