#![allow(clippy::cast_precision_loss, reason = "counts in tests are small")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use storymill_core::{Choice, OptionKind, Question, QuestionType, Trace};

use super::*;
use crate::tests;

/// A book of so many scenes, told in words that differ, with so many distortions of each.
pub(crate) struct Retold {
    pub(super) scenes: Vec<Scene>,
    pub(super) summaries: Vec<Summary>,
    pub(super) distortions: Vec<Distortion>,
}

/// Words of its own for every scene.
fn words(scene: usize) -> String {
    let word = |at: usize| format!("w{scene}x{at}");
    (0..8).map(word).collect::<Vec<_>>().join(" ")
}

pub(crate) fn told(scenes: usize, samples: impl Fn(usize) -> usize) -> Retold {
    let texts: Vec<String> = (0..scenes).map(|at| format!("Scene {at} été. ")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scenes = tests::scenes(&texts);
    let summary = |scene: &Scene| Summary {
        book: scene.book.clone(),
        level: 0,
        at: scene.scene,
        first_scene: scene.scene,
        last_scene: scene.scene,
        protocol: "told".into(),
        text: format!("They did {}.", words(scene.scene as usize)),
        answers: Vec::new(),
    };
    let summaries: Vec<Summary> = scenes.iter().map(summary).collect();
    let distortion = |summary: &Summary, sample: usize| Distortion {
        book: summary.book.clone(),
        summary: summary.id(),
        level: 0,
        first_scene: summary.at,
        last_scene: summary.at,
        sample: u32::try_from(sample).unwrap(),
        protocol: "told".into(),
        text: format!("False {sample}: {}.", words(summary.at as usize)),
        twin: format!("True {sample}: {}.", words(summary.at as usize)),
        edits: Vec::new(),
        similarity_pm: 900,
        answers: Vec::new(),
    };
    let distortions = summaries
        .iter()
        .flat_map(|summary| (0..samples(summary.at as usize)).map(|at| distortion(summary, at)))
        .collect();
    Retold { scenes, summaries, distortions }
}

pub(super) fn stage(options: &str) -> ReadAlong {
    let edges = "scenes = 's'\nsummaries = 't'\ndistortions = 'd'\n";
    toml::from_str(&format!("{edges}{options}")).unwrap()
}

pub(crate) fn ask(options: &str, told: &Retold) -> (Vec<Question>, Trace) {
    let Retold { scenes, summaries, distortions } = told;
    let given = (scenes.clone().into(), summaries.clone().into(), distortions.clone().into());
    let input = (given, None, None, None, None);
    let (rows, trace) = tests::run(&stage(options), input);
    (rows.unwrap().into_iter().map(Question::from).collect(), trace)
}

fn per_type(questions: &[Question]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(question.kind.clone()).or_default() += 1;
    }
    counts
}

