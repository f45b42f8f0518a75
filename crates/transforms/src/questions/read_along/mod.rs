//! `read-along`: after every scene, asks which of six scenes was in what was read so far.
//!
//! The rules are NarrativeXL's (section 4), made honest where the original is not; `preset =
//! "paper"` keeps the original's. docs/questions.md gives every difference and why.

mod near;
mod paper;
mod pool;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Choice, Cx, Distortion, Edge, Item, OptionKind, Options, Question, QuestionType, Rows, Scene,
    Span, Stage, Stop, Stream, Summary,
};

use crate::{
    Preset,
    reading::{Reading, Said},
};
use pool::{Named, Pool};

/// Asks, after every scene of a book, which of five scenes was in what was read so far; the sixth
/// option is that none was (NarrativeXL, section 4).
///
/// ```
/// use storymill_transforms::ReadAlong;
/// let stage = "scenes = 'scenes'\nsummaries = 'summaries'\ndistortions = 'distortions'";
/// assert!(toml::from_str::<ReadAlong>(stage).is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadAlong {
    /// The step that makes the scenes.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings; those of single scenes are used.
    pub summaries: Edge<Summary>,
    /// The step that makes the false retellings; those of single scenes are used.
    pub distortions: Edge<Distortion>,
    /// Whose rules: `storymill`, or the `paper`'s, which allow what makes some of its questions
    /// easy or ambiguous. Default: `storymill`.
    #[serde(default)]
    pub preset: Preset,
    /// What the wrong options may be: `lookahead`, true retellings of later scenes;
    /// `scene-distortion`, false retellings of scenes that were read. Default: both.
    #[serde(default = "both")]
    pub types: Vec<Decoys>,
    /// How many scenes right behind the last one read are no lookahead decoys. The model that
    /// retold a scene saw a little of its neighbours. Default: 1; the paper's rules: 0.
    #[serde(default)]
    pub gap: Option<u32>,
    /// Whether the options of scene distortion are all twins, texts made by the same process, one
    /// true and the others false. Otherwise a summary stands among distortions, and its style may
    /// give it away. Default: yes; the paper's rules: no.
    #[serde(default)]
    pub twins: Option<bool>,
    /// How near a decoy may come to the retelling of another scene that was read, per mille of how
    /// near it is to its own scene's (BM25). Nearer ones are not used. 0 looks for equal texts
    /// only. Default: 600; the paper's rules: not looked at.
    #[serde(default)]
    pub near_pm: Option<u16>,
}

/// What wrong options may be.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Decoys {
    /// True retellings of scenes that come later.
    Lookahead,
    /// False retellings of scenes that were read.
    SceneDistortion,
}

fn both() -> Vec<Decoys> {
    vec![Decoys::Lookahead, Decoys::SceneDistortion]
}

/// Options before the last one, which is none of the above.
const SHOWN: usize = 5;

const NEAR_PM: u16 = 600;

impl Options for ReadAlong {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.types.is_empty() {
            faults.push(("types", "must name at least one type".to_owned()));
        }
        if (0..self.types.len()).any(|at| self.types[..at].contains(&self.types[at])) {
            faults.push(("types", "names a type twice".to_owned()));
        }
        if self.preset == Preset::Paper {
            let fixed = [
                ("gap", self.gap.is_some()),
                ("twins", self.twins.is_some()),
                ("near_pm", self.near_pm.is_some()),
            ];
            let fixed = fixed.into_iter().filter(|(_, named)| *named);
            faults.extend(fixed.map(|(name, _)| {
                (name, "cannot be set together with preset = \"paper\", which fixes it".to_owned())
            }));
        }
        if self.near_pm.is_some_and(|near| near > 1000) {
            faults.push(("near_pm", "must be at most 1000, which is as near as a twin".to_owned()));
        }
        faults
    }
}

impl Stage for ReadAlong {
    const KIND: &'static str = "read-along";
    const VERSION: u32 = 1;
    type In = (Rows<Scene>, Rows<Summary>, Rows<Distortion>);
    type Out = Question;

