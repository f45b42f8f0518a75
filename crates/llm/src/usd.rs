//! Money: one type, one unit inside, one way to print it.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul},
};

use serde::{Serialize, Serializer};

/// An amount of money, in billionths of a dollar; what is more than 18 billion dollars is that. It prints as `$1.25`, with as many digits as
/// tell it from nothing, and serialises as whole millionths, rounded up.
///
/// ```
/// use storymill_llm::Usd;
/// let each = Usd::nano(12_345);
/// assert_eq!((each * 2 + Usd::micro(1_250_000)).to_string(), "$1.250025");
/// assert_eq!(each.as_micro(), 13);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usd(u64);

impl Usd {
    /// So many billionths of a dollar.
    pub const fn nano(nano: u64) -> Self {
        Self(nano)
    }

    /// So many millionths of a dollar.
    pub const fn micro(micro: u64) -> Self {
        Self(micro.saturating_mul(1000))
    }

    /// In millionths of a dollar, rounded up.
    pub const fn as_micro(self) -> u64 {
        self.0.div_ceil(1000)
    }

    /// In dollars.
    #[expect(clippy::cast_precision_loss, reason = "shown, never reckoned with")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// What is left of it, nothing at the least.
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// As people say an amount that is reckoned: from ten cents on, in whole cents.
    pub const fn about(self) -> Self {
        const CENT: u64 = 10_000_000;
        if self.0 < 10 * CENT {
            self
        } else {
            Self((self.0.saturating_add(CENT / 2)) / CENT * CENT)
        }
    }
}

impl Add for Usd {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Usd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for Usd {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micro = self.as_micro();
        let text = format!("${}.{:06}", micro / 1_000_000, micro % 1_000_000);
        let cents = text.find('.').map_or(text.len(), |point| point + 3);
        let kept = text.trim_end_matches('0').len().max(cents);
        f.pad(&text[..kept])
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.as_micro())
    }
}

#[cfg(test)]
mod tests {
    use super::Usd;

    #[test]
    fn amounts_read_well() {
        for (amount, text) in [
            (Usd::nano(1_250_000_000), "$1.25"),
            (Usd::default(), "$0.00"),
            (Usd::nano(12_345), "$0.000013"),
            (Usd::micro(100_000_000), "$100.00"),
            (Usd::micro(1_234_567).about(), "$1.23"),
            (Usd::micro(99_999).about(), "$0.099999"),
        ] {
            assert_eq!(amount.to_string(), text);
        }
        assert_eq!(serde_json::to_string(&Usd::nano(12_345)).unwrap(), "13");
    }
}
