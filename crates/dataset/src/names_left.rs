//! How many names are left in rows with other names: the rows of `count-names`, summed, and what follows from them.

use std::path::Path;

use serde_json::Value;
use storymill_core::{Fault, NameCount};
use storymill_metrics::binomial;

use crate::{
    manifest::Manifest,
    reading::{each_row, open_here},
};

/// The column that tells rows of counts from others.
const COUNT: &str = "name_count_id";

/// Names that are left, found without the cast, and the words that were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamesLeft {
    /// Names that are left.
    pub left: u64,
    /// Words that were looked at.
    pub words: u64,
}

/// So many per 100,000 words: the rate, and Wilson's interval of 95 % around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamesLeftRate {
    /// The rate.
    pub rate: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

impl NamesLeft {
    /// What the tables of a published folder say; none if no table has counts.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or is no Parquet file.
    pub fn of(folder: &Path) -> Result<Option<Self>, Fault> {
        let manifest = Manifest::of(folder)?;
        let mut all: Option<Self> = None;
        for file in &manifest.files {
            let path = folder.join(&file.path);
            let reader = open_here(&path)?;
            if reader.schema().column_with_name(COUNT).is_some() {
                let all = all.get_or_insert_default();
                each_row(reader, &path, |row: Value| {
                    all.left += row["left"].as_u64().unwrap_or(0);
                    all.words += row["words"].as_u64().unwrap_or(0);
                    Ok(())
                })?;
            }
        }
        Ok(all)
    }

    /// Adds a count.
    pub(crate) fn note(&mut self, count: &NameCount) {
        self.left += u64::from(count.left);
        self.words += u64::from(count.words);
    }

    /// The rate with its interval; none if nothing was looked at.
    pub fn rate(&self) -> Option<NamesLeftRate> {
        let found = binomial::wilson(self.left.min(self.words), self.words, 0.95).ok()?;
        let [rate, low, high] = [found.value, found.low, found.high].map(|share| share * 100_000.0);
        Some(NamesLeftRate { rate, low, high })
    }

    /// Whether more are left than so many per 100,000 words.
    pub fn is_past(&self, per_100k: u32) -> bool {
        u128::from(self.left) * 100_000 > u128::from(per_100k) * u128::from(self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_passed_by_what_is_past_it() {
        let found = NamesLeft { left: 3, words: 60_000 };
        assert!(found.is_past(4) && !found.is_past(5));
        let rate = found.rate().unwrap();
        assert!((rate.rate - 5.0).abs() < 1e-9 && rate.low < 5.0 && rate.high > 5.0, "{rate:?}");
        assert!(NamesLeft::default().rate().is_none() && !NamesLeft::default().is_past(0));
        assert!(NamesLeft { left: 1, words: 1_000_000 }.is_past(0));
    }
}
