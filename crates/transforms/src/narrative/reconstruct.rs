//! `reconstruct`: asks for a distorted retelling to be put right.
//!
//! Asked when the whole book is read, so the retention demand counts back from the book's end.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Form, Given, MadeBy, Options, Question, Reconstruction, Rows, Scene,
    Stage, Stop, Stretch, Summary, stage,
};

use crate::reading::Reading;

/// Makes questions that ask for a false retelling to be rewritten so that it fits the book
/// (NarrativeXL, section 3: scene and summary reconstruction).
///
/// ```
/// use storymill_transforms::Reconstruct;
/// let stage = "scenes = 'scenes'\nsummaries = 'summaries'\ndistortions = 'distortions'\neach = 'all'";
/// assert!(toml::from_str::<Reconstruct>(stage).is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reconstruct {
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings.
    pub summaries: Edge<Summary>,
    /// The step that makes the false retellings, which are to be put right.
    pub distortions: Edge<Distortion>,
    /// How many questions for each true retelling: `one`, with a false retelling drawn by lot, or
    /// `all`, one for each false retelling. Default: `one`.
    #[serde(default)]
    pub each: Each,
}

/// How many questions for each true retelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Each {
    /// One, with a false retelling drawn by lot.
    #[default]
    One,
    /// One for each false retelling.
    All,
}

impl Options for Reconstruct {}

impl Stage for Reconstruct {
    stage!("reconstruct", 5, (Rows<Scene>, Rows<Summary>, Rows<Distortion>) => Reconstruction,
        scenes, summaries, distortions);

