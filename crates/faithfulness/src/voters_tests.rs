use proptest::prelude::*;

use super::*;

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
