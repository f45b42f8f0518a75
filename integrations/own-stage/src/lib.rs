//! A stage of one's own: counts the words of dialogue in each scene, and publishes them as a table. And a wire format.

mod completion;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill::Registry;
use storymill_core::{Cx, Edge, Options, Rows, Scene, Stage, Stop, record, stage};
use storymill_dataset::table;

pub use completion::Completion;

/// How many words of a scene stand between quotation marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spoken {
    scene: u32,
    words: u32,
}

record!(Spoken, "spoken", 1);

/// Counts the words of dialogue in each scene.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountSpoken {
    /// The scenes.
    pub from: Edge<Scene>,
}

impl Options for CountSpoken {}

impl Stage for CountSpoken {
    stage!("count-spoken", 1, Rows<Scene> => Spoken, from);

    fn run(&self, scenes: Rows<Scene>, _: &mut Cx<'_>) -> Result<Vec<Spoken>, Stop> {
        let spoken = |scene: &Scene| {
            // Text between quotation marks is every second piece.
            let words = scene.text.split(['"', '\u{201c}', '\u{201d}']).skip(1).step_by(2);
            let words: usize = words.map(|piece| piece.split_whitespace().count()).sum();
            Spoken { scene: scene.scene, words: u32::try_from(words).expect("a scene is short") }
        };
        Ok(scenes.iter().map(spoken).collect())
    }
}

// Ids come first: by them two versions of a dataset are compared, row by row.
table! { Spoken, "the words of dialogue in a scene", plain, |spoken, added| {}
    "scene_id": Line => Scene::id_of(added.unit, spoken.scene), "the scene: `84/0012`";
    "book_id": Word => added.unit, "the book";
    "scene": Int => spoken.scene, "the scene, from 0";
    "words": Int => spoken.words, "words between quotation marks";
}

/// Everything that storymill knows, and ours.
pub fn registry() -> Registry {
    Registry::standard()
        .with_stage::<CountSpoken>()
        .with_table::<Spoken>()
        .with_wire(&Completion)
}
