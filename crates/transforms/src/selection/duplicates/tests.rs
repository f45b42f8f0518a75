//! Tests of `duplicates`.

use proptest::prelude::*;

use super::*;
use crate::tests::book;

fn stage() -> Duplicates {
    toml::from_str("from = 'novels'").unwrap()
}

/// A book: its unit, its runs of words, its author.
type Made<'m> = (&'m str, &'m [(u64, u64)], &'m str);

/// A made-up text: some runs of words, each `(where in an endless book, how many words)`.
fn text(runs: &[(u64, u64)]) -> String {
    let word = |at: u64| {
        let mut at = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at ^= at >> 29;
        format!("w{}", at.wrapping_mul(0xbf58_476d_1ce4_e5b9) % 7000)
    };
    let run =
        |(from, words): &(u64, u64)| (*from..from + words).map(word).collect::<Vec<_>>().join(" ");
    runs.iter().map(run).collect::<Vec<_>>().join("\n\n")
}

fn facts(books: &[Made<'_>]) -> ByUnit<DuplicatesFact> {
    let fact = |(unit, runs, author): &Made<'_>| {
        let unit: UnitId = unit.parse().unwrap();
        let mut book = book(&text(runs));
        (book.authors[0].agent_id, book.authors[0].name) = ((*author).into(), (*author).into());
        let fact = stage().fact(&unit, vec![book].into()).unwrap();
        (unit, fact)
    };
    books.iter().map(fact).collect()
}

fn rule(
    stage: &Duplicates,
    facts: &ByUnit<DuplicatesFact>,
    before: &ByUnit<Duplicate>,
) -> ByUnit<Duplicate> {
    stage.run(facts, before, Seed::new(7)).unwrap()
}

