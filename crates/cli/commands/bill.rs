//! What a workflow will ask in all, and about what it will cost: for `plan --cost` and after a pilot.

use std::{io::Write, time::Duration};

use serde_json::{Value, json};
use storymill::{Asked, Bill, Pace};
use storymill_llm::{Cost, Forecast, Usage};

use crate::{
    args::Models,
    next::Next,
    progress::about,
    report,
    table::{Table, plural},
};

/// The whole of it, as lines. `file` is the workflow's, where there is one.
pub(super) fn show(
    bill: &Bill,
    out: &mut impl Write,
    next: Option<Next<'_>>,
) -> std::io::Result<()> {
    for ((step, model), next) in &bill.next {
        writeln!(out, "{step} asks `{model}` next: {next}")?;
    }
    if bill.estimates.is_empty() {
        return writeln!(out, "no model is asked next");
    }
    let rows = bill.estimates.iter().map(|(one, cost)| {
        let counts = [one.next.answers, one.later.answers, cost.answers];
        let [next, later, all] = counts.map(|count| count.to_string());
        ([one.step.clone(), one.model.clone(), next, later, all], *cost)
    });
    let head = ["estimate", "model", ">next wave", ">later", ">in all"];
    write!(out, "\n{}", Table::of_costs(head, true, rows))?;
    let all = bill.all();
    writeln!(out, "in all about {}, {all:#}", plural(all.answers, "request"))?;
    let known = bill.known();
    if known.answers() > 0 {
        let refused = match known.refused {
            1 => "1 was".to_owned(),
            refused => format!("{refused} were"),
        };
        let answers = plural(known.answers(), "answer");
        writeln!(out, "estimated from {answers} so far, of which {refused} refused")?;
    }
    if let Some(pace) = &bill.pace {
        writeln!(out, "{} left: {}", plural(pace.requests, "request"), paced(pace))?;
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

/// How long it goes on like that, and what it is reckoned from.
pub(super) fn paced(pace: &Pace) -> String {
    let each = Duration::from_millis(pace.millis / pace.answers.max(1)).as_secs_f64();
    let known = plural(pace.answers, "answer");
    format!("{} at the pace so far ({known}, {each:.1} s each)", about(pace.left))
}

/// The same as JSON: seconds, and the answers that they are reckoned from; null where nobody can say.
pub(super) fn paced_json(pace: Option<&Pace>) -> Value {
    json!(pace.map(|pace| json!({
        "requests": pace.requests, "seconds": pace.left.as_secs(), "answers_timed": pace.answers,
    })))
}

/// How much of what was sent came from caches, and how much was expected to; none where there are no caches.
pub(super) fn caches(asked: &Asked) -> Option<String> {
    let (paid, expected) = (asked.cost().usage, asked.expected.usage);
    let share = |usage: Usage| (usage.cached * 100).checked_div(usage.prompt).unwrap_or_default();
    (paid.cached + expected.cached > 0).then(|| {
        let read = plural(paid.prompt, "token");
        let (share, forecast) = (share(paid), share(expected));
        format!("{} of {read} in, {share} %, came from caches; forecast: {forecast} %", paid.cached)
    })
}

/// Says that a limit on money will stop a run at once where no price is known.
pub(super) fn warn_unpriced(bill: &Bill, models: &Models) {
    if models.max_usd.is_some() && !bill.next.is_empty() && bill.all().known_usd().is_none() {
        report::warn(
            "a model has no price, so `--max-usd` will stop the run before anything is asked",
        );
        report::hint(match models.prices {
            Some(_) => "add it to the table of prices",
            None => {
                "name a table of prices with `--prices`: docs/providers.md has one for each provider"
            }
        });
    }
}

/// The same as JSON.
pub(super) fn as_json(bill: &Bill) -> Value {
    let of = |cost: &Cost, mut value: Value| {
        value["prompt_tokens"] = cost.usage.prompt.into();
        value["cached_tokens"] = cost.usage.cached.into();
        value["completion_tokens"] = cost.usage.completion.into();
        value["requests"] = cost.answers.into();
        value["micro_usd"] = json!(cost.known_usd());
        value
    };
    let next = bill.next.iter().map(|((step, model), Forecast { once, most })| {
        let usd = Cost { usd: most.usd, ..*once };
        of(&usd, json!({ "stage": step, "model": model, "most_requests": most.answers }))
    });
    let estimates = bill.estimates.iter().map(|(one, cost)| {
        let value = json!({
            "step": one.step, "model": one.model,
            "next_requests": one.next.answers, "later_requests": one.later.answers,
            "answers_known": one.known.answers(), "answers_refused": one.known.refused,
        });
        of(cost, value)
    });
    json!({
        "next_requests": next.collect::<Vec<_>>(), "estimates": estimates.collect::<Vec<_>>(),
        "in_all": of(&bill.all(), json!({})), "pace": paced_json(bill.pace.as_ref()),
    })
}
