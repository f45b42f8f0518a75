//! The first page, queues, disputes, and what is said when a queue is empty.

use minijinja::context;
use serde::Serialize;
use storymill_core::Digest;
use storymill_review::{Filter, State as Standing};

use super::{App, Page, State, Told, lost, value, words};
use crate::{
    address::Query,
    numbers::thousands,
    pages::{Way, line},
};

/// Rows on a page of a list.
const ROWS: usize = 50;

#[derive(Serialize)]
struct QueueLine {
    way: Way,
    items: String,
    open: String,
    disputed: String,
    decided: String,
    mine: String,
    agreement: String,
}

/// The first page: who decides, and what there is to decide.
pub(super) fn start(app: &App, state: &State, query: &Query) -> Page {
    let (desk, person) = (state.desk(), state.person.as_str());
    let summaries = desk.queues(person);
    let number = |count: usize| thousands(count as u64);
    let queues: Vec<QueueLine> = summaries
        .iter()
        .map(|queue| QueueLine {
            way: Way::new(format!("q/{}", queue.name), queue.title),
            items: number(queue.items),
            open: number(queue.open),
            disputed: number(queue.disputed),
            decided: number(queue.decided),
            mine: number(queue.mine),
            agreement: words::agreements(&desk.agreement(queue.name)),
        })
        .collect();
    let values = context! {
        sentence => words::waiting(&summaries),
        queues => value(&queues),
        on => value(&on(state, None)),
        disputes => words::disputes(desk, person),
        rule => words::rule(desk.decisions().rule()),
        names => app.setting.names.as_str(),
        warnings => value(&app.setting.warnings),
    };
    app.page(state, query, "desk/start.html", values)
}

/// The first item that the person has not voted on, of a queue or of all.
fn on(state: &State, queue: Option<&str>) -> Option<Way> {
    let (desk, person) = (state.desk(), state.person.as_str());
    let queues = desk.queues(person).into_iter();
    let mut wanted = queues.filter(|one| queue.is_none_or(|queue| one.name == queue));
    wanted.find_map(|one| {
        let id = desk.next(one.name, person, None)?;
        Some(Way::new(format!("q/{}/{id}", one.name), one.title))
    })
}

#[derive(Serialize)]
struct Chosen {
    way: Way,
    chosen: bool,
}

#[derive(Serialize)]
struct RowLine {
    way: Way,
    is: &'static str,
    state: String,
    line: String,
}

/// A queue: its items, page by page.
pub(super) fn queue(app: &App, state: &State, name: &str, query: &Query) -> Page {
    let (desk, person) = (state.desk(), state.person.as_str());
    let progress = desk.progress(name, person).filter(|progress| progress.queue.items > 0);
    let Some(progress) = progress else { return Err(lost("there is no such queue")) };
    let shown = query.get("show").unwrap_or("all");
    let filter = |word: &str| match word {
        "todo" => Filter::Todo,
        "mine" => Filter::Mine,
        "open" => Filter::In(Standing::Open),
        "disputed" => Filter::In(Standing::Disputed),
        "changed" => Filter::Stale,
        _ => Filter::All,
    };
    let from: usize = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let many = desk.count(name, person, filter(shown));
    let from = from.min(many.saturating_sub(1));
    let rows = desk.page(name, person, filter(shown), from, ROWS);
    let is_alone = desk.decisions().rule().voters <= 1;
    let path = |show: &str, from: usize| match from {
        0 => format!("q/{name}?show={show}"),
        from => format!("q/{name}?show={show}&from={from}"),
    };
    let word = |word: &str, said: &str| {
        let count = desk.count(name, person, filter(word));
        let way = Way::new(path(word, 0), format!("{said} {}", thousands(count as u64)));
        (count > 0 || word == "all").then_some(Chosen { way, chosen: word == shown })
    };
    let filters: Vec<Chosen> = [
        ("all", "all"),
        ("todo", "not yet yours"),
        ("mine", "yours"),
        ("open", "open"),
        ("disputed", "disputed"),
        ("changed", "text changed"),
    ]
    .into_iter()
    .filter_map(|(one, said)| word(one, said))
    .collect();
    let lines: Vec<RowLine> = rows
        .iter()
        .map(|row| {
            let (is, state) = words::row(row, is_alone);
            let way = Way::new(format!("q/{name}/{}", row.id), row.item.review.item.clone());
            RowLine { way, is, state, line: row.line.clone() }
        })
        .collect();
    let mut facts = words::facts(&progress.queue);
    facts.extend(words::couples(&desk.agreement(name)));
    let last = (from + rows.len()).min(many);
    let page = |from: usize, name: &str| Way::new(path(shown, from), name);
    let previous = (from > 0).then(|| page(from.saturating_sub(ROWS), "previous page"));
    let following = (last < many).then(|| page(from + ROWS, "next page"));
    let values = context! {
        name => progress.queue.title,
        progress => context! { mine => progress.queue.mine, items => progress.queue.items },
        facts => value(&facts),
        on => value(&on(state, Some(name)).map(|way| Way { name: "Decide the next one".into(), ..way })),
        filters => value(&filters),
        rows => value(&lines),
        place => if many > ROWS { format!("{} to {} of {}", thousands(from as u64 + 1), thousands(last as u64), thousands(many as u64)) } else { String::new() },
        before => value(&previous),
        behind => value(&following),
    };
    app.page(state, query, "desk/queue.html", values)
}

