//! The share of all items that a system would have right, where it was not asked all of them.
//!
//! Items that a system was not asked are seldom like the others: a long book does not fit, and its items
//! may be the hard ones. An item-response model with one parameter (Rasch 1960) says how likely each
//! system has each item right; what was asked counts as it was answered, the rest by the model. Abilities
//! and difficulties are the mode under normal priors: a wide one of abilities; one of difficulties around the
//! mean of their cluster (a book), with the spread that is seen. Intervals are of a jackknife over clusters.

use crate::{Undefined, Variant, bootstrap::Interval, clustered::student, prf::count};

/// The variant of this estimate.
pub const VARIANT: Variant = Variant::new("rasch-all-items", 1);

/// The jackknife leaves out at most so many groups of clusters in turn.
const GROUPS: usize = 20;
const FEWEST: usize = 5;
/// The variance of the prior of abilities.
const WIDE: f64 = 9.0;

/// What a system made of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The system, by number.
    pub system: usize,
    /// The item, by number.
    pub item: usize,
    /// Whether it is right.
    pub right: bool,
}

/// For each system the share of all items that it would have right. `clusters` has the cluster of each item,
/// such as its book, by number from 0.
///
/// Law: a system that was asked every item has the share that it had right.
///
/// # Errors
///
/// There are no items, or a number is out of range; with fewer than 5 clusters no interval is defined.
pub fn all_items(
    verdicts: &[Verdict],
    systems: usize,
    clusters: &[usize],
    level: f64,
) -> Result<Vec<Interval>, Undefined> {
    let bad = |one: &Verdict| one.system >= systems || one.item >= clusters.len();
    if clusters.is_empty() || verdicts.iter().any(bad) {
        return Err(Undefined::Empty);
    }
    let many = clusters.iter().max().map_or(0, |most| most + 1);
    if many < FEWEST {
        return Err(Undefined::OneCluster);
    }
    let groups = many.min(GROUPS);
    let whole = shares(verdicts, systems, clusters, |_| true);
    let mut squares = vec![0.0; systems];
    let mut parts = Vec::with_capacity(groups);
    for group in 0..groups {
        let stays = |item: usize| clusters[item] % groups != group;
        if (0..clusters.len()).any(stays) {
            parts.push(shares(verdicts, systems, clusters, stays));
        }
    }
    let n = count(parts.len());
    for (system, sum) in squares.iter_mut().enumerate() {
        let mean = parts.iter().map(|part| part[system]).sum::<f64>() / n;
        *sum = parts.iter().map(|part| (part[system] - mean).powi(2)).sum::<f64>() * (n - 1.0) / n;
    }
    let t = student(level, n - 1.0);
    let interval = |(value, square): (f64, f64)| {
        let half = t * square.sqrt();
        Interval { value, low: (value - half).max(0.0), high: (value + half).min(1.0) }
    };
    Ok(whole.into_iter().zip(squares).map(interval).collect())
}

/// The shares over the items that stay.
fn shares(
    verdicts: &[Verdict],
    systems: usize,
    clusters: &[usize],
    stays: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let verdicts: Vec<Verdict> = verdicts.iter().copied().filter(|one| stays(one.item)).collect();
    let (abilities, difficulties) = fit(&verdicts, systems, clusters);
    let all: Vec<usize> = (0..clusters.len()).filter(|item| stays(*item)).collect();
    let mut sums: Vec<f64> = abilities
        .iter()
        .map(|ability| all.iter().map(|item| chance(ability - difficulties[*item])).sum())
        .collect();
    for one in &verdicts {
        let guessed = chance(abilities[one.system] - difficulties[one.item]);
        sums[one.system] += f64::from(u8::from(one.right)) - guessed;
    }
    sums.into_iter().map(|sum| (sum / count(all.len())).clamp(0.0, 1.0)).collect()
}

