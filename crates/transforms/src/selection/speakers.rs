//! Who speaks in a play: the names at the head of speeches.
//!
//! A speech begins with a name and a mark behind it (`NORA. …`, `Helmer (rising): …`), or the name
//! stands on a line of its own. One such line means nothing; names that come again and again do.

use super::lists::{KINDS, Lines, lines};
use std::collections::BTreeMap;

use storymill_core::{Book, ParagraphKind};

/// Speeches with their speakers' names, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Speakers {
    /// How many names head speeches.
    pub(super) names: u32,
    /// How many paragraphs are speeches.
    pub(super) speeches: u32,
    /// Paragraphs that could be.
    pub(super) paragraphs: u32,
}

impl Speakers {
    /// Counts the speeches of a book.
    pub(super) fn of(book: &Book) -> Self {
        let texts = || {
            book.paragraphs.iter().filter(|one| one.kind != ParagraphKind::Break).map(|one| {
                let text = &book.text[one.text.start as usize..one.text.end as usize];
                (one.kind == ParagraphKind::Heading, text.trim())
            })
        };
        let mut heads: BTreeMap<&str, u32> = BTreeMap::new();
        for head in texts().filter_map(|(heading, text)| head(text, heading)) {
            *heads.entry(head.name).or_default() += 1;
        }
        heads.retain(|_, times| *times >= FEWEST);
        let (mut speeches, mut paragraphs, mut named) = (0, 0, false);
        for (heading, text) in texts() {
            let head = head(text, heading).filter(|head| heads.contains_key(head.name));
            let alone = head.as_ref().is_some_and(|head| head.alone);
            if !heading && !alone && !is_direction(text) {
                paragraphs += 1;
                speeches += u32::from(head.is_some() || named);
            }
            named = alone;
        }
        let names = u32::try_from(heads.len()).unwrap_or(u32::MAX);
        Self { names, speeches, paragraphs }
    }

    /// Speeches of a thousand paragraphs; none where there are too few to tell.
    pub(super) fn share_pm(self) -> u32 {
        if self.names < 2 || self.speeches < 12 {
            return 0;
        }
        u32::try_from(u64::from(self.speeches) * 1000 / u64::from(self.paragraphs.max(1)))
            .unwrap_or(1000)
    }
}

/// A name heads at least as many speeches.
const FEWEST: u32 = 3;

/// A speaker's name is no longer than this, in bytes.
const LONGEST: usize = 48;

/// What may be the head of a speech.
#[derive(Debug, PartialEq, Eq)]
struct Head<'t> {
    name: &'t str,
    /// Whether nothing follows it.
    alone: bool,
}

/// A stage direction in brackets.
fn is_direction(text: &str) -> bool {
    text.starts_with(['[', '(']) || text.starts_with("Enter ") || text.starts_with("Exeunt")
}

/// The head of a speech, if a paragraph may be one.
fn head(text: &str, heading: bool) -> Option<Head<'_>> {
    let text = text.trim_start_matches(['_', '*']);
    let end = text
        .char_indices()
        .find(|(at, c)| is_mark(*c) && !after_title(&text[..*at], *c))
        .map_or(text.len(), |(at, _)| at);
    let name = text[..end].trim().trim_end_matches(['_', '*']);
    let mark = text[end..].chars().next();
    let capitals = is_capitals(name);
    if !is_name(name) || heading && !capitals {
        return None;
    }
    let rest = text[end..].trim_start_matches(|c: char| is_mark(c) || c == '_' || c == '-').trim();
    let fits = match mark {
        None => capitals,
        Some('\n' | ',' | '\u{3000}') => capitals || han(name) > 0,
        Some('(' | '[' | '（') => follows_direction(&text[end..]),
        Some('.') => rest.is_empty() || text[end + 1..].starts_with([' ', '\n', '_', '—', '-']),
        Some(_) => true,
    };
    (fits && (!heading || rest.is_empty())).then_some(Head { name, alone: rest.is_empty() })
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | ':' | '：' | '(' | '（' | '[' | '\n' | ',' | '—' | '\u{3000}')
}

/// Whether a full stop belongs to a title such as `Mrs.`.
fn after_title(before: &str, mark: char) -> bool {
    mark == '.'
        && matches!(
            before.to_lowercase().as_str(),
            "mr" | "mrs"
                | "dr"
                | "st"
                | "rev"
                | "sir"
                | "m"
                | "mme"
                | "mlle"
                | "capt"
                | "col"
                | "prof"
        )
}

