//! `hierarchy`: a model retells retellings, level by level, until one is left for the book.
//!
//! Makes the whole ladder: the retellings of scenes as they came, then those of every level
//! above, so that whatever reads it (`distort`, `reconstruct`, a table) has all levels at hand.

use std::ops::Range;

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Cx, Edge, Reckoned, Resource, Rows, Size, Stage, Stop, Summary, stage,
};

use super::{
    answer::{Protocol, retelling, retelling_schema},
    checks::Checks,
    prompt::{AGAIN, Ask},
    summarize::{SYMBOLS_OF_WORD, fewer, language_of},
};
use crate::{
    Preset,
    asking::{Asks, asking},
};

/// Has a model join retellings, level by level, until one is left.
///
/// ```
/// use storymill_transforms::Hierarchy;
/// let stage: Hierarchy = toml::from_str("from = 'summaries'").unwrap();
/// assert_eq!((stage.pack, stage.levels), (10_000, 24));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hierarchy {
    /// The step that makes the retellings of scenes.
    pub from: Edge<Summary>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How answers mark their text: `tag` or `json`. Default: `tag`.
    #[serde(default)]
    pub protocol: Protocol,
    /// How often to ask at most until an answer passes the checks. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// About how many words to ask for; of little half its words. Default: 200.
    #[serde(default = "crate::defaults::count::<200>")]
    pub words: u32,
    /// How many symbols of retellings are joined at once (NarrativeXL: 10,000). Default: 10000.
    #[serde(default = "crate::defaults::count::<10000>")]
    pub pack: u32,
    /// How the last pack of a level is filled: by `storymill` so that it holds two retellings where
    /// that can be, by the `paper` as it comes. Default: `storymill`.
    #[serde(default, skip_serializing_if = "Preset::is_default")]
    pub preset: Preset,
    /// How many levels to make above the scenes at most. Default: 24.
    #[serde(default = "crate::defaults::small::<24>")]
    pub levels: u8,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
    /// The limits of the checks on answers.
    #[serde(default)]
    pub checks: Checks,
}

asking!(
    Hierarchy,
    ["hierarchy.jinja"],
    [AGAIN],
    [prompt],
    least = [(words, 10), (pack, 1000)],
    check = |stage, faults| [stage.checks.faults(), faults].concat()
);

impl Stage for Hierarchy {
    stage!("hierarchy", 2, Rows<Summary> => Summary, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        let told = SYMBOLS_OF_WORD * u64::from(self.words);
        let mut rows = input.first().copied().unwrap_or_default();
        let (mut below, mut asked, mut sent, mut first) = (rows, 0, 0, 0);
        for _ in 0..self.levels {
            let text = below.symbols + below.rows * entry(10, "").len() as u64;
            let packs = text.div_ceil(u64::from(self.pack)).max(1);
            if packs >= below.rows {
                break;
            }
            asked += packs;
            first = if first == 0 { packs } else { first };
            sent += text + packs * Self::TEMPLATES[0].1.len() as u64;
            below = Size { rows: packs, symbols: packs * told };
            rows += below;
        }
        let each = (sent / asked.max(1), told);
        Reckoned::questions(rows, (&self.model, self.tries), asked, each).following(asked - first)
    }

    fn run(&self, base: Rows<Summary>, cx: &mut Cx<'_>) -> Result<Vec<Summary>, Stop> {
        let asking = self.asking(&[&self.prompt])?;
        let instructions = asking.with(0).prompt.instructions(&self.variables("", 1));
        let languages = [language_of(base.iter().map(|summary| &summary.text[..]))];
        let schema = match self.protocol {
            Protocol::Tag => None,
            Protocol::Json => Some(retelling_schema(self.checks.longest)),
        };
        let ask = Ask { schema: schema.as_ref(), ..asking.with(0) };

        let mut rows: Vec<Summary> = base.iter().filter(|row| row.level == 0).cloned().collect();
        let mut below = rows.clone();
        for level in 1..=self.levels {
            if below.len() < 2 {
                break;
            }
            let packs = packs(&below, level, self.pack as usize, self.preset);
            if packs.len() == below.len() {
                cx.each(&packs[..1], |_, _| Err::<(), _>(self.does_not_fit()))?;
                break;
            }
            below = cx.each(&packs, |cx, pack| {
                let check = |answer: &Answer| {
                    let found = retelling(self.protocol, answer)?;
                    self.checks.text(&found, &pack.text, &instructions, &languages)?;
                    Ok(found.text)
                };
                let variables = self.variables(&pack.text, level);
                let taken = ask.first(cx, 0, &variables, check)?;
                let answers = vec![taken.digest()];
                let protocol = self.protocol.word().into();
                Ok(Summary { text: taken.value, protocol, answers, ..pack.clone() })
            })?;
            rows.extend(below.iter().cloned());
        }
        Ok(rows)
    }
}

impl Hierarchy {
    fn variables(&self, accounts: &str, level: u8) -> Value {
        let (words, protocol) = (fewer(self.words, accounts), self.protocol.word());
        context! { accounts, level, words, protocol }
    }

    fn does_not_fit(&self) -> Stop {
        let detail = format!("no two retellings fit into {} symbols", self.pack);
        Stop::reject("no-packing", detail)
    }
}

/// The packs of a level, in order, as rows that are still to be told: their text is what is to be
/// joined.
fn packs(below: &[Summary], level: u8, most: usize, preset: Preset) -> Vec<Summary> {
    let texts: Vec<&str> = below.iter().map(|summary| &summary.text[..]).collect();
    let pack = |(at, group): (u32, Range<usize>)| {
        let entries = (1..).zip(&texts[group.clone()]).map(|(place, text)| entry(place, text));
        Summary {
            book: below[group.start].book.clone(),
            level,
            at,
            first_scene: below[group.start].first_scene,
            last_scene: below[group.end - 1].last_scene,
            protocol: String::new(),
            text: entries.collect::<String>().trim_end().to_owned(),
            answers: Vec::new(),
        }
    };
    (0..).zip(grouped(&texts, most, preset)).map(pack).collect()
}

/// Which retellings go together: as many neighbours each as fit, with their numbers.
///
/// One that would be left alone at the end shares the last two packs: to retell a single
/// retelling would only copy it. The paper leaves it alone.
pub(crate) fn grouped(texts: &[&str], most: usize, preset: Preset) -> Vec<Range<usize>> {
    let size = |place: usize, text: &str| match preset {
        Preset::Storymill => entry(place, text).chars().count(),
        Preset::Paper => format!("Summary {place}: \n{text}").chars().count(),
    };
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut filled = 0;
    for (at, text) in texts.iter().enumerate() {
        let symbols = size(groups.last().map_or(1, |group| group.len() + 1), text);
        match groups.last_mut() {
            Some(group) if filled + symbols <= most => {
                group.end = at + 1;
                filled += symbols;
            }
            _ => {
                groups.push(at..at + 1);
                filled = size(1, text);
            }
        }
    }
    if let (Preset::Storymill, [.., before, last]) = (preset, &mut groups[..])
        && last.len() == 1
        && before.len() > 2
        && size(1, texts[before.end - 1]) + size(2, texts[last.start]) <= most
    {
        before.end -= 1;
        last.start -= 1;
    }
    groups
}

/// A retelling as it stands in a pack.
pub(crate) fn entry(place: usize, text: &str) -> String {
    format!("Summary {place}:\n{text}\n\n")
}

#[cfg(test)]
mod tests;
