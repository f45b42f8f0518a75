//! Who sits at a book's places: of the candidates that are most like it, the one with the largest hash of the two.
//!
//! Every book looks at every candidate of its split for every place, so what is looked at is a bare list of numbers
//! ([`Bench`]), sorted by year of birth: those of one time lie side by side, and anything else about a candidate is
//! asked only where its hash would win.

use std::{collections::BTreeMap, ops::Range};

use super::{Candidate, ONE_TIME, Partners, mix};

/// The candidates of one split, by who tells and in which tense.
#[derive(Default)]
struct Hall([Bench; 4]);

/// Candidates that are told alike: first those whose year of birth is unknown, then by it.
#[derive(Default)]
struct Bench {
    births: Vec<Option<i32>>,
    hashes: Vec<u64>,
    who: Vec<usize>,
}

/// All candidates, ready to be looked through.
pub(super) struct Seating<'c> {
    all: &'c [Candidate<'c>],
    halls: BTreeMap<&'c str, Hall>,
}

/// Which bench a book belongs to. Benches that differ in the first bit differ in who tells, which weighs 2; the
/// second is the tense.
fn bench_of(one: &Candidate<'_>) -> usize {
    2 * usize::from(one.fact.first_person) + usize::from(one.fact.present)
}

/// The largest that a book can differ from another.
const MOST_UNLIKE: usize = 4;

impl<'c> Seating<'c> {
    pub(super) fn new(all: &'c [Candidate<'c>]) -> Self {
        let mut told: Vec<usize> = (0..all.len()).filter(|at| all[*at].fact.told).collect();
        told.sort_by_key(|at| all[*at].birth);
        let mut halls: BTreeMap<&str, Hall> = BTreeMap::new();
        for at in told {
            let one = &all[at];
            let bench = &mut halls.entry(&one.fact.split).or_default().0[bench_of(one)];
            bench.births.push(one.birth);
            bench.hashes.push(one.hash);
            bench.who.push(at);
        }
        Self { all, halls }
    }

    /// The book at each place; as long as there are books enough, each stands at one.
    pub(super) fn places(&self, stage: &Partners, at: usize) -> Vec<usize> {
        let one = &self.all[at];
        let Some(hall) = self.halls.get(&*one.fact.split) else { return Vec::new() };
        let mut places: Vec<usize> = Vec::with_capacity(stage.places.into());
        // Those that have a place since all had one.
        let mut used = 0;
        for place in 0..u64::from(stage.places) {
            let seat = mix(one.hash, place);
            let free =
                |used: &[usize], at: usize| stage.may(one, &self.all[at]) && !used.contains(&at);
            let best = hall.best(one, seat, |at| free(&places[used..], at)).or_else(|| {
                used = places.len();
                hall.best(one, seat, |at| free(&[], at))
            });
            let Some(best) = best else { break };
            places.push(best);
        }
        places
    }
}

impl Hall {
    /// The best of those that are least unlike.
    fn best(
        &self,
        one: &Candidate<'_>,
        seat: u64,
        is_free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        (0..=MOST_UNLIKE).find_map(|unlike| {
            let mut best = None;
            for (other, bench) in self.0.iter().enumerate() {
                let apart = unlike.checked_sub(bench_of(one) ^ other);
                for range in apart.into_iter().flat_map(|apart| bench.apart(one.birth, apart)) {
                    bench.better(range, seat, &is_free, &mut best);
                }
            }
            best.map(|(_, at)| at)
        })
    }
}

impl Bench {
    /// Where those lie whose authors are of one time with somebody born then (0), of another (1), or neither.
    fn apart(&self, birth: Option<i32>, apart: usize) -> [Range<usize>; 2] {
        let all = self.births.len();
        let known = self.births.partition_point(Option::is_none);
        let (from, to) = birth.map_or((known, all), |born| {
            let before =
                |other: &Option<i32>| other.is_none_or(|it| it < born.saturating_sub(ONE_TIME));
            let within =
                |other: &Option<i32>| other.is_none_or(|it| it <= born.saturating_add(ONE_TIME));
            (self.births.partition_point(before), self.births.partition_point(within))
        });
        match apart {
            0 => [0..known, from..to],
            1 => [known..from, to..all],
            _ => [0..0, 0..0],
        }
    }

    /// Takes whoever is free and has a larger hash than the best so far; of equal ones the last.
    fn better(
        &self,
        range: Range<usize>,
        seat: u64,
        is_free: impl Fn(usize) -> bool,
        best: &mut Option<(u64, usize)>,
    ) {
        let mut least = best.map_or(0, |(hash, _)| hash);
        for (hash, who) in self.hashes[range.clone()].iter().zip(&self.who[range]) {
            let hash = mix(seat, *hash);
            if hash >= least && Some((hash, *who)) > *best && is_free(*who) {
                (*best, least) = (Some((hash, *who)), hash);
            }
        }
    }
}
