//! What a model wrote to several questions at once, read for each of them by itself.

use storymill_core::{Answer, Question, Status, Written};

use super::{alone, ended, named, refuses, without_thinking};

/// How several questions with options ended that one request asked, and what is read for each of them.
pub(in crate::evaluation) fn read_each(
    questions: &[&Question],
    answer: &Answer,
    written: Option<Written>,
    limit: u32,
) -> Vec<(Status, String)> {
    let all = |status| questions.iter().map(|_| (status, String::new())).collect();
    if let Some(status) = ended(answer, written, limit) {
        return all(status);
    }
    let Some(text) = without_thinking(&answer.text) else { return all(Status::Unparsed) };
    let marked: Vec<Option<&str>> =
        (1..=questions.len()).map(|number| numbered(text, number)).collect();
    let rows = if marked.iter().any(Option::is_some) { None } else { last_lines(text, questions) };
    let refused = refuses(text);
    let read = |(at, question): (usize, &&Question)| {
        let own = marked[at].and_then(|said| named(said, question.options()));
        match own.or_else(|| rows.as_ref().map(|rows| rows[at])) {
            Some(found) => (Status::Answered, found.to_string()),
            None if refused && marked[at].is_none() => (Status::Refused, String::new()),
            None => (Status::Unparsed, String::new()),
        }
    };
    questions.iter().enumerate().map(read).collect()
}

/// What stands behind the last `answer N:`, `answer to question N is` or the like, up to the end of its line.
fn numbered(text: &str, number: usize) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let mut end = lower.len();
    while let Some(at) = lower[..end].rfind("answer") {
        end = at;
        let rest = text[at + "answer".len()..].trim_start_matches(['*', '_', ' ', '#', '(']);
        let words = ["to question", "for question", "to", "for", "question", "no.", "number"];
        let word = words.iter().find(|word| {
            rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
        });
        let rest = rest[word.map_or(0, |word| word.len())..].trim_start_matches([' ', '#', '*']);
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if rest[..digits].parse() != Ok(number) {
            continue;
        }
        let behind = rest[digits..].trim_start_matches([')', '*', '_', ' ', '`', '.']);
        let signs = ["would be", "must be", "is", "=", ":", "-"];
        let sign = signs.iter().find(|sign| {
            behind.get(..sign.len()).is_some_and(|head| head.eq_ignore_ascii_case(sign))
        });
        let Some(sign) = sign else { continue };
        let behind = behind[sign.len()..].trim_start_matches([':', '*', '_', ' ', '`']);
        let line = behind.lines().next().unwrap_or_default();
        if !line.trim().is_empty() {
            return Some(line);
        }
    }
    None
}

/// The labels of the last lines, if there is one such line for each question and none before them.
fn last_lines(text: &str, questions: &[&Question]) -> Option<Vec<usize>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().checked_sub(questions.len())?;
    let most = questions.iter().map(|one| one.options().len()).max()?;
    if from > 0 && alone(lines[from - 1], most).is_some() {
        return None;
    }
    let labels = lines[from..].iter().zip(questions);
    labels.map(|(line, question)| alone(line, question.options().len())).collect()
}

#[cfg(test)]
#[path = "several_tests.rs"]
mod tests;
