//! Judgements that a book cannot decide, known by words that make them.

use storymill_text::{stem::stem, word};

use super::{Code, Findings, Severity, alone::is_in};
use crate::pair::Half;

/// What only a reader says: such a claim is an opinion.
const OPINIONS: &str = storymill_data::text("claims/opinions.txt");

pub(super) fn look(findings: &mut Findings<'_>) {
    for half in Half::BOTH {
        let plain = word::plain(findings.pair.claim(half));
        let joined = format!(" {} ", plain.join(" "));
        let is_view = |word: &str| VIEWS.split(' ').any(|verb| stem(verb) == stem(word));
        let said = plain.iter().position(|word| is_view(word));
        let mut grave = None;
        let mut at = None;
        for (severity, phrase) in phrases() {
            let Some(found) = joined.find(&format!(" {phrase} ")) else { continue };
            let place = joined[..found].split_whitespace().count();
            // What somebody in the book thinks or says, the book decides.
            let severity =
                if said.is_some_and(|said| said < place) { Severity::Note } else { severity };
            if grave.is_none_or(|grave| severity > grave) {
                (grave, at) = (Some(severity), Some(place + 1));
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

/// Verbs behind which stands what somebody in the book thinks, says or wants.
const VIEWS: &str = "admit advise agree argue ask believe call claim complain consider convince declare decide deny doubt \
    explain fear feel find hint hope imagine insist judge say suggest suspect tell think warn wonder worry";

/// What is ranked by readers rather than by the book.
const RANKED: &str = "character characters person figure heroine hero protagonist antagonist scene chapter moment novel \
    ending passage";

/// The place of a superlative right before something that only readers rank.
fn superlative(plain: &[String]) -> Option<usize> {
    let ranks = |word: &str| {
        matches!(word, "most" | "least" | "best" | "worst")
            || (word.len() > 5
                && word.ends_with("est")
                && !is_in(
                    "forest honest interest modest earnest harvest request priest arrest",
                    word,
                ))
    };
    (0..plain.len()).find(|at| {
        let behind = &plain[at + 1..plain.len().min(at + 4)];
        ranks(&plain[*at]) && behind.iter().any(|word| is_in(RANKED, word.as_str()))
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
