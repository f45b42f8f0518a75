//! Intervals of a share: Wilson's, and the exact one of Clopper and Pearson.

use crate::{Undefined, Variant, bootstrap::Interval};

/// The variant of Wilson's interval.
pub const WILSON: Variant = Variant::new("wilson-interval", 1);
/// The variant of Newcombe's interval.
pub const NEWCOMBE: Variant = Variant::new("newcombe-difference-interval", 1);
/// The variant of the exact interval.
pub const EXACT: Variant = Variant::new("clopper-pearson-interval", 1);

/// Wilson's score interval (Wilson 1927), without a correction for continuity.
///
/// Laws: it holds the share; turning successes into failures turns it around one half.
///
/// ```
/// let found = storymill_metrics::binomial::wilson(8, 10, 0.95)?;
/// assert!((found.low - 0.490_16).abs() < 1e-5 && (found.high - 0.943_32).abs() < 1e-5);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn wilson(successes: u64, trials: u64, level: f64) -> Result<Interval, Undefined> {
    let (k, n) = checked(successes, trials, level)?;
    let z = normal_quantile(f64::midpoint(1.0, level));
    let share = k / n;
    let whole = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / whole;
    let half = z / whole * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // At the ends the interval touches the share itself; rounding must not push it past.
    Ok(Interval {
        value: share,
        low: (middle - half).clamp(0.0, share),
        high: (middle + half).clamp(share, 1.0),
    })
}

/// The difference of two independent shares with Newcombe's interval (1998, method 10: the two Wilson intervals put together, without a
/// correction for continuity). Each share is its successes and its trials.
///
/// Laws: it holds the difference; turning the shares around turns it around 0.
///
/// ```
/// let found = storymill_metrics::binomial::newcombe((56, 70), (48, 80), 0.95)?;
/// assert!((found.low - 0.052_4).abs() < 1e-4 && (found.high - 0.333_9).abs() < 1e-4);
/// # Ok::<(), storymill_metrics::Undefined>(())
/// ```
pub fn newcombe(one: (u64, u64), other: (u64, u64), level: f64) -> Result<Interval, Undefined> {
    let (one, other) = (wilson(one.0, one.1, level)?, wilson(other.0, other.1, level)?);
    let value = one.value - other.value;
    let below = (one.value - one.low).hypot(other.high - other.value);
    let above = (one.high - one.value).hypot(other.value - other.low);
    Ok(Interval { value, low: (value - below).max(-1.0), high: (value + above).min(1.0) })
}

/// The exact interval (Clopper and Pearson 1934): never too narrow, often wider than needed.
///
/// Laws: as for Wilson's; with no success it starts at 0, with no failure it ends at 1.
pub fn exact(successes: u64, trials: u64, level: f64) -> Result<Interval, Undefined> {
    let (k, n) = checked(successes, trials, level)?;
    let tail = (1.0 - level) / 2.0;
    let low = if successes == 0 { 0.0 } else { beta_quantile(tail, k, n - k + 1.0) };
    let high = if successes == trials { 1.0 } else { beta_quantile(1.0 - tail, k + 1.0, n - k) };
    Ok(Interval { value: k / n, low, high })
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn checked(successes: u64, trials: u64, level: f64) -> Result<(f64, f64), Undefined> {
    if trials == 0 {
        return Err(Undefined::Empty);
    }
    if successes > trials {
        return Err(Undefined::Successes { successes, trials });
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(Undefined::Range {
            name: "the confidence level",
            range: "between 0 and 1",
            value: level.to_string(),
        });
    }
    Ok((successes as f64, trials as f64))
}

/// The standard normal quantile of a share from 0.5 on, by halving the distribution function.
pub fn normal_quantile(share: f64) -> f64 {
    halve(0.0, 40.0, |z| {
        // Φ(z) is ½ + ½ P(½, z²/2); the regularised gamma function by its series.
        let x = z * z / 2.0;
        let (mut term, mut sum, mut a) = (2.0, 2.0, 0.5);
        while term > sum * 1e-17 {
            a += 1.0;
            term *= x / a;
            sum += term;
        }
        let lower = (x.ln() / 2.0 - x).exp() * sum / std::f64::consts::PI.sqrt();
        // Far out the series loses its digits, but there the share is 1 to all digits.
        if z > 8.0 || f64::midpoint(1.0, lower) >= share {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        }
    })
}

pub(crate) fn beta_quantile(share: f64, a: f64, b: f64) -> f64 {
    halve(0.0, 1.0, |x| {
        if beta_share(x, a, b) >= share {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        }
    })
}

/// Where a rising function turns from `Less` to `Greater`, to the last bit.
fn halve(mut low: f64, mut high: f64, side: impl Fn(f64) -> std::cmp::Ordering) -> f64 {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if side(middle).is_lt() { low = middle } else { high = middle }
    }
}

