//! Bringing pairs into a set: ids that stay, what is new, what changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, Pair},
    read::{Read, column::OF_PAIRS, from, merge_facts, numbered, object},
};

/// A set of pairs: what is imported into and scored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// The pairs in the order of their coming.
    pub pairs: Vec<Pair>,
    /// What is known of their books.
    pub books: Vec<BookFacts>,
}

impl Set {
    /// What is known of a book.
    pub fn book(&self, id: &str) -> Option<&BookFacts> {
        self.books.iter().find(|book| book.id == id)
    }
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Ids of new pairs.
    pub added: Vec<String>,
    /// The rows that these stand in.
    pub added_rows: Vec<usize>,
    /// Ids of pairs of which something changed.
    pub changed: Vec<String>,
    /// How many pairs were there as they are.
    pub same: usize,
}

/// Puts what was read into a set; all or nothing.
///
/// A pair with an id, or with an index that makes one, takes the place of the pair of that id. A
/// pair with neither is the pair of its book that has the same two claims, or with `Matching::Claim` the one that has one of
/// them; or else a new one under the book's next number. A new pair that shares a claim with another one is a mistake: most
/// likely it is that pair, written anew. So are a pair that stands twice in what was read, and one whose claims are the same words.
/// `has_text` says of a book's id whether the set has its text; a pair on any other book
/// is a mistake.
///
/// Of a pair that is there already, what stands in columns that the file lacks stays.
///
/// Law: importing the same file twice changes nothing the second time.
pub fn merge(
    set: &mut Set,
    read: Read,
    has_text: &dyn Fn(&str) -> bool,
) -> Result<Imported, Mistakes> {
    merge_matching(set, read, has_text, Matching::BothClaims)
}

/// Which pair of the set a pair without an id is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// The one that has the same two claims.
    BothClaims,
    /// Also the one that has one of them.
    Claim,
}

