//! Authors as they join books: one person under several forms of a name, crowds and nobodies left out.
//!
//! Catalogs and title pages write one author in many ways: `Wells, H. G.`, `Wells, H. G. (Herbert George)`,
//! `Herbert George Wells`. A book learnt in one part of a dataset and tested in another is a leak whatever the
//! name on it, so forms are brought together over the whole corpus: [`name`] reads one form, [`verdict`]
//! compares two, and here a form that fits two different people is left with neither.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use storymill_core::{Author, Book, Digest};

use super::{
    name,
    sets::{join, root},
    verdict::{Person, Verdict},
};

/// An author as far as a corpus stage needs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Writer {
    /// The author's id, or its digest where it is long.
    pub id: String,
    /// Whether the id is a catalog's own, not made from the name.
    pub own_id: bool,
    /// The name as the catalog or the page has it, its first [`LONGEST`] bytes.
    pub name: String,
    /// Year of birth.
    pub birth: Option<i32>,
    /// Year of death.
    pub death: Option<i32>,
}

/// Keeps a fact small; names of people are shorter.
const LONGEST: usize = 72;

impl Writer {
    /// Somebody of whom only an id is known, a name in one.
    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self { id: name.into(), own_id: false, name: name.into(), birth: None, death: None }
    }

    fn of(author: &Author) -> Self {
        let id = &author.agent_id;
        let short = if id.len() <= 64 { id.clone() } else { Digest::of(id.as_bytes()).short() };
        let words = name::sorted_words(&author.name).join("-");
        let made = id.strip_prefix(&words);
        Self {
            id: short,
            own_id: !made.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            name: author.name[..author.name.floor_char_boundary(LONGEST)].to_owned(),
            birth: author.birth_year,
            death: author.death_year,
        }
    }
}

/// The authors of a book who are somebody, in order, at most so many.
pub(crate) fn writers(book: &Book, most: usize) -> Vec<Writer> {
    let known = book.authors.iter().filter(|author| name::is_person(&author.name));
    let mut writers: Vec<Writer> = known.map(Writer::of).collect();
    writers.sort_unstable();
    writers.dedup_by(|one, other| one.id == other.id);
    writers.truncate(most);
    writers
}

/// The people behind the writers of each book, as numbers that books share.
pub(crate) fn people<'w>(books: impl Iterator<Item = &'w [Writer]>) -> Vec<Vec<usize>> {
    let books: Vec<&[Writer]> = books.collect();
    let all: BTreeSet<&Writer> = books.iter().copied().flatten().collect();
    let all: Vec<&Writer> = all.into_iter().collect();
    let number = numbers(&all);
    let mut people = Vec::with_capacity(books.len());
    for writers in books {
        let place = |writer: &Writer| all.binary_search(&writer).expect("all writers are listed");
        let own: BTreeSet<usize> = writers.iter().map(|writer| number[place(writer)]).collect();
        people.push(own.into_iter().collect());
    }
    people
}

/// A number for each writer; one for all forms of a person.
fn numbers(writers: &[&Writer]) -> Vec<usize> {
    let people: Vec<Person> = writers.iter().map(|writer| Person::of(writer)).collect();
    let mut roots: Vec<usize> = (0..writers.len()).collect();
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, writer) in writers.iter().enumerate() {
        let first = *by_id.entry(&writer.id).or_insert(at);
        join(&mut roots, at, first);
    }
    let mut unsure = Vec::new();
    for (one, other) in namesakes(&people) {
        match people[one].verdict(&people[other]) {
            Verdict::Same => join(&mut roots, one, other),
            Verdict::Open => {}
            verdict => unsure.push((one, other, verdict)),
        }
    }
    join_forms(&mut roots, &unsure);
    (0..writers.len()).map(|at| root(&mut roots, at)).collect()
}

/// Pairs with a family name or all words in common: no others need a look.
fn namesakes(people: &[Person]) -> BTreeSet<(usize, usize)> {
    let mut shelves: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, person) in people.iter().enumerate() {
        let handles: BTreeSet<&str> = person.handles().collect();
        for handle in handles {
            shelves.entry(handle).or_default().push(at);
        }
    }
    let mut pairs = BTreeSet::new();
    for shelf in shelves.into_values() {
        for (at, one) in shelf.iter().enumerate() {
            pairs.extend(shelf[at + 1..].iter().map(|other| (*one, *other)));
        }
    }
    pairs
}

/// Joins forms that fit, unless one of the two fits somebody else as well who is not the other:
/// `J. Smith` is left alone where there are a John and a James.
fn join_forms(roots: &mut [usize], unsure: &[(usize, usize, Verdict)]) {
    let (mut fits, mut apart) = (BTreeMap::new(), BTreeSet::new());
    for (one, other, verdict) in unsure {
        let (one, other) = (root(roots, *one), root(roots, *other));
        if one == other {
            continue;
        }
        for (one, other) in [(one, other), (other, one)] {
            if *verdict == Verdict::Apart {
                apart.insert((one, other));
            } else {
                fits.entry(one).or_insert_with(BTreeSet::new).insert(other);
            }
        }
    }
    let clear =
        |one: usize, other: usize| fits[&one].iter().all(|third| !apart.contains(&(*third, other)));
    let joined: Vec<(usize, usize)> = fits
        .iter()
        .flat_map(|(one, others)| others.iter().map(move |other| (*one, *other)))
        .filter(|(one, other)| {
            !apart.contains(&(*one, *other)) && clear(*one, *other) && clear(*other, *one)
        })
        .collect();
    for (one, other) in joined {
        join(roots, one, other);
    }
}

#[cfg(test)]
mod tests;
