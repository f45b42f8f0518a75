//! What changed between two matrices of responses.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::matrix::{Matrix, NotAMatrix, RIGHT, Row, WRONG};

/// What changed from one matrix to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Pairs that both have.
    pub kept: usize,
    /// Pairs that are new.
    pub added: usize,
    /// Pairs that went.
    pub gone: usize,
    /// Each system of either, by name.
    pub systems: BTreeMap<String, Change>,
}

/// What changed of a system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Change {
    /// How many pairs it had right, and of how many, before; none if it is new.
    pub old: Option<[usize; 2]>,
    /// The same now; none if it went.
    pub new: Option<[usize; 2]>,
    /// Pairs of both that it answered in both, and has right only now.
    pub gained: usize,
    /// Such pairs that it had right only before.
    pub lost: usize,
}

impl Changes {
    /// Whether nothing did.
    pub fn is_none(&self) -> bool {
        let same = |one: &Change| one.old == one.new && one.gained + one.lost == 0;
        self.added + self.gone == 0 && self.systems.values().all(same)
    }
}

impl Matrix {
    /// Reads a matrix.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, NotAMatrix> {
        Ok(serde_json::from_str(text)?)
    }

    /// The systems that it has verdicts of.
    pub fn systems(&self) -> BTreeSet<&String> {
        self.pairs.iter().flat_map(|row| row.results.keys()).collect()
    }

    /// What changed from this matrix to another.
    pub fn changes(&self, new: &Self) -> Changes {
        let by_name = |of: &Self| of.pairs.iter().map(|row| (row.name(), row.clone())).collect();
        let (before, after): (BTreeMap<String, Row>, BTreeMap<String, Row>) =
            (by_name(self), by_name(new));
        let kept: Vec<(&Row, &Row)> =
            before.iter().filter_map(|(id, row)| Some((row, after.get(id)?))).collect();
        let mut systems: BTreeMap<String, Change> = BTreeMap::new();
        let count = |of: &BTreeMap<String, Row>, put: &mut dyn FnMut(&str, bool)| {
            for (system, word) in of.values().flat_map(|row| &row.results) {
                if [RIGHT, WRONG].contains(&word.as_str()) {
                    put(system, word == RIGHT);
                }
            }
        };
        let add = |to: &mut Option<[usize; 2]>, right: bool| {
            let [had, of] = to.unwrap_or_default();
            *to = Some([had + usize::from(right), of + 1]);
        };
        count(&before, &mut |system, right| {
            add(&mut systems.entry(system.to_owned()).or_default().old, right);
        });
        count(&after, &mut |system, right| {
            add(&mut systems.entry(system.to_owned()).or_default().new, right);
        });
        for (old, new) in &kept {
            for (system, word) in &old.results {
                let words = (word.as_str(), new.results.get(system).map(String::as_str));
                let Some(change) = systems.get_mut(system) else { continue };
                change.gained += usize::from(words == (WRONG, Some(RIGHT)));
                change.lost += usize::from(words == (RIGHT, Some(WRONG)));
            }
        }
        let kept = kept.len();
        Changes { kept, added: after.len() - kept, gone: before.len() - kept, systems }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[(&str, &str, &str)]) -> Matrix {
        let row = |(id, a, b): &(&str, &str, &str)| {
            let word = |sign: &str| match sign {
                "+" => "correct",
                "-" => "incorrect",
                _ => "no_prediction",
            };
            serde_json::json!({ "id": id, "results": { "a": word(a), "b": word(b) } })
        };
        let pairs: Vec<_> = rows.iter().map(row).collect();
        Matrix::parse(&serde_json::json!({ "format": "any", "pairs": pairs }).to_string()).unwrap()
    }

    #[test]
    fn pairs_and_systems_come_go_and_change() {
        let old = matrix(&[("1", "+", " "), ("2", "-", " "), ("3", "+", " ")]);
        let new = matrix(&[("1", "-", "+"), ("2", "+", " "), ("4", "+", "-")]);
        assert!(old.changes(&old).is_none());
        let changes = old.changes(&new);
        assert!(!changes.is_none());
        assert_eq!((changes.kept, changes.added, changes.gone), (2, 1, 1));
        let a = Change { old: Some([2, 3]), new: Some([2, 3]), gained: 1, lost: 1 };
        let b = Change { old: None, new: Some([1, 2]), gained: 0, lost: 0 };
        assert_eq!(changes.systems, BTreeMap::from([("a".to_owned(), a), ("b".to_owned(), b)]));
    }
}
