//! `read-along`: after every scene, asks which of six scenes was in what was read so far.
//!
//! The rules are NarrativeXL's (section 4), made honest where the original is not; `preset =
//! "paper"` keeps the original's. docs/questions.md gives every difference and why.

mod decoys;
mod drawn;
mod layout;
mod lookahead;
mod moment;
mod near;
mod other_book;
mod paper;
mod people;
mod pool;
mod posed;
mod same_scene;
mod scene_distortion;
mod since;
mod spares;
mod state;
mod told_order;
mod who_when;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cast, Cx, Distortion, Edge, Inputs, Item, Near, Options, Partners, ReadAlongQuestion, Rows,
    Scene, Stage, StateDraft, Stop, Summary,
};

pub use decoys::Decoys;
use moment::Moment;
use near::Nearness;
use other_book::Others;
use people::People;
use pool::{Named, Pool};
pub use spares::SpareDecoys;
pub(crate) use spares::by_question;

use super::makers::Makers;
use crate::{Preset, reading::Reading};

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
    /// The corpus stage that says which other books each book draws from. Needed for `other-book`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partners: Option<Edge<Partners>>,
    /// The step that makes the casts, in whose names other books are told. Needed for `other-book` and `who-when`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub casts: Option<Edge<Cast>>,
    /// The step that makes several false retellings of each true one (`variants` of `distort` or `swap-facts`). Needed for
    /// `same-scene`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Edge<Distortion>>,
    /// The step that has questions drafted about what changes between scenes (`draft-state`). Needed for `state`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Edge<StateDraft>>,
    /// What the wrong options may be: `lookahead`, true retellings of later scenes;
    /// `scene-distortion`, false retellings of scenes that were read; `other-book`, true retellings
    /// of scenes of other books, in this book's names; `same-scene`, false retellings of the scene that is asked about.
    /// Or what is asked besides: `told-order`, in which order four scenes are told; `since`, what is told after a
    /// scene; `who-when`, who is named first, and which two together; `state`, how something was in two scenes.
    /// Default: the first two.
    #[serde(default = "both")]
    pub types: Vec<Decoys>,
    /// How many scenes right behind the last one read are no lookahead decoys. The model that
    /// retold a scene saw a little of its neighbours. Default: 1; the paper's rules: 0.
    #[serde(default)]
    pub gap: Option<u32>,
    /// How many scenes lie between two places at least, where `told-order`, `since` or `who-when` ask for their order.
    /// Default: 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<u32>,
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

/// What is needed of other books: which they are, in whose names they are told, their retellings and
/// their casts.
type FromOthers = (Rows<Partners>, Rows<Cast>, Near<Summary>, Near<Cast>);

fn both() -> Vec<Decoys> {
    vec![Decoys::Lookahead, Decoys::SceneDistortion]
}

const NEAR_PM: u16 = 600;
const APART: u32 = 3;

