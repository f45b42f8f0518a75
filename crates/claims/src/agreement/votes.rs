//! Votes: a table of pair, claim, reader, verdict and scope.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, person};

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{Half, Scope, is_pair_id},
    read,
    standing::{Aside, Standing, Stands},
};

/// What a reader says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// It is true.
    True,
    /// It is false.
    False,
    /// They cannot tell.
    Unsure,
}

impl Choice {
    /// The claim that it would be.
    pub(super) fn says(self) -> Option<Half> {
        match self {
            Self::True => Some(Half::True),
            Self::False => Some(Half::False),
            Self::Unsure => None,
        }
    }
}

/// One vote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote {
    /// The row it came from, for mistakes.
    pub row: usize,
    /// The pair.
    pub pair: String,
    /// Which claim of it.
    pub claim: Half,
    /// Who votes, by name or pseudonym.
    pub reader: String,
    /// What they say.
    pub verdict: Choice,
    /// How much they say must be read to judge it.
    pub scope: Option<Scope>,
}

/// Votes that are kept, sorted by whether they count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Those that count, each once.
    pub votes: Vec<Vote>,
    /// The others.
    pub aside: Aside,
}

/// Sorts votes by how they stand; each comes with the words of the claim as it was then, where they are known. A vote on
/// a pair that the set does not have and, by `once`, never had is left to
/// [`agreement`](super::agreement), to which it is a mistake.
pub fn counted(
    votes: impl IntoIterator<Item = (Vote, Option<Digest>)>,
    stands: &Stands<'_>,
    once: &dyn Fn(&str) -> bool,
) -> Counted {
    let (mut counted, mut seen) = (Counted::default(), BTreeSet::new());
    for (vote, words) in votes {
        let standing = match stands.of(&vote.pair, vote.claim, words) {
            Standing::Gone if !once(&vote.pair) => Standing::Counts,
            standing => standing,
        };
        let Vote { pair, claim, reader, verdict, scope, .. } = &vote;
        let said = (pair.clone(), *claim, reader.clone(), *verdict, *scope);
        if counted.aside.add(standing, pair) && seen.insert(said) {
            counted.votes.push(vote);
        }
    }
    counted
}

/// The columns, `reader` also under the name `annotator`; the last may be missing.
const COLUMNS: [&str; 5] = ["pair", "claim", "reader", "verdict", "scope"];

/// Reads votes from a table.
pub fn votes(bytes: &[u8]) -> Result<Vec<Vote>, Mistakes> {
    let text = read::text(bytes).map_err(|fault| vec![fault])?;
    let rows = read::cells(text)?;
    let mut rows = rows.into_iter();
    let head = rows.next().map(|(_, head)| head).unwrap_or_default();
    let places = COLUMNS.map(|column| {
        let named = |name: &String| {
            let name = name.trim().to_lowercase();
            name == column || (column == "reader" && name == "annotator")
        };
        head.iter().position(named)
    });
    if places[..4].contains(&None) {
        let reason = "the head must name the columns `pair`, `claim`, `reader`, `verdict`, and may name `scope`";
        return Err(vec![Mistake::new(reason).row(1)]);
    }
    let (mut votes, mut faults) = (Vec::new(), Vec::new());
    for (row, cells) in rows {
        let cell = |column: usize| {
            places[column].and_then(|place| cells.get(place)).map_or("", |cell| cell.trim())
        };
        match vote(row, &[0, 1, 2, 3, 4].map(cell)) {
            Ok(vote) => votes.push(vote),
            Err(fault) => faults.push(fault.row(row)),
        }
    }
    if votes.is_empty() && faults.is_empty() {
        faults.push(Mistake::new("the file has no votes"));
    }
    if faults.is_empty() { Ok(votes) } else { Err(faults) }
}

fn vote(row: usize, [pair, claim, reader, verdict, scope]: &[&str; 5]) -> Result<Vote, Mistake> {
    if !is_pair_id(pair) {
        return Err(Mistake::new("must be the id of a pair").column("pair"));
    }
    let fault = |column: &str, reason: &str| Mistake::new(reason).column(column).pair(pair);
    let claim = match claim.to_lowercase().as_str() {
        "true" => Half::True,
        "false" => Half::False,
        _ => return Err(fault("claim", "must be true or false")),
    };
    let verdict = match verdict.to_lowercase().as_str() {
        "true" => Choice::True,
        "false" => Choice::False,
        "unsure" => Choice::Unsure,
        _ => return Err(fault("verdict", "must be true, false or unsure")),
    };
    if reader.is_empty() {
        return Err(fault("reader", "is missing"));
    }
    let reader = person::named(reader).map_err(|why| fault("reader", why))?;
    let scope = match *scope {
        "" => None,
        scope => Some(
            Scope::named(scope)
                .ok_or_else(|| fault("scope", "must be `sentence`, `passage` or `global`"))?,
        ),
    };
    Ok(Vote { row, pair: (*pair).to_owned(), claim, reader, verdict, scope })
}
