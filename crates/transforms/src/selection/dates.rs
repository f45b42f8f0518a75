//! Days at the head of letters and of entries in diaries, and their years.

use super::lists::{KINDS, Lines, lines};

/// Whether a paragraph begins with a day: `April 18, 1909.`, `5th.—Dined at home.`
pub(super) fn is_dated(text: &str) -> bool {
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

static MONTHS: Lines = Lines::new(|| lines(KINDS, "months"));

/// The year of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Year {
    /// Four digits.
    Named,
    /// Left blank, as novels do: `17—`.
    Blank,
    /// There is none.
    None,
}

/// The year in the first words of a paragraph.
pub(super) fn year(text: &str) -> Year {
    let head: String = text.chars().take(90).collect();
    let (mut rest, mut day) = (head.as_str(), false);
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        let behind = &rest[at + digits..];
        let century = rest[at..].starts_with('1') && digits <= 3;
        // `the 17th, 18—` has a day before; `17—To the office` is one.
        let dashed = (day || digits == 3) && ["—", "–", "--"].iter().any(|d| behind.starts_with(d));
        match digits {
            4 if matches!(rest.as_bytes()[at], b'1' | b'2') => return Year::Named,
            2 | 3 if century && (dashed || behind.starts_with("**")) => return Year::Blank,
            _ => rest = behind,
        }
        day = true;
    }
    Year::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
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
    }

    #[test]
    fn years_are_named_or_left_blank() {
        assert_eq!(year("Burnt Fork, Wyoming,\nApril 18, 1909."), Year::Named);
        assert_eq!(year("St. Petersburgh, Dec. 11th, 17—."), Year::Blank);
        assert_eq!(year("Paris, ce 3 août 17**."), Year::Blank);
        assert_eq!(year("_3 May. Bistritz._—Left Munich at 8:35 P. M."), Year::None);
        assert_eq!(year("October 14—To the office."), Year::None);
    }
}
