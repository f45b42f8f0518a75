//! Every name of a cast replaced in one pass.
//!
//! All parts are searched at once and what was written is never read again, so there are no chains
//! (Anne to Mary, Mary to Zoe) and no order of names; two names side by side are two matches.

mod draw;
mod forms;
mod odd;
mod pool;
mod shape;
mod wants;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};
use storymill_core::{Fault, FaultKind, Seed};
use storymill_text::word::fold;

use crate::{cast::CastFile, lists::is_honorific, words::Words};

/// What a part is replaced by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The part of a name, as the cast writes it.
    pub part: String,
    /// What stands for it.
    pub substitute: String,
    /// Whether it is replaced only where it is surely a name.
    pub careful: bool,
    /// What it names: `female`, `male`, `given`, `family` or `place`.
    pub role: String,
    /// How the book writes it, where that is another way.
    pub written: Vec<String>,
}

/// The substitutes of a cast, ready to be applied to any text about the book.
#[derive(Debug)]
pub struct Substitutes {
    pairs: Vec<Pair>,
    search: AhoCorasick,
    /// For each pattern what it becomes, and its pair.
    patterns: Vec<(String, usize)>,
    /// The parts that are names wherever they stand, folded.
    names: BTreeMap<String, usize>,
}

/// Where careful parts are names.
#[derive(Clone, Copy, Debug)]
pub enum Sure<'p> {
    /// At these bytes of the text, in order.
    At(&'p [usize]),
    /// Where a title or another name stands beside them.
    Beside,
}

/// A text with its names replaced, and what was replaced where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// The new text.
    pub text: String,
    /// The replacements in order.
    pub edits: Vec<Replacement>,
}

/// One name that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Which of [`Substitutes::pairs`] it is.
    pub pair: usize,
    /// Its bytes in the old text.
    pub old: Range<usize>,
    /// The bytes of its substitute in the new text.
    pub new: Range<usize>,
}

