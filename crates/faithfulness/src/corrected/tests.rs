use proptest::prelude::*;
use storymill_core::Seed;

use super::*;

/// A judge of known worth: sample and share that is faithful, gold labels of both classes, sensitivity, specificity.
type Setting = (u64, f64, u64, f64, u64, f64);

/// The judges of StorySumm's paper (section 5.2) are among them, with as many gold labels as its file has.
const SETTINGS: [Setting; 10] = [
    (200, 0.80, 50, 0.80, 50, 0.80),
    (200, 0.50, 50, 0.80, 50, 0.80),
    (100, 0.30, 20, 0.70, 20, 0.90),
    (500, 0.90, 100, 0.85, 100, 0.90),
    (300, 0.60, 36, 0.78, 60, 0.58),
    (300, 0.60, 36, 0.78, 60, 0.35),
    (1000, 0.30, 20, 0.80, 20, 0.70),
    (200, 0.95, 20, 0.95, 20, 0.90),
    (100, 0.40, 10, 0.80, 30, 0.80),
    (50, 0.90, 25, 0.90, 15, 0.80),
];

const RUNS: u64 = 1000;

/// The bar: 95 % intervals cover in 93 to 97 % of 1,000 runs.
#[test]
fn intervals_cover_as_often_as_they_say() {
    let seed = Seed::new(2026);
    for (at, (sample, rate, faithful, se, unfaithful, sp)) in SETTINGS.into_iter().enumerate() {
        let unit = "coverage".parse().unwrap();
        let mut stream = seed.derive("corrected", &unit, &at.to_string(), "simulation");
        let mut draw = |of: u64, share: f64| {
            let bound = 1 << 30;
            let limit = (share * f64::from(bound)) as u32;
            (0..of).filter(|_| stream.below(bound) < limit).count() as u64
        };
        let (mut covered, mut undefined) = (0, 0);
        for _ in 0..RUNS {
            let said = draw(sample, rate * se + (1.0 - rate) * (1.0 - sp));
            let counts = Counts {
                sample,
                said,
                faithful,
                hits: draw(faithful, se),
                unfaithful,
                found: draw(unfaithful, sp),
            };
            match corrected(counts, 0.95) {
                Ok(found) => covered += u64::from(found.low <= rate && rate <= found.high),
                Err(NotCorrected::Chance { .. }) => undefined += 1,
                Err(_) => {}
            }
        }
        let share = covered as f64 / (RUNS - undefined) as f64;
        println!("setting {at}: {share:.3} of {} runs, {undefined} undefined", RUNS - undefined);
        assert!((0.93..=0.97).contains(&share), "setting {at}: {share}");
    }
}

#[track_caller]
fn check(counts: [u64; 6], expect: &str) {
    let [sample, said, faithful, hits, unfaithful, found] = counts;
    let counts = Counts { sample, said, faithful, hits, unfaithful, found };
    let told = match corrected(counts, 0.95) {
        Ok(found) => format!("{:.3} ({:.3} to {:.3})", found.value, found.low, found.high),
        Err(why) => why.to_string(),
    };
    assert_eq!(told, expect);
}

#[test]
fn undefined_is_said() {
    check([0, 0, 5, 5, 5, 5], "undefined: the judge said nothing of the sample");
    check(
        [9, 3, 0, 0, 5, 5],
        "undefined: no faithful retelling among the gold labels, so the sensitivity is unknown",
    );
    check(
        [9, 3, 5, 5, 0, 0],
        "undefined: no unfaithful retelling among the gold labels, so the specificity is unknown",
    );
    check(
        [9, 3, 10, 7, 10, 3],
        "undefined: sensitivity 0.70 and specificity 0.30 sum to 1 or less, so the judge tells nothing",
    );
    check(
        [1000, 20, 50, 40, 50, 30],
        "undefined: the judge calls 0.02 of the sample faithful, which no rate explains at its sensitivity and specificity; the sample is unlike the gold labels",
    );
    check([3, 9, 5, 5, 5, 5], "undefined: the counts or the level make no sense");
}

#[test]
fn a_perfect_judge_leaves_the_rate_as_it_is() {
    let counts = Counts {
        sample: 100,
        said: 80,
        faithful: 1_000_000,
        hits: 1_000_000,
        unfaithful: 1_000_000,
        found: 1_000_000,
    };
    let (found, plain) = (corrected(counts, 0.95).unwrap(), wilson(80, 100, 0.95).unwrap());
    assert!((found.value - 0.8).abs() < 1e-12);
    // With nothing unknown of the judge, the score test is Wilson's.
    assert!((found.low - plain.low).abs() < 1e-4 && (found.high - plain.high).abs() < 1e-4);
}

#[test]
fn counts_are_taken_in() {
    let mut counts = Counts::default();
    counts.sampled(true);
    counts.sampled(false);
    for (gold, said) in [(true, true), (true, false), (false, false), (false, true), (false, false)]
    {
        counts.known(gold, said);
    }
    let Counts { sample, said, faithful, hits, unfaithful, found } = counts;
    assert_eq!([sample, said, faithful, hits, unfaithful, found], [2, 1, 2, 1, 3, 2]);
}

proptest! {
    #[test]
    fn laws(sample in 1_u64..200, a in 0.0..=1.0_f64, faithful in 1_u64..60, b in 0.0..=1.0_f64, unfaithful in 1_u64..60, c in 0.0..=1.0_f64) {
        let of = |whole: u64, share: f64| (whole as f64 * share).round() as u64;
        let counts = Counts {
            sample,
            said: of(sample, a),
            faithful,
            hits: of(faithful, b),
            unfaithful,
            found: of(unfaithful, c),
        };
        let turned = Counts {
            said: sample - counts.said,
            faithful: unfaithful,
            hits: counts.found,
            unfaithful: faithful,
            found: counts.hits,
            ..counts
        };
        match (corrected(counts, 0.95), corrected(turned, 0.95)) {
            (Ok(one), Ok(other)) => {
                prop_assert!(0.0 <= one.low && one.low <= one.value && one.value <= one.high && one.high <= 1.0);
                prop_assert!((one.value + other.value - 1.0).abs() < 1e-9);
                prop_assert!((one.low + other.high - 1.0).abs() < 1e-4, "{one:?} {other:?}");
                prop_assert!((one.high + other.low - 1.0).abs() < 1e-4, "{one:?} {other:?}");
            }
            (one, other) => prop_assert_eq!(one.is_ok(), other.is_ok()),
        }
    }
}
