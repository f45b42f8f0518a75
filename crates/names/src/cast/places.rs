//! Where a word that is also a common one is a name: what a tagger missed of it, by what stands around.

use storymill_text::word::fold;

use super::{parts::Part, signs::is_listed};
use crate::{
    lists::{SPEECH, VERBS},
    titles::{self, Title},
    words::{Case, Words},
};

/// How a part stands in the book.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stands {
    /// With a capital inside a sentence it is mostly a name.
    pub(super) everywhere: bool,
    /// It is a month or a day too.
    pub(super) calendar: bool,
}

impl Stands {
    /// Adds the places of a part where it surely is a name, though no tagger said so. `folded` has the forms of
    /// the text by their numbers.
    pub(super) fn more(self, words: &Words<'_>, folded: &[String], part: &mut Part) {
        let key = fold(&part.shown);
        let forms: Vec<bool> = folded.iter().map(|low| *low == key).collect();
        let more: Vec<usize> = words
            .all()
            .iter()
            .enumerate()
            .filter(|(_, word)| word.case != Case::Low && forms[word.low as usize])
            .map(|(at, _)| at)
            .filter(|at| part.places.binary_search(at).is_err() && self.is_name(words, *at))
            .collect();
        part.places.extend(more);
        part.places.sort_unstable();
    }

    fn is_name(self, words: &Words<'_>, at: usize) -> bool {
        let low = |at: Option<usize>| words.low(at);
        let before = low(at.checked_sub(1));
        let behind = low(Some(at + 1));
        let digit = |low: &str| low.starts_with(|c: char| c.is_ascii_digit());
        if digit(before) || digit(behind) {
            return false;
        }
        if titles::before(words, at).first().is_some_and(|title| strict(title)) {
            return true;
        }
        // A name stands beside it: May Welland.
        let next = words.all().get(at + 1).filter(|next| next.case == Case::Inside && !next.breaks);
        if self.everywhere && next.is_some_and(|next| next.letter) && behind != "i" {
            return true;
        }
        let possessive = matches!(behind, "'" | "’") && low(Some(at + 2)) == "s";
        let does = SPEECH.contains(&behind) || VERBS.contains(&behind);
        match words.all()[at].case {
            Case::Inside if self.everywhere => {
                let comma = behind == "," && digit(low(Some(at + 2)));
                let date = is_listed("before-date", before) && !does && !possessive;
                let date = date || (is_listed("behind-date", behind) && !does && before != "and");
                !(self.calendar && (date || comma))
            }
            Case::Inside => {
                SPEECH.contains(&before) || (SPEECH.contains(&behind) && !self.calendar)
            }
            Case::First if self.everywhere => possessive || does || behind.ends_with("ed"),
            _ => false,
        }
    }
}

/// Titles behind which nothing but a name stands.
fn strict(title: &str) -> bool {
    let title = Title::of(title);
    title.has(Title::FAMILY) || title.has(Title::GIVEN) || title.has(Title::FEMALE)
}
