//! `adequacy`: a sample of pairs of a true and a false retelling, put before people: which of the two is true?
//!
//! Whoever cannot tell a retelling of this scene from one of another scene is not counted, so some pairs are of that kind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    AdequacyPair, AdequacyVote, Cx, Distortion, Edge, Fault, Options, Review, Rows, Scene, Stage,
    Stop, stage,
};

use crate::asking::at_least;

/// Draws pairs of a build's true and false retellings for people to tell apart.
///
/// ```
/// use storymill_transforms::Adequacy;
/// let stage: Adequacy =
///     toml::from_str("scenes = 'scenes'\ndistortions = 'distortions'").unwrap();
/// assert_eq!((stage.pairs, stage.qualifying, stage.qualify_pm), (5, 2, 800));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adequacy {
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The step that makes the false retellings, which know their true twins.
    pub distortions: Edge<Distortion>,
    /// How many pairs of each book. Default: 5.
    #[serde(default = "crate::defaults::count::<5>")]
    pub pairs: u32,
    /// How many pairs of each book whose answer is known beforehand: a true retelling beside a true one of other
    /// scenes. Default: 2.
    #[serde(default = "crate::defaults::count::<2>")]
    pub qualifying: u32,
    /// The least share of these, of a thousand, that a person must get right to be counted. Default: 800.
    #[serde(default = "crate::defaults::thousandths::<800>")]
    pub qualify_pm: u16,
}

impl Options for Adequacy {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = at_least(&[("pairs", self.pairs, 1)]);
        if self.qualify_pm > 1000 {
            faults.push(("qualify_pm", format!("is {} and can be at most 1000", self.qualify_pm)));
        }
        faults
    }
}

/// What can be said of a pair, beside that nobody decided.
const SAID: [&str; 3] = ["first", "second", "neither"];
/// The choice that is taken while nobody decides.
const OPEN: &str = "open";

impl Stage for Adequacy {
    stage!("adequacy", 2, (Rows<Scene>, Rows<Distortion>) => AdequacyPair, scenes, distortions);

    fn run(
        &self,
        (scenes, distortions): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<AdequacyPair>, Stop> {
        let mut order: Vec<&Distortion> = distortions.iter().collect();
        cx.stream("", "pairs").shuffle(&mut order);
        let mut drawn = Vec::new();
        // Who may be counted is asked first.
        for one in &order {
            if drawn.len() == self.qualifying as usize {
                break;
            }
            if let Some(other) = elsewhere(one, &order) {
                drawn.push(Drawn { of: one, wrong: &other.twin, qualifies: true });
            }
        }
        let asked = order.iter().filter(|one| one.twin != one.text).take(self.pairs as usize);
        drawn.extend(asked.map(|one| Drawn { of: one, wrong: &one.text, qualifies: false }));
        let put = |one: &Drawn<'_>| self.put(one, &scenes, cx);
        Ok(drawn.iter().map(put).collect::<Result<_, Fault>>()?)
    }
}

/// A pair that was drawn: a true twin, and what stands beside it.
struct Drawn<'d> {
    of: &'d Distortion,
    wrong: &'d str,
    qualifies: bool,
}

/// Another retelling whose scenes do not touch those of one, the first in the drawn order.
fn elsewhere<'d>(one: &Distortion, all: &[&'d Distortion]) -> Option<&'d Distortion> {
    let apart = |other: &&&Distortion| {
        other.last_scene + 1 < one.first_scene || one.last_scene + 1 < other.first_scene
    };
    all.iter().find(apart).copied()
}