/// What holds for every question, whatever the options and the book.
fn laws(question: &Question, told: &Retold, preset: Preset) {
    let t = question.asked_at() as usize;
    let options = question.options();
    let of = QuestionType::of_name(&question.kind).unwrap();
    assert_eq!(options.len(), 6);
    assert_eq!(options[5].kind, OptionKind::None);
    assert_eq!(options[5].text, "None of the above.");
    let decoys: Vec<&Choice> = options[..5].iter().filter(|o| o.kind != OptionKind::True).collect();
    let truths: Vec<&Choice> = options.iter().filter(|o| o.kind == OptionKind::True).collect();
    assert!(decoys.iter().all(|decoy| decoy.kind == OptionKind::Decoy(of)));
    let whole: String = told.scenes.iter().map(|scene| scene.text.as_str()).collect();
    let read: String = told.scenes[..=t].iter().map(|scene| scene.text.as_str()).collect();
    let symbols = |text: &str| u32::try_from(text.chars().count()).unwrap();
    let words = storymill_text::word_count;
    assert_eq!(question.context.length().scenes as usize, t + 1);
    assert_eq!(question.context.length().symbols, symbols(&read));
    assert_eq!(question.context.length().words, words(&read));
    if let Some(scene) = question.scene() {
        let i = scene as usize;
        assert!(i <= t, "the true scene was read");
        assert_eq!((truths.len(), decoys.len()), (1, 4));
        assert_eq!(options[usize::from(question.right().unwrap())].kind, OptionKind::True);
        assert_eq!(truths[0].scene, Some(scene));
        assert_eq!(question.memload() as usize, t - i);
        assert_eq!(&whole[question.evidence[0].bytes()], told.scenes[i].text);
        let back: String = told.scenes[i..=t].iter().map(|scene| scene.text.as_str()).collect();
        assert_eq!(question.demand.to_start.scenes as usize, t - i + 1);
        assert_eq!(question.demand.to_start.symbols, symbols(&back));
        assert_eq!(question.demand.to_start.words, words(&back));
        let behind = symbols(&back) - symbols(&told.scenes[i].text);
        assert_eq!(question.demand.to_end_symbols, behind);
        assert_eq!(truths[0].demand.as_ref(), Some(&question.demand));
        assert!(read.contains(&told.scenes[i].text), "the context holds the true scene");
    } else {
        assert_eq!((truths.len(), decoys.len(), question.right()), (0, 5, Some(5)));
        assert_eq!(question.evidence, []);
        assert_eq!(question.demand.to_start, question.context.length());
        assert_eq!((question.memload() as usize, question.demand.to_end_symbols), (t, 0));
    }
    for option in &options[..5] {
        let scene = option.scene.unwrap() as usize;
        assert_eq!(option.demand.is_some(), scene <= t);
        assert!(option.text.contains(&self::words(scene)), "the text tells of the scene");
    }
    for decoy in &decoys {
        let scene = decoy.scene.unwrap() as usize;
        match (of, preset) {
            (QuestionType::Lookahead, Preset::Storymill) => assert!(scene >= t + 2),
            (QuestionType::Lookahead, Preset::Paper) => assert!(scene > t),
            (QuestionType::SceneDistortion, _) => assert!(scene <= t),
            (other, _) => panic!("the laws of {other:?} stand in a file of its own"),
        }
    }
    if preset == Preset::Storymill {
        let mut scenes: Vec<_> = options[..5].iter().map(|option| option.scene).collect();
        scenes.sort_unstable();
        scenes.dedup();
        assert_eq!(scenes.len(), 5, "one option for each scene, the true one among them");
    }
}

#[test]
fn a_type_is_asked_only_where_both_outcomes_are_possible() {
    let told = told(12, |_| 1);
    let (questions, trace) = ask("", &told);
    let asked = |of: QuestionType| -> Vec<u32> {
        questions.iter().filter(|q| q.kind == of.name()).map(Question::asked_at).collect()
    };
    // Five decoys from t + 2 on: the last is asked at t = 12 - 7. Five scenes read: from t = 4.
    assert_eq!(asked(QuestionType::Lookahead), (0..=5).collect::<Vec<_>>());
    assert_eq!(asked(QuestionType::SceneDistortion), (4..=11).collect::<Vec<_>>());
    assert_eq!(trace.left_out, []);
    assert_eq!(questions[0].id, "t/0000/lookahead");
}

#[test]
fn the_gap_can_be_set() {
    let told = told(12, |_| 1);
    for (gap, last) in [(0, 6), (3, 3)] {
        let (questions, _) = ask(&format!("gap = {gap}\ntypes = ['lookahead']"), &told);
        assert_eq!(questions.last().unwrap().asked_at(), last);
        let first = |q: &Question| {
            q.options()[..5]
                .iter()
                .filter_map(|o| o.scene)
                .all(|s| s <= q.asked_at() || s > q.asked_at() + gap)
        };
        assert!(questions.iter().all(first));
    }
}

#[test]
fn what_failed_is_no_option() {
    let mut told = told(14, |_| 1);
    told.summaries.remove(3);
    told.distortions.remove(3);
    told.distortions.remove(6);
    let (questions, _) = ask("", &told);
    let names = |q: &Question, scene| q.options().iter().any(|o| o.scene == Some(scene));
    assert!(questions.iter().all(|q| !names(q, 3)));
    let distorted = questions.iter().filter(|q| q.kind == QuestionType::SceneDistortion.name());
    assert!(distorted.clone().all(|q| !names(q, 7)));
    // Scene 3 is missing, so five are read one scene later.
    assert_eq!(distorted.map(Question::asked_at).min(), Some(5));
}

