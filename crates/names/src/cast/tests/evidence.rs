//! Names that no tagger marks, and words that are names only here and there, by all that a book says of them.

use super::*;

/// The people of a text, and what is left of the names in it when they are replaced, of those that are asked for.
#[track_caller]
fn check(text: &str, names: &[&str], people: &[&str], left: &[&str]) {
    let cast = cast(text, names, Policy::default());
    let found: Vec<_> =
        cast.characters.iter().filter(|one| !one.keep).map(|one| &*one.name).collect();
    assert_eq!(found, people, "{text}");
    let words = Words::new(text);
    let drawn = crate::Substitutes::draw(&cast, &words, storymill_core::Seed::new(0)).unwrap();
    let places = cast.places_in(text).unwrap();
    let new = drawn.apply(text, crate::Sure::At(&places)).text;
    for one in left {
        assert!(new.contains(one), "`{one}` is gone: {new}");
    }
    for one in names.iter().chain(people).filter(|one| !left.iter().any(|left| left.contains(*one)))
    {
        assert!(!new.contains(*one), "`{one}` is left: {new}");
    }
}

#[test]
fn a_verb_is_a_name_where_the_book_makes_it_one() {
    check(
        "Will Penley came. “Go,” said Will. And Will went; Will laughed. “Will you go?” “Will, will you?” said Will.",
        &["Penley"],
        &["Will Penley"],
        &["“Will you go", " will you?"],
    );
}

#[test]
fn somebody_is_named_by_what_he_is() {
    let text = "Ann and they asked the butler Sharrow. It was for Sharrow, and Sharrow had it. Poor Zedlow, the grocer, was of age.";
    check(text, &["Ann"], &["Butler Sharrow", "Ann", "Zedlow"], &[]);
    let text = "The ring of Quenn. The grave of Quenn. ".repeat(5) + "She wept for Quenn.";
    check(&text, &["@Quenn"], &["Quenn"], &[]);
}

#[test]
fn a_place_is_none_of_the_people() {
    let text = "He rode to Crale. In Crale they knew. Crale said so. “Ann,” said Mr. Pell of Crale, near Crale.";
    check(text, &["Crale", "Ann", "Pell"], &["Ann", "Mr. Pell"], &["In Crale they"]);
}

#[test]
fn a_title_is_a_name_where_nobody_has_it() {
    let text = "“Grace,” said Ann. Grace rose, and Grace laughed. “Your Grace is late,” said Grace. His Grace slept.";
    check(text, &["Grace", "Ann"], &["Grace", "Ann"], &["Your Grace is", "His Grace slept"]);
    let text = "Father Butler came. Then Father Butler left. The Butler rang.";
    check(text, &["Butler"], &["Butler"], &["The Butler rang"]);
}

#[test]
fn kings_and_people_whom_everybody_knows_stay() {
    let text = "Ann read of Henry VIII. and of Henry I. at Reading. She had Homer and Plato. “Homer,” said Ann.";
    check(
        text,
        &["Ann", "Henry", "Homer", "Plato"],
        &["Ann"],
        &["Henry VIII.", "Henry I.", "Homer and Plato"],
    );
    let text = "Lord God! Ann cried. Dame Fortune was kind. Mr. Heaven laughed. Heaven help you! said Mr. Heaven.";
    check(
        text,
        &["God", "Ann", "Fortune", "Heaven"],
        &["Mr. Heaven", "Ann"],
        &["Lord God", "Dame Fortune", "Heaven help"],
    );
}

#[test]
fn the_book_says_who_is_one_and_who_are_two() {
    let text = "Theodosia Brooke came. Mr. Hargrave married Theodosia. Theodosia became Mrs. Hargrave. Mrs. Hargrave wept.";
    let names = ["Theodosia Brooke", "Hargrave", "Theodosia"];
    check(text, &names, &["Theodosia Brooke", "Mr. Hargrave"], &[]);
    let text = "John Tull came with Jack Tull. “Jack,” said old John. “Jack,” said John Tull. Jack Tull ran.";
    check(text, &["John Tull", "Jack Tull", "Jack", "John"], &["Jack Tull", "John Tull"], &[]);
}

