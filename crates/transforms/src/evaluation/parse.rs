//! What a model wrote, read: how it ended, and which answer it gives. The rule stands in docs/evaluate.md.

use storymill_core::{Answer, Choice, Form, OptionKind, Question, Status, Written};
use storymill_metrics::pair_accuracy::{SENTINELS, Verdict, verdict};

#[path = "parse_several.rs"]
mod several;

pub(super) use several::read_each;

/// How an answer ended, and what is read from it; blank where nothing is.
pub(super) fn read(
    question: &Question,
    answer: &Answer,
    written: Option<Written>,
    limit: u32,
) -> (Status, String) {
    let none = |status| (status, String::new());
    let text = match heard(answer, written, limit) {
        Ok(text) => text,
        Err(status) => return none(status),
    };
    let found = match &question.form {
        Form::Options { options, .. } => label(text, options).map(|at| at.to_string()),
        Form::FreeText { .. } => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Form::Verdict { claim, .. } => match verdict(text, claim) {
            Some(Verdict::True) => Some("true".to_owned()),
            Some(Verdict::False) => Some("false".to_owned()),
            Some(Verdict::Fail) => return none(Status::Unparsed),
            None => return none(of_word(text)),
        },
    };
    match found {
        Some(found) => (Status::Answered, found),
        None if question.right().is_some() && refuses(text) => none(Status::Refused),
        None => none(Status::Unparsed),
    }
}

/// What a model wrote behind its thinking, or how the asking ended where there is nothing to be read.
pub(crate) fn heard(answer: &Answer, written: Option<Written>, limit: u32) -> Result<&str, Status> {
    if let Some(status) = ended(answer, written, limit) {
        return Err(status);
    }
    without_thinking(&answer.text).ok_or(Status::Unparsed)
}

/// How an answer ended of which nothing is read.
fn ended(answer: &Answer, written: Option<Written>, limit: u32) -> Option<Status> {
    match answer.finish_reason.as_str() {
        "context_overflow" => return Some(Status::DoesNotFit),
        "content_filter" | "refusal" => return Some(Status::Refused),
        "length" | "max_tokens" => return Some(Status::Cut),
        _ => {}
    }
    if written.is_some_and(|written| written.output.max(written.thinking) >= limit) {
        return Some(Status::Cut);
    }
    answer.text.trim().is_empty().then_some(Status::Failed)
}

/// What NoCha's words for a claim that was never answered say.
fn of_word(text: &str) -> Status {
    match SENTINELS.iter().position(|word| *word == text.trim()) {
        Some(0) => Status::DoesNotFit,
        Some(1) => Status::Refused,
        _ => Status::Failed,
    }
}

/// The text behind the thinking; none if the thinking has no end.
fn without_thinking(text: &str) -> Option<&str> {
    match text.rfind("</think>") {
        Some(at) => Some(&text[at + "</think>".len()..]),
        None => (!text.trim_start().starts_with("<think>")).then_some(text),
    }
}

/// Whether a text refuses, by the list of refusals.
pub(crate) fn refuses(text: &str) -> bool {
    const LIST: &str = include_str!("../../data/refusals.txt");
    let text = text.to_lowercase().replace('’', "'");
    let mut words = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    words.any(|line| text.contains(line))
}

