//! What people say: checked, and made into lines that are not yet saved.

use storymill_core::{Decision, Digest, Fault, Review};

use super::{Desk, State};
use crate::{
    Ballot,
    ballot::{LONGEST, check_person, input},
};

impl Desk {
    /// A vote of a person on an item, in the place of their own before. It is checked, and not yet saved.
    ///
    /// # Errors
    ///
    /// There is no such item, the person wrote what is judged, or the ballot says what cannot be said of it.
    pub fn vote(&self, person: &str, id: Digest, cast: Ballot) -> Result<Decision, Fault> {
        check_person(person)?;
        let at = self.at(id)?;
        let placed = &self.items[at];
        let review = &placed.item.review;
        not_own(review, person)?;
        cast.check(review)?;
        let mut line = Decision::vote(review, &cast.choice, person, &cast.note, &self.decisions);
        // A vote on the new text takes the place of one on the old.
        line.replaces.extend(self.stale_before(at, person).map(|(id, _)| id));
        Ok(filled(line, cast, review))
    }

    /// What settles a dispute, in the place of all votes on it. It is checked, and not yet saved.
    ///
    /// # Errors
    ///
    /// The person may not settle it, or there is nothing to settle; as of [`vote`](Self::vote) otherwise.
    pub fn adjudicate(&self, person: &str, id: Digest, cast: Ballot) -> Result<Decision, Fault> {
        check_person(person)?;
        let at = self.at(id)?;
        let placed = &self.items[at];
        let (review, short) = (&placed.item.review, placed.ids[0].short());
        if !self.decisions.rule().may_adjudicate(person) {
            let names = self.decisions.rule().adjudicators.join(", ");
            let message = format!("`{person}` may not settle disputes of this workflow");
            return Err(input(message).hint(format!("adjudicators: {names}")));
        }
        if !self.is_settleable(at) {
            let message = format!("{short} is not disputed, so there is nothing to settle");
            return Err(input(message).hint("vote on it instead"));
        }
        not_own(review, person)?;
        cast.check(review)?;
        let line = Decision::on(review, &cast.choice, person, &cast.note, &self.decisions);
        let protocol = match cast.protocol.as_str() {
            "" => "adjudicator".to_owned(),
            named => named.to_owned(),
        };
        Ok(filled(line, Ballot { protocol, ..cast }, review))
    }

    /// Whether people differ on an item, or did until somebody settled it.
    pub(crate) fn is_settleable(&self, at: usize) -> bool {
        let placed = &self.items[at];
        let settled = || {
            let heads = self.decisions.standing_of(&placed.ids);
            heads.votes().iter().any(|head| self.decisions.settles(head))
        };
        placed.state == State::Disputed || (placed.state == State::Decided && settled())
    }

    /// Takes back the last line of a person that counts. None if there is none.
    pub fn undo(&self, person: &str) -> Option<Decision> {
        let stands = |id: &&Digest| {
            let Some(line) = self.decisions.line(id) else { return false };
            let Some(at) = self.by_id.get(&line.review) else { return false };
            line.by == person
                && !line.is_withdrawn()
                && self.last(*at, person).iter().any(|(own, _)| own == *id)
        };
        let id = self.order.iter().rev().find(stands)?;
        Some(withdrawn(*id, self.decisions.line(id)?))
    }

    /// Takes back a person's vote on an item. None if they have none.
    pub fn take_back(&self, person: &str, id: Digest) -> Option<Decision> {
        let at = self.at(id).ok()?;
        let own = self.last(at, person).into_iter().rfind(|(_, line)| !line.is_withdrawn());
        own.map(|(id, line)| withdrawn(id, line))
    }

    /// Takes back a person's decisions on the text that an item had before, so that nothing is told of them any more.
    pub fn drop_stale(&self, person: &str, id: Digest) -> Vec<Decision> {
        let Ok(at) = self.at(id) else { return Vec::new() };
        let own = self.stale_lines(at).filter(|(_, line)| line.by == person);
        own.map(|(id, line)| withdrawn(id, line)).collect()
    }
}

/// What somebody wrote is judged by others.
fn not_own(review: &Review, person: &str) -> Result<(), Fault> {
    if review.is_for(person) {
        return Ok(());
    }
    let message = format!("`{person}` wrote what {} is about", review.id().short());
    Err(input(message).hint("somebody else has to judge it"))
}

fn filled(line: Decision, cast: Ballot, review: &Review) -> Decision {
    let Ballot { said, protocol, proposal_shown, seconds, .. } = cast;
    let seconds = seconds.min(LONGEST);
    Decision { said, protocol, proposal_shown, seconds, seen: Some(review.seen()), ..line }
}

/// The line that takes another back.
fn withdrawn(id: Digest, line: &Decision) -> Decision {
    Decision {
        review: line.review,
        item: line.item.clone(),
        code: line.code.clone(),
        by: line.by.clone(),
        replaces: vec![id],
        ..Decision::blank(line.review)
    }
}
