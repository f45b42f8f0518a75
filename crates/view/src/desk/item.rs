//! An item: all that is needed to decide it and nothing more.

use serde::Serialize;
use storymill_core::{
    Decision, Fault, Review, ReviewField, ReviewForm, ReviewPassage, Said, SaidFields,
};
use storymill_review::{Sight, State as Standing, follows::follows};

use super::{
    App, Page, State, Told,
    ballot::{self, Form},
    lost,
    shape::{self, Choice, Shape, choices, shape, typed},
    shown, status,
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
    /// The paragraphs of the text that must be read to decide it.
    text: Vec<String>,
    /// What the page shows, as its form says it.
    shown: String,
    /// Why what was sent is not saved.
    refused: Option<Refused>,
}

#[derive(Serialize)]
struct Refused {
    what: String,
    hint: String,
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

impl Stale {
    fn of(old: &Decision, review: &Review, person: &str) -> Self {
        let by = if old.by.is_empty() { String::new() } else { format!(", by {}", old.by) };
        let changed = || edits(&old.shown, &review.shown());
        Self {
            said: format!("“{}”{by}", chosen(old, review)),
            note: old.note.clone(),
            then: if old.shown.is_empty() { Vec::new() } else { changed() },
            fits: carries(old, review),
            own: old.by == person,
        }
    }
}

pub(super) fn seen<'d>(state: &'d State, id: &str, settles: bool) -> Result<Sight<'d>, Fault> {
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
    drawn(app, state, id, settles, query, None)
}

/// The same page with what somebody sent and that is not saved, and why.
pub(super) fn back(
    app: &App,
    state: &State,
    id: &str,
    settles: bool,
    form: Form<'_>,
    fault: &Fault,
) -> Page {
    let page = drawn(app, state, id, settles, &Query::default(), Some((form, fault)))?;
    Ok(match page {
        Told::Page(reply) => Told::Page(crate::Reply { status: status(fault), ..reply }),
        gone @ Told::Go(_) => gone,
    })
}

