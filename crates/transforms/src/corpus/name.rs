//! A name as catalogs and title pages write it, read into given names and a family name.
//!
//! `Doyle, Arthur Conan, Sir, 1859-1930` and `Sir Arthur Conan Doyle` give the same form. What stands in
//! brackets spells out initials (`Wells, H. G. (Herbert George)`) or is another name (`Twain, Mark (Samuel
//! Clemens)`); then it is a form of its own.

use storymill_text::word::fold;

use crate::selection::lists::{Lines, words};

/// Words in names that are no names.
const WORDS: &str = include_str!("../../data/author-words.txt");
static PARTICLES: Lines = Lines::new(|| words(WORDS, "particles"));
static SUFFIXES: Lines = Lines::new(|| words(WORDS, "suffixes"));
static WIVES: Lines = Lines::new(|| words(WORDS, "wives"));
static TITLES: Lines = Lines::new(|| words(WORDS, "titles"));
static NOBODY: Lines = Lines::new(|| words(WORDS, "nobody"));

/// One name of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// The last word of the family name; a name of one word is one.
    pub(super) family: String,
    /// All words before it, without `de` and `von`.
    pub(super) given: Vec<Word>,
    /// Whether a title stands with it.
    pub(super) titled: bool,
    /// Whether it is `Mrs.` or the like: the given name may be the husband's.
    pub(super) wife: bool,
    /// `jr`, `sr`, `fils`.
    pub(super) suffix: Option<&'static str>,
}

/// A word of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it is an initial, or cut short: `H.`, `Chas.`
    pub(super) short: bool,
}

impl Word {
    /// Whether it is the short form of another: all its letters, the first at the beginning.
    pub(super) fn begins(&self, other: &Self) -> bool {
        let mut letters = other.text.chars();
        self.short
            && self.text.chars().next() == other.text.chars().next()
            && self.text.chars().all(|c| letters.any(|other| other == c))
    }
}

/// The forms of a name; none where it has no words.
pub(super) fn forms(name: &str) -> Vec<Form> {
    let (plain, brackets) = unbracketed(name);
    let mut others: Vec<&str> = Vec::new();
    let plain = match split_alias(&plain) {
        Some((plain, alias)) => {
            others.push(alias);
            plain
        }
        None => plain.as_str(),
    };
    let Some(first) = form(plain) else { return Vec::new() };
    let mut forms = vec![first];
    forms.extend(second_family(plain));
    for bracket in &brackets {
        let bracket = split_alias(bracket).map_or(bracket.as_str(), |(_, alias)| alias);
        match spelled_out(&forms[0], bracket) {
            Some(longer) => forms[0] = longer,
            None => others.push(bracket),
        }
    }
    forms.extend(others.into_iter().filter(|other| !is_remark(other)).filter_map(form));
    forms
}

/// The words of a name, folded and sorted: what an id is made of where a catalog gives none.
pub(super) fn sorted_words(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// Whether a name is somebody's, and not a word for nobody or a crowd.
pub(super) fn is_person(name: &str) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    // `[Anonymous]` is nobody, and so is `Unknown (translated by …)`.
    let (plain, _) = unbracketed(name);
    let plain = if letters(&plain).is_empty() { letters(name) } else { letters(&plain) };
    !plain.is_empty() && !NOBODY.contains(&plain.as_str())
}

/// A name folded, where letters that have no accent to lose are written as other catalogs write them, and
/// apostrophes are left out: `O’Brien`, `Bjørnson`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in fold(text).chars() {
        match c {
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ß' => plain.push_str("ss"),
            'þ' => plain.push_str("th"),
            '\'' | '’' => {}
            c => plain.push(c),
        }
    }
    plain
}

/// A name without what stands in brackets, and that.
fn unbracketed(name: &str) -> (String, Vec<String>) {
    let (mut plain, mut brackets) = (String::new(), Vec::<String>::new());
    let mut depth = 0_u32;
    for c in name.chars() {
        match c {
            '(' | '[' => {
                depth += 1;
                brackets.push(String::new());
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                plain.push(' ');
            }
            c => match brackets.last_mut() {
                Some(bracket) if depth > 0 => bracket.push(c),
                _ => plain.push(c),
            },
        }
    }
    (plain, brackets)
}

