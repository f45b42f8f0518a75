//! What a person sent of an item: saved, or sent back with the reason.

use storymill_core::{Decision, Fault, Protocol};
use storymill_review::{Ballot, Sight};

use super::{
    App, Page, State, Told,
    ballot::Form,
    item::{back, carries, seen},
    lost, shown,
};

/// Takes what a person sent of an item, and goes on to the next one. What cannot be saved comes back with the reason.
pub(super) fn take(app: &App, state: &mut State, id: &str, settles: bool, form: Form<'_>) -> Page {
    let drops = form.get("do") == "drop";
    let saved = said(app, state, id, settles, form).and_then(|lines| state.kept.save(&lines));
    if let Err(fault) = saved {
        // Of an item that is gone there is no page: that is told.
        seen(state, id, settles)?;
        return back(app, state, id, settles, form, &fault);
    }
    let sight = seen(state, id, false)?;
    let (id, queue) = (sight.id, sight.queue);
    if drops {
        return Ok(Told::Go(format!("q/{queue}/{id}?dropped={id}")));
    }
    let next = if settles {
        let first = state.desk().disputes().first().copied();
        first.map_or_else(|| "disputes".to_owned(), |next| format!("disputes/{next}"))
    } else {
        let next = state.desk().next(queue, &state.person, Some(id));
        next.map_or_else(|| format!("q/{queue}/done"), |next| format!("q/{queue}/{next}"))
    };
    Ok(Told::Go(format!("{next}?saved={id}")))
}

/// The lines that a form says, checked and not yet saved; none where they are saved already.
pub(super) fn said(
    app: &App,
    state: &State,
    id: &str,
    settles: bool,
    form: Form<'_>,
) -> Result<Vec<Decision>, Fault> {
    let sight = seen(state, id, settles)?;
    let (id, person) = (sight.id, state.person.as_str());
    let cast = form.ballot(&sight, &*app.books)?;
    let act = form.get("do");
    if let Some(shown) = form.sent(shown::FIELD) {
        let says_so = |own: &Decision| {
            (&own.choice, &own.said, &own.note) == (&cast.choice, &cast.said, &cast.note)
        };
        // What was saved although the answer was lost is not saved twice.
        if act.is_empty()
            && !settles
            && sight.own.is_some_and(says_so)
            && shown::is_of(state, &shown)
        {
            return Ok(Vec::new());
        }
        shown::check(state, &sight, settles, &shown)?;
    }
    match act.as_str() {
        "" => {
            if cast.choice.is_empty() {
                let words: Vec<&str> = sight.choices.iter().map(|one| &*one.called).collect();
                let fault = lost("nothing is chosen");
                return Err(fault.hint(format!("choose {}", words.join(", "))));
            }
            let cast = Ballot { protocol: protocol(state, &sight), ..cast };
            Ok(vec![if settles {
                state.desk().adjudicate(person, id, Ballot { protocol: String::new(), ..cast })?
            } else {
                state.desk().vote(person, id, cast)?
            }])
        }
        "drop" | "carry" if is_more(form, &cast, sight.own) => {
            let fault = lost("what you chose or wrote on this page would be lost");
            Err(fault.hint(
                "save it; or open the item anew, and carry the earlier decision over or drop it",
            ))
        }
        "drop" => {
            let lines = state.desk().drop_stale(person, id);
            if lines.is_empty() {
                let fault = lost("the earlier decision is not yours");
                return Err(fault.hint("decide the item, and yours takes its place"));
            }
            Ok(lines)
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
                protocol: protocol(state, &sight),
                ..cast
            };
            Ok(vec![state.desk().vote(person, id, cast)?])
        }
        other => Err(lost(&format!("there is no way to `{other}` an item"))),
    }
}

/// Whether a form says more than what its person has said before.
fn is_more(form: Form<'_>, cast: &Ballot, own: Option<&Decision>) -> bool {
    let own = |get: fn(&Decision) -> &str| own.map_or("", get);
    let choice = !cast.choice.is_empty() && cast.choice != own(|own| &own.choice);
    let note = form.sent("note").is_some() && cast.note != own(|own| &own.note);
    choice || note || !cast.said.is_nothing()
}

/// How a vote is reached, where that is more than one person who decides.
fn protocol(state: &State, sight: &Sight<'_>) -> String {
    let rule = state.desk().decisions().rule();
    let alone = rule.voters <= 1 && rule.protocol == Protocol::Independent && !sight.has_proposal;
    if alone { String::new() } else { rule.protocol.name().to_owned() }
}
