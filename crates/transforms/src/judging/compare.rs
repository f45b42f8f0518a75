//! `compare-summaries` and `compare-distortions`: what a gate kept beside what it dropped.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    BookId, Cx, Digest, Distortion, Edge, Flag, Gated, Item, Judgement, MadeBy, Options, Rows,
    Scene, Stage, Stop, Summary, stage,
};
use storymill_text::word_count;

use super::gate::is_right;
use crate::reading::Reading;

/// A retelling, true or false.
struct Told<'r> {
    id: String,
    book: &'r BookId,
    level: u8,
    scenes: (u32, u32),
    protocol: &'r str,
    text: &'r str,
    answers: &'r [Digest],
}

impl Item for Told<'_> {
    fn item_id(&self) -> String {
        self.id.clone()
    }
}

/// What judges say, by retelling.
fn said<'j>(
    judgements: impl Iterator<Item = &'j Judgement>,
    truth: bool,
) -> BTreeMap<&'j str, Vec<Flag>> {
    let mut all: BTreeMap<&str, Vec<Flag>> = BTreeMap::new();
    for one in judgements {
        all.entry(&one.retelling).or_default().push(Flag {
            judge: one.judge.clone(),
            protocol: one.protocol.clone(),
            flagged: is_right(one, truth).map(|right| !right),
        });
    }
    for flags in all.values_mut() {
        flags.sort();
    }
    all
}

/// The rows of what was there before a gate.
fn rows(
    told: &[Told<'_>],
    kept: &BTreeSet<String>,
    said: &BTreeMap<&str, Vec<Flag>>,
    (scenes, truth): (&[Scene], bool),
    cx: &mut Cx<'_>,
) -> Result<Vec<Gated>, Stop> {
    let reading = Reading::new(scenes);
    let all = reading.length(0..scenes.len());
    cx.each(told, |_, one| {
        let first = one.scenes.0 as usize;
        if first >= scenes.len() {
            let detail = format!("it covers scene {first}, which the book does not have");
            return Err(Stop::reject("no-scene", detail));
        }
        let to_end = reading.length(first..scenes.len());
        let before = u64::from(all.symbols - to_end.symbols);
        Ok(Gated {
            id: one.id.clone(),
            book: one.book.clone(),
            level: one.level,
            scenes: one.scenes,
            protocol: one.protocol.to_owned(),
            made_by: MadeBy::of(one.answers),
            meant_false: !truth,
            words: word_count(one.text),
            symbols: u32::try_from(one.text.chars().count()).unwrap_or(u32::MAX),
            place_pm: u16::try_from(1000 * before / u64::from(all.symbols.max(1))).unwrap_or(1000),
            to_end_words: to_end.words,
            to_end_symbols: to_end.symbols,
            kept: kept.contains(&one.id),
            said: said.get(one.id.as_str()).cloned().unwrap_or_default(),
        })
    })
}

macro_rules! compare {
    ($(#[$about:meta])* $stage:ident, $kind:literal, $record:ident, $truth:literal) => {
        $(#[$about])*
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $stage {
            /// The step that makes the retellings, before the gate.
            pub from: Edge<$record>,
            /// The gate.
            pub kept: Edge<$record>,
            /// The step that makes the scenes.
            pub scenes: Edge<Scene>,
            /// The step that judges, as the gate reads it.
            pub judgements: Edge<Judgement>,
            /// A step by which another judge, or another protocol, looked at them too. Default: none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub others: Option<Edge<Judgement>>,
        }

        impl<'r> From<&'r $record> for Told<'r> {
            fn from(of: &'r $record) -> Self {
                Self {
                    id: of.id(),
                    book: &of.book,
                    level: of.level,
                    scenes: (of.first_scene, of.last_scene),
                    protocol: &of.protocol,
                    text: &of.text,
                    answers: &of.answers,
                }
            }
        }

        impl Options for $stage {}

        impl Stage for $stage {
            stage!($kind, 1,
                (Rows<$record>, Rows<$record>, Rows<Scene>, Rows<Judgement>, Option<Rows<Judgement>>)
                    => Gated,
                from, kept, scenes, judgements, others);

            fn run(
                &self,
                (from, kept, scenes, judgements, others): Self::In,
                cx: &mut Cx<'_>,
            ) -> Result<Vec<Gated>, Stop> {
                let told: Vec<Told<'_>> = from.iter().map(Told::from).collect();
                let kept = kept.iter().map(Item::item_id).collect();
                let judgements = judgements.iter().chain(others.iter().flat_map(|rows| rows.iter()));
                rows(&told, &kept, &said(judgements, $truth), (&scenes, $truth), cx)
            }
        }
    };
}

compare! {
    /// True retellings as a gate saw them: whether they were kept, how long they are, where they stand, what judges said.
    ///
    /// ```
    /// use storymill_transforms::CompareSummaries;
    /// let stage = "from = 'levels'\nkept = 'true-ones'\nscenes = 'scenes'\njudgements = 'judged'";
    /// let stage: CompareSummaries = toml::from_str(stage).unwrap();
    /// assert!(stage.others.is_none());
    /// ```
    CompareSummaries, "compare-summaries", Summary, true
}
compare! {
    /// False retellings as a gate saw them.
    CompareDistortions, "compare-distortions", Distortion, false
}

#[cfg(test)]
mod tests;
