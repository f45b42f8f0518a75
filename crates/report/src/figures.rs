//! Accuracy by something: demand, context, type, flag, book.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::{Facet, Length};

use crate::{
    bins::Bins,
    cell::{Cell, Gather, float, rounded},
    collect::{Answer, Collected, Question},
    unit::Unit,
};

/// Cells of every model and setting by groups of questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// What groups are by: `demand`, `context`, `type`, `right-option`, `flag`, `facet`, `book`.
    pub by: &'static str,
    /// The groups.
    pub groups: Vec<Group>,
    /// Questions that are in no group: without evidence, no demand is known.
    pub left_out: usize,
    /// One for each model and setting.
    pub lines: Vec<Line>,
}

/// A group of questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Its name: `4k–8k`, `lookahead`.
    pub label: String,
    /// The shortest length that is in it.
    pub from: Option<u32>,
    /// The longest.
    pub to: Option<u32>,
    /// How many questions are in it.
    pub questions: usize,
    /// Of how many books.
    pub books: usize,
    /// The share that guessing gets right; none for free text.
    pub chance: Option<f64>,
}

/// The cells of a model in a setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The model.
    pub model: String,
    /// The setting.
    pub setting: String,
    /// One for each group; none where it was asked nothing.
    pub cells: Vec<Option<Cell>>,
}

/// The questions and answers that are compared with one measure.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) all: &'a Collected,
    pub(crate) authors: &'a [u32],
    pub(crate) level: f64,
    pub(crate) unit: Unit,
    /// The groups of its questions by demand, and by context.
    pub(crate) demand: Vec<Bins>,
    pub(crate) context: Vec<Bins>,
    /// Every flag of any book.
    pub(crate) flags: Vec<String>,
    /// Questions, by their place.
    pub(crate) questions: Vec<u32>,
    /// Systems that answered any of them, in the order of the report.
    pub(crate) systems: Vec<u32>,
    pub(crate) answers: Vec<&'a Answer>,
}

/// From where to where a group of lengths goes.
type Reach = Option<(u32, u32)>;

