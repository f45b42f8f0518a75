//! Putting published questions to models, and grading what they say.

pub(crate) mod answer;
pub(crate) mod baseline;
mod claim_prompts;
pub(crate) mod counting;
mod evidence;
pub(crate) mod exam_split;
pub(crate) mod grade;
pub(crate) mod judge_answers;
mod measures;
pub(crate) mod parse;
mod put;
pub(crate) mod read;
pub(crate) mod responses;
pub(crate) mod said;
mod script;
pub(crate) mod shown;
pub(crate) mod wordnet;

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod tests;
