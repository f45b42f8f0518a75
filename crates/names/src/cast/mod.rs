//! The cast of a book: who is in it, under which names; a file that people read and change.
//!
//! A name is made of **parts**, each a word of its own: *Elizabeth*, *Bennet*. Families share a part,
//! so a part is what is replaced, the same everywhere. A part that is also a common word, or that is
//! a name in few of its places, is *careful*: its places are listed, and no other is touched.

mod apart;
mod changes;
mod evidence;
mod first;
mod group;
mod halves;
mod joins;
mod known;
mod locales;
mod mentions;
mod nobody;
mod parts;
mod people;
mod person;
pub(crate) mod pieces;
mod places;
mod roles;
mod sex;
mod signs;
mod somebody;
mod somewhere;
mod titled;
mod what;

pub(crate) use signs::is_listed;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, FaultKind, SymbolIndex};
use storymill_text::word::fold;

use crate::{decision::Found, words::Words};

/// The version of the file.
const VERSION: u32 = 1;

/// The longest file that may be a cast; the longest of a novel has some hundred kilobytes.
const MOST_BYTES: usize = 4 << 20;

/// Who is named less often shares a name with nobody who matters.
const NAMED: u32 = 3;

/// Everybody and every place that a book names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CastFile {
    /// The version of the file's form.
    pub version: u32,
    /// The book's id, from which substitutes are drawn.
    pub book: String,
    /// The digest of the text that places are counted in.
    pub text: String,
    /// The tagger that found the names, where `storymill book cast` made the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tagger: Option<String>,
    /// From which lists substitutes are drawn: `english`, `french`, `german`, `italian`, `russian`.
    pub culture: String,
    /// The characters, the most named first.
    #[serde(default, rename = "character")]
    pub characters: Vec<Character>,
    /// The places, the most named first.
    #[serde(default, rename = "place")]
    pub places: Vec<Locale>,
    /// Parts that are replaced only at some places.
    #[serde(default)]
    pub careful: Vec<Careful>,
    /// Names whose substitutes people chose; all others are drawn.
    #[serde(default, rename = "substitute", skip_serializing_if = "Vec::is_empty")]
    pub substitutes: Vec<ChosenName>,
    /// What was taken for somebody and is left as it is: a record, which nothing reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nobody: Vec<Nobody>,
}

/// What people chose to stand for a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChosenName {
    /// The part of a name.
    pub part: String,
    /// What stands for it: one word that the book does not have.
    pub by: String,
}

/// A name of nobody in the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nobody {
    /// The name.
    pub name: String,
    /// Why it is left: `title`, `saint`, `god`, `oath`, `thing`, `epithet`, `calendar`, `people`, `place` or `word`.
    pub what: String,
    /// How often it was taken for somebody's.
    pub seen: u32,
}

/// Somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Character {
    /// The fullest name, with a title where it is all that tells two apart.
    pub name: String,
    /// As far as the book says.
    pub gender: Gender,
    /// Given names and pet names, each a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Those of `given` that are her husband's, by which she is called too: Mrs. John Dashwood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub husband: Vec<String>,
    /// Family names, each a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub family: Vec<String>,
    /// How often the book names them.
    pub seen: u32,
    /// Whether the name stays as it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

/// Somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locale {
    /// The name.
    pub name: String,
    /// Its parts, without words such as *Park* and *Street*.
    pub parts: Vec<String>,
    /// How often the book names it.
    pub seen: u32,
    /// Whether the name stays as it is: places do unless somebody says otherwise, and then the real ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
}

/// A part that is a common word too, or a name in few of its places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Careful {
    /// The part.
    pub part: String,
    /// Where it is a name: symbols before it.
    pub at: Vec<u32>,
}

/// What a book says of somebody's gender.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Gender {
    /// She.
    Female,
    /// He.
    Male,
    /// It does not say, or says both.
    #[default]
    Unknown,
}

/// Which names are replaced, where nobody edits the cast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Invented places too.
    pub places: bool,
    /// People of history, letters and scripture of whom the book only speaks: Homer.
    pub known: KnownPeople,
}

/// What becomes of the names of people whom everybody knows and of whom a book only speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KnownPeople {
    /// They stay.
    #[default]
    Keep,
    /// They are replaced as those of people of the story.
    Replace,
}

