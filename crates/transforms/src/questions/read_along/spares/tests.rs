use std::collections::BTreeSet;

use proptest::prelude::*;
use storymill_core::{Form, OptionKind, Question, QuestionType, Spares};

use super::SpareDecoys;
use crate::{
    questions::read_along::tests::{Retold, ask, told},
    tests::run,
};

fn spares(options: &str, told: &Retold, questions: &[Question]) -> Vec<Spares> {
    let edges = "questions = 'q'\nscenes = 's'\nsummaries = 't'\ndistortions = 'd'\n";
    let stage: SpareDecoys = toml::from_str(&format!("{edges}{options}")).unwrap();
    let Retold { scenes, summaries, distortions } = told;
    let questions: Vec<_> = questions.iter().cloned().map(Into::into).collect();
    let input = (
        questions.into(),
        scenes.clone().into(),
        summaries.clone().into(),
        distortions.clone().into(),
        None,
    );
    let (rows, trace) = run(&stage, input);
    assert!(trace.rejects.is_empty() && trace.left_out.is_empty());
    rows.unwrap()
}

#[test]
fn the_last_questions_of_a_book_have_fewer_spares() {
    let told = told(12, |_| 1);
    let (questions, _) = ask("types = ['lookahead']", &told);
    let rows = spares("spares = 9", &told, &questions);
    // With four decoys and a truth, or five decoys, drawn from the scenes behind the gap.
    for (row, question) in rows.iter().zip(&questions) {
        let later = 12 - question.asked_at() as usize - 2;
        let shown = if question.scene().is_some() { 4 } else { 5 };
        assert_eq!(row.spares.len(), (later - shown).min(9), "{}", row.question);
    }
    assert!(rows.first().unwrap().spares.len() > rows.last().unwrap().spares.len());
}

proptest! {
    /// Spares are of the type of the question, from other scenes, none is shown already, and each may stand for any decoy: nothing that
    /// was read tells against it that tells for it in a question of its own.
    #[test]
    fn spares_are_decoys_that_are_not_shown(scenes in 2_usize..25, samples in 0_usize..3, many in 1_u32..5, gap in 0_u32..3) {
        let told = told(scenes, |at| if at % 3 == 0 { 2 } else { samples });
        let (questions, _) = ask(&format!("gap = {gap}"), &told);
        let rows = spares(&format!("spares = {many}\ngap = {gap}"), &told, &questions);
        prop_assert_eq!(rows.len(), questions.len());
        for (row, question) in rows.iter().zip(&questions) {
            prop_assert_eq!(&row.question, &question.id);
            prop_assert!(row.spares.len() <= many as usize);
            let of = QuestionType::of_name(&question.kind).unwrap();
            let Form::Options { options, .. } = &question.form else { panic!() };
            let shown: BTreeSet<u32> = options.iter().filter_map(|option| option.scene).collect();
            let mut own = BTreeSet::new();
            for spare in &row.spares {
                let scene = spare.choice.scene.unwrap();
                prop_assert_eq!(spare.choice.kind, OptionKind::Decoy(of));
                prop_assert!(!shown.contains(&scene) && own.insert(scene));
                let later = scene > question.asked_at() + gap;
                let fits = if of == QuestionType::Lookahead { later } else { scene <= question.asked_at() };
                prop_assert!(fits);
                prop_assert_eq!(spare.choice.text.starts_with("False"), of == QuestionType::SceneDistortion);
                prop_assert_eq!(spare.choice.demand.is_some(), of == QuestionType::SceneDistortion);
            }
        }
        // More spares hold the fewer ones, at the same places.
        let more = spares(&format!("spares = {}\ngap = {gap}", many + 2), &told, &questions);
        for (row, more) in rows.iter().zip(&more) {
            prop_assert_eq!(&more.spares[..row.spares.len()], &row.spares[..]);
        }
    }
}
