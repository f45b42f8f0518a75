//! `distort`: a model makes false retellings of true ones.
//!
//! Two protocols. `rewrite` is NarrativeXL's: write it again so that other things happen. Weak
//! models give the true text back. `edits` asks for pairs of a true and a false event, which code
//! can judge, and then has the account retold twice from one list of pairs, with the true and
//! with the false events: **twins**, told by the same process, so that nothing but the events
//! tells the true one from the false one.

mod account;
mod make;
mod repeated;
mod variants;

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Item, Reckoned, Resource, Rows, Scene, Size, Span, Stage, Stop, Summary,
    stage,
};

use super::{answer::Protocol, checks::Checks, prompt::AGAIN};
use crate::asking::asking;
use account::{Account, Sources};
use make::Maker;

/// Has a model make false retellings of true ones.
///
/// ```
/// use storymill_transforms::{Distort, How};
/// let stage: Distort = toml::from_str("scenes = 'scenes'\nsummaries = 'summaries'").unwrap();
/// assert_eq!((stage.protocol, stage.first, stage.pairs), (How::Edits, 5, 3));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distort {
    /// The step that makes the scenes, which must not tell a false event.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings, of scenes or of all levels.
    pub summaries: Edge<Summary>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How to make them: `edits`, from pairs of events, with a true twin; or `rewrite`, in one go
    /// (NarrativeXL). Default: `edits`.
    #[serde(default)]
    pub protocol: How,
    /// How answers mark their text: `tag` or `json`. Default: `tag`.
    #[serde(default)]
    pub answers: Protocol,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// How many false retellings the first scene gets; each later scene gets one less
    /// (NarrativeXL: 5, 4, 3, 2, 1, 1, 1 ...). Default: 5.
    #[serde(default = "crate::defaults::count::<5>")]
    pub first: u32,
    /// How many every scene gets at least, and every retelling of a higher level. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub least: u32,
    /// How many pairs of events to change. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub pairs: u32,
    /// How many pairs must be left when the bad ones are gone. Default: 2.
    #[serde(default = "crate::defaults::count::<2>")]
    pub least_pairs: u32,
    /// How many false retellings are made of one list of pairs, each with other events changed and all with one true twin. Above 1,
    /// every true retelling gets one list, whatever `first` and `least` say; `same-scene` of `read-along` needs 5. Default: 1.
    #[serde(default = "crate::defaults::count::<1>", skip_serializing_if = "is_one")]
    pub variants: u32,
    /// A template for the pairs, instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt_edits: Option<Resource>,
    /// A template for the twins.
    #[serde(default)]
    pub prompt_retell: Option<Resource>,
    /// A template for `rewrite`.
    #[serde(default)]
    pub prompt_rewrite: Option<Resource>,
    /// The limits of the checks on answers.
    #[serde(default)]
    pub checks: Checks,
}

/// How false retellings are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// From pairs of events, with a true twin.
    #[default]
    Edits,
    /// In one go.
    Rewrite,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(variants: &u32) -> bool {
    *variants == 1
}

asking!(
    Distort,
    ["edits.jinja", "retell.jinja", "rewrite.jinja"],
    [AGAIN],
    [prompt_edits, prompt_retell, prompt_rewrite],
    least = [(least, 1), (least_pairs, 1), (variants, 1)],
    check = |stage, faults| {
        let few = ("pairs", "must not be less than `least_pairs`".to_owned());
        let few = (stage.pairs < stage.least_pairs).then_some(few);
        let faults = stage.checks.faults().into_iter().chain(faults).chain(few);
        faults.chain(variants::fault(stage)).collect()
    },
    more = |stage| (stage.variants > 1).then_some(variants::EXCHANGES.1)
);

impl Stage for Distort {
    stage!("distort", 2, (Rows<Scene>, Rows<Summary>) => Distortion, scenes, summaries);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let summaries = input.get(1).copied().unwrap_or_default();
        let told = summaries.of_row();
        let each = (make::prompt_symbols(self.protocol) + told, told);
        if self.variants > 1 {
            let rows = summaries.rows * u64::from(self.variants);
            // Pairs of events, then the true twin and the false retellings.
            let following = rows + summaries.rows;
            let rows = Size { rows, symbols: rows * told };
            let questions = summaries.rows + following;
            return Reckoned::questions(rows, (&self.model, self.tries), questions, each)
                .following(following);
        }
        // The first scenes of a book get more than the others.
        let first = u64::from(self.first).min(summaries.rows);
        let more: u64 = (0..first)
            .map(|at| u64::from(self.first) - at)
            .map(|samples| samples.saturating_sub(u64::from(self.least)))
            .sum();
        let wanted = summaries.rows * u64::from(self.least) + more;
        let rows = Size { rows: wanted, symbols: wanted * told };
        let questions = wanted * make::questions(self.protocol);
        Reckoned::questions(rows, (&self.model, self.tries), questions, each)
            .following(questions - wanted)
    }

    fn run(&self, (scenes, summaries): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Distortion>, Stop> {
        let maker = Maker::new(self)?;
        let sources = Sources::of(&scenes);
        let mut wanted = Vec::new();
        for summary in summaries.iter() {
            let account = Rc::new(sources.account(summary));
            let samples = 0..self.samples(summary);
            let sort = if self.variants > 1 { 'v' } else { 'd' };
            let one = |sample| Wanted { account: Rc::clone(&account), sample, sort };
            wanted.extend(samples.map(one));
        }
        let made = cx.each(&wanted, |cx, wanted| match self.protocol {
            How::Edits if self.variants > 1 => maker.variants(wanted, cx),
            How::Edits => Ok(vec![maker.edit(wanted, cx)?]),
            How::Rewrite => Ok(vec![maker.rewrite(wanted, cx)?]),
        })?;
        cx.each(&repeated::judge(made.concat()), |_, judged| match &judged.same_as {
            None => Ok(judged.made.row.clone()),
            Some(id) => Err(Stop::reject("same-as-other", format!("it is the text of {id}"))),
        })
    }
}

impl Distort {
    /// How many lists of pairs are asked for. NarrativeXL's number for a scene: 5 for the first, one less for each later
    /// one, 1 at least; above the scenes the least.
    fn samples(&self, summary: &Summary) -> u32 {
        if self.variants > 1 {
            return 1;
        }
        let by_position =
            if summary.level == 0 { self.first.saturating_sub(summary.at) } else { 0 };
        by_position.max(self.least)
    }
}

/// A false retelling that is to be made.
struct Wanted<'s> {
    account: Rc<Account<'s>>,
    sample: u32,
    /// As the ids of rows have it: `v` where several are made at once.
    sort: char,
}

impl Item for Wanted<'_> {
    fn item_id(&self) -> String {
        let of = self.account.summary.id();
        format!("{}/{}{}", of.strip_suffix("/s0").unwrap_or(&of), self.sort, self.sample)
    }

    fn item_span(&self) -> Option<Span> {
        self.account.span
    }
}

#[cfg(test)]
mod tests;
