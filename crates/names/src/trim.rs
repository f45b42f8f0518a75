//! The name within what was tagged: without titles, determiners, possessives and tails.
//!
//! The gold names of LitBank were trimmed by these rules (`golden/litbank`), and so is every answer
//! before it is scored, whoever gave it.

use std::ops::Range;

use crate::{
    decision::Kind,
    lists::{ABBREVIATIONS, PARTICLES, is_honorific},
    words::Words,
};

const DETERMINERS: &[&str] = &[
    "the", "a", "an", "this", "that", "my", "our", "your", "his", "her", "their", "no", "any",
    "every", "some", "these", "those", "all", "both",
];

/// Trims a range of words to the name in it, or says that there is none.
pub fn trim(words: &Words<'_>, range: Range<usize>, kind: Kind) -> Option<Range<usize>> {
    let tokens = tokens(words, range);
    let first = tokens.iter().position(|token| {
        let bare = token.low.trim_end_matches('.');
        token.capital() && !DETERMINERS.contains(&bare) && !is_honorific(&token.low)
    })?;
    let mut last = first;
    while let Some(next) = tokens.get(last + 1) {
        if next.capital() {
            last += 1;
            continue;
        }
        let inner = |token: &Token| PARTICLES.contains(&token.low.as_str()) || token.low == "-";
        if !inner(next) || next.low == "and" || (kind == Kind::Person && next.low == "of") {
            break;
        }
        match tokens[last + 1..].iter().position(|token| !inner(token)) {
            Some(skip) if tokens[last + 1 + skip].capital() => last += 1 + skip,
            _ => break,
        }
    }
    while last > first && is_honorific(&tokens[last].low) {
        last -= 1;
    }
    let name = tokens[first].words.start..tokens[last].words.end;
    let text = words.text();
    let surface =
        &text[words.all()[name.start].start as usize..words.all()[name.end - 1].end as usize];
    let letters = surface.chars().filter(|c| c.is_alphanumeric()).count();
    let initial = surface.trim_end_matches('.').chars().all(|c| c.is_ascii_uppercase());
    ((letters >= 2 || initial) && surface != "I").then_some(name)
}

/// A word as people write it: with its inner hyphens and apostrophes, its point if it is short for something.
struct Token {
    words: Range<usize>,
    low: String,
    upper: bool,
}

impl Token {
    fn capital(&self) -> bool {
        self.upper
    }
}

fn tokens(words: &Words<'_>, range: Range<usize>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let from = at;
        at += 1;
        if alphanumeric(words, from) {
            while at + 1 < range.end
                && joins(words, at)
                && alphanumeric(words, at + 1)
                && !words.gap(at + 1)
            {
                let possessive = words.surface(at) != "-" && matches!(words.surface(at + 1), "s");
                let ends = at + 2 >= range.end
                    || !joins(words, at + 2)
                    || !alphanumeric_at(words, at + 3, range.end);
                if possessive && ends {
                    break;
                }
                at += 2;
            }
            let point = at < range.end && words.surface(at) == "." && !words.gap(at);
            if point && at == from + 1 && shortened(words.surface(from)) {
                at += 1;
            }
        }
        let text =
            &words.text()[words.all()[from].start as usize..words.all()[at - 1].end as usize];
        let upper = text.starts_with(char::is_uppercase);
        tokens.push(Token { words: from..at, low: text.to_lowercase(), upper });
        // A possessive is a token by itself.
        if at + 1 < range.end
            && joins(words, at)
            && words.surface(at) != "-"
            && words.surface(at + 1) == "s"
        {
            tokens.push(Token { words: at..at + 2, low: "'s".to_owned(), upper: false });
            at += 2;
        }
    }
    tokens
}

fn alphanumeric(words: &Words<'_>, at: usize) -> bool {
    words.surface(at).starts_with(char::is_alphanumeric)
}

fn alphanumeric_at(words: &Words<'_>, at: usize, end: usize) -> bool {
    at < end && alphanumeric(words, at) && !words.gap(at)
}

/// Whether this mark stands right behind a word and may hold two parts of one together.
fn joins(words: &Words<'_>, at: usize) -> bool {
    matches!(words.surface(at), "-" | "'" | "’") && !words.gap(at)
}

fn shortened(word: &str) -> bool {
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    initial || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: Kind, expected: Option<&str>) {
        let words = Words::new(text);
        let found = trim(&words, 0..words.len(), kind);
        let found = found.map(|name| {
            &text[words.all()[name.start].start as usize..words.all()[name.end - 1].end as usize]
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn titles_and_tails_fall_away() {
        check("the old Mr. Bennet", Kind::Person, Some("Bennet"));
        check("Emma Woodhouse, handsome", Kind::Person, Some("Emma Woodhouse"));
        check("Ann of Green Gables", Kind::Person, Some("Ann"));
        check("House of Usher", Kind::Place, Some("House of Usher"));
        check("James K. Powell Esq.", Kind::Person, Some("James K. Powell"));
        check("Bennet’s", Kind::Person, Some("Bennet"));
        check("Jean-Paul", Kind::Person, Some("Jean-Paul"));
        check("Ludwig van Beethoven", Kind::Person, Some("Ludwig van Beethoven"));
        check("Aunt", Kind::Person, None);
        check("I", Kind::Person, None);
        check("K.", Kind::Person, Some("K."));
    }
}