#[test]
fn twins_stand_on_both_sides_unless_the_plain_form_is_asked_for() {
    let told = told(10, |_| 2);
    let truths = |options| -> Vec<String> {
        let (questions, _) = ask(options, &told);
        let truths = questions.iter().flat_map(Question::options);
        truths.filter(|o| o.kind == OptionKind::True).map(|o| o.text.clone()).collect()
    };
    let twins = truths("types = ['scene-distortion']");
    assert!(!twins.is_empty() && twins.iter().all(|text| text.starts_with("True ")));
    let plain = truths("types = ['scene-distortion']\ntwins = false");
    assert!(!plain.is_empty() && plain.iter().all(|text| text.starts_with("They did ")));
}

#[test]
fn a_decoy_near_to_what_was_read_is_replaced_or_the_question_left_out() {
    let mut told = told(20, |_| 1);
    // Scene 15 is told nearly as scene 12 is.
    told.summaries[15].text = format!("They did {} again.", words(12));
    let (questions, trace) = ask("types = ['lookahead']", &told);
    let with_15 = |q: &Question| q.options().iter().any(|o| o.scene == Some(15));
    assert!(!questions.iter().any(|q| q.asked_at() >= 12 && with_15(q)));
    assert!(
        questions.iter().any(|q| q.asked_at() < 12 && with_15(q)),
        "before, it is a fair decoy"
    );
    // At t = 13 only 15 to 19 are left, and 15 cannot be used.
    let left: Vec<_> = trace.left_out.iter().map(|r| (r.item.as_str(), &*r.reason.code)).collect();
    assert_eq!(left, [("t/0013/lookahead", "ambiguous")]);
    let (questions, trace) = ask("types = ['lookahead']\nnear_pm = 0", &told);
    assert_eq!(trace.left_out, []);
    assert!(questions.iter().any(|q| q.asked_at() >= 12 && with_15(q)));
    // Told in the very same words it is no decoy even then.
    told.summaries[15].text = told.summaries[12].text.clone();
    let (questions, _) = ask("types = ['lookahead']\nnear_pm = 0", &told);
    assert!(!questions.iter().any(|q| q.asked_at() >= 12 && with_15(q)));
}

#[test]
fn options_are_checked() {
    let faults =
        |options| stage(options).check().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(faults("preset = 'paper'\ngap = 1\nnear_pm = 5"), ["gap", "near_pm"]);
    assert_eq!(faults("types = []\nnear_pm = 1001"), ["types", "near_pm"]);
    assert_eq!(faults("types = ['lookahead', 'lookahead']"), ["types"]);
    assert_eq!(faults("gap = 2\ntwins = false\nnear_pm = 0"), [""; 0]);
    assert_eq!(faults("types = ['other-book']"), ["types", "types"]);
    assert_eq!(faults("types = ['other-book']\npartners = 'p'\ncasts = 'c'"), [""; 0]);
    assert_eq!(faults("casts = 'c'"), ["casts"]);
}

#[test]
fn none_of_the_above_is_right_one_time_in_six_and_places_are_even() {
    let told = told(400, |_| 1);
    let (questions, _) = ask("", &told);
    let all = questions.len();
    assert_eq!(all, 393 + 396 + 1);
    let none = questions.iter().filter(|q| q.scene().is_none()).count();
    // Four standard deviations of a draw of one in six.
    let (expected, spread) = (all as f64 / 6.0, (all as f64 * 5.0 / 36.0).sqrt());
    assert!((none as f64 - expected).abs() < 4.0 * spread, "{none} of {all}");
    for place in 0..5_u8 {
        let here = questions.iter().filter(|q| q.right() == Some(place)).count();
        assert!((here as f64 - expected).abs() < 4.0 * spread, "{here} at {place}");
    }
}

/// Counts of a run of the original generator (../shared/golden/narrativexl), and of its rules
/// written anew in Python.
#[test]
fn the_papers_rules_give_the_papers_counts() {
    for path in tests::sets("narrativexl/expected.json") {
        counts_are_the_papers(&path);
    }
}

