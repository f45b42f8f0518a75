//! Where sentences end in a claim or an explanation: short modern prose about a book.

/// What a full stop behind does not end.
const ABBREVIATIONS: [&str; 30] = [
    "mr", "mrs", "ms", "dr", "st", "prof", "rev", "capt", "col", "gen", "lt", "sgt", "maj", "jr",
    "sr", "vs", "etc", "mt", "no", "mme", "mlle", "messrs", "hon", "fr", "sen", "gov", "ch", "vol",
    "esq", "cf",
];

/// The sentences of a text without the blanks between them. A border is only where one surely is:
/// a stop, marks that close, white space, and then a capital, a digit or a mark that opens.
///
/// Law: joined with blanks they have the letters of the text.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = border(rest).unwrap_or(rest.len());
        let (sentence, behind) = rest.split_at(end);
        rest = behind.trim_start();
        Some(sentence.trim_end())
    })
}

/// The byte behind the first sentence, if another follows.
fn border(text: &str) -> Option<usize> {
    for (at, stop) in text.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '\n')) {
        let behind = &text[at + stop.len_utf8()..];
        let right = behind.trim_start_matches(CLOSERS);
        let closed = behind.len() > right.len();
        let next = right.trim_start();
        if next.is_empty() {
            return None;
        }
        if stop == '\n' {
            if text[..at].trim_end().ends_with(['.', '!', '?', '”', '"', '>']) {
                return Some(at);
            }
            continue;
        }
        let parted = next.len() < right.len();
        let opens = next.starts_with(|c: char| {
            c.is_uppercase() || c.is_ascii_digit() || "\"“‘('<*".contains(c)
        });
        // A question or a cry that is quoted goes on: `asks "Who?" and "Why?" Nick ...` is rare.
        let quoted = closed && stop != '.';
        let ellipsis = text[..at].ends_with('.') || behind.starts_with('.');
        if parted && opens && !quoted && !ellipsis && !(stop == '.' && abbreviated(&text[..at])) {
            return Some(text.len() - right.len());
        }
    }
    None
}

const CLOSERS: [char; 7] = ['”', '"', '’', '\'', ')', ']', '*'];

/// Whether the word before a full stop is an abbreviation or an initial.
fn abbreviated(before: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || "(“\"'‘".contains(c)).next().unwrap_or("");
    let mut letters = word.chars();
    let initial =
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none() && word != "I";
    initial || word.contains('.') || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, count: usize) {
        let found: Vec<_> = sentences(text).collect();
        assert_eq!(found.len(), count, "{found:?}");
    }

    #[test]
    fn table() {
        check("Nick takes the 4 a.m. train back to Long Island.", 1);
        check("Matthew asks Mrs. Rachel Lynde's advice.", 1);
        check("She breaks her slate in revenge for his calling her \"Carrots.\"", 1);
        check("He calls her \"Carrots.\" She breaks her slate.", 2);
        check("Jordan is a golfer. She cheats.", 2);
        check("Is he rich? Yes.", 2);
        check("J. Gatsby meets Dr. T. J. Eckleburg", 1);
        check("He asks \"Who?\" and leaves.", 1);
        check("Well... Gatsby waits.", 1);
        check("", 0);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[A-Ca-c.!?\"” \n]{0,40}") {
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&sentences(&text).collect::<Vec<_>>().join(" ")), letters(&text));
        }
    }
}
