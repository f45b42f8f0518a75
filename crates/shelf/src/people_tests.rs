//! Laws of who is in, over whatever people say of each other apart.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

const PEOPLE: usize = 5;
/// So many of them are there from the beginning.
const FOUNDERS: usize = 2;

fn signing(at: usize) -> Signing {
    Signing::of(&format!("secret {at}"))
}

fn person(at: usize) -> Person {
    Person { key: format!("key{at}"), signer: Some(signing(at).signer()) }
}

fn shelf(sayings: impl IntoIterator<Item = Saying>) -> State {
    let founders = (0..FOUNDERS).map(person).collect();
    let mut state = State { id: [7; 16], founders, ..State::default() };
    state.sayings = sayings.into_iter().collect();
    keep(&mut state);
    state
}

/// As folding does.
fn keep(state: &mut State) {
    let id = state.id;
    state.sayings.retain(|said| said.is_signed(&id));
    let people = state.people();
    state.sayings = people.all.iter().copied().cloned().collect();
}

fn is_in(state: &State) -> Vec<bool> {
    let people = state.people();
    (0..PEOPLE).map(|at| people.is_in(&format!("key{at}"), &people.whole())).collect()
}

/// Somebody says something, whether they may or not, or hears all that somebody else knows.
#[derive(Clone, Debug)]
enum Act {
    Say(usize, bool),
    Hear(usize),
}

fn acts(most: usize) -> impl Strategy<Value = Vec<(usize, Act)>> {
    let act = prop_oneof![
        (0..PEOPLE, any::<bool>()).prop_map(|(about, is_in)| Act::Say(about, is_in)),
        (0..PEOPLE).prop_map(Act::Hear),
    ];
    proptest::collection::vec((0..PEOPLE, act), 0..most)
}

/// What each of them knows in the end.
fn played(acts: &[(usize, Act)]) -> Vec<State> {
    let mut all: Vec<State> = (0..PEOPLE).map(|_| shelf([])).collect();
    for (who, act) in acts {
        match act {
            Act::Say(about, is_in) => all[*who].say(person(*about), *is_in, &signing(*who)),
            Act::Hear(from) => {
                let heard = all[*from].sayings.clone();
                all[*who].sayings.extend(heard);
                keep(&mut all[*who]);
            }
        }
    }
    all
}

fn everything(acts: &[(usize, Act)]) -> State {
    shelf(played(acts).into_iter().flat_map(|one| one.sayings))
}

#[track_caller]
fn check(acts: &[(usize, Act)], expected: [bool; PEOPLE]) -> State {
    let all = everything(acts);
    assert_eq!(is_in(&all), expected);
    all
}

use Act::{Hear, Say};

#[test]
fn who_counts_where_people_did_otherwise_apart() {
    // Of two who let each other out, who came first is heard; a word of the other counts no more.
    check(
        &[(1, Say(0, false)), (1, Say(2, true)), (0, Say(1, false))],
        [true, false, false, false, false],
    );
    // What somebody said before, and was known, counts.
    check(
        &[(1, Say(2, true)), (0, Hear(1)), (0, Say(1, false))],
        [true, false, true, false, false],
    );
    // Whom a newcomer lets out, who let them in, is out.
    check(
        &[(0, Say(2, true)), (2, Hear(0)), (2, Say(0, false))],
        [false, true, true, false, false],
    );
    // Nobody is there by the word of somebody who was out, however long the way.
    check(
        &[
            (1, Say(2, true)),
            (2, Hear(1)),
            (2, Say(3, true)),
            (3, Hear(2)),
            (3, Say(0, false)),
            (0, Say(1, false)),
        ],
        [true, false, false, false, false],
    );
    // Three who let out each other in a circle: the first is heard.
    let three = [(0, Say(2, true)), (1, Hear(0)), (2, Hear(0))];
    let circle = [(0, Say(1, false)), (1, Say(2, false)), (2, Say(0, false))];
    check(&[three.to_vec(), circle.to_vec()].concat(), [true, false, true, false, false]);
}

