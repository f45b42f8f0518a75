//! Questions asked while a book is read, and the choice of those that a model is evaluated on.

pub mod choose;
pub mod read_along;
pub mod take;
