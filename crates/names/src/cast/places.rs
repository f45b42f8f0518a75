//! Where a word that is also a common one is a name, by what stands around, whatever a tagger said of it.

use storymill_metrics::shortcut::Map;
use storymill_text::word::fold;

use super::{
    evidence::{is_bare, is_said},
    parts::Part,
    pieces::piece,
    signs::{is_called, is_listed},
};
use crate::{
    lists::{SPEECH, VERBS},
    titles::{self, Title},
    words::{Case, Low, Words},
};

/// How much oftener a name begins a sentence than a common word does.
const BEGINS: i32 = 10;
/// Of so many names it is known what stands behind them.
const KNOWN: usize = 10;

/// How a part stands in the book.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a set of independent marks")]
pub(super) struct Stands {
    /// With a capital inside a sentence it is mostly a name.
    pub(super) everywhere: bool,
    /// It is a month or a day too.
    pub(super) calendar: bool,
    /// It is Heaven or Death, and a name only where nothing else can stand.
    pub(super) strict: bool,
    /// A list of first names has it.
    pub(super) first: bool,
}

impl Stands {
    /// Settles where a part is a name: not where a tagger erred, and, where `more`, at the places it missed too.
    /// `folded` has the forms of the text by their numbers.
    pub(super) fn settle(self, words: &Words<'_>, folded: &[String], part: &mut Part, more: bool) {
        let key = fold(&part.shown);
        let forms: Vec<bool> = folded.iter().map(|low| *low == key).collect();
        let tagged = std::mem::take(&mut part.places);
        let tagged = |at: usize| tagged.binary_search(&at).is_ok();
        // What stands rather behind the name than behind the word in small letters.
        let mut behind: Map<Low, i32> = Map::default();
        let (mut open, mut small) = (Vec::new(), false);
        for (at, word) in
            words.all().iter().enumerate().filter(|(_, word)| forms[word.low as usize])
        {
            small |= word.case == Case::Low;
            let is = match word.case {
                Case::Low => Some(false),
                _ => self.is_name(words, at, tagged(at)),
            };
            if let Some(next) = words.all().get(at + 1) {
                let count = behind.entry(next.low).or_default();
                *count += match is {
                    Some(true) => BEGINS,
                    _ => -i32::from(word.case == Case::Low),
                };
            }
            match is {
                Some(true) => part.places.push(at),
                None => open.push(at),
                Some(false) => {}
            }
        }
        let known = part.places.len() >= KNOWN && small;
        let likelier = |at: usize| {
            let next = words.all().get(at + 1).and_then(|next| behind.get(&next.low));
            next.is_none_or(|count| *count >= 0)
        };
        open.retain(|at| if known { likelier(*at) } else { tagged(*at) && (self.first || !small) });
        part.places.extend(open);
        part.places.retain(|at| more || tagged(*at));
        part.places.sort_unstable();
    }

    /// Whether it is a name at a place, if what stands around says so.
    fn is_name(self, words: &Words<'_>, at: usize, tagged: bool) -> Option<bool> {
        let low = |at: Option<usize>| words.low(at);
        let (before, behind) = (low(at.checked_sub(1)), low(Some(at + 1)));
        let digit = |low: &str| low.starts_with(|c: char| c.is_ascii_digit());
        // His Grace is a title where Grace is a name elsewhere.
        if piece(words, at).is_none() {
            return Some(false);
        }
        if digit(before) || digit(behind) {
            return Some(tagged);
        }
        if titles::before(words, at).first().is_some_and(|title| strict(title)) {
            return Some(true);
        }
        let speaks = SPEECH.contains(&behind) || is_said(words, at);
        if self.strict {
            return Some(tagged && speaks);
        }
        // A name stands beside it: May Welland.
        let next = words.all().get(at + 1).filter(|next| next.case == Case::Inside && !next.breaks);
        let next = next.filter(|next| next.letter && !Title::stands(words, at + 1));
        if self.everywhere && next.is_some() && behind != "i" {
            return Some(true);
        }
        let possessive = matches!(behind, "'" | "’") && low(Some(at + 2)) == "s";
        let does = SPEECH.contains(&behind) || VERBS.contains(&behind);
        match words.all()[at].case {
            Case::Inside if is_bare(words, at) && self.everywhere => {
                let comma = behind == "," && digit(low(Some(at + 2)));
                let date = is_listed("before-date", before) && !does && !possessive;
                let date = date || (is_listed("behind-date", behind) && !does && before != "and");
                Some(tagged || !(self.calendar && (date || comma)))
            }
            Case::Inside if is_bare(words, at) => {
                Some(tagged || is_said(words, at) || (SPEECH.contains(&behind) && !self.calendar))
            }
            // Who signs in capitals: VIOLET HUNTER.
            Case::Caps if self.first => {
                let last = words.all().get(at + 1);
                let last = last.is_some_and(|next| next.case == Case::Caps && !next.breaks);
                let ends = words.all().get(at + 2).is_none_or(|next| next.breaks || !next.letter);
                let begins = at.checked_sub(1).is_none_or(|at| words.all()[at].case != Case::Caps);
                Some(tagged || (last && ends && begins && self.everywhere))
            }
            Case::Caps | Case::Low => Some(tagged),
            // It begins a sentence, or what is said.
            _ if is_listed("imperative", behind) => Some(false),
            _ if !self.everywhere => Some(tagged),
            _ if possessive || does || behind.ends_with("ed") => Some(true),
            _ if is_called(words, at) && !self.calendar => Some(true),
            _ => None,
        }
    }
}

/// Titles behind which nothing but a name stands.
fn strict(title: &str) -> bool {
    let title = Title::of(title);
    title.has(Title::FAMILY) || title.has(Title::GIVEN) || title.has(Title::FEMALE)
}
