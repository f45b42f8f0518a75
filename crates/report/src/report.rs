//! All figures of a report, in a shape that stays: `docs/report.md` has it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Length;
use storymill_metrics::clustered;

use crate::{
    audit::Baseline,
    bins::joined,
    cell::{MIN_BOOKS, MIN_QUESTIONS},
    collect::{ACCURACY, Answer, Collected, PAIRS, Question, place_of},
    evidence::{Against, against},
    figures::{BOOK, CONTEXT, DEMAND, FACET, FLAG, RIGHT_OPTION, Scope, TYPE, Table},
    matrix::assist,
    options::Options,
    paired::{Pair, SHOWN, pairs},
    system::{System, system_of},
    unit::Unit,
    warnings,
};

/// All figures of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `storymill-report`.
    pub format: &'static str,
    /// Goes up when a field goes or means something else.
    pub version: u32,
    /// The title of the page.
    pub title: String,
    /// Confidence level of all intervals.
    pub level: f64,
    /// How intervals of shares were made, and those of differences.
    pub intervals: [String; 2],
    /// What demand and context are counted in.
    pub unit: Unit,
    /// Questions in all.
    pub questions: usize,
    /// Books in all.
    pub books: usize,
    /// Authors in all; a book without one counts for itself.
    pub authors: usize,
    /// The models; rules that answer without one are not among them.
    pub models: Vec<String>,
    /// The models that wrote the retellings which the questions are made of: those that the results name, and those
    /// that were named besides.
    pub written_by: Vec<String>,
    /// What weakens the result, in words.
    pub warnings: Vec<String>,
    /// Pairs of claims first, then accuracy, then each kind of free text.
    pub parts: Vec<Part>,
    /// What can be answered without understanding the book.
    pub baselines: Vec<Baseline>,
    /// What the books are, for people.
    #[serde(skip)]
    pub(crate) book: &'static str,
}

/// What is compared with one measure.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// `pairs`, `accuracy`, or the kind of free text: `reconstruction`.
    pub name: String,
    /// What a cell is the mean of: `pair-accuracy`, `accuracy`, `rouge-l`.
    pub measure: String,
    /// How many questions.
    pub questions: usize,
    /// Of how many books.
    pub books: usize,
    /// The share that guessing gets right; none for free text.
    pub chance: Option<f64>,
    /// Each model in each setting.
    pub systems: Vec<System>,
    /// The forgetting curve.
    pub demand: Table,
    /// By length of the context.
    pub context: Table,
    /// By type of question.
    pub types: Table,
    /// By whether none of the above is right; no group where only one of both occurs.
    pub right_option: Table,
    /// By flag of the book.
    pub flags: Table,
    /// By what the dataset says of questions: scope, genre, year.
    pub facets: Table,
    /// By book.
    pub by_book: Table,
    /// Each model against itself with the evidence alone.
    pub against_evidence: Vec<Against>,
    /// Models in pairs.
    pub pairs: Vec<Pair>,
}

impl Part {
    /// What is counted, for people: `pair`, `question`.
    pub fn noun(&self) -> &'static str {
        if self.name == PAIRS { "pair" } else { "question" }
    }

    /// The same of several: `pairs`, `questions`.
    pub(crate) fn nouns(&self) -> &'static str {
        if self.name == PAIRS { "pairs" } else { "questions" }
    }

    /// Whether an answer is right or wrong, and nothing between.
    pub fn is_right_or_wrong(&self) -> bool {
        [PAIRS, ACCURACY].contains(&self.name.as_str())
    }

    /// Its tables: what the pictures are drawn from.
    pub fn tables(&self) -> [&Table; 7] {
        [
            &self.demand,
            &self.context,
            &self.types,
            &self.right_option,
            &self.flags,
            &self.facets,
            &self.by_book,
        ]
    }
}

impl Report {
    /// The figures of all grades.
    pub fn of(all: &Collected, options: &Options) -> Self {
        let authors = all.authors();
        let unit = Unit::of(&all.questions);
        let twins = all.pairs_of_claims();
        let of = |all: &Collected, name: &str| {
            part(name, &scope(all, &authors, unit, options.level, name), options)
        };
        let pairs = (!twins.questions.is_empty()).then(|| of(&twins, PAIRS));
        let names = part_names(all);
        let parts = pairs.into_iter().chain(names.iter().map(|name| of(all, name))).collect();
        let models = all.systems.iter().filter(|of| !of.is_baseline());
        let models: BTreeSet<&String> = models.map(|of| &of.model).collect();
        let mut written_by = all.writers.clone();
        written_by.extend(options.written_by.iter().cloned());
        let mut report = Self {
            format: "storymill-report",
            version: 1,
            title: options.title.clone(),
            level: options.level,
            intervals: [clustered::SHARE, clustered::DIFFERENCE].map(|one| one.to_string()),
            unit,
            questions: all.questions.len(),
            books: all.books.len(),
            authors: authors.iter().collect::<BTreeSet<_>>().len(),
            models: models.into_iter().cloned().collect(),
            written_by: written_by.into_iter().collect(),
            warnings: Vec::new(),
            parts,
            baselines: options.baselines.clone(),
            book: if all.grouped { "group" } else { "book" },
        };
        report.warnings = warnings::of(&report, all, &options.by_rule);
        report
    }
}

