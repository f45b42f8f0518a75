//! Tests of what title and catalog say.

use super::*;
use crate::tests::book;

/// What speaks for and against, as `points: why`.
#[track_caller]
fn check(title: &str, subjects: &[&str], tongue: Option<&str>, expected: &[&str]) {
    let mut one = book("Text.");
    one.title = title.into();
    one.authors.clear();
    one.subjects = subjects.iter().map(|subject| (*subject).to_owned()).collect();
    let mut points = Points::default();
    super::subjects(&one, &mut points);
    super::title(&one, tongue, &mut points);
    assert_eq!(points.account(), expected, "{title} {subjects:?}");
}

#[test]
fn criticism_is_no_fiction() {
    let of = |subjects: &[&str], expected: &[&str]| check("T", subjects, None, expected);
    of(&["English fiction -- History and criticism"], &["-14 telling"]);
    of(&["Short stories -- Technique", "Novelists, English"], &["-14 telling"]);
    of(&["Drama -- Study and teaching"], &["-14 telling"]);
    of(&["Category: Non-Fiction"], &["-14 telling"]);
    of(&["England -- Fiction"], &["14 telling"]);
    of(&["England -- Fiction", "Gothic fiction -- History and criticism"], &["14 telling"]);
    of(&["Science fiction"], &["14 telling"]);
    of(&["Authorship -- Fiction", "Criticism -- Juvenile fiction"], &["14 telling"]);
    of(&["Drama", "Drama -- History and criticism"], &["-14 telling"]);
}

#[test]
fn roman_is_a_novel_only_where_it_says_so() {
    let of = |title, tongue, points: &[&str]| check(title, &[], Some(tongue), points);
    of("Das Moor: Roman", "de", &["8 telling"]);
    of("Der Hof. Ein Roman aus den Alpen", "de", &["8 telling"]);
    of("Le roman d'une ville", "fr", &["8 telling"]);
    of("Roman Roads", "en", &[]);
    of("The Law: Roman and Canon", "en", &[]);
    of("L'art roman", "fr", &[]);
    of("Die Roman Strasse", "de", &[]);
    check("Roman", &[], None, &[]);
}

/// A genre says what is told, not how many stories there are.
#[test]
fn genres_are_no_collections() {
    let of = |subjects: &[&str], expected: &[&str]| check("T", subjects, None, expected);
    of(&["Horror tales", "Vampires -- Fiction"], &["14 telling"]);
    of(&["Ghost stories", "Sea stories"], &["14 telling"]);
    of(&["Fairy tales", "Goblins -- Fiction"], &["18 telling", "6 parts"]);
    of(&["Tales -- Denmark"], &["8 telling", "22 parts"]);
    of(&["Short stories", "Category: Novels"], &["22 telling", "10 parts"]);
}

#[test]
fn scriptures_are_a_class_and_no_list_of_books() {
    check("The Scriptures of a People", &[], None, &["-9 telling"]);
    check("T", &["Sacred books"], None, &["-14 telling"]);
}
