use proptest::prelude::*;

use super::*;
use crate::tests::{labels, record};

#[track_caller]
fn check(votes: &str, expect: &str) {
    let found = majority(&labels(votes));
    let told = found.map_or("none".to_owned(), |found| {
        format!("{}{}", found.label.name(), if found.settled { "" } else { "?" })
    });
    assert_eq!(told, expect, "{votes}");
}

#[test]
fn two_of_three_decide() {
    check("", "none");
    check("uuf", "unfaithful");
    check("uff", "faithful");
    check("upf", "unfaithful");
    check("ppf", "partial");
    check("ppu", "partial");
    check("uf", "faithful?");
    check("u", "unfaithful");
    check("cuu", "unfaithful");
    check("cuf", "faithful?");
    check("ccu", "commentary");
    check("iif", "inapplicable");
    check("ic", "commentary");
}

#[test]
fn an_adjudicated_vote_settles_the_others() {
    let votes = [record(("a", "x", "uf")), record(("b", "x", "uf")), record(("!c", "x", "fu"))];
    let all: Vec<&LabelVote> = votes.iter().collect();
    let said = |votes: &[&LabelVote]| -> Vec<_> {
        verdicts(votes, 2).unwrap().iter().map(|verdict| verdict.label.name()).collect()
    };
    assert_eq!(said(&all), ["faithful", "unfaithful"]);
    assert_eq!(said(&all[..2]), ["unfaithful", "faithful"]);
    // A vote of another length is no vote on these sentences.
    assert_eq!(verdicts(&all, 3), None);
}

#[test]
fn easy_and_hard() {
    let three = |a, b, c| {
        let votes = [record(("a", "x", a)), record(("b", "x", b)), record(("c", "x", c))];
        by_annotators(&votes.iter().collect::<Vec<_>>(), a.len())
    };
    assert_eq!(three("uf", "uf", "uf"), Some(Difficulty::Easy));
    // Everybody found something, but not the same.
    assert_eq!(three("uf", "uu", "fu"), Some(Difficulty::Hard));
    assert_eq!(three("uf", "ff", "ff"), None);
    let two = [record(("a", "x", "u")), record(("b", "x", "u"))];
    assert_eq!(by_annotators(&two.iter().collect::<Vec<_>>(), 1), None);
    assert_eq!(by_protocols(&[true, true, true]), Some(Difficulty::Easy));
    assert_eq!(by_protocols(&[true, false, true]), Some(Difficulty::Hard));
    assert_eq!(by_protocols(&[false, false]), None);
    assert_eq!(by_protocols(&[true]), None);
}

proptest! {
    #[test]
    fn laws(words in prop::collection::vec(0_usize..5, 1..7), turn in 0_usize..7) {
        let votes: Vec<Label> = words.iter().map(|at| Label::ALL[*at]).collect();
        let found = majority(&votes).unwrap();
        // Nobody's place matters.
        let mut turned = votes.clone();
        turned.rotate_left(turn % votes.len());
        prop_assert_eq!(majority(&turned).unwrap(), found);
        // One more vote for an error never takes the error away.
        let mut more = votes.clone();
        more.push(Label::Unfaithful);
        prop_assert!(!is_error(found.label) || is_error(majority(&more).unwrap().label));
    }
}
