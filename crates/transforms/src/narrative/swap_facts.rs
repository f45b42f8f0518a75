//! `swap-facts`: false retellings by rule, made by swapping facts for others of the same book.
//!
//! A stand-in for `distort` that needs no model, with the same output. It knows English only.

mod line;
mod persons;
mod reversals;
mod slots;
mod tables;
mod things;

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Distortion, Edge, Edit, Options, Rows, Scene, Stage, Stop, Stream, Summary,
};
use storymill_text::{Language, word_count};

use super::{extract::language_of, names::Names};
use slots::{Change, Slot, SlotKind, Stock, Telling};

/// Swaps facts of true retellings for others that exist in the book.
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
    #[serde(default = "first")]
    pub first: u32,
    /// How many every scene gets at least. Default: 1.
    #[serde(default = "least")]
    pub least: u32,
    /// How many facts a false retelling swaps at most; two at least where there are as many.
    /// Default: 3.
    #[serde(default = "edits")]
    pub edits: u32,
}

fn first() -> u32 {
    5
}

fn least() -> u32 {
    1
}

fn edits() -> u32 {
    3
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
        faults
    }
}

impl Stage for SwapFacts {
    const KIND: &'static str = "swap-facts";
    const VERSION: u32 = 4;
    type In = (Rows<Scene>, Rows<Summary>);
    type Out = Distortion;

    fn edges(&self) -> (Edge<Scene>, Edge<Summary>) {
        (self.scenes.clone(), self.summaries.clone())
    }

    fn run(&self, (scenes, summaries): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Distortion>, Stop> {
        let english = language_of(&scenes) == Language::English;
        let names = Names::of(&scenes);
        let stock = Stock::of(&scenes, &summaries, &names);
        let rows = cx.each(&summaries, |cx, summary| {
            if !english {
                let why = "facts are swapped in English texts only";
                return Err(Stop::left_out("not-english", why));
            }
            let around = around(&scenes, summary);
            self.distort(summary, &stock.slots(summary), around, cx)
        })?;
        Ok(rows.concat())
    }
}

/// The scenes that a summary covers, and one neighbour on each side.
fn around<'s>(scenes: &'s [Scene], summary: &Summary) -> &'s [Scene] {
    let first = summary.first_scene.saturating_sub(1) as usize;
    let behind = (summary.last_scene as usize).saturating_add(2).min(scenes.len());
    scenes.get(first..behind).unwrap_or_default()
}

impl SwapFacts {
    /// NarrativeXL's number: 5 for the first scene, one less for each later one, 1 at least.
    fn samples(&self, position: u32) -> u32 {
        self.first.saturating_sub(position).max(self.least)
    }

    fn distort(
        &self,
        summary: &Summary,
        slots: &[Slot],
        around: &[Scene],
        cx: &Cx<'_>,
    ) -> Result<Vec<Distortion>, Stop> {
        const TRIES: u32 = 12;
        let id = summary.id();
        let mut made: Vec<Distortion> = Vec::new();
        for sample in 0..self.samples(summary.at) {
            let mut stream = cx.stream(&id, &format!("sample {sample}"));
            for _ in 0..TRIES {
                let draft = Draft::draw(&summary.text, slots, around, self.edits, &mut stream);
                let (text, edits) = draft.finish(&summary.text);
                if edits.is_empty() || made.iter().any(|other| other.text == text) {
                    continue;
                }
                made.push(Distortion {
                    book: summary.book.clone(),
                    summary: id.clone(),
                    level: summary.level,
                    first_scene: summary.first_scene,
                    last_scene: summary.last_scene,
                    sample: u32::try_from(made.len()).unwrap_or(u32::MAX),
                    protocol: "swap-facts".into(),
                    similarity_pm: similarity_pm(&summary.text, &text),
                    text,
                    twin: summary.text.clone(),
                    edits,
                    answers: Vec::new(),
                });
                break;
            }
        }
        if made.is_empty() {
            let why = "no fact of the retelling can be swapped";
            return Err(Stop::left_out("nothing-to-swap", why));
        }
        Ok(made)
    }
}

/// The swaps of one false retelling.
#[derive(Default)]
struct Draft<'s> {
    picked: Vec<(&'s Slot, Vec<Change>, Range<usize>)>,
}

impl<'s> Draft<'s> {
    /// Draws two facts or more, from different sentences while there are any.
    fn draw(
        text: &str,
        slots: &'s [Slot],
        around: &[Scene],
        most: u32,
        stream: &mut Stream,
    ) -> Self {
        let mut draft = Self::default();
        let wanted = if most <= 2 { most } else { 2 + stream.below(most - 1) };
        let mut left: Vec<&Slot> = slots.iter().collect();
        while draft.picked.len() < wanted as usize {
            left.retain(|slot| draft.is_new(slot));
            let fresh = left.iter().copied().filter(|slot| draft.is_elsewhere(slot));
            let mut pool: Vec<&Slot> = fresh.collect();
            if pool.is_empty() {
                pool.clone_from(&left);
            }
            let Some(slot) = weighted(&pool, stream) else { break };
            left.retain(|other| !std::ptr::eq(*other, slot));
            let Some(telling) = balanced(slot, stream) else { continue };
            let (changes, clause) = (&telling.changes, clause(text, slot));
            let parted = draft
                .picked
                .iter()
                .all(|(_, _, other)| other.end <= clause.start || clause.end <= other.start);
            if parted && is_false(text, &clause, changes, around) {
                draft.picked.push((slot, changes.clone(), clause));
            }
        }
        draft.picked.sort_by_key(|(_, _, clause)| clause.start);
        draft
    }

