//! Two models, worked by hand.

use storymill_core::{Grade, Status};
use storymill_report::{Collected, Options, Report};

use crate::support::{grade, without_answer};

/// Two models on ten questions of five books, two questions a book.
///
/// | book | A | B |
/// | --- | --- | --- |
/// | 0 | 1 1 | 1 0 |
/// | 1 | 1 1 | 0 0 |
/// | 2 | 1 0 | 1 0 |
/// | 3 | 1 1 | 1 1 |
/// | 4 | 0 1 | 1 (cut) |
fn grades() -> Vec<Grade> {
    let left = [[1, 1], [1, 1], [1, 0], [1, 1], [0, 1]];
    let right = [[1, 0], [0, 0], [1, 0], [1, 1], [1, 1]];
    let of = |model: &str, rows: [[u8; 2]; 5]| -> Vec<Grade> {
        (0..10)
            .map(|at| {
                let mut grade = grade(at / 2, at, 900, rows[at / 2][at % 2] == 1);
                model.clone_into(&mut grade.model);
                if model == "b" && at == 9 {
                    grade.spent.cut = "front".into();
                }
                grade
            })
            .collect()
    };
    of("a", left).into_iter().chain(of("b", right)).collect()
}

fn report(grades: Vec<Grade>) -> Report {
    let mut all = Collected::default();
    for grade in grades {
        all.add(grade);
    }
    Report::of(&all, &Options::default())
}

#[test]
fn by_hand() {
    let report = report(grades());
    let pair = &report.parts[0].pairs[0];
    // Of the nine that both were shown whole A has 7 and B 5: 1/9 is .111111 each.
    assert_eq!((pair.left.model.as_str(), pair.common), ("a", 9));
    assert_eq!(pair.left.all.value, Some(0.8));
    assert_eq!(pair.right.all.value, Some(0.6));
    assert_eq!(pair.left.common.value, Some(0.777_778));
    assert_eq!(pair.right.common.value, Some(0.555_556));
    assert_eq!(pair.difference.value, Some(0.222_222));
    assert_eq!((pair.both_right, pair.both_wrong), (4, 1));
    let only = ["b000/00001/lookahead", "b001/00002/lookahead", "b001/00003/lookahead"];
    assert_eq!(pair.left.only_ids, only);
    assert_eq!(pair.right.only_ids, ["b004/00008/lookahead"]);

    // By hand: sums of differences by book are 1, 2, 0, 0, -1 of 2, 2, 2, 2, 1 questions, mean 2/9. Left over are 5/9,
    // 14/9, -4/9, -4/9, -11/9; squares over (1 - share) sum to (25 + 196 + 16 + 16) / 81 · 9/7 + 121 / 81 · 9/8.
    let variance = (253.0 / 81.0 * 9.0 / 7.0 + 121.0 / 81.0 * 9.0 / 8.0) / 81.0;
    let half = (pair.difference.high.unwrap() - pair.difference.low.unwrap()) / 2.0;
    let t = half / f64::sqrt(variance);
    // Of Student's distribution with at most 4 degrees of freedom, and hardly fewer.
    assert!((2.776..3.1).contains(&t), "{t}");
}

#[test]
fn turning_the_models_round_changes_nothing() {
    let mut turned = grades();
    turned.reverse();
    let (one, other) = (report(grades()), report(turned));
    assert_eq!(one.parts[0].pairs, other.parts[0].pairs);
}

#[test]
fn what_does_not_fit_is_not_compared() {
    let mut all = grades();
    all[10] = without_answer(all[10].clone(), Status::DoesNotFit);
    let report = report(all);
    let pair = &report.parts[0].pairs[0];
    // It stays in the full score all the same.
    assert_eq!((pair.common, pair.right.all.questions, pair.right.all.value), (8, 10, Some(0.5)));
}

#[test]
fn a_family_that_wrote_the_retellings_is_named() {
    let mut all = Collected::default();
    for mut grade in grades() {
        if grade.model == "a" {
            grade.model = "openai/gpt-4o-mini".into();
        }
        all.add(grade);
    }
    let options = Options { written_by: vec!["gpt-3.5-turbo".into()], ..Options::default() };
    let warnings = Report::of(&all, &options).warnings;
    let same: Vec<_> = warnings.iter().filter(|one| one.contains("same family")).collect();
    assert!(same.len() == 1 && same[0].starts_with("openai/gpt-4o-mini"), "{warnings:?}");
}

#[test]
fn results_name_who_wrote_the_retellings() {
    let mut all = Vec::new();
    for mut grade in grades() {
        grade.written_by = vec!["gpt-3.5-turbo".into()];
        if grade.model == "a" {
            grade.model = "openai/gpt-4o-mini".into();
        }
        all.push(grade);
    }
    let report = report(all);
    assert_eq!(report.written_by, ["gpt-3.5-turbo"]);
    let same = report.warnings.iter().filter(|one| one.contains("same family"));
    assert_eq!(same.count(), 1, "{:?}", report.warnings);
}

#[test]
fn a_question_that_is_named_is_told_in_words_and_times_are_added() {
    let mut all = Collected::default();
    for grade in grades() {
        all.add(grade);
    }
    let first = Report::of(&all, &Options::default());
    let id = first.named().into_iter().next().unwrap();
    all.took("a", "full", &id, 1_400);
    all.took("a", "full", "no such question", 9_000);
    all.took("nobody", "full", &id, 9_000);
    let questions = [(id, "Which <of> these?".to_owned())].into();
    let options = Options { questions, ..Options::default() };
    let report = Report::of(&all, &options);
    let of_a = report.parts[0].systems.iter().find(|one| one.model == "a").unwrap();
    assert_eq!((of_a.time.millis, of_a.time.known), (1_400, 1));
    let page = report.html(&options).unwrap();
    assert!(page.contains("<p class=\"asked\">Which &lt;of&gt; these?</p>"));
    assert!(page.contains("1 s (1 known)"));
}