/// The option that a text names.
fn label(text: &str, options: &[Choice]) -> Option<usize> {
    if let Some(tagged) = tagged(text) {
        return named(tagged, options);
    }
    if let Some(marked) = marked(text) {
        return named(marked, options);
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let only = lines.next().filter(|_| lines.next().is_none());
    let last = text.lines().rfind(|line| !line.trim().is_empty())?;
    only.and_then(|line| named(line, options))
        .or_else(|| alone(last, options.len()))
        .or_else(|| one_of(text, options))
}

/// What stands in the last pair of tags `answer`.
pub(crate) fn tagged(text: &str) -> Option<&str> {
    let from = text.rfind("<answer>")? + "<answer>".len();
    let rest = &text[from..];
    Some(rest[..rest.find("</answer>").unwrap_or(rest.len())].trim())
}

/// What stands behind the last `answer:` or `answer is`: the rest of the line, or the next one.
fn marked(text: &str) -> Option<&str> {
    // The same length in bytes as the text, so that places hold in both.
    let lower = text.to_ascii_lowercase();
    let mut end = lower.len();
    while let Some(at) = lower[..end].rfind("answer") {
        end = at;
        let rest = &text[at + "answer".len()..];
        let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
        let behind = rest.trim_start_matches(['*', '_', ' ', '`']);
        let behind = ["would be", "must be", "is", "=", ":", "-"].iter().find_map(|sign| {
            let head = behind.get(..sign.len())?;
            head.eq_ignore_ascii_case(sign).then(|| &behind[sign.len()..])
        });
        let Some(behind) = behind else { continue };
        let behind = behind.trim_start_matches([':', '*', '_', ' ', '`']);
        let line = behind.trim_start().lines().next().unwrap_or_default();
        if !line.trim().is_empty() {
            return Some(line);
        }
    }
    None
}

/// The option that a short text is: its label, or its words.
fn named(text: &str, options: &[Choice]) -> Option<usize> {
    let text = text.trim();
    match labelled(text, options.len()) {
        Begins::Label(at) => return Some(at),
        Begins::Unclear => return None,
        Begins::Otherwise => {}
    }
    let said = plain(text);
    let same = options.iter().position(|option| plain(&option.text) == said);
    same.or_else(|| {
        let none = ["none of the above", "none of these", "none of them", "none of the options"];
        let says_none = none.iter().any(|words| said.starts_with(words)) || said == "none";
        let at = options.iter().position(|option| option.kind == OptionKind::None)?;
        says_none.then_some(at)
    })
}

/// What a text begins with.
enum Begins {
    /// The label of an option.
    Label(usize),
    /// Two labels, or one that no option has.
    Unclear,
    /// No label.
    Otherwise,
}

/// The label that a text begins with.
fn labelled(text: &str, options: usize) -> Begins {
    let Some((first, rest)) = one_label(text) else { return Begins::Otherwise };
    let Some(first) = first.filter(|at| *at < options) else { return Begins::Unclear };
    // `2 or 3`, `2/3`, `B, C` choose nothing.
    let behind = rest.trim_start_matches([')', ']', '*', '.', ' ']);
    let joined = ["or ", "and ", "/", ",", "&", "+"]
        .iter()
        .find_map(|sign| behind.strip_prefix(sign))
        .and_then(one_label);
    match joined {
        Some((Some(second), _)) if second < options && second != first => Begins::Unclear,
        _ => Begins::Label(first),
    }
}

/// A label at the beginning of a text and what stands behind it; the label is none if it is out of all bounds.
fn one_label(text: &str) -> Option<(Option<usize>, &str)> {
    let mut text = text.trim_start_matches(['*', '_', '`', '"', '\'', ' ', '#']);
    loop {
        let words = ["the ", "option", "choice", "number", "no.", "letter", "answer", "correct "];
        let word = words.iter().find_map(|word| {
            let head = text.get(..word.len())?;
            let rest = head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])?;
            (word.ends_with(' ') || !rest.starts_with(char::is_alphabetic)).then_some(rest)
        });
        let Some(rest) = word else { break };
        text = rest.trim_start_matches([' ', ':', '#', '*']);
    }
    let inner = text.trim_start_matches(['(', '[']);
    let bracket = inner.len() < text.len();
    let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let rest = &inner[digits..];
        // `3rd`, `3.5` and `1815` are no labels.
        let goes_on = rest.starts_with(char::is_alphanumeric)
            || rest
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let number: Option<usize> = inner[..digits].parse().ok();
        return (!goes_on).then(|| (number.and_then(|number| number.checked_sub(1)), rest));
    }
    let letter = inner.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = &inner[1..];
    let closed = rest.is_empty() || rest.starts_with([')', ']', '.', ':', '*', ',', '/', '`', '"']);
    // `A man came in` begins with no label, `B or C` with one.
    let joins = letter != 'A' && (rest.starts_with(" or ") || rest.starts_with(" and "));
    let sure = closed && (bracket || letter.is_ascii_uppercase() || rest.is_empty());
    (sure || (joins && letter.is_ascii_uppercase()))
        .then(|| (Some(usize::from(letter.to_ascii_uppercase() as u8 - b'A')), rest))
}

/// The label that is all of a line, whatever stars stand around it.
fn alone(line: &str, options: usize) -> Option<usize> {
    let (at, rest) = one_label(line.trim())?;
    let nothing = rest.chars().all(|c| !c.is_alphanumeric());
    at.filter(|at| nothing && *at < options)
}

/// The one option that a text names anywhere, as `option 3` or `(3)`, or by all of its words.
fn one_of(text: &str, options: &[Choice]) -> Option<usize> {
    let mut found: Vec<usize> = Vec::new();
    let lower = text.to_ascii_lowercase();
    for sign in ["option ", "choice ", "("] {
        for (at, _) in lower.match_indices(sign) {
            let whole = &text[at + sign.len()..];
            let Some((Some(label), rest)) = one_label(whole) else { continue };
            if label < options.len() && (sign != "(" || rest.starts_with(')')) {
                found.push(label);
            }
        }
    }
    if found.is_empty() {
        let said = plain(text);
        let says = |option: &Choice| {
            let words = plain(&option.text);
            !words.is_empty() && said.contains(&words)
        };
        found.extend(options.iter().enumerate().filter(|(_, one)| says(one)).map(|(at, _)| at));
    }
    found.sort_unstable();
    found.dedup();
    (found.len() == 1).then(|| found[0])
}

/// A text in lower case, of letters and digits with single blanks between words.
fn plain(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' });
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
