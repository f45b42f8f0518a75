//! Questions asked while a book is read, the choice of those that a model is evaluated on, and claims that are
//! put to one.

pub(crate) mod choose;
pub(crate) mod draft_state;
pub(crate) mod makers;
pub(crate) mod read_along;
pub(crate) mod take;

use storymill_core::{Asks, Question};

pub(crate) use read_along::by_question;

/// The questions of two steps, whatever their task is.
fn all<'q>(some: &'q [impl Asks], others: &'q [impl Asks]) -> impl Iterator<Item = &'q Question> {
    some.iter().map(AsRef::as_ref).chain(others.iter().map(AsRef::as_ref))
}
