use proptest::prelude::*;

use super::*;

const OWN: &str = "Mr. Weston smiled. “Come,” said Emma to Harriet. The horse of Weston was lame, and Harriet laughed. They rode \
    to London in May with the Westons, and Emma thought of Highbury. “I will,” said May, “if the French may.” May’s hat was red, \
    and the hat of May fell. Mr. Knightley came from London. It was the first of May. Emma saw May and Harriet.\n";

/// The book with other names, those that are listed left alone.
fn renamed(kept: &[&str]) -> String {
    let pairs = [
        ("Weston", "Lorne"),
        ("Emma", "Clara"),
        ("Harriet", "Louisa"),
        ("Knightley", "Amberley"),
        ("said May", "said Nell"),
        ("May’s", "Nell’s"),
        ("hat of May", "hat of Nell"),
        ("saw May", "saw Nell"),
    ];
    let pairs = pairs.iter().filter(|(name, _)| !kept.contains(name));
    pairs.fold(OWN.to_owned(), |text, (name, other)| text.replace(name, other))
}

/// The words that are left in a text, with their signs.
#[track_caller]
fn check(new: &str, text: &str, expected: &[(&str, Sign)]) {
    let left = NamesLeft::new(OWN, Some(new)).look(text, false).left;
    let left: Vec<_> = left.iter().map(|left| (&text[left.bytes.clone()], left.sign)).collect();
    assert_eq!(left, expected, "{text}");
}

#[test]
fn what_is_gone_elsewhere_is_a_leak() {
    let new = renamed(&[]);
    check(&new, &new, &[]);
    check(&new, "He saw Harriet and EMMA.", &[("Harriet", Sign::Gone), ("EMMA", Sign::Gone)]);
    check(&new, "The Westons rode.", &[("Westons", Sign::Gone)]);
    // A house that bears the name stays, and so does a saint.
    check(&new, "They saw Weston Park and St. Emma.", &[]);
}

#[test]
fn what_is_a_word_too_is_a_leak_where_it_is_a_name() {
    let new = renamed(&[]);
    check(
        &new,
        "It was in May, on the 3rd of May. “May I?” I saw May run.",
        &[("May", Sign::Word)],
    );
    check(&new, "The French came from London to Highbury.", &[]);
}

#[test]
fn what_is_kept_everywhere_is_a_leak_if_it_stands_as_persons_do() {
    let new = renamed(&["Knightley", "Emma"]);
    check(
        &new,
        "Mr. Knightley met Emma in Highbury.",
        &[("Knightley", Sign::Person), ("Emma", Sign::Person)],
    );
    let alone = NamesLeft::new(OWN, None);
    let left = alone.look(OWN, false).left;
    let found = |name: &str| left.iter().any(|left| &OWN[left.bytes.clone()] == name);
    assert!(found("Weston") && found("Emma") && found("Harriet") && found("Knightley"));
    assert!(!found("London") && !found("French") && !found("Highbury"), "{left:?}");
}

#[test]
fn who_is_named_is_a_person() {
    let own = "We met a man named Biloxi there. His name was Walt, and Biloxi made boxes in a town called Ekron.";
    let left = NamesLeft::new(own, None).look(own, false).left;
    let left: Vec<_> = left.iter().map(|left| &own[left.bytes.clone()]).collect();
    assert_eq!(left, ["Biloxi", "Walt", "Biloxi"]);
}

/// The forms that are left in a text that nothing was done to but that Poll became Nellie.
#[track_caller]
fn kept(own: &str, expected: &[&str]) {
    let new = own.replace("Poll", "Nellie");
    let left = NamesLeft::new(own, Some(&new)).look(&new, false).left;
    let left: Vec<_> = left.iter().map(|left| &new[left.bytes.clone()]).collect();
    assert_eq!(left, expected, "{own}");
}

