//! What a workflow will ask in all, and about what it will cost: for `plan --cost` and after a pilot.

use std::io::Write;

use serde_json::json;
use storymill::{Bill, whole};
use storymill_llm::{Usd, forecast::of_symbols};

use crate::{
    args::Models,
    next::Next,
    report,
    table::{Table, plural},
};

/// The whole of it, as lines. `file` is the workflow's, where there is one.
pub(super) fn show(
    bill: &Bill,
    out: &mut impl Write,
    next: Option<Next<'_>>,
) -> std::io::Result<()> {
    for next in &bill.next {
        writeln!(out, "{} asks `{}` next: {}", next.stage, next.model, next.shown())?;
    }
    if bill.estimates.is_empty() {
        return writeln!(out, "no model is asked next");
    }
    let mut table = Table::new(&[
        "estimate",
        "model",
        ">next wave",
        ">later",
        ">in all",
        ">tokens in",
        ">tokens out",
        ">cost",
    ]);
    for (one, cost) in &bill.estimates {
        let all = whole(one);
        table.row([
            one.step.clone(),
            one.model.clone(),
            one.next.answers.to_string(),
            one.later.answers.to_string(),
            all.answers.to_string(),
            of_symbols(all.symbols_in).to_string(),
            of_symbols(all.symbols_out).to_string(),
            cost.map_or("no price".to_owned(), about),
        ]);
    }
    write!(out, "\n{table}")?;
    let all = bill.all();
    let cost = bill.usd().map_or("no price known".to_owned(), about);
    writeln!(
        out,
        "in all about {}, {} in and {} out, {cost}",
        plural(all.answers, "request"),
        plural(of_symbols(all.symbols_in), "token"),
        of_symbols(all.symbols_out),
    )?;
    let known = bill.known();
    if known.answers() > 0 {
        let refused = match known.refused {
            1 => "1 was".to_owned(),
            refused => format!("{refused} were"),
        };
        let answers = plural(known.answers(), "answer");
        writeln!(out, "estimated from {answers} so far, of which {refused} refused")?;
    }
    let unknown = bill.estimates.iter().filter(|(one, _)| one.known.answers() == 0);
    let unknown: Vec<_> = unknown.map(|(one, _)| format!("`{}`", one.step)).collect();
    if !unknown.is_empty() {
        let pilot = |next: Next<'_>| format!("; `{}` measures it", next.build("--pilot 20"));
        writeln!(
            out,
            "no answer is known yet for {}: estimated as if each question were asked once{}",
            unknown.join(", "),
            next.map(pilot).unwrap_or_default()
        )?;
    }
    Ok(())
}

/// Says that a limit on money will stop a run at once where no price is known.
pub(super) fn warn_unpriced(bill: &Bill, models: &Models) {
    if models.max_usd.is_some() && !bill.next.is_empty() && bill.usd().is_none() {
        report::warn(
            "a model has no price, so `--max-usd` will stop the run before anything is asked",
        );
        report::hint(
            "name a table of prices with `--prices`: docs/providers.md has one for each provider",
        );
    }
}

/// The same as JSON.
pub(super) fn as_json(bill: &Bill) -> serde_json::Value {
    let estimates = bill.estimates.iter().map(|(one, micro_usd)| {
        let all = whole(one);
        json!({
            "step": one.step, "model": one.model,
            "next_requests": one.next.answers, "later_requests": one.later.answers, "requests": all.answers,
            "prompt_tokens": of_symbols(all.symbols_in), "completion_tokens": of_symbols(all.symbols_out),
            "micro_usd": micro_usd, "answers_known": one.known.answers(), "answers_refused": one.known.refused,
        })
    });
    let all = bill.all();
    json!({
        "next_requests": bill.next,
        "estimates": estimates.collect::<Vec<_>>(),
        "in_all": {
            "requests": all.answers, "prompt_tokens": of_symbols(all.symbols_in),
            "completion_tokens": of_symbols(all.symbols_out), "micro_usd": bill.usd(),
        },
    })
}

fn about(usd: Usd) -> String {
    format!("about {}", usd.about())
}
