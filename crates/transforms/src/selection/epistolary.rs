//! Letters and diaries: sections and paragraphs that open with a date or a salutation.

use storymill_core::{Book, ParagraphKind};

use super::lists::{KINDS, Lines, TITLES, lines};
use super::{
    dates::{Year, is_dated, year},
    shape::ratio,
};

/// Openings of letters and entries, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    /// Letters that open a chapter, or entries of a day.
    pub(super) openings: u32,
    /// Of a thousand chapters, how many open as a letter or with a day.
    pub(super) chapters_pm: u32,
    /// Openings in a hundred thousand letters of text.
    pub(super) often: u32,
    /// Openings that name a day.
    pub(super) dated: u32,
    /// Of a thousand of these, how many name the year as well.
    pub(super) with_year_pm: u32,
    /// Whether a year is left blank, as novels do: `17—`, `18**`.
    pub(super) blank_year: bool,
    /// Lines below headings that say who writes to whom: `Miss Brandreth to Mrs. Tull.`
    pub(super) between: u32,
    /// People named with a title (`Mrs. Tull`) in a thousand words.
    pub(super) titled_pm: u32,
}

impl Letters {
    /// Counts the letters and entries of a book.
    pub(super) fn of(book: &Book) -> Self {
        let (mut openings, mut chapters, mut opened) = (0_u32, 0_u32, 0_u32);
        let mut since_heading = usize::MAX;
        let mut counted = false;
        let mut before = false;
        let (mut dated, mut with_year, mut blank_year) = (0_u32, 0_u32, false);
        let (mut between, mut titled, mut words) = (0_u32, 0_u64, 0_u64);
        for paragraph in &book.paragraphs {
            let text = book.text[paragraph.text.start as usize..paragraph.text.end as usize].trim();
            let heading = paragraph.kind == ParagraphKind::Heading;
            if heading {
                chapters += 1;
                since_heading = 0;
                counted = false;
            } else {
                since_heading = since_heading.saturating_add(1);
                words += text.split_whitespace().count() as u64;
            }
            titled += people(text);
            between += u32::from(since_heading <= 2 && is_between(text, heading));
            let names_day = is_dated(text);
            let opens = is_salutation(text, heading) || names_day;
            if names_day {
                dated += 1;
                with_year += u32::from(year(text) == Year::Named);
                blank_year |= year(text) == Year::Blank;
            }
            // A date and a salutation below it open one letter.
            openings += u32::from(opens && !before);
            before = opens;
            if opens && since_heading <= 3 && !counted {
                opened += 1;
                counted = true;
            }
        }
        let pm = |part: u32, of: u64| {
            u32::try_from(u64::from(part) * 1000 / of.max(1)).unwrap_or(u32::MAX)
        };
        let size = u64::try_from(book.text.len()).unwrap_or(u64::MAX);
        Self {
            openings,
            chapters_pm: if chapters < 3 { 0 } else { pm(opened, u64::from(chapters)) },
            often: u32::try_from(u64::from(openings) * 100_000 / size.max(1)).unwrap_or(u32::MAX),
            dated,
            with_year_pm: pm(with_year, u64::from(dated)),
            blank_year,
            between,
            titled_pm: ratio(titled, words, 1000),
        }
    }

    /// Whether the book is made of letters, or of entries of days.
    pub(super) fn are_most(self) -> bool {
        self.openings >= 3 && self.chapters_pm >= 500 || self.openings >= 5 && self.often >= 30
    }
}

/// How many people a text names with a title.
fn people(text: &str) -> u64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = |two: &&[&str]| {
        let title = two[0].trim_matches(|c: char| !c.is_alphabetic());
        TITLES.contains(&title) && two[1].starts_with(char::is_uppercase)
    };
    words.windows(2).filter(named).count() as u64
}

/// Whether a line says who writes to whom, both by name; in a heading behind its number.
fn is_between(text: &str, heading: bool) -> bool {
    let text = if heading { text.splitn(3, ' ').nth(2).unwrap_or("") } else { text };
    let name = |part: &str| {
        let part = part.trim().trim_start_matches("the ");
        part.starts_with(char::is_uppercase) && part.split_whitespace().count() <= 6
    };
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let text = text.strip_prefix("From ").or_else(|| text.strip_prefix("FROM ")).unwrap_or(text);
    let parts = text.split_once(" to ").or_else(|| text.split_once(" TO "));
    text.len() <= 90 && parts.is_some_and(|(one, other)| name(one) && name(other))
}

/// Whether a paragraph greets somebody, as a letter begins.
fn is_salutation(text: &str, heading: bool) -> bool {
    let line =
        text.lines().next().unwrap_or("").trim_start_matches(['_', '*', '“', '"', '\'', '‘']);
    let lower: String = line.chars().take(60).flat_map(char::to_lowercase).collect();
    if heading {
        return HEADINGS.iter().any(|word| begins(&lower, word));
    }
    GREETINGS.iter().any(|greeting| begins(&lower, greeting))
        && (line.len() <= 70 || lower.contains([',', ':', '—', '!', '-']))
}

fn begins(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

const HEADINGS: &[&str] = &["letter", "lettre", "brief", "letters"];

static GREETINGS: Lines = Lines::new(|| lines(KINDS, "greetings"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

    #[test]
    fn greetings() {
        assert!(is_salutation("Dear Mrs. Coney,—", false) && is_salutation("LETTER IV", true));
        assert!(
            !is_salutation("Dearth had come over the land.", false)
                && !is_salutation("CHAPTER IV", true)
        );
    }

    #[test]
    fn letters_are_counted_once() {
        let text = "# I\n\nMay 24, 1909.\n\nDear Anne,\n\nAll is well here.\n\n".repeat(6);
        let letters = Letters::of(&book(text.trim_end()));
        assert_eq!((letters.openings, letters.chapters_pm), (6, 1000));
    }
}