#[test]
fn who_is_only_called_is_a_person() {
    kept("“Lilias! Lilias!” he answered. “Lilias! where are you?”", &["Lilias"; 3]);
    // What is cried out, what is a word of the book, and what stands behind an article are none.
    kept("“Pooh! Pooh!” he said. “Ridiculous! Ridiculous! Monster! Monster!”", &[]);
    kept("“Mercia! Mercia!” It was mercia.", &[]);
    kept("“Bastille! Bastille!” The crowd saw the Bastille.", &[]);
}

#[test]
fn a_pet_name_that_is_a_word_is_a_person_among_persons() {
    let words = "He bid them go, and they bid him stay. ";
    kept(
        &format!("{words}So now, Bid and Poll, go. I know Bid would go, and there Bid would stay."),
        &["Bid"; 3],
    );
    kept(&format!("{words}I know Bid would go, and there Bid would stay."), &[]);
    kept(&format!("{words}So now, Bid and Poll, go."), &[]);
}

#[test]
fn a_family_that_stands_only_in_the_plural_is_found() {
    kept("So she asked the two Harringtons to come.", &["Harringtons"]);
    kept("So she asked the two Frenchmen to the two Houses. It was a house.", &[]);
    kept("He saw the Harringtons and two Sundays. The two Germans came.", &[]);
}

#[test]
fn names_of_other_books_are_found_where_they_may_stand() {
    let names = NamesLeft::new(OWN, Some(&renamed(&[])));
    let text = "Mr. Dunmore went home, and Judith said so to Louisa in Meryton.";
    let left = names.look(text, true).left;
    let left: Vec<_> = left.iter().map(|left| (&text[left.bytes.clone()], left.sign)).collect();
    assert_eq!(left, [("Dunmore", Sign::Foreign), ("Judith", Sign::Foreign)]);
    assert!(names.look(text, false).left.is_empty());
}

#[test]
fn words_and_capitals_are_counted() {
    let look = NamesLeft::new(OWN, None).look("He met Mr. Lorne, and so on. “Yes!”", false);
    assert_eq!((look.words, look.capitals), (8, 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A name that is put back at any of its places is found there.
    #[test]
    fn a_name_that_is_put_back_is_found(name in 0usize..3, place in any::<prop::sample::Index>()) {
        let (name, other) = [("Weston", "Lorne"), ("Emma", "Clara"), ("Harriet", "Louisa")][name];
        let new = renamed(&[]);
        let places: Vec<usize> = new.match_indices(other).map(|(at, _)| at).collect();
        let at = places[place.index(places.len())];
        let planted = format!("{}{name}{}", &new[..at], &new[at + other.len()..]);
        let left = NamesLeft::new(OWN, Some(&planted)).look(&planted, false).left;
        prop_assert!(left.iter().any(|left| left.bytes.start == at), "{left:?}");
    }

    /// A text without capitals has no names, whatever it says.
    #[test]
    fn without_capitals_nothing_is_left(text in "[a-zé ’'.,!?“”\n-]{0,200}") {
        for names in [NamesLeft::new(OWN, None), NamesLeft::new(OWN, Some(&renamed(&[])))] {
            let look = names.look(&text, true);
            prop_assert_eq!((look.left.len(), look.capitals), (0, 0));
        }
        prop_assert!(NamesLeft::new(&text, None).look(OWN, false).left.is_empty());
    }

    /// Any text can be looked through, and what is found lies in it, in order.
    #[test]
    fn any_text_can_be_looked_through(own in "[A-Ca-c ’'.,!?“”é\n-]{0,80}", text in "\\PC{0,60}") {
        for names in [NamesLeft::new(&own, Some(&text)), NamesLeft::new(&own, None)] {
            let look = names.look(&text, true);
            let sorted = look.left.is_sorted_by(|one, next| one.bytes.end <= next.bytes.start);
            prop_assert!(sorted && look.left.iter().all(|left| text.get(left.bytes.clone()).is_some()));
            prop_assert!(look.left.len() <= look.words as usize && look.capitals <= look.words);
        }
    }
}
