//! Years and days as catalogs and filters write them.

use std::ops::RangeInclusive;

/// A year: `1775`, `1775?`, `43 BCE`.
pub fn year(text: &str) -> Option<i32> {
    let upper = text.to_ascii_uppercase();
    if upper.contains("CENTURY") {
        return None;
    }
    let text = text.trim();
    let (before, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (upper.contains("BC"), text),
    };
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let year: i32 = digits.parse().ok().filter(|year| *year < 3_000)?;
    Some(if before { -year } else { year })
}

/// The days of a year, a month or a day, as numbers that can be compared: `20080625`.
pub fn day(text: &str) -> Option<RangeInclusive<i64>> {
    let mut parts = text.split('-');
    let mut part = |digits: usize, from: i64, most: i64| match parts.next() {
        None => Some((from - 1, most + 1)),
        Some(text) if text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok().filter(|n| (from..=most).contains(n)).map(|n| (n, n))
        }
        Some(_) => None,
    };
    let (year, month, date) = (part(4, 1, 9999)?, part(2, 1, 12)?, part(2, 1, 31)?);
    if text.is_empty() || parts.next().is_some() {
        return None;
    }
    let number = |year: i64, month: i64, date: i64| year * 10_000 + month * 100 + date;
    Some(number(year.0, month.0, date.0)..=number(year.1, month.1, date.1))
}