    fn is_new(&self, slot: &Slot) -> bool {
        let deed = |slot: &Slot| slot.kind == SlotKind::Deed;
        self.picked
            .iter()
            .all(|(other, _, _)| other.key != slot.key && !(deed(other) && deed(slot)))
    }

    fn is_elsewhere(&self, slot: &Slot) -> bool {
        self.picked.iter().all(|(other, _, _)| other.sentence != slot.sentence)
    }

    /// The false text and what was changed.
    fn finish(self, text: &str) -> (String, Vec<Edit>) {
        let edits = self.picked.iter().map(|(_, changes, clause)| Edit {
            true_event: text[clause.clone()].to_owned(),
            false_event: changed(text, clause, changes),
        });
        let edits = edits.collect();
        let all: Vec<Change> =
            self.picked.iter().flat_map(|(_, changes, _)| changes.clone()).collect();
        (changed(text, &(0..text.len()), &all), edits)
    }
}

/// One of a slot's tellings, drawn by how often the book says them, or none: a swap is made as often
/// as the one that undoes it, so that no word tells what is false. (The chain of this draw is
/// reversible: `Metropolized Gibbs`.)
fn balanced<'s>(slot: &'s Slot, stream: &mut Stream) -> Option<&'s Telling> {
    let all: u32 = slot.tellings.iter().map(|telling| telling.said).sum();
    let mut at = stream.below(all.max(1));
    let telling = slot.tellings.iter().find(|telling| {
        let here = at < telling.said;
        at = at.saturating_sub(telling.said);
        here
    })?;
    let Some(own) = slot.said else { return Some(telling) };
    // What the other way would choose among: everything but what is told now.
    let back = all - telling.said + own;
    (stream.below(back.max(1)) < all).then_some(telling)
}

/// One of the slots. Kinds that are many do not crowd out those that are few.
fn weighted<'s>(slots: &[&'s Slot], stream: &mut Stream) -> Option<&'s Slot> {
    let weight = |slot: &Slot| {
        let like = slots.iter().filter(|other| other.kind == slot.kind).count();
        slot.kind.weight() * 60 / u32::try_from(like).unwrap_or(u32::MAX)
    };
    let total: u32 = slots.iter().map(|slot| weight(slot).max(1)).sum();
    if total == 0 {
        return None;
    }
    let mut at = stream.below(total);
    for slot in slots {
        let weight = weight(slot).max(1);
        if at < weight {
            return Some(slot);
        }
        at -= weight;
    }
    None
}

/// The clause that a slot changes: from the mark before its first change to the mark behind its
/// last. A clause of few words takes the whole sentence with it.
fn clause(text: &str, slot: &Slot) -> Range<usize> {
    const MARKS: [char; 4] = [',', ';', ':', '—'];
    if text[slot.sentence.clone()].contains(['“', '”', '"']) {
        return slot.sentence.clone();
    }
    let changes = slot.tellings.iter().flat_map(|telling| &telling.changes);
    let start = changes.clone().map(|change| change.0.start).min().unwrap_or(slot.sentence.start);
    let end = changes.map(|change| change.0.end).max().unwrap_or(slot.sentence.end);
    let before = &text[slot.sentence.start..start];
    let from = before.rfind(MARKS).map_or(slot.sentence.start, |at| {
        slot.sentence.start + at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let to = text[end..slot.sentence.end].find(MARKS).map_or(slot.sentence.end, |at| end + at);
    let from = from + text[from..to].len() - text[from..to].trim_start().len();
    if word_count(&text[from..to]) < 4 { slot.sentence.clone() } else { from..to }
}

/// The part of a text with changes made in it.
fn changed(text: &str, part: &Range<usize>, changes: &[Change]) -> String {
    let mut sorted: Vec<&Change> = changes.iter().collect();
    sorted.sort_by_key(|change| change.0.start);
    let mut out = String::with_capacity(part.len() + 16);
    let mut at = part.start;
    for (range, with) in sorted {
        out.push_str(&text[at..range.start]);
        out.push_str(with);
        at = range.end;
    }
    out + &text[at..part.end]
}

/// Whether a changed clause says something that neither these scenes nor the retelling say.
fn is_false(text: &str, clause: &Range<usize>, changes: &[Change], around: &[Scene]) -> bool {
    let told = changed(text, clause, changes);
    told != text[clause.clone()]
        && !text.contains(&told)
        && !around.iter().any(|scene| scene.text.contains(&told))
}

/// How alike two texts are: twice the words of their longest common subsequence by the words of
/// both, per mille.
fn similarity_pm(one: &str, other: &str) -> u16 {
    let one: Vec<&str> = one.split_whitespace().collect();
    let other: Vec<&str> = other.split_whitespace().collect();
    let all = (one.len() + other.len()).max(1);
    // What both begin and end with is common: most of a false retelling is.
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = one.iter().zip(&other).take_while(same).count();
    let (one, other) = (&one[head..], &other[head..]);
    let tail = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
    let (one, other) = (&one[..one.len() - tail], &other[..other.len() - tail]);
    let mut row = vec![0_usize; other.len() + 1];
    for word in one {
        let mut diagonal = 0;
        for (at, against) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == against { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    let common = head + row.last().copied().unwrap_or(0) + tail;
    u16::try_from(2000 * common / all).unwrap_or(1000)
}

#[cfg(test)]
#[path = "swap_facts_tests.rs"]
mod tests;
