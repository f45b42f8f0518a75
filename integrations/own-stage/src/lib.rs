//! A stage of one's own: counts the words of dialogue in each scene, and publishes them as a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill::Registry;
use storymill_core::{Cx, Edge, Encoding, Options, Record, Rows, Scene, Stage, Stop};
use storymill_dataset::{Added, Column, Table, Type};

/// How many words of a scene stand between quotation marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Spoken {
    scene: u32,
    words: u32,
}

impl Record for Spoken {
    const NAME: &'static str = "spoken";
    const VERSION: u32 = 1;
}

/// Counts the words of dialogue in each scene.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountSpoken {
    /// The scenes.
    pub from: Edge<Scene>,
}

impl Options for CountSpoken {}

impl Stage for CountSpoken {
    const KIND: &'static str = "count-spoken";
    const VERSION: u32 = 1;
    type In = Rows<Scene>;
    type Out = Spoken;

    fn edges(&self) -> Edge<Scene> {
        self.from.clone()
    }

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

/// A row as readers see it.
#[derive(Serialize)]
pub struct SpokenRow {
    id: String,
    book_id: String,
    scene: u32,
    words: u32,
}

impl Table for Spoken {
    type Row = SpokenRow;
    const ABOUT: &'static str = "the words of dialogue in a scene";
    const EVALUATION: bool = false;

    fn columns(_: &[Encoding]) -> Vec<Column> {
        vec![
            // The first column tells rows apart.
            Column::new("id", Type::Word, "book and scene"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("scene", Type::Int, "the scene, from 0"),
            Column::new("words", Type::Int, "words between quotation marks"),
        ]
    }

    fn row(self, added: &Added<'_>) -> SpokenRow {
        let id = format!("{}/{:04}", added.unit, self.scene);
        SpokenRow { id, book_id: added.unit.to_string(), scene: self.scene, words: self.words }
    }
}

/// Everything that storymill knows, and ours.
pub fn registry() -> Registry {
    Registry::standard().with_stage::<CountSpoken>().with_table::<Spoken>()
}
