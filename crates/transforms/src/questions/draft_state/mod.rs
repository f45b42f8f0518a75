//! `draft-state`: a model drafts questions about what changes between scenes, and they are checked by taking scenes away.
//!
//! Which scenes are drafted from follows from rule and seed (`scenes`). A draft is kept if whoever reads all its scenes
//! answers rightly, and whoever reads all but one of them does not, whichever is missing: so each of them is needed.
//! `read-along` asks what is kept.

mod draft;
mod scenes;

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Digest, Edge, Item, Reckoned, Resource, Review, Rows, Scene, Size, Span, Stage,
    StateDraft, Stop, Summary, stage,
};

use crate::{
    asking::{Asking, Asks, asking},
    retelling::prompt::AGAIN,
};
use draft::{Draft, WRONG};
use scenes::{Wanted, pick};

/// Has a model draft questions about what changes between scenes that lie far apart, and keeps those that need each of
/// their scenes.
///
/// ```
/// use storymill_transforms::DraftState;
/// let stage: DraftState = toml::from_str("scenes = 'scenes'\nsummaries = 'summaries'").unwrap();
/// assert_eq!((stage.limit, stage.places, stage.apart), (20, 2, 3));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftState {
    /// The step that makes the scenes, which drafts are checked against.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings; drafts are made from those of single scenes.
    pub summaries: Edge<Summary>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How many drafts are asked for in a book at most. Default: 20.
    #[serde(default = "crate::defaults::count::<20>")]
    pub limit: u32,
    /// How many scenes a question needs, 2 to 4. Default: 2.
    #[serde(default = "crate::defaults::count::<2>")]
    pub places: u32,
    /// How many scenes lie between two of them at least. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub apart: u32,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// A template for the draft, instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
    /// A template for its checks.
    #[serde(default)]
    pub prompt_check: Option<Resource>,
}

/// More scenes than that have no word in common.
const MOST_PLACES: u32 = 4;

asking!(
    DraftState,
    ["state.jinja", "state-check.jinja"],
    [AGAIN],
    [prompt, prompt_check],
    least = [(limit, 1), (places, 2)],
    check = |stage, mut faults| {
        if stage.places > MOST_PLACES {
            faults.push(("places", format!("must be at most {MOST_PLACES}")));
        }
        faults
    }
);

/// The places of its templates.
const DRAFT: usize = 0;
const CHECK: usize = 1;
/// About how many symbols a draft has.
const DRAFT_SYMBOLS: u64 = 900;

impl Stage for DraftState {
    stage!("draft-state", 1, (Rows<Scene>, Rows<Summary>) => StateDraft, scenes, summaries);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let size = |at: usize| input.get(at).copied().unwrap_or_default();
        let (scenes, told, places) = (size(0), size(1), u64::from(self.places));
        let drafts = u64::from(self.limit).min(scenes.rows / places);
        // A draft, then a check of all its scenes and one without each.
        let checks = drafts * (places + 1);
        let prompts = Self::TEMPLATES.iter().map(|(_, text)| text.len() as u64).sum::<u64>() / 2;
        let sent = prompts + places * (told.of_row() + places * scenes.of_row()) / (places + 2);
        let rows = Size { rows: drafts, symbols: drafts * DRAFT_SYMBOLS };
        let each = (sent, DRAFT_SYMBOLS / (places + 2));
        Reckoned::questions(rows, (&self.model, self.tries), drafts + checks, each)
            .following(checks)
    }

    fn run(&self, (scenes, summaries): Self::In, cx: &mut Cx<'_>) -> Result<Vec<StateDraft>, Stop> {
        let asking = self.asking(&[&self.prompt, &self.prompt_check])?;
        let has = |summary: &&Summary| {
            summary.level == 0 && scenes.iter().any(|scene| scene.scene == summary.at)
        };
        let told: Vec<&Summary> = summaries.iter().filter(has).collect();
        let mut draw = cx.stream(cx.unit().as_str(), "scenes");
        let wanted =
            Wanted { places: self.places as usize, apart: self.apart, limit: self.limit as usize };
        let picked = pick(&told, wanted, &mut draw).into_iter().map(|picked| {
            let scene = |at: &u32| scenes.iter().find(|scene| scene.scene == *at);
            let account = |at: &u32| told.iter().find(|told| told.at == *at);
            Sought {
                scenes: picked.scenes.iter().filter_map(scene).collect(),
                accounts: picked
                    .scenes
                    .iter()
                    .filter_map(account)
                    .map(|one| one.text.clone())
                    .collect(),
                things: picked.things,
            }
        });
        cx.each(&picked.collect::<Vec<_>>(), |cx, sought| made(sought, &asking, cx))
            .map(|made| made.into_iter().flatten().collect())
    }
}

