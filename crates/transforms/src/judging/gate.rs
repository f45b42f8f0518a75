//! `gate-summaries` and `gate-distortions`: retellings that judges speak against are left out, where that is asked for.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Judgement, Label, Options, Rows, Stage, Stop, Summary, stage,
};

use super::false_check::{PROTOCOL, SETTING};

/// Which retellings go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All of them: judges are weak, and what they say stands in the table of judgements.
    #[default]
    All,
    /// All but those that a judge speaks against; those without a verdict among them.
    NotWrong,
    /// Only those that a judge speaks for.
    Right,
}

/// What judges say of a retelling, taken together.
#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    right: bool,
    wrong: bool,
}

impl Heard {
    /// Adds a judgement; `truth` is whether the retelling is meant to be true.
    fn add(&mut self, judgement: &Judgement, truth: bool) {
        let right = is_right(judgement, truth);
        self.right |= right == Some(true);
        self.wrong |= right == Some(false);
    }

    /// The judge's word for what is to go, if it is to go.
    fn against(self, keep: Keep) -> Option<(&'static str, &'static str)> {
        match keep {
            Keep::All => None,
            _ if self.wrong => Some(("judged-wrong", "a judge speaks against it")),
            Keep::Right if !self.right => Some(("not-judged", "no judge speaks for it")),
            Keep::NotWrong | Keep::Right => None,
        }
    }
}

/// Whether a judge speaks for a retelling; none without a verdict. A false one is right if it is wrong about events and not about
/// the setting.
pub(super) fn is_right(judgement: &Judgement, truth: bool) -> Option<bool> {
    let faithful = judgement.faithful?;
    let in_setting = judgement.protocol != PROTOCOL
        || !judgement
            .parts
            .iter()
            .any(|part| part.text == SETTING && part.label == Some(Label::Unfaithful));
    Some(if truth { faithful } else { !faithful && in_setting })
}

fn heard(judgements: &[Judgement], truth: bool) -> BTreeMap<&str, Heard> {
    let mut all: BTreeMap<&str, Heard> = BTreeMap::new();
    for one in judgements {
        all.entry(&one.retelling).or_default().add(one, truth);
    }
    all
}

macro_rules! gate {
    ($(#[$about:meta])* $stage:ident, $kind:literal, $record:ident, $truth:literal) => {
        $(#[$about])*
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $stage {
            /// The step that makes the retellings.
            pub from: Edge<$record>,
            /// The step that judges a sample of them.
            pub judgements: Edge<Judgement>,
            /// Which go on: `all`; `not-wrong`, all but those that a judge speaks against; `right`, only those
            /// that a judge speaks for. Default: `all`.
            #[serde(default)]
            pub keep: Keep,
        }

        impl Options for $stage {}

        impl Stage for $stage {
            stage!($kind, 1, (Rows<$record>, Rows<Judgement>) => $record, from, judgements);

            fn run(
                &self,
                (rows, judgements): Self::In,
                cx: &mut Cx<'_>,
            ) -> Result<Vec<$record>, Stop> {
                let heard = heard(&judgements, $truth);
                cx.each(&rows, |_, row| {
                    let said = heard.get(row.id().as_str()).copied().unwrap_or_default();
                    match said.against(self.keep) {
                        Some((code, detail)) => Err(Stop::left_out(code, detail)),
                        None => Ok(row.clone()),
                    }
                })
            }
        }
    };
}

gate! {
    /// True retellings by what judges say of them.
    ///
    /// ```
    /// use storymill_transforms::{GateSummaries, Keep};
    /// let stage: GateSummaries = toml::from_str("from = 'levels'\njudgements = 'judged'").unwrap();
    /// assert_eq!(stage.keep, Keep::All);
    /// ```
    GateSummaries, "gate-summaries", Summary, true
}
gate! {
    /// False retellings by what judges say of them: one is right if it is wrong about events and right about the setting.
    GateDistortions, "gate-distortions", Distortion, false
}
