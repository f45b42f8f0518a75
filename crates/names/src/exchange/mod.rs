//! One book's people in place of another's, so that a text about the one may stand among texts about the other.
//!
//! Only people are exchanged, text by text: everybody that a text names becomes somebody of the same gender whom
//! the other book calls in the same form, by the same title or by none. Places, nations and whatever else is
//! written with a capital stay, where the other book writes them too. A text that has anything else is not told.
//! NarrativeXL draws a name of the same type and gender for each name (section 4).

mod called;
mod ground;
mod people;

use std::collections::{BTreeMap, BTreeSet};

use storymill_text::word::fold;

pub use self::ground::Ground;
use self::{
    called::{Called, Form},
    ground::Host,
    people::People,
};
use crate::{
    cast::CastFile,
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
    /// Each name that stood in it, without titles, and what stands for it; in the order of the text, each once.
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
    /// Laws: people of one gender for people of that gender; a title stays, and whoever bears it now bears it in the
    /// other book too; one person for one, and none for two. None if that cannot be, or if a name is left that the
    /// other book has not.
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
        let hosts = self.hosts(&of)?;
        let mut known = self.rest(&words, &found.called)?;
        let mut edits: Vec<(&Called, String)> = Vec::new();
        for (guest, host) in &hosts {
            for called in &of[guest] {
                known = known.max(host.knows(&called.form)?);
                edits.push((called, host.called(&called.form, called.caps)?));
            }
        }
        edits.sort_by_key(|(called, _)| called.bytes.start);
        let mut told = String::with_capacity(text.len() + 32);
        let mut names: Vec<(String, String)> = Vec::new();
        let mut at = 0;
        for (called, new) in edits {
            told += &text[at..called.bytes.start];
            told += &new;
            at = called.bytes.end;
            let pair = (text[called.bytes.clone()].to_owned(), new);
            if bare_possessive(&text[at..]) && !hisses(&pair.1) {
                // James’ brother is Mark’s.
                let mark = text[at..].chars().next().map_or(0, char::len_utf8);
                told += &text[at..at + mark];
                told.push('s');
                at += mark;
            }
            if !names.contains(&pair) {
                names.push(pair);
            }
        }
        told += &text[at..];
        Some(Exchanged { text: told, names, known })
    }

    /// Who stands for whom, the most named first; none if somebody is left over.
    fn hosts(&self, of: &BTreeMap<usize, Vec<&Called>>) -> Option<Vec<(usize, &Host)>> {
        let mut hosts: Vec<(usize, &Host)> = Vec::with_capacity(of.len());
        let mut shown: BTreeSet<String> = BTreeSet::new();
        for (guest, called) in of {
            let person = &self.guests.all[*guest];
            let forms: BTreeSet<&Form> = called.iter().map(|one| &one.form).collect();
            let fits = |host: &&Host| {
                host.gender == person.gender
                    && hosts.iter().all(|(_, taken)| taken.at != host.at)
                    && forms.iter().all(|form| {
                        host.knows(form).is_some()
                            && host.shown(form).is_some_and(|name| !shown.contains(&name))
                    })
            };
            // Families stay families, and whoever is much spoken of goes for somebody who is.
            let unlike = |host: &&Host| {
                let torn = hosts.iter().filter(|(other, taken)| {
                    let kin = self.guests.all[*other].is_kin(person);
                    kin != (taken.family.is_some() && taken.family == host.family)
                });
                (torn.count(), host.rank.abs_diff(person.rank), host.at)
            };
            let host = self.ground.hosts.iter().filter(fits).min_by_key(unlike)?;
            shown.extend(forms.iter().filter_map(|form| host.shown(form)));
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
            let begins = word.case == Case::First || people::begins(words, at);
            if ordinary && (begins || word.case == Case::Caps) {
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
