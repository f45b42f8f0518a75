//! What a page showed when it was made: who decides, the item, their own vote, and what others said where that matters.
//! A form says it again, so that an old page does not take the place of what was said since.

use storymill_core::{Digest, Fault, FaultKind};
use storymill_review::Sight;

use super::State;
pub(super) use super::fields::SHOWN as FIELD;

/// What a page shows, as its form says it.
pub(super) fn of(state: &State, sight: &Sight<'_>, settles: bool) -> String {
    parts(state, sight, settles).join(".")
}

fn parts(state: &State, sight: &Sight<'_>, settles: bool) -> [String; 4] {
    let review = &sight.item.review;
    let own = sight.own.map_or_else(|| "none".to_owned(), |own| own.id().short());
    let decisions = state.desk().decisions();
    // Where each has a vote of their own, it is no matter what others have said.
    let matters = settles || decisions.rule().voters <= 1;
    let mut others: Vec<Digest> = Vec::new();
    if matters {
        let all = decisions.on(review).filter(|line| line.by != state.person);
        others.extend(all.map(storymill_core::Decision::id));
    }
    others.sort_unstable();
    let others = Digest::of_parts("storymill page v1", others.iter().map(|id| &id.as_bytes()[..]));
    [person(state), review.seen().short(), own, others.short()]
}

/// Whoever decides, as a form says it.
pub(super) fn person(state: &State) -> String {
    Digest::of(state.person.as_bytes()).short()
}

/// Whether a page was made for whoever decides now.
pub(super) fn is_of(state: &State, shown: &str) -> bool {
    shown.split('.').next() == Some(person(state).as_str())
}

/// Refuses what comes from a page on which something else stood.
pub(super) fn check(
    state: &State,
    sight: &Sight<'_>,
    settles: bool,
    shown: &str,
) -> Result<(), Fault> {
    let now = parts(state, sight, settles);
    let then: Vec<&str> = shown.split('.').collect();
    let differs = |at: usize| then.get(at) != Some(&now[at].as_str());
    let own = sight.own.map(|own| sight.called(&own.choice));
    let what = match (0..now.len()).find(|at| differs(*at)) {
        None => return Ok(()),
        Some(0) => format!("you decide as `{}` by now", state.person),
        Some(1) => "the item has changed since this page was made".to_owned(),
        Some(2) => match own {
            Some(own) => format!("you have decided this item since this page was made: {own}"),
            None => "you have taken your decision back since this page was made".to_owned(),
        },
        Some(_) => "somebody else has decided this item since this page was made".to_owned(),
    };
    // What was typed stands on a page that shows how it is now.
    Err(Fault::new(FaultKind::Again, what).hint("if it still holds, save it again"))
}
