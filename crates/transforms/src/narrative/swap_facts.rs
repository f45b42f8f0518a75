//! `swap-facts`: false retellings by rule, made by swapping facts for others of the same book.
//!
//! A stand-in for `distort` that needs no model, with the same output. It knows English only.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Edit, Options, Rows, Scene, Stage, Stop, Stream, Summary, stage,
};
use storymill_names::{LISTS, Perceptron, Persons};
use storymill_text::{
    Language,
    article::{at_end, instead, takes_an},
    sentence::sentences,
};

use super::{
    extract::language_of,
    facts::{Fact, Kind, facts, people},
    orders,
};
use crate::retelling::checks::similarity_pm;

/// Swaps facts of true retellings for others that exist in the book; with `variants` the events of a retelling for one
/// another.
///
/// ```
/// use storymill_transforms::SwapFacts;
/// let stage: SwapFacts = toml::from_str("scenes = 'scenes'\nsummaries = 'summaries'").unwrap();
/// assert_eq!((stage.first, stage.least, stage.edits), (5, 1, 3));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwapFacts {
    /// The step that makes the scenes, from which the false facts are taken.
    pub scenes: Edge<Scene>,
    /// The step that makes the true retellings.
    pub summaries: Edge<Summary>,
    /// How many false retellings the first scene gets; each later scene gets one less
    /// (NarrativeXL: 5, 4, 3, 2, 1, 1, 1 ...). Default: 5.
    #[serde(default = "crate::defaults::count::<5>")]
    pub first: u32,
    /// How many every scene gets at least. Default: 1.
    #[serde(default = "crate::defaults::count::<1>")]
    pub least: u32,
    /// How many facts a false retelling swaps at most. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub edits: u32,
    /// How many false retellings each true one gets that tell its events in another order each. A fact that is swapped for
    /// one from elsewhere is found by searching for the sentence; of an order no sentence knows. Above 1, no facts are
    /// swapped; `same-scene` of `read-along` needs 5. Default: 1.
    #[serde(default = "crate::defaults::count::<1>", skip_serializing_if = "is_one")]
    pub variants: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(variants: &u32) -> bool {
    *variants == 1
}

impl Options for SwapFacts {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = Vec::new();
        if self.least == 0 {
            faults.push(("least", "must be at least 1".into()));
        }
        if self.edits == 0 {
            faults.push(("edits", "must be at least 1".into()));
        }
        if self.variants == 0 {
            faults.push(("variants", "must be at least 1".into()));
        }
        faults
    }

    fn embedded(&self) -> Vec<&'static str> {
        std::iter::once(Perceptron::table()).chain(LISTS).collect()
    }
}

impl Stage for SwapFacts {
    stage!("swap-facts", 10, (Rows<Scene>, Rows<Summary>) => Distortion, scenes, summaries);

