//! A verdict, read from what a judge wrote. The rules stand in docs/stages/faithful.md.

use storymill_core::{Label, PartVerdict, Status};

use crate::evaluation::parse::{refuses, tagged};

/// How a verdict is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The first word is `Yes` or `No`.
    FirstWord,
    /// The first word in the last tag `answer` is.
    Tag,
    /// The whole answer is `True` or `False`.
    Whole,
}

/// The verdict in a text, and the reason that is given for it; or how the asking ended where there is none.
pub(super) fn verdict(rule: Rule, text: &str) -> Result<(Label, String), Status> {
    let found = match rule {
        Rule::FirstWord => first_word(text),
        Rule::Tag => tagged(text).and_then(first_word).map(|(label, _)| {
            let reason = text.rfind("<answer>").map_or("", |at| &text[..at]);
            (label, reason.trim())
        }),
        Rule::Whole => match text.trim() {
            "True" => Some((Label::Faithful, "")),
            "False" => Some((Label::Unfaithful, "")),
            _ => None,
        },
    };
    match found {
        Some((label, reason)) => Ok((label, reason.to_owned())),
        None => Err(unread(text)),
    }
}

/// How the asking ended where nothing can be read from a text.
pub(super) fn unread(text: &str) -> Status {
    if refuses(text) { Status::Refused } else { Status::Unparsed }
}

/// The verdict that a text begins with, and what stands behind it.
fn first_word(text: &str) -> Option<(Label, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "*_`\"'#>([".contains(c));
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let label = match text[..end].to_ascii_lowercase().as_str() {
        "yes" => Label::Faithful,
        "no" => Label::Unfaithful,
        _ => return None,
    };
    let behind = text[end..].trim_start_matches(|c: char| !c.is_alphanumeric() && c != '"');
    Some((label, behind.trim_end()))
}

/// Verdicts on one part against several pieces of its source: what one piece bears out is borne out, whatever
/// the others say; what none bears out is not, if all of them were judged.
pub(super) fn any(
    verdicts: Vec<Result<(Label, String), Status>>,
) -> Result<(Label, String), Status> {
    let mut without = None;
    let mut against = None;
    for verdict in verdicts {
        match verdict {
            Ok((Label::Faithful, reason)) => return Ok((Label::Faithful, reason)),
            Ok(other) => _ = against.get_or_insert(other),
            Err(status) => _ = without.get_or_insert(status),
        }
    }
    match (without, against) {
        (Some(status), _) => Err(status),
        (None, Some(against)) => Ok(against),
        (None, None) => Err(Status::Unparsed),
    }
}

/// The verdict on the whole from those on its parts: one that is not borne out decides, else one without a
/// verdict leaves it open. Commentary and what cannot be judged count for neither side.
pub(super) fn of_parts(parts: &[PartVerdict]) -> (Status, Option<bool>) {
    let wrong = |part: &PartVerdict| matches!(part.label, Some(Label::Unfaithful | Label::Partial));
    if parts.iter().any(wrong) {
        return (Status::Answered, Some(false));
    }
    match parts.iter().find(|part| part.label.is_none()) {
        Some(open) => (open.status, None),
        None if parts.is_empty() => (Status::Unparsed, None),
        None => (Status::Answered, Some(true)),
    }
}

/// A part with what was said of it.
pub(super) fn part(
    sentence: Option<usize>,
    text: &str,
    said: Result<(Label, String), Status>,
) -> PartVerdict {
    let (status, label, reason) = match said {
        Ok((label, reason)) => (Status::Answered, Some(label), reason),
        Err(status) => (status, None, String::new()),
    };
    let sentence = sentence.and_then(|at| u32::try_from(at).ok());
    PartVerdict { sentence, text: text.to_owned(), status, label, reason }
}
