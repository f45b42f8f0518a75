//! An item: all that is needed to decide it and nothing more.

use serde::Serialize;
use storymill_core::{
    Decision, Protocol, Review, ReviewField, ReviewForm, ReviewPassage, Said, SaidFields,
};
use storymill_review::{Ballot, Sight, State as Standing};

use super::{
    App, Page, State, Told,
    ballot::{self, Form},
    lost,
    shape::{Choice, Shape, choices, shape},
    text::{self, Passage},
};
use crate::{
    address::Query,
    marks::{Piece, edits},
    pages::Way,
};

#[derive(Serialize)]
struct View {
    /// Where the form goes.
    path: String,
    queue: Way,
    place: String,
    before: Option<Way>,
    behind: Option<Way>,
    item: String,
    code: String,
    step: String,
    question: String,
    lines: Vec<String>,
    proposal: String,
    votes: Vec<Vote>,
    state: String,
    settle: Option<Way>,
    adjudicates: bool,
    stale: Option<Stale>,
    form: Shape,
    choices: Vec<Choice>,
    note: String,
    passages: Vec<Passage>,
    /// What the person has marked and this page does not show, as forms say it: it stays.
    kept: Vec<String>,
    /// The same page with more of the book.
    more: Option<Way>,
}

#[derive(Serialize)]
struct Vote {
    by: String,
    choice: String,
    note: String,
}

#[derive(Serialize)]
struct Stale {
    said: String,
    note: String,
    /// The text that it was made on beside the one that stands there now; empty where nobody kept it.
    then: Vec<Piece>,
    /// Whether the choice is one that the item has.
    fits: bool,
    own: bool,
}

fn seen<'d>(state: &'d State, id: &str, settles: bool) -> Result<Sight<'d>, storymill_core::Fault> {
    let id = state.id(id)?;
    if settles {
        let may = state.desk().decisions().rule().may_adjudicate(&state.person);
        let why = if may { "there is no such dispute" } else { "you do not settle disputes here" };
        return state.desk().dispute(id, &state.person).ok_or_else(|| lost(why));
    }
    state.desk().sight(id, &state.person).ok_or_else(|| lost("there is no such item"))
}

/// The page of an item; `settles` for an adjudicator, who sees all votes.
pub(super) fn page(app: &App, state: &State, id: &str, settles: bool, query: &Query) -> Page {
    let sight = seen(state, id, settles)?;
    let review = &sight.item.review;
    let id = sight.id;
    let way =
        |id: Option<_>, name: &str| id.map(|id| Way::new(format!("q/{}/{id}", sight.queue), name));
    let vote = |vote: &Decision| Vote {
        by: if vote.by.is_empty() { "somebody".into() } else { vote.by.clone() },
        choice: vote.choice.clone(),
        note: vote.note.clone(),
    };
    let own_too = sight.own.into_iter().filter(|_| settles);
    let mut votes: Vec<Vote> =
        own_too.chain(sight.others.iter().flatten().copied()).map(vote).collect();
    votes.sort_by(|one, other| (&one.by, &one.choice).cmp(&(&other.by, &other.choice)));
    let may_settle =
        !settles && sight.own.is_some() && state.desk().dispute(id, &state.person).is_some();
    let own = if settles { None } else { sight.own };
    let path = if settles { format!("disputes/{id}") } else { format!("q/{}/{id}", sight.queue) };
    let step = query.get("around").and_then(|step| step.parse::<usize>().ok()).unwrap_or(0).min(9);
    let (passages, kept) = passages(app, &sight, own.map(|own| &own.said), step);
    let more = (!passages.is_empty() && text::is_more_than(step))
        .then(|| Way::new(format!("{path}?around={}", step + 1), "more of the book"));
    let view = View {
        path,
        queue: if settles {
            Way::new("disputes", "disputes")
        } else {
            Way::new(format!("q/{}", sight.queue), sight.title)
        },
        place: if settles {
            sight.title.to_owned()
        } else {
            format!("{} of {}", sight.place, sight.of)
        },
        before: if settles { None } else { way(sight.previous, "previous") },
        behind: if settles { None } else { way(sight.next, "next") },
        item: review.item.clone(),
        code: review.code.to_string(),
        step: sight.item.step.clone(),
        question: review.question.clone(),
        lines: lines(review, own.map(|own| &own.said)),
        proposal: sight.proposal.unwrap_or_default().to_owned(),
        votes,
        state: stands(&sight, settles),
        settle: may_settle.then(|| Way::new(format!("disputes/{id}"), "Settle it")),
        adjudicates: settles,
        stale: sight.stale.map(|old| Stale {
            said: match old.by.as_str() {
                "" => format!("“{}”", old.choice),
                by => format!("“{}”, by {by}", old.choice),
            },
            note: old.note.clone(),
            then: if old.shown.is_empty() {
                Vec::new()
            } else {
                edits(&old.shown, &review.shown())
            },
            fits: carries(old, review),
            own: old.by == state.person,
        }),
        form: shape(&review.form, own.map(|own| &own.said), &sight.choices),
        choices: choices(&sight.choices, own.map_or("", |own| &own.choice), &review.default),
        note: own.map_or_else(String::new, |own| own.note.clone()),
        passages,
        kept,
        more,
    };
    app.drawn(state, query, "desk/item.html", &view)
}

/// Whether an earlier decision can be carried over: its choice is still there and stands for no text, and it marks no
/// places, for these have moved.
fn carries(old: &Decision, review: &Review) -> bool {
    let marks = match &old.said {
        Said::Spans(_) | Said::Fields(SaidFields { spans: Some(_), .. }) => true,
        Said::Grounds(said) => !said.spans.is_empty(),
        _ => false,
    };
    review.choices.contains(&old.choice) && review.form.texts().is_empty() && !marks
}

