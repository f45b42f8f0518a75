//! The headings of chapters: numbered, as in one long story, or each a title of its own.

use super::lists::{KINDS, Lines, lines};
use storymill_core::Book;

use super::shape::ratio;

/// What the headings say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Titles {
    /// Chapters and parts of the level that has most.
    pub(super) chapters: u32,
    /// Of a thousand of them, how many begin with a number.
    pub(super) numbered_pm: u32,
    /// How often they begin with the first number again, no part in between.
    pub(super) restarts: u32,
    /// Whether a heading names a poem.
    pub(super) poems: bool,
}

impl Titles {
    /// Looks at the headings of a book.
    pub(super) fn of(book: &Book) -> Self {
        let of = |level: u8| {
            let titles = book.chapters.iter().filter(move |chapter| chapter.level == level);
            let (mut all, mut numbered) = (0_u64, 0_u64);
            for chapter in titles {
                all += 1;
                numbered += u64::from(is_numbered(&chapter.title));
            }
            (all, numbered)
        };
        let (all, numbered) = (0..=2).map(of).max_by_key(|(all, _)| *all).unwrap_or_default();
        let poems = book.chapters.iter().any(|chapter| {
            let lower = chapter.title.to_lowercase();
            let mut words = lower.split(|c: char| !c.is_alphabetic());
            words.any(|word| {
                matches!(
                    word,
                    "poem"
                        | "poems"
                        | "canto"
                        | "sonnet"
                        | "sonnets"
                        | "ode"
                        | "ballad"
                        | "elegy"
                        | "hymn"
                        | "stanza"
                )
            })
        });
        Self {
            chapters: u32::try_from(all).unwrap_or(u32::MAX),
            numbered_pm: ratio(numbered, all, 1000),
            restarts: restarts(book),
            poems,
        }
    }
}

/// How often a heading has the number 1 again, with nothing above it in between.
fn restarts(book: &Book) -> u32 {
    let mut firsts = [0_u32; 3];
    let mut most = 0;
    for chapter in &book.chapters {
        let level = usize::from(chapter.level.min(2));
        for below in &mut firsts[level + 1..] {
            *below = 0;
        }
        if is_first(&chapter.title) {
            firsts[level] += 1;
            most = most.max(firsts[level]);
        }
    }
    most.saturating_sub(1)
}

/// Whether a heading is numbered 1.
fn is_first(title: &str) -> bool {
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("");
    let number = if PARTS.contains(&first.to_lowercase().as_str()) {
        words.next().unwrap_or("")
    } else {
        first
    };
    matches!(number, "I" | "1" | "一") || title.starts_with("第一章") || title.starts_with("第一回")
}

/// Whether a heading begins with a number or a word such as `Chapter`.
fn is_numbered(title: &str) -> bool {
    if title.starts_with('第') {
        return true;
    }
    let first =
        title.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or("");
    let lower = first.to_lowercase();
    PARTS.contains(&lower.as_str())
        || first.chars().all(|c| c.is_ascii_digit())
        || first.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C'))
        || first.chars().all(|c| "一二三四五六七八九十百".contains(c))
}

static PARTS: Lines = Lines::new(|| lines(KINDS, "parts"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_anew() {
        let text = "# I\n\nA.\n\n# II\n\nB.\n\n# I\n\nC.\n\n# CHAPTER 1\n\nD.";
        let titles = Titles::of(&crate::tests::book(&text.replace("# ", "#")));
        assert_eq!((titles.chapters, titles.restarts), (4, 2));
    }

    #[test]
    fn numbers_of_chapters() {
        for title in
            ["CHAPTER IV", "XII. The Door", "3", "第一回：宴桃園", "Erstes Kapitel", "十二"]
        {
            assert!(is_numbered(title), "{title}");
        }
        for title in ["ARABY", "Leave It to Jeeves", "", "Civil Peace"] {
            assert_eq!(is_numbered(title), title.is_empty(), "{title}");
        }
    }
}
