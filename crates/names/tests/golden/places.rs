//! Places that are replaced, in novels whose places were listed by hand: invented ones go, real ones stay, and no
//! person of the cast takes the name of a place.

use std::collections::BTreeSet;

use serde_json::Value;
use storymill_core::Seed;
use storymill_names::{
    CastFile, NameTagger, Perceptron, Policy, Replacement, Substitutes, Sure, Words, decide,
};

use crate::{
    full,
    left::{novel, pieces, shared, texts},
};

/// The places of the casts by hand that their authors invented; all others can be found on a map.
const INVENTED: &[(&str, &[&str])] = &[
    ("84", &[]),
    ("98", &["Loadstone Rock"]),
    ("308", &["Picnic Point", "Duncroft Hall"]),
    (
        "345",
        &["Carfax", "Hillingham", "Castle Dracula", "Kingstead", "Doolittle’s Wharf", "Doolittle"],
    ),
    ("541", &["Skuytercliff", "Highbank"]),
    (
        "1342",
        &[
            "Longbourn",
            "Netherfield",
            "Meryton",
            "Pemberley",
            "Rosings",
            "Hunsford",
            "Lambton",
            "Lucas Lodge",
            "Oakham Mount",
            "Purvis Lodge",
            "Haye Park",
            "Kympton",
            "Ashworth",
        ],
    ),
    ("6053", &["Howard Grove", "Berry Hill", "Berry"]),
    ("17396", &["Misselthwaite", "Misselthwaite Manor", "Thwaite", "Missel Moor"]),
    ("64317", &["West Egg", "East Egg", "Egg", "Port Roosevelt", "Little Girl Bay"]),
    (
        "69087",
        &[
            "King’s Abbot",
            "Abbot",
            "Fernly",
            "Fernly Park",
            "Cranchester",
            "Larches",
            "Marby Grange",
            "Marby",
        ],
    ),
];

#[derive(Debug, Default)]
struct Score {
    invented: usize,
    gone: usize,
    real: usize,
    stays: usize,
    /// Persons of the cast with a place's name.
    persons: BTreeSet<String>,
    missed: BTreeSet<String>,
}

fn score(cast: &Value, invented: &[&str], text: &str, file: &CastFile) -> Score {
    let words = Words::new(text);
    let substitutes = Substitutes::draw(file, &words, Seed::new(0)).unwrap();
    let edits = substitutes.apply(text, Sure::At(&file.places_in(text).unwrap())).edits;
    let edit = |at: usize| {
        let word = words.all()[at].start as usize..words.all()[at].end as usize;
        let next = edits.partition_point(|edit| edit.old.end <= word.start);
        edits.get(next).filter(|edit| edit.old.start < word.end)
    };
    // What was taken for a person's name is replaced without the option too.
    let as_place = |edit: &Replacement| substitutes.pairs()[edit.pair].role == "place";
    let mut score = Score::default();
    for one in cast["characters"].as_array().unwrap() {
        for alias in texts(&one["aliases"]) {
            let of_place = |word: &String| {
                substitutes.pairs().iter().any(|pair| pair.role == "place" && pair.part == *word)
            };
            score.persons.extend(pieces(&alias).into_iter().filter(of_place));
        }
    }
    let mut names: Vec<Vec<String>> =
        texts(&cast["places"]).iter().map(|name| pieces(name)).collect();
    names.sort_by_key(|name| usize::MAX - name.len());
    let invented: Vec<Vec<String>> = invented.iter().map(|name| pieces(name)).collect();
    let all: Vec<String> =
        (0..words.len()).map(|at| words.surface(at).replace('\'', "’")).collect();
    let mut at = 0;
    while at < all.len() {
        let Some(name) = names.iter().find(|name| all[at..].starts_with(name)) else {
            at += 1;
            continue;
        };
        let is_invented = invented.contains(name);
        let mut edits = (at..at + name.len()).filter_map(edit);
        let new = edits.any(|edit| is_invented || as_place(edit));
        let [count, good] = if is_invented {
            [&mut score.invented, &mut score.gone]
        } else {
            [&mut score.real, &mut score.stays]
        };
        *count += 1;
        *good += usize::from(new == is_invented);
        if new != is_invented {
            score.missed.insert(name.join(" "));
        }
        at += name.len();
    }
    score
}

#[test]
fn invented_places_go_and_real_ones_stay() {
    let Some(shared) = shared() else { return };
    let mut all = Score::default();
    for (id, invented) in INVENTED.iter().filter(|(id, _)| full() || *id == "64317") {
        let own = novel(&shared, id).unwrap();
        let words = Words::new(&own);
        let tagger = Perceptron::new();
        let found = decide(&words, &tagger.tag(&words).unwrap(), tagger.weights());
        let file = CastFile::new(id, &words, &found, Policy { places: true, ..Policy::default() });
        let path = shared.join(format!("golden/casts/{id}.json"));
        let cast = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let one = score(&cast, invented, &own, &file);
        println!(
            "{id:>5}: {} of {} invented are gone, {} of {} real ones stay; {:?}; not so {:?}",
            one.gone, one.invented, one.stays, one.real, one.persons, one.missed
        );
        assert!(one.persons.is_empty(), "{id}: {:?}", one.persons);
        all.invented += one.invented;
        all.gone += one.gone;
        all.real += one.real;
        all.stays += one.stays;
    }
    println!("all: {} of {}, {} of {}", all.gone, all.invented, all.stays, all.real);
    assert!(10 * all.gone >= 9 * all.invented && 50 * all.stays >= 49 * all.real);
}