/// The same, by another rule for pairs without an id.
pub fn merge_matching(
    set: &mut Set,
    read: Read,
    has_text: &dyn Fn(&str) -> bool,
    matching: Matching,
) -> Result<Imported, Mistakes> {
    let mut faults = Vec::new();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut next: BTreeMap<String, u64> = BTreeMap::new();
    let at: BTreeMap<String, usize> =
        set.pairs.iter().enumerate().map(|(at, pair)| (pair.id.clone(), at)).collect();
    let given = read.pairs.iter().map(|pair| &pair.id).chain(set.pairs.iter().map(|pair| &pair.id));
    for id in given {
        let number = id
            .rsplit_once('/')
            .and_then(|(book, number)| Some((book, number.parse::<u64>().ok()?)));
        if let Some((book, number)) = number {
            let next = next.entry(book.to_owned()).or_default();
            *next = (*next).max(number);
        }
    }
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    let mut settled = Vec::with_capacity(read.pairs.len());
    for (mut pair, &row) in read.pairs.into_iter().zip(&read.rows) {
        if !has_text(&pair.book) && unknown.insert(pair.book.clone()) {
            faults.push(Mistake::new("the set has no text of this book").row(row).column("book"));
        }
        if pair.id.is_empty() && numbered_id(&pair).is_none() && matching == Matching::Claim {
            let mut sharing = set.pairs.iter().filter(|known| shares(known, &pair));
            if let (Some(one), None) = (sharing.next(), sharing.next()) {
                pair.id.clone_from(&one.id);
            }
        }
        if pair.id.is_empty() {
            pair.id = mint(&pair, set, &mut next);
        }
        if let Some(first) = taken.insert(pair.id.clone(), row) {
            let reason = format!("the id stands a second time; first in row {first}");
            faults.push(Mistake::new(reason).row(row).column("id").pair(&pair.id));
        }
        settled.push(pair);
    }
    let mut told: BTreeMap<(&str, String, String), usize> = BTreeMap::new();
    for (pair, &row) in settled.iter().zip(&read.rows) {
        let [yes, no] = [&pair.true_claim, &pair.false_claim].map(|claim| words(claim));
        if yes.is_empty() {
            continue;
        }
        if yes == no {
            let reason = "is the same as the true claim";
            faults.push(Mistake::new(reason).row(row).column("false_claim").pair(&pair.id));
        } else if let Some(first) = told.insert((&pair.book, yes, no), row) {
            let reason = format!("the pair stands a second time; first in row {first}");
            faults.push(Mistake::new(reason).row(row).pair(&pair.id));
        }
    }
    for (pair, row) in settled.iter().zip(&read.rows).filter(|(pair, _)| !at.contains_key(&pair.id))
    {
        // Whatever is written anew by the same import has other claims by then.
        let stays = |known: &&Pair| !taken.contains_key(&known.id);
        let shared = set.pairs.iter().filter(stays).find(|known| shares(known, pair));
        if let Some(known) = shared {
            let reason = format!(
                "shares a claim with the pair {}; if it is that pair, give it that id, or say `--update`",
                known.id
            );
            faults.push(Mistake::new(reason).row(*row).pair(&pair.id));
        }
    }
    let mut books = set.books.clone();
    for facts in read.books {
        match books.iter_mut().find(|book| book.id == facts.id) {
            None => books.push(facts),
            Some(known) => {
                if let Err(field) = merge_facts(known, &facts) {
                    faults.push(
                        Mistake::new("says otherwise of a book than the set does").column(field),
                    );
                }
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut imported = Imported::default();
    for (mut pair, row) in settled.into_iter().zip(read.rows) {
        if let (Some(at), Some(columns)) = (at.get(&pair.id), &read.columns) {
            pair = stays(&set.pairs[*at], &pair, columns);
        }
        match at.get(&pair.id) {
            Some(&at) if set.pairs[at] == pair => imported.same += 1,
            Some(&at) => {
                imported.changed.push(pair.id.clone());
                set.pairs[at] = pair;
            }
            None => {
                imported.added.push(pair.id.clone());
                imported.added_rows.push(row);
                set.pairs.push(pair);
            }
        }
    }
    set.books = books;
    Ok(imported)
}

/// Leaves of a pair what a file without these columns does not say. Rows with one claim have `scope` for `true_scope`.
fn stays(known: &Pair, pair: &Pair, columns: &BTreeSet<String>) -> Pair {
    let (mut known, mut new) = (object(known), object(pair));
    for (column, ..) in OF_PAIRS {
        let of_claim = column.split_once('_').is_some_and(|(_, of)| columns.contains(of));
        if !columns.contains(column) && !of_claim {
            new.remove(column);
            new.extend(known.remove_entry(column));
        }
    }
    from(new)
}

/// A claim without what a spreadsheet puts between words.
fn words(claim: &str) -> String {
    claim.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two pairs of one book have a claim in common.
fn shares(known: &Pair, pair: &Pair) -> bool {
    let one = |a: &str, b: &str| !a.is_empty() && a == b;
    known.book == pair.book
        && (one(&known.true_claim, &pair.true_claim) || one(&known.false_claim, &pair.false_claim))
}

fn numbered_id(pair: &Pair) -> Option<String> {
    pair.index.as_deref().and_then(|index| numbered(&pair.book, index))
}

/// The id of a pair that has none.
fn mint(pair: &Pair, set: &Set, next: &mut BTreeMap<String, u64>) -> String {
    let same = |known: &&Pair| {
        known.book == pair.book
            && known.true_claim == pair.true_claim
            && known.false_claim == pair.false_claim
    };
    if let Some(id) =
        numbered_id(pair).or_else(|| set.pairs.iter().find(same).map(|known| known.id.clone()))
    {
        return id;
    }
    let number = next.entry(pair.book.clone()).or_default();
    *number += 1;
    format!("{}/{number:04}", pair.book)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(id: &str, yes: &str, no: &str) -> Pair {
        Pair {
            id: id.to_owned(),
            book: "b".to_owned(),
            true_claim: yes.to_owned(),
            false_claim: no.to_owned(),
            ..Pair::default()
        }
    }

    fn bring(set: &mut Set, pairs: Vec<Pair>, matching: Matching) -> Result<Imported, Mistakes> {
        let read = Read { rows: (2..pairs.len() + 2).collect(), pairs, ..Read::default() };
        merge_matching(set, read, &|_| true, matching)
    }

    #[test]
    fn columns_that_a_file_lacks_stay() {
        let known = Pair {
            explanation: "Why.".to_owned(),
            true_scope: Some(crate::pair::Scope::Global),
            written_by: Some("ann".to_owned()),
            ..pair("b/0001", "A.", "B.")
        };
        let mut set = Set { pairs: vec![known.clone()], ..Set::default() };
        let mut import = |table: &str| {
            let read = crate::read::claims(table.as_bytes(), crate::read::Format::Csv).unwrap();
            merge(&mut set, read, &|_| true).unwrap();
            set.pairs[0].clone()
        };
        let now = import("id,book,true_claim,false_claim,explaination\nb/0001,b,A.,C.,No.\n");
        assert_eq!(now, Pair { false_claim: "C.".to_owned(), ..known.clone() });
        let now = import("id,book,true_claim,false_claim,explanation\nb/0001,b,A.,C.,\n");
        let gone = Pair { false_claim: "C.".to_owned(), explanation: String::new(), ..known };
        assert_eq!(now, gone);
    }

    #[test]
    fn a_pair_is_there_once_and_its_claims_differ() {
        let mut set = Set::default();
        let rows = vec![
            pair("b/0001", "A.", "B."),
            pair("b/0002", "A.", "C."),
            pair("b/0003", "A.", "B. "),
            pair("", "A.", "C."),
            pair("", "D  is.", "D is."),
        ];
        let faults = bring(&mut set, rows, Matching::BothClaims).unwrap_err();
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "row 4, pair b/0003: the pair stands a second time; first in row 2",
                "row 5, pair b/0004: the pair stands a second time; first in row 3",
                "row 6, `false_claim`, pair b/0005: is the same as the true claim",
            ]
        );
        assert_eq!(set, Set::default());
    }

    #[test]
    fn a_pair_written_anew_is_not_a_second_one() {
        let mut set = Set {
            pairs: vec![pair("b/0001", "A.", "B."), pair("b/0002", "C.", "D.")],
            ..Set::default()
        };
        let before = set.clone();
        let corrected = || vec![pair("", "A.", "B, corrected."), pair("", "C.", "D.")];
        let faults = bring(&mut set, corrected(), Matching::BothClaims).unwrap_err();
        let told = "row 2, pair b/0003: shares a claim with the pair b/0001; if it is that pair, give it that id, or say `--update`";
        assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        assert_eq!(set, before);
        // Under an id of its own it would be a second one just as well.
        let own = vec![pair("b/0009", "New.", "D.")];
        assert_eq!(bring(&mut set, own, Matching::Claim).unwrap_err().len(), 1);
        let done = bring(&mut set, corrected(), Matching::Claim).unwrap();
        assert_eq!((done.added.len(), done.changed, done.same), (0, vec!["b/0001".to_owned()], 1));
        let again = bring(&mut set, corrected(), Matching::Claim).unwrap();
        assert_eq!((again.added.len(), again.changed.len(), again.same), (0, 0, 2));
        // One that has a claim of each of two pairs is neither for certain.
        let both = vec![pair("", "A.", "D.")];
        assert_eq!(bring(&mut set, both, Matching::Claim).unwrap_err().len(), 1);
        // Two pairs that change their claims in one import are what it says they are.
        let turned = vec![pair("b/0001", "C.", "X."), pair("b/0002", "A.", "Y.")];
        assert_eq!(bring(&mut set, turned, Matching::BothClaims).unwrap().changed.len(), 2);
    }
}
