//! How far people agree on items that ask the same question with the same choices.
//!
//! An item is what was asked once, and its votes are who chose what. One rule says what no answer is: who left an item `open`, who
//! `cannot tell`, and who said nothing did not answer it ([`answer`]), and count neither as voters nor for or against anybody. What asks
//! another question, or gives other choices, has an agreement of its own: people answer it alike for other reasons.

mod coefficients;

use std::collections::BTreeSet;

use serde::Serialize;

pub(crate) use coefficients::Table;
pub use coefficients::{ALPHA, COHEN, FLEISS, Scale, alpha, cohen, fleiss};

use crate::{
    Undefined,
    bootstrap::{FEWEST, Plan, statistic},
    prf::count,
};

/// The votes on one item: who chose what. Of two votes of one person the first is compared with those of others.
pub type Votes<'v> = Vec<(&'v str, &'v str)>;

/// What a choice answers: none where it says nothing, leaves the question open or says that nobody can tell.
pub fn answer(choice: &str) -> Option<&str> {
    (!["", "open", "cannot tell"].contains(&choice)).then_some(choice)
}

/// The answer of more than half of the votes; none where they are split, be it a tie.
///
/// ```
/// use storymill_metrics::agreement::majority;
///
/// assert_eq!(majority(["cut", "keep", "cut"]), Some("cut"));
/// assert_eq!(majority(["cut", "keep"]), None);
/// ```
pub fn majority<C: PartialEq>(votes: impl IntoIterator<Item = C>) -> Option<C> {
    let votes: Vec<C> = votes.into_iter().collect();
    let of = |choice: &C| votes.iter().filter(|other| *other == choice).count();
    let at = votes.iter().position(|choice| 2 * of(choice) > votes.len())?;
    votes.into_iter().nth(at)
}

/// How votes are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct How<'c> {
    /// The choices in order, as far as their order means something; others come behind them as they are found.
    pub choices: &'c [&'c str],
    /// How far apart two choices are.
    pub scale: Scale,
    /// How intervals are drawn; none without it.
    pub draws: Option<Draws>,
}

/// Intervals draw clusters.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    /// What one cluster is called, and several are: `book`, `books`.
    pub of: [&'static str; 2],
    /// How often they are drawn, and how.
    pub plan: Plan,
    /// Whether a cluster is drawn too in which nothing can be compared.
    pub blank: bool,
}

/// A number with its interval, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why there is no number, or no interval.
    pub undefined: Option<String>,
}

impl Estimate {
    /// `0.82 (0.61 to 0.93)`; or why there is no interval, or no number.
    pub fn told(&self, digits: usize) -> String {
        let why = self.undefined.as_deref();
        match (self.value, self.low, self.high) {
            (Some(value), Some(low), Some(high)) => {
                format!("{value:.digits$} ({low:.digits$} to {high:.digits$})")
            }
            (Some(value), ..) => {
                format!("{value:.digits$}{}", why.map_or(String::new(), |why| format!("; {why}")))
            }
            (None, ..) => why.unwrap_or("undefined").to_owned(),
        }
    }

    /// The number of all, and its interval over the clusters that have these tables.
    fn of(
        all: &Table,
        mut tables: Vec<Table>,
        draws: Option<Draws>,
        number: impl Fn(&Table) -> Result<f64, Undefined>,
    ) -> Self {
        let value = match number(all) {
            Ok(value) => Some(value),
            Err(why) => return Self::without(format!("undefined: {why}")),
        };
        let Some(Draws { of, plan, blank }) = draws else {
            return Self { value, ..Self::default() };
        };
        tables.retain(|table| blank || !table.is_blank());
        let drawn = |drawn: &[usize]| number(&all.sum(drawn.iter().map(|at| &tables[*at]))).ok();
        match statistic(tables.len(), plan, drawn) {
            Ok(found) => {
                let (low, high) = (Some(found.interval.low), Some(found.interval.high));
                Self { value, low, high, undefined: None }
            }
            Err(why) => {
                let why = match why {
                    Undefined::FewClusters { clusters, .. } => {
                        let of = of[usize::from(clusters != 1)];
                        format!("votes on {clusters} {of}, and it needs {FEWEST}")
                    }
                    why => why.to_string(),
                };
                Self { value, ..Self::without(format!("no interval: {why}")) }
            }
        }
    }