/// `Samuel Clemens, pseudonym of …`: what stands before and behind such words.
fn split_alias(text: &str) -> Option<(&str, &str)> {
    const WORDS: &[&str] = &[
        "pseudonym of ",
        "pseud. of ",
        "pen name of ",
        "i.e. ",
        "a.k.a. ",
        "aka ",
        "alias ",
        "real name ",
    ];
    let lower = text.to_ascii_lowercase();
    let inside = |at: usize| lower[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    let found = WORDS.iter().filter_map(|words| Some((lower.find(words)?, words.len())));
    let (at, len) = found.filter(|(at, _)| !inside(*at)).min()?;
    Some((&text[..at], &text[at + len..]))
}

/// Whether brackets hold no name: `née Godwin`, `pseud.`
fn is_remark(text: &str) -> bool {
    let folded = fold(text.trim());
    let first = folded.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    matches!(
        first,
        "" | "nee"
            | "born"
            | "pseud"
            | "pseudonym"
            | "tr"
            | "trans"
            | "translated"
            | "ed"
            | "edited"
    )
}

/// The form that stands in one plain name: `Family, Given` or `Given Family`.
fn form(name: &str) -> Option<Form> {
    let mut form =
        Form { family: String::new(), given: Vec::new(), titled: false, wife: false, suffix: None };
    // Years are known already; what holds a digit is no name.
    let parts = name.split(',').filter(|part| !part.contains(|c: char| c.is_ascii_digit()));
    let mut parts = parts.filter(|part| !is_remark(part));
    let mixed = name.contains(char::is_lowercase);
    let first = form.words(parts.next()?, false, mixed);
    let rest: Vec<Word> = parts.flat_map(|part| form.words(part, true, mixed)).collect();
    let first = if rest.is_empty() { form.untitled(first) } else { first };
    let (family, more) = first.split_last()?;
    form.family.clone_from(&family.text);
    form.given = rest;
    form.given.extend(more.iter().cloned());
    let family = &form.family;
    form.given.retain(|word| !PARTICLES.contains(&word.text.as_str()) && word.text != *family);
    Some(form)
}

/// A name with two family names, under the first of them: `Cervantes Saavedra, Miguel de`.
fn second_family(name: &str) -> Option<Form> {
    let (family, rest) = name.split_once(',')?;
    let mut words =
        family.split(|c: char| c.is_whitespace() || c == '-').filter(|word| !word.is_empty());
    let first = words.find(|word| !PARTICLES.contains(&fold(word).as_str()))?;
    words.next()?;
    form(&format!("{first},{rest}")).filter(|form| !form.given.is_empty())
}

/// A form whose initials brackets spell out: `H. G. (Herbert George)`, `Mrs. (Elizabeth)`.
fn spelled_out(form: &Form, bracket: &str) -> Option<Form> {
    let mut longer = form.clone();
    longer.given = longer.words(bracket, true, true);
    let short = form.given.iter().any(|word| word.short) || form.given.is_empty() && form.titled;
    let mut rest = longer.given.iter();
    let same = |word: &Word, other: &Word| word.text == other.text || word.begins(other);
    let each = form.given.iter().all(|word| rest.any(|other| same(word, other)));
    longer
        .given
        .retain(|word| !PARTICLES.contains(&word.text.as_str()) && word.text != form.family);
    (short && each && !longer.given.is_empty()).then_some(longer)
}

impl Form {
    /// The words of a part of a name; titles are noted, and where they may stand anywhere left out.
    /// In a name of small and large letters, two or three large ones are initials.
    fn words(&mut self, part: &str, untitled: bool, mixed: bool) -> Vec<Word> {
        let mut words = Vec::new();
        for token in part.split_whitespace() {
            let folded = plain(token);
            let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
            if let Some(suffix) = SUFFIXES.iter().find(|suffix| **suffix == bare) {
                self.suffix = Some(*suffix);
                continue;
            }
            if untitled && self.title(bare) {
                continue;
            }
            // `HG Wells`, `H.G. Wells`, `H. G. Wells`
            let capitals = token.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
            let joined = mixed
                && capitals
                && (2..=3).contains(&bare.chars().count())
                && bare.chars().all(char::is_alphabetic);
            if joined {
                words.extend(bare.chars().map(|c| Word { text: c.to_string(), short: true }));
                continue;
            }
            for piece in folded.split_inclusive(|c: char| !c.is_alphanumeric()) {
                let text = piece.trim_matches(|c: char| !c.is_alphanumeric());
                if !text.is_empty() {
                    let letter = text.chars().count() == 1 && text.is_ascii();
                    let short = letter || piece.ends_with('.');
                    words.push(Word { text: text.to_owned(), short });
                }
            }
        }
        words
    }

    /// Whether a word is a title, which is noted.
    fn title(&mut self, word: &str) -> bool {
        let wife = WIVES.contains(&word);
        self.wife |= wife;
        let title = wife || TITLES.contains(&word);
        self.titled |= title;
        title
    }

    /// Words without the titles they begin with, as long as a name is left.
    fn untitled(&mut self, mut words: Vec<Word>) -> Vec<Word> {
        while words.len() > 1 && self.title(&words[0].text) {
            words.remove(0);
        }
        words
    }
}
