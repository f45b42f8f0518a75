//! Every vote as a row, under pseudonyms: what is published beside a dataset.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Decision, Digest, Fault, Said, Vote, canonical};

use crate::{
    Desk, Item,
    ballot::{LONGEST, input},
    csv::guarded,
    desk::Placed,
    queue,
};

/// The columns, in order.
pub const COLUMNS: [&str; 15] = [
    "vote_id",
    "review_id",
    "queue",
    "code",
    "item_id",
    "step",
    "of",
    "person",
    "choice",
    "said",
    "protocol",
    "settles",
    "proposal_shown",
    "seconds",
    "seen",
];

/// What each person is called in what is published: `reader-01`. The numbers follow from the seed and from who voted, so
/// they are the same in every build until somebody new votes; no name can be read off them.
pub fn pseudonyms<'n>(
    names: impl IntoIterator<Item = &'n str>,
    seed: u64,
) -> BTreeMap<&'n str, String> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let key = |name: &str| {
        Digest::of_parts("storymill 2026 pseudonym v1", [&seed.to_le_bytes()[..], name.as_bytes()])
    };
    let mut order: Vec<&str> = names.into_iter().collect();
    order.sort_by_cached_key(|name| key(name));
    let named = order.into_iter().zip(1..);
    named.map(|(name, number)| (name, format!("reader-{number:02}"))).collect()
}

/// What everybody who said something of the items of a desk is called in what is published, by name.
pub fn people(desk: &Desk, seed: u64) -> BTreeMap<String, String> {
    let of_item = |placed: &Placed| {
        let votes = desk.decisions.votes_of(&placed.ids);
        let standing = desk.decisions.standing_of(&placed.ids);
        votes.into_iter().chain(standing.votes().iter().copied()).collect::<Vec<_>>()
    };
    let names = desk.items.iter().flat_map(of_item).map(|line| line.by.as_str());
    let people = pseudonyms(names, seed).into_iter();
    people.map(|(name, called)| (name.to_owned(), called)).collect()
}

/// Every vote on the items of a desk, whoever overruled it, and what settled disputes. Notes are left out: they may
/// name somebody. Votes on one item follow one another.
pub fn votes(desk: &Desk, seed: u64) -> Vec<Vote> {
    let mut all: Vec<(usize, &Decision, bool)> = Vec::new();
    for (at, placed) in desk.items.iter().enumerate() {
        let mut own: Vec<(&Decision, bool)> =
            desk.decisions.votes_of(&placed.ids).into_iter().map(|vote| (vote, false)).collect();
        let standing = desk.decisions.standing_of(&placed.ids);
        let settling = standing.votes().iter().filter(|head| desk.decisions.settles(head));
        own.extend(settling.map(|head| (*head, true)));
        all.extend(own.into_iter().map(|(vote, settles)| (at, vote, settles)));
    }
    let people = people(desk, seed);
    // Within an item the order is that of pseudonyms, so that it tells nothing of names.
    all.sort_by_key(|(at, vote, settles)| (*at, *settles, people[&vote.by].clone(), vote.id()));
    let row = |(at, line, settles): (usize, &Decision, bool)| {
        vote(&desk.items[at].item, line, &people[&line.by], settles)
    };
    let mut rows: Vec<Vote> = all.into_iter().map(row).collect();
    // Who said the same twice, on two machines, has one vote.
    let mut known: BTreeSet<(Digest, String)> = BTreeSet::new();
    rows.retain(|row| known.insert((row.review, row.id.clone())));
    rows
}

fn vote(item: &Item, line: &Decision, person: &str, settles: bool) -> Vote {
    let review = &item.review;
    let said = match &line.said {
        Said::Nothing => String::new(),
        said => canonical::json(said),
    };
    // A line's id is a digest over the name in it: whoever guessed the name could tell. This one is not.
    let id = review.id();
    let parts = [id.as_bytes(), person.as_bytes(), &[u8::from(settles)], line.choice.as_bytes()];
    let parts = parts.into_iter().chain([said.as_bytes()]);
    Vote {
        id: Digest::of_parts("storymill 2026 published vote v2", parts).short(),
        review: id,
        queue: queue::of(&review.code).name.to_owned(),
        code: review.code.to_string(),
        item: review.item.clone(),
        step: item.step.clone(),
        of: item.unit.clone(),
        person: person.to_owned(),
        choice: line.choice.clone(),
        said,
        protocol: line.protocol.clone(),
        settles,
        proposal_shown: line.proposal_shown,
        // A line that somebody wrote by hand may say anything.
        seconds: line.seconds.min(LONGEST),
        seen: line.seen,
    }
}

