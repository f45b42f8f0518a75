//! A set as two files of JSON lines: its pairs, and what is known of its books.

use std::collections::BTreeSet;

use serde::Serialize;

pub use crate::import::Set;
use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, is_book_id},
    read::{self, Format},
};

/// The pairs of a set from its file; blank for a new set.
pub fn read_pairs(bytes: &[u8], set: &mut Set) -> Result<(), Mistakes> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    let read = read::claims(bytes, Format::Jsonl)?;
    let mut faults = read.warnings;
    let mut taken = BTreeSet::new();
    for (pair, row) in read.pairs.iter().zip(&read.rows) {
        if pair.id.is_empty() {
            faults.push(
                Mistake::new("is missing: only `claims import` makes ids").row(*row).column("id"),
            );
        } else if !taken.insert(&pair.id) {
            faults.push(Mistake::new("the id stands a second time").row(*row).pair(&pair.id));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    set.pairs = read.pairs;
    Ok(())
}

/// What a set knows of its books, from its file.
pub fn read_books(bytes: &[u8], set: &mut Set) -> Result<(), Mistakes> {
    let mut ids = BTreeSet::new();
    set.books = read::json_lines(bytes, |_, value| {
        let book: BookFacts = serde_json::from_value(value).map_err(|_| Mistake::new("has not the fields of a book: `id`, and of `title`, `author`, `genre`, `publication_year`, `series`, `words`, `tokens`, `length_group`, `stories` what is known"))?;
        let wrong = |column: &str, reason: &str| Err(Mistake::new(reason).column(column));
        if !is_book_id(&book.id) {
            return wrong("id", "is not an id of a book");
        } else if !ids.insert(book.id.clone()) {
            return wrong("id", "the book stands a second time");
        } else if book.stories.iter().any(|story| story.start >= story.end) {
            return wrong("stories", "a story ends before it begins");
        }
        Ok(book)
    })?;
    Ok(())
}

/// Rows as JSON lines. Law: what is written is read back the same.
pub fn lines<T: Serialize>(rows: &[T]) -> String {
    let line = |row: &T| serde_json::to_string(row).expect("plain structs become JSON") + "\n";
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pair::{Pair, Scope, Stretch};

    fn pairs() -> impl Strategy<Value = Vec<Pair>> {
        let text = "[a-zA-Z“” \"',;=.]{0,20}[a-z]";
        let one =
            (text, text, any::<Option<bool>>(), 0_u32..9, 1_u32..9, prop::option::of(0_usize..3));
        prop::collection::vec(one, 1..6).prop_map(|rows| {
            let pair = |(at, (yes, no, truth, start, length, scope)): (
                usize,
                (String, String, _, u32, u32, Option<usize>),
            )| Pair {
                id: format!("b/{at:04}"),
                book: "b".into(),
                true_claim: yes.trim().to_owned(),
                false_claim: no.trim().to_owned(),
                consent: truth,
                true_scope: scope.map(|at| Scope::ALL[at]),
                false_evidence: vec![Stretch { start, end: start + length }],
                ..Pair::default()
            };
            rows.into_iter().enumerate().map(pair).collect()
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(pairs in pairs()) {
            let mut set = Set::default();
            read_pairs(lines(&pairs).as_bytes(), &mut set).unwrap();
            prop_assert_eq!(set.pairs, pairs);
        }
    }

    #[test]
    fn bad_sets() {
        let check = |pairs: &str, expect: &str| {
            let faults = read_pairs(pairs.as_bytes(), &mut Set::default()).unwrap_err();
            assert_eq!(faults[0].to_string(), expect);
        };
        check(
            "{\"id\":\"x/1\",\"book\":\"x\"}\n",
            "row 1: holds no claim: give `true_claim` and `false_claim`, or `claim` and `type`",
        );
        check(
            "{\"book\":\"x\",\"true_claim\":\"a\",\"false_claim\":\"b\"}\n",
            "row 1, `id`: is missing: only `claims import` makes ids",
        );
        check("\n{\"book\":\n", "row 2: no JSON: EOF while parsing a value (symbol 8)");
        let books = |text: &str| {
            read_books(text.as_bytes(), &mut Set::default()).unwrap_err()[0].to_string()
        };
        assert!(
            books("{\"id\":\"x\",\"secret words\":1}").starts_with("row 1: has not the fields")
        );
        assert!(
            books("{\"id\":\"x\"}\n{\"id\":\"x\"}").starts_with("row 2, `id`: the book stands")
        );
    }
}
