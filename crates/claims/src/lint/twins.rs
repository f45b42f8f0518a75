//! What the twins have in common, and what not.

use storymill_metrics::porter;
use storymill_text::{
    differences,
    lists::is_small,
    stem::stem,
    word::{Word, words},
};

use super::{Code, Findings, kinship};

/// One place where the twins part: words of the true claim, and of the false one.
struct Change<'p> {
    yes: Vec<Word<'p>>,
    no: Vec<Word<'p>>,
}

pub(super) fn look(findings: &mut Findings<'_>) {
    let pair = findings.pair;
    let [yes, no]: [Vec<Word<'_>>; 2] =
        [&pair.true_claim, &pair.false_claim].map(|claim| words(claim).collect());
    let plain = |words: &[Word<'_>]| words.iter().map(Word::plain).collect::<Vec<_>>();
    let (yes_plain, no_plain) = (plain(&yes), plain(&no));
    if yes.is_empty() || no.is_empty() {
        return findings.error(None, Code::TooSimilar, "a claim has no words");
    }
    if yes_plain == no_plain {
        return findings.error(None, Code::TooSimilar, "the twins have the same words");
    }
    if without_empty(&yes_plain) == without_empty(&no_plain) {
        return findings.error(
            None,
            Code::TooSimilar,
            "the twins differ in articles and filling words alone",
        );
    }
    if let Some(negations) = negation(&yes_plain, &no_plain) {
        let reason = format!("the twins differ in {negations} and nothing else");
        return findings.warn(None, Code::NegationOnly, reason);
    }
    let (changes, kept) = changes(&yes, &no, &yes_plain, &no_plain);
    let telling: Vec<&Change<'_>> = changes.iter().filter(|change| tells(change)).collect();
    similar_words(findings, &changes);
    if !telling.is_empty()
        && telling.iter().all(|change| is_name(&change.yes) && is_name(&change.no))
    {
        let reason = "the twins differ in names alone: make sure that the event is told, not only who was there";
        findings.note(None, Code::EntitySwap, reason);
    }
    let longest = yes.len().max(no.len());
    let share = 100 * kept / longest;
    let told = format!("{kept} of {longest} words are shared");
    let parted = format!("the twins part at {} places", telling.len());
    if share < 25 {
        findings.warn(None, Code::NotMinimal, told);
    } else if share >= 55 && telling.len() > 2 {
        findings.warn(None, Code::NotMinimal, parted);
    } else if share < 55 {
        findings.note(None, Code::NotMinimal, told);
    } else if telling.len() > 1 && !swapped(&telling) {
        findings.note(None, Code::NotMinimal, parted);
    }
}

/// Small words that change nothing where they come or go.
const EMPTY: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "very", "quite", "really", "rather",
    "just", "so", "also", "too", "then", "indeed", "and",
];

fn without_empty(plain: &[String]) -> Vec<&str> {
    plain.iter().map(String::as_str).filter(|word| !EMPTY.contains(word)).collect()
}

/// Where the twins part, and how many words they share.
fn changes<'p>(
    yes: &[Word<'p>],
    no: &[Word<'p>],
    yes_plain: &[String],
    no_plain: &[String],
) -> (Vec<Change<'p>>, usize) {
    let mut changes: Vec<Change<'p>> = Vec::new();
    let (mut kept, mut end) = (yes.len(), 0);
    for (old, new) in differences(yes_plain, no_plain) {
        kept -= old.len();
        // One small word that happens to be shared parts no change in two.
        let small = end + 1 == old.start && is_small(&yes_plain[end]);
        end = old.end;
        let (mut left, mut right) = (yes[old].to_vec(), no[new].to_vec());
        match changes.last_mut().filter(|_| small) {
            Some(last) => {
                last.yes.append(&mut left);
                last.no.append(&mut right);
            }
            None => changes.push(Change { yes: left, no: right }),
        }
    }
    (changes, kept)
}

/// Small words by which twins may well differ.
const TELLING: [&str; 11] = [
    "again", "all", "any", "between", "both", "each", "other", "own", "some", "through", "without",
];

/// Whether a change has a word that is more than filling.
fn tells(change: &Change<'_>) -> bool {
    let tells = |word: &str| TELLING.contains(&word) || !is_small(word);
    change.yes.iter().chain(&change.no).any(|word| tells(&word.plain()))
}

/// Whether the words are a name, with or without a title.
fn is_name(words: &[Word<'_>]) -> bool {
    let lower: Vec<_> = words.iter().filter(|word| !word.is_capital()).collect();
    !words.is_empty()
        && lower.len() < words.len()
        && lower.iter().all(|word| matches!(word.text, "the" | "of" | "de" | "von" | "van"))
}

/// Whether two changes are one: what was here is there.
fn swapped(changes: &[&Change<'_>]) -> bool {
    let plain = |words: &[Word<'_>]| words.iter().map(Word::plain).collect::<Vec<_>>();
    let [one, two] = changes else { return false };
    plain(&one.yes) == plain(&two.no) && plain(&one.no) == plain(&two.yes)
}

const NEGATIONS: [&str; 14] = [
    "not", "no", "never", "cannot", "none", "nobody", "nothing", "neither", "nor", "without",
    "hardly", "unable", "fails", "fail",
];

/// Words that come and go with a negation.
const HELPERS: [&str; 10] = ["do", "does", "did", "any", "some", "to", "ever", "with", "or", "and"];

/// How the twins negate each other if they do nothing else.
fn negation(yes: &[String], no: &[String]) -> Option<&'static str> {
    let strip = |words: &[String]| {
        let mut negations = 0;
        let mut kept = Vec::new();
        for word in words {
            let bare = word.strip_suffix("n't").map(|stem| {
                if stem == "ca" {
                    "can"
                } else if stem == "wo" {
                    "will"
                } else {
                    stem
                }
            });
            negations += usize::from(bare.is_some() || NEGATIONS.contains(&word.as_str()));
            let word = bare.unwrap_or(word);
            if !NEGATIONS.contains(&word) && !HELPERS.contains(&word) && !EMPTY.contains(&word) {
                kept.push(stem(word));
            }
        }
        (negations, kept)
    };
    let ((yes_count, yes_kept), (no_count, no_kept)) = (strip(yes), strip(no));
    if yes_kept == no_kept {
        return (yes_count != no_count).then_some("a negation");
    }
    // `unhappy` for `happy`, in one place.
    let parted: Vec<_> = yes_kept.iter().zip(&no_kept).filter(|(a, b)| a != b).collect();
    let [(a, b)] = parted[..] else { return None };
    let prefixed = |long: &str, short: &str| {
        ["un", "dis", "in", "im", "ir", "il", "non", "mis"].iter().any(|prefix| {
            long.strip_prefix(prefix).map(|rest| rest.trim_start_matches('-')) == Some(short)
                && short.len() > 2
        })
    };
    let same = yes_kept.len() == no_kept.len() && (prefixed(a, b) || prefixed(b, a));
    (same && yes_count == no_count).then_some("a negating prefix")
}

/// Changes of words for words of the same meaning.
fn similar_words(findings: &mut Findings<'_>, changes: &[Change<'_>]) {
    let strip = |words: &[Word<'_>]| {
        let plain = words.iter().map(Word::plain);
        plain.filter(|word| !EMPTY.contains(&word.as_str())).collect::<Vec<_>>()
    };
    let (mut forms, mut synonyms, mut others) = (0, 0, 0);
    for change in changes {
        let (yes, no) = (strip(&change.yes), strip(&change.no));
        if yes == no {
            continue;
        }
        if yes.len() != no.len() {
            // `house` and `a big house` differ, `at once` and `immediately` do not.
            if kinship::phrases_alike(&yes, &no) {
                synonyms += 1;
            } else {
                others += 1;
            }
            continue;
        }
        for (a, b) in yes.iter().zip(&no).filter(|(a, b)| a != b) {
            if stem(a) == stem(b)
                || porter::stem(a) == porter::stem(b)
                || kinship::spelt_alike(a, b)
            {
                forms += 1;
            } else if kinship::alike(a, b) {
                synonyms += 1;
            } else {
                others += 1;
            }
        }
    }
    if others > 0 {
        return;
    }
    if synonyms > 0 {
        findings.error(
            None,
            Code::TooSimilar,
            "the twins differ in words of nearly the same meaning",
        );
    } else if forms > 0 {
        findings.warn(
            None,
            Code::TooSimilar,
            "the twins differ in forms of the same word alone: tense, number or spelling",
        );
    }
}
