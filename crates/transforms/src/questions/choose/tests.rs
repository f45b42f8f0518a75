use proptest::prelude::*;
use storymill_core::Record;

use super::*;

fn unit(at: usize) -> UnitId {
    format!("b{at:03}").parse().unwrap()
}

/// A book with questions of each type whose demands and contexts double and double.
fn fact(book: usize, questions: usize, split: &str) -> ChooseFact {
    let candidate = |at: usize| Candidate {
        cell: Cell {
            of: u8::try_from(at % 3).unwrap(),
            demand: u8::try_from(at / 3 % 5).unwrap(),
            context: u8::try_from(4 + at / 15 % 3).unwrap(),
        },
        lot: lot(&format!("{book}/{at}")),
        texts: (0..5).map(|text| short("", &format!("{book}/{at}/{text}"))).collect(),
    };
    let candidates = first_of_each_cell((0..questions).map(candidate).collect());
    ChooseFact { split: split.to_owned(), candidates }
}

fn facts(books: usize) -> ByUnit<ChooseFact> {
    (0..books).map(|book| (unit(book), fact(book, 120, "test"))).collect()
}

fn choose(size: u32, small: u32) -> Choose {
    let (questions, reconstructions, splits) = (Edge::to("q"), Edge::to("r"), Edge::to("s"));
    Choose { questions, reconstructions, splits, size, small, of: Vec::new(), longest: None }
}

fn run(choose: &Choose, facts: &ByUnit<ChooseFact>, before: &ByUnit<Chosen>) -> ByUnit<Chosen> {
    choose.run(facts, before, Seed::new(1)).unwrap()
}

fn picks(verdict: &ByUnit<Chosen>) -> BTreeSet<(UnitId, u64)> {
    verdict.iter().flat_map(|(unit, c)| c.all.iter().map(|lot| (unit.clone(), *lot))).collect()
}

#[test]
fn lengths_double() {
    let sizes = [0, 999, 1000, 1999, 2000, 4000, 127_999, 128_000, u32::MAX].map(size);
    assert_eq!(sizes, [0, 0, 1, 1, 2, 3, 7, 8, 8]);
}

#[test]
fn shares_are_even_and_nobody_gets_more_than_there_is() {
    let room = |share| [1, 9, 9, 2][usize::from(share)];
    let even = |wanted| {
        let shares = even(wanted, &[0, 1, 2, 3].into(), room);
        shares.into_iter().map(|(_, n)| n).collect::<Vec<_>>()
    };
    assert_eq!(even(4), [1, 1, 1, 1]);
    assert_eq!(even(11), [1, 4, 4, 2]);
    assert_eq!(even(99), [1, 9, 9, 2]);
    assert_eq!(even(0), [0; 4]);
}

#[test]
fn the_choice_is_balanced_over_types_demands_and_books() {
    let facts = facts(20);
    let verdict = run(&choose(300, 60), &facts, &ByUnit::new());
    let mut per_cell: BTreeMap<(u8, u8), usize> = BTreeMap::new();
    for (unit, fact) in &facts {
        let taken = &verdict[unit].all;
        assert!((10..=20).contains(&taken.len()), "{unit}: {}", taken.len());
        for candidate in fact.candidates.iter().filter(|one| taken.contains(&one.lot)) {
            *per_cell.entry((candidate.cell.of, candidate.cell.demand)).or_default() += 1;
        }
        assert!(verdict[unit].small.iter().all(|lot| taken.contains(lot)), "small is inside");
    }
    assert!(per_cell.values().all(|count| *count == 20), "{per_cell:?}");
    assert_eq!(verdict.values().map(|chosen| chosen.small.len()).sum::<usize>(), 60);
}

#[test]
fn one_more_book_changes_few_choices() {
    let (forty_three, forty_four) = (facts(43), facts(44));
    let choose = choose(300, 0);
    let before = picks(&run(&choose, &forty_three, &ByUnit::new()));
    let after = picks(&run(&choose, &forty_four, &ByUnit::new()));
    let gone = before.difference(&after).count();
    // A share of 1 in 44 goes to the new book.
    assert!((1..=20).contains(&gone), "{gone} of 300");
    assert_eq!(after.len(), 300);
}

