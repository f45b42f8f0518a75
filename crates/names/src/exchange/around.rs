//! What stands around a name: small words inside of it, what makes it another, where something begins.

use crate::{
    lists::PARTICLES,
    words::{Case, Words},
};

/// Whether a word stands inside of names and is none.
pub(super) fn is_particle(low: &str) -> bool {
    PARTICLES.contains(&low)
        && !matches!(low, "and" | "of" | "the" | "'" | "o'" | "d'" | "l'" | "y")
}

/// Whether a name goes on in a way that makes it another: `Lucas Lodge`, `Smith-Jones`.
pub(super) fn joined(words: &Words<'_>, start: usize, end: usize) -> bool {
    let hyphen = |at: usize| matches!(words.surface(at), "-" | "‐" | "\u{2011}");
    let letter = |at: usize| words.all().get(at).is_some_and(|word| word.letter);
    let before = start > 1 && !words.gap(start) && hyphen(start - 1) && !words.gap(start - 1);
    let large = |at: usize| {
        let word = words.all()[at];
        word.letter && matches!(word.case, Case::Inside | Case::Caps)
    };
    let behind = words.all().get(end).is_some_and(|word| {
        !word.breaks
            && if words.gap(end) {
                large(end) && words.surface(end) != "I" && words.all()[start].case != Case::Caps
            } else {
                hyphen(end) && letter(end + 1) && !words.gap(end + 1)
            }
    });
    before || behind
}

/// Whether something begins at a word: a quotation, or what stands behind a colon or a dash.
pub(super) fn begins(words: &Words<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let mark = words.surface(before);
    let open = ["“", "‘", "\"", "„", "«", "»", "(", "[", "—", "–", ":", "…", "_", "¿", "¡"];
    let quote = mark == "'" && (before == 0 || words.gap(before));
    words.all()[at].breaks || open.contains(&mark) || quote
}
