//! People of a made-up book: each comes in four scenes behind the one before.

use storymill_core::{Cast, Question, Scene};

use super::tests::{stage, told};
use crate::tests;

const NAMES: [(&str, &str); 10] = [
    ("Adela", "female"),
    ("Bertram", "male"),
    ("Cecily", "female"),
    ("Desmond", "male"),
    ("Edith", "female"),
    ("Frederick", "male"),
    ("Georgiana", "female"),
    ("Humphrey", "male"),
    ("Isabel", "female"),
    ("Jasper", "male"),
];

/// The scene that first names somebody.
fn first(name: &str) -> usize {
    4 * NAMES.iter().position(|(own, _)| *own == name).unwrap()
}

fn asked() -> Vec<Question> {
    let texts: Vec<String> = (0..60_usize)
        .map(|at| {
            let mut text = format!("Scene {at} began. ");
            for (number, (name, _)) in NAMES.iter().enumerate() {
                let from = 4 * number;
                // Two neighbours by number meet long after both are known.
                let meets = at >= from + 10 && at % 20 == 2 * (number / 2);
                if at == from || meets {
                    // Some are named more often than others.
                    let line = format!("Then {name} spoke. They heard what {name} said. ");
                    text += &line.repeat(1 + number * 7 % 10);
                }
            }
            // Whoever counts names alone would see him before he comes.
            if at == 0 {
                text += "A dog called bertram barked. ";
            }
            text
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scenes: Vec<Scene> = tests::scenes(&texts);
    let mut toml = "version = 1\nbook = \"t\"\ntext = \"\"\nculture = \"english\"\n".to_owned();
    for (name, gender) in NAMES {
        toml += &format!(
            "[[character]]\nname = {name:?}\ngender = {gender:?}\ngiven = [{name:?}]\nseen = 9\n"
        );
    }
    let cast = Cast { book: scenes[0].book.clone(), toml };
    let book = told(60, |_| 1);
    let own = (scenes.into(), book.summaries.into(), book.distortions.into());
    let input = (own, None, Some(vec![cast].into()), None, None);
    let (rows, trace) = tests::run(&stage("types = ['who-when']\ncasts = 'c'"), input);
    assert!(trace.rejects.is_empty(), "{:?}", trace.rejects);
    rows.unwrap().into_iter().map(Question::from).collect()
}

#[test]
fn people_are_asked_about_where_it_is_sure_when_they_came() {
    let questions = asked();
    assert!(questions.iter().any(|one| one.kind == "who-when-met"));
    assert!(questions.len() > 8, "{}", questions.len());
    for question in &questions {
        let right = usize::from(question.right().unwrap());
        let texts: Vec<&str> = question.options().iter().map(|one| one.text.as_str()).collect();
        assert!(!texts.concat().contains("Bertram"), "{texts:?}");
        let t = question.asked_at() as usize;
        if question.kind == "who-when-met" {
            assert_eq!(question.about.len(), 1);
            continue;
        }
        let came: Vec<usize> = texts.iter().map(|name| first(name)).collect();
        let mut sorted = came.clone();
        sorted.sort_unstable();
        let places = ["first", "second", "third", "last"];
        let place = places.iter().position(|one| question.kind.ends_with(one)).unwrap();
        assert_eq!(came[right], sorted[place], "{texts:?}");
        assert!(sorted[3] <= t && sorted.windows(2).all(|two| two[0] + 3 < two[1]));
        let needed: Vec<_> =
            question.about.iter().map(|about| about.first_scene as usize).collect();
        assert_eq!(needed, sorted);
    }
    // No pair stands in two questions.
    let pairs = questions.iter().filter(|one| one.kind == "who-when-met");
    let mut pairs: Vec<Vec<&str>> = pairs
        .flat_map(Question::options)
        .map(|one| {
            let mut names: Vec<&str> = one.text.split(" and ").collect();
            names.sort_unstable();
            names
        })
        .collect();
    let count = pairs.len();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), count);
}
