use proptest::prelude::*;
use storymill_core::{Digest, Question, Scene, StateDraft};

use super::*;
use crate::{questions::read_along::ReadAlong, tests};

fn draft(scenes: &[u32], right: u8) -> StateDraft {
    StateDraft {
        book: "t".parse().unwrap(),
        scenes: scenes.to_vec(),
        things: vec!["letter".into()],
        question: "Where was the letter?".into(),
        options: (0..4).map(|at| format!("At place {at}.")).collect(),
        right,
        evidence: vec!["It lay there.".into(); scenes.len()],
        answers: vec![Digest::of(b"draft")],
    }
}

fn asked(texts: &[String], drafts: &[StateDraft]) -> Vec<Question> {
    let scenes: Vec<Scene> = tests::scenes(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let stage: ReadAlong = toml::from_str(
        "scenes = 's'\nsummaries = 't'\ndistortions = 'd'\nstates = 'q'\ntypes = ['state']",
    )
    .unwrap();
    let own = (scenes.into(), Vec::new().into(), Vec::new().into());
    let input = (own, None, None, None, Some(drafts.to_vec().into()));
    let (rows, trace) = tests::run(&stage, input);
    assert!(trace.rejects.is_empty() && trace.left_out.is_empty());
    rows.unwrap().into_iter().map(Question::from).collect()
}

proptest! {
    /// There is evidence in every scene of a draft and nowhere else, how far back each lies is counted again here, and it is
    /// asked when all of them are read.
    #[test]
    fn every_scene_is_evidence(
        words in prop::collection::vec(1_usize..6, 1..30),
        // Each id once: it follows from the scenes.
        drafts in prop::collection::btree_map(prop::collection::btree_set(0_u32..30, 2..5), 0_u8..4, 1..4),
    ) {
        let texts: Vec<String> = words.iter().enumerate().map(|(at, words)| format!("Scene {at}. {}", "été ".repeat(*words))).collect();
        let drafts: Vec<StateDraft> = drafts.iter().map(|(scenes, right)| draft(&scenes.iter().copied().collect::<Vec<_>>(), *right)).collect();
        let known: Vec<&StateDraft> = drafts.iter().filter(|one| (*one.scenes.last().unwrap() as usize) < texts.len()).collect();
        let questions = asked(&texts, &drafts);
        prop_assert_eq!(questions.len(), known.len());
        let whole = texts.concat();
        for draft in known {
            let id = draft.item_id().replace("/q", "/state");
            let question = questions.iter().find(|one| one.id == id).unwrap();
            let t = question.asked_at() as usize;
            prop_assert!(draft.scenes.iter().all(|scene| *scene as usize <= t));
            let needed: Vec<&str> = question.evidence.iter().map(|span| &whole[span.bytes()]).collect();
            let scenes: Vec<&str> = draft.scenes.iter().map(|scene| &texts[*scene as usize][..]).collect();
            prop_assert_eq!(needed, scenes);
            let symbols = |from: u32| texts[from as usize..=t].concat().chars().count();
            let back: Vec<usize> = question.demands.iter().map(|one| one.to_start.symbols as usize).collect();
            prop_assert_eq!(back, draft.scenes.iter().map(|scene| symbols(*scene)).collect::<Vec<_>>());
            prop_assert_eq!(question.demand.to_start.symbols as usize, symbols(draft.scenes[0]));
            prop_assert_eq!(question.right(), Some(draft.right));
            let options: Vec<&String> = question.options().iter().map(|one| &one.text).collect();
            prop_assert_eq!(options, draft.options.iter().collect::<Vec<_>>());
            prop_assert!(question.asked().ends_with("Where was the letter?"));
            prop_assert_eq!(question.made_by, Some(MadeBy::Model));
        }
    }
}

#[test]
fn moments_are_spread_over_all_that_come_after() {
    let texts: Vec<String> = (0..2000).map(|at| format!("Scene {at}. ")).collect();
    let drafts: Vec<StateDraft> = (2..1002).map(|last| draft(&[0, last], 0)).collect();
    let questions = asked(&texts, &drafts);
    let late = |question: &&Question| {
        let last = question.about[1].first_scene;
        question.asked_at() > last + (2000 - last) / 2
    };
    let late = questions.iter().filter(late).count();
    assert!((430..570).contains(&late), "{late}");
}
