use proptest::prelude::*;

use super::*;

/// Clusters of items; a vote is a letter, of a, b, c and so on: `x`, `y`, `z`, `o` for open, `t` for "cannot tell", `-` for none.
fn clusters(all: &[&[&'static str]]) -> Vec<Vec<Votes<'static>>> {
    let item = |letters: &&'static str| {
        let names = ["a", "b", "c", "d"];
        let said = letters.chars().map(|letter| match letter {
            'o' => "open",
            't' => "cannot tell",
            '-' => "",
            'x' => "x",
            'y' => "y",
            _ => "z",
        });
        names.into_iter().zip(said).collect()
    };
    all.iter().map(|items| items.iter().map(item).collect()).collect()
}

fn drawn() -> How<'static> {
    let plan = Plan { rounds: 200, ..Plan::default() };
    How { draws: Some(Draws { of: ["book", "books"], plan, blank: false }), ..How::default() }
}

#[test]
fn who_leaves_it_open_or_cannot_tell_did_not_answer() {
    let with = agreement(&clusters(&[&["xx", "xo", "yt", "yy", "ot", "xy"]]), How::default());
    let without = agreement(&clusters(&[&["xx", "x", "y", "yy", "xy"]]), How::default());
    assert_eq!(with, without);
    assert_eq!((with.items, with.couples, with.agreed, with.pairs[0].items), (3, 3, 2, 3));
    let nobody = agreement(&clusters(&[&["ot", "xo"]]), How::default());
    assert_eq!(nobody.voters, ["a"]);
    let told = nobody.alpha.told(2);
    assert_eq!(told, "undefined: agreement needs two voters, and there is 1");
    assert_eq!(
        majority(clusters(&[&["xxty"]])[0][0].iter().filter_map(|(_, said)| answer(said))),
        Some("x")
    );
}

#[test]
fn intervals_need_five_clusters_with_something_to_compare() {
    let four = clusters(&[&["xx"], &["xy"], &["yy"], &["yx"], &["x"]]);
    let told = agreement(&four, drawn());
    assert!(told.alpha.told(2).ends_with("; no interval: votes on 4 books, and it needs 5"));
    assert_eq!(told.pairs[0].kappa.told(2), "0.00; no interval: votes on 4 books, and it needs 5");
    let five = clusters(&[&["xx", "yy"], &["xy"], &["yy"], &["yx"], &["xx", "yy"]]);
    let found = agreement(&five, drawn());
    for estimate in [&found.alpha, &found.pairs[0].kappa] {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(Option::unwrap);
        assert!(low < value && value < high, "{estimate:?}");
    }
    // Blank clusters are drawn too where that is asked for.
    let draws = drawn().draws.map(|draws| Draws { blank: true, ..draws });
    assert!(agreement(&four, How { draws, ..drawn() }).alpha.low.is_some());
}

#[test]
fn an_order_of_choices_is_that_of_ranks() {
    let items = clusters(&[&["xx", "yz", "zz", "xy"]]);
    let of = |choices, scale| {
        agreement(&items, How { choices, scale, draws: None }).alpha.value.unwrap()
    };
    let near = of(&["x", "y", "z"][..], Scale::Ordinal);
    let far = of(&["y", "x", "z"], Scale::Ordinal);
    assert!(near > far, "{near} {far}");
    assert!((of(&["x", "y", "z"], Scale::Nominal) - of(&[], Scale::Nominal)).abs() < 1e-12);
}

proptest! {
    /// Tables give the numbers that the formulas give of votes, however the items are parted into clusters.
    #[test]
    fn numbers_are_those_of_the_formulas(rows in prop::collection::vec(prop::collection::vec(0_usize..4, 3), 1..40), cut in 0_usize..40) {
        let word = ["x", "y", "z", "open"];
        let items: Vec<Votes<'_>> = rows.iter()
            .map(|row| ["a", "b", "c"].into_iter().zip(row.iter().map(|at| word[*at])).collect()).collect();
        let (one, two) = items.split_at(cut.min(items.len()));
        let found = agreement(&[one.to_vec(), two.to_vec()], How::default());
        let units: Vec<Vec<Option<f64>>> = rows.iter()
            .map(|row| row.iter().map(|at| (*at < 3).then(|| count(*at))).collect()).collect();
        match (found.alpha.value, alpha(&units, Scale::Nominal)) {
            (Some(one), Ok(other)) => prop_assert!((one - other).abs() < 1e-9, "{one} {other}"),
            (one, other) => prop_assert!(one.is_none() && other.is_err(), "{one:?} {other:?}"),
        }
        for pair in found.pairs {
            let at = |name: &str| ["a", "b", "c"].iter().position(|own| *own == name).unwrap();
            let both = rows.iter().map(|row| (row[at(&pair.one)], row[at(&pair.other)]));
            let (left, right): (Vec<_>, Vec<_>) = both.filter(|(one, other)| *one < 3 && *other < 3).unzip();
            prop_assert_eq!(pair.items, left.len());
            match (pair.kappa.value, cohen(&left, &right)) {
                (Some(one), Ok(other)) => prop_assert!((one - other).abs() < 1e-9, "{one} {other}"),
                (one, other) => prop_assert!(one.is_none() && other.is_err(), "{one:?} {other:?}"),
            }
        }
    }
}
