use proptest::prelude::*;

use super::*;

fn substitutes(pairs: &[(&str, &str)]) -> Substitutes {
    let pair = |(part, substitute): &(&str, &str)| Pair {
        part: (*part).to_owned(),
        substitute: (*substitute).to_owned(),
        careful: *part == "May",
        role: "female".to_owned(),
        written: Vec::new(),
    };
    Substitutes::of(pairs.iter().map(pair).collect()).unwrap()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let names = [
        ("Elizabeth", "Henrietta"),
        ("Eliza", "Etta"),
        ("Lily", "Rose"),
        ("John", "Mark"),
        ("Anne", "Jane"),
        ("Zoë", "Ida"),
        ("Bennet", "Harker"),
        ("Bennets", "Harkers"),
        ("May", "Nell"),
    ];
    let replaced = substitutes(&names).apply(text, Sure::Beside);
    assert_eq!(replaced.text, expected, "{text}");
    for edit in &replaced.edits {
        assert!(text.is_char_boundary(edit.old.start) && text.is_char_boundary(edit.old.end));
        assert!(replaced.text.get(edit.new.clone()).is_some(), "{edit:?}");
    }
    assert!(replaced.edits.is_sorted_by(|one, next| one.old.end <= next.old.start));
}

#[test]
fn letter_spaced_names_stay_letter_spaced() {
    check("L i l y sat.", "R o s e sat.");
    check("They saw J O H N.", "They saw M A R K.");
    check("J\u{a0}O\u{a0}H\u{a0}N  B E N N E T", "M\u{a0}A\u{a0}R\u{a0}K  H A R K E R");
    check("L i l y B e n n e t a man", "R o s e H a r k e r a man");
    check("L i l y a child; Z o ë, L I L Y’S", "R o s e a child; I d a, R O S E’S");
    check("T H E  B E N N E T S", "T H E  H A R K E R S");
    // A part of a word, initials, a word that may be no name, two letters.
    for same in ["J O A N N E S", "J. O. H. N.", "M A Y", "T h e l i l y", "A B", "X L I L Y"] {
        check(same, same);
    }
}

#[test]
fn drop_capitals_are_joined_where_a_line_begins() {
    check("E LIZABETH sat down.", "H ENRIETTA sat down.");
    check("One.\n\n“E lizabeth!” said Anne.", "One.\n\n“H enrietta!” said Jane.");
    check("A NNE came.\nT HE end of J OHN", "J ANE came.\nT HE end of J OHN");
    for same in ["A nne came.", "So E LIZABETH", "T HE HOUSE", "L ILYWHITE", "M AY came."] {
        check(same, same);
    }
}

#[test]
fn names_that_are_cut_in_two_are_found() {
    check("Dear Eliza-\nbeth, said Eliza.", "Dear Henri-\netta, said Etta.");
    check("Eli\u{ad}zabeth; ELIZA-BETH", "Hen\u{ad}rietta; HENRI-ETTA");
    // Two names are two names.
    check("Anne-Eliza, Lily-\nAnne and JOHN-ANNE", "Jane-Etta, Rose-\nJane and MARK-JANE");
    check("Anne-like, Bennet-less", "Jane-like, Harker-less");
    check("MISS BENNET’S, Bennets’", "MISS HARKER’S, Harkers’");
    for same in ["a water-lily", "half-elizabeth", "E-lizabeth", "May-\nflower"] {
        check(same, same);
    }
}

/// A name as it may be printed, by number.
fn printed(name: &str, form: usize) -> String {
    let caps = name.to_uppercase();
    let spaced = |name: &str| {
        let letters: Vec<String> = name.chars().map(String::from).collect();
        letters.join(" ")
    };
    match form {
        0 => name.to_owned(),
        1 => caps,
        2 => spaced(name),
        3 => spaced(&caps),
        4 => format!("{} {}", &caps[..1], &caps[1..]),
        5 => format!("{} {}", &name[..1], &name[1..]),
        _ => format!("-{name}-"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// One name in each form of print: none of it is left, and all else is as it was.
    #[test]
    fn a_name_in_any_print_is_replaced_like_the_plain_one(
        name in 0usize..3,
        form in 0usize..7,
        before in "([a-z]{2,6} ){0,3}",
        behind in "( [a-z]{2,6}){0,3}[.!,;’]?",
    ) {
        let names = [("Elizabeth", "Henrietta"), ("Bennet", "Harker"), ("Lily", "Rose")];
        let (name, other) = names[name];
        // A drop capital begins a paragraph.
        let start = if matches!(form, 4 | 5) { "\n" } else { "" };
        let text = |name| format!("{before}{start}{}{behind}", printed(name, form));
        let replaced = substitutes(&names).apply(&text(name), Sure::Beside);
        prop_assert_eq!(&replaced.text, &text(other));
        prop_assert_eq!(replaced.edits.len(), 1);
    }

    /// A name that a hyphen cuts anywhere is replaced by one that is cut in the same way.
    #[test]
    fn a_name_cut_anywhere_is_replaced(at in 2usize..8, mark in 0usize..3, behind in "( [a-z]{2,6}){0,3}") {
        let mark = ["-\n", "\u{ad}", "-"][mark];
        let cut = format!("{}{mark}{}", &"Elizabeth"[..at], &"Elizabeth"[at..]);
        let names = substitutes(&[("Elizabeth", "Henrietta")]);
        let new = names.apply(&format!("saw {cut}{behind}"), Sure::Beside).text;
        prop_assert_eq!(new.matches(mark).count(), 1);
        prop_assert_eq!(new.replacen(mark, "", 1), format!("saw Henrietta{behind}"));
    }

    /// Any text can be searched, and what is found lies in it, in order.
    #[test]
    fn any_text_can_be_searched(text in "[A-Cab Éé\u{a0}\u{ad}\n.-]{0,60}") {
        let names = substitutes(&[("Abba", "Jane"), ("Cab", "Ida"), ("Éa", "Bé"), ("Caab", "Nell")]);
        let replaced = names.apply(&text, Sure::Beside);
        let mut from = (0, 0);
        for edit in &replaced.edits {
            prop_assert!(edit.old.start >= from.0 && edit.new.start >= from.1);
            prop_assert_eq!(&text[from.0..edit.old.start], &replaced.text[from.1..edit.new.start]);
            from = (edit.old.end, edit.new.end);
        }
        prop_assert_eq!(&text[from.0..], &replaced.text[from.1..]);
    }
}