impl Substitutes {
    /// Draws a substitute for every part of a cast. `words` is the book.
    ///
    /// No two parts have the same substitute, and none is a word of the book. What is drawn for a part depends
    /// on the seed, the book's id and the part, as long as two parts do not want the same.
    pub fn draw(cast: &CastFile, words: &Words<'_>, seed: Seed) -> Result<Self, Fault> {
        let mut pairs = draw::draw(cast, words, seed)?;
        let wanted: BTreeMap<String, usize> =
            pairs.iter().enumerate().map(|(at, pair)| (fold(&pair.part), at)).collect();
        let mut spellings: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); pairs.len()];
        let numbers: Vec<Option<usize>> =
            words.lows().iter().map(|low| wanted.get(&fold(low)).copied()).collect();
        for (at, word) in words.all().iter().enumerate() {
            if word.case != crate::words::Case::Low
                && let Some(pair) = numbers[word.low as usize]
            {
                spellings[pair].insert(words.surface(at));
            }
        }
        for (pair, spellings) in pairs.iter_mut().zip(spellings) {
            let other = |surface: &&str| **surface != pair.part;
            pair.written = spellings.into_iter().filter(other).map(str::to_owned).collect();
        }
        Self::of(pairs)
    }

    /// Checks that what people chose to stand for names of a cast can. `words` is the book.
    ///
    /// # Errors
    ///
    /// A choice is a word of the book, a name of famous fiction, or stands for a name that is not replaced.
    pub fn check_chosen(cast: &CastFile, words: &Words<'_>) -> Result<(), Fault> {
        draw::check_chosen(cast, words)
    }

    /// The substitutes that were drawn before, ready to be applied.
    pub fn of(pairs: Vec<Pair>) -> Result<Self, Fault> {
        let mut found: BTreeMap<String, (String, usize)> = BTreeMap::new();
        for (at, pair) in pairs.iter().enumerate() {
            let mut written: BTreeSet<String> =
                BTreeSet::from([pair.part.clone(), pair.part.to_uppercase()]);
            written.extend(pair.written.iter().cloned());
            for surface in written {
                let substitute = shape::like(&pair.substitute, &surface);
                if surface.contains('\'') {
                    found.insert(surface.replace('\'', "’"), (substitute.clone(), at));
                }
                found.insert(surface, (substitute, at));
            }
        }
        let (surfaces, patterns): (Vec<String>, Vec<_>) = found.into_iter().unzip();
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&surfaces)
            .map_err(|error| {
                let message =
                    format!("{} forms of names are too many to search for", surfaces.len());
                let fault = Fault::new(FaultKind::Input, message).because(error);
                fault.hint("leave names out of the cast, or split the book")
            })?;
        let sure = pairs.iter().enumerate().filter(|(_, pair)| !pair.careful);
        let names = sure.map(|(at, pair)| (fold(&pair.part), at)).collect();
        Ok(Self { pairs, search, patterns, names })
    }

    /// Each part with its substitute, the most named first.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Replaces every name in a text.
    pub fn apply(&self, text: &str, sure: Sure<'_>) -> Replaced {
        let mut replaced = Replaced {
            text: String::with_capacity(text.len() + text.len() / 16),
            edits: Vec::new(),
        };
        let mut from = 0;
        let mut done = 0;
        let mut odd = odd::find(text, |key| self.plain(key)).into_iter().peekable();
        loop {
            let found = self.search.find(Input::new(text).span(from..text.len()));
            // A part of a name that was cut in two may be a name by itself.
            let first = |odd: &odd::Odd| found.is_none_or(|one| odd.bytes.start < one.end());
            if let Some(odd) = odd.next_if(first) {
                if odd.bytes.start >= done {
                    replaced.text += &text[done..odd.bytes.start];
                    replaced.write(odd.pair, odd.bytes.clone(), &odd.written);
                    (done, from) = (odd.bytes.end, odd.bytes.end);
                }
                continue;
            }
            let Some(found) = found else { break };
            let (substitute, pair) = &self.patterns[found.pattern().as_usize()];
            let name = found.range();
            let whole = is_whole(text, &name)
                && (!self.pairs[*pair].careful || self.is_sure(text, &name, sure, &replaced));
            if !whole {
                // A shorter name may begin behind the first letter of one that was no whole word.
                from = name.start + text[name.start..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            replaced.text += &text[done..name.start];
            (done, from) = (name.end, name.end);
            replaced.write(*pair, name, substitute);
        }
        replaced.text += &text[done..];
        replaced
    }

    /// The part that a folded word is, if it is a name wherever it stands, and what stands for it.
    fn plain(&self, key: &str) -> Option<(usize, &str)> {
        self.names.get(key).map(|at| (*at, self.pairs[*at].substitute.as_str()))
    }

    fn is_sure(
        &self,
        text: &str,
        name: &Range<usize>,
        sure: Sure<'_>,
        replaced: &Replaced,
    ) -> bool {
        if let Sure::At(places) = sure {
            return places.binary_search(&name.start).is_ok();
        }
        let beside = |edit: &Replacement| text[edit.old.end..name.start].trim().is_empty();
        if replaced.edits.last().is_some_and(beside) {
            return true;
        }
        let before = text[..name.start].trim_end().trim_end_matches('.');
        let word = |c: char| c.is_alphanumeric() || c == '\'';
        let title = &before[before.trim_end_matches(word).len()..];
        let next = text[name.end..].trim_start_matches(' ');
        let next = &next[..next.len() - next.trim_start_matches(char::is_alphanumeric).len()];
        let spaced = text[name.end..].starts_with(' ');
        is_honorific(&title.to_lowercase())
            || (spaced
                && next.starts_with(char::is_uppercase)
                && self.names.contains_key(&fold(next)))
    }
}

/// Whether no letter or digit stands on either side.
fn is_whole(text: &str, name: &Range<usize>) -> bool {
    let before = text[..name.start].chars().next_back();
    let behind = text[name.end..].chars().next();
    ![before, behind].into_iter().flatten().any(char::is_alphanumeric)
}

// Rows keep their places with `to_new` alone; the other ways are for users of the crate who hold spans of one of
// the two texts, such as evidence or annotations, and want them in the other.
impl Replaced {
    /// Writes what stands for a name.
    fn write(&mut self, pair: usize, old: Range<usize>, substitute: &str) {
        let start = self.text.len();
        self.text += substitute;
        self.edits.push(Replacement { pair, old, new: start..self.text.len() });
    }

    /// Where a byte of the old text is in the new one; a byte inside a name goes to its start.
    pub fn to_new(&self, byte: usize) -> usize {
        follow(&self.edits, byte, |edit| (&edit.old, &edit.new))
    }

    /// Where a byte of the new text was in the old one; a byte inside a substitute goes to its start.
    pub fn to_old(&self, byte: usize) -> usize {
        follow(&self.edits, byte, |edit| (&edit.new, &edit.old))
    }

    /// Where a stretch of the old text is in the new one: names that it cuts are in it whole.
    pub fn span_to_new(&self, old: Range<usize>) -> Range<usize> {
        stretch(&self.edits, old, |edit| (&edit.old, &edit.new))
    }

    /// Where a stretch of the new text was in the old one: names that it cuts are in it whole.
    pub fn span_to_old(&self, new: Range<usize>) -> Range<usize> {
        stretch(&self.edits, new, |edit| (&edit.new, &edit.old))
    }
}

type Side = fn(&Replacement) -> (&Range<usize>, &Range<usize>);

fn follow(edits: &[Replacement], byte: usize, side: Side) -> usize {
    let before = edits.partition_point(|edit| side(edit).0.start <= byte);
    let Some(edit) = before.checked_sub(1).map(|at| &edits[at]) else { return byte };
    let (from, to) = side(edit);
    if byte < from.end { to.start } else { byte - from.end + to.end }
}

fn stretch(edits: &[Replacement], range: Range<usize>, side: Side) -> Range<usize> {
    let start = follow(edits, range.start, side);
    let cut = edits.partition_point(|edit| side(edit).0.end < range.end);
    let end = match edits.get(cut).map(side) {
        Some((from, to)) if from.start < range.end => to.end,
        _ => follow(edits, range.end, side),
    };
    start..end.max(start)
}

#[cfg(test)]
mod odd_tests;
#[cfg(test)]
mod tests;
