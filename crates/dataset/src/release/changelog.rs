//! The changelog: which day a version is of, and that somebody wrote what changed in it.
//!
//! The day comes from here and not from the machine's clock: so the same files give the same
//! release wherever and whenever it is made.

use storymill_core::{Fault, FaultKind};

/// The file's name.
pub const CHANGELOG: &str = "CHANGELOG.md";

/// What the changelog says of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The day in the heading: `2026-11-21`.
    pub(super) date: String,
}

/// Finds the entry of a version: a heading with the version and a day, and a line below it.
pub(super) fn entry(text: &str, version: &str) -> Result<Entry, Fault> {
    let refused = |message: String| {
        let hint =
            format!("write `## {version} (YYYY-MM-DD)`, with its day, and below it what changed");
        Fault::new(FaultKind::Input, message).hint(hint)
    };
    let mut lines = text.lines();
    let found = lines.by_ref().find_map(|line| {
        let (depth, heading) = heading(line)?;
        let is_it = words(heading).any(|word| word.strip_prefix('v').unwrap_or(word) == version);
        is_it.then_some((depth, heading))
    });
    let Some((depth, title)) = found else {
        return Err(refused(format!("the changelog has no heading for {version}")));
    };
    let Some(date) = words(title).find(|word| is_day(word)) else {
        return Err(refused(format!("the changelog's heading for {version} names no day")));
    };
    let own = lines.take_while(|line| heading(line).is_none_or(|(own, _)| own > depth));
    let mut told = own.filter(|line| heading(line).is_none() && has_words(line));
    if told.next().is_none() {
        return Err(refused(format!("the changelog says nothing below its heading for {version}")));
    }
    Ok(Entry { date: date.to_owned() })
}

/// The depth of a heading, and its words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let depth = line.len() - title.len();
    ((1..=6).contains(&depth) && title.starts_with([' ', '\t'])).then_some((depth, title))
}

fn words(heading: &str) -> impl Iterator<Item = &str> {
    let of_word = |c: char| c.is_ascii_alphanumeric() || ".+-".contains(c);
    heading.split(move |c| !of_word(c)).filter(|word| !word.is_empty())
}

fn has_words(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Whether a word is a day of the calendar: `2026-02-28`.
fn is_day(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let digits = |text: &str, len: usize| {
        let fits = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_as_people_write_them() {
        let check = |text: &str, date: &str| assert_eq!(entry(text, "1.1.0").unwrap().date, date);
        check("# Changes\n\n## 1.1.0 (2026-11-21)\n\n- A book more.\n", "2026-11-21");
        check("## [1.1.0] - 2024-02-29\n### Added\n- x\n## 1.0.0\n", "2024-02-29");
        check("# v1.1.0, 2026-01-31\nOne line.\n", "2026-01-31");
    }

    #[test]
    fn what_is_missing_is_told() {
        let check = |text: &str, says: &str| {
            let fault = entry(text, "1.1.0").unwrap_err();
            assert!(fault.message.contains(says), "{}", fault.message);
        };
        check("", "no heading");
        check("1.1.0 (2026-11-21)\n- x\n", "no heading");
        check("## 1.1.00 (2026-11-21)\n- x\n## 11.1.0 (2026-11-21)\n- x\n", "no heading");
        check("## 1.1.0\n- x\n", "no day");
        check("## 1.1.0 (2026-02-29)\n- x\n", "no day");
        check(
            "## 1.1.0 (2026-11-21)\n\n### Added\n\n---\n## 1.0.0 (2026-01-01)\n- x\n",
            "nothing below",
        );
    }
}
