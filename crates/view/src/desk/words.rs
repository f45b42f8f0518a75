//! Sentences about queues, rules, agreement and what was just saved.

use std::collections::BTreeMap;

use storymill_core::{ReviewRule, Verdict};
use storymill_review::{Agreement, Desk, Estimate, QueueSummary, Row, State};

use crate::{
    address::Query,
    numbers::{counted, thousands},
};

/// What was just done, as the file says it: of a vote that is not there nothing is said.
pub(super) fn told(desk: &Desk, person: &str, query: &Query) -> String {
    let sight = |name: &str| {
        let id = desk.find(query.get(name)?).ok()?;
        desk.sight(id, person)
    };
    if let Some(sight) = sight("saved")
        && let Some(own) = sight.own
    {
        return format!("Saved: {} ({})", sight.called(&own.choice), sight.item.review.item);
    }
    if let Some(sight) = sight("undone")
        && sight.own.is_none()
    {
        return format!("Undone: {} is open again for you", sight.item.review.item);
    }
    if let Some(sight) = sight("dropped")
        && sight.stale.is_none()
    {
        return "Dropped: the earlier decision does not count any more".to_owned();
    }
    String::new()
}

/// What is said of lines that were read or saved and stand in no file any more; blank if all stand.
pub(super) fn gone(desk: &Desk) -> String {
    let mut of: BTreeMap<&str, u64> = BTreeMap::new();
    for line in desk.gone() {
        *of.entry(&line.by).or_default() += 1;
    }
    let total: u64 = of.values().sum();
    if total == 0 {
        return String::new();
    }
    let whose: Vec<String> =
        of.iter().map(|(by, count)| format!("{} by {by}", thousands(*count))).collect();
    let (are, do_not) = if total == 1 { ("is", "does not") } else { ("are", "do not") };
    format!(
        "{} {are} missing from the file and {do_not} count any more ({}). An older file was put back, or somebody took lines out.",
        counted(total, "decision"),
        whose.join(", ")
    )
}

/// How votes become decisions.
pub(super) fn rule(rule: &ReviewRule) -> String {
    let votes = counted(rule.voters.into(), "vote");
    let settles = match &rule.adjudicators[..] {
        [] => "anybody".to_owned(),
        names => names.join(", "),
    };
    match rule.rule {
        Verdict::Majority if rule.voters <= 1 => {
            "One vote decides; where people differ, more than half of them.".to_owned()
        }
        Verdict::Majority => format!(
            "An item needs {votes}, and more than half of them decide. Where nobody has more than half, {settles} may settle it."
        ),
        Verdict::Unanimity => format!(
            "An item needs {votes}, and all of them must agree. Where people differ, {settles} may settle it."
        ),
        Verdict::Adjudicator => {
            format!("An item needs {votes}. Where people differ, {settles} settles it.")
        }
    }
}

/// What a person reads first.
pub(super) fn waiting(queues: &[QueueSummary]) -> String {
    let left = |queue: &&QueueSummary| queue.items > queue.mine;
    let items: usize = queues.iter().map(|queue| queue.items - queue.mine).sum();
    let in_queues = queues.iter().filter(left).count();
    match items {
        0 if queues.is_empty() => "Nothing waits for you".to_owned(),
        0 => "You have decided everything".to_owned(),
        1 => "1 item waits for you".to_owned(),
        _ => format!(
            "{} wait for you, in {}",
            counted(items as u64, "item"),
            counted(in_queues as u64, "queue")
        ),
    }
}

/// `2 disputes`; blank for none.
pub(super) fn disputes(desk: &Desk, person: &str) -> String {
    let may = desk.decisions().rule().may_adjudicate(person);
    match desk.disputes().len() {
        0 => String::new(),
        _ if !may => String::new(),
        count => counted(count as u64, "dispute"),
    }
}

