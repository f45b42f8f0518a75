//! Tests of `split`.

use proptest::prelude::*;
use storymill_core::Author;

use super::*;
use crate::tests::book;

fn split(by: By) -> Split {
    Split { from: Edge::to("books"), duplicates: None, by, validation: 0.2, test: 0.2 }
}

/// Facts from lines like `84: shelley godwin`; `=84` is a group of books that share text.
fn facts(lines: &str) -> ByUnit<SplitFact> {
    let fact = |line: &str| {
        let (unit, authors) = line.split_once(':').unwrap();
        let (alike, authors): (Vec<_>, Vec<_>) =
            authors.split_whitespace().partition(|word| word.starts_with('='));
        let fact = SplitFact {
            title: format!("T{}", unit.trim()),
            authors: authors.into_iter().map(Writer::named).collect(),
            alike: alike.first().map(|group| group[1..].parse().unwrap()),
        };
        (unit.trim().parse().unwrap(), fact)
    };
    lines.split(';').map(fact).collect()
}

fn rule(
    by: By,
    facts: &ByUnit<SplitFact>,
    before: &ByUnit<storymill_core::Split>,
) -> ByUnit<storymill_core::Split> {
    split(by).run(facts, before, Seed::new(7)).unwrap()
}

/// The groups as `a b|c`.
#[track_caller]
fn check(by: By, lines: &str, expected: &str) {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (unit, verdict) in rule(by, &facts(lines), &ByUnit::new()) {
        groups.entry(verdict.group.to_string()).or_default().push(unit.to_string());
    }
    let groups: Vec<_> = groups.into_values().map(|units| units.join(" ")).collect();
    assert_eq!(groups.join("|"), expected);
}

#[test]
fn groups_are_joined_by_authors() {
    check(By::Author, "1:a; 2:b; 3:a b; 4:c; 5:", "1 2 3|4|5");
    check(By::Author, "1:; 2:; 3:c; 4:c", "1|2|3 4");
    check(By::Author, "1:a b; 2:b c; 3:c d; 4:d", "1 2 3 4");
    check(By::Book, "1:a; 2:a", "1|2");
}

#[test]
fn groups_are_joined_by_what_books_share() {
    check(By::Author, "1:a =1; 2:b =1; 3:c =3; 4:b", "1 2 4|3");
    check(By::Book, "1:a =1; 2:b =1; 3:c =3; 4:b", "1 2|3|4");
    // An author whose id is a number is no group.
    check(By::Author, "1:2; 2:x =2; 3:y =2", "1|2 3");
}

#[test]
fn no_split_is_all_train() {
    let verdicts = rule(By::None, &facts("1:a; 2:b; 3:c"), &ByUnit::new());
    assert!(verdicts.values().all(|verdict| verdict.split == "train"));
}

#[test]
fn shares_are_kept_over_many_groups() {
    let lines: Vec<_> = (0..2000).map(|at| format!("{at}:author{at} other{at}")).collect();
    let verdicts = rule(By::Author, &facts(&lines.join(";")), &ByUnit::new());
    for (split, share) in [("test", 400), ("validation", 400), ("train", 1200)] {
        let count = verdicts.values().filter(|verdict| verdict.split == split).count();
        assert!(count.abs_diff(share) < 70, "{split}: {count}");
    }
}

#[test]
fn a_merge_of_two_splits_is_a_fault() {
    let before = ["1 train", "2 test"].map(|line| {
        let (unit, split) = line.split_once(' ').unwrap();
        let unit: UnitId = unit.parse().unwrap();
        (
            unit.clone(),
            storymill_core::Split { unit: unit.clone(), split: split.into(), group: unit },
        )
    });
    let facts = facts("1:a; 2:b; 3:a b");
    let result = split(By::Author).run(&facts, &before.into(), Seed::new(7));
    let Err(Stop::Fault(fault)) = result else { panic!("{result:?}") };
    assert_eq!(fault.kind, FaultKind::Lock);
    assert!(fault.message.contains("test: 2 (T2); train: 1 (T1)"), "{}", fault.message);
    assert!(fault.hint.unwrap().contains("(3)"));
}

#[test]
fn facts_leave_out_crowds() {
    let mut one = book("Text.");
    let author = |agent_id: &str, name: &str| Author {
        agent_id: agent_id.into(),
        name: name.into(),
        birth_year: None,
        death_year: None,
    };
    one.authors = vec![
        author("9", "Shelley, Mary"),
        author("116", "Various"),
        author("", " "),
        author("3", "[Anonymous]"),
    ];
    let fact = split(By::Author).fact(&one.id.clone(), (vec![one].into(), None)).unwrap();
    let ids: Vec<_> = fact.authors.iter().map(|author| author.id.as_str()).collect();
    assert_eq!(ids, ["9"]);
}

