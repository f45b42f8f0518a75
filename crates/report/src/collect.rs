//! Grades as they come in, with what is said of a question, a book and a model kept once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use storymill_core::{Facet, Grade, Length, Setting, Status};

/// All grades of a report.
#[derive(Debug, Default)]
pub struct Collected {
    pub(crate) questions: Vec<Question>,
    pub(crate) books: Vec<Book>,
    pub(crate) systems: Vec<Of>,
    pub(crate) answers: Vec<Answer>,
    /// Answers that were left out, because their model answered the question before in the same setting.
    pub(crate) repeated: usize,
    /// The models that wrote the retellings of these questions, as results say.
    pub(crate) writers: BTreeSet<String>,
    /// Questions of which two grades say different things.
    pub(crate) unlike: usize,
    /// Sums of each measure: by system, kind and name.
    pub(crate) measures: BTreeMap<(u32, String, String), (u64, u64)>,
    /// The measures of each kind of free text that are its scores as far as was seen.
    pub(crate) scored_by: BTreeMap<String, Vec<String>>,
    /// Whether what was not answered is estimated, as of a matrix of responses.
    pub(crate) assisted: bool,
    /// Whether a book stands for all of its kind, as nobody names them.
    pub(crate) grouped: bool,
    question_at: HashMap<String, u32>,
    book_at: HashMap<String, u32>,
    system_at: HashMap<(String, String), u32>,
    seen: HashSet<(u32, u32)>,
    /// Milliseconds that answers took, by system and question.
    pub(crate) millis: HashMap<(u32, u32), u64>,
}

/// A question that somebody was asked.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) book: u32,
    pub(crate) form: String,
    pub(crate) kind: String,
    pub(crate) none_of_the_above: bool,
    pub(crate) choices: u8,
    /// The pair that a claim is one of; blank if it is none.
    pub(crate) pair: String,
    pub(crate) facets: Vec<Facet>,
    pub(crate) demand: Length,
    pub(crate) context: Length,
}

#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) flags: Vec<String>,
}

impl Of {
    /// Whether it is no model but a rule that answers without one: `baseline:longest`.
    pub(crate) fn is_baseline(&self) -> bool {
        is_baseline(&self.model)
    }
}

/// Whether a name is that of a rule that answers without a model: `baseline:longest`.
pub(crate) fn is_baseline(model: &str) -> bool {
    model.starts_with("baseline:")
}

/// A model in a setting.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Of {
    pub(crate) model: String,
    pub(crate) setting: String,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) question: u32,
    pub(crate) system: u32,
    pub(crate) status: Status,
    pub(crate) right: Option<bool>,
    pub(crate) score_ppm: u32,
    /// Whether all that the setting offers was shown.
    pub(crate) whole: bool,
    /// Tokens that were shown in its request; of several questions of one request the first has them.
    pub(crate) shown: Option<u32>,
    pub(crate) output: Option<u32>,
    pub(crate) thinking: Option<u32>,
}

impl Answer {
    /// What counts for a mean, from 0 to 1. What was not answered is worth nothing, whatever stands beside it.
    pub(crate) fn score(&self) -> f64 {
        match (self.status, self.right) {
            (Status::Answered, Some(right)) => f64::from(u8::from(right)),
            (Status::Answered, None) => f64::from(self.score_ppm.min(1_000_000)) / 1e6,
            _ => 0.0,
        }
    }
}

impl Collected {
    /// The same books and systems with other questions and answers.
    pub(crate) fn with(&self, questions: Vec<Question>, answers: Vec<Answer>) -> Self {
        let (books, systems) = (self.books.clone(), self.systems.clone());
        Self { questions, books, systems, answers, ..Self::default() }
    }

    /// Notes how long an answer took, in milliseconds. What belongs to no answer that was added is left out.
    pub fn took(&mut self, model: &str, setting: &str, question: &str, millis: u64) {
        let system = self.system_at.get(&(model.to_owned(), setting.to_owned()));
        if let Some((system, question)) = system.zip(self.question_at.get(question)) {
            self.millis.insert((*system, *question), millis);
        }
    }