/// Votes as CSV, with the columns of the published table.
///
/// # Errors
///
/// A row cannot be written.
pub fn csv(votes: &[Vote]) -> Result<Vec<u8>, Fault> {
    let failed = |error: ::csv::Error| input(format!("this cannot be written as CSV: {error}"));
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(failed)?;
    let flag = |is: bool| u8::from(is).to_string();
    for vote in votes.iter().cloned() {
        let row = [
            vote.id,
            vote.review.to_string(),
            vote.queue,
            vote.code,
            vote.item,
            vote.step,
            vote.of.to_string(),
            vote.person,
            vote.choice,
            vote.said,
            vote.protocol,
            flag(vote.settles),
            flag(vote.proposal_shown),
            vote.seconds.to_string(),
            vote.seen.map(|seen| seen.to_string()).unwrap_or_default(),
        ];
        writer.write_record(row.iter().map(|cell| guarded(cell))).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| input(format!("this cannot be written as CSV: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Ballot,
        tests::{desk, ids, rule, vote},
    };

    #[test]
    fn what_one_person_says_on_two_machines_is_one_row() {
        let mut desk = desk(1, rule(2, &[]));
        let id = ids(&desk)[0];
        // Each machine has not seen the line of the other.
        let lines = [9, u32::MAX].map(|seconds| {
            desk.vote("anselm", id, Ballot { seconds, ..Ballot::of("cut") }).unwrap()
        });
        assert_eq!(lines[1].seconds, LONGEST);
        for line in lines {
            assert!(desk.take(line));
        }
        vote(&mut desk, "bettina", id, "cut");
        assert_eq!(votes(&desk, 7).len(), 2);
        assert_eq!(desk.agreement("cuts").values().map(|one| one.items).collect::<Vec<_>>(), [1]);
        // A line that was written by hand is published all the same.
        let mut line = desk.vote("cay", id, Ballot::of("keep")).unwrap();
        line.seconds = u32::MAX;
        desk.take(line);
        assert!(votes(&desk, 7).iter().all(|vote| vote.seconds <= LONGEST));
    }

    #[test]
    fn votes_are_rows_without_names_or_notes() {
        let mut desk = desk(3, rule(2, &["evelyn"]));
        let all = ids(&desk);
        for (name, choice) in [("anselm", "cut"), ("bettina", "keep")] {
            let ballot = Ballot { note: "ask Bettina".into(), seconds: 9, ..Ballot::of(choice) };
            let line = desk.vote(name, all[0], ballot).unwrap();
            desk.take(line);
        }
        let line = desk.adjudicate("evelyn", all[0], Ballot::of("cut")).unwrap();
        desk.take(line.clone());
        vote(&mut desk, "anselm", all[2], "cut");
        let rows = votes(&desk, 7);
        let table = String::from_utf8(csv(&rows).unwrap()).unwrap();
        for absent in ["anselm", "bettina", "evelyn", "ask", &line.id().to_string()] {
            assert!(!table.to_lowercase().contains(absent), "{absent}: {table}");
        }
        let rows: Vec<::csv::StringRecord> =
            ::csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
        let at = |name: &str| COLUMNS.iter().position(|own| *own == name).unwrap();
        let settles: Vec<_> = rows.iter().map(|row| &row[at("settles")]).collect();
        assert_eq!(settles, ["0", "0", "1", "0"]);
        let people: BTreeSet<_> = rows.iter().map(|row| &row[at("person")]).collect();
        assert_eq!(people.len(), 3);
        let seen = desk.items[0].item.review.seen().to_string();
        assert_eq!((&rows[0][at("seen")], &rows[0][at("seconds")]), (seen.as_str(), "9"));
        // Whatever the order of the lines, the table is the same.
        let lines: Vec<Decision> = desk.lines().cloned().rev().collect();
        let items = desk.items.iter().map(|placed| placed.item.clone()).collect();
        let again = Desk::new(items, lines, rule(2, &["evelyn"]));
        assert_eq!(csv(&votes(&again, 7)).unwrap(), table.as_bytes());
    }
}