#[test]
fn forms_of_one_name_share_a_split() {
    let fact = |name: &str| {
        let mut one = book("Text.");
        one.authors[0] = Author {
            agent_id: name.to_lowercase(),
            name: name.into(),
            birth_year: Some(1866),
            death_year: Some(1946),
        };
        split(By::Author).fact(&one.id.clone(), (vec![one].into(), None)).unwrap()
    };
    let names = [
        "Wells, H. G.",
        "Wells, H. G. (Herbert George)",
        "Wells, Herbert George",
        "Wells, Carolyn",
    ];
    let facts = names.iter().zip(["1", "2", "3", "4"]);
    let facts = facts.map(|(name, unit)| (unit.parse().unwrap(), fact(name))).collect();
    let groups = rule(By::Author, &facts, &ByUnit::new());
    let groups: Vec<_> = groups.values().map(|verdict| verdict.group.to_string()).collect();
    assert_eq!(groups, ["1", "1", "1", "4"]);
}

#[test]
fn books_without_an_author_are_told() {
    let told = |by, lines: &str| split(by).notes(&facts(lines)).join("|");
    assert_eq!(told(By::Author, "1:a; 2:b"), "");
    let one = told(By::Author, "1:a; 2:");
    assert!(one.starts_with("1 book names no author, so it stands alone"), "{one}");
    assert!(one.contains("another split: 2 (T2);"), "{one}");
    let many = told(By::Author, "1:; 2:; 3:; 4:; 5:; 6:; 7:");
    assert!(many.starts_with("7 books name no author, so each stands alone"), "{many}");
    assert!(many.contains("5 (T5) and 2 more;"), "{many}");
    assert!(split(By::Author).has_notes() && !split(By::Book).has_notes());
}

#[test]
fn options_are_checked() {
    let faults = |validation, test| {
        let split = Split { validation, test, ..split(By::Author) };
        split.check().into_iter().map(|fault| fault.0).collect::<Vec<_>>()
    };
    assert_eq!(faults(0.1, 0.9), [] as [&str; 0]);
    assert_eq!(faults(0.5, 0.6), ["test"]);
    assert_eq!(faults(-0.1, f64::NAN), ["validation", "test"]);
}

proptest! {
    #[test]
    fn splits_never_move(authors in prop::collection::vec(prop::collection::vec(0..30_u8, 0..3), 1..40), old in 1..40_usize) {
        let line = |(at, authors): (usize, &Vec<u8>)| {
            let authors: Vec<_> = authors.iter().map(u8::to_string).collect();
            format!("{at}:{}", authors.join(" "))
        };
        let all: Vec<_> = authors.iter().enumerate().map(line).collect();
        let base = rule(By::Author, &facts(&all[..old.min(all.len())].join(";")), &ByUnit::new());
        let grown = facts(&all.join(";"));
        // A merge of two splits is refused; whatever is ruled leaves the old books where they were.
        if let Ok(verdicts) = split(By::Author).run(&grown, &base, Seed::new(7)) {
            for (unit, verdict) in &base {
                prop_assert_eq!(&verdicts[unit].split, &verdict.split);
            }
            for (one, other) in verdicts.values().zip(verdicts.values().skip(1)) {
                if one.group == other.group {
                    prop_assert_eq!(&one.split, &other.split);
                }
            }
        }
    }

    /// Other groups change a book's split only where that split would be empty without it.
    #[test]
    fn other_groups_change_nothing_but_what_fills_an_empty_split(count in 1..40_usize) {
        let lines = |count: usize| (0..count).map(|at| format!("{at}:a{}", at / 2)).collect::<Vec<_>>().join(";");
        let all = rule(By::Author, &facts(&lines(40)), &ByUnit::new());
        let even = count.div_ceil(2) * 2;
        let some = rule(By::Author, &facts(&lines(even)), &ByUnit::new());
        for verdict in some.values().filter(|verdict| verdict.split != all[&verdict.unit].split) {
            let beside = some.values().filter(|other| other.split == verdict.split && other.group != verdict.group);
            prop_assert_eq!(beside.count(), 0);
        }
    }

    /// Of three groups on there is one in every split, and with a base lock nothing else moves.
    #[test]
    fn no_split_stays_empty(count in 3..12_usize, more in 0..6_usize, seed: u64) {
        let lines = |count: usize| (0..count).map(|at| format!("{at}:a{at}")).collect::<Vec<_>>().join(";");
        let run = |count, before: &ByUnit<_>| split(By::Author).run(&facts(&lines(count)), before, Seed::new(seed)).unwrap();
        let first = run(count, &ByUnit::new());
        for name in ["train", "validation", "test"] {
            prop_assert!(first.values().any(|verdict| verdict.split == name), "{}", name);
        }
        for (unit, verdict) in run(count + more, &first).iter().filter(|(unit, _)| first.contains_key(*unit)) {
            prop_assert_eq!(&verdict.split, &first[unit].split);
        }
    }
}
