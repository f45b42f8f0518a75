//! `summarize`: a model retells each scene, truthfully and in few words.
//!
//! One request a scene. The scene goes with a stretch of its neighbours, marked as there for
//! understanding only; what a retelling has from them alone is found and rejected.

use std::{borrow::Cow, num::NonZeroU32};

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Edge, Reason, Reckoned, Resource, Rows, Scene, Size, Stage, Stop, Summary, middles,
    stage,
};
use storymill_text::Language;

use super::{
    answer::{Protocol, retelling, retelling_schema},
    checks::Checks,
    leak::{Spread, leaked},
    prompt::{AGAIN, Ask},
    tokens::tokens,
};
use crate::asking::{Asks, asking};

/// Has a model retell each scene.
///
/// ```
/// use storymill_transforms::{Protocol, Summarize};
/// let stage: Summarize = toml::from_str("from = 'scenes'\nprotocol = 'json'").unwrap();
/// assert_eq!((stage.protocol, stage.neighbours, stage.tries), (Protocol::Json, 300, 10));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summarize {
    /// The step that makes the scenes.
    pub from: Edge<Scene>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How answers mark their text: `tag` or `json`. Default: `tag`.
    #[serde(default)]
    pub protocol: Protocol,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// About how many words to ask for; of a short scene half its words. Default: 100.
    #[serde(default = "crate::defaults::count::<100>")]
    pub words: u32,
    /// How far an answer's number of words may be from what was asked for, per mille of that: retellings of all books
    /// are then of one length. Default: not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_pm: Option<u16>,
    /// How many symbols of the scene before and of the one behind go with a scene. Default: 300.
    #[serde(default = "crate::defaults::count::<300>")]
    pub neighbours: u32,
    /// How many scenes of each book are retold, spread over it: a quarter of the scenes takes a quarter of the requests, and
    /// contexts stay whole. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<NonZeroU32>,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
    /// The limits of the checks on answers.
    #[serde(default)]
    pub checks: Checks,
}

/// About how many symbols a word has, its blank included.
pub(crate) const SYMBOLS_OF_WORD: u64 = 6;

asking!(
    Summarize,
    ["summarize.jinja"],
    [AGAIN],
    [prompt],
    least = [(words, 10)],
    check = |stage, faults| [stage.checks.faults(), faults].concat()
);

impl Stage for Summarize {
    stage!("summarize", 2, Rows<Scene> => Summary, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let scenes = input.first().copied().unwrap_or_default();
        let told = SYMBOLS_OF_WORD * u64::from(self.words);
        let told = told.min((scenes.of_row() / 2).max(15 * SYMBOLS_OF_WORD));
        let told_of = self.most.map_or(scenes.rows, |most| scenes.rows.min(most.get().into()));
        let rows = Size { rows: told_of, symbols: told_of * told };
        let sent =
            Self::TEMPLATES[0].1.len() as u64 + 2 * u64::from(self.neighbours) + scenes.of_row();
        Reckoned::questions(rows, (&self.model, self.tries), told_of, (sent, told))
    }

    fn most_scenes(&self) -> Option<NonZeroU32> {
        self.most
    }

    fn run(&self, scenes: Rows<Scene>, cx: &mut Cx<'_>) -> Result<Vec<Summary>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let instructions = asking.with(0).prompt.instructions(&self.variables("", ["", ""]));
        let book = Book {
            scenes: &scenes,
            spread: Spread::of(&scenes),
            language: language_of(scenes.iter().map(|scene| &scene.text[..])),
            instructions,
        };
        let schema = match self.protocol {
            Protocol::Tag => None,
            Protocol::Json => Some(retelling_schema(self.checks.longest)),
        };
        let ask = Ask { schema: schema.as_ref(), ..asking.with(0) };
        cx.each(&spread(&scenes, self.most), |cx, scene| {
            if tokens(&scene.text).is_empty() {
                return Err(Stop::reject("empty-scene", "the scene has no words to retell"));
            }
            let beside = book.beside(scene, self.neighbours as usize);
            let variables = self.variables(scene.text.trim(), beside);
            let check = |answer: &Answer| self.check_answer(answer, scene, beside, &book);
            let taken = ask.first(cx, 0, &variables, check)?;
            Ok(Summary {
                book: scene.book.clone(),
                level: 0,
                at: scene.scene,
                first_scene: scene.scene,
                last_scene: scene.scene,
                protocol: self.protocol.word().into(),
                answers: vec![taken.digest()],
                text: taken.value,
            })
        })
    }
}