#[test]
fn in_and_out_apart_is_out_and_open_until_somebody_says_so_anew() {
    let apart = vec![(0, Say(2, true)), (1, Hear(0)), (0, Say(2, false)), (1, Say(2, true))];
    let all = check(&apart, [true, true, false, false, false]);
    assert_eq!(all.people().unsettled(), BTreeSet::from(["key2"]));
    for is_in in [true, false] {
        let all = [apart.clone(), vec![(0, Hear(1)), (0, Say(2, is_in))]].concat();
        let all = check(&all, [true, true, is_in, false, false]);
        assert!(all.people().unsettled().is_empty());
    }
}

#[test]
fn a_saying_counts_as_its_author_signed_it_and_on_one_shelf_alone() {
    let state = played(&[(0, Say(2, true))]).swap_remove(0);
    let said = state.sayings.first().unwrap().clone();
    assert_eq!(shelf([said.clone()]).sayings.len(), 1);
    let forged = [
        Saying { is_in: false, ..said.clone() },
        Saying { by: signing(1).signer(), ..said.clone() },
        Saying { about: person(3), ..said.clone() },
        Saying { saw: BTreeSet::from([[0; 32]]), ..said.clone() },
        Saying { signature: vec![0; 63], ..said.clone() },
    ];
    assert!(shelf(forged).sayings.is_empty());
    let mut other = State { id: [8; 16], ..state };
    keep(&mut other);
    assert!(other.sayings.is_empty());
}

proptest! {
    #[test]
    fn it_is_the_same_in_whatever_parts_and_order_sayings_come(
        acts in acts(40), order in Just((0..PEOPLE).collect::<Vec<_>>()).prop_shuffle()
    ) {
        let (parts, all) = (played(&acts), everything(&acts));
        let mut joined = shelf([]);
        for at in order {
            joined.sayings.extend(parts[at].sayings.iter().cloned());
        }
        keep(&mut joined);
        prop_assert_eq!(is_in(&joined), is_in(&all));
        let (joined, all) = (joined.people(), all.people());
        prop_assert_eq!(joined.unsettled(), all.unsettled());
        prop_assert!(all.counts.iter().all(Option::is_some));
    }

    #[test]
    fn who_counts_was_in_and_nobody_who_counts_had_let_them_out(acts in acts(40)) {
        let all = everything(&acts);
        let people = all.people();
        for (at, said) in people.all.iter().enumerate().filter(|(at, _)| people.holds(*at)) {
            prop_assert!(people.is_heard(said.by, &people.past[at]));
            let lets_out = |on: &usize| people.holds(*on) && !people.past[*on].contains(&at);
            let against = people.against(said.by).filter(|on| *on != at && !people.past[at].contains(on));
            prop_assert_eq!(against.filter(lets_out).count(), 0);
        }
    }

    #[test]
    fn who_is_out_comes_back_by_a_later_saying_that_counts(acts in acts(40)) {
        let all = everything(&acts);
        let people = all.people();
        let came: BTreeMap<&str, Vec<usize>> = (0..people.all.len())
            .filter(|at| people.holds(*at) && people.all[*at].is_in)
            .fold(BTreeMap::new(), |mut came, at| {
                came.entry(&*people.all[at].about.key).or_insert_with(Vec::new).push(at);
                came
            });
        for (at, out) in people.all.iter().enumerate().filter(|(at, said)| people.holds(*at) && !said.is_in) {
            let key = &*out.about.key;
            if people.is_in(key, &people.whole()) {
                let later = came.get(key).is_some_and(|came| came.iter().any(|on| people.past[*on].contains(&at)));
                prop_assert!(later, "{key}");
            }
        }
    }

    #[test]
    fn who_was_let_out_by_who_came_first_moves_nothing_any_more(before in acts(20), later in acts(20)) {
        // The first founder lets the second out, and is heard by all but that one; all that they say now changes nothing.
        let mut all = everything(&before);
        all.say(person(0), true, &signing(1));
        let knew = all.clone();
        if !is_in(&all)[0] {
            return Ok(());
        }
        all.say(person(1), false, &signing(0));
        let mut theirs = knew;
        for (_, act) in &later {
            if let Act::Say(about, is_in) = act {
                theirs.say(person(*about), *is_in, &signing(1));
            }
        }
        let joined = shelf(all.sayings.iter().chain(&theirs.sayings).cloned());
        let (now, then) = (is_in(&joined), is_in(&all));
        prop_assert_eq!(now, then);
    }
}
