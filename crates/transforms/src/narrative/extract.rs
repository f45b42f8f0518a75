//! `extract`: a true retelling by rule, made of sentences of the scene that can stand alone.
//!
//! It needs no model and invents nothing: every sentence is the book's own. A stand-in for
//! `summarize`, with the same output.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Cx, Edge, Options, Rows, Scene, Stage, Stop, Summary, stage};
use storymill_names::{LISTS, Perceptron, Persons};
use storymill_text::{
    Language, one_line,
    word::{Word, words},
    word_count,
};

use super::{
    facts::{facts, people},
    narration::{Sentence, sentences},
};
use crate::asking::at_least;
use crate::retelling::summarize::spread;

/// Picks a few sentences of each scene that can stand alone.
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
    #[serde(default = "crate::defaults::count::<4>")]
    pub sentences: u32,
    /// How many scenes of each book are retold, spread over it. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<NonZeroU32>,
    /// How many words the retelling may have at most; a Chinese character counts as one.
    /// Default: 110.
    #[serde(default = "crate::defaults::count::<110>")]
    pub max_words: u32,
}

impl Options for Extract {
    fn check(&self) -> Vec<(&'static str, String)> {
        at_least(&[("sentences", self.sentences, 1), ("max_words", self.max_words, 10)])
    }

    fn embedded(&self) -> Vec<&'static str> {
        std::iter::once(Perceptron::table()).chain(LISTS).collect()
    }
}

impl Stage for Extract {
    stage!("extract", 10, Rows<Scene> => Summary, from);

    fn run(&self, scenes: Rows<Scene>, cx: &mut Cx<'_>) -> Result<Vec<Summary>, Stop> {
        let language = language_of(&scenes);
        let book: String = scenes.iter().map(|scene| &scene.text[..]).collect();
        let people = people(&book, language);
        cx.each(&spread(&scenes, self.most), |_, scene| {
            let text = self.pick(scene, language, &people).ok_or_else(|| {
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

/// A sentence that may be picked.
struct Candidate {
    /// Where it begins in the scene.
    at: usize,
    text: String,
    words: u32,
    score: i32,
}

impl Extract {
    fn pick(&self, scene: &Scene, language: Language, people: &Persons) -> Option<String> {
        let all = sentences(&scene.text, language).into_iter();
        let fits = |one: &Candidate| one.words <= self.max_words;
        let mut left: Vec<_> =
            all.filter_map(|one| candidate(one, language, people)).filter(fits).collect();
        let mut picked: Vec<Candidate> = Vec::new();
        // One from each stretch of the scene, so that the whole of it is told; then the best of what is left.
        let (zones, length) = (self.sentences as usize, scene.text.len());
        let stretches = (0..zones).map(|zone| length * zone / zones..length * (zone + 1) / zones);
        for stretch in stretches.chain(std::iter::repeat_n(0..length, zones)) {
            let inside = (0..left.len()).filter(|at| stretch.contains(&left[*at].at));
            let Some(best) = inside.max_by_key(|at| (left[*at].score, std::cmp::Reverse(*at)))
            else {
                continue;
            };
            let room = picked.iter().map(|one| one.words).sum::<u32>() + left[best].words;
            let good = left[best].score > 0 || picked.len() < 2 && stretch == (0..length);
            if good && picked.len() < zones && room <= self.max_words {
                picked.push(left.remove(best));
            }
        }
        picked.sort_by_key(|one| one.at);
        let blank = if language == Language::Chinese { "" } else { " " };
        let texts: Vec<&str> = picked.iter().map(|one| &one.text[..]).collect();
        (!texts.is_empty()).then(|| texts.join(blank))
    }
}

/// A sentence with its score, if it tells at all: no question, no scrap, no speech without a speaker.
fn candidate(sentence: Sentence<'_>, language: Language, people: &Persons) -> Option<Candidate> {
    let text = one_line(&sentence.text.replace('_', ""));
    let bare = text.trim_end_matches(|c| "”\"’」』)»".contains(c));
    let large = |c: char| c.is_uppercase() || c.is_ascii_digit() || c > '\u{2e80}';
    let usable = text.chars().find(|c| c.is_alphanumeric()).is_some_and(large)
        && bare.ends_with(['.', '。', '!', '！'])
        && !text.contains(['[', ']', '*', '|', '='])
        && !text.contains(".—")
        && sentence.whole
        && sentence.quoted * 10 <= sentence.text.len() * 7;
    let words = match language {
        Language::Chinese => text.chars().filter(|c| c.is_alphabetic()).count().try_into().ok()?,
        _ => word_count(&text),
    };
    if !usable || !(5..=60).contains(&words) {
        return None;
    }
    let length = i32::try_from(words).ok()?;
    let mut score = 14 - (length - 30).max(0) / 2 - (10 - length).max(0) * 2;
    score -= 10 * i32::from(sentence.quoted > 0) + 3 * i32::from(text.contains([';', '(']));
    score -= 8 * i32::from(bare.ends_with(['!', '！']));
    score += [0, 10, 14, 16][facts(&text, people).len().min(3)];
    if language == Language::English {
        score -= leaning(&text);
    }
    Some(Candidate { at: sentence.at, text, words, score })
}

/// Words that point at the sentence before, where a sentence begins with them.
const OPENERS: &str = "he she it they his her its their him them this that these those such thus hence here there nor \
    neither still besides otherwise or how what which who whose yes no oh ah but and so yet then now however \
    nevertheless therefore accordingly moreover indeed well for meanwhile also both each another others either some";
const PRONOUNS: &str = "he him his she her they them their it";
const SPEAKERS: &str = "i me my you your we us our is are am have do";

/// Points against what cannot stand alone in English: pronouns of somebody named before, and whoever speaks.
fn leaning(text: &str) -> i32 {
    let all: Vec<Word<'_>> = words(text).collect();
    let is_in = |list: &str, word: &Word<'_>| list.split(' ').any(|one| one == word.small());
    let opener = all.first().is_some_and(|word| is_in(OPENERS, word));
    let mut unnamed = all.iter().skip(1).take_while(|word| !word.is_capitalised());
    let pronoun = unnamed.any(|word| is_in(PRONOUNS, word));
    let speakers = all.iter().filter(|word| is_in(SPEAKERS, word)).take(3).count();
    14 * i32::from(opener) + 5 * i32::from(pronoun) + 2 * i32::try_from(speakers).unwrap_or(0)
}

#[cfg(test)]
mod tests;