    fn run(
        &self,
        (scenes, summaries, distortions): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Reconstruction>, Stop> {
        let mut by_summary: BTreeMap<&str, Vec<&Distortion>> = BTreeMap::new();
        for distortion in distortions.iter() {
            by_summary.entry(&distortion.summary).or_default().push(distortion);
        }
        let reading = Reading::new(&scenes);
        // A retelling that nobody distorted was rejected where that was tried; it is no reject
        // here as well.
        let rows = cx.each(&summaries, |cx, summary| {
            let id = summary.id();
            let Some(all) = by_summary.get(&id[..]) else { return Ok(Vec::new()) };
            let drawn: Vec<_> = match self.each {
                Each::All => all.clone(),
                Each::One => {
                    cx.stream(&id, "distortion").choose(all).copied().into_iter().collect()
                }
            };
            let ask = |distortion| ask(scenes.len(), &reading, summary, distortion);
            drawn.into_iter().map(ask).collect()
        })?;
        Ok(rows.concat())
    }
}

fn ask(
    scenes: usize,
    reading: &Reading<'_>,
    summary: &Summary,
    distortion: &Distortion,
) -> Result<Reconstruction, Stop> {
    let (first_scene, last_scene) = (summary.first_scene, summary.last_scene);
    let about = vec![Stretch { level: summary.level, first_scene, last_scene }];
    let place = reading.place(&about, scenes).ok_or_else(|| {
        let detail = format!("scenes {first_scene} to {last_scene} are not among the {scenes}");
        Stop::reject("no-such-scene", detail)
    })?;
    Ok(Reconstruction(Question {
        id: format!("{}/reconstruct", distortion.id()),
        of: summary.book.clone(),
        kind: "reconstruction".to_owned(),
        task: question(summary.level),
        form: Form::FreeText {
            given: Some(Given { text: distortion.text.clone(), from: distortion.id() }),
            // What was told by the same process and differs in the events alone: a perfect repair.
            references: vec![distortion.twin.clone()],
            keywords: String::new(),
        },
        about,
        evidence: place.evidence,
        demands: place.demands,
        demand: place.demand,
        context: place.context,
        made_by: Some(MadeBy::of(&distortion.answers)),
    }))
}

/// The task in words.
fn question(level: u8) -> String {
    let of = if level == 0 { "a scene" } else { "a part" };
    format!(
        "You have read the whole book. Below is an account of {of} of it in which some of the \
         events are wrong. Rewrite the account so that it agrees with the book: put right every \
         event that is wrong, keep what is already right, and add nothing else."
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storymill_core::{Demand, Length};

    use super::*;
    use crate::tests;

    fn stage(each: Each) -> Reconstruct {
        let (scenes, summaries, distortions) = (Edge::to("s"), Edge::to("t"), Edge::to("d"));
        Reconstruct { scenes, summaries, distortions, each }
    }

    fn summary(level: u8, at: u32, first_scene: u32, last_scene: u32) -> Summary {
        Summary {
            book: "t".parse().unwrap(),
            level,
            at,
            first_scene,
            last_scene,
            protocol: "extract".into(),
            text: format!("True {at}."),
            answers: Vec::new(),
        }
    }

    fn distortion(summary: &Summary, sample: u32) -> Distortion {
        Distortion {
            book: summary.book.clone(),
            summary: summary.id(),
            level: summary.level,
            first_scene: summary.first_scene,
            last_scene: summary.last_scene,
            sample,
            protocol: "swap-facts".into(),
            text: format!("False {} {sample}.", summary.at),
            twin: summary.text.clone(),
            edits: Vec::new(),
            similarity_pm: 500,
            answers: Vec::new(),
        }
    }

    /// Runs over scenes with these texts, each with a true and two false retellings.
    fn questions(texts: &[&str], each: Each) -> Vec<Question> {
        let scenes = tests::scenes(texts);
        let summaries: Vec<_> =
            scenes.iter().map(|s| summary(0, s.scene, s.scene, s.scene)).collect();
        let distortions: Vec<_> =
            summaries.iter().flat_map(|s| [distortion(s, 0), distortion(s, 1)]).collect();
        let input = (scenes.into(), summaries.into(), distortions.into());
        asked(tests::run(&stage(each), input).0.unwrap())
    }

    fn asked(rows: Vec<Reconstruction>) -> Vec<Question> {
        rows.into_iter().map(Question::from).collect()
    }

    #[track_caller]
    fn check(texts: &[&str], scene: usize, [scenes, words, symbols, to_end]: [u32; 4]) {
        let question = &questions(texts, Each::One)[scene];
        let to_start = Length { scenes, words, symbols, tokens: Vec::new() };
        assert_eq!(question.demand, Demand { to_start, to_end_symbols: to_end });
    }

    #[test]
    fn demand_counts_back_from_the_end() {
        let texts = ["One two. ", "Été three. ", "Four."];
        check(&texts, 0, [3, 5, 25, 16]);
        check(&texts, 1, [2, 3, 16, 5]);
        check(&texts, 2, [1, 1, 5, 0]);
        // A word that a border cuts is one word.
        check(&["On", "e two."], 0, [2, 2, 8, 6]);
    }

    #[test]
    fn one_or_all() {
        assert_eq!(questions(&["A.", "B."], Each::One).len(), 2);
        let ids: Vec<_> = questions(&["A.", "B."], Each::All).into_iter().map(|q| q.id).collect();
        let expected = ["t/0000/d0", "t/0000/d1", "t/0001/d0", "t/0001/d1"];
        assert_eq!(ids, expected.map(|id| format!("{id}/reconstruct")));
    }

    #[test]
    fn summaries_of_summaries_cover_their_scenes() {
        let scenes = tests::scenes(&["One. ", "Two. ", "Three. ", "Four."]);
        let level1 = summary(1, 0, 1, 2);
        let distortions = vec![distortion(&level1, 0)];
        let input = (scenes.into(), vec![level1].into(), distortions.into());
        let rows = asked(tests::run(&stage(Each::One), input).0.unwrap());
        assert_eq!(rows[0].id, "t/L1/000/d0/reconstruct");
        assert_eq!(rows[0].evidence[0].bytes(), 5..17);
        assert!(rows[0].task.contains("a part"));
    }

    #[test]
    fn what_is_missing_is_left_out_or_rejected() {
        let scenes = tests::scenes(&["One."]);
        let summaries = vec![summary(0, 0, 0, 0), summary(0, 7, 7, 7)];
        let distortions = vec![distortion(&summaries[1], 0)];
        let input = (scenes.into(), summaries.into(), distortions.into());
        let (rows, trace) = tests::run(&stage(Each::One), input);
        assert_eq!(rows.unwrap(), []);
        assert_eq!(trace.rejects[0].reason.code, "no-such-scene");
    }

    proptest! {
        #[test]
        fn demand_and_evidence_agree(texts in prop::collection::vec("[a-zé .]{1,12}", 1..8)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let whole = texts.concat();
            let book = u32::try_from(whole.chars().count()).unwrap();
            for (at, question) in questions(&texts, Each::One).into_iter().enumerate() {
                let evidence = question.evidence[0];
                let start = &question.demand.to_start;
                prop_assert_eq!(&whole[evidence.bytes()], texts[at]);
                prop_assert_eq!(start.symbols, book - evidence.start.symbol);
                prop_assert_eq!(question.demand.to_end_symbols, book - evidence.end.symbol);
                prop_assert_eq!(start.scenes as usize, texts.len() - at);
                let words = storymill_text::word_count;
                // Counting both sides of a border never counts a word twice.
                prop_assert!(start.words >= words(&whole[evidence.bytes().start..]));
                prop_assert_eq!(question.context.length().symbols, book);
            }
        }

        #[test]
        fn other_retellings_change_no_question(skip in 0..4_usize) {
            let texts = ["A. ", "B. ", "C. ", "D."];
            let scenes = tests::scenes(&texts);
            let all: Vec<_> = scenes.iter().map(|s| summary(0, s.scene, s.scene, s.scene)).collect();
            let distortions: Vec<_> = all.iter().flat_map(|s| [distortion(s, 0), distortion(s, 1)]).collect();
            let mut fewer = all.clone();
            fewer.remove(skip);
            let rows = |summaries: Vec<Summary>| {
                let input = (scenes.clone().into(), summaries.into(), distortions.clone().into());
                tests::run(&stage(Each::One), input).0.unwrap()
            };
            let mut expected = rows(all);
            expected.remove(skip);
            prop_assert_eq!(rows(fewer), expected);
        }
    }
}