fn counts_are_the_papers(path: &std::path::Path) {
    let expected: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let run = &expected["question_generator_simulation"];
    let lengths: Vec<usize> = serde_json::from_value(run["book_lengths"].clone()).unwrap();
    let (mut counts, mut all, mut none) = (BTreeMap::<String, usize>::new(), 0, 0);
    let (mut own, mut sure, mut possible) = (0, 0, 0);
    for (book, length) in lengths.iter().enumerate() {
        let mut told = told(*length, |scene| 5_usize.saturating_sub(scene).max(1));
        // Each book has an id of its own, and so draws of its own.
        let id: storymill_core::BookId = format!("b{book}").parse().unwrap();
        told.scenes.iter_mut().for_each(|scene| scene.book = id.clone());
        told.summaries.iter_mut().for_each(|summary| summary.book = id.clone());
        told.distortions.iter_mut().for_each(|lie| lie.book = id.clone());
        let (questions, _) = ask("preset = 'paper'", &told);
        for question in &questions {
            laws(question, &told, Preset::Paper);
        }
        for (of, count) in per_type(&questions) {
            *counts.entry(of).or_default() += count;
        }
        all += questions.len();
        none += questions.iter().filter(|q| q.scene().is_none()).count();
        let change = questions.iter().filter(|q| q.kind == QuestionType::SceneDistortion.name());
        own += change
            .filter(|q| {
                q.options()[..5].iter().any(|o| o.kind != OptionKind::True && o.scene == q.scene())
            })
            .count();
        let last = questions.iter().filter(|q| q.kind == "lookahead");
        let last = last.map(|q| q.asked_at() as usize).max().unwrap();
        // The last one falls at L - 5, or at L - 6 where five decoys were drawn.
        assert!(last == length - 5 || last == length - 6, "{last} of {length}");
        (sure, possible) = (sure + length - 5, possible + length - 4);
    }
    let original =
        |of: &str| -> usize { serde_json::from_value(run["n_questions"][of].clone()).unwrap() };
    assert_eq!(counts["scene-distortion"], original("Change"));
    let original = original("Lookahead");
    assert!((sure..=possible).contains(&original), "the rule holds for the original's own count");
    assert!((sure..=possible).contains(&counts["lookahead"]));
    assert!(counts["lookahead"].abs_diff(original) <= 8, "{counts:?}");
    let share = none as f64 / all as f64;
    let spread = (5.0 / 36.0 / all as f64).sqrt();
    assert!((share - run["none_rate"].as_f64().unwrap()).abs() < 4.0 * spread, "{share}");
    let [same, of]: [f64; 2] =
        serde_json::from_value(run["change_decoy_same_scene"].clone()).unwrap();
    let own = own as f64 / counts["scene-distortion"] as f64;
    assert!((own - same / of).abs() < 0.02, "{own}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_question_keeps_the_laws(
        length in 1..40_usize,
        samples in prop::collection::vec(0..4_usize, 40),
        failed in prop::collection::btree_set(0..40_usize, 0..6),
        gap in 1..4_u32,
        plain in any::<bool>(),
    ) {
        let mut told = told(length, |scene| samples[scene]);
        told.summaries.retain(|summary| !failed.contains(&(summary.at as usize)));
        told.distortions.retain(|lie| !failed.contains(&(lie.first_scene as usize)));
        let (questions, trace) = ask(&format!("gap = {gap}\ntwins = {}", !plain), &told);
        for question in &questions {
            laws(question, &told, Preset::Storymill);
        }
        prop_assert_eq!(trace.left_out, vec![]);
        prop_assert_eq!(trace.rejects, vec![]);
    }

    #[test]
    fn a_longer_book_changes_no_scene_distortion(length in 6..20_usize, more in 1..10_usize) {
        let of = "types = ['scene-distortion']";
        let (shorter, _) = ask(of, &told(length, |_| 2));
        let (longer, _) = ask(of, &told(length + more, |_| 2));
        // Rare words weigh a little differently; with words of their own no scene comes near.
        prop_assert_eq!(&longer[..shorter.len()], &shorter[..]);
    }
}
