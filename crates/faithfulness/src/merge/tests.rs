use super::*;
use crate::tests::{labels, placed, vote};

fn protocols(trusted: &[&str], reviewed: &[&str]) -> Protocols {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Protocols { trusted: names(trusted), reviewed: names(reviewed) }
}

/// StorySumm's three protocols on one retelling.
fn items() -> Vec<Placed> {
    let annotators =
        [("a", "annotator", "ufffc"), ("b", "annotator", "ufffc"), ("c", "annotator", "fffff")];
    let expert = ("e", "expert", "fufff");
    let hybrid = ("h", "hybrid", "ufuuf");
    let all = [annotators[0], annotators[1], annotators[2], expert, hybrid];
    let reviewed = [all[0], all[1], all[2], all[3], all[4], ("!e", "hybrid", "ffuff")];
    vec![placed("r1", 1, 5, &all), placed("r2", 1, 5, &reviewed)]
}

#[test]
fn trusted_findings_count_and_others_once_reviewed() {
    let merged = merge(&[items()], &protocols(&["annotator", "expert"], &["hybrid"])).unwrap();
    let told: Vec<_> =
        merged.items.iter().map(|(id, item)| (id.as_str(), item.errors.clone())).collect();
    assert_eq!(told, [("r1", vec![0, 0, 1, 1, 1]), ("r2", vec![0, 0, 0, 1, 1])]);
    assert_eq!((merged.unreviewed, merged.added), (3, 1));
    let (first, second) = (&merged.items[0].1, &merged.items[1].1);
    // Two of three annotators call the last sentence commentary, the expert does not.
    assert_eq!(second.words(), labels("uuuff"));
    assert_eq!((first.label, first.difficulty.as_str()), (0, "hard"));
    assert_eq!(second.difficulty, "easy");
    // One explanation for each error, though nobody wrote one; all votes stay.
    assert_eq!((second.explanations.len(), second.votes.len()), (3, 6));
    assert!(crate::defects::defects(&as_placed(&merged)).is_empty());
}

fn as_placed(merged: &Merged) -> Vec<Placed> {
    let placed = |(id, labelled): &(String, Labelled)| Placed {
        id: id.clone(),
        labelled: labelled.clone(),
        ..Placed::default()
    };
    merged.items.iter().map(placed).collect()
}

#[test]
fn files_are_put_together() {
    let mut one = placed("r", 1, 2, &[("a", "x", "uf")]);
    one.labelled.errors = vec![0, 1];
    one.labelled.explanations = vec!["one says why".into()];
    let mut other = placed("r", 1, 2, &[("e", "y", "fu"), ("a", "x", "uf")]);
    other.labelled.errors = vec![1, 0];
    other.labelled.explanations = vec!["another too".into()];
    let merged = merge(&[vec![one], vec![other]], &protocols(&["x", "y"], &[])).unwrap();
    let item = &merged.items[0].1;
    assert_eq!(item.explanations, ["one says why", "another too"]);
    assert_eq!((item.errors.clone(), item.votes.len()), (vec![0, 0], 2));
    assert_eq!(item.difficulty, "easy");
}

#[test]
fn commentary_of_all_stays_commentary() {
    let items = vec![placed("r", 1, 2, &[("a", "x", "cp"), ("b", "y", "cf")])];
    let merged = merge(&[items], &protocols(&["x", "y"], &[])).unwrap();
    let item = &merged.items[0].1;
    assert_eq!(item.labels.clone().unwrap(), labels("cp"));
    assert_eq!((item.errors.clone(), item.label), (vec![1, 0], 0));
}

#[test]
fn what_cannot_be_merged_is_named() {
    let mut torn = placed("torn", 1, 2, &[("a", "x", "ff")]);
    torn.labelled.votes.push(vote(("b", "x", "f")));
    let items = vec![
        placed("good", 1, 1, &[("a", "x", "f")]),
        placed("none", 1, 1, &[("a", "y", "f")]),
        torn,
        placed("nobody", 1, 1, &[("", "x", "f")]),
        placed("twice", 1, 1, &[("a", "x", "f")]),
    ];
    let other = vec![placed("twice", 1, 2, &[("a", "x", "ff")])];
    let merged = merge(&[items, other], &protocols(&["x"], &[])).unwrap();
    let kept: Vec<&str> = merged.items.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(kept, ["good"]);
    let told: Vec<_> = merged.rejects.iter().map(|one| (one.id.as_str(), one.code)).collect();
    let expect = [
        ("twice", "texts-differ"),
        ("none", "no-vote"),
        ("torn", "vote-length"),
        ("nobody", "unknown-annotator"),
    ];
    assert_eq!(told, expect);
}

#[test]
fn protocols_must_be_there() {
    let told = |trusted: &[&str], reviewed: &[&str]| {
        merge(&[items()], &protocols(trusted, reviewed)).unwrap_err().to_string()
    };
    assert_eq!(told(&[], &[]), "no protocol is trusted, so there is nothing to merge");
    assert_eq!(told(&["expert"], &["expert"]), "`expert` is both trusted and reviewed");
    assert_eq!(
        told(&["experts"], &[]),
        "no vote is by `experts`; the votes are by `annotator`, `expert`, `hybrid`"
    );
}

proptest::proptest! {
    /// Trusting one more protocol, or reviewing one more, takes no error away; and what is merged holds no contradiction.
    #[test]
    fn errors_only_grow(said in proptest::collection::vec("[fupic]{3}", 5)) {
        let votes = [
            ("a", "x", said[0].as_str()),
            ("b", "x", said[1].as_str()),
            ("c", "x", said[2].as_str()),
            ("d", "y", said[3].as_str()),
            ("!e", "z", said[4].as_str()),
        ];
        let items = [vec![placed("r", 1, 3, &votes)]];
        let of = |trusted: &[&str], reviewed: &[&str]| {
            let merged = merge(&items, &protocols(trusted, reviewed)).unwrap();
            proptest::prop_assert_eq!(crate::defects::defects(&as_placed(&merged)), vec![]);
            Ok(merged.items[0].1.errors.clone())
        };
        let (one, two, three) = (of(&["x"], &[])?, of(&["x", "y"], &[])?, of(&["x", "y"], &["z"])?);
        for at in 0..3 {
            proptest::prop_assert!(two[at] <= one[at] && three[at] <= two[at]);
        }
    }
}