/// Abilities and difficulties, by turns of one Newton step for all systems and one for all items.
fn fit(verdicts: &[Verdict], systems: usize, clusters: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let items = clusters.len();
    let (mut abilities, mut difficulties) = (vec![0.0; systems], vec![0.0; items]);
    let none = vec![0.0; systems];
    let mut spread = 1.0;
    for _ in 0..200 {
        let mut moved: f64 = 0.0;
        for side in [true, false] {
            let of = |one: &Verdict| if side { one.system } else { one.item };
            let values = if side { &abilities } else { &difficulties };
            let variance = if side { WIDE } else { spread };
            let around = if side { none.clone() } else { means(&difficulties, clusters) };
            let mut slopes: Vec<f64> =
                values.iter().zip(&around).map(|(value, mean)| (mean - value) / variance).collect();
            let mut bends = vec![1.0 / variance; values.len()];
            for one in verdicts {
                let p = chance(abilities[one.system] - difficulties[one.item]);
                let beyond = f64::from(u8::from(one.right)) - p;
                slopes[of(one)] += if side { beyond } else { -beyond };
                bends[of(one)] += p * (1.0 - p);
            }
            let values = if side { &mut abilities } else { &mut difficulties };
            for ((value, slope), bend) in values.iter_mut().zip(&slopes).zip(&bends) {
                let step = (slope / bend).clamp(-1.0, 1.0);
                *value += step;
                moved = moved.max(step.abs());
            }
            if !side {
                // What is seen of the spread of difficulties, and what is not seen of each.
                let beside = difficulties.iter().zip(&around).zip(&bends);
                let seen = beside.map(|((one, mean), bend)| (one - mean).powi(2) + 1.0 / bend);
                spread = (seen.sum::<f64>() / count(items)).clamp(0.01, WIDE);
            }
        }
        if moved < 1e-6 {
            break;
        }
    }
    (abilities, difficulties)
}

/// For each item the mean of its cluster.
fn means(values: &[f64], clusters: &[usize]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); clusters.iter().max().map_or(0, |most| most + 1)];
    for (value, cluster) in values.iter().zip(clusters) {
        sums[*cluster].0 += value;
        sums[*cluster].1 += 1.0;
    }
    clusters.iter().map(|cluster| sums[*cluster].0 / sums[*cluster].1).collect()
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, the same on every machine.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 88_172_645_463_325_252_u64;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            f64::from(u32::try_from(state >> 32).unwrap()) / f64::from(u32::MAX)
        }
    }

    /// Twelve systems on 400 items of 40 books; `asked` says who is asked what, by the difficulty of the book.
    fn simulated(asked: impl Fn(usize, f64) -> bool) -> (Vec<Verdict>, Vec<f64>, Vec<usize>) {
        let mut next = numbers();
        let clusters: Vec<usize> = (0..400).map(|item| item / 10).collect();
        let books: Vec<f64> = (0..40).map(|_| next() * 3.0 - 1.5).collect();
        let hard: Vec<f64> = clusters.iter().map(|book| books[*book] + next() - 0.5).collect();
        let (mut verdicts, mut truth) = (Vec::new(), vec![0.0; 12]);
        for (system, share) in truth.iter_mut().enumerate() {
            for (item, hard) in hard.iter().enumerate() {
                let p = chance(count(system) * 0.25 - 1.5 - hard);
                let right = next() < p;
                *share += f64::from(u8::from(right)) / 400.0;
                if asked(system, books[clusters[item]]) {
                    verdicts.push(Verdict { system, item, right });
                }
            }
        }
        (verdicts, truth, clusters)
    }

    fn close(one: f64, other: f64, by: f64) -> bool {
        (one - other).abs() < by
    }

    #[test]
    fn who_was_asked_all_has_what_was_seen() {
        let (verdicts, truth, clusters) = simulated(|_, _| true);
        let found = all_items(&verdicts, 12, &clusters, 0.95).unwrap();
        for (found, truth) in found.iter().zip(&truth) {
            assert!(close(found.value, *truth, 1e-9) && found.low < *truth && *truth < found.high);
        }
    }

    #[test]
    fn who_was_asked_easy_books_alone_is_not_taken_for_better() {
        // Half of the systems are asked the easier half alone.
        let (verdicts, truth, clusters) = simulated(|system, hard| system % 2 == 0 || hard < 0.0);
        let found = all_items(&verdicts, 12, &clusters, 0.95).unwrap();
        let (mut inside, mut far, mut seen_far) = (0, 0.0, 0.0);
        for (system, (found, truth)) in found.iter().zip(&truth).enumerate() {
            let own: Vec<&Verdict> = verdicts.iter().filter(|one| one.system == system).collect();
            let seen = count(own.iter().filter(|one| one.right).count()) / count(own.len());
            assert!(close(found.value, *truth, 0.1), "{system}: {found:?} {truth} {seen}");
            inside += u32::from(found.low <= *truth && *truth <= found.high);
            far += (found.value - truth).abs();
            seen_far += (seen - truth).abs();
        }
        assert!(inside >= 11 && far * 3.0 < seen_far, "{inside} {far} {seen_far}");
    }

    #[test]
    fn too_few_clusters() {
        let one = Verdict { system: 0, item: 0, right: true };
        assert!(all_items(&[one], 1, &[0, 1, 2, 3], 0.95).is_err());
        assert!(all_items(&[one], 0, &[0, 1, 2, 3, 4], 0.95).is_err());
    }
}
