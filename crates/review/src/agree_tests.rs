use proptest::prelude::*;

use super::*;
use crate::testing::{desk, ids, rule, vote};

#[test]
fn agreement_is_of_own_votes_and_says_why_it_is_undefined() {
    let mut desk = desk(70, rule(2, &["eve"]));
    let none = desk.agreement("cuts");
    assert!(none.alpha.undefined.unwrap().contains("needs two voters"));
    let all = ids(&desk);
    for (at, id) in all.iter().enumerate() {
        vote(&mut desk, "ann", *id, if at % 3 == 0 { "cut" } else { "keep" });
        vote(&mut desk, "bob", *id, if at % 3 == 0 || at % 10 == 0 { "cut" } else { "keep" });
    }
    let before = desk.agreement("cuts");
    let (pair, alpha) = (&before.pairs[0], &before.alpha);
    assert_eq!((pair.items, before.items, before.voters.len()), (70, 70, 2));
    for estimate in [&pair.kappa, alpha] {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(Option::unwrap);
        assert!(low < value && value < high, "{estimate:?}");
    }
    // What settles a dispute is no vote.
    for id in desk.disputes() {
        let line = desk.adjudicate("eve", id, crate::Ballot::of("cut")).unwrap();
        desk.take(line);
    }
    assert_eq!(desk.agreement("cuts"), before);
}

proptest! {
    /// The tables that draws are made of give the numbers that `faithfulness` gives.
    #[test]
    fn tables_say_what_votes_say(rows in prop::collection::vec(
        (prop::option::of(0..3_usize), prop::option::of(0..3_usize), prop::option::of(0..3_usize)), 1..40,
    )) {
        let rows: Vec<Votes<'_>> = rows.into_iter().map(|(a, b, c)| {
            [("a", a), ("b", b), ("c", c)].into_iter().filter_map(|(by, word)| Some((by, word?))).collect()
        }).collect();
        for couple in couples(&rows) {
            let table = pair_table(&rows, &couple.one, &couple.other, 3);
            match (couple.kappa, kappa(&table)) {
                (Ok(one), Some(other)) => prop_assert!((one - other).abs() < 1e-9),
                (one, other) => prop_assert!(one.is_err() && other.is_none(), "{one:?} {other:?}"),
            }
        }
        let numbers: Vec<Vec<f64>> = rows.iter()
            .map(|row| row.iter().map(|(_, word)| f64::from(u8::try_from(*word).unwrap())).collect()).collect();
        match (overall(&numbers, Scale::Nominal).alpha, alpha_of(&coincidences(&rows, 3))) {
            (Ok(one), Some(other)) => prop_assert!((one - other).abs() < 1e-9, "{one} {other}"),
            (one, other) => prop_assert!(one.is_err() && other.is_none(), "{one:?} {other:?}"),
        }
    }
}
