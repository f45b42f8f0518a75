//! What a person is called who says something of a dataset.

use unicode_normalization::UnicodeNormalization;

/// The most symbols of a name.
pub const LONGEST: usize = 100;

/// A person's name in one form: one blank between words, and letters that can be written in two ways composed (Unicode's NFC).
///
/// Who votes is told apart by the name, so two names that look the same must be one, or none.
///
/// # Errors
///
/// Why it is no name: it is blank, longer than [`LONGEST`] symbols, or has invisible characters.
///
/// ```
/// use storymill_core::person::named;
/// assert_eq!(named(" Zoe\u{308}  Lee").unwrap(), "Zoë Lee");
/// assert!(named("ann\u{200b}").is_err() && named("").is_err());
/// ```
pub fn named(text: &str) -> Result<String, &'static str> {
    let composed: String = text.nfc().collect();
    let name = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err("is blank");
    }
    if name.chars().count() > LONGEST {
        return Err("has more than 100 symbols");
    }
    if name.chars().any(is_unseen) {
        return Err("has invisible characters");
    }
    Ok(name)
}

/// Whether a letter shows nothing of itself: control and format characters (Unicode's Cc and Cf), and the letters and marks
/// that Unicode leaves blank (default-ignorable code points, the empty Braille cell).
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
            | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_look_the_same_are_one_or_none() {
        for unseen in [
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{feff}',
            '\u{ad}',
            '\u{3164}',
            '\u{e0041}',
            '\u{fe0f}',
            '\0',
            '\u{85}',
        ] {
            let name = format!("an{unseen}n");
            // What counts as a blank is one: it is seen.
            assert_eq!(named(&name).is_ok(), unseen.is_whitespace(), "{unseen:?}");
        }
        for name in ["Ann", "Zoë", "李 安", "علي", "O’Brien", "reader-01", "ann@example.org"]
        {
            assert_eq!(named(name).as_deref(), Ok(name));
        }
        assert!(named(&"n".repeat(100)).is_ok() && named(&"n".repeat(101)).is_err());
        assert_eq!(named("\u{2003}ann\u{a0}lee\n"), Ok("ann lee".to_owned()));
    }

    proptest! {
        #[test]
        fn a_name_is_its_own(text in "\\PC{0,40}") {
            if let Ok(name) = named(&text) {
                prop_assert_eq!(named(&name), Ok(name.clone()));
                let taken_apart: String = name.nfd().collect();
                prop_assert_eq!(named(&taken_apart), Ok(name));
            }
        }
    }
}
