#![allow(clippy::cast_precision_loss, reason = "counts in tests are small")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use storymill_core::{OptionKind, Question, QuestionType, Trace, UnitId};

use super::{tests::stage, *};
use crate::tests;

/// A book of so many scenes in which a woman and a man of its own names meet.
struct Novel {
    id: UnitId,
    scenes: Vec<Scene>,
    summaries: Vec<Summary>,
    cast: Cast,
}

const NAMES: &[[&str; 3]] = &[
    ["Ada", "Basil", "Crewe"],
    ["Delia", "Edmund", "Farrow"],
    ["Greta", "Hugo", "Inch"],
    ["Josepha", "Kit", "Lorne"],
    ["Maud", "Ned", "Orme"],
    ["Perdita", "Quentin", "Rook"],
    ["Sabina", "Tobias", "Udall"],
    ["Verity", "Walter", "Yorke"],
];

fn novel(at: usize, scenes: usize) -> Novel {
    let [she, he, family] = NAMES[at % NAMES.len()];
    let id: UnitId = format!("n{at}").parse().unwrap();
    // He comes in scene 2.
    let text = |scene: usize| match scene {
        0 | 1 => format!("{she} walks alone. "),
        _ => format!("{she} meets {he} {family}. "),
    };
    let texts: Vec<String> = (0..scenes).map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut scenes = tests::scenes(&texts);
    for scene in &mut scenes {
        scene.book = id.clone();
    }
    let tell = |scene: &Scene| {
        let own = format!("{id}x{} {id}y{}", scene.scene, scene.scene);
        let text = if scene.scene.is_multiple_of(2) {
            format!("{she} sees {own}.")
        } else {
            format!("{she} tells Mr. {family} of {own}.")
        };
        Summary {
            book: id.clone(),
            level: 0,
            at: scene.scene,
            first_scene: scene.scene,
            last_scene: scene.scene,
            protocol: "told".into(),
            text,
            answers: Vec::new(),
        }
    };
    let toml = format!(
        "version = 1\nbook = '{id}'\ntext = ''\nculture = 'english'\n\
         [[character]]\nname = '{she}'\ngender = 'female'\ngiven = ['{she}']\nseen = 9\n\
         [[character]]\nname = '{he} {family}'\ngender = 'male'\ngiven = ['{he}']\nfamily = ['{family}']\nseen = 5\n"
    );
    let summaries = scenes.iter().map(tell).collect();
    Novel { cast: Cast { book: id.clone(), toml }, id, scenes, summaries }
}

fn ask(options: &str, own: &Novel, places: &[&Novel]) -> (Vec<Question>, Trace) {
    let options = format!("types = ['other-book']\npartners = 'p'\ncasts = 'c'\n{options}");
    let partners = Partners {
        unit: own.id.clone(),
        joined: 0,
        places: places.iter().map(|novel| novel.id.clone()).collect(),
    };
    let different: std::collections::BTreeMap<_, _> =
        places.iter().map(|novel| (novel.id.clone(), *novel)).collect();
    let summaries: Vec<_> =
        different.values().map(|one| (one.id.clone(), one.summaries.clone().into())).collect();
    let casts: Vec<_> =
        different.values().map(|one| (one.id.clone(), vec![one.cast.clone()].into())).collect();
    let others =
        (vec![partners].into(), vec![own.cast.clone()].into(), summaries.into(), casts.into());
    let (scenes, told) = (own.scenes.clone().into(), own.summaries.clone().into());
    let input = ((scenes, told, Vec::new().into()), Some(others), None, None, None);
    let (rows, trace) = tests::run(&stage(&options), input);
    (rows.unwrap().into_iter().map(Question::from).collect(), trace)
}

