//! What answers a question without understanding it: pieces for the audit of a dataset.
//!
//! [`GramCounts`] turns a text into hashed counts of its words or characters, [`Logit`] learns from such texts, laid
//! out as [`Features`], which option is right, [`deal`] makes folds that part no group, [`first_ends`] searches a book for many sentences at
//! once. Nothing here sees what made a question.

mod counts;
mod features;
mod folds;
mod logit;
mod search;

pub use counts::{GramCounts, Grams, Spread, mark};
pub use features::Features;
pub use folds::{components, deal};
pub use logit::{Labelled, Logit, Plan, VARIANT};
pub use search::{first_ends, pieces};

pub use crate::ids::{Map, Set};

/// What a rule earns that answers with the option of the highest score: 1 if that is the right one, its share
/// among equals if several are highest, else 0. Options without a score are never taken.
///
/// Law: over all options as the right one, it adds up to 1 where any option has a score.
///
/// ```
/// use storymill_metrics::shortcut::credit;
/// assert_eq!(credit(&[Some(2.0), Some(5.0), None], 1), 1.0);
/// assert_eq!(credit(&[Some(5.0), Some(5.0), None], 1), 0.5);
/// ```
pub fn credit(scores: &[Option<f64>], right: usize) -> f64 {
    let best = scores.iter().flatten().copied().max_by(f64::total_cmp);
    let is_best = |score: &&Option<f64>| best.is_some() && **score == best;
    if !scores.get(right).is_some_and(|score| is_best(&score)) {
        return 0.0;
    }
    1.0 / crate::prf::count(scores.iter().filter(is_best).count())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn credits_add_up(scores in prop::collection::vec(prop::option::of((0_u8..4).prop_map(f64::from)), 1..8)) {
            let sum: f64 = (0..scores.len()).map(|right| credit(&scores, right)).sum();
            let expected = f64::from(u8::from(scores.iter().any(Option::is_some)));
            prop_assert!((sum - expected).abs() < 1e-9, "{}", sum);
        }
    }
}