/// The groups that questions fall into: some label for each key, and the keys of each question.
pub(crate) struct Grouping<K> {
    pub(crate) by: &'static str,
    pub(crate) keys: fn(&Scope<'_>, &Question) -> Vec<K>,
    pub(crate) label: fn(&Scope<'_>, &K) -> (String, Reach),
}

pub(crate) const DEMAND: Grouping<Bins> = Grouping {
    by: "demand",
    keys: |scope, question| scope.of_length(&scope.demand, &question.demand),
    label: |_, bins| (bins.label(), Some(bins.reach())),
};

pub(crate) const CONTEXT: Grouping<Bins> = Grouping {
    by: "context",
    keys: |scope, question| scope.of_length(&scope.context, &question.context),
    label: |_, bins| (bins.label(), Some(bins.reach())),
};

pub(crate) const TYPE: Grouping<String> = Grouping {
    by: "type",
    keys: |_, question| vec![question.kind.clone()],
    label: |_, kind| (kind.clone(), None),
};

pub(crate) const RIGHT_OPTION: Grouping<bool> = Grouping {
    by: "right-option",
    keys: |_, question| vec![question.none_of_the_above],
    label: |_, none| {
        ((if *none { "none of the above" } else { "one of the options" }).into(), None)
    },
};

/// Each flag has two groups: with it and without.
pub(crate) const FLAG: Grouping<(String, bool)> = Grouping {
    by: "flag",
    keys: |scope, question| {
        let own = &scope.all.books[question.book as usize].flags;
        scope.flags.iter().map(|flag| (flag.clone(), !own.contains(flag))).collect()
    },
    label: |_, (flag, without)| (if *without { format!("not {flag}") } else { flag.clone() }, None),
};

/// What the dataset says of questions: scope, genre, year.
pub(crate) const FACET: Grouping<Facet> = Grouping {
    by: "facet",
    keys: |_, question| question.facets.clone(),
    label: |_, facet| (format!("{}: {}", facet.by, facet.value), None),
};

/// By id, so that books stand in the same order whichever was read first.
pub(crate) const BOOK: Grouping<(String, u32)> = Grouping {
    by: "book",
    keys: |scope, question| {
        vec![(scope.all.books[question.book as usize].id.clone(), question.book)]
    },
    label: |scope, (_, book)| {
        let book = &scope.all.books[*book as usize];
        let title = if book.title.is_empty() { String::new() } else { format!(" {}", book.title) };
        (format!("{}{title}", book.id), None)
    },
};

impl Scope<'_> {
    fn of_length(&self, groups: &[Bins], length: &Length) -> Vec<Bins> {
        let count = self.unit.count(length);
        groups.iter().filter(|bins| count.is_some_and(|count| bins.hold(count))).copied().collect()
    }

    /// The cells by these groups.
    pub(crate) fn table<K: Ord + Clone>(&self, grouping: &Grouping<K>) -> Table {
        let keys: Vec<(u32, Vec<K>)> = self
            .questions
            .iter()
            .map(|at| (*at, (grouping.keys)(self, &self.all.questions[*at as usize])))
            .collect();
        let mut groups: BTreeMap<K, Members> = BTreeMap::new();
        for (at, keys) in &keys {
            for key in keys {
                groups.entry(key.clone()).or_default().add(&self.all.questions[*at as usize]);
            }
        }
        let places: BTreeMap<&K, usize> =
            groups.keys().enumerate().map(|(at, key)| (key, at)).collect();
        // Places of groups by question, so that answers need no look-up by key.
        let mut of_question: Vec<Vec<usize>> = vec![Vec::new(); self.all.questions.len()];
        for (at, keys) in &keys {
            of_question[*at as usize] = keys.iter().map(|key| places[key]).collect();
        }
        let mut gathered: Vec<Vec<Gather>> =
            vec![vec![Gather::default(); groups.len()]; self.all.systems.len()];
        for answer in &self.answers {
            let book = self.all.questions[answer.question as usize].book;
            for group in &of_question[answer.question as usize] {
                gathered[answer.system as usize][*group].add(book, answer);
            }
        }
        let line = |system: &u32| {
            let of = &self.all.systems[*system as usize];
            let cells = gathered[*system as usize].iter().map(|gather| {
                let cell = gather.cell(self.authors, self.level);
                (cell.questions > 0).then_some(cell)
            });
            Line { model: of.model.clone(), setting: of.setting.clone(), cells: cells.collect() }
        };
        Table {
            by: grouping.by,
            left_out: keys.iter().filter(|(_, keys)| keys.is_empty()).count(),
            lines: self.systems.iter().map(line).collect(),
            groups: groups
                .iter()
                .map(|(key, members)| {
                    let (label, reach) = (grouping.label)(self, key);
                    members.group(label, reach)
                })
                .collect(),
        }
    }

    /// Cells over all questions, by system as `systems` has them.
    pub(crate) fn totals(&self) -> Vec<Cell> {
        let mut gathered = vec![Gather::default(); self.all.systems.len()];
        for answer in &self.answers {
            let book = self.all.questions[answer.question as usize].book;
            gathered[answer.system as usize].add(book, answer);
        }
        let cell = |system: &u32| gathered[*system as usize].cell(self.authors, self.level);
        self.systems.iter().map(cell).collect()
    }

    /// The share of the questions that guessing gets right.
    pub(crate) fn members(&self) -> Group {
        let mut all = Members::default();
        for at in &self.questions {
            all.add(&self.all.questions[*at as usize]);
        }
        all.group(String::new(), None)
    }
}

#[derive(Debug, Default)]
struct Members {
    questions: usize,
    books: std::collections::BTreeSet<u32>,
    chance: f64,
    guessable: usize,
}

impl Members {
    fn add(&mut self, question: &Question) {
        self.questions += 1;
        self.books.insert(question.book);
        if question.choices > 0 {
            self.chance += 1.0 / f64::from(question.choices);
            self.guessable += 1;
        }
    }

    fn group(&self, label: String, reach: Reach) -> Group {
        let all = self.guessable == self.questions && self.questions > 0;
        Group {
            label,
            from: reach.map(|(from, _)| from),
            to: reach.map(|(_, to)| to),
            questions: self.questions,
            books: self.books.len(),
            chance: all.then(|| rounded(self.chance / float(self.questions))),
        }
    }
}