/// The lines of an item. What stands in its fields as it was is not shown twice.
fn lines(review: &Review, said: Option<&Said>) -> Vec<String> {
    let fields: &[ReviewField] = match (&review.form, said) {
        (ReviewForm::Fields { .. }, Some(Said::Fields(own))) if !own.values.is_empty() => &[],
        (ReviewForm::Fields { fields, .. }, _) => &fields[..],
        _ => &[],
    };
    let in_field = |line: &str| {
        let mut texts = fields.iter().map(|field| field.text.trim());
        texts.any(|text| !text.is_empty() && line.ends_with(text))
    };
    let lines = review.excerpt.lines().filter(|line| !line.trim().is_empty());
    lines.filter(|line| !in_field(line.trim_end())).map(str::to_owned).collect()
}

/// How an item stands, for whoever may know.
fn stands(sight: &Sight<'_>, settles: bool) -> String {
    if sight.own.is_none() && !settles {
        let hidden = sight.has_proposal && sight.proposal.is_none();
        let said = if hidden { "What a model proposes is shown after your own vote." } else { "" };
        return said.to_owned();
    }
    match (sight.state, sight.taken) {
        (Standing::Decided, Some(taken)) => format!("Decided: {taken}."),
        (Standing::Disputed, _) => "People differ on this item.".to_owned(),
        _ => "More votes are needed.".to_owned(),
    }
}

/// Passages of an item whose book is there, with what stands around them; and what the person has marked elsewhere.
fn passages(
    app: &App,
    sight: &Sight<'_>,
    said: Option<&Said>,
    step: usize,
) -> (Vec<Passage>, Vec<String>) {
    let review = &sight.item.review;
    let marked = ballot::marked(review, said);
    let mut left: Vec<&ReviewPassage> = marked.iter().collect();
    let mut all = Vec::new();
    for (at, passage) in review.passages.iter().enumerate() {
        let Some(whole) = app.books.text(&passage.book) else { continue };
        let (start, end) = (passage.span.start.symbol, passage.span.end.symbol);
        let (from, text) = text::around(&whole, &passage.span, step);
        let name = match passage.role.as_str() {
            "" => passage.book.clone(),
            role => format!("{} · {}", passage.book, role.replace('-', " ")),
        };
        let place = text::Shown { at, book: &passage.book, name, from, text };
        all.push(if review.form.takes_evidence() && place.is_selectable() {
            // What stands in two passages belongs to the first of them.
            let (own, others) = left.into_iter().partition(|one| place.holds(one));
            left = others;
            place.selectable(&own)
        } else if review.form.takes_evidence() {
            let own = left.iter().filter(|one| place.holds(one));
            place.read(&own.map(|one| symbols(one)).collect::<Vec<_>>())
        } else {
            place.read(&[(start, end)])
        });
    }
    (all, left.into_iter().map(text::named).collect())
}

fn symbols(passage: &ReviewPassage) -> (u32, u32) {
    (passage.span.start.symbol, passage.span.end.symbol)
}

/// Takes what a person sent of an item, and goes on to the next one.
pub(super) fn take(app: &App, state: &mut State, id: &str, settles: bool, form: Form<'_>) -> Page {
    let sight = seen(state, id, settles)?;
    let (id, queue) = (sight.id, sight.queue);
    let person = state.person.clone();
    let lines = match form.get("do").as_str() {
        "drop" => {
            let lines = state.desk().drop_stale(&person, id);
            if lines.is_empty() {
                let fault = lost("the earlier decision is not yours");
                return Err(fault.hint("decide the item, and yours takes its place"));
            }
            state.kept.save(&lines)?;
            return Ok(Told::Go(format!("q/{queue}/{id}?dropped={id}")));
        }
        "carry" => {
            let fits = |old: &&Decision| carries(old, &sight.item.review);
            let Some(old) = sight.stale.filter(fits) else {
                return Err(lost("there is no earlier decision to carry over"));
            };
            let cast = Ballot {
                choice: old.choice.clone(),
                said: old.said.clone(),
                note: old.note.clone(),
                seconds: form.get("seconds").parse().unwrap_or(0),
                proposal_shown: sight.proposal.is_some(),
                protocol: protocol(state, &sight),
            };
            vec![state.desk().vote(&person, id, cast)?]
        }
        _ => {
            let cast =
                Ballot { protocol: protocol(state, &sight), ..form.ballot(&sight, &*app.books) };
            vec![if settles {
                state.desk().adjudicate(&person, id, Ballot { protocol: String::new(), ..cast })?
            } else {
                state.desk().vote(&person, id, cast)?
            }]
        }
    };
    state.kept.save(&lines)?;
    let next = if settles {
        let first = state.desk().disputes().first().copied();
        first.map_or_else(|| "disputes".to_owned(), |next| format!("disputes/{next}"))
    } else {
        let next = state.desk().next(queue, &person, Some(id));
        next.map_or_else(|| format!("q/{queue}/done"), |next| format!("q/{queue}/{next}"))
    };
    Ok(Told::Go(format!("{next}?saved={id}")))
}

/// How a vote is reached, where that is more than one person who decides.
fn protocol(state: &State, sight: &Sight<'_>) -> String {
    let rule = state.desk().decisions().rule();
    let alone = rule.voters <= 1 && rule.protocol == Protocol::Independent && !sight.has_proposal;
    if alone { String::new() } else { rule.protocol.name().to_owned() }
}
