//! Scores of answers, claims and labels: strings and labels in, numbers out.
//!
//! Every function here is pure: nothing is read, nothing is printed, and no number depends on
//! threads, on the clock or on the order of a hash map. Sums run in row order. Every score has a
//! [`Variant`], a name and a version, because "F1" or "ROUGE-L" alone names several different
//! numbers. The crate depends on no other storymill crate and can be used alone.
//!
//! ```
//! use storymill_metrics::{f1, rouge};
//!
//! let f1 = f1::score("The old doctor.", "a doctor", f1::YesNo::Plain);
//! assert_eq!((f1.precision, f1.recall), (0.5, 1.0));
//!
//! let rouge = rouge::text("an old doctor", "the old doctor", rouge::Stem::None);
//! assert!((rouge.l.f1 - 2.0 / 3.0).abs() < 1e-12);
//! ```

#![cfg_attr(test, expect(clippy::float_cmp, reason = "numbers worked by hand are exact"))]

pub mod agreement;
pub mod binomial;
pub mod bm25;
pub mod bootstrap;
pub mod classify;
pub mod clustered;
pub mod correlation;
mod error;
pub mod exact;
pub mod f1;
pub mod grams;
pub mod keyword;
pub mod meteor;
pub mod normalize;
pub mod pair_accuracy;
pub mod porter;
mod prf;
pub mod rasch;
pub mod rouge;
pub mod rouge_unique;
pub mod score;
#[cfg(feature = "jieba")]
pub mod segment;
pub mod shortcut;
pub mod threshold;
pub mod treebank;
mod variant;
pub mod wordlists;
pub mod wordnet;

mod bm25_cut;
mod ids;
mod lcs;
mod random;
mod unicode;

pub use error::Undefined;
pub use prf::{Prf, best, mean};
pub use variant::Variant;
