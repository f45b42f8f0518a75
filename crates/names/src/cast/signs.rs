//! Signs around a name of what it names: a saint whom somebody is called after, a place, a ship, an oath, a deed.

use std::sync::LazyLock;

use crate::{
    knowledge::{Known, SIGNS, is_given},
    lists::{SPEECH, VERBS},
    titles::{self, Title},
    words::{Case, Words},
};
use storymill_metrics::shortcut::{Map, Set};

static LISTS: LazyLock<Map<&str, Set<&str>>> = LazyLock::new(|| {
    let lines = SIGNS.lines().filter(|line| !line.starts_with('#'));
    let mut lists: Map<&str, Set<&str>> = Map::default();
    for (key, words) in lines.filter_map(|line| line.split_once(": ")) {
        lists.entry(key).or_default().extend(words.split(' '));
    }
    lists
});

/// Whether a word in small letters stands in one of the lists of `data/names/signs.txt`.
pub(crate) fn is_listed(list: &str, low: &str) -> bool {
    LISTS.get(list).is_some_and(|words| words.contains(low))
}

/// Whether somebody bears the name of a saint: Augustine St. Clare, the Marquis St. Clare, the Duke of St. Ives.
pub(super) fn is_borne(words: &Words<'_>, saint: usize) -> bool {
    let Some(before) = saint.checked_sub(1).filter(|_| !words.all()[saint].breaks) else {
        return false;
    };
    let capital = |at: usize| words.all()[at].case != Case::Low;
    let first = is_given(words.low(Some(before))) && capital(before);
    let of = words.low(Some(before)) == "of"
        && before
            .checked_sub(1)
            .is_some_and(|title| Title::of(words.low(Some(title))).is_title() && capital(title));
    let titled = titles::before(words, saint);
    first || of || titled.iter().any(|title| !Title::of(title).has(Title::SAINT))
}

/// Whether a name begins behind a word that stands before the names of places: Pont-Neuf, Mont Blanc, Lake Como; or
/// with such a word.
pub(super) fn is_behind_place_word(words: &Words<'_>, first: usize) -> bool {
    let listed = |at: usize| {
        words.all()[at].case != Case::Low && is_listed("before-place", words.low(Some(at)))
    };
    let Some(mut before) = first.checked_sub(1).filter(|_| !words.all()[first].breaks) else {
        return false;
    };
    if words.surface(before) == "-" && !words.gap(before) && !words.gap(first) && before > 0 {
        before -= 1;
    }
    listed(before)
}

/// Whether a name is that of a ballad or a book: the ballad of Leonora.
pub(super) fn is_work(words: &Words<'_>, first: usize) -> bool {
    let before = |back: usize| words.low(first.checked_sub(back));
    before(1) == "of" && is_listed("work", before(2))
}

/// Whether somebody’s house or shop is meant: at Lloyd’s, from Tellson’s to the river.
pub(super) fn is_shop(words: &Words<'_>, end: usize) -> bool {
    if !is_owner(words, end) {
        return false;
    }
    let Some(next) = words.all().get(end + 2).filter(|next| !next.breaks) else { return true };
    !next.letter || is_listed("behind-shop", words.low(Some(end + 2)))
}

/// Whether `’s` stands behind a name that ends before a word.
pub(super) fn is_owner(words: &Words<'_>, end: usize) -> bool {
    matches!(words.low(Some(end)), "'" | "’") && words.low(Some(end + 1)) == "s"
}

/// Whether a word stands by itself in quotation marks: “Chow.”
pub(super) fn is_alone(words: &Words<'_>, at: usize) -> bool {
    let [before, behind] = [words.low(at.checked_sub(1)), words.low(Some(at + 1))];
    matches!(before, "“" | "\"" | "‘") && matches!(behind, "," | "!" | "?" | "." | "”" | "’")
}

/// Whether a name that ends before a word goes on as that of a place or a thing: Shooter’s Hill, the George Hotel.
pub(super) fn is_in_place(words: &Words<'_>, end: usize) -> bool {
    let mut at = end;
    if is_owner(words, at) {
        at += 2;
    }
    let Some(word) = words.all().get(at).filter(|word| !word.breaks) else { return false };
    let low = words.low(Some(at));
    let known = Known::of(low).has(Known::PLACE_WORD) || is_listed("thing", low);
    word.case == Case::Inside && known && words.gap(at)
}

/// Whether somebody says, does or has something there.
pub(super) fn is_deed(words: &Words<'_>, at: usize) -> bool {
    let [before, next] = [words.low(at.checked_sub(1)), words.low(Some(at + 1))];
    let behind = if is_listed("adverb", next) { words.low(Some(at + 2)) } else { next };
    is_owner(words, at + 1)
        || SPEECH.contains(&before)
        || SPEECH.contains(&behind)
        || VERBS.contains(&behind)
        || is_listed("deed", behind)
        || (behind.len() > 4 && behind.ends_with("ed"))
}

/// Whether a name is sworn by: by George, ’fore George, great Scott.
pub(super) fn is_oath(words: &Words<'_>, at: usize) -> bool {
    let before = words.low(at.checked_sub(1));
    let name = words.low(Some(at));
    let behind = |steps: usize| words.low(Some(at + steps));
    let on_us = matches!(behind(1), "on" | "upon") && matches!(behind(2), "us" | "me")
        || behind(2) == "s" && matches!(behind(3), "name" | "sake");
    before == "fore"
        || (on_us && is_listed("mercy", name))
        || (before == "by"
            && matches!(name, "george" | "jove" | "jingo" | "gad" | "gum" | "golly" | "jabers"))
        || (before == "great" && name == "scott")
        || (before == "old" && is_listed("devil", name) && is_capital(words, at.checked_sub(1)))
}

/// Whether a number stands behind a name, as behind those of kings: Henry I., Richard III.
pub(super) fn is_king(words: &Words<'_>, at: usize) -> bool {
    let Some(next) = words.all().get(at + 1).filter(|next| !next.breaks) else { return false };
    let number = words.surface(at + 1);
    let roman = number.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    next.letter && roman && (number.len() > 1 || matches!(words.low(Some(at + 2)), "." | "’" | "'"))
}

fn is_capital(words: &Words<'_>, at: Option<usize>) -> bool {
    at.is_some_and(|at| words.all()[at].case == Case::Inside)
}

/// Whether somebody is called: `Well, Garny, old horse!`
pub(super) fn is_called(words: &Words<'_>, at: usize) -> bool {
    is_called_so(words, at, at)
}

/// Whether somebody is called by a name from its first word to its last.
pub(super) fn is_called_so(words: &Words<'_>, first: usize, last: usize) -> bool {
    let [before, behind] = [words.low(first.checked_sub(1)), words.low(Some(last + 1))];
    matches!(before, "," | "“" | "\"" | "‘") && matches!(behind, "," | "!" | "?" | "." | "”")
}
