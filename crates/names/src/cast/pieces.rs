//! The words of a name that can be replaced, and what stands around them.

use std::ops::Range;

use storymill_text::word::fold;

use super::signs::is_listed;
use crate::{
    knowledge::is_given,
    lists::{ABBREVIATIONS, PARTICLES, is_honorific},
    titles::{self, Title},
    words::{Case, Words},
};

/// One word of a name; `O'Brien` is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its first word.
    pub(super) at: usize,
    /// As it is written.
    pub(super) surface: String,
}

impl Piece {
    /// The same for all ways to write it.
    pub(super) fn key(&self) -> String {
        fold(&self.surface)
    }

    /// Whether a list of first names has it.
    pub(super) fn is_first_name(&self) -> bool {
        is_given(&self.surface.to_lowercase())
    }
}

/// The words of a name that are parts: with a capital, no particle, no initial, no title, nothing cut short.
pub(super) fn pieces(words: &Words<'_>, name: Range<usize>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = name.start;
    while at < name.end {
        let found = piece(words, at);
        at += match &found {
            Some(piece) if piece.surface.contains('\'') => 3,
            _ => 1,
        };
        pieces.extend(found);
    }
    pieces
}

/// The part that begins at a word, if one does.
pub(super) fn piece(words: &Words<'_>, at: usize) -> Option<Piece> {
    let word = words.all()[at];
    if !word.letter || word.case == Case::Low {
        return None;
    }
    let surface = words.surface(at);
    let tight = |at: usize| words.all().get(at).is_some() && !words.gap(at);
    if surface.chars().count() == 1 {
        let irish = matches!(surface, "O" | "D" | "L" | "M")
            && tight(at + 1)
            && matches!(words.surface(at + 1), "'" | "’")
            && tight(at + 2)
            && words.all()[at + 2].case != Case::Low
            && words.surface(at + 2).chars().count() > 2;
        return irish
            .then(|| Piece { at, surface: format!("{surface}'{}", words.surface(at + 2)) });
    }
    let low = words.low(Some(at));
    let point = tight(at + 1) && words.surface(at + 1) == ".";
    // Who stammers cuts a word: my Ga-od.
    let small =
        |at: usize| words.all().get(at).is_some_and(|one| one.letter && one.case == Case::Low);
    let cut = tight(at + 1) && words.surface(at + 1) == "-" && tight(at + 2) && small(at + 2);
    if cut || is_within_title(words, at) || (low == "bart" && point && is_behind_comma(words, at)) {
        return None;
    }
    let cut_short = (Title::of(low).has(Title::SHORT) && point)
        || Title::of(low).has(Title::SAINT)
        || ABBREVIATIONS.contains(&low);
    if PARTICLES.contains(&low)
        || is_listed("ordinal", low)
        || is_listed("no-part", low)
        || cut_short
        || is_roman(surface)
    {
        return None;
    }
    let name = titles::is_name_too(low) && !titles::is_owned(words, at);
    let title = !name && (Title::of(low).is_title() || is_honorific(low));
    (!title || is_surname(words, at)).then(|| Piece { at, surface: surface.to_owned() })
}

/// Whether a word stands inside of a title: Lord Chief Justice, Lord High Admiral.
fn is_within_title(words: &Words<'_>, at: usize) -> bool {
    let title = |at: Option<usize>| {
        at.is_some_and(|at| words.all()[at].case != Case::Low)
            && Title::of(words.low(at)).is_title()
    };
    matches!(words.low(Some(at)), "chief" | "high" | "privy")
        && title(at.checked_sub(1))
        && !words.all()[at].breaks
}

/// Whether a comma stands before a word: Sir John Belmont, Bart.
fn is_behind_comma(words: &Words<'_>, at: usize) -> bool {
    words.low(at.checked_sub(1)) == ","
}

/// Whether a title is somebody's family name here: Mr. King, Rufus King.
pub(super) fn is_surname(words: &Words<'_>, at: usize) -> bool {
    let low = words.low(Some(at));
    if !Title::of(low).has(Title::SURNAME) {
        return false;
    }
    let behind = words.all().get(at + 1);
    if behind.is_some_and(|next| next.case != Case::Low && next.letter && !next.breaks) {
        return false;
    }
    let Some(mut before) = at.checked_sub(1) else { return false };
    if words.surface(before) == "." {
        let Some(one) = before.checked_sub(1) else { return false };
        before = one;
    }
    if words.all()[at].breaks || words.all()[before].case == Case::Low {
        return false;
    }
    let first = words.low(Some(before));
    let church = matches!(
        low,
        "abbot" | "prior" | "friar" | "bishop" | "pope" | "canon" | "parson" | "deacon"
    );
    let titled = is_listed("before-surname", first) && !(first == "father" && church);
    titled || (is_given(first) && before + 1 == at)
}

fn is_roman(surface: &str) -> bool {
    surface.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
}

/// The word Saint before a piece, in whatever language, if it stands there.
pub(super) fn saint(words: &Words<'_>, at: usize) -> Option<usize> {
    let mut before = at.checked_sub(1).filter(|_| !words.all()[at].breaks)?;
    if words.surface(before) == "." || words.surface(before) == "-" {
        before = before.checked_sub(1)?;
    }
    let is = Title::of(words.low(Some(before))).has(Title::SAINT);
    (is && words.all()[before].case != Case::Low).then_some(before)
}

/// Whether the plural of a name may stand at a word: behind `the`, `both`, a number.
pub(crate) fn is_many(words: &Words<'_>, at: usize) -> bool {
    let mut before = at.checked_sub(1);
    for _ in 0..3 {
        let low = words.low(before);
        if is_listed("many", low) {
            return true;
        }
        let small = PARTICLES.contains(&low) || matches!(low, "old" | "young" | "poor" | "dear");
        let capital = before.is_some_and(|at| words.all()[at].case == Case::Inside);
        if !small && !capital {
            return false;
        }
        before = before.and_then(|at| at.checked_sub(1));
    }
    false
}

/// What a name may be the plural of, folded, the likeliest first.
pub(crate) fn singulars(key: &str) -> impl Iterator<Item = String> + '_ {
    let es = key.strip_suffix("es").filter(|stem| hisses(stem)).map(str::to_owned);
    let ies = key.strip_suffix("ies").map(|stem| format!("{stem}y"));
    let s = key.strip_suffix('s').map(str::to_owned);
    [es, ies, s].into_iter().flatten().filter(|stem| stem.chars().count() > 2)
}

fn hisses(stem: &str) -> bool {
    ["s", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end))
}