    fn edges(&self) -> (Edge<Scene>, Edge<Summary>, Edge<Distortion>) {
        (self.scenes.clone(), self.summaries.clone(), self.distortions.clone())
    }

    fn run(
        &self,
        (scenes, summaries, distortions): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Question>, Stop> {
        let near_pm = match self.preset {
            Preset::Storymill => Some(self.near_pm.unwrap_or(NEAR_PM)),
            Preset::Paper => None,
        };
        let named = Named::new(&summaries, &distortions);
        let mut pool = Pool::new(scenes.len(), &named);
        if let Some(near_pm) = near_pm {
            near::mark(&mut pool, near_pm).map_err(|error| {
                Stop::reject("no-words", format!("the retellings cannot be compared: {error}"))
            })?;
        }
        let reading = Reading::new(&scenes);
        let moments: Vec<Moment<'_>> = scenes
            .iter()
            .enumerate()
            .flat_map(|(t, scene)| self.types.iter().map(move |of| Moment { t, scene, of: *of }))
            .collect();
        let questions = cx.each(&moments, |cx, moment| {
            let mut draw = cx.stream(&moment.item_id(), "draw");
            let drawn = match self.preset {
                Preset::Storymill => self.draw(&pool, moment, &mut draw)?,
                Preset::Paper => paper::draw(&pool, moment, &mut draw)?,
            };
            Ok(drawn.map(|drawn| question(&reading, moment, &drawn, self.preset, &mut draw)))
        })?;
        Ok(questions.into_iter().flatten().collect())
    }
}

/// A moment of reading at which something is asked: after scene `t`, with decoys of a type.
struct Moment<'s> {
    t: usize,
    scene: &'s Scene,
    of: Decoys,
}

impl Moment<'_> {
    fn of(&self) -> QuestionType {
        match self.of {
            Decoys::Lookahead => QuestionType::Lookahead,
            Decoys::SceneDistortion => QuestionType::SceneDistortion,
        }
    }
}

impl Item for Moment<'_> {
    fn item_id(&self) -> String {
        format!("{}/{}", self.scene.item_id(), self.of().name())
    }

    fn item_span(&self) -> Option<Span> {
        Some(self.scene.span)
    }
}

/// A text about a scene, and the retelling it is taken from.
#[derive(Clone, Copy, Debug)]
struct Told<'r> {
    scene: usize,
    text: &'r str,
    from: &'r str,
}

/// The texts of a question: four decoys and what is true, or five decoys.
struct Drawn<'r> {
    truth: Option<Told<'r>>,
    decoys: Vec<Told<'r>>,
}

impl<'r> Drawn<'r> {
    fn has(&self, text: &str) -> bool {
        self.truth.iter().chain(&self.decoys).any(|told| told.text == text)
    }

    fn wanted(&self) -> usize {
        if self.truth.is_some() { SHOWN - 1 } else { SHOWN }
    }

    /// Draws decoys from some scenes, one from each at most: the scene first, then the text.
    fn draw_decoys<T: IntoIterator<Item = Told<'r>>>(
        &mut self,
        mut from: Vec<usize>,
        draw: &mut Stream,
        texts: impl Fn(usize) -> T,
    ) -> Result<(), Stop> {
        while self.decoys.len() < self.wanted() {
            let at = draw.index(from.len()).ok_or_else(too_alike)?;
            let scene = from.swap_remove(at);
            // Two scenes that are told in the same words are one option.
            let fresh: Vec<_> = texts(scene).into_iter().filter(|t| !self.has(t.text)).collect();
            self.decoys.extend(draw.choose(&fresh));
        }
        Ok(())
    }
}

fn too_alike() -> Stop {
    Stop::left_out("ambiguous", "too few retellings differ enough from what was read")
}

