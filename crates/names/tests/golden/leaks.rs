//! What is left of gold names after substitution: counted against gold names, never our own cast.

use std::ops::Range;

use storymill_core::Seed;
use storymill_names::{
    CastFile, Gold, Kind, NameTagger, Nobody, Policy, Substitutes, Sure, Words, decide,
};

use crate::{dev_books, full, litner};

/// Words of gold names of persons, how many of them are gone, and full names that still stand.
#[derive(Debug, Default)]
struct Leaks {
    words: usize,
    gone: usize,
    full: Vec<String>,
}

fn measure(tagger: &dyn NameTagger, gold: &Gold, leaks: &mut Leaks) {
    let words = Words::new(&gold.text);
    let found = decide(&words, &tagger.tag(&words).unwrap(), tagger.weights());
    let cast = CastFile::new("book", &words, &found, Policy::default());
    let cast = CastFile::parse(&cast.to_toml()).unwrap();
    let substitutes = Substitutes::draw(&cast, &words, Seed::new(7)).unwrap();
    let places = cast.places_in(&gold.text).unwrap();
    let new = substitutes.apply(&gold.text, Sure::At(&places));
    let gone = |word: &Range<usize>| {
        new.edits.iter().any(|edit| edit.old.start <= word.start && word.end <= edit.old.end)
    };
    for (range, kind) in gold.names().unwrap() {
        if kind != Some(Kind::Person) {
            continue;
        }
        let inside = words.all().iter().map(|word| word.start as usize..word.end as usize);
        let inside = inside.filter(|word| range.start <= word.start && word.end <= range.end);
        let capital = |word: &Range<usize>| gold.text[word.clone()].starts_with(char::is_uppercase);
        let inside: Vec<_> = inside
            .filter(|word| capital(word) && gold.text[word.clone()].chars().count() > 1)
            .collect();
        leaks.words += inside.len();
        leaks.gone += inside.iter().filter(|word| gone(word)).count();
        for word in inside.iter().filter(|word| !gone(word)) {
            println!(
                "left: {} in `{}` ({:?})",
                &gold.text[word.clone()],
                &gold.text[range.clone()],
                gold.book
            );
        }
        let name = &gold.text[range];
        // Saints of scripture stay, and the cast says so.
        let saint = |one: &Nobody| one.what == "saint" && name.ends_with(&one.name);
        if inside.len() > 1 && new.text.contains(name) && !cast.nobody.iter().any(saint) {
            leaks.full.push(name.to_owned());
        }
    }
}

#[test]
fn names_are_gone() {
    let tagger = litner("litner.onnx");
    for books in dev_books() {
        let mut leaks = Leaks::default();
        let step = if full() { 1 } else { 2 };
        books.iter().step_by(step).for_each(|gold| measure(&tagger, gold, &mut leaks));
        println!("{} of {} words gone, full names left: {:?}", leaks.gone, leaks.words, leaks.full);
        assert!(leaks.words > 0 && leaks.gone * 100 >= leaks.words * 94, "{leaks:?}");
        assert!(leaks.full.is_empty(), "{:?}", leaks.full);
    }
}
