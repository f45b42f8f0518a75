use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn stage(options: &str) -> Partners {
    toml::from_str(&format!("books = 'b'\nsummaries = 's'\ncasts = 'c'\n{options}")).unwrap()
}

fn facts(books: usize) -> ByUnit<PartnersFact> {
    let fact = |at: usize| PartnersFact {
        split: ["train", "train", "test"][at % 3].into(),
        group: None,
        // Every seventh book is by who wrote the one before it.
        authors: vec![Writer::named(&format!("a{}", if at % 7 == 6 { at - 1 } else { at }))],
        told: at % 11 != 10,
        first_person: false,
        present: false,
    };
    (0..books).map(|at| (format!("b{at:04}").parse().unwrap(), fact(at))).collect()
}

fn rule(
    options: &str,
    facts: &ByUnit<PartnersFact>,
    before: &ByUnit<storymill_core::Partners>,
) -> ByUnit<storymill_core::Partners> {
    stage(options).run(facts, before, Seed::new(2023)).unwrap()
}

proptest! {
    #[test]
    fn partners_are_of_the_same_split_and_by_others(books in 0..60_usize, places in 5..12_u8) {
        let facts = facts(books);
        for (unit, row) in rule(&format!("places = {places}"), &facts, &ByUnit::new()) {
            let one = &facts[&unit];
            let all = facts.iter().filter(|(_, other)| {
                other.told && other.split == one.split && other.authors != one.authors
            });
            let all: BTreeSet<_> = all.map(|(unit, _)| unit).collect();
            prop_assert_eq!(row.places.len(), if all.is_empty() { 0 } else { places.into() });
            prop_assert!(row.places.iter().all(|other| all.contains(other)));
            let different: BTreeSet<_> = row.places.iter().collect();
            prop_assert_eq!(different.len(), all.len().min(places.into()));
            prop_assert_eq!((row.joined, &row.unit), (0, &unit));
        }
    }
}

#[test]
fn books_that_are_told_alike_come_first() {
    let mut facts = facts(60);
    for (at, fact) in facts.values_mut().enumerate() {
        fact.first_person = at % 4 == 0;
        fact.present = at % 5 == 0;
    }
    let ruled = rule("places = 5", &facts, &ByUnit::new());
    let others = |unit: &UnitId| -> Vec<(&PartnersFact, &PartnersFact)> {
        ruled[unit].places.iter().map(|other| (&facts[unit], &facts[other])).collect()
    };
    for unit in facts.keys().filter(|unit| facts[*unit].split == "train") {
        assert!(others(unit).iter().all(|(one, other)| one.first_person == other.first_person));
    }
    let mut pairs = facts.keys().flat_map(others);
    assert!(pairs.any(|(one, other)| one.present != other.present), "there are too few of those");
}

/// How unlike two books are told: who tells weighs most. What is not known of an author makes no difference.
fn unlike(one: &PartnersFact, other: &PartnersFact) -> u32 {
    let born = |fact: &PartnersFact| fact.authors.iter().filter_map(|author| author.birth).min();
    let apart = born(one).zip(born(other)).is_some_and(|(a, b)| a.abs_diff(b) > 50);
    2 * u32::from(one.first_person != other.first_person)
        + u32::from(one.present != other.present)
        + u32::from(apart)
}

/// The books at a book's places by the rule as it is said, with a look at every pair.
fn by_the_rule(
    unit: &UnitId,
    facts: &ByUnit<PartnersFact>,
    ruled: &ByUnit<storymill_core::Partners>,
) -> Vec<UnitId> {
    let (seed, one) = (Seed::new(2023), &facts[unit]);
    let authors: BTreeMap<_, _> = facts.keys().zip(components(facts)).collect();
    let may = |(other, fact): &(&UnitId, &PartnersFact)| {
        fact.told
            && fact.split == one.split
            && authors[unit] != authors[*other]
            && ruled[*other].joined <= ruled[unit].joined
    };
    let pool: Vec<_> = facts.iter().filter(may).collect();
    let (mut used, mut places) = (BTreeSet::new(), Vec::new());
    for place in 0..8 {
        if used.len() == pool.len() {
            used.clear();
        }
        let seat = mix(hash(unit, seed), place);
        let free = pool.iter().filter(|(other, _)| !used.contains(*other));
        let best = free.max_by_key(|(other, fact)| {
            (std::cmp::Reverse(unlike(one, fact)), mix(seat, hash(other, seed)), *other)
        });
        let Some((best, _)) = best else { break };
        used.insert(*best);
        places.push((*best).clone());
    }
    places
}

proptest! {
    #[test]
    fn whoever_is_most_like_and_has_the_largest_hash_sits_there(
        told in proptest::collection::vec((any::<[bool; 3]>(), proptest::option::of(1700..1950_i32)), 1..80),
        first in 0..40_usize,
    ) {
        let mut facts = facts(told.len());
        for (fact, (says, birth)) in facts.values_mut().zip(&told) {
            [fact.first_person, fact.present, fact.told] = *says;
            fact.authors[0].birth = *birth;
        }
        let before: ByUnit<_> = facts.iter().take(first).map(|(u, f)| (u.clone(), f.clone())).collect();
        let before = rule("", &before, &ByUnit::new());
        let ruled = rule("", &facts, &before);
        for (unit, row) in &ruled {
            prop_assert_eq!(&row.places, &by_the_rule(unit, &facts, &ruled));
        }
    }
}

#[test]
fn one_more_book_takes_its_share_of_places() {
    let (few, many) = (facts(300), facts(301));
    let options = "pool = 'rolling'";
    let (was, is) = (rule(options, &few, &ByUnit::new()), rule(options, &many, &ByUnit::new()));
    let new: UnitId = "b0300".parse().unwrap();
    let (mut places, mut changed, mut taken) = (0, 0, 0);
    for (unit, row) in was.iter().filter(|(unit, _)| few[*unit].split == many[&new].split) {
        for (was, is) in row.places.iter().zip(&is[unit].places) {
            places += 1;
            changed += usize::from(was != is);
            taken += usize::from(*is == new);
        }
    }
    // About one in 183, which is how many other books with a scene its split has.
    assert!((places / 366..places / 91).contains(&taken), "{taken} of {places}");
    assert!(changed <= taken + 2, "{changed} changed, {taken} taken");
    let other = was.iter().filter(|(unit, _)| few[*unit].split != many[&new].split);
    assert!(other.clone().count() > 90);
    other.for_each(|(unit, row)| assert_eq!(row, &is[unit]));
}

#[test]
fn a_pinned_pool_is_what_the_lock_says() {
    let first = rule("", &facts(40), &ByUnit::new());
    let second = rule("", &facts(50), &first);
    for (unit, row) in &first {
        assert_eq!(row, &second[unit], "{unit}");
    }
    let new: Vec<_> = second.iter().filter(|(unit, _)| !first.contains_key(*unit)).collect();
    assert!(new.len() == 10 && new.iter().all(|(_, row)| row.joined == 1));
    let drawn =
        |row: &storymill_core::Partners| row.places.iter().any(|other| first.contains_key(other));
    assert!(new.iter().any(|(_, row)| drawn(row)), "who joins draws from all");
    // The lock knows who joined when, and needs no more.
    let bare = second.iter().map(|(unit, row)| {
        (unit.clone(), storymill_core::Partners { places: Vec::new(), ..row.clone() })
    });
    assert_eq!(rule("", &facts(50), &bare.collect()), second);
    assert_ne!(rule("pool = 'rolling'", &facts(50), &first), second);
}