/// Scenes in which something is sought that changes.
struct Sought<'s> {
    scenes: Vec<&'s Scene>,
    accounts: Vec<String>,
    things: Vec<String>,
}

impl Sought<'_> {
    fn numbers(&self) -> Vec<u32> {
        self.scenes.iter().map(|scene| scene.scene).collect()
    }
}

impl Item for Sought<'_> {
    fn item_id(&self) -> String {
        StateDraft::id_of(&self.scenes[0].book, &self.numbers())
    }

    fn item_span(&self) -> Option<Span> {
        Some(self.scenes[0].span)
    }
}

/// A draft that needs each of its scenes; none where people drop it.
fn made(
    sought: &Sought<'_>,
    asking: &Asking<'_>,
    cx: &mut Cx<'_>,
) -> Result<Option<StateDraft>, Stop> {
    let Sought { accounts, things, .. } = sought;
    let read = |given: &Answer| draft::read(given, accounts);
    let shown = context! { accounts, things };
    let taken = asking.with(DRAFT).first(cx, 0, &shown, read)?;
    let mut answers = vec![taken.digest()];
    let Some(draft) = taken.value else {
        let why = format!("nothing changes about {}, as the model says", things.join(", "));
        return Err(Stop::left_out("nothing-changes", why));
    };
    let id = sought.item_id();
    let order = order(&id, cx);
    let right = order.iter().position(|at| *at == 0).expect("the right answer is the first one");
    let Draft { question, evidence, answers: own } = draft;
    let options: Vec<String> = order.iter().map(|at| own[*at].clone()).collect();
    let asked = Asked { question, options, right };
    answers.extend(asked.needs_each(sought, asking, cx)?);
    let Asked { question, options, right } = asked;
    let marked = options.iter().enumerate().map(|(at, option)| {
        let says = if at == right { "right" } else { "wrong" };
        format!("\n{says}: {option}")
    });
    let review = Review {
        item: id,
        code: "state-question".into(),
        question: "is this answer right, each other one wrong, and is each of the scenes needed?"
            .to_owned(),
        excerpt: question.clone() + &marked.collect::<String>(),
        text: accounts.join("\n\n"),
        choices: vec!["keep".to_owned(), "drop".to_owned()],
        default: "keep".to_owned(),
        ..Review::default()
    };
    let keep = cx.decide(review)? == "keep";
    let row = StateDraft {
        book: sought.scenes[0].book.clone(),
        scenes: sought.numbers(),
        things: things.clone(),
        question,
        options,
        right: u8::try_from(right).expect("there are a handful of options"),
        evidence,
        answers,
    };
    Ok(keep.then_some(row))
}

/// In which order the answers stand, the right one being 0.
fn order(id: &str, cx: &Cx<'_>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..=WRONG).collect();
    cx.stream(id, "order").shuffle(&mut order);
    order
}

/// A question as it is checked.
struct Asked {
    question: String,
    options: Vec<String>,
    right: usize,
}

impl Asked {
    /// Asks whoever reads all scenes, and then whoever reads all but one, for each of them. Gives their answers.
    fn needs_each(
        &self,
        sought: &Sought<'_>,
        asking: &Asking<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Digest>, Stop> {
        let texts: Vec<String> =
            sought.scenes.iter().map(|scene| scene.text.trim().to_owned()).collect();
        let (all, digest) = self.answered(&texts, asking, cx)?;
        if all != Some(self.right) {
            let said = all.map_or("does not know", |_| "gives another answer");
            let why = format!("a reader of all its scenes {said}");
            return Err(Stop::reject("not-answered", why));
        }
        // All are asked for at once, so that none waits for another.
        let without = |at: usize| {
            let mut texts = texts.clone();
            texts.remove(at);
            self.answered(&texts, asking, cx)
        };
        let without: Vec<Result<_, Stop>> = (0..texts.len()).map(without).collect();
        let without = without.into_iter().collect::<Result<Vec<_>, Stop>>()?;
        let needless = without.iter().position(|(answer, _)| *answer == Some(self.right));
        if let Some(at) = needless {
            let why = format!("a reader without scene {} answers it too", sought.scenes[at].scene);
            return Err(Stop::reject("not-needed", why));
        }
        Ok(std::iter::once(digest).chain(without.into_iter().map(|(_, digest)| digest)).collect())
    }

    /// What a reader of these passages answers, and the answer's digest.
    fn answered(
        &self,
        passages: &Vec<String>,
        asking: &Asking<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<(Option<usize>, Digest), Stop> {
        let Self { question, options, .. } = self;
        let variables = context! { passages, question, options };
        let read = |given: &Answer| draft::chosen(given, options.len());
        let taken = asking.with(CHECK).first(cx, 0, &variables, read)?;
        Ok((taken.value, taken.digest()))
    }
}

#[cfg(test)]
mod tests;