/// Whether a direction in brackets closes and a mark or the speech comes after it.
fn follows_direction(text: &str) -> bool {
    let Some(close) = text.find([')', ']', '）']) else { return false };
    let behind = text[close..].trim_start_matches([')', ']', '）', '_', ' ']);
    behind.is_empty()
        || behind.starts_with(['.', ':', '：', '\n', '—', '-', ','])
        || han(behind) > 0
}

fn han(text: &str) -> usize {
    text.chars().take(8).filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count()
}

/// Whether all letters are capitals, two at least.
fn is_capitals(name: &str) -> bool {
    let mut letters = name.chars().filter(|c| c.is_alphabetic());
    letters.clone().count() >= 2 && letters.all(|c| !c.is_lowercase()) && han(name) == 0
}

/// Whether it can be a name: a few words that begin with capitals, no number of a chapter.
fn is_name(name: &str) -> bool {
    let han = han(name);
    if han > 0 {
        return name.chars().count() <= 4
            && han == name.chars().count()
            && !name.ends_with(['曰', '道', '說', '说', '回', '章']);
    }
    let mut words = name.split_whitespace().peekable();
    let first = words.peek().is_some_and(|word| word.starts_with(char::is_uppercase));
    let fits = |word: &str| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            || matches!(
                word,
                "of" | "the"
                    | "de"
                    | "la"
                    | "le"
                    | "du"
                    | "des"
                    | "von"
                    | "and"
                    | "et"
                    | "und"
                    | "to"
                    | "&"
                    | "zu"
                    | "der"
            )
    };
    first
        && name.len() <= LONGEST
        && name.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && words.clone().count() <= 5
        && words.all(fits)
        && !is_numbered(name)
        && !NO_NAMES.contains(&name.to_lowercase().as_str())
}

/// Words that begin paragraphs without being anybody's name.
static NO_NAMES: Lines = Lines::new(|| lines(KINDS, "no-speakers"));

/// Words before the number of a chapter, an act or a scene.
const PARTS: &[&str] = &[
    "chapter", "book", "part", "act", "scene", "letter", "volume", "canto", "section", "chapitre",
    "kapitel", "acte", "scène", "akt", "szene", "auftritt", "lettre", "stanza", "fable", "chap",
    "sect", "no",
];

/// Whether it is the number of a chapter, an act or a scene.
fn is_numbered(name: &str) -> bool {
    let numeral = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C' | 'D' | 'M') || c.is_ascii_digit())
    };
    let first = name.split_whitespace().next().unwrap_or("");
    name.split_whitespace().all(numeral) || PARTS.contains(&first.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, bool)>) {
        assert_eq!(head(text, false).map(|head| (head.name, head.alone)), expected, "{text}");
    }

    #[test]
    fn heads_of_speeches() {
        check("Nora. Hide the tree, Helen.", Some(("Nora", false)));
        check("Helmer (calls out from his room). Is that you?", Some(("Helmer", false)));
        check("MRS. LINDE: Good day.", Some(("MRS. LINDE", false)));
        check("CHORUS.\nTwo households, both alike", Some(("CHORUS", false)));
        check("HERNANI", Some(("HERNANI", true)));
        check("LADY OF THE HOUSE, rising.\nNever!", Some(("LADY OF THE HOUSE", false)));
        check("_Faust._ Habe nun, ach!", Some(("Faust", false)));
        check("周朴園：你來。", Some(("周朴園", false)));
        check("Yes. He went.", None);
        check("The room was dark. He went.", None);
        check("“Nora. Come.”", None);
        check("CHAPTER IV", None);
        check("XII", None);
        check("Nora, who had come in, sat down.", None);
        check("玄德曰：「善。」", None);
    }

    #[test]
    fn names_have_to_come_again() {
        let play = "ANNE. Who is there?\n\nTOM. It is I.\n\n[He enters.]\n\n".repeat(8);
        let counted = Speakers::of(&book(play.trim_end()));
        assert_eq!((counted.names, counted.speeches, counted.share_pm()), (2, 16, 1000));
        let prose =
            "London. It rained. He went home.\n\nIt was late and nobody spoke.\n\n".repeat(8);
        assert_eq!(Speakers::of(&book(prose.trim_end())).share_pm(), 0);
    }
}