impl Report {
    /// The ids of the questions that the page names.
    pub fn named(&self) -> BTreeSet<String> {
        let pairs = self.parts.iter().flat_map(|part| &part.pairs);
        let sides = pairs.flat_map(|pair| [&pair.left, &pair.right]);
        sides.flat_map(|side| side.only_ids.iter().take(SHOWN).cloned()).collect()
    }
}

/// The name of the part that a question belongs to.
fn part_of(question: &Question) -> &str {
    match question.form.as_str() {
        "free-text" => &question.kind,
        PAIRS => PAIRS,
        _ => ACCURACY,
    }
}

fn part_names(all: &Collected) -> Vec<String> {
    let names: BTreeSet<&str> = all.questions.iter().map(part_of).collect();
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    names.sort_by_key(|name| name != ACCURACY);
    names
}

fn scope<'a>(
    all: &'a Collected,
    authors: &'a [u32],
    unit: Unit,
    level: f64,
    name: &str,
) -> Scope<'a> {
    let inside = |at: u32| part_of(&all.questions[at as usize]) == name;
    let answers: Vec<&Answer> = all.answers.iter().filter(|one| inside(one.question)).collect();
    let mut systems: Vec<u32> =
        answers.iter().map(|answer| answer.system).collect::<BTreeSet<_>>().into_iter().collect();
    systems.sort_by_key(|at| {
        let of = &all.systems[*at as usize];
        (of.is_baseline(), of.model.clone(), place_of(&of.setting), of.setting.clone())
    });
    let count = u32::try_from(all.questions.len()).expect("questions are counted in 32 bits");
    let questions: Vec<u32> = (0..count).filter(|at| inside(*at)).collect();
    let groups = |length: fn(&Question) -> &Length| {
        let of = questions.iter().map(|at| &all.questions[*at as usize]);
        let of = of.filter_map(|one| Some((unit.count(length(one))?, one.book)));
        joined(of, (MIN_QUESTIONS, MIN_BOOKS))
    };
    // What has no evidence has all of its context for a demand: of that alone there is no curve.
    let has_evidence = questions.iter().any(|at| {
        let one = &all.questions[*at as usize];
        unit.count(&one.demand) != unit.count(&one.context)
    });
    let demand = if has_evidence { groups(|one| &one.demand) } else { Vec::new() };
    let context = groups(|one| &one.context);
    let flags: BTreeSet<&String> = all.books.iter().flat_map(|book| &book.flags).collect();
    let flags = flags.into_iter().cloned().collect();
    Scope { all, authors, level, unit, demand, context, flags, questions, systems, answers }
}

fn part(name: &str, scope: &Scope<'_>, options: &Options) -> Part {
    let totals = scope.totals();
    let members = scope.members();
    let demand = scope.table(&DEMAND);
    let right_option = scope.table(&RIGHT_OPTION);
    let mut systems: Vec<System> = scope
        .systems
        .iter()
        .zip(&totals)
        .map(|(system, cell)| system_of(scope, *system, cell, options))
        .collect();
    if scope.all.assisted {
        assist(scope, &mut systems);
    }
    Part {
        name: name.to_owned(),
        measure: measure(scope, name),
        questions: members.questions,
        books: members.books,
        chance: members.chance,
        against_evidence: against(scope, &demand),
        context: scope.table(&CONTEXT),
        types: scope.table(&TYPE),
        right_option: if right_option.groups.len() > 1 {
            right_option
        } else {
            Table { groups: Vec::new(), lines: Vec::new(), ..right_option }
        },
        flags: scope.table(&FLAG),
        facets: scope.table(&FACET),
        by_book: of_single_books(scope.table(&BOOK)),
        pairs: pairs(scope, &totals, options.named),
        demand,
        systems,
    }
}

/// A cell of a single book is thin for its questions alone.
fn of_single_books(mut table: Table) -> Table {
    for cell in table.lines.iter_mut().flat_map(|line| line.cells.iter_mut().flatten()) {
        cell.thin = cell.questions < MIN_QUESTIONS;
    }
    table
}

/// What the scores are.
fn measure(scope: &Scope<'_>, name: &str) -> String {
    let first = || {
        scope
            .all
            .scored_by
            .get(name)
            .and_then(|names| names.first())
            .map_or("score", String::as_str)
    };
    match name {
        PAIRS => "pair-accuracy",
        ACCURACY => ACCURACY,
        _ => first(),
    }
    .to_owned()
}

impl<'a> Scope<'a> {
    /// The answers of a system by question.
    pub(crate) fn by_question(&self, system: u32) -> BTreeMap<u32, &'a Answer> {
        let own = self.answers.iter().filter(|answer| answer.system == system);
        own.map(|answer| (answer.question, *answer)).collect()
    }
}
