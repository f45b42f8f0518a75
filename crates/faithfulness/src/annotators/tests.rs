use super::*;
use crate::tests::placed;

fn plan() -> Plan {
    Plan { rounds: 200, ..Plan::default() }
}

#[test]
fn two_annotators_over_stories() {
    let three = |first: i64| {
        [
            placed("a", first, 2, &[("ann", "x", "uf"), ("bob", "x", "uf")]),
            placed("b", first + 1, 2, &[("ann", "x", "ff"), ("bob", "x", "uf")]),
            placed("c", first + 2, 2, &[("ann", "x", "fu"), ("bob", "x", "fu")]),
        ]
    };
    let told = within(&three(1), plan()).remove(0).agreement.alpha.undefined.unwrap();
    assert_eq!(told, "no interval: votes on 3 stories, and it needs 5");
    let items = [three(1), three(4)].concat();
    let found = within(&items, plan());
    let one = &found[0].agreement;
    assert_eq!((found[0].protocol.as_str(), one.voters.len(), one.items), ("x", 2, 12));
    let pair = &one.pairs[0];
    assert_eq!((pair.items, pair.agreed), (12, 10));
    // Observed 5/6; by their habits (4/6)(3/6) + (2/6)(3/6) = 1/2.
    let kappa = pair.kappa.value.unwrap();
    assert!((kappa - 2.0 / 3.0).abs() < 1e-12);
    assert!(pair.kappa.low.unwrap() < kappa && pair.kappa.high.unwrap() >= kappa);
    assert!(one.alpha.value.is_some() && between(&items, plan()).is_none());
}

#[test]
fn one_annotator_agrees_with_nobody() {
    let items = [placed("a", 1, 2, &[("ann", "x", "uf")])];
    let found = within(&items, plan());
    assert_eq!(found[0].agreement.alpha.value, None);
    let told = found[0].agreement.alpha.undefined.as_deref();
    assert_eq!(told, Some("undefined: agreement needs two voters, and there is 1"));
    assert!(found[0].agreement.pairs.is_empty());
}

#[test]
fn what_says_nothing_of_agreement_is_left_out() {
    let items = [
        // Nobody, another length, a vote that settles the others, commentary.
        placed(
            "a",
            1,
            2,
            &[
                ("", "x", "uu"),
                ("cy", "x", "u"),
                ("!dan", "x", "uu"),
                ("ann", "x", "uc"),
                ("bob", "x", "uf"),
            ],
        ),
        placed("b", 1, 1, &[("ann", "x", "f"), ("bob", "x", "f")]),
    ];
    let found = within(&items, plan());
    assert_eq!(
        (found[0].agreement.voters.join(" "), found[0].agreement.items),
        ("ann bob".to_owned(), 2)
    );
    assert_eq!(found[0].agreement.alpha.value, Some(1.0));
    let told = found[0].agreement.alpha.undefined.as_deref();
    assert_eq!(told, Some("no interval: votes on 1 story, and it needs 5"));
}

#[test]
fn protocols_are_compared_by_their_verdicts() {
    let row = |id, story, hybrid| {
        placed(
            id,
            story,
            2,
            &[("ann", "x", "uf"), ("bob", "x", "uf"), ("cy", "x", "fu"), ("dan", "hybrid", hybrid)],
        )
    };
    let found = between(&[row("a", 1, "uf"), row("b", 2, "uu")], plan()).unwrap().agreement;
    assert_eq!(found.voters, ["hybrid", "x"]);
    assert_eq!((found.pairs[0].items, found.pairs[0].agreed), (4, 3));
}
