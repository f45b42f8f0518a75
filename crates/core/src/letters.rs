//! Letters that are not seen and change what is.

/// Whether a letter turns the direction of the text around it. Bare in a terminal or on a page, it makes
/// people read something else than what stands there.
pub fn turns(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text from a server or a model in one line, for a message: without letters that move a cursor or turn the text.
pub fn one_plain_line(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !turns(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_turn_are_told_from_others() {
        let turning = ('\0'..='\u{10FFFF}').filter(|letter| turns(*letter)).count();
        assert_eq!(turning, 12);
        assert!(turns('\u{202e}') && !turns('\u{5d0}') && !turns('’'));
        assert_eq!(one_plain_line("a\u{1b}[2J\u{202e}b\nc"), "a[2Jbc");
    }
}