impl CastFile {
    /// The cast of a book, from the names that were found in it.
    pub fn new(book: &str, words: &Words<'_>, found: &[Found], policy: Policy) -> Self {
        let census = parts::Census::new(words, found);
        let characters = group::group(words, &census, policy);
        let (places, of_places) = locales::locales(words, &census, policy);
        let own = census.parts.iter().filter(|part| part.careful);
        let mut at: Vec<locales::Places> =
            own.map(|part| (part.shown.clone(), part.places.clone())).collect();
        for (part, places) in of_places {
            match at.iter_mut().find(|(own, _)| fold(own) == fold(&part)) {
                Some((_, own)) => own.extend(places),
                None => at.push((part, places)),
            }
        }
        let index = SymbolIndex::new(words.text());
        let symbol = |at: usize| index.place(words.all()[at].start as usize).symbol;
        let careful = at
            .into_iter()
            .map(|(part, mut at)| {
                at.sort_unstable();
                at.dedup();
                Careful { part, at: at.into_iter().map(symbol).collect() }
            })
            .collect();
        let nobody = census.nobodies.into_iter();
        let nobody =
            nobody.map(|one| Nobody { name: one.name, what: one.what.to_owned(), seen: one.seen });
        Self {
            nobody: nobody.collect(),
            version: VERSION,
            book: book.to_owned(),
            text: digest(words.text()),
            tagger: None,
            culture: "english".to_owned(),
            characters,
            places,
            careful,
            substitutes: Vec::new(),
        }
    }

    /// First names that several persons bear, each with who they are, the most named first: of a place where such a name
    /// stands alone nobody can be sure whom it names. Those who keep their names, and who is hardly named, are left out.
    pub fn shared(&self) -> Vec<(&str, Vec<&Character>)> {
        let mut bearers: std::collections::BTreeMap<String, (&str, Vec<&Character>)> =
            std::collections::BTreeMap::new();
        for one in self.characters.iter().filter(|one| !one.keep && one.seen >= NAMED) {
            for part in one.given.iter().filter(|part| !one.husband.contains(part)) {
                bearers.entry(fold(part)).or_insert((part.as_str(), Vec::new())).1.push(one);
            }
        }
        let mut shared: Vec<_> =
            bearers.into_values().filter(|(_, bearers)| bearers.len() > 1).collect();
        shared.sort_by_key(|(part, all)| {
            (std::cmp::Reverse(all.iter().map(|one| one.seen).sum::<u32>()), *part)
        });
        shared
    }

    /// Reads a cast that people may have changed.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text.len() > MOST_BYTES {
            let message =
                format!("a cast has at most {} MB; this is another file", MOST_BYTES >> 20);
            return Err(Fault::new(FaultKind::Input, message));
        }
        let cast: Self = toml::from_str(text).map_err(|error| unread(text, &error))?;
        cast.check()?;
        Ok(cast)
    }

    /// Of which book a cast is, whatever else is wrong with it.
    pub fn book_of(text: &str) -> Result<String, Fault> {
        #[derive(Deserialize)]
        struct Of {
            book: String,
        }
        toml::from_str(text).map(|of: Of| of.book).map_err(|error| unread(text, &error))
    }

    /// The cast as a file.
    pub fn to_toml(&self) -> String {
        let head = "# The cast of a book. Change what is wrong: a part in `given` or `family` is replaced wherever it stands,\n\
            # by a name of the same gender; `keep = true` leaves a name as it is; a part under `careful` is replaced\n\
            # only at its places (symbols before it).\n\n";
        head.to_owned() + &toml::to_string(self).expect("a cast is plain tables")
    }

    /// The bytes where careful parts are names, in order, if this is the text they were counted in.
    pub fn places_in(&self, text: &str) -> Option<Vec<usize>> {
        if self.text != digest(text) {
            return None;
        }
        Some(bytes_at(text, self.careful.iter().flat_map(|one| one.at.iter().copied()).collect()))
    }

    fn check(&self) -> Result<(), Fault> {
        let fault = |message: String| Err(Fault::new(FaultKind::Input, message));
        if self.version != VERSION {
            return fault(format!(
                "the cast has the form {} and this version reads {VERSION}",
                self.version
            ));
        }
        let mut names = std::collections::BTreeMap::new();
        let persons = self
            .characters
            .iter()
            .map(|one| (&one.name, one.keep, [&one.given[..], &one.family[..]].concat()));
        for (name, keep, parts) in persons {
            for part in parts {
                if part.chars().all(|c| !c.is_alphanumeric()) || part.contains(char::is_whitespace)
                {
                    return fault(format!("`{part}` of `{name}` is not one word"));
                }
                if let Some((other, before)) = names.insert(fold(&part), (name, keep))
                    && before != keep
                {
                    return fault(format!(
                        "the cast contradicts itself: `{part}` is kept in one of `{other}` and `{name}`"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The bytes where these symbols of a text begin, in order and each once; what lies beyond the text is left out.
pub fn bytes_at(text: &str, mut symbols: Vec<u32>) -> Vec<usize> {
    symbols.sort_unstable();
    symbols.dedup();
    let mut wanted = symbols.into_iter().peekable();
    text.char_indices()
        .zip(0..)
        .filter_map(|((byte, _), symbol)| wanted.next_if_eq(&symbol).map(|_| byte))
        .collect()
}

fn unread(text: &str, error: &toml::de::Error) -> Fault {
    let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
    Fault::new(FaultKind::Input, format!("line {line} of the cast: {}", error.message()))
}

fn digest(text: &str) -> String {
    Digest::of_parts("storymill 2026 cast text v1", [text.as_bytes()]).to_string()
}

#[cfg(test)]
mod tests;
