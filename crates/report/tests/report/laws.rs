//! What holds for every report.

use proptest::prelude::*;
use storymill_core::Status;
use storymill_report::{Cell, ClusteredBy, Collected, Options, Report, Table};

use crate::support::{grade, without_answer};

fn report(grades: impl IntoIterator<Item = storymill_core::Grade>) -> Report {
    let mut all = Collected::default();
    grades.into_iter().for_each(|grade| all.add(grade));
    Report::of(&all, &Options::default())
}

fn questions(table: &Table) -> usize {
    table.lines.iter().flat_map(|line| line.cells.iter().flatten()).map(|cell| cell.questions).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn each_question_is_in_one_bin(asked in prop::collection::vec((0_usize..7, 0_u32..300_000, any::<bool>()), 1..60)) {
        let grades = asked.iter().enumerate().map(|(at, (book, tokens, right))| grade(*book, at, *tokens, *right));
        let report = report(grades);
        let part = &report.parts[0];
        for table in [&part.demand, &part.context, &part.types, &part.by_book] {
            prop_assert_eq!(questions(table) + table.left_out, asked.len(), "{}", table.by);
            let of_groups: usize = table.groups.iter().map(|group| group.questions).sum();
            prop_assert_eq!(of_groups + table.left_out, asked.len());
        }
        for (group, cell) in part.demand.groups.iter().zip(&part.demand.lines[0].cells) {
            let inside = |tokens: &u32| (group.from.unwrap()..=group.to.unwrap()).contains(tokens);
            let expected = asked.iter().filter(|(_, tokens, _)| *tokens > 0 && inside(tokens)).count();
            prop_assert_eq!(cell.as_ref().map_or(0, |cell| cell.questions), expected);
        }
        let ends: usize = part.systems[0].statuses.values().sum();
        prop_assert_eq!(ends, asked.len());
    }

    #[test]
    fn what_is_not_answered_never_helps(
        asked in prop::collection::vec((0_usize..7, 1_u32..300_000, any::<bool>()), 1..40),
        more in 0_usize..7,
        ending in 1_usize..6,
    ) {
        let grades: Vec<_> =
            asked.iter().enumerate().map(|(at, (book, tokens, right))| grade(*book, at, *tokens, *right)).collect();
        // A claim of being right beside a status that says otherwise changes nothing.
        let mut refused = grade(more, 1_000, 500, true);
        refused.status = Status::ALL[ending];
        let before = report(grades.clone()).parts[0].systems[0].cell.clone();
        let after = report(grades.into_iter().chain([refused])).parts[0].systems[0].cell.clone();
        prop_assert!(after.value <= before.value);
        prop_assert_eq!((after.questions, after.not_answered), (before.questions + 1, 1));
    }

    #[test]
    fn the_order_of_grades_does_not_matter(
        asked in prop::collection::vec((0_usize..7, 1_u32..300_000, any::<bool>()), 1..30),
    ) {
        let grades: Vec<_> =
            asked.iter().enumerate().map(|(at, (book, tokens, right))| grade(*book, at, *tokens, *right)).collect();
        let turned: Vec<_> = grades.iter().rev().cloned().collect();
        let curve = |grades| serde_json::to_string(&report(grades).parts[0].demand).unwrap();
        prop_assert_eq!(curve(grades), curve(turned));
    }
}

fn cell(books: usize, authors: usize, each: usize) -> Cell {
    let grades = (0..books * each).map(|at| {
        let mut grade = grade(at % books, at, 1_000, at % 3 > 0);
        grade.author = format!("Author {}", at % books % authors);
        grade
    });
    report(grades).parts[0].systems[0].cell.clone()
}

#[test]
fn few_books_or_one_author_have_no_interval() {
    for (books, authors) in [(1, 1), (6, 1), (2, 2), (4, 4)] {
        let cell = cell(books, authors, 40);
        assert_eq!(
            (cell.low, cell.high, cell.clustered_by),
            (None, None, None),
            "{books} {authors}"
        );
        assert!(cell.value.is_some());
    }
    assert_eq!(cell(6, 3, 40).clustered_by, Some(ClusteredBy::Books));
    assert_eq!(cell(6, 6, 40).clustered_by, Some(ClusteredBy::Authors));
    assert_eq!(cell(5, 2, 40).clustered_by, Some(ClusteredBy::Books));
    let report = report((0..50).map(|at| grade(1, at, 900, true)));
    assert!(
        report.warnings.iter().any(|one| one.contains("intervals are undefined")),
        "{:?}",
        report.warnings
    );
}

#[test]
fn thin_and_hollow() {
    assert!(cell(6, 6, 4).thin && cell(4, 4, 40).thin && !cell(6, 6, 5).thin);
    let with = |refused: usize| {
        let grades = (0..100).map(|at| {
            let grade = grade(at % 6, at, 900, true);
            if at < refused { without_answer(grade, Status::Refused) } else { grade }
        });
        report(grades).parts[0].systems[0].cell.clone()
    };
    assert!(!with(5).hollow && with(6).hollow);
    assert_eq!(with(6).value, Some(0.94));
}

#[test]
fn a_question_of_two_configs_counts_once() {
    let mut again = grade(1, 7, 900, false);
    again.config = "eval".into();
    let report = report([grade(1, 7, 900, true), again]);
    assert_eq!(report.parts[0].systems[0].cell.questions, 1);
    assert!(report.warnings.iter().any(|one| one.starts_with("1 answer left out")));
}
