//! How far people agree: Cohen's kappa of every two, Krippendorff's alpha of all.
//!
//! The arithmetic knows neither sentences nor claims: an item has votes, each of a person. Votes on claims
//! (`storymill-claims`) and on sentences of retellings both come here.

use std::collections::{BTreeMap, BTreeSet};

use storymill_metrics::{
    Undefined,
    agreement::cohen,
    krippendorff::{Scale, alpha},
};

/// Two people who voted on the same items.
#[derive(Clone, Debug, PartialEq)]
pub struct Couple {
    /// The one; the first by name.
    pub one: String,
    /// The other.
    pub other: String,
    /// Items that both voted on.
    pub items: usize,
    /// Those on which they agree.
    pub agreed: usize,
    /// Cohen's kappa, or why there is none.
    pub kappa: Result<f64, Undefined>,
}

/// Every two people with an item in common; each item is a list of votes with their person, of whom the first vote counts.
///
/// ```
/// use storymill_faithfulness::agreement::couples;
///
/// let items = [vec![("ann", 1), ("bob", 1)], vec![("ann", 0), ("bob", 1)], vec![("ann", 0)]];
/// let found = couples(&items);
/// assert_eq!((found.len(), found[0].items, found[0].agreed), (1, 2, 1));
/// ```
pub fn couples<P: AsRef<str>, L: Ord + Copy>(items: &[Vec<(P, L)>]) -> Vec<Couple> {
    let sorted: Vec<BTreeMap<&str, L>> = items
        .iter()
        .map(|votes| votes.iter().rev().map(|(person, vote)| (person.as_ref(), *vote)).collect())
        .collect();
    let names: BTreeSet<&str> = sorted.iter().flat_map(|votes| votes.keys().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let mut couples = Vec::new();
    for (at, one) in names.iter().enumerate() {
        for other in &names[at + 1..] {
            let both =
                sorted.iter().filter_map(|votes| Some((*votes.get(one)?, *votes.get(other)?)));
            let (left, right): (Vec<L>, Vec<L>) = both.unzip();
            if !left.is_empty() {
                couples.push(Couple {
                    one: (*one).to_owned(),
                    other: (*other).to_owned(),
                    items: left.len(),
                    agreed: left.iter().zip(&right).filter(|(a, b)| a == b).count(),
                    kappa: cohen(&left, &right),
                });
            }
        }
    }
    couples
}

/// Agreement of all who voted.
#[derive(Clone, Debug, PartialEq)]
pub struct Overall {
    /// Items with two votes or more.
    pub items: usize,
    /// Couples of votes on one item.
    pub couples: usize,
    /// Those that are equal.
    pub agreed: usize,
    /// Krippendorff's alpha, or why there is none.
    pub alpha: Result<f64, Undefined>,
}

/// The agreement of all votes; each item is a list of them.
pub fn overall(items: &[Vec<f64>], scale: Scale) -> Overall {
    let (mut several, mut couples, mut agreed) = (0, 0, 0);
    for votes in items.iter().filter(|votes| votes.len() > 1) {
        several += 1;
        for (at, one) in votes.iter().enumerate() {
            for other in &votes[at + 1..] {
                couples += 1;
                agreed += usize::from(one.total_cmp(other).is_eq());
            }
        }
    }
    let units: Vec<Vec<Option<f64>>> =
        items.iter().map(|votes| votes.iter().copied().map(Some).collect()).collect();
    Overall { items: several, couples, agreed, alpha: alpha(&units, scale) }
}