    fn run(&self, (scenes, summaries): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Distortion>, Stop> {
        let language = language_of(&scenes);
        let text: String = scenes.iter().map(|scene| &scene.text[..]).collect();
        let people = people(&text, language);
        let mut stock = Stock::new();
        for fact in facts(&text, &people) {
            stock.entry(fact.kind).or_default().push(fact);
        }
        let rows = cx.each(&summaries, |cx, summary| {
            if language != Language::English {
                let why = "facts are swapped in English texts only";
                return Err(Stop::left_out("not-english", why));
            }
            if self.variants > 1 {
                return orders::all(summary, &scenes, self.variants, cx);
            }
            let made = self.distort(summary, &people, &stock, cx);
            if made.is_empty() {
                let why = "no fact of the retelling can be swapped";
                return Err(Stop::left_out("nothing-to-swap", why));
            }
            Ok(made)
        })?;
        Ok(rows.concat())
    }
}

impl SwapFacts {
    fn distort(
        &self,
        of: &Summary,
        people: &Persons,
        stock: &Stock<'_>,
        cx: &Cx<'_>,
    ) -> Vec<Distortion> {
        const TRIES: usize = 12;
        let id = of.id();
        let line = |text| Line { text, facts: facts(text, people) };
        let told: Vec<_> = sentences(&of.text, Language::English).map(line).collect();
        let mut made: Vec<Distortion> = Vec::new();
        // NarrativeXL's number: 5 for the first scene, one less for each later one, 1 at least.
        for sample in 0..self.first.saturating_sub(of.at).max(self.least) {
            let mut stream = cx.stream(&id, &format!("sample {sample}"));
            for tries in 0..TRIES {
                let lines = draw(&told, stock, self.edits, &mut stream);
                let text = lines.concat();
                let edits: Vec<Edit> = told.iter().zip(&lines).filter_map(edit).collect();
                // A retelling with one sentence that can be made false gets no second.
                let few = edits.is_empty() || tries < 3 && edits.len() < self.edits.min(2) as usize;
                if few || made.iter().any(|other| other.text == text) {
                    continue;
                }
                made.push(Distortion {
                    book: of.book.clone(),
                    summary: id.clone(),
                    level: of.level,
                    first_scene: of.first_scene,
                    last_scene: of.last_scene,
                    sample: u32::try_from(made.len()).unwrap_or(u32::MAX),
                    protocol: "swap-facts".into(),
                    similarity_pm: similarity_pm(&of.text, &text),
                    text,
                    twin: of.text.clone(),
                    edits,
                    answers: Vec::new(),
                });
                break;
            }
        }
        made
    }
}

/// Every fact of a book, as often as the book has it.
type Stock<'b> = HashMap<Kind, Vec<Fact<'b>>>;

/// A sentence of a true retelling.
struct Line<'t> {
    text: &'t str,
    facts: Vec<Fact<'t>>,
}

/// The sentences of a false retelling: so many facts are swapped, in different sentences while there are any.
///
/// In the place of a fact comes one that is drawn from all of its kind in the book. Where that is the same, another fact
/// is tried. So a swap is as likely as the one that would undo it, by the product of how often the book has either,
/// and no word tells what is false.
fn draw(told: &[Line<'_>], stock: &Stock<'_>, mut left: u32, stream: &mut Stream) -> Vec<String> {
    let mut drawn = Vec::new();
    for (at, line) in told.iter().enumerate() {
        for fact in &line.facts {
            let other = stock.get(&fact.kind).and_then(|all| stream.choose(all));
            drawn.extend(other.map(|other| (at, fact, other)));
        }
    }
    stream.shuffle(&mut drawn);
    let mut swaps: Vec<Vec<(&Fact<'_>, &str)>> = vec![Vec::new(); told.len()];
    for again in [false, true] {
        for (at, fact, by) in &drawn {
            let facts = &told[*at].facts;
            let same =
                |fact: &Fact<'_>| fact.text == by.text || fact.who.is_some() && fact.who == by.who;
            let mut others = swaps.iter().flatten();
            let done = others.any(|(other, told)| other.text == fact.text || *told == by.text);
            let free = left > 0 && !done && (again || swaps[*at].is_empty());
            if free && !facts.iter().any(same) {
                let alike = facts.iter().filter(|other| other.text == fact.text);
                swaps[*at].extend(alike.map(|other| (other, by.text)));
                left -= 1;
            }
        }
    }
    told.iter().zip(swaps).map(|(line, swaps)| changed(line.text, swaps)).collect()
}

/// A sentence with swaps made in it.
fn changed(text: &str, mut swaps: Vec<(&Fact<'_>, &str)>) -> String {
    swaps.sort_by_key(|(fact, _)| fact.range.start);
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for (Fact { range, .. }, by) in swaps {
        out.push_str(&text[at..range.start]);
        at = range.end;
        // `a young man` and `an old man`
        if let (Some(article), Some(an)) = (at_end(&out), takes_an(by))
            && let Some(new) = instead(&out[article.clone()], an, false)
        {
            out.replace_range(article, new);
        }
        let large = text[range.clone()].starts_with(char::is_uppercase);
        let first = by.chars().next().filter(|_| large).map_or(0, char::len_utf8);
        out.extend([&by[..first].to_uppercase(), &by[first..]]);
    }
    out + &text[at..]
}

fn edit((line, changed): (&Line<'_>, &String)) -> Option<Edit> {
    let [true_event, false_event] = [line.text, changed].map(|text| text.trim().to_owned());
    (true_event != false_event).then_some(Edit { true_event, false_event })
}

#[cfg(test)]
#[path = "swap_facts_tests.rs"]
mod tests;
