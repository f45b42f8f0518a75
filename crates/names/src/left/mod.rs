//! Names that are left in texts with other names, searched without the cast.
//!
//! A cast that lacks a person finds none of that person's names: so this search knows neither the cast nor the
//! substitutes. It counts how every form stands in the book with its own names (with a capital inside a sentence, behind a
//! title, beside a verb of speech, in small letters) and how often it stands in the book with other names. A form that is
//! gone from most of its places is a name, and the places where it still stands are leaks. A form that is kept
//! everywhere is one if it stands as persons do, unless a list or its neighbours say why not: a place, a month, a
//! nation, a title, a god, a saint.

mod lists;
mod seen;
mod signs;
#[cfg(test)]
mod tests;
mod verdict;

use std::{collections::BTreeMap, ops::Range};

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use self::{
    lists::Why,
    seen::Forms,
    signs::Signs,
    verdict::{Both, is_counted, is_plural},
};
use crate::{
    knowledge::is_given,
    words::{Case, Words},
};
pub use lists::LEFT_LIST;
pub use verdict::Sign;

/// A name that is left at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// What tells that it is one.
    pub sign: Sign,
}

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Words of letters that were looked at.
    pub words: u32,
    /// Those of them with a capital inside a sentence, or behind a title: what looks like a name.
    pub capitals: u32,
    /// Names that are left, in order.
    pub left: Vec<Left>,
}

/// The search for names that are left in the texts of one book.
#[derive(Debug)]
pub struct NamesLeft {
    own: Forms,
    new: Option<Forms>,
    verdicts: BTreeMap<String, Sign>,
}

impl NamesLeft {
    /// Counts a book with its own names, and with other ones where that text is at hand.
    ///
    /// # Panics
    ///
    /// If a text has more than `u32::MAX` bytes; a book is at most 64 MB.
    pub fn new(own: &str, new: Option<&str>) -> Self {
        Self::of(&Words::new(own), new.map(Words::new).as_ref())
    }

    /// The same of texts that were cut before.
    pub fn of(own: &Words<'_>, new_words: Option<&Words<'_>>) -> Self {
        let own = Forms::read(own);
        let new = new_words.map(Forms::read);
        let [beside, joined] = new_words.map(|words| beside_new(&own, words)).unwrap_or_default();
        let mut verdicts = BTreeMap::new();
        for (form, seen) in own.capitals() {
            let [beside, joined] =
                [&beside, &joined].map(|counts| counts.get(form).copied().unwrap_or(0));
            let new = new.as_ref().map(|new| new.of(form));
            let both = Both { form, own: seen, new, beside, joined };
            if let Some(sign) = both.verdict() {
                verdicts.insert(form.to_owned(), sign);
            }
        }
        let named =
            |one: &str| matches!(verdicts.get(one), Some(Sign::Gone | Sign::Person | Sign::Plural));
        let many = |(form, _): &(&str, _)| {
            !matches!(verdicts.get(*form), Some(Sign::Gone))
                && (is_plural(form, &own, named) || is_counted(form, &own))
        };
        let plurals: Vec<String> =
            own.capitals().filter(many).map(|(form, _)| form.to_owned()).collect();
        verdicts.extend(plurals.into_iter().map(|form| (form, Sign::Plural)));
        Self { own, new, verdicts }
    }

    /// Looks through a text with other names. A text that tells of another book too may have its names: where
    /// they stand as persons do, they are found if a text of the book with other names was at hand.
    pub fn look(&self, text: &str, other_book: bool) -> Look {
        self.look_at(&Words::new(text), other_book)
    }

    fn look_at(&self, words: &Words<'_>, other_book: bool) -> Look {
        let forms: Vec<String> = words.lows().iter().map(|low| fold(low)).collect();
        let mut look = Look::default();
        for (at, word) in words.all().iter().enumerate().filter(|(_, word)| word.letter) {
            look.words += 1;
            if word.case == Case::Low {
                continue;
            }
            let signs = Signs::at(words, at);
            look.capitals += u32::from(signs.has(Signs::TITLE) || !signs.has(Signs::START));
            let form = forms[word.low as usize].as_str();
            let sign = match self.verdicts.get(form) {
                Some(sign) => Some(*sign).filter(|sign| stays(*sign, signs)),
                None if other_book && self.is_foreign(form, signs) => Some(Sign::Foreign),
                None => None,
            };
            if let Some(sign) = sign {
                look.left.push(Left { bytes: word.start as usize..word.end as usize, sign });
            }
        }
        look
    }

