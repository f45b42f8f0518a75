//! One book's people in place of another's, so that a text about the one may stand among texts about the other.
//!
//! Only people are exchanged, text by text: everybody that a text names becomes somebody of the same gender whom
//! the other book calls in the same form, by the same title or by none. Places, nations and whatever else is
//! written with a capital stay, where the other book writes them too. A text that has anything else is not told.
//! NarrativeXL draws a name of the same type and gender for each name (section 4).

mod around;
mod called;
mod ground;
mod people;
mod persons;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use storymill_text::word::fold;

use self::{
    around::begins,
    called::Called,
    ground::{Host, Name},
    people::People,
};
pub use self::{
    ground::Ground,
    persons::{Mention, Persons},
};
use crate::{
    cast::CastFile,
    lists::is_abbreviation,
    titles::Title,
    words::{Case, Words},
};

/// The people of one book, for whom people of another may stand.
#[derive(Debug)]
pub struct Exchange<'g> {
    guests: People,
    /// Words that the other book's texts write small.
    small: BTreeSet<String>,
    ground: &'g Ground,
}

/// A text in the other book's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// The text.
    pub text: String,
    /// Each name that stood in it and what stands for it, with their titles; in the order of the text, each once.
    pub names: Vec<(String, String)>,
    /// The first scene of the other book by which it has named everybody and everything that is named here.
    pub known: usize,
}

impl<'g> Exchange<'g> {
    /// For texts about the book of a cast, to be told in the names of another. `texts` are all there are; what they
    /// write small is no name where it begins a sentence.
    pub fn new<'t>(
        cast: &CastFile,
        ground: &'g Ground,
        texts: impl Iterator<Item = &'t str>,
    ) -> Self {
        let mut small = BTreeSet::new();
        for text in texts {
            ground::note_small(&Words::new(text), &mut small);
        }
        Self { guests: People::of(cast), small, ground }
    }

    /// A text about the one book in the other's names.
    ///
    /// Laws: people of one gender for people of that gender; whoever has a title now bears it in the other book too,
    /// and where somebody does not bear it, the title goes with the name; one person for one, and none for two. None if
    /// that cannot be, or if a name is left that the other book has not.
    pub fn tell(&self, text: &str) -> Option<Exchanged> {
        if self.guests.uncased.iter().any(|part| text.contains(part.as_str())) {
            return None;
        }
        let words = Words::new(text);
        let found = self.guests.find(&words);
        if found.unclear {
            return None;
        }
        let mut of: BTreeMap<usize, Vec<&Called>> = BTreeMap::new();
        for called in &found.called {
            of.entry(self.guests.bearer(called)?).or_default().push(called);
        }
        if of.values().any(|called| are_two(called)) {
            return None;
        }
        let hosts = self.hosts(&of)?;
        let mut known = self.rest(&words, &found.called)?;
        let mut edits: Vec<(Range<usize>, String)> = small_titles(text, &words, &found.called);
        let mut names: Vec<(usize, String, String)> = Vec::new();
        for (guest, host) in &hosts {
            for called in &of[guest] {
                let name = host.name(called)?;
                known = known.max(name.known);
                let from = if called.form.titles.is_empty() {
                    called.bytes.start
                } else {
                    words.all()[called.words.start].start as usize
                };
                let titles = if name.same { &text[from..called.bytes.start] } else { "" };
                let new = format!("{titles}{}", name.words);
                names.push((from, text[from..called.bytes.end].to_owned(), new));
                edits.push((called.place(name.same), name.words));
            }
        }
        edits.sort_by_key(|(old, _)| old.start);
        let mut told = String::with_capacity(text.len() + 32);
        let mut at = 0;
        for (old, new) in edits {
            told += &text[at..old.start];
            told += &new;
            at = old.end;
            if bare_possessive(&text[at..]) && hisses(&text[old]) && !hisses(&new) {
                // James’ brother is Mark’s.
                let mark = text[at..].chars().next().map_or(0, char::len_utf8);
                told += &text[at..at + mark];
                told.push('s');
                at += mark;
            }
        }
        told += &text[at..];
        names.sort();
        let mut seen = BTreeSet::new();
        let names = names.into_iter().map(|(_, old, new)| (old, new));
        let names = names.filter(|pair| seen.insert(pair.clone())).collect();
        Some(Exchanged { text: told, names, known })
    }

    /// Who stands for whom, the most named first; none if somebody is left over.
    fn hosts(&self, of: &BTreeMap<usize, Vec<&Called>>) -> Option<Vec<(usize, &Host)>> {
        let mut hosts: Vec<(usize, &Host)> = Vec::with_capacity(of.len());
        let mut shown: BTreeSet<(Vec<String>, String)> = BTreeSet::new();
        for (guest, called) in of {
            let person = &self.guests.all[*guest];
            let fits = |host: &&Host| {
                host.gender == person.gender
                    && hosts.iter().all(|(_, taken)| taken.at != host.at)
                    && called.iter().all(|one| {
                        host.name(one).is_some_and(|name| !shown.contains(&with_titles(one, name)))
                    })
            };
            // Families stay families, and whoever is much spoken of goes for somebody who is.
            let unlike = |host: &&Host| {
                let torn = hosts.iter().filter(|(other, taken)| {
                    let kin = self.guests.all[*other].is_kin(person);
                    kin != (taken.family.is_some() && taken.family == host.family)
                });
                let other = |one: &&&Called| host.name(one).is_some_and(|name| !name.same);
                let other = called.iter().filter(other).count();
                (other, torn.count(), host.rank.abs_diff(person.rank), host.at)
            };
            let host = self.ground.hosts.iter().filter(fits).min_by_key(unlike)?;
            let names = called.iter().filter_map(|one| Some(with_titles(one, host.name(one)?)));
            shown.extend(names);
            hosts.push((*guest, host));
        }
        Some(hosts)
    }

    /// The first scene of the other book by which everything else in a text stood in it that is written with a
    /// capital; none if something never does.
    fn rest(&self, words: &Words<'_>, called: &[Called]) -> Option<usize> {
        let mut known = 0;
        for (at, word) in words.all().iter().enumerate() {
            let inside = called.iter().any(|one| one.holds(at));
            if !word.letter || word.case == Case::Low || inside {
                continue;
            }
            let low = words.low(Some(at));
            let ordinary = self.ground.small.contains(low) || self.small.contains(low);
            let begins = word.case == Case::First || begins(words, at);
            if ordinary && (begins || word.case == Case::Caps || is_bare_title(words, at)) {
                continue;
            }
            if self.guests.has(&fold(low)) {
                return None;
            }
            if self.ground.nouns_are_large && !begins {
                continue;
            }
            known = known.max(self.ground.first_large(low)?);
        }
        Some(known)
    }
}

