//! Signs around a name of what it names: a saint whom somebody is called after, a place, a ship, an oath, a deed.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{
    knowledge::{Known, given},
    lists::{SPEECH, VERBS},
    titles::{self, Title},
    words::{Case, Words},
};

static LISTS: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let list = include_str!("../../../../data/names/signs.txt");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let keyed = lines.filter_map(|line| line.split_once(": "));
    keyed.map(|(key, words)| (key, words.split(' ').collect())).collect()
});

/// Whether a word in small letters stands in one of the lists of `data/names/signs.txt`.
pub(super) fn is_listed(list: &str, low: &str) -> bool {
    LISTS.get(list).is_some_and(|words| words.contains(low))
}

/// Whether somebody bears the name of a saint: Augustine St. Clare, the Marquis St. Clare, the Duke of St. Ives.
pub(super) fn is_borne(words: &Words<'_>, saint: usize) -> bool {
    let Some(before) = saint.checked_sub(1).filter(|_| !words.all()[saint].breaks) else {
        return false;
    };
    let capital = |at: usize| words.all()[at].case != Case::Low;
    let known = given(words.low(Some(before)));
    let first = (known.has(Known::FEMALE) || known.has(Known::MALE)) && capital(before);
    let of = words.low(Some(before)) == "of"
        && before
            .checked_sub(1)
            .is_some_and(|title| Title::of(words.low(Some(title))).is_title() && capital(title));
    let titled = titles::before(words, saint);
    first || of || titled.iter().any(|title| !Title::of(title).has(Title::SAINT))
}

/// Whether a name that ends before a word goes on as that of a place or a thing: Shooter’s Hill, the George Hotel.
pub(super) fn is_in_place(words: &Words<'_>, end: usize) -> bool {
    let mut at = end;
    if matches!(words.low(Some(at)), "'" | "’") && words.low(Some(at + 1)) == "s" {
        at += 2;
    }
    let Some(word) = words.all().get(at).filter(|word| !word.breaks) else { return false };
    let low = words.low(Some(at));
    let known = Known::of(low).has(Known::PLACE_WORD) || is_listed("thing", low);
    word.case == Case::Inside && known && words.gap(at)
}

/// Whether somebody says, does or has something there.
pub(super) fn is_deed(words: &Words<'_>, at: usize) -> bool {
    let [before, behind] = [words.low(at.checked_sub(1)), words.low(Some(at + 1))];
    let possessive = matches!(behind, "'" | "’") && words.low(Some(at + 2)) == "s";
    possessive
        || SPEECH.contains(&before)
        || SPEECH.contains(&behind)
        || VERBS.contains(&behind)
        || (behind.len() > 4 && behind.ends_with("ed"))
}

/// Whether a name is sworn by: by George, ’fore George, great Scott.
pub(super) fn is_oath(words: &Words<'_>, at: usize) -> bool {
    let before = words.low(at.checked_sub(1));
    let name = words.low(Some(at));
    before == "fore"
        || (before == "by"
            && matches!(name, "george" | "jove" | "jingo" | "gad" | "gum" | "golly" | "jabers"))
        || (before == "great" && name == "scott")
        || (before == "old" && is_listed("devil", name) && is_capital(words, at.checked_sub(1)))
}

fn is_capital(words: &Words<'_>, at: Option<usize>) -> bool {
    at.is_some_and(|at| words.all()[at].case == Case::Inside)
}

/// Whether somebody is called: `Well, Garny, old horse!`
pub(super) fn is_called(words: &Words<'_>, at: usize) -> bool {
    let [before, behind] = [words.low(at.checked_sub(1)), words.low(Some(at + 1))];
    matches!(before, "," | "“" | "\"" | "‘") && matches!(behind, "," | "!" | "?" | "." | "”")
}
