//! Pairs of claims: NoCha's pair accuracy beside that of single claims.

use proptest::prelude::*;
use storymill_core::{Facet, Grade, Status};
use storymill_report::{Collected, Options, Part, Report};

use crate::support::{grade, without_answer};

fn claim(book: usize, pair: usize, holds: bool, right: bool) -> Grade {
    let half = if holds { "true" } else { "false" };
    let scope = if pair.is_multiple_of(2) { "global" } else { "sentence" };
    Grade {
        question: format!("b{book:03}/{pair:04}/{half}"),
        form: "verdict".into(),
        kind: "claim".into(),
        choices: 2,
        pair: format!("b{book:03}/{pair:04}"),
        facets: vec![Facet::new("scope", scope), Facet::new("claim", half)],
        ..grade(book, pair, 4_000, right)
    }
}

fn report(grades: impl IntoIterator<Item = Grade>) -> Report {
    let mut all = Collected::default();
    grades.into_iter().for_each(|grade| all.add(grade));
    Report::of(&all, &Options::default())
}

fn share(part: &Part, model: &str) -> (usize, f64) {
    let system = part.systems.iter().find(|system| system.model == model).unwrap();
    (system.cell.questions, system.cell.value.unwrap())
}

#[test]
fn a_pair_is_right_if_both_claims_are_and_counts_if_both_were_answered() {
    let mut grades = Vec::new();
    for at in 0..8 {
        // Right, right; right, wrong; wrong, wrong; wrong without a verdict.
        grades.push(claim(at % 2, at, true, at < 6));
        let other = claim(at % 2, at, false, at < 4);
        grades.push(match at {
            6 => without_answer(other, Status::Unparsed),
            7 => without_answer(other, Status::DoesNotFit),
            _ => other,
        });
    }
    let one = report(grades.clone());
    let names: Vec<&str> = one.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["pairs", "accuracy"]);
    // The eighth pair was not answered as a whole.
    assert_eq!(share(&one.parts[0], "model-a"), (7, 0.571_429));
    assert_eq!(share(&one.parts[1], "model-a"), (16, 0.625));
    assert_eq!(one.parts[0].chance, Some(0.25));
    let told = one.warnings.join("\n");
    assert!(told.contains("answered both claims of 7 of 8 pairs"), "{told}");
    let groups = |part: &Part| -> Vec<(String, usize)> {
        part.facets.groups.iter().map(|group| (group.label.clone(), group.questions)).collect()
    };
    let scopes = [("scope: global".to_owned(), 4), ("scope: sentence".to_owned(), 4)];
    assert_eq!(groups(&one.parts[0]), scopes);
    let claims = [("claim: false".to_owned(), 8), ("claim: true".to_owned(), 8)];
    assert_eq!(groups(&one.parts[1])[..2], claims);

    // Of two models the pairs that both answered are the common set.
    let second = grades.into_iter().filter(|grade| !grade.pair.ends_with('0'));
    let second = second.map(|grade| Grade { model: "model-b".into(), ..grade });
    let first =
        (0..8).flat_map(|at| [claim(at % 2, at, true, true), claim(at % 2, at, false, true)]);
    let two = report(first.chain(second.collect::<Vec<_>>()));
    let common =
        two.parts[0].facets.groups.iter().position(|group| group.label.starts_with("asked"));
    let lines = &two.parts[0].facets.lines;
    let shares: Vec<_> =
        lines.iter().map(|line| line.cells[common.unwrap()].clone().unwrap().value).collect();
    assert_eq!(two.parts[0].facets.groups[common.unwrap()].questions, 6);
    assert_eq!(shares, [Some(1.0), Some(0.5)]);
}

#[test]
fn pairs_are_called_pairs_and_claims_without_evidence_have_no_curve() {
    let claims = |is_known: bool| {
        let halves = (0..8).flat_map(|at| [(at, true), (at, false)]);
        let grades = halves.map(|(at, holds)| {
            let own = claim(at % 2, at, holds, true);
            let context = if is_known { own.context } else { own.demand.to_start.clone() };
            Grade { context, ..own }
        });
        report(grades)
    };
    let page = claims(true).html(&Options::default()).unwrap();
    let pairs = page.split("<h2").find(|part| part.starts_with(" id=\"part-1\"")).unwrap();
    for there in ["By kind of pair", "Pair accuracy by kind of pair", ">4 pairs<", "By retention"] {
        assert!(pairs.contains(there), "{there}");
    }
    assert!(!pairs.contains("question"), "{pairs}");

    let without = claims(false);
    assert!(without.parts.iter().all(|part| part.demand.groups.is_empty()));
    let page = without.html(&Options::default()).unwrap();
    assert!(!page.contains("By retention demand") && page.contains("By kind of question"));
}

proptest! {
    #[test]
    fn a_matrix_has_the_figures_of_the_answers_that_it_is_made_of(answers in prop::collection::vec((0..7_usize, 0..4_u8, 0..4_u8), 1..40)) {
        let mut all = Collected::default();
        for (at, (book, one, two)) in answers.iter().enumerate() {
            for (holds, said) in [(true, one), (false, two)] {
                let own = claim(*book, at, holds, *said == 0);
                all.add(match said {
                    2 => without_answer(own, Status::Unparsed),
                    3 => without_answer(own, Status::DoesNotFit),
                    _ => own,
                });
            }
        }
        let named = |pair: &str| Ok::<_, std::convert::Infallible>(format!("leaf-{pair}"));
        let matrix = all.to_matrix(named, |book| format!("book-{book}")).unwrap();
        prop_assert_eq!(matrix.pairs.len(), answers.len());
        prop_assert!(matrix.pairs.is_sorted_by_key(storymill_report::Row::name));
        let text = serde_json::to_string(&matrix).unwrap();
        let again = Report::of(&Collected::of_matrix(&text).unwrap(), &Options::default());
        let first = Report::of(&all, &Options::default());
        let cell = |report: &Report| {
            let systems = report.parts.iter().filter(|part| part.name == "pairs").flat_map(|part| &part.systems);
            systems.map(|system| (system.cell.questions, system.cell.value)).collect::<Vec<_>>()
        };
        prop_assert_eq!(cell(&first), cell(&again));
    }
}
