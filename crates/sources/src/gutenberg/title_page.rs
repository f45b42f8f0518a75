//! What the title page says where no header does: the title set large, the author behind `by`.
//!
//! Where a header names the title, the title page still knows the signs between its words.

use storymill_text::one_line;

use super::{
    blocks::{Block, Leaves},
    fields::{lines, sign},
    tags::Tag,
    words::{Kind, fold, says},
};
use crate::cut::Why;

/// Title pages are over after so many blocks.
const BLOCKS: usize = 40;

/// What a title page says.
#[derive(Debug, Default)]
pub(super) struct TitlePage {
    /// The headings above the author's name, or above everything else, in one line.
    pub(super) title: String,
    pub(super) authors: Vec<String>,
}

/// Reads the lines that stand before anything that runs on.
pub(super) fn read(leaves: &Leaves) -> TitlePage {
    let (mut title, mut authors) = (Vec::new(), None);
    let mut by = false;
    'page: for (at, block) in opening(leaves).enumerate() {
        let heading = block.tag.heading().is_some();
        for line in lines(leaves, block) {
            let name = if by { Some(line.as_str()) } else { byline(&line) };
            if let Some(name) = name {
                by = !by && name.is_empty();
                if !by {
                    authors = Some(names(name));
                    break 'page;
                }
            } else if heading && heads_text(&line) || translates(&line) {
                // Below `translated`, `by` names somebody else.
                break 'page;
            } else if heading {
                title.push((at, block.tag, line));
            } else if runs_on(&line) {
                break 'page;
            }
        }
    }
    // Where nothing says that it is a title page, only a heading of the first rank is a title.
    if authors.is_none() {
        let first = title.first().filter(|(_, tag, _)| *tag == Tag::H1).map(|(at, ..)| *at);
        title.retain(|(at, ..)| Some(*at) == first);
    }
    let title: Vec<String> = title.into_iter().map(|(.., line)| line).collect();
    TitlePage { title: in_one_line(&title), authors: authors.unwrap_or_default() }
}

/// Lines of a title page are broken for their looks: of signs between them only `;` before another title is
/// sure.
fn in_one_line(lines: &[String]) -> String {
    let mut title = String::new();
    let mut before: Option<&str> = None;
    for line in lines {
        if let Some(before) = before {
            title.push_str(if sign(before, line) == ";" { "; " } else { " " });
        }
        title.push_str(line);
        before = Some(line);
    }
    title
}

/// The first blocks that are no boilerplate.
fn opening(leaves: &Leaves) -> impl Iterator<Item = &Block> {
    let apart =
        |why: Why| matches!(why, Why::Header | Why::Footer | Why::Credits | Why::TranscriberNote);
    let shown = leaves.blocks.iter().filter(move |block| !block.fate.is_some_and(apart));
    shown.filter(|block| block.letters > 0).take(BLOCKS)
}

/// Whether a heading is no title: `Contents`, `CHAPTER I`; but `The Adventures of …` may be one.
fn heads_text(line: &str) -> bool {
    let says = says(line);
    says.kind != Kind::Other && !(says.kind == Kind::Chapter && says.number.is_none() && !says.bare)
}

fn runs_on(line: &str) -> bool {
    line.chars().count() > 120
}

/// `Translated from the French`, `Edited`, `Illustrated by`: who follows wrote no word of the book.
fn translates(line: &str) -> bool {
    const PARTS: &[&str] =
        &["translated", "edited", "illustrated", "illustrations", "pictures", "drawings"];
    let folded = fold(line);
    PARTS.iter().any(|part| {
        folded.strip_prefix("with ").unwrap_or(&folded).starts_with(part)
            || folded.contains(&format!("{part} by"))
            || folded.contains(&format!("{part} from"))
    })
}

/// The name behind `by`; blank where it stands on the next line.
fn byline(line: &str) -> Option<&str> {
    const BY: &[&str] =
        &["written by", "by the author", "by", "par", "von", "di", "de", "door", "por", "af", "av"];
    let lower = line.to_lowercase();
    let by = BY.iter().find(|by| {
        lower.strip_prefix(**by).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
    })?;
    let name = line.get(by.len()..)?.trim_start_matches([' ', ':']).trim();
    let alone = matches!(*by, "by" | "par" | "von" | "written by");
    let named = is_name(name) || name.is_empty() && alone;
    // BY WAY OF PRELUDE names nobody.
    (*by != "by the author" && named && says(line).kind == Kind::Other).then_some(name)
}

