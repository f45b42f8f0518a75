//! What a model drafted, taken out of its answer and held against what it was shown.

use std::collections::BTreeSet;

use storymill_core::{Answer, Reason};
use storymill_text::{Language, word_count};

use crate::retelling::{
    answer::{Protocol, retelling},
    tokens::{Telling, content, tokens},
};

/// How many wrong answers there are.
pub(super) const WRONG: usize = 3;

/// A question with its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) question: String,
    /// The right one first.
    pub(super) answers: Vec<String>,
    /// For each account the words of it that bear the answer out.
    pub(super) evidence: Vec<String>,
}

/// What questions do not speak of.
const OF_TEXT: [&str; 8] =
    ["accounts", "passage", "passages", "excerpt", "excerpts", "scene", "scenes", "chapter"];
/// How many of the words of its evidence an account has at least, per mille.
const BORNE_PM: u32 = 900;

/// The draft in an answer, or why it is unfit; none where nothing changes.
pub(super) fn read(given: &Answer, accounts: &[String]) -> Result<Option<Draft>, Reason> {
    let text = retelling(Protocol::Tag, given)?.text;
    if text.trim().trim_end_matches('.').eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let missing = |label: &str| {
        let detail = format!("the answer has no line `{label}:`");
        Reason::new("no-question", detail)
    };
    let one = |label: &str| labelled(&text, label).next().ok_or_else(|| missing(label));
    let question = one("QUESTION")?;
    let wrong: Vec<String> = labelled(&text, "WRONG").take(WRONG).collect();
    if wrong.len() < WRONG {
        return Err(missing("WRONG"));
    }
    let answers = [vec![one("RIGHT")?], wrong].concat();
    let evidence = (1..=accounts.len()).map(|number| one(&format!("FROM {number}")));
    let evidence = evidence.collect::<Result<Vec<_>, Reason>>()?;
    let draft = Draft { question, answers, evidence };
    fit(&draft)?;
    borne(&draft, accounts)?;
    Ok(Some(draft))
}

/// The texts behind a label, `WRONG: ...`, whatever bullets and stars stand before it.
fn labelled<'t>(text: &'t str, label: &'t str) -> impl Iterator<Item = String> + 't {
    text.lines().filter_map(move |line| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || "*-•".contains(c));
        let (head, tail) = line.split_once([':', '：'])?;
        let tail = tail.trim_matches(|c: char| c.is_whitespace() || c == '*');
        let here = head.trim_end_matches('*').trim().eq_ignore_ascii_case(label);
        (here && !tail.is_empty()).then(|| tail.to_owned())
    })
}

/// Whether question and answers are fit in themselves.
fn fit(draft: &Draft) -> Result<(), Reason> {
    let Draft { question, answers, .. } = draft;
    let fault = |code, detail: String| Err(Reason::new(code, detail));
    if !question.ends_with(['?', '？']) {
        return fault("not-asking", format!("`{question}` does not end in a question mark"));
    }
    let words = tokens(question);
    if let Some(word) = OF_TEXT.iter().find(|word| words.iter().any(|own| own == *word)) {
        return fault("speaks-of-text", format!("`{question}` speaks of the text: `{word}`"));
    }
    let told: BTreeSet<Vec<String>> = answers.iter().map(|answer| tokens(answer)).collect();
    if told.len() < answers.len() {
        return fault("options-alike", "two of the answers are the same".to_owned());
    }
    // An answer that stands out by its length is found without the book.
    let lengths: Vec<u32> = answers.iter().map(|answer| word_count(answer)).collect();
    let (shortest, longest) = lengths[1..]
        .iter()
        .fold((u32::MAX, 0), |(least, most), length| (least.min(*length), most.max(*length)));
    let much = |length: u32| length + length / 2 + 1;
    if lengths[0] > much(longest) || shortest > much(lengths[0]) {
        let detail = format!(
            "the right answer has {} words, the others {shortest} to {longest}",
            lengths[0]
        );
        return fault("uneven", detail);
    }
    let asked: BTreeSet<String> = content(question).into_iter().collect();
    if content(&answers[0]).iter().all(|word| asked.contains(word)) {
        return fault("answer-given", format!("`{question}` says the answer"));
    }
    Ok(())
}

/// Whether every account bears its part of the answer out, by words that stand in it.
fn borne(draft: &Draft, accounts: &[String]) -> Result<(), Reason> {
    for (number, (evidence, account)) in (1..).zip(draft.evidence.iter().zip(accounts)) {
        let telling = Telling::of(account, Language::of_text(account));
        let words = content(evidence);
        if words.len() < 2 || telling.share_pm(&words) < BORNE_PM {
            let detail = format!("`{evidence}` does not stand in account {number}");
            return Err(Reason::new("evidence-foreign", detail));
        }
    }
    Ok(())
}

/// Which answer a check chose, from 0; none where it does not know.
pub(super) fn chosen(given: &Answer, options: usize) -> Result<Option<usize>, Reason> {
    let text = retelling(Protocol::Tag, given)?.text;
    let word = text.trim().trim_matches(|c: char| !c.is_alphanumeric());
    if word.eq_ignore_ascii_case("unknown") {
        return Ok(None);
    }
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let Some(number) = number.filter(|number| *number < options) else {
        let detail = format!("`{word}` is neither the number of an answer nor UNKNOWN");
        return Err(Reason::new("no-choice", detail));
    };
    Ok(Some(number))
}
