//! Words that are replaced and name nobody, in ten chapters that were read by hand.

use std::{collections::BTreeMap, fs, ops::Range, path::Path};

use storymill_core::Seed;
use storymill_names::{CastFile, NameTagger, Policy, Substitutes, Sure, Words, decide};

use crate::litner;

/// The text without its marks, and where the marked words are.
fn unmarked(marked: &str) -> (String, Vec<Range<usize>>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for (at, piece) in marked.split("[[").enumerate() {
        let (name, rest) = if at == 0 { ("", piece) } else { piece.split_once("]]").unwrap() };
        names.push(text.len()..text.len() + name.len());
        text.push_str(name);
        text.push_str(rest);
    }
    names.remove(0);
    (text, names)
}

#[test]
fn hardly_a_common_word_is_replaced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/chapters");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert_eq!(files.len(), 10);
    let tagger = litner("litner.onnx");
    let (mut words, mut names, mut gone, mut wrong) = (0, 0, 0, BTreeMap::new());
    for file in files {
        let (text, marked) = unmarked(&fs::read_to_string(&file).unwrap());
        let own = Words::new(&text);
        let found = decide(&own, &tagger.tag(&own).unwrap(), tagger.weights());
        let cast = CastFile::new("book", &own, &found, Policy::default());
        let substitutes = Substitutes::draw(&cast, &own, Seed::new(7)).unwrap();
        let places = cast.places_in(&text).unwrap();
        let new = substitutes.apply(&text, Sure::At(&places));
        let touches =
            |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        words += text.split_whitespace().count();
        names += marked.len();
        gone += marked
            .iter()
            .filter(|name| new.edits.iter().any(|edit| touches(&edit.old, name)))
            .count();
        for edit in
            new.edits.iter().filter(|edit| !marked.iter().any(|name| touches(&edit.old, name)))
        {
            let word =
                format!("{} in {}", &text[edit.old.clone()], file.file_stem().unwrap().display());
            *wrong.entry(word).or_insert(0) += 1;
        }
    }
    let count: usize = wrong.values().sum();
    println!(
        "{count} of {words} words wrongly replaced: {wrong:?}; {gone} of {names} name words gone"
    );
    assert!(count * 2000 < words, "{count} of {words}: {wrong:?}");
    assert!(gone * 100 >= names * 94, "{gone} of {names}");
}