/// Whether those who are taken for one are two: Miss Welland and Mrs. Welland.
fn are_two(called: &[&Called]) -> bool {
    let bears = |titles: &[&str]| {
        let mut all = called.iter().flat_map(|one| &one.form.titles);
        all.any(|title| titles.contains(&title.as_str()))
    };
    bears(&["miss", "mademoiselle"]) && bears(&["mrs", "madame", "lady"])
}

/// A name as it is read, so that two people are never called the same.
fn with_titles(called: &Called, name: Name) -> (Vec<String>, String) {
    let titles = if name.same { called.form.titles.clone() } else { Vec::new() };
    (titles, name.words)
}

/// A text in which titles that stand by themselves are written small, *the Professor* like *the professor*: books do
/// it in both ways, and which way tells the book.
///
/// ```
/// use storymill_names::with_small_titles;
/// let text = "The Count met the Count, Count Dracula and our Professor.";
/// assert_eq!(with_small_titles(text), "The count met the count, Count Dracula and our professor.");
/// ```
pub fn with_small_titles(text: &str) -> String {
    let words = Words::new(text);
    let mut small = String::with_capacity(text.len());
    let mut at = 0;
    for (old, new) in small_titles(text, &words, &[]) {
        small += &text[at..old.start];
        small += &new;
        at = old.end;
    }
    small + &text[at..]
}

fn small_titles(text: &str, words: &Words<'_>, called: &[Called]) -> Vec<(Range<usize>, String)> {
    let bare = |at: &usize| is_bare_title(words, *at) && !called.iter().any(|one| one.holds(*at));
    let places = (0..words.len()).filter(bare).map(|at| words.all()[at]);
    places
        .map(|word| {
            let old = word.start as usize..word.end as usize;
            let new = text[old.clone()].to_lowercase();
            (old, new)
        })
        .collect()
}

/// Whether a word is a title behind an article or a pronoun, with a capital, and no name behind it.
fn is_bare_title(words: &Words<'_>, at: usize) -> bool {
    const BEFORE: &[&str] = &[
        "the", "a", "an", "this", "that", "my", "our", "your", "his", "her", "their", "old",
        "poor", "dear", "good",
    ];
    let word = words.all()[at];
    let behind = words.all().get(at + 1);
    let title = Title::of(words.low(Some(at)));
    word.case == Case::Inside
        && title.is_title()
        && !title.has(Title::SHORT)
        && !is_abbreviation(words.surface(at))
        && words.gap(at)
        && at > 0
        && BEFORE.contains(&words.low(Some(at - 1)))
        && behind.is_none_or(|next| {
            let small = next.letter && next.case == Case::Low;
            (!next.letter || small) && !words.gap(at + 1)
                || small && !matches!(words.low(Some(at + 1)), "of" | "de" | "von")
        })
}

/// Whether a text goes on with an apostrophe and no letter behind it.
fn bare_possessive(rest: &str) -> bool {
    let mut rest = rest.chars();
    matches!(rest.next(), Some('\'' | '’')) && rest.next() == Some(' ')
}

fn hisses(name: &str) -> bool {
    name.ends_with(['s', 'x', 'z', 'S', 'X', 'Z'])
}

#[cfg(test)]
mod tests;
