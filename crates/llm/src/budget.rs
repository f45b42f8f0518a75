//! The limits of a run, which hold, and the book of what it cost.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use storymill_core::{Asked, Fault, FaultKind, UnitId, plural};

use crate::{Cost, Usd};

/// What a run may use at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Requests sent, retries included.
    pub max_requests: Option<u64>,
    /// Money.
    pub max_usd: Option<Usd>,
}

/// What one unit, stage and model cost in this run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LedgerRow {
    /// The unit.
    pub unit: UnitId,
    /// The kind of stage.
    pub stage: String,
    /// The model's name in the workflow.
    pub model: String,
    /// What it came to.
    pub cost: Cost,
}

type RowKey = (UnitId, &'static str, String);

/// The limits and the book of one run.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    requests: u64,
    spent: Usd,
    reserved: Usd,
    rows: BTreeMap<RowKey, Cost>,
}

/// Whether a request may be sent.
pub(crate) enum Verdict {
    Go,
    /// What is in flight may turn out cheaper than it could be; then there is room.
    Wait,
    Over(Fault),
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, book: Mutex::default() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for leave to send a request that costs at most so much.
    pub(crate) fn reserve(&self, asked: &Asked, most: Usd) -> Verdict {
        let mut book = self.book();
        if self.limits.max_requests.is_some_and(|most| book.requests >= most) {
            let most = self.limits.max_requests.unwrap_or(0);
            return Verdict::Over(over(format!(
                "the limit of {} is reached",
                plural(most, "request")
            )));
        }
        if let Some(limit) = self.limits.max_usd {
            let then = book.spent + most;
            if then + book.reserved > limit {
                if then <= limit {
                    return Verdict::Wait;
                }
                let message = format!(
                    "the limit of {limit} is reached: this run has spent {}, and one more request may pass it",
                    book.spent
                );
                return Verdict::Over(over(message));
            }
        }
        book.requests += 1;
        book.reserved += most;
        book.row(asked).requests += 1;
        Verdict::Go
    }

    /// Books what a request came to, whether or not it was answered.
    pub(crate) fn settle(&self, asked: &Asked, most: Usd, spent: Cost) {
        let mut book = self.book();
        book.reserved = book.reserved.less(most);
        book.spent += spent.usd;
        *book.row(asked) += spent;
    }

    /// Counts an answer that is safe.
    pub(crate) fn answered(&self, asked: &Asked) {
        self.book().row(asked).answers += 1;
    }

    /// The book, by unit, stage and model.
    pub(crate) fn ledger(&self) -> Vec<LedgerRow> {
        let book = self.book();
        let row = |((unit, stage, model), cost): (&RowKey, &Cost)| LedgerRow {
            unit: unit.clone(),
            stage: (*stage).to_owned(),
            model: model.clone(),
            cost: *cost,
        };
        book.rows.iter().map(row).collect()
    }
}

impl Book {
    fn row(&mut self, asked: &Asked) -> &mut Cost {
        let key = (asked.unit.clone(), asked.stage, asked.request.model.clone());
        self.rows.entry(key).or_default()
    }
}

/// Why a run stopped before a model was asked: its user wants no more of it.
#[derive(Debug, thiserror::Error)]
#[error("that is the limit of this run")]
pub struct LimitReached;

/// Whether a fault says that a limit of the run is reached.
pub(crate) fn is_limit(fault: &Fault) -> bool {
    fault.source.as_ref().is_some_and(|source| source.is::<LimitReached>())
}

fn over(message: String) -> Fault {
    Fault::new(FaultKind::Model, message)
        .because(LimitReached)
        .hint("every answer is kept; the same command goes on, with the same limit for the new run")
}