/// What is said when nothing of a queue is left for a person.
pub(super) fn done(app: &App, state: &State, name: &str, query: &Query) -> Page {
    let (desk, person) = (state.desk(), state.person.as_str());
    let Some(progress) = desk.progress(name, person) else {
        return Err(lost("there is no such queue"));
    };
    if desk.next(name, person, None).is_some() {
        return Ok(Told::Go(format!("q/{name}")));
    }
    let queue = Way::new(format!("q/{name}"), progress.queue.title);
    let values = context! {
        name => progress.queue.title,
        queue => value(&queue),
        facts => value(&words::facts(&progress.queue)),
        on => value(&on(state, None)),
        disputes => words::disputes(desk, person),
        uses => app.setting.uses.as_str(),
    };
    app.page(state, query, "desk/done.html", values)
}

#[derive(Serialize)]
struct Dispute {
    way: Way,
    queue: &'static str,
    votes: String,
    line: String,
}

/// What people differ on. Votes are shown to those who may settle it.
pub(super) fn disputes(app: &App, state: &State, query: &Query) -> Page {
    let (desk, person) = (state.desk(), state.person.as_str());
    let rule = desk.decisions().rule();
    let may = rule.may_adjudicate(person);
    let all = if may { desk.disputes() } else { Vec::new() };
    let row = |id: &Digest| {
        let sight = desk.dispute(*id, person)?;
        let votes = sight.own.into_iter().chain(sight.others.iter().flatten().copied());
        let mut votes: Vec<String> =
            votes.map(|vote| format!("{}: {}", vote.by, sight.called(&vote.choice))).collect();
        votes.sort();
        Some(Dispute {
            way: Way::new(format!("disputes/{id}"), sight.item.review.item.clone()),
            queue: sight.title,
            votes: votes.join(", "),
            line: line(&sight.excerpt(), 120),
        })
    };
    let rows: Vec<Dispute> = all.iter().take(200).filter_map(row).collect();
    let sentence = match all.len() {
        0 => "Nothing to settle".to_owned(),
        1 => "1 item is disputed".to_owned(),
        many => format!("{} items are disputed", thousands(many as u64)),
    };
    let who = if may {
        words::rule(rule)
    } else {
        format!("These people settle disputes: {}.", rule.adjudicators.join(", "))
    };
    let on = rows.first().map(|row| Way::new(row.way.path.clone(), "Settle the first one"));
    app.page(
        state,
        query,
        "desk/disputes.html",
        context! { sentence, who, rows => value(&rows), on => value(&on) },
    )
}
