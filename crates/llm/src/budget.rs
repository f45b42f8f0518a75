//! The limits of a run, which hold, and the book of what it cost.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use storymill_core::{Asked, Fault, FaultKind, UnitId, plural};

use crate::Usage;

/// What a run may use at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Requests sent, retries included.
    pub max_requests: Option<u64>,
    /// Millionths of a dollar.
    pub max_micro_usd: Option<u64>,
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

/// What some requests came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Requests sent.
    pub requests: u64,
    /// Answers that are safe in the log.
    pub answers: u64,
    /// Tokens, as far as they are known.
    pub usage: Usage,
    /// Answers whose usage is our estimate, because the server gave none.
    pub estimated: u64,
    /// Millionths of a dollar; of models without a price, nothing.
    pub micro_usd: u64,
    /// Answers of models without a price.
    pub unpriced: u64,
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
    spent_nano: u64,
    reserved_nano: u64,
    rows: BTreeMap<RowKey, (Cost, u64)>,
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
    pub(crate) fn reserve(&self, asked: &Asked, most_nano: u64) -> Verdict {
        let mut book = self.book();
        if self.limits.max_requests.is_some_and(|most| book.requests >= most) {
            let most = self.limits.max_requests.unwrap_or(0);
            return Verdict::Over(over(format!(
                "the limit of {} is reached",
                plural(most, "request")
            )));
        }
        if let Some(most) = self.limits.max_micro_usd.map(|micro| micro.saturating_mul(1000)) {
            let then = book.spent_nano.saturating_add(most_nano);
            if then.saturating_add(book.reserved_nano) > most {
                if then <= most {
                    return Verdict::Wait;
                }
                let (spent, most) = (dollars(book.spent_nano), dollars(most));
                let message = format!(
                    "the limit of {most} is reached: {spent} is spent, and one more request may pass it"
                );
                return Verdict::Over(over(message));
            }
        }
        book.requests += 1;
        book.reserved_nano = book.reserved_nano.saturating_add(most_nano);
        book.row(asked).0.requests += 1;
        Verdict::Go
    }

    /// Books what a request came to, whether or not it was answered.
    pub(crate) fn settle(&self, asked: &Asked, most_nano: u64, spent: Option<&Spent>) {
        let mut book = self.book();
        book.reserved_nano = book.reserved_nano.saturating_sub(most_nano);
        let Some(spent) = spent else { return };
        book.spent_nano = book.spent_nano.saturating_add(spent.nano_usd.unwrap_or(0));
        let (cost, nano) = book.row(asked);
        cost.usage += spent.usage;
        cost.estimated += u64::from(spent.estimated);
        cost.unpriced += u64::from(spent.nano_usd.is_none());
        *nano = nano.saturating_add(spent.nano_usd.unwrap_or(0));
    }

    /// Counts an answer that is safe.
    pub(crate) fn answered(&self, asked: &Asked) {
        self.book().row(asked).0.answers += 1;
    }

    /// The book, by unit, stage and model.
    pub(crate) fn ledger(&self) -> Vec<LedgerRow> {
        let book = self.book();
        let row = |((unit, stage, model), (cost, nano)): (&RowKey, &(Cost, u64))| LedgerRow {
            unit: unit.clone(),
            stage: (*stage).to_owned(),
            model: model.clone(),
            cost: Cost { micro_usd: nano.div_ceil(1000), ..*cost },
        };
        book.rows.iter().map(row).collect()
    }
}

/// What one request came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    pub(crate) usage: Usage,
    pub(crate) estimated: bool,
    pub(crate) nano_usd: Option<u64>,
}

impl Book {
    fn row(&mut self, asked: &Asked) -> &mut (Cost, u64) {
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
        .hint("every answer is kept; raise the limit and run the same command again")
}

/// `$1.25`, with as many digits as tell it from nothing.
pub fn dollars(nano_usd: u64) -> String {
    let micro = nano_usd.div_ceil(1000);
    let text = format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000);
    let cents = text.find('.').map_or(text.len(), |point| point + 3);
    let kept = text.trim_end_matches('0').len().max(cents);
    format!("${}", &text[..kept])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_read_well() {
        assert_eq!(dollars(1_250_000_000), "$1.25");
        assert_eq!(dollars(0), "$0.00");
        assert_eq!(dollars(12_345), "$0.000013");
        assert_eq!(dollars(100_000_000_000), "$100.00");
    }
}
