//! Judging retellings and questions: a sample that is judged, judges that are models, what is left out by what they say.

pub(crate) mod ambiguity;
pub(crate) mod compare;
pub(crate) mod faithful;
pub(crate) mod false_check;
pub(crate) mod gate;
mod judge;
pub(crate) mod label;
pub(crate) mod propose;
pub(crate) mod sample;
mod verdict;
mod window;

#[cfg(test)]
mod tests;
