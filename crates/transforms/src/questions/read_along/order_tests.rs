//! The laws of questions about order, over made-up books.

use proptest::prelude::*;
use storymill_core::{Form, Question};

use super::tests::{ask, told};

fn scenes(question: &Question) -> Vec<usize> {
    question
        .options()
        .iter()
        .filter_map(|option| option.scene.map(|scene| scene as usize))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn places_are_apart_and_each_has_its_demand(count in 4_usize..40, apart in 0_usize..5) {
        let book = told(count, |_| 1);
        let (questions, trace) = ask(&format!("types = ['told-order', 'since']\napart = {apart}"), &book);
        prop_assert!(trace.rejects.is_empty());
        // Four scenes need so much room; a scene with five before it and one behind it needs more.
        prop_assert_eq!(questions.iter().any(|one| one.kind == "told-order-all"), count > 3 * (apart + 1));
        prop_assert_eq!(questions.iter().any(|one| one.kind == "since"), count > 6 + 2 * apart);
        for question in &questions {
            let t = question.asked_at() as usize;
            let Form::Options { given, options, right } = &question.form else { panic!("it has options") };
            let own = options[usize::from(*right)].scene.map(|scene| scene as usize);
            let needed: Vec<usize> = question.about.iter().map(|about| about.first_scene as usize).collect();
            let mut all = if given.len() > 1 { needed.clone() } else { scenes(question) };
            prop_assert!(needed.is_sorted() && needed.iter().chain(&all).all(|scene| *scene <= t));
            if given.len() == 1 {
                let from = needed[0];
                prop_assert_eq!(own.into_iter().collect::<Vec<_>>(), &needed[1..]);
                for scene in &all {
                    prop_assert!(scene.abs_diff(from) > apart && (*scene > from) == (Some(*scene) == own));
                }
                all.push(from);
            } else {
                all.sort_unstable();
                prop_assert_eq!(&all, &needed);
                prop_assert!(all.windows(2).all(|two| two[0] + apart < two[1]));
            }
            let back = question.demands.iter().map(|demand| t + 1 - demand.to_start.scenes as usize);
            prop_assert!(back.eq(needed.iter().copied()));
            prop_assert_eq!(&question.demands[0], &question.demand);
            prop_assert_eq!(question.evidence.len(), needed.len());
        }
    }
}

/// In one long book: each place among the options and each place in the text is right about equally often, and which order
/// is right does not show in the orders.
#[test]
fn nothing_stands_out() {
    let book = told(300, |_| 1);
    let (questions, _) = ask("types = ['told-order', 'since']", &book);
    for (kind, options) in [("told-order-all", 6_usize), ("since", 6)] {
        let mut places = vec![0; options];
        let mut ranks = vec![0; options];
        for question in questions.iter().filter(|one| one.kind == kind) {
            let right = usize::from(question.right().unwrap());
            places[right] += 1;
            let mut sorted: Vec<&str> =
                question.options().iter().map(|one| one.text.as_str()).collect();
            sorted.sort_unstable();
            ranks[sorted
                .iter()
                .position(|text| *text == question.options()[right].text)
                .unwrap()] += 1;
        }
        let expected = places.iter().sum::<usize>() / options;
        for count in places.iter().chain(ranks.iter().filter(|_| kind != "since")) {
            assert!(count.abs_diff(expected) < expected / 2, "{kind} {places:?} {ranks:?}");
        }
    }
    let endings = ["first", "second", "third", "last"].map(|one| format!("told-order-{one}"));
    let asked = endings.map(|kind| questions.iter().filter(|one| one.kind == kind).count());
    assert!(asked.iter().all(|count| (50..100).contains(count)), "{asked:?}");
}