impl ReadAlong {
    /// Draws a question by this project's rules. None where its type cannot be asked: both
    /// outcomes must be possible, that a scene is right and that none is, and that is settled
    /// before anything is drawn.
    fn draw<'r>(
        &self,
        pool: &'r Pool<'_>,
        moment: &Moment<'_>,
        draw: &mut Stream,
    ) -> Result<Option<Drawn<'r>>, Stop> {
        let t = moment.t;
        match moment.of {
            Decoys::Lookahead => {
                let gap = self.gap.unwrap_or(1) as usize;
                let later = pool.truths.get(t + 1 + gap..).unwrap_or_default();
                let read = &pool.truths[..=t];
                let later = later.iter().flatten();
                if later.clone().count() < SHOWN || read.iter().flatten().next().is_none() {
                    return Ok(None);
                }
                let far: Vec<_> =
                    later.filter(|truth| truth.is_far(t)).map(|truth| truth.told.scene).collect();
                if far.len() < SHOWN {
                    return Err(too_alike());
                }
                let truth = some_is_right(draw).then(|| {
                    let read: Vec<_> = read.iter().flatten().collect();
                    draw.choose(&read).expect("there is one").told
                });
                let mut drawn = Drawn { truth, decoys: Vec::new() };
                drawn.draw_decoys(far, draw, |scene| {
                    pool.truths[scene].as_ref().map(|truth| truth.told)
                })?;
                Ok(Some(drawn))
            }
            Decoys::SceneDistortion => {
                let twins = self.twins.unwrap_or(true);
                let distorted = |scene: &usize| !pool.lies[*scene].is_empty();
                let scenes: Vec<_> = (0..=t).filter(distorted).collect();
                if scenes.len() < SHOWN {
                    return Ok(None);
                }
                let far = |scene: usize| pool.lies[scene].iter().filter(move |lie| lie.is_far(t));
                let mut from: Vec<_> =
                    scenes.iter().copied().filter(|scene| far(*scene).next().is_some()).collect();
                if from.len() < SHOWN {
                    return Err(too_alike());
                }
                let truth = some_is_right(draw).then(|| {
                    let scene = *draw.choose(&scenes).expect("there are five");
                    if twins {
                        draw.choose(&pool.lies[scene]).expect("it was distorted").twin
                    } else {
                        pool.truths[scene].as_ref().expect("what is distorted was told").told
                    }
                });
                if let Some(truth) = truth {
                    from.retain(|scene| *scene != truth.scene);
                }
                let mut drawn = Drawn { truth, decoys: Vec::new() };
                drawn.draw_decoys(from, draw, |scene| far(scene).map(|lie| lie.told))?;
                Ok(Some(drawn))
            }
        }
    }
}

/// Whether a scene is right, and not none of the above: five times in six.
fn some_is_right(draw: &mut Stream) -> bool {
    draw.below(6) != 0
}

/// A question of what was drawn.
fn question(
    reading: &Reading<'_>,
    moment: &Moment<'_>,
    drawn: &Drawn<'_>,
    preset: Preset,
    draw: &mut Stream,
) -> Question {
    let choice = |kind, told: &Told<'_>| {
        let of = Some((&moment.scene.book, told.scene));
        reading.choice(kind, told.text, told.from, of, moment.t + 1)
    };
    let decoy = |told: &Told<'_>| choice(OptionKind::Decoy(moment.of()), told);
    let mut options: Vec<Choice> = drawn.decoys.iter().map(decoy).collect();
    let mut right = SHOWN;
    if let Some(truth) = &drawn.truth {
        right = draw.index(SHOWN).expect("there are five places");
        options.insert(right, choice(OptionKind::True, truth));
    }
    options.push(reading.choice(OptionKind::None, "None of the above.", "", None, 0));
    let (id, question) = (moment.item_id(), wording(preset).to_owned());
    let answer = u8::try_from(right).expect("there are six options");
    let said = Said { id, of: moment.of(), question, options, answer };
    reading.question(moment.t, drawn.truth.map(|truth| truth.scene), said)
}

/// The question in words. The paper's speaks of the book, though decoys from later on are in the
/// book too.
fn wording(preset: Preset) -> &'static str {
    match preset {
        Preset::Storymill => {
            "In what you have read so far, was there a scene in which one of the following happens? \
             Choose the option that tells what happened, or the last one if none of them did."
        }
        Preset::Paper => "Which of the following scenes was in the book?",
    }
}

#[cfg(test)]
mod tests;
