//! Names replaced in one text: the substitutes of a book, applied to it and to what is told of it.

use storymill_core::{FaultKind, Stop, Substitution};
use storymill_names::{Pair, Replaced, Substitutes, Sure, bytes_at};

/// The substitutes of a book, ready to be applied.
pub(crate) struct Naming {
    substitutes: Substitutes,
    /// Where careful parts are names in the book's text: symbols.
    careful: Vec<u32>,
}

impl Naming {
    pub(crate) fn new(rows: &[Substitution]) -> Result<Self, Stop> {
        let pairs = rows.iter().map(|row| Pair {
            part: row.part.clone(),
            substitute: row.substitute.clone(),
            careful: row.careful,
            role: row.role.clone(),
            written: row.written.clone(),
        });
        let substitutes = Substitutes::of(pairs.collect()).map_err(|fault| match fault.kind {
            FaultKind::Input => Stop::reject("no-substitutes", fault.message),
            _ => Stop::Fault(fault),
        })?;
        let careful = rows.iter().flat_map(|row| row.at.iter().copied()).collect();
        Ok(Self { substitutes, careful })
    }

    /// The text of the book itself, from its first symbol on.
    pub(crate) fn book(&self, text: &str) -> Replaced {
        self.substitutes.apply(text, Sure::At(&bytes_at(text, self.careful.clone())))
    }

    /// A text about the book.
    pub(crate) fn told(&self, text: &str) -> String {
        self.substitutes.apply(text, Sure::Beside).text
    }
}
