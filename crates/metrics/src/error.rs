//! Why a number does not exist.

/// The input has no such number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undefined {
    /// Nothing to count.
    #[error("there is nothing to score")]
    Empty,
    /// Two columns that should run side by side do not.
    #[error("{left} values stand beside {right}")]
    Lengths {
        /// Length of the first column.
        left: usize,
        /// Length of the second.
        right: usize,
    },
    /// One annotator agrees with nobody.
    #[error("agreement needs two annotators; there is {0}")]
    Raters(usize),
    /// No unit has two votes.
    #[error("no unit has two votes, so nothing can be compared")]
    NoPairs,
    /// An item of a count table has another number of votes than the first one.
    #[error("item {item} has {votes} votes, the first one has {expected}")]
    Votes {
        /// Position of the item.
        item: usize,
        /// Its votes.
        votes: usize,
        /// Votes of the first item.
        expected: usize,
    },
    /// A score that is no number.
    #[error("value {0} is not a number")]
    NotANumber(usize),
    /// All values are the same, so chance explains everything.
    #[error("all values are the same, so agreement beyond chance has no meaning")]
    Constant,
    /// One cluster cannot be resampled.
    #[error("all rows are of one cluster, which cannot be resampled")]
    OneCluster,
    /// There are fewer clusters than an interval takes.
    #[error("{clusters} clusters are too few for an interval, which takes {fewest}")]
    FewClusters {
        /// How many there are.
        clusters: usize,
        /// How many it takes.
        fewest: usize,
    },
    /// A statistic that most samples do not have.
    #[error("{without} of {rounds} samples have no such number, so its interval has no meaning")]
    Rounds {
        /// Samples without it.
        without: usize,
        /// Samples.
        rounds: usize,
    },
    /// A parameter out of its range.
    #[error("{name} must be {range}, not {value}")]
    Range {
        /// Which one.
        name: &'static str,
        /// Where it must lie.
        range: &'static str,
        /// What was given, as text so that errors can be compared.
        value: String,
    },
    /// More successes than trials.
    #[error("{successes} successes in {trials} trials")]
    Successes {
        /// Successes.
        successes: u64,
        /// Trials.
        trials: u64,
    },
}
