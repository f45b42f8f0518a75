//! What some whole numbers are like. All is told in whole numbers, means in tenths, so that no
//! figure depends on how floats are added up.

use serde::Serialize;
pub use storymill_report::thousands;

/// What some numbers are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Numbers {
    /// How many there are.
    pub count: u64,
    /// Ten times their mean, rounded.
    pub mean_tenths: u64,
    /// Ten times their standard deviation, rounded; that of all of them, not of a sample.
    pub sd_tenths: u64,
    /// The least.
    pub min: u32,
    /// A quarter of them is at most this.
    pub quartile_1: u32,
    /// Half of them is at most this.
    pub median: u32,
    /// Three quarters of them are at most this.
    pub quartile_3: u32,
    /// The greatest.
    pub max: u32,
}

impl Numbers {
    /// What these numbers are like; none if there are none.
    pub fn of(mut numbers: Vec<u32>) -> Option<Self> {
        numbers.sort_unstable();
        let (min, max) = (*numbers.first()?, *numbers.last()?);
        let count = numbers.len() as u128;
        let sum: u128 = numbers.iter().map(|number| u128::from(*number)).sum();
        let squares: u128 = numbers.iter().map(|number| u128::from(*number).pow(2)).sum();
        // count^2 times the variance, which is never less than nothing.
        let scaled = count * squares - sum * sum;
        // Twice as fine as told, so that the halves are rounded up.
        let twice = (scaled * 400 / (count * count)).isqrt();
        // The smallest number that enough of them do not exceed.
        let at = |quarters: usize| numbers[(numbers.len() * quarters).div_ceil(4) - 1];
        let told = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        Some(Self {
            count: told(count),
            mean_tenths: told((20 * sum + count) / (2 * count)),
            sd_tenths: told(twice.div_ceil(2)),
            min,
            quartile_1: at(1),
            median: at(2),
            quartile_3: at(3),
            max,
        })
    }
}

/// Tenths as people write them: `31,931.0`.
pub(crate) fn tenths(tenths: u64) -> String {
    format!("{}.{}", thousands(tenths / 10), tenths % 10)
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "the numbers of a test are small")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_numbers() {
        let numbers = Numbers::of(vec![9, 2, 4, 4, 5, 5, 7, 4]).unwrap();
        assert_eq!((numbers.mean_tenths, numbers.sd_tenths), (50, 20));
        let Numbers { min, quartile_1, median, quartile_3, max, .. } = numbers;
        assert_eq!([min, quartile_1, median, quartile_3, max], [2, 4, 4, 5, 9]);
        assert_eq!(Numbers::of(Vec::new()), None);
        assert_eq!(Numbers::of(vec![3]).unwrap().sd_tenths, 0);
        assert_eq!(tenths(319_310), "31,931.0");
        assert_eq!([0, 999, 1_000, 726_803].map(thousands), ["0", "999", "1,000", "726,803"]);
    }

    proptest! {
        #[test]
        fn they_agree_with_floats(numbers in prop::collection::vec(0..2_000_000_u32, 1..200)) {
            let count = numbers.len() as f64;
            let mean = numbers.iter().map(|n| f64::from(*n)).sum::<f64>() / count;
            let variance =
                numbers.iter().map(|n| (f64::from(*n) - mean).powi(2)).sum::<f64>() / count;
            let found = Numbers::of(numbers.clone()).unwrap();
            prop_assert!((found.mean_tenths as f64 / 10.0 - mean).abs() < 0.0501);
            prop_assert!((found.sd_tenths as f64 / 10.0 - variance.sqrt()).abs() < 0.1);
            let at_most = |limit| numbers.iter().filter(|number| **number <= limit).count();
            for (quarters, limit) in [(1, found.quartile_1), (2, found.median), (3, found.quartile_3)] {
                prop_assert!(4 * at_most(limit) >= quarters * numbers.len());
                prop_assert!(numbers.contains(&limit));
            }
        }
    }
}