const TINY: f64 = 1e-300;

/// The regularised incomplete beta function by its continued fraction (Lentz's method).
#[expect(clippy::many_single_char_names, reason = "the letters of the formula")]
fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let safe = |value: f64| if value.abs() < TINY { TINY } else { value };
    let front =
        (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp() / a;
    let (mut c, mut d) = (1.0, 1.0 / safe(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    let mut m = 0.0;
    while m < 10_000.0 {
        m += 1.0;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / safe(1.0 + even * d);
        c = safe(1.0 + even / c);
        fraction *= c * d;
        d = 1.0 / safe(1.0 + odd * d);
        c = safe(1.0 + odd / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// The logarithm of the gamma function from 1 on: Stirling's series after a shift to 15 and above.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 15.0 {
        shift += x.ln();
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)))) / x;
    (x - 0.5) * x.ln() - x + (2.0 * std::f64::consts::PI).ln() / 2.0 + series - shift
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(found: Interval, low: f64, high: f64) {
        assert!((found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn table() {
        // By scipy.stats.binomtest(k, n).proportion_ci(level, method).
        check(exact(8, 10, 0.95).unwrap(), 0.443_904_537_692_4, 0.974_789_272_673_7);
        check(exact(0, 10, 0.95).unwrap(), 0.0, 0.308_497_107_818_8);
        check(exact(28, 63, 0.9).unwrap(), 0.337_317_684_077, 0.555_622_978_089_8);
        check(exact(1200, 2999, 0.99).unwrap(), 0.377_097_093_443_2, 0.423_489_380_041_6);
        check(wilson(0, 10, 0.95).unwrap(), 0.0, 0.277_532_799_862_9);
        check(wilson(28, 63, 0.9).unwrap(), 0.345_874_014_588_2, 0.547_590_073_340_9);
        check(wilson(1200, 2999, 0.99).unwrap(), 0.377_334_186_897_7, 0.423_373_477_004_7);
    }

    #[test]
    fn differences() {
        // Newcombe 1998, table II: rows a, c, e and g of method 10.
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((10, 10), (0, 20), 0.6791, 1.0),
        ] {
            let found = newcombe(one, other, 0.95).unwrap();
            assert!(
                (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4,
                "{found:?}"
            );
            let back = newcombe(other, one, 0.95).unwrap();
            assert!((found.low + back.high).abs() < 1e-12, "{found:?} {back:?}");
        }
        assert_eq!(newcombe((0, 0), (1, 2), 0.95), Err(Undefined::Empty));
    }

    #[test]
    fn undefined() {
        assert_eq!(wilson(0, 0, 0.95), Err(Undefined::Empty));
        assert_eq!(exact(2, 1, 0.95), Err(Undefined::Successes { successes: 2, trials: 1 }));
        assert!(matches!(exact(1, 2, 95.0), Err(Undefined::Range { .. })));
    }

    proptest! {
        #[test]
        fn laws(n in 1_u64..3000, k in 0_u64..3000, level in 0.01_f64..0.999) {
            let k = k.min(n);
            for interval in [wilson, exact] {
                let (there, back) = (interval(k, n, level).unwrap(), interval(n - k, n, level).unwrap());
                prop_assert!((there.low + back.high - 1.0).abs() < 1e-9, "{there:?} {back:?}");
                prop_assert!(0.0 <= there.low && there.low <= there.value && there.value <= there.high && there.high <= 1.0);
            }
        }
    }
}
