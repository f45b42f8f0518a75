use proptest::prelude::*;

use super::*;

#[test]
fn fleiss_of_his_paper() {
    // Fleiss 1971 as commonly worked: ten subjects, fourteen raters, five categories.
    let table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let items: Vec<Vec<usize>> = table.iter().map(|row| row.to_vec()).collect();
    assert!((fleiss(&items).unwrap() - 0.209_930_704_4).abs() < 1e-9);
}

#[test]
fn no_kappa() {
    assert_eq!(cohen(&[1, 1], &[1, 1]), Err(Undefined::Constant));
    assert_eq!(cohen::<u8>(&[], &[]), Err(Undefined::Empty));
    assert_eq!(fleiss(&[]), Err(Undefined::Empty));
    assert_eq!(fleiss(&[vec![1, 0]]), Err(Undefined::Raters(1)));
    assert_eq!(
        fleiss(&[vec![2, 0], vec![3, 0]]),
        Err(Undefined::Votes { item: 1, votes: 3, expected: 2 })
    );
    assert_eq!(fleiss(&[vec![2, 0], vec![2, 0]]), Err(Undefined::Constant));
}

/// Krippendorff's own example of four observers and twelve units.
fn example() -> Vec<Vec<Option<f64>>> {
    let rows = [
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    ];
    let votes: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| row.split(' ').map(|vote| vote.parse().ok()).collect()).collect();
    (0..12).map(|unit| votes.iter().map(|row| row[unit]).collect()).collect()
}

#[test]
fn his_example() {
    for (scale, expect) in [
        (Scale::Nominal, 0.743),
        (Scale::Ordinal, 0.815),
        (Scale::Interval, 0.849),
        (Scale::Ratio, 0.797),
    ] {
        let found = alpha(&example(), scale).unwrap();
        assert!((found - expect).abs() < 5e-4, "{scale:?}: {found}");
    }
}

#[test]
fn no_alpha() {
    assert_eq!(alpha(&[], Scale::Nominal), Err(Undefined::Empty));
    assert_eq!(alpha(&[vec![Some(1.0)]], Scale::Nominal), Err(Undefined::Raters(1)));
    assert_eq!(alpha(&[vec![None, None]], Scale::Nominal), Err(Undefined::NoPairs));
    assert_eq!(alpha(&[vec![Some(1.0), None]], Scale::Nominal), Err(Undefined::NoPairs));
    assert_eq!(alpha(&[vec![Some(1.0), Some(1.0)]], Scale::Nominal), Err(Undefined::Constant));
    assert_eq!(
        alpha(&[vec![Some(f64::NAN), Some(1.0)]], Scale::Nominal),
        Err(Undefined::NotANumber(0))
    );
}

proptest! {
    #[test]
    fn laws_of_kappa(pairs in prop::collection::vec((0_u8..3, 0_u8..3), 1..30)) {
        let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        // To the last bit, whoever comes first and in whatever order the choices stand.
        prop_assert_eq!(cohen(&a, &b), cohen(&b, &a));
        let turned = |votes: &[u8]| votes.iter().map(|vote| (vote + 1) % 3).collect::<Vec<_>>();
        prop_assert_eq!(cohen(&a, &b), cohen(&turned(&a), &turned(&b)));
        prop_assert!(cohen(&a, &b).unwrap_or(1.0) <= 1.0);
        prop_assert_eq!(cohen(&a, &a).unwrap_or(1.0), 1.0);
    }

    #[test]
    fn laws_of_alpha(units in prop::collection::vec(prop::collection::vec(prop::option::of(0_u8..4), 3), 1..12)) {
        let units: Vec<Vec<Option<f64>>> = units.iter().map(|unit| unit.iter().map(|vote| vote.map(f64::from)).collect()).collect();
        let mut turned: Vec<Vec<Option<f64>>> = units.iter().map(|unit| unit.iter().rev().copied().collect()).collect();
        turned.reverse();
        turned.push(vec![Some(2.0), None, None]);
        for scale in [Scale::Nominal, Scale::Ordinal, Scale::Interval] {
            match (alpha(&units, scale), alpha(&turned, scale)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-9 && a <= 1.0 + 1e-12),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }
}
