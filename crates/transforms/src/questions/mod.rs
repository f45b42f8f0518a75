//! Questions asked while a book is read, the choice of those that a model is evaluated on, and claims that are
//! put to one.

pub(crate) mod ask_claims;
pub(crate) mod choose;
pub(crate) mod read_along;
pub(crate) mod take;
