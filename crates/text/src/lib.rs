//! What running text is made of: sentences, words, their stems and forms, and the language it is in.
//!
//! Everything here is a function of text, with its word lists as plain lines in `data`. Each question
//! is answered once, for stages, claims, names, contexts and sources alike. What is deliberately
//! elsewhere: the words and sentences that the trained taggers of `names` know, and the tokens of the
//! reference scorers in `metrics`; both must stay as they were when models were trained and scores
//! published. Also absent: files, network, clock and threads.

pub mod article;
mod count;
mod differences;
pub mod excerpt;
pub mod filter;
mod language;
pub mod lists;
pub mod sentence;
pub mod stem;
mod style;
pub mod word;

pub use count::{one_line, word_count};
pub use differences::{Difference, differences};
pub use language::{Language, fits, looks, short_tag};
pub use style::{Voice, in_one_style};