/// Corpus stages as `unit relation of [kept]`, separated by `; `.
#[track_caller]
fn check(books: &[Made<'_>], expected: &str) {
    let told = |verdict: &Duplicate| {
        let relation = format!("{:?}", verdict.relation).to_lowercase();
        let kept = if verdict.kept { " kept" } else { "" };
        format!("{} {relation} {} in {}{kept}", verdict.unit, verdict.of, verdict.group)
    };
    let verdicts = rule(&stage(), &facts(books), &ByUnit::new());
    assert_eq!(verdicts.values().map(told).collect::<Vec<_>>().join("; "), expected);
}

#[test]
fn copies_parts_editions_and_strangers() {
    check(
        &[
            ("1", &[(0, 9000)], "a"),
            ("2", &[(0, 8900), (70_000, 90)], "b"),
            ("3", &[(50_000, 9000)], "a"),
        ],
        "1 itself 1 in 1 kept; 2 copy 1 in 1; 3 itself 3 in 3 kept",
    );
    check(
        &[("1", &[(0, 9000)], "a"), ("2", &[(9000, 8000)], "a"), ("3", &[(0, 17_000)], "a")],
        "1 part 3 in 1; 2 part 3 in 1; 3 itself 3 in 1 kept",
    );
    check(
        &[("1", &[(0, 5000), (30_000, 4000)], "a"), ("2", &[(0, 5000), (40_000, 4100)], "a")],
        "1 itself 1 in 1 kept; 2 edition 1 in 1",
    );
    // A fifth in common is a story in two anthologies, or a long quotation.
    check(
        &[("1", &[(0, 2000), (30_000, 8000)], "a"), ("2", &[(0, 2000), (50_000, 8000)], "b")],
        "1 overlap 2 in 1 kept; 2 overlap 1 in 1 kept",
    );
}

const A: (u64, u64) = (0, 9000);
const B: (u64, u64) = (100_000, 8000);
const D: (u64, u64) = (200_000, 9500);

fn kept(verdicts: &ByUnit<Duplicate>) -> Vec<&str> {
    verdicts.values().filter(|one| one.kept).map(|one| one.unit.as_str()).collect()
}

/// Parts of one collection are works of their own.
#[test]
fn no_novel_is_lost_through_a_collection() {
    // One story in two collections: neither collection takes the other's place.
    let tale = (300_000, 3000);
    check(
        &[("1", &[tale], "a"), ("2", &[tale, A], "a"), ("3", &[tale, D], "a")],
        "1 part 2 in 1; 2 itself 2 in 1 kept; 3 overlap 2 in 1 kept",
    );
    // Another edition of a part goes with it.
    let revised = (400_000, 5000);
    check(
        &[("1", &[A], "a"), ("2", &[(0, 4000), revised], "a"), ("3", &[A, B, D], "a")],
        "1 part 3 in 1; 2 edition 1 in 1; 3 itself 3 in 1 kept",
    );
    // Of two collections that pass for editions the longer one is kept, and what it lacks too.
    let tale = (300_000, 4000);
    check(
        &[("1", &[tale], "a"), ("2", &[A, tale], "a"), ("3", &[A, (400_000, 4500)], "a")],
        "1 overlap 2 in 1 kept; 2 edition 3 in 1; 3 itself 3 in 1 kept",
    );
}

#[test]
fn a_collection_that_comes_later_takes_nothing_away() {
    let novels: &[Made<'_>] = &[("1", &[A], "a"), ("2", &[B], "a"), ("3", &[A, B], "a")];
    let base = rule(&stage(), &facts(&novels[..1]), &ByUnit::new());
    let verdicts = rule(&stage(), &facts(novels), &base);
    assert_eq!(kept(&verdicts), ["1", "3"], "the second novel stands in the collection");
    // Where both were kept, nothing in it is new.
    let base = rule(&stage(), &facts(&novels[..2]), &ByUnit::new());
    let verdicts = rule(&stage(), &facts(novels), &base);
    assert_eq!(kept(&verdicts), ["1", "2"]);
    let collection = &verdicts[&"3".parse::<UnitId>().unwrap()];
    assert!(collection.why.starts_with("what was kept in parts, among them 1"), "{collection:?}");
    // What was left out as a part comes back when its whole goes.
    let base = rule(&stage(), &facts(novels), &ByUnit::new());
    assert_eq!(kept(&base), ["3"]);
    assert_eq!(kept(&rule(&stage(), &facts(&novels[..2]), &base)), ["1", "2"]);
}

#[test]
fn one_book_and_tiny_ones_are_themselves() {
    check(&[("1", &[(0, 9000)], "a")], "1 itself 1 in 1 kept");
    // A few words are no evidence, even where they are the same.
    let few: &[Made<'_>] = &[("1", &[(0, 150)], "a"), ("2", &[(0, 150)], "a"), ("3", &[A], "a")];
    check(few, "1 itself 1 in 1 kept; 2 itself 2 in 2 kept; 3 itself 3 in 3 kept");
    let why = &rule(&stage(), &facts(few), &ByUnit::new())[&"1".parse::<UnitId>().unwrap()].why;
    assert_eq!(why, "not compared: it has 150 words of its own, too few to be another's");
    assert!(rule(&stage(), &ByUnit::new(), &ByUnit::new()).is_empty());
}

/// A licence, with or without the text that it came with, makes no book another's.
#[test]
fn licences_are_no_evidence() {
    let licence = "This text is licensed under a Creative Commons Attribution licence. You may copy and redistribute \
                   it under the terms of that licence, without any warranty.";
    let terms: Vec<String> = (1..=20).map(|at| format!("{at}. {licence}")).collect();
    let terms = terms.join("\n\n");
    let fact = |unit: &str, own: &[(u64, u64)]| {
        let unit: UnitId = unit.parse().unwrap();
        let book = book(format!("{terms}\n\n{}\n\n{terms}", text(own)).trim_end());
        let fact = stage().fact(&unit, vec![book].into()).unwrap();
        (unit, fact)
    };
    // The licence alone, with the beginning of its text, with a short text, with a long one.
    let books: [(&str, &[(u64, u64)]); 4] =
        [("1", &[]), ("2", &[(0, 140)]), ("3", &[(50_000, 900)]), ("4", &[A])];
    let facts: ByUnit<_> = books.iter().map(|(unit, own)| fact(unit, own)).collect();
    let verdicts = rule(&stage(), &facts, &ByUnit::new());
    for verdict in verdicts.values() {
        assert_eq!(
            (verdict.kept, verdict.relation, verdict.shared_pm),
            (true, Relation::Itself, 0)
        );
        assert_eq!(verdict.group, verdict.unit);
    }
    let whys: Vec<&str> = verdicts.values().map(|verdict| verdict.why.as_str()).collect();
    assert!(whys[0].starts_with("not compared: it has 0 words of its own beside "), "{whys:?}");
    assert!(whys[1].starts_with("not compared: it has 140 words of its own beside "), "{whys:?}");
    assert_eq!(whys[2..], ["no other book holds its text"; 2]);
}

#[test]
fn if_all_are_the_same_one_is_kept() {
    let names: Vec<String> = (0..300).map(|at| format!("b{at:03}")).collect();
    let runs: &[(u64, u64)] = &[(0, 4000)];
    let books: Vec<_> = names.iter().map(|name| (name.as_str(), runs, "a")).collect();
    let verdicts = rule(&stage(), &facts(&books), &ByUnit::new());
    let kept: Vec<_> = verdicts.values().filter(|verdict| verdict.kept).collect();
    assert_eq!((kept.len(), kept[0].unit.as_str()), (1, "b000"));
    assert!(kept[0].why.contains("b001") && kept[0].why.len() < 120, "{}", kept[0].why);
}

#[test]
fn what_the_base_kept_stays() {
    let books: &[Made<'_>] = &[("1", &[(0, 9000)], "a"), ("2", &[(0, 9000)], "b")];
    let base = rule(&stage(), &facts(&books[1..]), &ByUnit::new());
    let verdicts = rule(&stage(), &facts(books), &base);
    let kept: Vec<_> = verdicts
        .values()
        .filter(|verdict| verdict.kept)
        .map(|verdict| verdict.unit.as_str())
        .collect();
    assert_eq!(kept, ["2"]);
}

#[test]
fn authors_have_at_most_so_many_books() {
    let names: Vec<String> = (0..12).map(|at| format!("b{at:02}")).collect();
    let runs: Vec<[(u64, u64); 1]> = (0..12).map(|at| [(at * 100_000, 900)]).collect();
    let books: Vec<_> = names
        .iter()
        .zip(&runs)
        .map(|(name, runs)| {
            (name.as_str(), &runs[..], if name.as_str() < "b10" { "a" } else { "c" })
        })
        .collect();
    let few = Duplicates { max_books_per_author: Some(3), ..stage() };
    let kept = |verdicts: &ByUnit<Duplicate>| {
        verdicts
            .values()
            .filter(|verdict| verdict.kept)
            .map(|verdict| verdict.unit.to_string())
            .collect::<Vec<_>>()
    };
    let all = kept(&rule(&few, &facts(&books), &ByUnit::new()));
    assert_eq!((all.len(), &all[3..]), (5, &["b10".to_owned(), "b11".to_owned()][..]));
    // One book more takes the place of one at most, and of none that the base lock kept.
    let base = rule(&few, &facts(&books[1..]), &ByUnit::new());
    let grown = kept(&rule(&few, &facts(&books), &ByUnit::new()));
    assert!(kept(&base).iter().filter(|unit| !grown.contains(unit)).count() <= 1);
    assert_eq!(kept(&rule(&few, &facts(&books), &base)), kept(&base));
}

#[test]
fn options_are_checked() {
    let faults = |same, overlap, max_books_per_author| {
        let stage = Duplicates { same, overlap, max_books_per_author, ..stage() };
        stage.check().into_iter().map(|fault| fault.0).collect::<Vec<_>>()
    };
    assert_eq!(faults(300, 100, Some(1)), [] as [&str; 0]);
    assert_eq!(faults(50, 100, Some(0)), ["same", "overlap", "max_books_per_author"]);
    assert_eq!((faults(900, 100, None), faults(901, 100, None)), (vec![], vec!["same"]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever shares text is in one group, exactly one of a work is kept, and the order of ids
    /// changes neither.
    #[test]
    fn groups_follow_the_text(cuts in prop::collection::vec((0..6_u64, 1..7_u64), 1..12)) {
        let runs: Vec<[(u64, u64); 1]> = cuts.iter().map(|(from, long)| [(from * 1500, long * 1500)]).collect();
        let names: Vec<String> = (10..10 + runs.len()).map(|at| at.to_string()).collect();
        let turned: Vec<String> = names.iter().rev().cloned().collect();
        let ruled = |names: &[String]| {
            let books: Vec<_> = names.iter().zip(&runs).map(|(name, runs)| (name.as_str(), &runs[..], "a")).collect();
            rule(&stage(), &facts(&books), &ByUnit::new())
        };
        let (one, other) = (ruled(&names), ruled(&turned));
        for (a, b) in names.iter().zip(&turned) {
            for (c, d) in names.iter().zip(&turned) {
                let group = |verdicts: &ByUnit<Duplicate>, name: &str| verdicts[&name.parse::<UnitId>().unwrap()].group.clone();
                prop_assert_eq!(group(&one, a) == group(&one, c), group(&other, b) == group(&other, d));
            }
        }
        for (at, run) in runs.iter().enumerate() {
            let same = |(_, other): &(usize, &[(u64, u64); 1])| *other == run;
            let copies: Vec<_> = runs.iter().enumerate().filter(same).map(|(at, _)| &one[&names[at].parse::<UnitId>().unwrap()]).collect();
            prop_assert!(copies.iter().filter(|verdict| verdict.kept).count() <= 1, "{}: {copies:?}", at);
            prop_assert!(copies.windows(2).all(|pair| pair[0].group == pair[1].group));
        }
    }

    /// Of any shelf of novels and collections: of one table of contents one book is kept at most,
    /// of each group one at least, and what was a book of its own stands in one that is kept.
    #[test]
    fn every_novel_stands_in_a_kept_book(
        shelf in prop::collection::vec(prop::collection::btree_set(0..6_u64, 1..5), 1..9),
        base in prop::collection::vec(any::<bool>(), 9),
    ) {
        let runs: Vec<Vec<(u64, u64)>> = shelf.iter().map(|set| set.iter().map(|novel| (novel * 100_000, 1500)).collect()).collect();
        let names: Vec<String> = (10..10 + runs.len()).map(|at| at.to_string()).collect();
        let books: Vec<Made<'_>> = names.iter().zip(&runs).map(|(name, runs)| (name.as_str(), &runs[..], "a")).collect();
        let before: Vec<Made<'_>> = books.iter().zip(&base).filter(|(_, old)| **old).map(|(book, _)| *book).collect();
        let before = rule(&stage(), &facts(&before), &ByUnit::new());
        let verdicts = rule(&stage(), &facts(&books), &before);
        let is_kept = |at: usize| verdicts[&names[at].parse::<UnitId>().unwrap()].kept;
        for (at, set) in shelf.iter().enumerate() {
            let copies = (0..shelf.len()).filter(|other| shelf[*other] == *set && is_kept(*other)).count();
            prop_assert!(copies <= 1, "{verdicts:?}");
            if set.len() == 1 {
                let stands = (0..shelf.len()).any(|other| is_kept(other) && shelf[other].is_superset(set));
                prop_assert!(stands, "{} of {shelf:?}: {verdicts:?}", names[at]);
                let old = before.get(&names[at].parse::<UnitId>().unwrap());
                prop_assert!(old.is_none_or(|old| !old.kept) || is_kept(at), "what the base lock kept stays");
            }
        }
        for verdict in verdicts.values() {
            let kept = verdicts.values().filter(|other| other.group == verdict.group && other.kept);
            prop_assert!(kept.count() >= 1);
        }
    }
}
