//! `archived-questions`: the read-along questions of an archive, with scenes, contexts and
//! retention demand.
//!
//! The original tells how to put a context together and loses the last two scenes on the way; here
//! the context is scenes 0 to the one it is asked after, as for any question. A question that
//! cannot be placed for certain is a reject.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Archive, ArchivedQuestion, Cx, Distortion, Edge, Item, Options, ReadAlongQuestion, Rows, Scene,
    Stage, Stop, Summary, stage,
};

use super::{
    only,
    place::{Placed, Places},
};
use crate::{
    questions::makers::Makers,
    reading::{Reading, Said},
};

/// Places the questions of an archive in their book: the true scene, found by its text and checked
/// against the original's figure; demand and context in every unit.
///
/// ```
/// use storymill_transforms::ArchivedQuestions;
/// let stage = "from = 'archive'\nscenes = 's'\nsummaries = 'r'\ndistortions = 'd'";
/// assert!(toml::from_str::<ArchivedQuestions>(stage).is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchivedQuestions {
    /// The source of the archive.
    pub from: Edge<Archive>,
    /// The step that makes the scenes, one for each chunk: `archived-scenes`.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings, to whose rows options point.
    pub summaries: Edge<Summary>,
    /// The step that makes the false retellings, to whose rows options point.
    pub distortions: Edge<Distortion>,
}

impl Options for ArchivedQuestions {}

impl Stage for ArchivedQuestions {
    stage!("archived-questions", 4,
        (Rows<Archive>, Rows<Scene>, Rows<Summary>, Rows<Distortion>) => ReadAlongQuestion,
        from, scenes, summaries, distortions);

    fn run(
        &self,
        (archives, scenes, summaries, distortions): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ReadAlongQuestion>, Stop> {
        let archive = only(&archives)?;
        if scenes.len() != archive.chunks.len() {
            let detail = format!(
                "{} scenes were made of {} chunks; make them with `archived-scenes`",
                scenes.len(),
                archive.chunks.len()
            );
            return Err(Stop::reject("scenes-disagree", detail));
        }
        let places = Places::of(archive, &summaries, &distortions);
        let reading = Reading::new(&scenes);
        let makers = Makers::new(&summaries, &distortions);
        let rows: Vec<Row<'_>> =
            archive.questions.iter().map(|question| Row { archive, question }).collect();
        let mut taken: HashMap<String, String> = HashMap::new();
        cx.each(&rows, |_, row| {
            let placed = places.place(archive, row.question, scenes.len()).map_err(Stop::Reject)?;
            let mut question = question(&scenes, &reading, &placed);
            question.0.made_by = makers.of(&question.0);
            match taken.insert(question.0.id.clone(), row.item_id()) {
                None => Ok(question),
                Some(first) => {
                    taken.insert(question.0.id, first.clone());
                    let detail = format!("{first} asks with the same decoys after the same scene");
                    Err(Stop::reject("asked-twice", detail))
                }
            }
        })
    }
}

/// A question of the archive, named by the row it stands in.
struct Row<'a> {
    archive: &'a Archive,
    question: &'a ArchivedQuestion,
}

impl Item for Row<'_> {
    fn item_id(&self) -> String {
        item_id(self.archive, self.question)
    }
}

/// The name of an archived question: `84/questions/41/2`, row and place in it, both from 1.
pub(super) fn item_id(archive: &Archive, question: &ArchivedQuestion) -> String {
    format!("{}/questions/{}/{}", archive.book, question.row, question.nth)
}

/// A question at its place in the book.
fn question(scenes: &[Scene], reading: &Reading<'_>, placed: &Placed<'_>) -> ReadAlongQuestion {
    let t = placed.asked_at;
    let options = placed.options.iter().map(|option| {
        let of = option.scene.map(|scene| (&scenes[scene].book, scene));
        reading.choice(option.kind, option.text, &option.from, of, t + 1)
    });
    let said = Said {
        id: format!("{}/{}", scenes[t].item_id(), placed.of.name()),
        kind: placed.of.name().to_owned(),
        question: placed.stem.to_owned(),
        given: Vec::new(),
        options: options.collect(),
        answer: placed.answer,
    };
    reading.question(t, placed.scene, said)
}