    fn without(why: String) -> Self {
        Self { undefined: Some(why), ..Self::default() }
    }
}

/// Two people who answered the same items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Couple {
    /// The one; the first by name.
    pub one: String,
    /// The other.
    pub other: String,
    /// Items that both answered.
    pub items: usize,
    /// Those on which they agree.
    pub agreed: usize,
    /// Cohen's kappa.
    pub kappa: Estimate,
}

/// How far people agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Who answered, by name.
    pub voters: Vec<String>,
    /// Items with two answers or more.
    pub items: usize,
    /// Couples of answers to one item.
    pub couples: usize,
    /// Those that are equal.
    pub agreed: usize,
    /// Every two people with an item in common.
    pub pairs: Vec<Couple>,
    /// Krippendorff's alpha.
    pub alpha: Estimate,
}

/// The agreement on the items of these clusters. All of them ask the same question with the same choices.
///
/// ```
/// use storymill_metrics::agreement::{How, agreement};
///
/// let items = vec![vec![("ann", "cut"), ("bob", "cut")], vec![("ann", "keep"), ("bob", "cut")], vec![("bob", "open")]];
/// let found = agreement(&[items], How::default());
/// assert_eq!((found.items, found.agreed, found.pairs[0].agreed), (2, 1, 1));
/// ```
pub fn agreement(clusters: &[Vec<Votes<'_>>], how: How<'_>) -> Agreement {
    let mut choices = how.choices.to_vec();
    let mut placed = |choice| {
        choices.iter().position(|known| *known == choice).unwrap_or_else(|| {
            choices.push(choice);
            choices.len() - 1
        })
    };
    let clusters: Vec<Vec<Vec<(&str, usize)>>> = clusters
        .iter()
        .map(|items| {
            let votes = items.iter().map(|votes| {
                let answers = votes.iter().filter_map(|(who, said)| Some((*who, answer(said)?)));
                answers.map(|(who, said)| (who, placed(said))).collect()
            });
            votes.collect()
        })
        .collect();
    let size = choices.len();
    let all = || clusters.iter().flatten();
    let voters: BTreeSet<&str> = all().flatten().map(|(who, _)| *who).collect();
    let voters: Vec<&str> = voters.into_iter().collect();

    let mut found = Agreement::default();
    for (at, one) in voters.iter().enumerate() {
        for other in &voters[at + 1..] {
            let both = |item: &Vec<(&str, usize)>| {
                let of = |name| item.iter().find(|(who, _)| *who == name).map(|(_, place)| *place);
                Some((of(*one)?, of(*other)?))
            };
            let pairs: Vec<(usize, usize)> = all().filter_map(both).collect();
            if pairs.is_empty() {
                continue;
            }
            let of_cluster = |items: &Vec<_>| Table::of(size, items.iter().filter_map(both));
            let tables = clusters.iter().map(of_cluster).collect();
            found.pairs.push(Couple {
                one: (*one).to_owned(),
                other: (*other).to_owned(),
                items: pairs.len(),
                agreed: pairs.iter().filter(|(one, other)| one == other).count(),
                kappa: Estimate::of(&Table::of(size, pairs), tables, how.draws, Table::kappa),
            });
        }
    }

    let places =
        |item: &Vec<(&str, usize)>| item.iter().map(|(_, place)| *place).collect::<Vec<_>>();
    for votes in all().map(places) {
        found.items += usize::from(votes.len() > 1);
        for (at, one) in votes.iter().enumerate() {
            found.couples += votes.len() - at - 1;
            found.agreed += votes[at + 1..].iter().filter(|other| *other == one).count();
        }
    }
    let ranks: Vec<f64> = (0..size).map(count).collect();
    let together = |items: &Vec<_>| Table::together(size, items.iter().map(places));
    found.alpha = if voters.len() < 2 {
        let count = voters.len();
        Estimate::without(format!("undefined: agreement needs two voters, and there is {count}"))
    } else {
        let tables = clusters.iter().map(together).collect();
        Estimate::of(&Table::together(size, all().map(places)), tables, how.draws, |table| {
            table.alpha(&ranks, how.scale)
        })
    };
    found.voters = voters.into_iter().map(str::to_owned).collect();
    found
}

#[cfg(test)]
#[path = "agreement_tests.rs"]
mod tests;
