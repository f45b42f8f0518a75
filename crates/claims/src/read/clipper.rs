//! CLIPPER's tables of claims (Pham et al. 2025): a row is a pair that a model made from the outlines
//! of one chapter or of several, which it names, with the verdicts of other models on it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Read, cells, text};
use crate::{
    mistake::{Mistake, Mistakes},
    pair::{BookFacts, Pair, Scope, is_book_id},
};

/// Tables of CLIPPER as they were read.
#[derive(Debug, Default)]
pub struct Clipper {
    /// The pairs.
    pub read: Read,
    /// The chapters that decide each pair, from 1; none where the table does not say.
    pub chapters: Vec<Vec<usize>>,
    /// How many rows were left out, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
    known: BTreeSet<[String; 3]>,
}

/// Names of a column: in the tables of single books, and in the table of all.
type Names = [&'static str; 2];

const BOOK: Names = ["book_name", "book"];
const TITLE: Names = ["book_title", "title"];
const AUTHOR: Names = ["book_author", "author"];
const LEVEL: Names = ["claim_type", "level"];
const CLAIMS: [Names; 2] = [["facts", "true_claim"], ["corrupted_facts", "false_claim"]];
const WHY: Names = ["corrupted_reasoning", "false_reasoning"];
const CHAPTERS: Names = ["source", "chapters"];

/// Verdicts: the column, what it says of pairs that are taken, and why others are not.
const VERDICTS: [(&str, &str, &str); 3] = [
    ("duplication", "Unique", "CLIPPER found the claim twice"),
    ("verify_facts", "VALID", "CLIPPER found the true claim not to hold"),
    ("verify_corruption", "INVALID", "CLIPPER found the false claim to hold"),
];

impl Clipper {
    /// Reads one more table. `book` and `scope` are what its name says, where no column does.
    ///
    /// # Errors
    ///
    /// It is not a table, or has no column that is needed.
    pub fn add(
        &mut self,
        bytes: &[u8],
        book: Option<&str>,
        scope: Option<Scope>,
    ) -> Result<(), Mistakes> {
        let mut rows = cells(text(bytes).map_err(|mistake| vec![mistake])?)?.into_iter();
        let (_, head) = rows.next().ok_or_else(|| vec![Mistake::new("the file is empty")])?;
        let at = |name: &str| head.iter().position(|known| known.trim() == name);
        let missing = |names: Names| names.iter().all(|name| at(name).is_none());
        let mut faults: Mistakes = CLAIMS
            .into_iter()
            .filter(|names| missing(*names))
            .map(|[name, other]| Mistake::new(format!("has no column `{name}` or `{other}`")))
            .collect();
        if book.is_none() && missing(BOOK) {
            faults.push(Mistake::new(
                "names no book: neither a column `book_name` nor its path, `BOOK/claims/claims_multiple.csv`",
            ));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        for (number, row) in rows {
            let cell = |names: Names| {
                let at = names.into_iter().find_map(at)?;
                row.get(at).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
            };
            let verdict = |(name, fits, why): (&'static str, &str, &'static str)| {
                cell([name; 2]).is_some_and(|said| said != fits).then_some(why)
            };
            let [yes, no] = CLAIMS.map(|names| cell(names).unwrap_or_default().to_owned());
            let id = cell(BOOK).or(book).unwrap_or_default().to_owned();
            let why = if !is_book_id(&id) {
                faults.push(Mistake::new("is not an id of a book").row(number).column("book_name"));
                continue;
            } else if yes.is_empty() || no.is_empty() {
                Some("a claim is missing")
            } else if yes == no {
                Some("both claims are the same")
            } else if let Some(why) = VERDICTS.into_iter().find_map(verdict) {
                Some(why)
            } else if self.known.insert([id.clone(), yes.clone(), no.clone()]) {
                None
            } else {
                // The table of all has a row for either claim, with `status`.
                Some("the pair stands twice")
            };
            if let Some(why) = why {
                *self.left_out.entry(why).or_default() += 1;
                continue;
            }
            let chapters = cell(CHAPTERS).map(chapters).unwrap_or_default();
            let scope = match cell(LEVEL) {
                Some("single" | "chapter") => Some(Scope::Passage),
                Some("multiple" | "book") => Some(Scope::Global),
                _ => scope.or(match chapters.len() {
                    0 => None,
                    1 => Some(Scope::Passage),
                    _ => Some(Scope::Global),
                }),
            };
            if !self.read.books.iter().any(|known| known.id == id) {
                let fact = |names| cell(names).map(str::to_owned);
                let (title, author) = (fact(TITLE), fact(AUTHOR));
                self.read.books.push(BookFacts { title, author, ..BookFacts::new(&id) });
            }
            self.read.pairs.push(Pair {
                book: id,
                true_claim: yes,
                false_claim: no,
                explanation: cell(WHY).unwrap_or_default().to_owned(),
                true_scope: scope,
                false_scope: scope,
                model_written: Some(true),
                ..Pair::default()
            });
            self.read.rows.push(number);
            self.chapters.push(chapters);
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// The numbers of chapters that a cell names: `Chapter 2, 15`, `Chapters 3-5 (events 2, 7)`.
fn chapters(cell: &str) -> Vec<usize> {
    let mut inside = false;
    let outside = |letter: &char| {
        inside = *letter == '(' || (inside && *letter != ')');
        !inside
    };
    let plain: String = cell.chars().filter(outside).collect();
    let mut chapters = BTreeSet::new();
    for piece in plain.split([',', ';']) {
        let numbers = piece.split(|letter: char| !letter.is_ascii_digit());
        let numbers: Vec<usize> = numbers.filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            // No novel has so many chapters; a longer range is a slip.
            [first, last] if piece.contains(['-', '–']) && last.saturating_sub(first) < 400 => {
                chapters.extend(first..=last);
            }
            _ => chapters.extend(numbers),
        }
    }
    chapters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(table: &str, book: Option<&str>) -> Result<Clipper, Vec<String>> {
        let mut clipper = Clipper::default();
        clipper
            .add(table.as_bytes(), book, None)
            .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>())?;
        Ok(clipper)
    }

    #[test]
    fn chapters_of_a_cell() {
        for (cell, expect) in [
            ("Chapter 2, 15", &[2, 15][..]),
            ("Chapters 3-5 (events 2, 7)", &[3, 4, 5]),
            ("Chapter 9 and 4; 12", &[4, 9, 12]),
            ("Chapter 7 (item 1), 8 (item 3)", &[7, 8]),
            ("the whole book", &[]),
        ] {
            assert_eq!(chapters(cell), expect, "{cell}");
        }
    }

    #[test]
    fn tables_of_one_book_and_of_all() {
        let head = "facts,corrupted_facts,corrupted_reasoning,source,duplication,verify_facts,verify_corruption";
        let one = format!(
            "{head}\nA.,B.,Why.,\"Chapter 1, 3\",Unique,VALID,INVALID\nC.,D.,,Chapter 2,Duplicate,VALID,INVALID\n\
             E.,F.,,Chapter 2,Unique,INVALID,INVALID\nG.,H.,,Chapter 2,Unique,VALID,VALID\nI.,I.,,,,,\nJ.,,,,,,\n"
        );
        let found = read(&one, Some("51")).unwrap();
        assert_eq!((found.read.pairs.len(), &found.chapters), (1, &vec![vec![1, 3]]));
        let pair = &found.read.pairs[0];
        assert_eq!(pair.scope(), Some(Scope::Global));
        assert_eq!((pair.book.as_str(), pair.explanation.as_str()), ("51", "Why."));
        assert_eq!(found.left_out.values().sum::<usize>(), 5);
        let all = "id,book_name,book_title,claim_type,status,true_claim,false_claim\n\
                   1,51,Anne,single,TRUE,A.,B.\n2,51,Anne,single,FALSE,A.,B.\n3,62,,multiple,TRUE,A.,B.\n";
        let found = read(all, None).unwrap();
        let scopes: Vec<_> = found.read.pairs.iter().map(Pair::scope).collect();
        assert_eq!(scopes, [Some(Scope::Passage), Some(Scope::Global)]);
        assert_eq!(found.read.books[0].title.as_deref(), Some("Anne"));
        assert_eq!(found.left_out["the pair stands twice"], 1);
        let faults = read("facts,why\nA.,B.\n", None).unwrap_err();
        assert_eq!(faults[0], "has no column `corrupted_facts` or `false_claim`");
        assert!(faults[1].starts_with("names no book"));
    }
}