#[test]
fn what_the_base_lock_chose_stays() {
    let choose = choose(300, 50);
    let old = run(&choose, &facts(43), &ByUnit::new());
    let new = run(&choose, &facts(44), &old);
    assert!(picks(&old).is_subset(&picks(&new)));
    assert_eq!(picks(&new).len(), 300);
    let more = Choose { size: 400, ..choose };
    let new = run(&more, &facts(44), &old);
    assert!(picks(&old).is_subset(&picks(&new)));
    assert_eq!(picks(&new).len(), 400);
}

/// A book with so many questions of two types, of which each shares a text with so many others.
fn shared(book: usize, questions: usize, alike: usize) -> (UnitId, ChooseFact) {
    let candidate = |at: usize| Candidate {
        cell: Cell { of: u8::try_from(at % 2).unwrap(), demand: 0, context: 0 },
        lot: lot(&format!("{book}/{at}")),
        texts: [at / alike, 1000 + at].map(|text| u16::try_from(text).unwrap()).into(),
    };
    let candidates = (0..questions).map(candidate).collect();
    (unit(book), ChooseFact { split: "test".to_owned(), candidates })
}

#[test]
fn no_text_is_chosen_twice_while_there_are_others() {
    // Ten texts in each book are shared by four questions each, two of either type.
    let facts: ByUnit<ChooseFact> = (0..6).map(|book| shared(book, 40, 4)).collect();
    for (size, most) in [(30, 0), (60, 0), (80, 40), (240, 240)] {
        let verdict = run(&choose(size, 0), &facts, &ByUnit::new());
        assert_eq!(picks(&verdict).len(), size as usize);
        let repeats: u32 = verdict.values().map(|chosen| chosen.repeats).sum();
        // Twenty more than the sixty that share nothing: each shares a text with one of these at least.
        assert!(repeats <= most && (repeats > 0) == (most > 0), "{size}: {repeats}");
    }
}

#[test]
fn a_fact_has_room_for_a_long_novel() {
    let fact = fact(0, 1_000, "validation");
    assert_eq!(fact.candidates.len(), MOST);
    assert!(ChooseFact::encode(&[fact]).unwrap().len() <= 4096);
}

proptest! {
    #[test]
    fn as_many_as_wanted_or_all_there_are(
        books in prop::collection::vec((0..40_usize, any::<bool>()), 1..12),
        size in 1..200_u32,
        small in 0..200_u32,
    ) {
        let facts: ByUnit<ChooseFact> = books
            .iter()
            .enumerate()
            .map(|(at, (n, test))| (unit(at), fact(at, *n, if *test { "test" } else { "train" })))
            .collect();
        let of = vec!["test".to_owned()];
        let choose = Choose { of, ..choose(size, small.min(size)) };
        let verdict = run(&choose, &facts, &ByUnit::new());
        let there: usize = books.iter().filter(|(_, test)| *test).map(|(n, _)| n).sum();
        let all = verdict.values().map(|c| c.all.len()).sum::<usize>();
        prop_assert_eq!(all, there.min(size as usize));
        let small_ones = verdict.values().map(|c| c.small.len()).sum::<usize>();
        prop_assert_eq!(small_ones, all.min(choose.small as usize));
        for (at, (_, test)) in books.iter().enumerate() {
            prop_assert!(*test || verdict[&unit(at)].all.is_empty(), "only the splits named");
        }
    }
}

/// What two questions of order share is the retellings that they put in order, and nothing with other types; names of
/// people and orders of letters come again.
#[test]
fn orders_and_names_are_no_texts_and_types_of_order_share_with_themselves_alone() {
    let book = super::super::read_along::tests::told(40, |_| 1);
    let types = "types = ['lookahead', 'told-order', 'since']";
    let (questions, _) = super::super::read_along::tests::ask(types, &book);
    let texts = |kind: &str| -> BTreeSet<u16> {
        let of = questions.iter().filter(|one| one.kind.starts_with(kind));
        of.flat_map(|one| Candidate::of(one).texts).collect()
    };
    let orders = questions.iter().find(|one| one.kind == "told-order-all").unwrap();
    let given: Vec<u16> = match &orders.form {
        Form::Options { given, .. } => {
            given.iter().map(|one| short("told-order", &one.text)).collect()
        }
        _ => panic!("it has options"),
    };
    assert_eq!(Candidate::of(orders).texts, given);
    let (lookahead, since) = (texts("lookahead"), texts("since"));
    assert!(!lookahead.is_empty() && !since.is_empty());
    // Short hashes of a few dozen texts meet by chance once at most.
    assert!(lookahead.intersection(&since).count() < 2);
}
