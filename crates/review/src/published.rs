//! Every vote as a row, under pseudonyms: what is published beside a dataset.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Decision, Digest, Fault, Said, canonical};

use crate::{Desk, ballot::input, csv::guarded, queue};

/// The columns, in order.
pub const COLUMNS: [&str; 15] = [
    "vote",
    "review",
    "queue",
    "code",
    "item",
    "step",
    "unit",
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

/// Every vote on the items of a desk, whoever overruled it, and what settled disputes. Notes are left out: they may
/// name somebody.
///
/// # Errors
///
/// A row cannot be written as CSV.
pub fn votes(desk: &Desk, seed: u64) -> Result<Vec<u8>, Fault> {
    let mut all: Vec<(usize, &Decision, bool)> = Vec::new();
    for (at, placed) in desk.items.iter().enumerate() {
        let mut own: Vec<(&Decision, bool)> =
            desk.decisions.votes_of(&placed.ids).into_iter().map(|vote| (vote, false)).collect();
        let standing = desk.decisions.standing_of(&placed.ids);
        let settling = standing.votes().iter().filter(|head| desk.decisions.settles(head));
        own.extend(settling.map(|head| (*head, true)));
        all.extend(own.into_iter().map(|(vote, settles)| (at, vote, settles)));
    }
    let people = pseudonyms(all.iter().map(|(_, vote, _)| vote.by.as_str()), seed);
    // Within an item the order is that of pseudonyms, so that it tells nothing of names.
    all.sort_by_key(|(at, vote, settles)| {
        (*at, *settles, people[vote.by.as_str()].clone(), vote.id())
    });
    let failed = |error: csv::Error| input(format!("this cannot be written as CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(failed)?;
    for (at, vote, settles) in all {
        let item = &desk.items[at].item;
        let said = match &vote.said {
            Said::Nothing => String::new(),
            said => canonical::json(said),
        };
        let flag = |is: bool| if is { "1" } else { "0" }.to_owned();
        // A line's id is a digest over the name in it: whoever guessed the name could tell. This one is not.
        let person = &people[vote.by.as_str()];
        let id = [
            item.review.id().as_bytes().to_vec(),
            person.clone().into_bytes(),
            flag(settles).into_bytes(),
        ];
        let id = Digest::of_parts("storymill 2026 published vote v1", id.iter().map(Vec::as_slice));
        let row = [
            id.short(),
            item.review.id().to_string(),
            queue::of(&item.review.code).name.to_owned(),
            item.review.code.to_string(),
            item.review.item.clone(),
            item.step.clone(),
            item.unit.to_string(),
            person.clone(),
            vote.choice.clone(),
            said,
            vote.protocol.clone(),
            flag(settles),
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
        testing::{desk, ids, rule, vote},
    };

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
        let table = String::from_utf8(votes(&desk, 7).unwrap()).unwrap();
        for absent in ["anselm", "bettina", "evelyn", "ask", &line.id().to_string()] {
            assert!(!table.to_lowercase().contains(absent), "{absent}: {table}");
        }
        let rows: Vec<csv::StringRecord> =
            csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
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
        assert_eq!(votes(&again, 7).unwrap(), table.as_bytes());
    }
}
