//! Places of a name in a book, as people are shown them who decide on it.

use storymill_core::{Book, ReviewPassage, SymbolIndex};

/// So many places are shown where it is a name, and as many where it is none.
const SHOWN: usize = 3;

/// So many symbols before and behind a place are quoted at most, in whole words.
const AROUND: usize = 70;

/// Where a word is taken for a name, and where it is not, quoted with the word marked.
pub(super) fn told(text: &str, part: &str, at: &[u32]) -> String {
    let names = bytes(text, part, at);
    let all = names.len();
    let mut lines = vec![format!("taken for a name at {all} of its places:")];
    lines.extend(names.iter().take(SHOWN).map(|from| quoted(text, *from, part)));
    let others: Vec<usize> = stands(text, part).filter(|from| !names.contains(from)).collect();
    if !others.is_empty() {
        lines.push(format!("taken for no name at {}:", others.len()));
        lines.extend(others.iter().take(SHOWN).map(|from| quoted(text, *from, part)));
    }
    lines.join("\n")
}

/// Where each of some names stands first, quoted, a name a line.
pub(super) fn firsts<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 60;
    let first = |name: &str| Some(quoted(text, stands(text, name).next()?, name));
    names.take(MOST).filter_map(first).collect::<Vec<_>>().join("\n\n")
}

/// The first places of a part as passages of the book.
pub(super) fn passages(book: &Book, part: &str, at: &[u32]) -> Vec<ReviewPassage> {
    let places = bytes(&book.text, part, at);
    passages_at(book, places.into_iter().map(|from| from..from + part.len()))
}

/// The first places where one of some names stands.
pub(super) fn named(book: &Book, names: &[String]) -> Vec<ReviewPassage> {
    let first = |name: &String| stands(&book.text, name).next().map(|from| from..from + name.len());
    passages_at(book, names.iter().filter_map(first))
}

fn passages_at(
    book: &Book,
    places: impl Iterator<Item = std::ops::Range<usize>>,
) -> Vec<ReviewPassage> {
    let index = SymbolIndex::new(&book.text);
    let passage = |place| ReviewPassage {
        book: book.id.to_string(),
        span: index.span(place),
        role: "name".to_owned(),
    };
    places.take(SHOWN).map(passage).collect()
}

/// The bytes at which a part stands, of places in symbols.
fn bytes(text: &str, part: &str, at: &[u32]) -> Vec<usize> {
    let mut wanted = at.to_vec();
    wanted.sort_unstable();
    let mut wanted = wanted.into_iter().peekable();
    let mut found = Vec::new();
    for (symbol, (byte, _)) in (0_u32..).zip(text.char_indices()) {
        match wanted.peek() {
            None => break,
            Some(next) if *next == symbol => {
                found.extend(text[byte..].starts_with(part).then_some(byte));
                wanted.next();
            }
            Some(_) => {}
        }
    }
    found
}

/// Where a part stands as a whole word.
fn stands<'t>(text: &'t str, part: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_whole = move |from: usize| {
        !text[..from].ends_with(char::is_alphanumeric)
            && !text[from + part.len()..].starts_with(char::is_alphanumeric)
    };
    text.match_indices(part).map(|(from, _)| from).filter(move |from| is_whole(*from))
}

/// What stands around a place in whole words, with the part marked: `… on that «Day» nobody …`.
fn quoted(text: &str, from: usize, part: &str) -> String {
    let (before, behind) = (&text[..from], &text[from + part.len()..]);
    let start = before.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let end = behind.char_indices().nth(AROUND).map_or(behind.len(), |(at, _)| at);
    let (mut first, mut last) = (&before[start..], &behind[..end]);
    if start > 0 {
        first = first.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    }
    if end < behind.len() {
        last = last.rsplit_once(char::is_whitespace).map_or("", |(own, _)| own);
    }
    let cut = |is: bool| if is { "…" } else { "" };
    let (first, last) = (in_a_line(first), in_a_line(last));
    let (begun, ended) = (cut(start > 0), cut(end < behind.len()));
    format!("{begun}{}«{part}»{}{ended}", first.trim_start(), last.trim_end())
}

/// A text with one blank for every stretch of them.
fn in_a_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars().map(|one| if one.is_whitespace() { ' ' } else { one }) {
        if letter != ' ' || !line.ends_with(' ') {
            line.push(letter);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_quoted_in_whole_words_with_the_name_marked() {
        let far = "long before that time ".repeat(8);
        let text = format!("{far}came Mr. Day, who\nlaughed. One day a Day's work {far}");
        let at = |from: usize| u32::try_from(text[..from].chars().count()).unwrap();
        let first = text.find("Day").unwrap();
        let told = told(&text, "Day", &[at(first)]);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[0], "taken for a name at 1 of its places:");
        assert!(
            lines[1].starts_with('…') && lines[1].contains("came Mr. «Day», who laughed."),
            "{told}"
        );
        assert!(lines[1].ends_with('…') && !lines[1].contains("  "), "{told}");
        assert!(
            far.contains(lines[1].trim_start_matches('…').split(' ').next().unwrap()),
            "{told}"
        );
        assert_eq!(lines[2], "taken for no name at 1:");
        assert!(lines[3].contains("One day a «Day»'s work"), "{told}");
    }
}
