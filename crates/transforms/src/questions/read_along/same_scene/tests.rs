use std::collections::BTreeSet;

use proptest::prelude::*;
use storymill_core::{Question, Scene, Trace};

use super::*;
use crate::{questions::read_along::ReadAlong, tests};

/// So many false retellings of some true ones, by level and scenes.
fn variants(of: &[(u8, u32, u32)], count: u32) -> Vec<Distortion> {
    let one = |(level, first_scene, last_scene): (u8, u32, u32), sample: u32| {
        let at = if level == 0 {
            format!("{first_scene:04}/s0")
        } else {
            format!("L{level}/{first_scene:03}")
        };
        Distortion {
            book: "t".parse().unwrap(),
            summary: format!("t/{at}"),
            level,
            first_scene,
            last_scene,
            sample,
            protocol: "exchanges".into(),
            text: format!("False {sample} of {at}."),
            twin: format!("True of {at}."),
            edits: Vec::new(),
            similarity_pm: 900,
            answers: Vec::new(),
        }
    };
    of.iter().flat_map(|of| (0..count).map(move |sample| one(*of, sample))).collect()
}

fn asked(scenes: usize, variants: Vec<Distortion>) -> (Vec<Question>, Trace) {
    let texts: Vec<String> = (0..scenes).map(|at| format!("Scene {at} été. ")).collect();
    let scenes: Vec<Scene> = tests::scenes(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let stage: ReadAlong = toml::from_str(
        "scenes = 's'\nsummaries = 't'\ndistortions = 'd'\nvariants = 'v'\ntypes = ['same-scene']",
    )
    .unwrap();
    let own = (scenes.into(), Vec::new().into(), Vec::new().into());
    let input = (own, None, None, Some(variants.into()), None);
    let (rows, trace) = tests::run(&stage, input);
    (rows.unwrap().into_iter().map(Question::from).collect(), trace)
}

#[test]
fn too_few_are_left_out() {
    let (questions, trace) = asked(3, variants(&[(0, 0, 0), (0, 1, 1)], 4));
    assert_eq!((questions.len(), trace.left_out.len()), (0, 2));
}

#[test]
fn each_place_is_right_as_often() {
    let scenes = 3000;
    let of: Vec<_> = (0..scenes).map(|at| (0, at, at)).collect();
    let (questions, _) = asked(scenes as usize, variants(&of, 5));
    assert_eq!(questions.len(), scenes as usize);
    let mut right = [0; 6];
    for question in &questions {
        right[usize::from(question.right().unwrap())] += 1;
    }
    assert!(right.iter().all(|count| (430..570).contains(count)), "{right:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Each retelling is asked about once, after its last scene; all options are of it, and none is an option twice.
    #[test]
    fn questions_are_of_one_scene(scenes in 1..30_u32, count in 5..8_u32, wide in 1..9_u32) {
        let mut of: Vec<_> = (0..scenes).map(|at| (0, at, at)).collect();
        of.extend((0..scenes).step_by(wide as usize).map(|at| (1, at, (at + wide).min(scenes) - 1)));
        let (questions, _) = asked(scenes as usize, variants(&of, count));
        prop_assert_eq!(questions.len(), of.len());
        let mut texts = BTreeSet::new();
        for question in &questions {
            let options = question.options();
            prop_assert_eq!((options.len(), &options[5].kind), (6, &OptionKind::None));
            let first = &options[0];
            let above = question.id.contains("/L1");
            let known = of.iter().find(|of| Some(of.1) == first.scene && (of.0 == 1) == above);
            let (level, from, to) = *known.unwrap();
            prop_assert!(question.asked_at() >= to && question.asked_at() < scenes);
            let true_ones = options.iter().filter(|option| option.kind == OptionKind::True).count();
            prop_assert_eq!(true_ones == 0, question.none_is_right());
            if let [about] = question.about[..] {
                prop_assert_eq!(about, Stretch { level, first_scene: from, last_scene: to });
                prop_assert_eq!(&options[usize::from(question.right().unwrap())].kind, &OptionKind::True);
                prop_assert_eq!(first.demand.as_ref(), Some(&question.demand));
            } else {
                prop_assert!(question.none_is_right() && question.evidence.is_empty());
            }
            for option in &options[..5] {
                prop_assert!(texts.insert(option.text.clone()), "{} twice", option.text);
                prop_assert_eq!((option.scene, &option.demand), (first.scene, &first.demand));
            }
        }
    }
}
