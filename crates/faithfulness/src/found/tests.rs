use super::*;
use crate::tests::placed;

#[test]
fn errors_are_sorted_by_who_found_them() {
    let items = [
        placed("a", 1, 4, &[("ann", "annotator", "ufuf"), ("dan", "hybrid", "uuff")]),
        // Only people looked at this one.
        placed("b", 2, 1, &[("ann", "annotator", "u")]),
        placed("c", 3, 1, &[]),
    ];
    let found = found(&items, &["hybrid".to_owned()]);
    assert_eq!((found.compared, found.only_people, found.only_models, found.both), (1, 1, 1, 1));
    let told: Vec<_> = found
        .protocols
        .iter()
        .map(|one| (one.protocol.as_str(), one.by_models, one.retellings, one.errors, one.alone))
        .collect();
    assert_eq!(told, [("annotator", false, 2, 3, 2), ("hybrid", true, 1, 2, 1)]);
    // Their own labels say that all is faithful.
    assert_eq!(found.otherwise, ["a", "b"]);
}

#[test]
fn adjudication_stands_beside_the_votes_before_it() {
    let items =
        [placed("a", 1, 3, &[("ann", "x", "ufu"), ("bob", "x", "uff"), ("!cy", "x", "fff")])];
    let found = found(&items, &[]);
    // The first sentence was called wrong by both, the third by one of two.
    assert_eq!((found.overruled, found.unsettled), (1, 0));
    assert_eq!(found.protocols[0].errors, 0);
    assert_eq!(found.compared, 0);
}
