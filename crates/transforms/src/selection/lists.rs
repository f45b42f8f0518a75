//! Word lists of the judgement over kinds of books: groups of `data/kinds.txt`, written by hand.

use std::sync::LazyLock;

/// Words that tell kinds of books.
pub(super) const KINDS: &str = include_str!("../../data/kinds.txt");

/// Words, phrases or lines of words, in the order of the file.
pub(crate) type Lines = LazyLock<Vec<&'static str>>;

/// Titles that stand before a name, without their full stop.
pub(super) static TITLES: Lines = Lines::new(|| words(KINDS, "name-titles"));

/// The lines of a group of a file.
pub(super) fn lines(file: &'static str, name: &str) -> Vec<&'static str> {
    let lines = file.lines().skip_while(|line| {
        line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) != Some(name)
    });
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The words of a group.
pub(crate) fn words(file: &'static str, name: &str) -> Vec<&'static str> {
    lines(file, name).into_iter().flat_map(str::split_whitespace).collect()
}

/// The lines of a group, each cut at its first `=`.
pub(super) fn pairs(file: &'static str, name: &str) -> Vec<(&'static str, &'static str)> {
    let pair = |line: &'static str| {
        let (one, other) = line.split_once('=').unwrap_or((line, ""));
        (one.trim(), other.trim())
    };
    lines(file, name).into_iter().map(pair).collect()
}
