//! Signs around a name of what it names: a saint whom somebody is called after, a place, a ship, an oath, a deed.

use crate::{
    knowledge::{Known, given},
    lists::{SPEECH, VERBS},
    titles::{self, Title},
    words::{Case, Words},
};

/// Words that tell of ships.
pub(super) const SHIPS: &[&str] = &[
    "ship", "vessel", "schooner", "brig", "barque", "bark", "frigate", "steamer", "sloop", "yacht",
    "boat", "sail", "sailed", "sails", "sailing", "aboard", "board", "deck", "anchor", "anchored",
    "moored", "wharf", "dock", "port", "harbour", "crew", "lloyd", "voyage", "quay",
];

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
    let known = Known::of(low).has(Known::PLACE_WORD) || THINGS.contains(&low);
    word.case == Case::Inside && known && words.gap(at)
}

/// Words that end the names of things.
const THINGS: &[&str] = &[
    "term",
    "gazette",
    "post",
    "times",
    "news",
    "journal",
    "herald",
    "review",
    "magazine",
    "chronicle",
    "club",
    "museum",
    "academy",
    "company",
    "stores",
    "society",
    "express",
    "act",
    "cup",
    "prize",
    "day",
    "eve",
];

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
}

/// Whether somebody is called: `Well, Garny, old horse!`
pub(super) fn is_called(words: &Words<'_>, at: usize) -> bool {
    let [before, behind] = [words.low(at.checked_sub(1)), words.low(Some(at + 1))];
    matches!(before, "," | "“" | "\"" | "‘") && matches!(behind, "," | "!" | "?" | "." | "”")
}
