//! How alike two texts are in style: the cosine of their character n-grams.

use std::collections::BTreeMap;

/// How often each run of one to four characters stands in a text, and how long that vector is.
///
/// Who compares the options of a question with the first scene of its book by nothing else should be right as
/// often as by chance; what is beyond that is style, not reading.
///
/// ```
/// use storymill_metrics::grams::CharGrams;
/// let text = CharGrams::of("the old gate");
/// assert!(text.cosine(&text) > 0.999);
/// assert!(text.cosine(&CharGrams::of("xyz")) < 0.001);
/// assert_eq!(text.cosine(&CharGrams::of("")), 0.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharGrams {
    counts: BTreeMap<[char; CharGrams::LONGEST], u32>,
    norm: f64,
}

impl CharGrams {
    /// The longest run, in characters.
    pub const LONGEST: usize = 4;

    /// Counts the runs of a text as it is: case, spaces and marks count.
    pub fn of(text: &str) -> Self {
        let symbols: Vec<char> = text.chars().collect();
        let mut counts: BTreeMap<[char; Self::LONGEST], u32> = BTreeMap::new();
        for length in 1..=Self::LONGEST {
            for run in symbols.windows(length) {
                // No text has the symbol that fills short runs up.
                let mut gram = ['\0'; Self::LONGEST];
                gram[..length].copy_from_slice(run);
                *counts.entry(gram).or_default() += 1;
            }
        }
        let norm = counts.values().map(|count| f64::from(*count).powi(2)).sum::<f64>().sqrt();
        Self { counts, norm }
    }

    /// The cosine of both vectors, from 0 to 1; 0 if one text is empty.
    pub fn cosine(&self, other: &Self) -> f64 {
        if self.norm == 0.0 || other.norm == 0.0 {
            return 0.0;
        }
        let (few, many) =
            if self.counts.len() <= other.counts.len() { (self, other) } else { (other, self) };
        let product = |(gram, count): (&[char; Self::LONGEST], &u32)| {
            many.counts.get(gram).map(|other| f64::from(*count) * f64::from(*other))
        };
        let sum: f64 = few.counts.iter().filter_map(product).sum();
        sum / (self.norm * other.norm)
    }
}
