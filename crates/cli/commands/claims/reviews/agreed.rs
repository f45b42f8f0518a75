//! `review SET --agreement`: how far readers of a set agree, and how many explanations of right verdicts are right.

use std::io::Write;

use serde_json::json;
use storymill::OpenDesk;
use storymill_claims::deciding::{
    explained::EXPLANATION,
    judged::{Judged, judged},
    votes::scopes_of_set,
};

use super::{super::super::review::table, Asked, Home};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plural},
};

pub(super) fn run(
    args: &args::Review,
    home: &Home,
    asked: &Asked,
    mut open: OpenDesk,
) -> Result<Exit, Failure> {
    // The set's own scopes are compared as one more reader's.
    for line in scopes_of_set(&home.set) {
        open.desk.take(line);
    }
    let mut queues = table::by_queue(&open.desk, "");
    queues.retain(|one| !one.agreement.voters.is_empty());
    let explained = match &asked.answers {
        Some(answers) => judged(&home.set, answers, &asked.decisions),
        None => Vec::new(),
    };
    if asked.answers.is_none() {
        let said = asked.decisions.idle([]).filter(|line| line.code == EXPLANATION).count();
        if said > 0 {
            let said = plural(said as u64, "decision");
            report::warn(&format!(
                "{said} on explanations left out: `--results` names the answers that they are about"
            ));
        }
    }
    if args.format == Format::Json {
        let told = json!({ "queues": queues, "explanations": explained });
        return super::super::super::json(&told);
    }
    let mut out = crate::screen::out();
    write!(out, "{}", table::shown(&queues))?;
    if !explained.is_empty() {
        write!(out, "\n{}", table_of(&explained))?;
    }
    Ok(DONE)
}

/// Explanations of right verdicts, model by model.
fn table_of(explained: &[Judged]) -> Table {
    let head = [
        "model",
        ">explained",
        ">right",
        ">interval",
        ">partly",
        ">wrong",
        ">nothing",
        ">disputed",
    ];
    let mut table = Table::new(&head);
    for one in explained {
        let interval = one.interval.map_or_else(
            || "-".to_owned(),
            |interval| format!("{:.2} to {:.2}", interval.low, interval.high),
        );
        table.row([
            one.system.clone(),
            one.explained.to_string(),
            format!("{} of {}", one.right.correct, one.right.total),
            interval,
            one.partly.to_string(),
            one.wrong.to_string(),
            one.nothing.to_string(),
            one.disputed.to_string(),
        ]);
    }
    table
}
