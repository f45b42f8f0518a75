//! Letters and diaries: sections and paragraphs that open with a date or a salutation.

use storymill_core::{Book, ParagraphKind};

/// Openings of letters and entries, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    /// Letters that open a chapter, or entries of a day.
    pub(super) openings: u32,
    /// Of a thousand chapters, how many open as a letter or with a day.
    pub(super) chapters_pm: u32,
    /// Openings in a hundred thousand letters of text.
    pub(super) often: u32,
}

impl Letters {
    /// Counts the letters and entries of a book.
    pub(super) fn of(book: &Book) -> Self {
        let (mut openings, mut chapters, mut opened) = (0_u32, 0_u32, 0_u32);
        let mut since_heading = usize::MAX;
        let mut counted = false;
        let mut before = false;
        for paragraph in &book.paragraphs {
            let text = book.text[paragraph.text.start as usize..paragraph.text.end as usize].trim();
            let heading = paragraph.kind == ParagraphKind::Heading;
            if heading {
                chapters += 1;
                since_heading = 0;
                counted = false;
            } else {
                since_heading = since_heading.saturating_add(1);
            }
            let opens = is_salutation(text, heading) || is_dated(text);
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
        }
    }
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

const GREETINGS: &[&str] = &[
    "dear",
    "my dear",
    "my dearest",
    "dearest",
    "my own dear",
    "my beloved",
    "honoured sir",
    "honored sir",
    "sir",
    "madam",
    "my lord",
    "gentlemen",
    "cher",
    "chère",
    "mon cher",
    "ma chère",
    "mon ami",
    "mon amie",
    "monsieur",
    "madame",
    "lieber",
    "liebe",
    "liebster",
    "liebste",
    "mein lieber",
    "meine liebe",
    "theurer",
    "querido",
    "querida",
    "caro",
    "cara",
    "mio caro",
    "mia cara",
    "beste",
    "waarde",
    "kära",
    "kære",
];

/// Whether a paragraph begins with a day: `April 18, 1909.`, `5th.—Dined at home.`
fn is_dated(text: &str) -> bool {
    let text = text.trim_start_matches(['_', '*', '[', '(', '=']);
    let line = text
        .lines()
        .find(|line| has_month(&line.to_lowercase()))
        .unwrap_or_else(|| text.lines().next().unwrap_or(""));
    let short = text.chars().count() <= 90;
    let head: String = if short { line.to_owned() } else { line.chars().take(30).collect() };
    let lower = head.to_lowercase();
    if short {
        return has_month(&lower) && head.contains(|c: char| c.is_ascii_digit());
    }
    // In a long paragraph the date has to stand first and be closed.
    let day_first = {
        let digits = lower.chars().take_while(char::is_ascii_digit).count();
        let rest = &lower[digits..];
        (1..=2).contains(&digits)
            && ["th.", "st.", "nd.", "rd.", "th ", "st ", "nd ", "rd ", ".", " "]
                .iter()
                .any(|end| rest.starts_with(end))
    };
    let first = lower.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let closed = head.contains(['.', ':', '—', ']', ')', '_']);
    let month_first =
        (is_month(first) || is_weekday(first)) && head.chars().take(24).any(|c| c.is_ascii_digit());
    closed
        && (month_first
            || day_first
                && (lower.contains(['—', '_']) || has_month(&lower) || lower.contains("th.")))
}

fn has_month(lower: &str) -> bool {
    lower.split(|c: char| !c.is_alphabetic()).any(is_month)
}

fn is_month(word: &str) -> bool {
    MONTHS.contains(&word)
}

fn is_weekday(word: &str) -> bool {
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].contains(&word)
}

const MONTHS: &[&str] = &[
    "january",
    "jan",
    "february",
    "feb",
    "march",
    "april",
    "apr",
    "may",
    "june",
    "july",
    "august",
    "aug",
    "september",
    "sept",
    "october",
    "oct",
    "november",
    "nov",
    "december",
    "dec",
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
    "januar",
    "februar",
    "märz",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "gennaio",
    "febbraio",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "settembre",
    "ottobre",
    "dicembre",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::book;

    #[test]
    fn days_and_greetings() {
        for text in [
            "Burnt Fork, Wyoming,\nApril 18, 1909.",
            "May 24, 1909.",
            "5th.—Dined at home and walked in the park with my wife, who was in good humour all the evening.",
            "June 3rd. To the office, where we sat all the morning, and so home to dinner, and there late at my books.",
            "_3 May. Bistritz._—Left Munich at 8:35 P. M., on 1st May, arriving at Vienna early next morning; so it went.",
        ] {
            assert!(is_dated(text), "{text}");
        }
        for text in [
            "May I come in?",
            "He was born in April 1809, and from that day on nobody in the whole of the town spoke of anything but him.",
            "12. The twelfth rule of the order says that no brother may speak after the evening prayer unless asked.",
        ] {
            assert!(!is_dated(text), "{text}");
        }
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