#[test]
fn what_a_tagger_leaves_out_of_a_name_is_of_it() {
    let text = "He saw Vessa Quorn. With Vessa Quorn came old Bell. “So,” said Vessa Quorn.";
    check(text, &["Quorn"], &["Vessa Quorn"], &["old Bell"]);
    // An epithet stands behind an article, and a word that stands elsewhere too is its own.
    let text = "He saw the Lornish Quorn. To the Lornish Quorn. For a Lornish Quorn. So said Quorn, and Quorn sat. But Quorn rose, and Quorn laughed.";
    check(text, &["Quorn"], &["Quorn"], &["the Lornish "]);
    let text = "He saw Vessa Quorn. To Vessa Quorn. By Vessa Quorn. Of Vessa. For Vessa. To Vessa.";
    check(text, &["Quorn"], &["Quorn"], &["For Vessa"]);
    let text = "“Ann Quite Contrary,” said they. Ann Quite Contrary she was. So Ann Quite Contrary it was. To Ann Quite Contrary. It was quite so, and quite well, but not quite.";
    check(text, &["Ann"], &["Ann"], &["Quite Contrary"]);
}

#[test]
fn a_name_of_two_words_is_somebody_where_a_tagger_says_a_place() {
    let text =
        "“So,” said Orro Vent. They saw Orro Vent. “No,” said Orro Vent, and Orro Vent rose.";
    check(text, &["@Orro Vent"], &["Orro Vent"], &[]);
}

#[test]
fn persons_of_plays_stay_where_the_book_speaks_of_plays() {
    let plays = "She has been Rosalind and Imogen. To-night she is Juliet, and then Ophelia. He thinks of Juliet.";
    check(
        plays,
        &["Rosalind", "Imogen", "Juliet", "Ophelia"],
        &[],
        &["Rosalind and Imogen", "Juliet", "then Ophelia"],
    );
    let one = "She has been with Juliet. He thinks of Juliet.";
    check(one, &["Juliet"], &["Juliet"], &[]);
    check("He reads Gustave Flaubert.", &["Gustave Flaubert"], &[], &["Gustave Flaubert"]);
}

#[test]
fn who_is_called_by_lands_has_the_gender_of_the_title() {
    let cast = cast(
        "The Countess of Morrow wept. He met the Countess of Morrow.",
        &["Morrow"],
        Policy::default(),
    );
    assert_eq!(cast.characters[0].gender, Gender::Female);
}

#[test]
fn a_common_word_behind_names_is_a_family_name() {
    let text = "He saw Tom Thatch. With Tom Thatch came a thatch of straw. To Tom Thatch. “So,” said Tom Thatch, “by thatch.” Of Tom Thatch. ";
    check(text, &["Tom"], &["Tom Thatch"], &["by thatch", "a thatch"]);
}

#[test]
fn who_signs_in_capitals_is_named() {
    let text = "“So,” said Violet. Then Violet Hunter wrote, and Miss Hunter sealed it.\n\nVIOLET HUNTER.\n\nHe had a violet.";
    check(text, &["Violet Hunter", "Violet", "Hunter"], &["Violet Hunter"], &["a violet"]);
    let cast = cast(text, &["Violet Hunter", "Violet", "Hunter"], Policy::default());
    let careful = cast.careful.iter().find(|one| one.part == "Violet").unwrap();
    assert_eq!(careful.at.len(), 3);
}

#[test]
fn a_judge_may_be_called_after_a_trade() {
    let text = "It was Judge Miller’s house. They saw Judge Miller there. The Miller ground.";
    check(text, &["Miller"], &["Judge Miller"], &["The Miller ground"]);
}

#[test]
fn a_tribe_has_a_plural_and_an_article() {
    let text = "An Oskola fell. Then the Oskola lay by an Oskola. So the Oskola rose. The Oskolas fled, and the Oskolas hid.";
    check(text, &["Oskola", "Oskolas", "Ann"], &[], &["An Oskola fell", "and the Oskolas hid"]);
    let text = "A Christian king and two Christian whites of Christian birth.";
    check(text, &["Christian"], &[], &["Christian king"]);
}
