//! `extract`: a true retelling by rule, made of the sentences that tell most.
//!
//! It needs no model and invents nothing: every sentence is the book's own, at most relieved of
//! a dangling first word. A stand-in for `summarize`, with the same output.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Options, Rows, Scene, Stage, Stop, Summary};
use storymill_text::{Language, word::words};

use super::{names::Names, narration::Narration, score::Scorer};

/// Picks the few sentences of each scene that tell most.
///
/// ```
/// use storymill_transforms::Extract;
/// let extract: Extract = toml::from_str("from = 'scenes'").unwrap();
/// assert_eq!((extract.sentences, extract.max_words), (4, 110));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// The step that makes the scenes.
    pub from: Edge<Scene>,
    /// How many sentences to pick from a scene at most. Default: 4.
    #[serde(default = "sentences")]
    pub sentences: u32,
    /// How many words the retelling may have at most; a Chinese character counts as one.
    /// Default: 110.
    #[serde(default = "max_words")]
    pub max_words: u32,
}

fn sentences() -> u32 {
    4
}

fn max_words() -> u32 {
    110
}

impl Options for Extract {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.sentences == 0 {
            faults.push(("sentences", "must be at least 1".into()));
        }
        if self.max_words < 10 {
            faults.push(("max_words", "must be at least 10".into()));
        }
        faults
    }
}

impl Stage for Extract {
    const KIND: &'static str = "extract";
    const VERSION: u32 = 4;
    type In = Rows<Scene>;
    type Out = Summary;

    fn edges(&self) -> Edge<Scene> {
        self.from.clone()
    }

    fn run(&self, scenes: Rows<Scene>, cx: &mut Cx<'_>) -> Result<Vec<Summary>, Stop> {
        let language = language_of(&scenes);
        let names = Names::of(&scenes);
        let scorer = Scorer::new(&names, spread(&scenes), scenes.len(), language);
        let narration = Narration::of(&scenes, language);
        cx.each(&scenes, |_, scene| {
            let text = self.pick(scene, narration, &scorer).ok_or_else(|| {
                Stop::left_out("nothing-to-extract", "no sentence of the scene tells an event")
            })?;
            Ok(Summary {
                book: scene.book.clone(),
                level: 0,
                at: scene.scene,
                first_scene: scene.scene,
                last_scene: scene.scene,
                protocol: "extract".into(),
                text,
                answers: Vec::new(),
            })
        })
    }
}

/// The language of a book, told by a stretch from its first scenes on.
pub(crate) fn language_of(scenes: &[Scene]) -> Language {
    let sample: String = scenes.iter().take(4).map(|scene| &scene.text[..]).collect();
    Language::of_text(&sample)
}

/// In how many scenes each word stands.
fn spread(scenes: &[Scene]) -> HashMap<String, u32> {
    let mut spread: HashMap<String, (u32, u32)> = HashMap::new();
    for (at, scene) in (1..).zip(scenes) {
        for word in words(&scene.text) {
            let word = word.small();
            match spread.get_mut(&word[..]) {
                Some((_, last)) if *last == at => {}
                Some((count, last)) => (*count, *last) = (*count + 1, at),
                None => {
                    spread.insert(word.into_owned(), (1, at));
                }
            }
        }
    }
    let mut plain = HashMap::with_capacity(spread.len());
    plain.extend(spread.into_iter().map(|(word, (count, _))| (word, count)));
    plain
}

/// A sentence that may be picked.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Where it begins in the scene.
    pub(crate) at: usize,
    /// Which sentence of the scene it is.
    pub(crate) order: usize,
    /// Cleaned text, which can be read without the sentence before.
    pub(crate) text: String,
    /// The text to read right behind the sentence before.
    pub(crate) after: String,
    pub(crate) words: u32,
    pub(crate) score: i32,
}

impl Extract {
    fn pick(&self, scene: &Scene, narration: Narration, scorer: &Scorer<'_>) -> Option<String> {
        let mut candidates = scorer.candidates(&narration.sentences(&scene.text));
        candidates.retain(|candidate| candidate.words <= self.max_words);
        let mut picked: Vec<&Candidate> = Vec::new();
        let zones = self.sentences as usize;
        // One from each stretch of the scene, so that the whole of it is told; then the best of
        // what is left.
        for zone in 0..zones {
            let bounds = scene.text.len() * zone / zones..scene.text.len() * (zone + 1) / zones;
            let inside = candidates.iter().filter(|candidate| bounds.contains(&candidate.at));
            picked.extend(best(inside).filter(|best| best.score > 0));
        }
        while picked.len() < zones {
            let is_new =
                |candidate: &&Candidate| picked.iter().all(|other| other.at != candidate.at);
            let Some(next) = best(candidates.iter().filter(is_new)) else { break };
            if next.score <= 0 && picked.len() > 1 {
                break;
            }
            picked.push(next);
        }
        while picked.iter().map(|candidate| candidate.words).sum::<u32>() > self.max_words {
            let worst = (0..picked.len()).min_by_key(|at| (picked[*at].score, picked[*at].at))?;
            picked.remove(worst);
        }
        picked.sort_by_key(|candidate| candidate.at);
        let blank = if scorer.language == Language::Chinese { "" } else { " " };
        let befores = std::iter::once(None).chain(picked.iter().map(Some));
        let texts = picked.iter().zip(befores).map(|(candidate, before)| match before {
            Some(before) if before.order + 1 == candidate.order => &candidate.after[..],
            _ => &candidate.text[..],
        });
        let texts: Vec<&str> = texts.collect();
        (!texts.is_empty()).then(|| texts.join(blank))
    }
}

/// The one with the highest score, of equals the first.
fn best<'c>(candidates: impl Iterator<Item = &'c Candidate>) -> Option<&'c Candidate> {
    candidates.max_by_key(|candidate| (candidate.score, std::cmp::Reverse(candidate.at)))
}

#[cfg(test)]
#[path = "extract_tests.rs"]
mod tests;
