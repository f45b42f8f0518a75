use proptest::prelude::*;

use super::*;
use crate::random::Stream;

fn binary(rows: usize, right: usize) -> Sums {
    Sums { rows, sum: count(right), squares: count(right) }
}

#[test]
fn quantiles_of_student() {
    // Tables of the distribution.
    for (freedom, expected) in
        [(1.0, 12.706_205), (4.0, 2.776_445), (7.5, 2.331_2), (59.0, 2.000_995)]
    {
        assert!(
            (student(0.95, freedom) - expected).abs() < 3e-3,
            "{freedom}: {}",
            student(0.95, freedom)
        );
    }
}

#[test]
fn undefined() {
    assert_eq!(share(&[], 0.95), Err(Undefined::Empty));
    assert_eq!(share(&[binary(5, 2), binary(0, 0)], 0.95), Err(Undefined::OneCluster));
    assert!(matches!(share(&[binary(5, 2), binary(4, 0)], 1.0), Err(Undefined::Range { .. })));
}

#[test]
fn equal_clusters_have_one_degree_less_than_there_are() {
    // Four books of ten: .2, .4, .6, .8. By hand: s² of the means is 1/15, over 4; t with 3 degrees is 3.182446.
    let books = [2, 4, 6, 8].map(|right| binary(10, right));
    let found = difference(&books, 0.95).unwrap();
    let half = 3.182_446 * (1.0_f64 / 15.0 / 4.0).sqrt();
    assert!(
        (found.low - (0.5 - half)).abs() < 1e-5 && (found.high - (0.5 + half)).abs() < 1e-5,
        "{found:?}"
    );
}

#[test]
fn all_right_is_not_certain() {
    let found = share(&[binary(10, 10), binary(10, 10), binary(10, 10)], 0.95).unwrap();
    assert!(found.high == 1.0 && found.low < 0.9, "{found:?}");
}

/// A number from 0 to below 1.
fn unit(stream: &mut Stream) -> f64 {
    count(stream.below(1 << 30)) / count(1 << 30)
}

/// How often the interval of simulated rows holds the skill they were drawn with.
fn coverage(sizes: &[usize], skill: f64, between: f64, rounds: usize) -> f64 {
    let mut stream = Stream::new(7);
    let held = (0..rounds).filter(|_| {
        let clusters: Vec<Sums> = sizes
            .iter()
            .map(|rows| {
                // Even skills on both sides of the mean.
                let own = skill + between * (2.0 * unit(&mut stream) - 1.0);
                binary(*rows, (0..*rows).filter(|_| unit(&mut stream) < own).count())
            })
            .collect();
        let found = share(&clusters, 0.95).unwrap();
        found.low <= skill && skill <= found.high
    });
    count(held.count()) / count(rounds)
}

#[test]
fn the_interval_holds_the_skill() {
    let rounds = 600;
    for sizes in [&[60; 5][..], &[20, 40, 60, 80, 30, 120, 50, 40], &[40; 20]] {
        for (skill, between) in [(0.6, 0.0), (0.6, 0.2), (0.9, 0.08)] {
            let held = coverage(sizes, skill, between, rounds);
            assert!((0.925..=0.98).contains(&held), "{sizes:?} {skill} {between}: {held}");
        }
    }
}

proptest! {
    #[test]
    fn laws(books in prop::collection::vec((1_usize..30, 0_usize..30), 2..9), level in 0.5_f64..0.99) {
        let books: Vec<(usize, usize)> = books.iter().map(|(rows, right)| (*rows, *right.min(rows))).collect();
        let there: Vec<Sums> = books.iter().map(|(rows, right)| binary(*rows, *right)).collect();
        let back: Vec<Sums> = books.iter().map(|(rows, right)| binary(*rows, rows - right)).collect();
        let (one, other) = (share(&there, level).unwrap(), share(&back, level).unwrap());
        prop_assert!((one.low + other.high - 1.0).abs() < 1e-9, "{one:?} {other:?}");
        prop_assert!(0.0 <= one.low && one.low <= one.value && one.value <= one.high && one.high <= 1.0);
        let turned: Vec<Sums> = there.iter().map(|one| Sums { sum: -one.sum, ..*one }).collect();
        let (one, other) = (difference(&there, level).unwrap(), difference(&turned, level).unwrap());
        prop_assert!((one.low + other.high).abs() < 1e-9);
    }
}
