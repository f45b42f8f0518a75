//! Questions that search alone does not answer, over whole novels: every place and demand is worked out again from the
//! published rows, by other code than the stage's, and a reader with a short memory falls where demand says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    project::{Project, full, sets},
    questions::{at, laws, rows},
};

/// How many scenes lie between two places at least, as the stage has it where nobody says.
const APART: usize = 3;
const PLACES: [&str; 4] = ["-first", "-second", "-third", "-last"];

/// Novels by rule, with casts.
const WORKFLOW: &str = r#"
name = "order"
version = "1.0.0"
seed = 7

[publish]
title = "order"
canary = "storymill-canary-0f1e2d3c4b5a69788796a5b4c3d2e1f0"
license = "mit"
expected_rejects = 99999

[publish.audit]
with_book = 1.0

[source.books.folder]
path = "books"

[stage.scenes.chunk]
from = "books"
max  = 3000

[stage.summaries.extract]
from = "scenes"

[stage.distortions.swap-facts]
scenes    = "scenes"
summaries = "summaries"

[stage.casts.cast]
from   = "books"
tagger = "perceptron"

[stage.questions.read-along]
scenes      = "scenes"
summaries   = "summaries"
distortions = "distortions"
types       = ["told-order", "since", "who-when"]
casts       = "casts"

[stage.repairs.reconstruct]
scenes      = "scenes"
summaries   = "summaries"
distortions = "distortions"

[dataset.books]
from = "books"
[dataset.scenes]
from = "scenes"
[dataset.summaries]
from = "summaries"
[dataset.read-along]
from = "questions"
[dataset.reconstruction]
from = "repairs"
"#;

/// A book's scenes, each as its words in small letters, and the scenes that retellings tell of.
#[derive(Default)]
struct Told {
    scenes: BTreeMap<usize, BTreeSet<String>>,
    texts: BTreeMap<String, (usize, String)>,
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|symbol: char| !symbol.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

impl Told {
    /// The scenes up to `t` in which a word of a name stands, titles aside.
    fn named(&self, name: &str, t: usize) -> Vec<usize> {
        let titles = "mr mrs miss dr lady lord sir the of de von van captain count aunt uncle madam madame mistress m \
                      monsieur mademoiselle master governor major colonel professor father mother sister brother st \
                      inspector sergeant lieutenant general admiral judge squire baron baroness countess duke duchess king queen \
                      prince princess bishop abbe reverend signor signora herr frau marquis marquise";
        let titles: Vec<&str> = titles.split(' ').collect();
        // An initial stands in `P.M.` too.
        let names = |word: &String| word.chars().count() > 1 && !titles.contains(&&**word);
        let name: Vec<String> = words(name).filter(names).collect();
        assert!(!name.is_empty());
        let read = self.scenes.range(..=t);
        read.filter(|(_, has)| name.iter().any(|word| has.contains(word)))
            .map(|(at, _)| *at)
            .collect()
    }

    fn scene_of(&self, id: &Value, text: &Value) -> usize {
        let (scene, told) = &self.texts[id.as_str().unwrap()];
        assert_eq!(text, told, "{id}");
        *scene
    }
}

fn list<'r>(row: &'r Value, name: &str) -> Vec<&'r Value> {
    row[name].as_array().unwrap_or_else(|| panic!("{name} of {row}")).iter().collect()
}

fn numbers(row: &Value, name: &str) -> Vec<usize> {
    list(row, name).iter().map(|one| usize::try_from(one.as_u64().unwrap()).unwrap()).collect()
}

/// The scenes that a question needs, as its options and its own words say; and that it is asked well.
fn needed(row: &Value, told: &Told) -> Vec<usize> {
    let (kind, t, right) =
        (row["type"].as_str().unwrap(), at(row, "asked_at_scene"), at(row, "answer"));
    let options = list(row, "options");
    let given: Vec<usize> = list(row, "given")
        .iter()
        .zip(list(row, "given_ids"))
        .map(|(text, id)| told.scene_of(id, text))
        .collect();
    let each = || options.iter().zip(list(row, "option_ids")).filter(|(_, id)| *id != "");
    let scenes = || -> Vec<usize> { each().map(|(text, id)| told.scene_of(id, text)).collect() };
    let far_apart = |scenes: &[usize]| {
        let mut sorted = scenes.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.windows(2).all(|two| two[0] + APART < two[1])
                && sorted.iter().all(|scene| *scene <= t),
            "{row}"
        );
        sorted
    };
    let place = PLACES.iter().position(|one| kind.ends_with(one));
    match kind {
        "since" => {
            let (from, scenes) = (given[0], scenes());
            let behind: Vec<usize> = (0..scenes.len()).filter(|at| scenes[*at] > from).collect();
            assert!(
                scenes.iter().all(|scene| scene.abs_diff(from) > APART && *scene <= t),
                "{row}"
            );
            assert_eq!(
                (scenes.len(), behind.clone()),
                (5, (0..5).filter(|at| *at == right).collect()),
                "{row}"
            );
            behind.first().map_or(vec![from], |at| vec![from, scenes[*at]])
        }
        "told-order-all" => {
            let sorted = far_apart(&given);
            let letters = words(options[right].as_str().unwrap());
            let order: Vec<usize> =
                letters.map(|letter| given[usize::from(letter.as_bytes()[0] - b'a')]).collect();
            assert_eq!(order, sorted, "{row}");
            assert_eq!(
                options.iter().map(|text| text.as_str()).collect::<BTreeSet<_>>().len(),
                6,
                "{row}"
            );
            sorted
        }
        "who-when-met" => {
            for (number, pair) in options.iter().enumerate() {
                let (one, other) = pair.as_str().unwrap().split_once(" and ").unwrap();
                let (one, other) = (told.named(one, t), told.named(other, t));
                let near =
                    one.iter().flat_map(|a| other.iter().map(|b| a.abs_diff(*b))).min().unwrap();
                assert!(if number == right { near == 0 } else { near > APART }, "{pair} {row}");
            }
            let scene = numbers(row, "demands_scenes");
            let scene = t + 1 - scene[0];
            let (one, other) = options[right].as_str().unwrap().split_once(" and ").unwrap();
            assert!(
                told.named(one, t).contains(&scene) && told.named(other, t).contains(&scene),
                "{row}"
            );
            vec![scene]
        }
        _ if kind.starts_with("who-when") => {
            let first: Vec<usize> =
                options.iter().map(|name| told.named(name.as_str().unwrap(), t)[0]).collect();
            assert_eq!(first, numbers(row, "option_scenes"), "{row}");
            let sorted = far_apart(&first);
            assert_eq!(first[right], sorted[place.unwrap()], "{row}");
            sorted
        }
        _ => {
            let scenes = scenes();
            let sorted = far_apart(&scenes);
            assert_eq!((scenes.len(), scenes[right]), (4, sorted[place.unwrap()]), "{row}");
            sorted
        }
    }
}

