//! Questions asked while a book is read, and the choice of those that a model is evaluated on.

pub(crate) mod choose;
pub(crate) mod read_along;
pub(crate) mod take;