/// So many scenes of a book, spread over it, or all.
pub(crate) fn spread(scenes: &[Scene], most: Option<NonZeroU32>) -> Cow<'_, [Scene]> {
    let most = most.and_then(|most| usize::try_from(most.get()).ok());
    let Some(most) = most.filter(|most| *most < scenes.len()) else { return scenes.into() };
    middles(scenes.len(), most).map(|at| scenes[at].clone()).collect()
}

impl Summarize {
    fn variables(&self, scene: &str, [before, after]: [&str; 2]) -> Value {
        let (words, protocol) = (fewer(self.words, scene), self.protocol.word());
        context! { scene, before, after, words, protocol }
    }

    /// Whether a retelling is about as long as it was to be.
    fn in_window(&self, text: &str, scene: &str) -> Result<(), Reason> {
        let Some(window) = self.window_pm.map(u64::from) else { return Ok(()) };
        let (asked, is) = (u64::from(fewer(self.words, scene)), tokens(text).len() as u64);
        if 1000 * is.abs_diff(asked) <= window * asked {
            return Ok(());
        }
        let detail = format!("it has {is} words and should have about {asked}");
        Err(Reason::new("off-length", detail))
    }

    /// The retelling in an answer, or why it is unfit.
    fn check_answer(
        &self,
        answer: &Answer,
        scene: &Scene,
        beside: [&str; 2],
        book: &Book<'_>,
    ) -> Result<String, Reason> {
        let found = retelling(self.protocol, answer)?;
        let languages = [book.language, Language::of_text(&scene.text)];
        self.checks.text(&found, &scene.text, &book.instructions, &languages)?;
        self.in_window(&found.text, &scene.text)?;
        leaked(&found.text, &scene.text, beside, &book.spread, &self.checks)?;
        Ok(found.text)
    }
}

/// What is known of a whole book before its scenes are retold.
struct Book<'b> {
    scenes: &'b [Scene],
    spread: Spread,
    language: Language,
    instructions: String,
}

impl Book<'_> {
    /// The end of the scene before and the beginning of the one behind, where they are there.
    fn beside(&self, scene: &Scene, symbols: usize) -> [&str; 2] {
        let at = |position: Option<u32>| {
            let position = position?;
            let found = self.scenes.binary_search_by_key(&position, |scene| scene.scene).ok()?;
            Some(&self.scenes[found].text[..])
        };
        let before = at(scene.scene.checked_sub(1)).unwrap_or_default();
        let after = at(scene.scene.checked_add(1)).unwrap_or_default();
        let skipped = before.chars().count().saturating_sub(symbols);
        let start = before.char_indices().nth(skipped).map_or(before.len(), |(at, _)| at);
        let end = after.char_indices().nth(symbols).map_or(after.len(), |(at, _)| at);
        [before[start..].trim(), after[..end].trim()]
    }
}

/// So many words, or half as many as the source has where that is less; 15 at least.
pub(crate) fn fewer(words: u32, source: &str) -> u32 {
    let half = u32::try_from(tokens(source).len() / 2).unwrap_or(u32::MAX);
    words.min(half.max(15))
}

/// The language of a book, told by pieces from all over it.
pub(crate) fn language_of<'t>(texts: impl Iterator<Item = &'t str>) -> Language {
    const PIECE: usize = 400;
    let mut sample = String::new();
    for text in texts.take(200) {
        sample.extend(text.chars().take(PIECE));
        sample.push(' ');
    }
    Language::of_text(&sample)
}

#[cfg(test)]
mod tests;
