//! Judgements that a book cannot decide, known by words that make them.

use storymill_text::word;

use super::{Code, Findings, Severity};
use crate::pair::Half;

/// What only a reader says: such a claim is an opinion.
const OPINIONS: &str = storymill_data::text("claims/opinions.txt");

pub(super) fn look(findings: &mut Findings<'_>) {
    for half in Half::BOTH {
        let plain = word::plain(findings.pair.claim(half));
        let joined = format!(" {} ", plain.join(" "));
        let mut grave = None;
        let mut at = None;
        for (severity, phrase) in phrases() {
            let Some(found) = joined.find(&format!(" {phrase} ")) else { continue };
            if grave.is_none_or(|grave| severity > grave) {
                grave = Some(severity);
                at = Some(joined[..found].split_whitespace().count() + 1);
            }
        }
        if let (None, Some(place)) = (grave, superlative(&plain)) {
            (grave, at) = (Some(Severity::Warning), Some(place + 1));
        }
        if let (Some(severity), Some(at)) = (grave, at) {
            let what =
                if severity == Severity::Error { "an opinion" } else { "a judgement or a guess" };
            let reason = format!("from word {at} it reads as {what}");
            findings.add(Some(half), Code::Subjective, severity, reason);
        }
    }
}

/// What is ranked by readers rather than by the book.
const RANKED: [&str; 14] = [
    "character",
    "characters",
    "person",
    "figure",
    "heroine",
    "hero",
    "protagonist",
    "antagonist",
    "scene",
    "chapter",
    "moment",
    "novel",
    "ending",
    "passage",
];

/// The place of a superlative right before something that only readers rank.
fn superlative(plain: &[String]) -> Option<usize> {
    let ranks = |word: &str| {
        matches!(word, "most" | "least" | "best" | "worst")
            || (word.len() > 5
                && word.ends_with("est")
                && !matches!(
                    word,
                    "forest"
                        | "honest"
                        | "interest"
                        | "modest"
                        | "earnest"
                        | "harvest"
                        | "request"
                        | "priest"
                        | "arrest"
                ))
    };
    (0..plain.len()).find(|at| {
        let behind = &plain[at + 1..plain.len().min(at + 4)];
        ranks(&plain[*at]) && behind.iter().any(|word| RANKED.contains(&word.as_str()))
    })
}

/// The phrases of the list: `!` before those that make an opinion of any claim.
fn phrases() -> impl Iterator<Item = (Severity, &'static str)> {
    OPINIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        line.strip_prefix('!').map_or((Severity::Warning, line), |phrase| (Severity::Error, phrase))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_as_words_are_compared() {
        for (_, phrase) in phrases() {
            assert_eq!(word::plain(phrase).join(" "), phrase);
        }
    }
}
