//! Exact match of two answers in SQuAD's normal form (Rajpurkar et al. 2016, section 6.1).

use crate::{Variant, normalize::Words};

/// The variant of this score.
pub const VARIANT: Variant = Variant::new("squad-exact-match", 1);

/// Whether both texts have the same normal form.
///
/// Laws: symmetric; every text matches itself, also one of which nothing is left.
///
/// ```
/// assert!(storymill_metrics::exact::matches("The Raven.", "raven"));
/// ```
pub fn matches(prediction: &str, reference: &str) -> bool {
    Words::of(prediction) == Words::of(reference)
}

/// Whether the prediction matches any of the references.
pub fn matches_any(prediction: &str, references: &[impl AsRef<str>]) -> bool {
    let prediction = Words::of(prediction);
    references.iter().any(|reference| Words::of(reference.as_ref()) == prediction)
}
