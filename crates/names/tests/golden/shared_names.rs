//! First names that several persons bear, in the casts by hand of ten novels: whether the paragraph and the page around
//! tell who is meant where such a name stands alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use storymill_names::Words;

use crate::left::{Gold, novel, pieces, shared, texts};

/// A page to either side, in words.
const PAGE: usize = 1000;

#[derive(Debug, Default)]
struct Count {
    alone: usize,
    /// One of the bearers is named otherwise nearby, and no other.
    told: usize,
    /// And it is not the one who is meant.
    wrong: usize,
}

fn count(cast: &Value, gold: &Gold, text: &str, told: &mut Count) {
    let words = Words::new(text);
    let families: BTreeSet<String> = cast["characters"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|one| {
            let family = one["family"].as_str().map(str::to_owned);
            family.into_iter().chain(texts(&one["also_family"]))
        })
        .flat_map(|family| pieces(&family))
        .collect();
    let mut owners: BTreeMap<Vec<String>, BTreeSet<&str>> = BTreeMap::new();
    let mut bearers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for one in cast["characters"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        for alias in texts(&one["aliases"]).iter().map(|alias| pieces(alias)) {
            let first = gold.name_words(&alias).into_iter().map(|at| alias[at].clone());
            // Mrs. John Dashwood is no John.
            for word in first.filter(|word| !families.contains(word) && alias[0] != "Mrs") {
                bearers.entry(word).or_default().insert(name);
            }
            owners.entry(alias).or_default().insert(name);
        }
    }
    bearers.retain(|_, who| who.len() > 1);
    let mentions: Vec<(usize, Vec<String>)> = gold
        .mentions(&words)
        .into_iter()
        .map(|(range, _)| {
            let alias = range.clone().map(|at| words.surface(at).replace('\'', "’")).collect();
            (range.start, alias)
        })
        .collect();
    for (at, alias) in &mentions {
        let (Some(who), [word]) = (bearers.get(&alias[0]), &alias[..]) else { continue };
        let around = mentions.iter().filter(|(other, _)| other.abs_diff(*at) <= PAGE);
        let others = around.filter(|(_, other)| other[..] != [word.clone()]);
        let one = |(_, other): &(usize, Vec<String>)| {
            owners.get(other).filter(|of| of.len() == 1).and_then(|of| of.first().copied())
        };
        let near: BTreeSet<&str> = others.filter_map(one).filter(|one| who.contains(one)).collect();
        told.alone += 1;
        let [said] = near.into_iter().collect::<Vec<_>>()[..] else { continue };
        told.told += 1;
        // Where the cast gives a name to two, both are right.
        if !owners[alias].contains(said) {
            told.wrong += 1;
            println!("      {word} is not {said}: {:?}", owners[alias]);
        }
    }
}

#[test]
fn who_is_near_does_not_tell_whose_first_name_it_is() {
    let Some(shared) = shared() else { return };
    let mut all = Count::default();
    for id in ["98", "345", "1342", "6053", "17396"] {
        let path = shared.join(format!("golden/casts/{id}.json"));
        let cast = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let mut one = Count::default();
        count(&cast, &Gold::read(&path), &novel(&shared, id).unwrap(), &mut one);
        println!("{id:>5}: {one:?}");
        all.alone += one.alone;
        all.told += one.told;
        all.wrong += one.wrong;
    }
    println!("all: {all:?}");
    // The person who is named most is meant nearly always; so nothing goes by who is near.
    assert!(all.told > 100 && 10 * all.wrong > all.told, "it tells by now: build on it");
}
