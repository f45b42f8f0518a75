//! A table of votes on claims: pair, claim, reader, verdict and scope.

use storymill_core::person;

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{Half, Scope, is_pair_id},
    read,
};

/// One vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The row it came from, for mistakes.
    pub row: usize,
    /// The pair.
    pub pair: String,
    /// Which claim of it.
    pub claim: Half,
    /// Who votes, by name or pseudonym.
    pub reader: String,
    /// What they say: `true`, `false` or `cannot tell`.
    pub verdict: &'static str,
    /// How much they say must be read to judge it.
    pub scope: Option<Scope>,
}

/// The columns, `reader` also under the name `annotator`; the last may be missing.
const COLUMNS: [&str; 5] = ["pair", "claim", "reader", "verdict", "scope"];

/// Whether a table has votes on claims, and is not one of the desk.
pub fn has_votes(bytes: &[u8]) -> bool {
    let head = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
    let names = String::from_utf8_lossy(&head).into_owned();
    ["pair", "claim", "verdict"].iter().all(|column| names.contains(column))
}

/// Reads votes from a table.
///
/// # Errors
///
/// What stands in it that is no vote, with its row.
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
        "true" => "true",
        "false" => "false",
        "unsure" => "cannot tell",
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
