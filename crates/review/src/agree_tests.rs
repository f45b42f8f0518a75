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
