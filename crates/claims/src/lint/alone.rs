//! What a claim must be by itself: one sentence, about somebody it names.

use storymill_text::{
    Language,
    lists::is_small,
    one_line,
    sentence::sentences,
    word::{Word, words},
};

use super::{Code, Findings};
use crate::pair::Half;

pub(super) fn look(findings: &mut Findings<'_>, text: Option<&str>) {
    let pair = findings.pair;
    for half in Half::BOTH {
        let claim = pair.claim(half);
        let count = sentences(&one_line(claim), Language::English).count();
        if count > 1 {
            findings.warn(Some(half), Code::SeveralSentences, format!("{count} sentences"));
        }
        names(findings, half, claim, text);
    }
}

/// Pronouns that stand for somebody.
const PRONOUNS: &str =
    "he she they him her them his hers their theirs himself herself themselves someone";

/// Words that open a clause which may speak of somebody who is named right behind it.
const OPENERS: &str = "when after before while as because although though if since despite during in on upon by until once \
    with without at having whenever even due unlike like for to following";

/// Words in capitals that name no person.
const NO_PERSONS: &str = "i i'm i've monday tuesday wednesday thursday friday saturday sunday january february march april may \
    june july august september october november december christmas easter english french german american \
    italian spanish russian irish scottish british european chinese japanese indian latin greek roman \
    dutch bible swiss";

/// Words before the name of a place.
const PLACES: &str = "in to from at near through towards toward of";

/// Words that begin claims and are no names.
const OTHERS: &str = "both all some many most two three several every each someone nobody \
    somebody another although eventually throughout initially";

/// Whether a word stands in a list.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

fn names(findings: &mut Findings<'_>, half: Half, claim: &str, text: Option<&str>) {
    let words: Vec<Word<'_>> = words(claim).collect();
    let plain: Vec<String> = words.iter().map(Word::plain).collect();
    let name = |at: usize| {
        let word = &words[at];
        word.is_capital()
            && !is_in(NO_PERSONS, plain[at].as_str())
            && (at > 0 || is_name(word, &plain[0], text))
    };
    let names: Vec<usize> = (0..words.len()).filter(|at| name(*at)).collect();
    let pronoun = plain.iter().position(|word| is_in(PRONOUNS, word.as_str()));
    let code = Code::NamesNobody;
    let Some(pronoun) = pronoun else {
        if names.is_empty() {
            findings.note(Some(half), code, "there is no name in it");
        }
        return;
    };
    let told = format!("word {} is a pronoun", pronoun + 1);
    let is_place = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |before| plain[before].as_str());
        let apostrophe = ['\'', '’'];
        let owns = claim[words[*at].end..].starts_with(apostrophe);
        is_in(PLACES, before) && !owns && !words[*at].text.contains(apostrophe)
    };
    let opened =
        plain.first().is_some_and(|first| is_in(OPENERS, first.as_str()) || first.ends_with("ing"));
    match names.first() {
        None => findings.error(Some(half), code, format!("{told}, and there is no name in it")),
        Some(first) if *first < pronoun => {
            if names.iter().take_while(|at| **at < pronoun).all(is_place) && pronoun < 8 {
                findings.note(
                    Some(half),
                    code,
                    format!("{told}, and only a place is named before it"),
                );
            }
        }
        Some(_) if pronoun == 0 && matches!(plain[0].as_str(), "he" | "she" | "they") => {
            findings.error(Some(half), code, format!("{told}, and nobody is named before it"));
        }
        Some(_) if !opened => {
            findings.note(Some(half), code, format!("{told}, and nobody is named before it"));
        }
        Some(_) => {}
    }
}

/// Whether the first word of a claim, whose capital says nothing, is a name.
fn is_name(word: &Word<'_>, plain: &str, text: Option<&str>) -> bool {
    let is_listed = [PRONOUNS, OPENERS, OTHERS].iter().any(|list| is_in(list, plain));
    if is_small(plain) || is_listed || plain.ends_with("ly") {
        return false;
    }
    // A word that the book has in small letters too is none.
    let small = word.text.to_lowercase();
    !text.is_some_and(|text| text.contains(&format!(" {small} ")))
}