/// A reader that remembers the last `memory` scenes: sure where all places that are needed are among them, else it guesses.
/// How often it is right where demand is within its memory, and where it is not.
fn remembered(rows: &[&Value], memory: usize) -> [f64; 2] {
    let mut earned = [(0.0, 0.0); 2];
    for row in rows {
        let spans = list(row, "evidence");
        let read = at(row, "context_scenes");
        let from = numbers(row, "demands_scenes").iter().map(|back| read - back).min().unwrap();
        let sure = !spans.is_empty() && from + memory >= read;
        #[expect(clippy::cast_precision_loss, reason = "a handful of options")]
        let chance = 1.0 / list(row, "options").len() as f64;
        let side = &mut earned[usize::from(at(row, "demand_scenes") > memory)];
        side.0 += if sure { 1.0 } else { chance };
        side.1 += 1.0;
    }
    earned.map(|(sum, count)| if count > 0.0 { sum / count } else { f64::NAN })
}

#[test]
fn every_place_is_where_the_text_has_it_and_memory_falls_at_its_end() {
    let novels = ["174", "2814", "345", "541", "308", "1342", "6053", "20532", "1661", "25344"];
    let novels = &novels[..if full() { 10 } else { 2 }];
    let Some(folder) = sets("books").into_iter().nth(1) else {
        eprintln!("skipped: no shared books here");
        return;
    };
    let project = Project::new();
    for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if novels.contains(&name.split('.').next().unwrap()) {
            project.write(&format!("books/{name}"), std::fs::read(&file).unwrap());
        }
    }
    project.write("order.toml", WORKFLOW);
    project.run(&["build", "order.toml"]).exits(0);
    let configs = rows(&project, "out/order");
    laws(&configs, 100);
    let mut books: BTreeMap<&str, Told> = BTreeMap::new();
    for scene in &configs["scenes"] {
        let has = words(scene["text"].as_str().unwrap()).collect();
        books
            .entry(scene["book_id"].as_str().unwrap())
            .or_default()
            .scenes
            .insert(at(scene, "scene"), has);
    }
    for summary in &configs["summaries"] {
        let told = books.get_mut(summary["book_id"].as_str().unwrap()).unwrap();
        let text = (at(summary, "first_scene"), summary["text"].as_str().unwrap().to_owned());
        told.texts.insert(summary["summary_id"].as_str().unwrap().to_owned(), text);
    }
    let mut kinds: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for row in &configs["read-along"] {
        let needed = needed(row, &books[row["book_id"].as_str().unwrap()]);
        let read = at(row, "context_scenes");
        let back: Vec<usize> = needed.iter().map(|scene| read - scene).collect();
        assert_eq!(back, numbers(row, "demands_scenes"), "{row}");
        assert_eq!(at(row, "demand_scenes"), back[0]);
        kinds.entry(row["type"].as_str().unwrap()).or_default().push(row);
    }
    assert_eq!(kinds.len(), 11, "{:?}", kinds.keys());
    for (kind, rows) in &kinds {
        for memory in [12, 30] {
            let [within, beyond] = remembered(rows, memory);
            let options = list(rows[0], "options").len();
            assert!(within.is_nan() || within > 0.999, "{kind} {memory}: {within}");
            assert!(beyond < 0.01 + 1.0 / options as f64, "{kind} {memory}: {beyond}");
        }
        // Each right place is as good as any.
        let mut places = [0; 6];
        rows.iter().for_each(|row| places[at(row, "answer")] += 1);
        let fair = rows.len() / list(rows[0], "options").len();
        assert!(
            places.iter().filter(|count| **count > 0).all(|count| *count < 2 * fair + 12),
            "{kind} {places:?}"
        );
    }
}