/// Whether words look like the name of one person, or of several.
pub(super) fn is_name(text: &str) -> bool {
    const SMALL: &[&str] = &[
        "de", "von", "van", "der", "den", "du", "da", "di", "la", "le", "and", "y", "et", "und",
        "of", "the", "del",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let small = |word: &str| SMALL.contains(&word);
    let big = |word: &str| word.starts_with(|c: char| c.is_uppercase() || "'’‘(".contains(c));
    (1..=9).contains(&words.len())
        && text.chars().count() <= 70
        && big(words[0])
        && words.iter().all(|word| small(word) || big(word) || word.starts_with('&'))
        && !text.contains(|c: char| c.is_ascii_digit() || "!?:;\"“”".contains(c))
        && says(text).kind == Kind::Other
}

/// The names in the words behind `by`, in the usual letters.
pub(super) fn names(text: &str) -> Vec<String> {
    let text = unremarked(text);
    let text = text.trim_end_matches([',', ';']).trim();
    let text = match text.strip_suffix('.') {
        // `T. S. Eliot.` ends; `John Smith, Jr.` and `M. R. J.` do not.
        Some(rest)
            if rest.rsplit([' ', '.']).next().is_some_and(|word| word.chars().count() > 2) =>
        {
            rest
        }
        _ => text,
    };
    if !is_name(text) {
        return Vec::new();
    }
    let parts: Vec<&str> = split_names(text);
    parts.into_iter().map(in_usual_letters).collect()
}

/// A name without what brackets say of it: `Mark Twain (Samuel Clemens)`.
pub(super) fn unremarked(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut depth = 0_u32;
    for c in name.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let plain = one_line(&plain);
    if plain.is_empty() { name.trim().to_owned() } else { plain }
}

/// `A. Writer and B. Writer`; `William and Mary Howitt` stay together, for the first has no family name.
pub(super) fn split_names(text: &str) -> Vec<&str> {
    let signs = [" and ", " AND ", " & ", " et ", " und ", "; "];
    let mut parts = vec![text];
    for sign in signs {
        let split: Vec<&str> = text.split(sign).map(str::trim).collect();
        if split.len() > parts.len() && split.iter().all(|part| part.contains([' ', ','])) {
            parts = split;
        }
    }
    parts
}

/// `P. G. WODEHOUSE` as `P. G. Wodehouse`.
fn in_usual_letters(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let mut usual = String::with_capacity(name.len());
    let mut inside = false;
    for c in name.chars() {
        if inside {
            usual.extend(c.to_lowercase());
        } else {
            usual.push(c);
        }
        inside = c.is_alphabetic() || inside && matches!(c, '\'' | '’');
        // `O'BRIEN`, `D'ARCY`
        if matches!(c, '\'' | '’')
            && usual.trim_end_matches(c).chars().rev().take_while(|c| c.is_alphabetic()).count()
                == 1
        {
            inside = false;
        }
    }
    usual
}

/// A title with the signs that another spelling of it has between the same words: the title page says
/// `FRANKENSTEIN; or, the Modern Prometheus` where the header has no sign. An article that only the other has
/// comes first.
pub(super) fn with_signs_of(title: &str, other: &str) -> Option<String> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let mut others: Vec<&str> = other.split_whitespace().collect();
    let core = |word: &str| fold(word);
    let same = |one: &[&str], other: &[&str]| {
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| core(one) == core(other))
    };
    let mut article = None;
    if others.len() == words.len() + 1 && is_article(others[0]) {
        article = Some(others.remove(0));
    }
    if !same(&words, &others[..]) {
        return None;
    }
    let mut whole: Vec<String> = article.into_iter().map(in_usual_letters).collect();
    for (at, (word, other)) in words.iter().zip(&others).enumerate() {
        let letters = |word: &str| word.trim_end_matches(|c: char| ",;:.—–-".contains(c)).len();
        let (own, theirs) = (&word[letters(word)..], &other[letters(other)..]);
        let last = at + 1 == words.len();
        let signs =
            if last || !own.is_empty() && own != ":" || theirs.is_empty() { own } else { theirs };
        whole.push(format!("{}{signs}", &word[..letters(word)]));
    }
    Some(whole.join(" "))
}

fn is_article(word: &str) -> bool {
    ["the", "a", "an", "le", "la", "les", "der", "die", "das", "el", "il"]
        .contains(&fold(word).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_and_other_lines() {
        for (line, expected) in [
            ("by Arthur Conan Doyle", &["Arthur Conan Doyle"][..]),
            ("BY P. G. WODEHOUSE", &["P. G. Wodehouse"]),
            ("par Jules Verne.", &["Jules Verne"]),
            ("By Anne O'BRIEN", &["Anne O'BRIEN"]),
            ("BY ANNE O'BRIEN", &["Anne O'Brien"]),
            ("by Mark Twain (Samuel Clemens)", &["Mark Twain"]),
            ("by Ann Writer and Ben Other", &["Ann Writer", "Ben Other"]),
            ("by William and Mary Howitt", &["William and Mary Howitt"]),
            ("by the author of “Emma”", &[]),
            ("by and by they came to the mill", &[]),
            ("By this time it was dark", &[]),
            ("de la mer", &[]),
        ] {
            let found = byline(line).map(names).unwrap_or_default();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn signs_are_taken_over_between_the_same_words() {
        for (title, other, expected) in [
            (
                "Frankenstein; or The Modern Prometheus",
                "FRANKENSTEIN; or, the Modern Prometheus",
                Some("Frankenstein; or, The Modern Prometheus"),
            ),
            ("Princess of Mars", "A Princess Of Mars", Some("A Princess of Mars")),
            ("Alice's Adventures", "Alice’s Adventures.", Some("Alice's Adventures")),
            ("The Mill: A Tale", "THE MILL A TALE", Some("The Mill: A Tale")),
            ("The Mill: A Tale", "THE MILL, A TALE", Some("The Mill, A Tale")),
            ("Emma", "Evelina", None),
        ] {
            assert_eq!(with_signs_of(title, other).as_deref(), expected, "{title}");
        }
    }
}
