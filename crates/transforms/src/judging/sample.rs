//! `sample`: which retellings of a book are judged, with what they tell of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Edit, Item, Options, Retold, Rows, Scene, Stage, Stop, Summary, stage,
};
use storymill_text::{Language, sentence::sentences};

use crate::asking::at_least;

/// Takes a sample of a book's retellings, each with the text of the scenes that it covers.
///
/// ```
/// use storymill_transforms::Sample;
/// let stage: Sample = toml::from_str("scenes = 'scenes'\nsummaries = 'levels'").unwrap();
/// assert_eq!((stage.per_book, &stage.levels[..]), (5, &[0][..]));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings.
    pub summaries: Edge<Summary>,
    /// The step that makes the false ones. Default: none are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distortions: Option<Edge<Distortion>>,
    /// How many true retellings of each book, and as many false ones. Default: 5.
    #[serde(default = "crate::defaults::count::<5>")]
    pub per_book: u32,
    /// Of which levels: 0 for retellings of scenes. Default: 0 alone.
    #[serde(default = "scenes_only")]
    pub levels: Vec<u8>,
    /// What rows call the model that wrote them. Default: nobody says.
    #[serde(default)]
    pub written_by: String,
}

fn scenes_only() -> Vec<u8> {
    vec![0]
}

impl Options for Sample {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = at_least(&[("per_book", self.per_book, 1)]);
        if self.levels.is_empty() {
            faults.push(("levels", "must name at least one level".to_owned()));
        }
        faults
    }
}

impl Stage for Sample {
    stage!("sample", 1, (Rows<Scene>, Rows<Summary>, Option<Rows<Distortion>>) => Retold,
        scenes, summaries, distortions);

    fn run(
        &self,
        (scenes, summaries, distortions): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Retold>, Stop> {
        let scenes: BTreeMap<u32, &Scene> = scenes.iter().map(|one| (one.scene, one)).collect();
        let told = summaries.iter().map(|one| Told {
            id: one.id(),
            level: one.level,
            covers: (one.first_scene, one.last_scene),
            text: &one.text,
            edits: None,
        });
        let mut wanted = self.drawn(told, cx);
        if let Some(distortions) = &distortions {
            let told = distortions.iter().map(|one| Told {
                id: one.id(),
                level: one.level,
                covers: (one.first_scene, one.last_scene),
                text: &one.text,
                edits: Some(&one.edits),
            });
            wanted.extend(self.drawn(told, cx));
        }
        let unit = cx.unit().clone();
        cx.each(&wanted, |_, told| {
            let mut row = Retold {
                id: told.id.clone(),
                of: unit.clone(),
                scenes: None,
                story: unit.to_string(),
                source: String::new(),
                ends: Vec::new(),
                sentences: in_sentences(told.text),
                claims: Vec::new(),
                written_by: self.written_by.clone(),
                split: String::new(),
                edits: told.edits.map(<[_]>::to_vec),
                gold: None,
            };
            let mut symbols = 0;
            for at in told.covers.0..=told.covers.1 {
                let Some(scene) = scenes.get(&at) else {
                    let detail = format!("it covers scene {at}, which the book does not have");
                    return Err(Stop::reject("no-scene", detail));
                };
                row.scenes = Some((scene.book.clone(), told.covers.0, told.covers.1));
                row.source.push_str(&scene.text);
                symbols += scene.text.chars().count();
                row.ends.push(u32::try_from(symbols).unwrap_or(u32::MAX));
            }
            Ok(row)
        })
    }
}

/// A retelling, true or false.
struct Told<'r> {
    id: String,
    level: u8,
    covers: (u32, u32),
    text: &'r str,
    edits: Option<&'r [Edit]>,
}

impl Item for Told<'_> {
    fn item_id(&self) -> String {
        self.id.clone()
    }
}

impl Sample {
    /// Those with the lowest lots. A lot is drawn from the id alone: more of them, or other retellings beside
    /// them, put none of those out that had a low one.
    fn drawn<'r>(&self, told: impl Iterator<Item = Told<'r>>, cx: &Cx<'_>) -> Vec<Told<'r>> {
        let lot = |one: &Told<'_>| (cx.stream(&one.id, "sample").below(u32::MAX), one.id.clone());
        let mut drawn: Vec<Told<'r>> =
            told.filter(|one| self.levels.contains(&one.level)).collect();
        drawn.sort_by_cached_key(lot);
        drawn.truncate(self.per_book as usize);
        drawn.sort_by(|one, other| one.id.cmp(&other.id));
        drawn
    }
}

/// The sentences of a text, without the blanks around them.
fn in_sentences(text: &str) -> Vec<String> {
    let found = sentences(text, Language::of_text(text)).map(str::trim);
    found.filter(|sentence| !sentence.is_empty()).map(str::to_owned).collect()
}
