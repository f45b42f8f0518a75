//! The opposite: reversals of verbs, manners and states, and deeds that are refused.

use super::{
    line::Line,
    slots::{Slot, SlotKind, Stock},
    tables::{ONLY_BEFORE, REVERSALS, UNLESS},
};
use crate::narrative::{
    lexicon::{STATES, base_of, is_past},
    names::NameKind,
};

impl Line<'_> {
    /// Words and phrases for what is told instead.
    pub(super) fn reversals(&self, slots: &mut Vec<Slot>) {
        let mut at = 0;
        while at < self.words.len() {
            let found = REVERSALS.iter().find_map(|(from, to)| {
                let last = self.matches(at, from)?;
                self.may_reverse(at, last, from).then_some((from, to, last))
            });
            let Some((from, to, last)) = found else {
                at += 1;
                continue;
            };
            let change = self.replace(at, last, to);
            self.keep(SlotKind::Reversal, from, vec![vec![change]], slots);
            at = last + 1;
        }
    }

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
        let banned = UNLESS.iter().any(|(word, befores, afters)| {
            *word == phrase
                && (listed(befores, &before) || listed(afters, &after) && !after.is_empty())
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

    /// Whether another verb hangs on the same subject, or a word that negates stands behind.
    fn is_shared(&self, at: usize) -> bool {
        let pairs = self.words[at + 1..].iter().zip(&self.words[at..]);
        let mut rest = pairs
            .map(|(word, before)| (word.text, before.text, &self.text[before.end..word.start]));
        rest.any(|(word, before, gap)| {
            let joins = matches!(before, "and" | "but" | "then" | "or")
                || gap.contains([',', ';', '—', '“']);
            let verb = is_past(word) || STATES.contains(&word);
            let negates = matches!(
                word,
                "nothing"
                    | "no"
                    | "never"
                    | "nobody"
                    | "neither"
                    | "only"
                    | "not"
                    | "nor"
                    | "without"
                    | "well"
            );
            joins && verb || negates
        })
    }
}

impl Stock<'_> {
    /// A person with a verb right behind: it is refused, or not done.
    pub(super) fn refusals_in(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for at in 1..line.words.len() {
            let verb = line.words[at].text;
            let Some(base) = base_of(verb).filter(|_| self.is_person(line, at - 1)) else {
                continue;
            };
            let timed = at.checked_sub(2).is_some_and(|at| {
                line.words[at].text.len() > 1
                    && WHILE.contains(&&line.words[at].text.to_lowercase()[..])
            });
            if !line.is_joined(at - 1) || line.is_shared(at) || timed {
                continue;
            }
            let mut tellings = vec![vec![line.replace(at, at, &format!("did not {base}"))]];
            if !UNWILLED.contains(&base) {
                tellings.push(vec![line.replace(at, at, &format!("refused to {base}"))]);
            }
            line.keep(SlotKind::Refusal, verb, tellings, slots);
        }
    }

    fn is_person(&self, line: &Line<'_>, at: usize) -> bool {
        let word = &line.words[at];
        let pronoun = ["he", "she", "they", "i", "we"].contains(&&word.text.to_lowercase()[..]);
        let named = line.mentions.iter().find(|mention| mention.end == word.end);
        let named = named.and_then(|mention| self.names.all.get(&mention.name));
        pronoun || named.is_some_and(|name| name.kind == NameKind::Person)
    }
}

/// Words that only give the time or the ground of what really happens.
#[rustfmt::skip]
const WHILE: &[&str] = &[
    "until", "till", "when", "before", "after", "as", "while", "if", "since", "because", "where",
    "whenever", "than", "what",
];

/// What nobody does on purpose, so nobody refuses to.
#[rustfmt::skip]
const UNWILLED: &[&str] = &[
    "fall", "hear", "see", "lose", "notice", "sleep", "receive", "win", "sink", "rise", "reach",
    "meet", "forget", "begin", "come", "want", "escape", "get", "remember", "bend", "catch", "blow",
    "wait", "stop", "slip",
];