fn drawn(
    app: &App,
    state: &State,
    id: &str,
    settles: bool,
    query: &Query,
    sent: Option<(Form<'_>, &Fault)>,
) -> Page {
    let sight = seen(state, id, settles)?;
    let review = &sight.item.review;
    let id = sight.id;
    let way =
        |id: Option<_>, name: &str| id.map(|id| Way::new(format!("q/{}/{id}", sight.queue), name));
    let may_settle =
        !settles && sight.own.is_some() && state.desk().dispute(id, &state.person).is_some();
    let own = if settles { None } else { sight.own };
    let path = if settles { format!("disputes/{id}") } else { format!("q/{}/{id}", sight.queue) };
    let step = query.get("around").and_then(|step| step.parse::<usize>().ok()).unwrap_or(0).min(9);
    let own_said = own.map(|own| &own.said);
    let marked = sent.and_then(|(form, _)| form.spans(review, own_said, &*app.books).ok());
    let marked = marked.unwrap_or_else(|| ballot::marked(review, own_said));
    let (passages, kept) = passages(app, &sight, &marked, step);
    let more = (!passages.is_empty() && text::is_more_than(step))
        .then(|| Way::new(format!("{path}?around={}", step + 1), "more of the book"));
    let own_choice = own.map_or("", |own| own.choice.as_str());
    let words: Vec<String> = sight.choices.iter().map(|one| one.choice.clone()).collect();
    let mut choices = choices(&words, own_choice, &review.default);
    for (choice, one) in choices.iter_mut().zip(&sight.choices) {
        choice.called.clone_from(&one.called);
        choice.follows = follows(&review.code, &one.choice).unwrap_or_default();
    }
    let mut form = shape(&review.form, own_said, &sight.choices);
    form.marked = shape::marked(marked.len());
    let mut note = own.map_or_else(String::new, |own| own.note.clone());
    if let Some((sent, _)) = sent {
        form = form.typed(sent);
        typed(&mut choices, sent, "choice");
        note = sent.get("note");
    }
    let (queue, place) = if settles {
        (Way::new("disputes", "disputes"), sight.title.to_owned())
    } else {
        let place = format!("{} of {}", sight.place, sight.of);
        (Way::new(format!("q/{}", sight.queue), sight.title), place)
    };
    let view = View {
        path,
        queue,
        place,
        before: if settles { None } else { way(sight.previous, "previous") },
        behind: if settles { None } else { way(sight.next, "next") },
        item: review.item.clone(),
        code: review.code.to_string(),
        step: sight.item.step.clone(),
        question: review.question.clone(),
        lines: lines(review, own_said),
        proposal: sight.proposal.unwrap_or_default().to_owned(),
        votes: votes(&sight, settles),
        state: stands(&sight, settles),
        settle: may_settle.then(|| Way::new(format!("disputes/{id}"), "Settle it")),
        adjudicates: settles,
        stale: sight.stale.map(|old| Stale::of(old, review, &state.person)),
        form,
        choices,
        note,
        passages,
        kept,
        more,
        text: paragraphs(&review.text),
        shown: shown::of(state, &sight, settles),
        refused: sent.map(|(_, fault)| Refused {
            what: fault.to_string(),
            hint: fault.hint.as_deref().unwrap_or_default().to_owned(),
        }),
    };
    app.drawn(state, query, "desk/item.html", &view)
}

/// The votes that are shown, in the order of names.
fn votes(sight: &Sight<'_>, settles: bool) -> Vec<Vote> {
    let vote = |vote: &Decision| Vote {
        by: if vote.by.is_empty() { "somebody".into() } else { vote.by.clone() },
        choice: sight.called(&vote.choice).to_owned(),
        note: vote.note.clone(),
    };
    let own_too = sight.own.into_iter().filter(|_| settles);
    let mut votes: Vec<Vote> =
        own_too.chain(sight.others.iter().flatten().copied()).map(vote).collect();
    votes.sort_by(|one, other| (&one.by, &one.choice).cmp(&(&other.by, &other.choice)));
    votes
}

fn paragraphs(text: &str) -> Vec<String> {
    let all = text.split("\n\n").filter(|one| !one.trim().is_empty());
    all.map(str::to_owned).collect()
}

/// Whether an earlier decision can be carried over: its choice is still there and stands for no text, and it marks no
/// places, for these have moved.
pub(super) fn carries(old: &Decision, review: &Review) -> bool {
    let marks = match &old.said {
        Said::Spans(_) | Said::Fields(SaidFields { spans: Some(_), .. }) => true,
        Said::Grounds(said) => !said.spans.is_empty(),
        _ => false,
    };
    review.choices.contains(&old.choice) && review.form.texts().is_empty() && !marks
}

/// What an earlier decision chose: a text where its letter stood for one.
fn chosen<'o>(old: &'o Decision, review: &Review) -> &'o str {
    let texts = review.form.texts();
    let is_text = texts.iter().any(|text| text.choice == old.choice);
    let own = |line: &'o str| line.strip_prefix(&*old.choice)?.strip_prefix(": ");
    let found = old.shown.lines().find_map(own).filter(|_| is_text);
    found.unwrap_or(&old.choice)
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
        (Standing::Decided, Some(taken)) => format!("Decided: {}.", sight.called(taken)),
        (Standing::Disputed, _) => "People differ on this item.".to_owned(),
        _ => "More votes are needed.".to_owned(),
    }
}

/// Passages of an item whose book is there, with what stands around them; and what the person has marked elsewhere.
fn passages(
    app: &App,
    sight: &Sight<'_>,
    marked: &[ReviewPassage],
    step: usize,
) -> (Vec<Passage>, Vec<String>) {
    let review = &sight.item.review;
    let mut left: Vec<&ReviewPassage> = marked.iter().collect();
    let mut all = Vec::new();
    for (at, passage) in review.passages.iter().enumerate() {
        let Some(whole) = app.books.text(&passage.book) else { continue };
        let (start, end) = (passage.span.start.symbol, passage.span.end.symbol);
        let (from, text) = text::around(&whole, &passage.span, step);
        let name = match passage.role.as_str() {
            "" => passage.book.clone(),
            // Nobody takes for evidence what was looked for by words.
            "same words" => format!("{} · a guess: a passage with the same words", passage.book),
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
