//! Where in a book people say that the answer to a question stands.

use serde::{Deserialize, Serialize};

use crate::{BookId, Demand, Span, record};

/// A question about a whole book, and the evidence that people found for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Located {
    /// The question.
    pub question: String,
    /// The book.
    pub book: BookId,
    /// Whether people found evidence; none while nobody decided.
    pub found: Option<bool>,
    /// Where it stands in the book, in order; empty if there is none.
    pub evidence: Vec<Span>,
    /// How far back from the end of the book that is.
    pub demand: Demand,
}

record!(Located, "located", 1, question);