    /// Adds a grade. A second answer of a model to the same question in the same setting is left out and counted,
    /// whichever config it stands in: an id may be published in several.
    pub fn add(&mut self, grade: Grade) {
        self.writers.extend(grade.written_by.iter().cloned());
        let system = self.system(&grade);
        let question = self.question(&grade);
        if !self.seen.insert((system, question)) {
            self.repeated += 1;
            return;
        }
        if grade.status == Status::Answered {
            self.look_for_measure(&grade);
            for (name, ppm) in &grade.measures {
                let key = (system, grade.kind.clone(), name.clone());
                let sum = self.measures.entry(key).or_default();
                *sum = (sum.0 + u64::from(*ppm), sum.1 + 1);
            }
        }
        let spent = grade.spent;
        let uncut =
            spent.cut.is_empty() && (spent.offered.is_none() || spent.shown >= spent.offered);
        self.answers.push(Answer {
            question,
            system,
            status: grade.status,
            right: grade.right,
            score_ppm: grade.score_ppm,
            whole: uncut && grade.status != Status::DoesNotFit,
            shown: spent.shown.map(|shown| if spent.place == 0 { shown } else { 0 }),
            output: spent.output,
            thinking: spent.thinking,
        });
    }

    /// Results do not say which measure counts: it is one that is the score in every row.
    fn look_for_measure(&mut self, grade: &Grade) {
        if grade.measures.is_empty() {
            return;
        }
        let is_score = |name: &String| {
            grade.measures.iter().any(|(own, ppm)| own == name && *ppm == grade.score_ppm)
        };
        if let Some(names) = self.scored_by.get_mut(&grade.kind) {
            names.retain(is_score);
            return;
        }
        let names = grade.measures.iter().map(|(name, _)| name.clone()).filter(is_score);
        self.scored_by.insert(grade.kind.clone(), names.collect());
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        self.answers.len()
    }

    fn system(&mut self, grade: &Grade) -> u32 {
        let key = (grade.model.clone(), grade.setting.clone());
        if let Some(at) = self.system_at.get(&key) {
            return *at;
        }
        let of = Of { model: grade.model.clone(), setting: grade.setting.clone() };
        let at = push(&mut self.systems, of);
        self.system_at.insert(key, at);
        at
    }

    fn question(&mut self, grade: &Grade) -> u32 {
        if let Some(at) = self.question_at.get(&grade.question) {
            let known = &self.questions[*at as usize];
            let same = known.kind == grade.kind
                && known.demand.symbols == grade.demand.to_start.symbols
                && known.context.symbols == grade.context.symbols
                && self.books[known.book as usize].id == grade.of.as_str();
            self.unlike += usize::from(!same);
            return *at;
        }
        let book = self.book(grade);
        let question = Question {
            id: grade.question.clone(),
            book,
            form: grade.form.clone(),
            kind: grade.kind.clone(),
            none_of_the_above: grade.none_of_the_above,
            choices: grade.choices,
            pair: grade.pair.clone(),
            facets: grade.facets.clone(),
            demand: grade.demand.to_start.clone(),
            context: grade.context.clone(),
        };
        let at = push(&mut self.questions, question);
        self.question_at.insert(grade.question.clone(), at);
        at
    }

    fn book(&mut self, grade: &Grade) -> u32 {
        if let Some(at) = self.book_at.get(grade.of.as_str()) {
            return *at;
        }
        let book = Book {
            id: grade.of.to_string(),
            title: grade.title.clone(),
            author: grade.author.clone(),
            flags: grade.flags.clone(),
        };
        let at = push(&mut self.books, book);
        self.book_at.insert(grade.of.to_string(), at);
        at
    }

    /// For each book the number of its author; a book without one stands for itself.
    pub(crate) fn authors(&self) -> Vec<u32> {
        let mut numbers: BTreeMap<(bool, &str), u32> = BTreeMap::new();
        self.books
            .iter()
            .map(|book| {
                let key = match book.author.trim() {
                    "" => (false, book.id.as_str()),
                    author => (true, author),
                };
                let next = u32::try_from(numbers.len()).expect("fewer authors than books");
                *numbers.entry(key).or_insert(next)
            })
            .collect()
    }
}

fn push<T>(to: &mut Vec<T>, one: T) -> u32 {
    to.push(one);
    u32::try_from(to.len() - 1).expect("fewer than 2^32 of them")
}

/// The part of pairs of claims, and the form of questions that stand for one.
pub(crate) const PAIRS: &str = "pairs";

/// The part of all questions that are right or wrong.
pub(crate) const ACCURACY: &str = "accuracy";

/// Where a setting stands among others.
pub(crate) fn place_of(setting: &str) -> usize {
    match setting.parse::<Setting>() {
        Ok(Setting::Full) => 0,
        Ok(Setting::Recent(_)) => 1,
        Ok(Setting::Retrieved(_)) => 2,
        Ok(Setting::Summaries) => 3,
        Ok(Setting::Evidence) => 4,
        Ok(Setting::Title) => 5,
        Ok(Setting::Nothing) => 6,
        Err(_) => 7,
    }
}