impl Options for ReadAlong {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.types.is_empty() {
            faults.push(("types", "must name at least one type".to_owned()));
        }
        if (0..self.types.len()).any(|at| self.types[..at].contains(&self.types[at])) {
            faults.push(("types", "names a type twice".to_owned()));
        }
        let has = |decoys| self.types.contains(&decoys);
        let people = has(Decoys::WhoWhen);
        if people && self.casts.is_none() {
            faults.push(("types", "has \"who-when\", which needs `casts`".to_owned()));
        }
        for (name, named, used) in
            [("partners", self.partners.is_some(), false), ("casts", self.casts.is_some(), people)]
        {
            if has(Decoys::OtherBook) && !named {
                faults.push(("types", format!("has \"other-book\", which needs `{name}`")));
            }
            if named && !has(Decoys::OtherBook) && !used {
                let with = if name == "casts" { " or \"who-when\"" } else { "" };
                let why = format!("is of use only with \"other-book\"{with} in `types`");
                faults.push((name, why));
            }
        }
        for (decoys, kind, name, named) in [
            (Decoys::SameScene, "same-scene", "variants", self.variants.is_some()),
            (Decoys::State, "state", "states", self.states.is_some()),
        ] {
            if has(decoys) && !named {
                faults.push(("types", format!("has \"{kind}\", which needs `{name}`")));
            }
            if named && !has(decoys) {
                faults.push((name, format!("is of use only with \"{kind}\" in `types`")));
            }
        }
        if self.preset == Preset::Paper {
            if self.types.iter().any(|of| of.question_type().decoys_happened()) {
                let why = "has a type that the paper's rules do not know";
                faults.push(("types", why.to_owned()));
            }
            let fixed = [
                ("gap", self.gap.is_some()),
                ("apart", self.apart.is_some()),
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

impl ReadAlong {
    fn apart(&self) -> usize {
        self.apart.unwrap_or(APART) as usize
    }
}

impl Stage for ReadAlong {
    const KIND: &'static str = "read-along";
    const VERSION: u32 = 6;
    type In = (
        (Rows<Scene>, Rows<Summary>, Rows<Distortion>),
        Option<FromOthers>,
        Option<Rows<Cast>>,
        Option<Rows<Distortion>>,
        Option<Rows<StateDraft>>,
    );
    type Out = ReadAlongQuestion;

    fn edges(&self) -> <Self::In as Inputs>::Edges {
        let others = self.partners.as_ref().zip(self.casts.as_ref()).map(|(partners, casts)| {
            let near = (self.summaries.near(partners), casts.near(partners));
            (partners.clone(), casts.clone(), near.0, near.1)
        });
        let people = self.casts.clone().filter(|_| self.types.contains(&Decoys::WhoWhen));
        let own = (self.scenes.clone(), self.summaries.clone(), self.distortions.clone());
        (own, others, people, self.variants.clone(), self.states.clone())
    }

    fn run(
        &self,
        ((scenes, summaries, distortions), others, casts, variants, states): Self::In,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<ReadAlongQuestion>, Stop> {
        let near_pm = match self.preset {
            Preset::Storymill => Some(self.near_pm.unwrap_or(NEAR_PM)),
            Preset::Paper => None,
        };
        let mut makers = Makers::new(&summaries, &distortions);
        if let Some((partners, _, near_told, _)) = &others {
            makers.add_partners(partners, near_told);
        }
        let named = Named::new(&summaries, &distortions);
        let mut pool = draw_from(&named, (&scenes, &summaries), others.as_ref(), near_pm)?;
        if let Some(cast) = casts.as_ref().and_then(|casts| casts.first()) {
            let mut draw = cx.stream(cx.unit().as_str(), "people");
            pool.people = People::of(cast, &scenes, self.apart(), &mut draw)?;
        }
        let reading = Reading::new(&scenes);
        let moment = |(t, scene), decoys: Decoys| {
            decoys.parts().iter().map(move |part| Moment { t, scene, decoys, part })
        };
        let moments: Vec<Moment<'_>> = scenes
            .iter()
            .enumerate()
            .flat_map(|at| self.types.iter().flat_map(move |decoys| moment(at, *decoys)))
            .collect();
        let mut questions = cx.each(&moments, |cx, moment| {
            let mut draw = cx.stream(&moment.item_id(), "draw");
            let posed = Decoys::pose(self, &pool, moment, &mut draw)?;
            Ok(posed.map(|posed| {
                let mut asked = moment.question(&reading, posed);
                asked.0.made_by = makers.of(&asked.0);
                asked
            }))
        })?;
        let variants = variants.as_deref().unwrap_or_default();
        questions.extend(same_scene::ask(variants, &reading, cx)?.into_iter().map(Some));
        let states = states.as_deref().unwrap_or_default();
        questions.extend(state::ask(states, &reading, cx).into_iter().map(Some));
        let mut questions: Vec<_> = questions.into_iter().flatten().collect();
        questions.sort_by_key(|question| question.0.asked_at());
        Ok(questions)
    }
}

/// What the options of a book's questions are drawn from.
fn draw_from<'r>(
    named: &'r Named<'_>,
    (scenes, summaries): (&[Scene], &[Summary]),
    others: Option<&FromOthers>,
    near_pm: Option<u16>,
) -> Result<Pool<'r>, Stop> {
    let mut pool = Pool::new(scenes.len(), named);
    let nearness = near_pm.map(|near_pm| Nearness::new(&pool, near_pm)).transpose();
    let nearness = nearness.map_err(|error| {
        Stop::reject("no-words", format!("the retellings cannot be compared: {error}"))
    })?;
    if let Some(nearness) = &nearness {
        near::mark(&mut pool, nearness);
    }
    if let Some((partners, casts, near_told, near_casts)) = others
        && let (Some(partners), Some(cast)) = (partners.first(), casts.first())
    {
        let near = (near_told, near_casts);
        pool.others = Others::new(partners, cast, (scenes, summaries), near, nearness.as_ref())?;
    }
    Ok(pool)
}

#[cfg(test)]
mod balance_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
mod who_when_tests;

#[cfg(test)]
mod other_book_tests;
