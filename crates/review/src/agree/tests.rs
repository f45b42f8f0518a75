use storymill_metrics::agreement::Agreement;

use crate::{
    Desk, Item,
    tests::{desk, ids, item, rule, vote},
};

/// The agreement on the one kind of question that a queue has.
fn of(desk: &Desk) -> Agreement {
    let kinds = desk.agreement("cuts");
    assert_eq!(kinds.len(), 1, "{kinds:?}");
    kinds.into_values().next().unwrap()
}

#[test]
fn agreement_is_of_own_votes_and_says_why_it_is_undefined() {
    let mut desk = desk(70, rule(2, &["eve"]));
    let none = of(&desk);
    assert!(none.alpha.undefined.unwrap().contains("needs two voters"));
    let all = ids(&desk);
    for (at, id) in all.iter().enumerate() {
        vote(&mut desk, "ann", *id, if at % 3 == 0 { "cut" } else { "keep" });
        vote(&mut desk, "bob", *id, if at % 3 == 0 || at % 10 == 0 { "cut" } else { "keep" });
    }
    let before = of(&desk);
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
    assert_eq!(of(&desk), before);
}

#[test]
fn items_with_other_choices_have_a_figure_of_their_own() {
    let items = (0..4).map(|at| {
        let mut item = item("scope-disputed", at);
        if at % 2 == 0 {
            item.review.choices = ["global", "sentence", "passage"].map(str::to_owned).to_vec();
        }
        item
    });
    let mut desk = Desk::new(items.collect(), Vec::new(), rule(2, &[]));
    let first = |(id, item): (_, &Item)| (id, item.review.choices[0].clone());
    for (id, choice) in desk.items().map(first).collect::<Vec<_>>() {
        for by in ["ann", "bob"] {
            vote(&mut desk, by, id, &choice);
        }
    }
    let found = desk.agreement("claims");
    let told: Vec<_> = found.iter().map(|(kind, one)| (kind.as_str(), one.items)).collect();
    let [two, three] = ["scope-disputed (cut, keep)", "scope-disputed (global, passage, sentence)"];
    assert_eq!(told, [(two, 2), (three, 2)]);
}