    /// What is left in a text, form by form, the commonest first: with a sign and how often it is found.
    pub fn forms(&self, words: &Words<'_>) -> Vec<(String, Sign, u32)> {
        let mut forms: BTreeMap<String, (String, Sign, u32)> = BTreeMap::new();
        for left in self.look_at(words, false).left {
            let form = &words.text()[left.bytes];
            let new = || (form.to_owned(), left.sign, 0);
            forms.entry(fold(form)).or_insert_with(new).2 += 1;
        }
        let mut forms: Vec<_> = forms.into_values().collect();
        forms.sort_by(|one, other| other.2.cmp(&one.2).then_with(|| one.0.cmp(&other.0)));
        forms
    }

    /// Whether a form stands in neither text of the book, and as a person does.
    fn is_foreign(&self, form: &str, signs: Signs) -> bool {
        let strange = self.new.as_ref().is_some_and(|new| !new.has(form)) && !self.own.has(form);
        let person = signs.has(Signs::TITLE)
            || (is_given(form)
                && !signs.has(Signs::START.or(Signs::INSIDE))
                && signs.has(Signs::SPEECH.or(Signs::DOES).or(Signs::OWNS)));
        strange && person && !signs.has(Signs::PLACE) && Why::of(form) == Why::Not
    }
}

/// Whether a form that must not stand is a name at a place with these signs.
fn stays(sign: Sign, signs: Signs) -> bool {
    let here = signs.has(Signs::TITLE.or(Signs::SPEECH));
    let place = signs.has(Signs::PLACE) && !(sign == Sign::Gone && signs.has(Signs::TITLE));
    if signs.has(Signs::SAINT) || place {
        return false;
    }
    match sign {
        Sign::Gone | Sign::Plural | Sign::Foreign => true,
        Sign::Person | Sign::Given | Sign::Beside | Sign::Unknown => {
            here || !signs.has(Signs::ARTICLE.or(Signs::MAYBE_THING))
        }
        Sign::Some => here || (!signs.has(Signs::START) && signs.has(Signs::DOES.or(Signs::OWNS))),
        Sign::Word => {
            let alone = signs.has(Signs::START.or(Signs::CAPS)) && !signs.has(Signs::OWNS);
            signs.has(Signs::TITLE)
                || !(alone && !here || signs.has(Signs::DATED.or(Signs::ARTICLE)))
        }
    }
}

/// At how many places of the new text each form stands beside a word with a capital that the own text lacks, and at
/// how many `and` stands between the two.
fn beside_new(own: &Forms, words: &Words<'_>) -> [Map<String, u32>; 2] {
    let is_new: Vec<bool> = words
        .lows()
        .iter()
        .map(|low| {
            low.chars().nth(1).is_some() && !own.has(&fold(low)) && Why::of(low) != Why::Never
        })
        .collect();
    let new = |at: usize| {
        let word = words.all().get(at).filter(|word| word.letter && word.case != Case::Low);
        word.is_some_and(|word| is_new[word.low as usize] && !signs::is_start(words, at))
    };
    let and = |at: usize| words.low(Some(at)) == "and" && !words.all()[at].breaks;
    let mut counts = [Map::default(), Map::default()];
    for (at, word) in words.all().iter().enumerate() {
        if !word.letter || word.case == Case::Low {
            continue;
        }
        let after = at.checked_sub(1).is_some_and(new) && !word.breaks;
        let joined = at.checked_sub(2).is_some_and(|two| new(two) && and(two + 1))
            || (at + 2 < words.len() && and(at + 1) && new(at + 2));
        for (counts, here) in counts.iter_mut().zip([after || new(at + 1), joined]) {
            if here {
                *counts.entry(fold(&words.lows()[word.low as usize])).or_insert(0) += 1;
            }
        }
    }
    counts
}