/// How far people agree on a queue, in a few words: of each kind of question, where it has several.
pub(super) fn agreements(of: &BTreeMap<String, Agreement>) -> String {
    let several = of.len() > 1;
    let voted = of.iter().filter(|(_, agreement)| agreement.voters.len() > 1);
    let told: Vec<String> = voted
        .map(
            |(code, of)| {
                if several { format!("{code}: {}", agreement(of)) } else { agreement(of) }
            },
        )
        .collect();
    if told.is_empty() { "needs two people".to_owned() } else { told.join("; ") }
}

fn agreement(of: &Agreement) -> String {
    if of.voters.len() < 2 {
        return "needs two people".to_owned();
    }
    format!("alpha {}, {}", estimate(&of.alpha), counted(of.items as u64, "item"))
}

/// How far every two agree.
pub(super) fn couples(of: &BTreeMap<String, Agreement>) -> Vec<String> {
    let several = of.len() > 1;
    let couple = |(code, pair): (&str, &storymill_review::Couple)| {
        let (kappa, items) = (estimate(&pair.kappa), counted(pair.items as u64, "item"));
        let on = if several { format!(" on {code}") } else { String::new() };
        let (one, other) = (&pair.one, &pair.other);
        format!("{one} and {other}{on}: kappa {kappa}, {} of {items} alike", pair.agreed)
    };
    of.iter()
        .flat_map(|(code, of)| of.pairs.iter().map(|pair| (code.as_str(), pair)))
        .map(couple)
        .collect()
}

/// `.82 (.61 to .93)`; why there is no number.
fn estimate(of: &Estimate) -> String {
    let Some(value) = of.value else {
        let why = of.undefined.as_deref().unwrap_or("too few items");
        return format!("not defined ({why})");
    };
    match (of.low, of.high) {
        (Some(low), Some(high)) => {
            format!("{} ({} to {})", number(value), number(low), number(high))
        }
        _ => number(value),
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.replace("-0.", "-."),
    }
}

/// How a row of a list stands, as this person may see it: nobody sees what others said before they have voted.
pub(super) fn row(row: &Row<'_>, is_alone: bool) -> (&'static str, String) {
    match (row.mine.as_deref(), row.state) {
        _ if row.is_stale => ("open", "its text changed".to_owned()),
        (Some(mine), State::Disputed) => ("disputed", format!("disputed; yours: {mine}")),
        (Some(mine), _) => ("yours", format!("yours: {mine}")),
        (None, State::Disputed) => ("disputed", "disputed".to_owned()),
        (None, State::Decided) if is_alone => ("decided", "decided by others".to_owned()),
        (None, _) => ("open", "open for you".to_owned()),
    }
}

/// What stands under the title of a queue.
pub(super) fn facts(queue: &QueueSummary) -> Vec<String> {
    let count = |count: usize, word: &str| format!("{} {word}", thousands(count as u64));
    let mut facts = vec![
        format!("{} of {} yours", thousands(queue.mine as u64), thousands(queue.items as u64)),
        count(queue.decided, "decided"),
        count(queue.open, "open"),
    ];
    if queue.disputed > 0 {
        facts.push(count(queue.disputed, "disputed"));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.823, 1.0, -0.25, 0.0].map(number), [".82", "1.00", "-.25", ".00"]);
        let whole =
            Estimate { value: Some(0.5), low: Some(0.25), high: Some(0.75), undefined: None };
        assert_eq!(estimate(&whole), ".50 (.25 to .75)");
        let none =
            Estimate { value: None, low: None, high: None, undefined: Some("one voter".into()) };
        assert_eq!(estimate(&none), "not defined (one voter)");
    }

    #[test]
    fn rules_are_told() {
        let plain = rule(&ReviewRule::PLAIN);
        assert!(plain.starts_with("One vote decides"), "{plain}");
        let two = ReviewRule {
            rule: Verdict::Adjudicator,
            voters: 2,
            adjudicators: vec!["eve".into()],
            ..ReviewRule::PLAIN
        };
        assert_eq!(rule(&two), "An item needs 2 votes. Where people differ, eve settles it.");
    }
}