impl Adequacy {
    fn put(
        &self,
        drawn: &Drawn<'_>,
        scenes: &[Scene],
        cx: &mut Cx<'_>,
    ) -> Result<AdequacyPair, Fault> {
        let of = drawn.of;
        let id = if drawn.qualifies { format!("{}/q", of.id()) } else { of.id() };
        let first_is_true = cx.stream(&id, "order").below(2) == 0;
        let (first, second) =
            if first_is_true { (&*of.twin, drawn.wrong) } else { (drawn.wrong, &*of.twin) };
        let told: String = scenes
            .iter()
            .filter(|scene| (of.first_scene..=of.last_scene).contains(&scene.scene))
            .map(|scene| scene.text.as_str())
            .collect();
        let review = Review {
            item: id.clone(),
            code: "adequacy".into(),
            about: format!("{first} / {second}"),
            question: "which of the two tells what happens in the text: first or second?"
                .to_owned(),
            excerpt: format!("{}\n\nfirst: {first}\n\nsecond: {second}", told.trim()),
            choices: [OPEN].into_iter().chain(SAID).map(str::to_owned).collect(),
            default: OPEN.to_owned(),
            ..Review::default()
        };
        let votes = cx.votes(&review).into_iter().filter(|vote| vote.choice != OPEN);
        let mut votes: Vec<_> =
            votes.map(|vote| AdequacyVote { person: vote.by, said: vote.choice }).collect();
        votes.sort();
        // The decision under the workflow's rule counts for nothing here: the card counts people.
        cx.decide(review)?;
        Ok(AdequacyPair {
            id,
            book: of.book.clone(),
            scenes: (of.first_scene, of.last_scene),
            first: first.to_owned(),
            second: second.to_owned(),
            first_is_true,
            qualifies: drawn.qualifies,
            qualify_pm: self.qualify_pm,
            votes,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tests::{run, run_lines, scenes};

    fn distortion(scene: u32, sample: u32) -> Distortion {
        Distortion {
            book: "t".parse().unwrap(),
            summary: format!("t/{scene:04}/s0"),
            level: 0,
            first_scene: scene,
            last_scene: scene,
            sample,
            protocol: "edits".into(),
            text: format!("False {scene} {sample}."),
            twin: format!("True {scene}."),
            edits: Vec::new(),
            similarity_pm: 500,
            answers: Vec::new(),
        }
    }

    fn input(many: u32) -> (Rows<Scene>, Rows<Distortion>) {
        let texts: Vec<String> = (0..many).map(|at| format!("Scene {at}. ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let all: Vec<_> =
            (0..many).flat_map(|scene| [distortion(scene, 0), distortion(scene, 1)]).collect();
        (scenes(&texts).into(), all.into())
    }

    fn stage() -> Adequacy {
        serde_json::from_value(serde_json::json!({ "scenes": "a", "distortions": "b" })).unwrap()
    }

    #[test]
    fn each_pair_has_one_truth_and_its_place_is_drawn() {
        let stage = Adequacy { pairs: 40, qualifying: 40, ..stage() };
        let (rows, trace) = run(&stage, input(20));
        let rows = rows.unwrap();
        assert_eq!((rows.len(), trace.reviews.len()), (80, 80));
        let (mut first, mut places) = (0, BTreeSet::new());
        for (row, review) in rows.iter().zip(&trace.reviews) {
            let (right, wrong) = if row.first_is_true {
                (&row.first, &row.second)
            } else {
                (&row.second, &row.first)
            };
            assert_eq!(*right, format!("True {}.", row.scenes.0));
            assert_eq!(wrong.starts_with("True"), row.qualifies, "{row:?}");
            assert!(review.excerpt.starts_with(&format!("Scene {}.\n", row.scenes.0)));
            // Nothing that is shown tells which is which.
            assert!(!review.question.contains("False") && review.default == OPEN);
            first += u32::from(row.first_is_true);
            places.insert(row.id.clone());
        }
        assert_eq!(places.len(), 80);
        assert!((25..=55).contains(&first), "{first} of 80 stand first");
        assert!(rows[..40].iter().all(|row| row.qualifies));
    }

    #[test]
    fn what_people_say_is_kept_with_who_said_it() {
        let (rows, trace) = run(&stage(), input(4));
        let open = &rows.unwrap()[3];
        assert_eq!(open.votes, []);
        let id = trace.reviews[3].id();
        let line = |by: &str, choice: &str| {
            format!("{{\"review\": \"{id}\", \"choice\": \"{choice}\", \"by\": \"{by}\"}}")
        };
        // People who differ are both kept, in the order of their names.
        let lines = [line("bo", "neither"), line("al", "first"), line("cy", "open")];
        let (rows, _) = run_lines(&stage(), input(4), &lines);
        let votes = &rows.unwrap()[3].votes;
        let votes: Vec<_> = votes.iter().map(|vote| (&*vote.person, &*vote.said)).collect();
        assert_eq!(votes, [("al", "first"), ("bo", "neither")]);
    }

    #[test]
    fn a_book_of_one_scene_has_nobody_to_qualify_by() {
        let (rows, _) = run(&stage(), input(1));
        let rows = rows.unwrap();
        assert_eq!((rows.len(), rows.iter().any(|row| row.qualifies)), (2, false));
    }
}
