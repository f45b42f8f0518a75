//! Days, as texts that compare.

/// Whether a text is a day: `2026-11-28`.
pub(super) fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: &usize| bytes[*at].is_ascii_digit();
    let shaped = bytes.len() == 10
        && [0, 1, 2, 3, 5, 6, 8, 9].iter().all(is_digit)
        && [bytes[4], bytes[7]] == [b'-'; 2];
    shaped && ("01"..="12").contains(&&text[5..7]) && ("01"..="31").contains(&&text[8..])
}

#[cfg(test)]
mod tests {
    use super::is_day;

    #[test]
    fn table() {
        for (text, expected) in [
            ("2026-11-28", true),
            ("0001-01-31", true),
            ("2026-13-01", false),
            ("2026-00-01", false),
            ("2026-01-32", false),
            ("2026-01-00", false),
            ("2026-1-01", false),
            ("2026-11", false),
            ("2026-11-28 ", false),
            ("2026/11/28", false),
            ("２６-11-28", false),
            ("", false),
        ] {
            assert_eq!(is_day(text), expected, "{text}");
        }
    }
}