/// What holds for every question with decoys from other books.
fn laws(question: &Question, own: &Novel, all: &[Novel]) {
    assert_eq!((&question.kind[..], question.options().len()), ("other-book", 6));
    let names = |novel: &Novel| NAMES[all.iter().position(|one| one.id == novel.id).unwrap()];
    for option in &question.options()[..5] {
        let text = &option.text;
        let book = all.iter().find(|one| Some(&one.id) == option.book.as_ref()).unwrap();
        let scene = option.scene.unwrap();
        assert_eq!(option.from, book.summaries[scene as usize].id());
        assert!(text.contains(&format!("{}x{scene} ", book.id)), "{text}: the scene it tells of");
        assert!(names(own).iter().any(|name| text.contains(name)), "{text}: this book's names");
        match option.kind {
            OptionKind::True => {
                assert_eq!((Some(scene), &book.id), (question.scene(), &own.id));
                assert!(scene <= question.asked_at() && option.demand.is_some());
            }
            OptionKind::Decoy(QuestionType::OtherBook) => {
                assert!(book.id != own.id && option.demand.is_none());
                assert!(!names(book).iter().any(|name| text.contains(name)), "{text}: theirs");
                if question.asked_at() < 2 {
                    assert!(!text.contains(names(own)[2]), "{text}: who was not met yet");
                }
            }
            other => panic!("{other:?}"),
        }
    }
    let right = &question.options()[usize::from(question.right().unwrap())];
    assert_eq!(right.kind == OptionKind::True, question.scene().is_some());
}

fn library(scenes: usize) -> Vec<Novel> {
    (0..NAMES.len()).map(|at| novel(at, scenes)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn decoys_are_other_books_in_this_books_names(scenes in 1..24_usize, partners in 5..8_usize) {
        let all = library(scenes.max(6));
        let own = novel(0, scenes);
        let places: Vec<&Novel> = (0..8).map(|place| &all[1 + place % (partners - 1).max(5)]).collect();
        let (questions, trace) = ask("", &own, &places);
        prop_assert_eq!(trace.left_out, vec![]);
        prop_assert_eq!(questions.len(), scenes);
        for question in &questions {
            laws(question, &own, &all);
            let books: BTreeSet<_> = question.options()[..5].iter().map(|option| &option.book).collect();
            prop_assert_eq!(books.len(), 5, "one option for each book where there are enough");
        }
    }
}

#[test]
fn with_few_other_books_several_scenes_of_one_are_used() {
    let all = library(12);
    let places: Vec<&Novel> = (0..8).map(|place| &all[1 + place % 2]).collect();
    let (questions, trace) = ask("", &all[0], &places);
    assert_eq!((questions.len(), trace.left_out.len()), (12, 0));
    for question in &questions {
        laws(question, &all[0], &all);
    }
}

#[test]
fn without_another_book_nothing_is_asked_and_it_is_counted() {
    let (questions, trace) = ask("", &novel(0, 5), &[]);
    assert_eq!(questions, []);
    let codes: Vec<_> = trace.left_out.iter().map(|one| one.reason.code.as_ref()).collect();
    assert_eq!(codes, ["no-other-book"; 5]);
}

#[test]
fn one_more_book_changes_the_draws_that_it_gets_and_no_other() {
    let all = library(40);
    let places: Vec<&Novel> = all[1..7].iter().chain(&all[1..3]).collect();
    let mut other = places.clone();
    other[3] = &all[7];
    let (was, is) = (ask("", &all[0], &places).0, ask("", &all[0], &other).0);
    let mut changed = 0;
    for (was, is) in was.iter().zip(&is) {
        let drawn = |question: &Question, novel: &Novel| {
            question.options().iter().filter(|one| one.book.as_ref() == Some(&novel.id)).count()
        };
        if drawn(was, &all[4]) == 0 && drawn(is, &all[7]) == 0 {
            assert_eq!(was, is);
        } else {
            changed += 1;
            assert_eq!((was.right(), was.scene()), (is.right(), is.scene()), "the truth stays");
        }
    }
    assert!((10..40).contains(&changed), "{changed}");
}

#[test]
fn a_scene_that_may_have_been_read_is_no_decoy() {
    let mut all = library(9);
    let own = novel(0, 9);
    // In this book's names it is what scene 5 tells.
    all[1].summaries[3].text =
        own.summaries[5].text.replace("Ada", "Delia").replace("Crewe", "Farrow");
    let places: Vec<&Novel> = vec![&all[1]; 8];
    let uses = |questions: &[Question], read: bool| {
        questions.iter().filter(|q| (q.asked_at() >= 5) == read).any(|q| {
            q.options()
                .iter()
                .any(|one| one.book.as_ref() == Some(&all[1].id) && one.scene == Some(3))
        })
    };
    let (questions, _) = ask("", &own, &places);
    assert!(uses(&questions, false) && !uses(&questions, true));
    let (questions, _) = ask("preset = 'paper'", &own, &places);
    assert!(!questions.is_empty());
}
