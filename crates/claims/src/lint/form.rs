//! What shows which twin is false without the book: length, grammar, spelling, big words.

use storymill_text::{
    article, differences,
    stem::stem,
    word::{Word, words},
};

use super::{Code, Findings, Severity, alone::is_in};
use crate::pair::Half;

/// A claim by its words.
struct Side<'p> {
    text: &'p str,
    words: Vec<Word<'p>>,
    plain: Vec<String>,
}

impl<'p> Side<'p> {
    fn new(text: &'p str) -> Self {
        let words: Vec<Word<'_>> = words(text).collect();
        let plain = words.iter().map(Word::plain).collect();
        Self { text: text.trim(), words, plain }
    }
}

/// Whether a claim shows something.
type Tell = fn(&Side<'_>) -> bool;

pub(super) fn look(findings: &mut Findings<'_>) {
    let sides = Half::BOTH.map(|half| Side::new(findings.pair.claim(half)));
    let [yes, no] = &sides;
    let (long, short) = (yes.words.len().max(no.words.len()), yes.words.len().min(no.words.len()));
    if long >= short + 5 && 2 * long >= 3 * short {
        let longer = Half::of(yes.words.len() > no.words.len());
        let reason = format!("it has {long} words, its twin {short}");
        let severity = if long >= 2 * short { Severity::Warning } else { Severity::Note };
        findings.add(Some(longer), Code::AnswerVisible, severity, reason);
    }
    // What both twins have shows nothing.
    let tells: [(Tell, &str); 6] = [
        (wrong_article, "`a` stands where `an` belongs, or `an` where `a` does"),
        (doubled, "a word stands twice in a row"),
        (disagrees, "a verb does not agree with its subject"),
        (unended, "no full stop ends it"),
        (uncapital, "it begins with a small letter"),
        (spaced, "there are blanks too many"),
    ];
    for (tell, reason) in tells {
        let found = [tell(yes), tell(no)];
        if found[0] != found[1] {
            let reason = format!("{reason}, which its twin does not have");
            findings.warn(Some(Half::of(found[0])), Code::AnswerVisible, reason);
        }
    }
    let absolute = sides
        .each_ref()
        .map(|side| side.plain.iter().filter(|word| is_in(ABSOLUTE, word.as_str())).count());
    if (absolute[0] == 0) != (absolute[1] == 0) {
        let reason = "only this claim says always, never, all, none or the like";
        findings.note(Some(Half::of(absolute[0] > 0)), Code::AnswerVisible, reason);
    }
    if inflected(yes, no) {
        let reason = "beside what they differ in, the twins have one word in two forms behind the same word: is one a slip?";
        findings.warn(None, Code::AnswerVisible, reason);
    }
}

/// Words of claims that are rarely true.
const ABSOLUTE: &str = "always never all none only every everyone everybody nobody nothing everything entirely completely \
    totally absolutely impossible";

fn wrong_article(side: &Side<'_>) -> bool {
    article::slips(side.text).next().is_some()
}

fn doubled(side: &Side<'_>) -> bool {
    side.plain
        .windows(2)
        .any(|pair| pair[0] == pair[1] && !matches!(pair[0].as_str(), "had" | "that" | "her"))
}

/// The surest cases of a verb that does not fit its subject.
fn disagrees(side: &Side<'_>) -> bool {
    (1..side.plain.len()).any(|at| {
        let before = at.checked_sub(2).map_or("", |before| side.plain[before].as_str());
        let asked = [
            "do", "does", "did", "to", "let", "lets", "make", "makes", "made", "would", "could",
            "should", "and", "or", "if", "will", "can", "must", "may", "might",
        ]
        .contains(&before);
        let joined = side.plain[..at]
            .iter()
            .rev()
            .take(4)
            .any(|word| matches!(word.as_str(), "and" | "or" | "nor" | "of" | "are" | "does"));
        match (side.plain[at - 1].as_str(), side.plain[at].as_str()) {
            ("he" | "she" | "it", "are" | "have" | "do" | "am" | "go" | "want") => {
                !asked && !joined
            }
            ("they" | "we" | "you", "is" | "was" | "has" | "does" | "goes" | "wants") => !joined,
            (name, "are" | "am" | "have" | "do") => {
                side.words[at - 1].is_capital()
                    && at > 1
                    && !name.ends_with('s')
                    && !asked
                    && !joined
            }
            _ => false,
        }
    })
}

fn unended(side: &Side<'_>) -> bool {
    !side.text.ends_with(['.', '!', '?', '"', '”', '’', '\'', ')'])
}

fn uncapital(side: &Side<'_>) -> bool {
    side.text.starts_with(char::is_lowercase)
}

fn spaced(side: &Side<'_>) -> bool {
    side.text.contains("  ") || [" .", " ,", " ;"].iter().any(|mark| side.text.contains(mark))
}

/// Whether the twins have the same word in two forms behind the same word, and differ elsewhere.
fn inflected(yes: &Side<'_>, no: &Side<'_>) -> bool {
    let (mut forms, mut others) = (false, false);
    for (old, new) in differences(&yes.plain, &no.plain) {
        if old.len() == 1
            && new.len() == 1
            && stem(&yes.plain[old.start]) == stem(&no.plain[new.start])
        {
            forms |= old.start > 0
                && new.start > 0
                && yes.plain[old.start - 1] == no.plain[new.start - 1];
        } else {
            others = true;
        }
    }
    forms && others
}
