//! `choose`: rules which questions models are evaluated on, since nobody can run a million.
//!
//! The choice is balanced over type, retention demand, context length and book, and it is stable:
//! who is taken follows from ids, so one more book in N changes about one choice in N; what the
//! base lock has chosen stays. A text that is an option of two questions lets the answer of one tell something of the
//! other, so no two are chosen that share one while there are others.

mod longest;
mod picked;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    ByUnit, CorpusStage, Digest, Edge, Form, Length, OptionKind, Options, Question, QuestionType,
    ReadAlongQuestion, Reconstruction, Rows, Seed, Split, Stop, UnitId, record, stage,
};

use super::all;
pub use longest::Longest;
use picked::{Picked, Turn};

use crate::asking::at_least;

/// Rules which questions models are evaluated on: so many of them, balanced over type, retention
/// demand, context length and book, no text in two of them while there are others, and a smaller set inside.
///
/// ```
/// use storymill_transforms::Choose;
/// let stage = "questions = 'q'\nreconstructions = 'r'\nsplits = 's'\nsize = 500";
/// let choose: Choose = toml::from_str(stage).unwrap();
/// assert_eq!((choose.small, choose.of), (200, vec!["test".to_owned()]));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choose {
    /// The step that asks while reading.
    pub questions: Edge<ReadAlongQuestion>,
    /// The step that asks for retellings to be put right.
    pub reconstructions: Edge<Reconstruction>,
    /// The step that rules the splits.
    pub splits: Edge<Split>,
    /// How many questions. Default: 1000.
    #[serde(default = "crate::defaults::count::<1000>")]
    pub size: u32,
    /// How many of them are in the small set too. Default: 200.
    #[serde(default = "crate::defaults::count::<200>")]
    pub small: u32,
    /// The splits whose questions may be chosen. Default: `["test"]`, so that no model is asked
    /// about what it may have been trained on; an empty list takes all of them.
    #[serde(default = "test")]
    pub of: Vec<String>,
    /// The longest context that a question may have, so that a model's window holds all that is chosen: `{ tokens = 32768 }` in each
    /// encoding that is counted, or `{ words = 24000 }`. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<Longest>,
}

fn test() -> Vec<String> {
    vec!["test".to_owned()]
}

/// The candidates of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChooseFact {
    split: String,
    candidates: Vec<Candidate>,
}

/// A question that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Candidate {
    cell: Cell,
    lot: u64,
    /// Short hashes of the texts that it shows: enough to tell those of one book apart, and a fact has little room.
    texts: Vec<u16>,
}

/// The questions of a unit that were chosen, by their lots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// Those in the evaluation set.
    pub all: Vec<u64>,
    /// Those of them that are in the small set too.
    pub small: Vec<u64>,
    /// How many of all show a text that another one of them shows too, since there were no others.
    #[serde(default)]
    pub repeats: u32,
}

record!(ChooseFact, "choose-fact", 2);

record!(Chosen, "chosen", 2);

/// The splits that books are dealt out to.
const SPLITS: [&str; 3] = ["train", "validation", "test"];

impl Options for Choose {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = at_least(&[("size", self.size, 1)]);
        if self.small > self.size {
            faults.push(("small", "must not be above `size`: the small set is inside".to_owned()));
        }
        if let Some(other) = self.of.iter().find(|name| !SPLITS.contains(&name.as_str())) {
            faults
                .push(("of", format!("`{other}` is not a split; there are {}", SPLITS.join(", "))));
        }
        if self.longest.is_some_and(Longest::is_nothing) {
            faults.push(("longest", "is `{ tokens = 32768 }` or `{ words = 24000 }`".to_owned()));
        }
        faults
    }
}

impl CorpusStage for Choose {
    stage!("choose", 3,
        (Rows<ReadAlongQuestion>, Rows<Reconstruction>, Rows<Split>) => ChooseFact => Chosen,
        questions, reconstructions, splits);

    fn fact(
        &self,
        _: &UnitId,
        (questions, reconstructions, splits): Self::In,
    ) -> Result<ChooseFact, Stop> {
        let split = splits.first().map(|split| split.split.clone()).unwrap_or_default();
        let mut candidates = Vec::new();
        for question in all(&questions, &reconstructions) {
            let longest = self.longest.map(|longest| longest.holds(&question.context.length()));
            if longest.transpose()?.unwrap_or(true) {
                candidates.push(Candidate::of(question));
            }
        }
        Ok(ChooseFact { split, candidates: first_of_each_cell(candidates) })
    }

    fn run(
        &self,
        facts: &ByUnit<ChooseFact>,
        before: &ByUnit<Chosen>,
        _: Seed,
    ) -> Result<ByUnit<Chosen>, Stop> {
        let among = |fact: &ChooseFact| self.of.is_empty() || self.of.contains(&fact.split);
        let candidates = facts.iter().filter(|(_, fact)| among(fact)).flat_map(|(unit, fact)| {
            fact.candidates.iter().map(move |candidate| (unit, candidate))
        });
        let candidates: Vec<(&UnitId, &Candidate)> = candidates.collect();
        let old = |of: fn(&Chosen) -> &Vec<u64>| -> BTreeSet<(&UnitId, u64)> {
            before.iter().flat_map(|(unit, old)| of(old).iter().map(move |l| (unit, *l))).collect()
        };
        let all = draw(&candidates, self.size, &old(|chosen| &chosen.all));
        let inside: Vec<_> = candidates
            .into_iter()
            .filter(|(unit, candidate)| all.contains(&(*unit, candidate.lot)))
            .collect();
        let small = draw(&inside, self.small, &old(|chosen| &chosen.small));
        let of = |set: &BTreeSet<(&UnitId, u64)>, unit: &UnitId| -> Vec<u64> {
            set.iter().filter(|(own, _)| *own == unit).map(|(_, lot)| *lot).collect()
        };
        let rule = |unit: &UnitId, fact: &ChooseFact| {
            let (all, small) = (of(&all, unit), of(&small, unit));
            Chosen { repeats: picked::repeats(&fact.candidates, &all), all, small }
        };
        Ok(facts.iter().map(|(unit, fact)| (unit.clone(), rule(unit, fact))).collect())
    }
}

/// The most candidates that a fact of 4 kB can name.
const MOST: usize = 130;

/// The lot that a question draws: whose is smaller is chosen first.
pub(super) fn lot(id: &str) -> u64 {
    let digest = Digest::of_parts("storymill 2026 choose v1", [id.as_bytes()]);
    u64::from_le_bytes(*digest.as_bytes().first_chunk().expect("a digest has 32 bytes"))
}

/// What a choice is balanced over: type, retention demand and context length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Cell {
    of: u8,
    demand: u8,
    context: u8,
}

impl Candidate {
    fn of(question: &Question) -> Self {
        let Length { words: context, .. } = question.context.length();
        let demand = size(question.demand.to_start.words);
        let cell = Cell { of: number(question), demand, context: size(context) };
        // Names of people and orders of letters come again and tell nothing; the retellings that such orders are of do.
        let given = match &question.form {
            Form::Options { given, .. } => &given[..],
            Form::FreeText { .. } | Form::Verdict { .. } => &[],
        };
        let (names, orders) =
            (question.kind.starts_with(QuestionType::WhoWhen.name()), given.len() > 1);
        let options = question.options().iter();
        let options = options.filter(|one| one.kind != OptionKind::None && !names && !orders);
        let shown = given.iter().map(|one| &one.text[..]).chain([question.given()]);
        let shown = shown.chain(options.map(|option| &option.text[..]));
        let texts = shown.filter(|text| !text.is_empty()).take(MOST_TEXTS);
        // Where wrong options happened too, to know one is no help in a question of another type.
        let of = QuestionType::of_name(&question.kind).filter(|of| of.decoys_happened());
        let among = of.map_or("", QuestionType::name);
        let texts = texts.map(|text| short(among, text)).collect();
        Self { cell, lot: lot(&question.id), texts }
    }
}

/// Options of a question that a fact has room for.
const MOST_TEXTS: usize = 5;

/// A short hash of a text among those of some types.
fn short(among: &str, text: &str) -> u16 {
    let parts = [among, text].map(str::as_bytes);
    let digest = Digest::of_parts("storymill 2026 choose text v1", parts);
    u16::from_le_bytes(*digest.as_bytes().first_chunk().expect("a digest has 32 bytes"))
}

/// The size of a length: 0 below 1,000 words, and one more each time it doubles, up to 128,000.
fn size(words: u32) -> u8 {
    let thousands = words / 1000;
    u8::try_from(u32::BITS - thousands.leading_zeros()).unwrap_or(u8::MAX).min(8)
}

/// The number of a question's kind. Those of the first kinds stand in facts that are kept; others follow
/// from the kind's name. Two kinds of one number would share their part of the choice.
fn number(question: &Question) -> u8 {
    match (question.kind.as_str(), question.level()) {
        ("lookahead", _) => 0,
        ("scene-distortion", _) => 1,
        ("other-book", _) => 2,
        ("reconstruction", 0) => 3,
        ("reconstruction", _) => 4,
        (other, _) => {
            // Kinds of one type share the type's part.
            let name = QuestionType::of_name(other).map_or(other, |of| of.name());
            let digest = Digest::of_parts("storymill 2026 choose kind v1", [name.as_bytes()]);
            digest.as_bytes()[0].saturating_add(5)
        }
    }
}

/// As many candidates as a fact has room for, the cells taking turns.
fn first_of_each_cell(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| candidate.lot);
    let mut turns: BTreeMap<Cell, u32> = BTreeMap::new();
    let mut ranked: Vec<(u32, Candidate)> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let turn = turns.entry(candidate.cell).or_default();
        ranked.push((*turn, candidate));
        *turn += 1;
    }
    ranked.sort_by_key(|(turn, candidate)| (*turn, candidate.lot));
    ranked.truncate(MOST);
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Chooses so many of some candidates, shared out evenly over types, within a type over demands,
/// within those over contexts; in each cell books take turns. What was chosen before stays.
fn draw<'u>(
    candidates: &[(&'u UnitId, &Candidate)],
    wanted: u32,
    before: &BTreeSet<(&UnitId, u64)>,
) -> BTreeSet<(&'u UnitId, u64)> {
    let (kept, mut open): (Vec<_>, Vec<_>) = candidates
        .iter()
        .copied()
        .partition(|(unit, candidate)| before.contains(&(*unit, candidate.lot)));
    open.sort_by_key(|(_, candidate)| candidate.lot);
    let mut turns: BTreeMap<(&UnitId, u8), u32> = BTreeMap::new();
    let mut cells: BTreeMap<Cell, Vec<Turn<'_, 'u>>> = BTreeMap::new();
    for (unit, candidate) in open {
        let turn = turns.entry((unit, candidate.cell.of)).or_default();
        cells.entry(candidate.cell).or_default().push((*turn, candidate.lot, unit, candidate));
        *turn += 1;
    }
    let mut chosen = Picked::default();
    for (unit, candidate) in &kept {
        chosen.add(unit, candidate);
    }
    let wanted = (wanted as usize).saturating_sub(chosen.lots.len());
    let quotas = quotas(&cells, wanted);
    for lots in cells.values_mut() {
        lots.sort_unstable_by_key(|(turn, lot, unit, _)| (*turn, *lot, *unit));
    }
    // What a cell cannot give without a text that was there before, others of its type give, and then other types.
    let mut missing: BTreeMap<u8, usize> = BTreeMap::new();
    for (cell, quota) in quotas {
        *missing.entry(cell.of).or_default() += quota - chosen.fresh(&cells[&cell], quota);
    }
    let left = |of: &dyn Fn(&Cell) -> bool| {
        let cells = cells.iter().filter(|(cell, _)| of(cell));
        let mut left: Vec<Turn<'_, 'u>> = cells.flat_map(|(_, lots)| lots).copied().collect();
        left.sort_unstable_by_key(|(turn, lot, unit, _)| (*turn, *lot, *unit));
        left
    };
    let mut still = 0;
    for (of, missing) in missing {
        still += missing - chosen.fresh(&left(&|cell| cell.of == of), missing);
    }
    let mut left = left(&|_| true);
    still -= chosen.fresh(&left, still);
    // Only those are left that share a text: those that share fewest come first.
    left.retain(|(_, lot, unit, _)| !chosen.lots.contains(&(*unit, *lot)));
    left.sort_by_key(|(_, _, unit, candidate)| chosen.shared(unit, candidate));
    left.truncate(still);
    for (_, _, unit, candidate) in left {
        chosen.add(unit, candidate);
    }
    chosen.lots
}

/// How many to take from each cell.
fn quotas<T>(cells: &BTreeMap<Cell, Vec<T>>, wanted: usize) -> Vec<(Cell, usize)> {
    let room = |of: &dyn Fn(&Cell) -> bool| -> usize {
        cells.iter().filter(|(cell, _)| of(cell)).map(|(_, lots)| lots.len()).sum()
    };
    let mut quotas = Vec::with_capacity(cells.len());
    let types: BTreeSet<u8> = cells.keys().map(|cell| cell.of).collect();
    let by_type = even(wanted, &types, |of| room(&|cell| cell.of == of));
    for (of, wanted) in by_type {
        let demands = cells.keys().filter(|cell| cell.of == of).map(|cell| cell.demand).collect();
        let within = |demand| room(&|cell: &Cell| (cell.of, cell.demand) == (of, demand));
        for (demand, wanted) in even(wanted, &demands, within) {
            let contexts = cells.keys().filter(|cell| (cell.of, cell.demand) == (of, demand));
            let contexts = contexts.map(|cell| cell.context).collect();
            let within = |context| room(&|cell: &Cell| *cell == Cell { of, demand, context });
            let shares = even(wanted, &contexts, within);
            quotas.extend(shares.into_iter().map(|(context, n)| (Cell { of, demand, context }, n)));
        }
    }
    quotas
}

/// Shares out as evenly as the room of each allows; what is left over goes to the first ones.
fn even(wanted: usize, shares: &BTreeSet<u8>, room: impl Fn(u8) -> usize) -> Vec<(u8, usize)> {
    let mut open: Vec<(u8, usize)> = shares.iter().map(|share| (*share, room(*share))).collect();
    open.sort_by_key(|(_, room)| *room);
    let mut left = wanted;
    let count = open.len();
    let mut given: Vec<(u8, usize)> = open
        .into_iter()
        .enumerate()
        .map(|(at, (share, room))| {
            // Those with the least room come first, so what they cannot take goes to the others.
            let fair = left.div_ceil(count - at);
            let take = fair.min(room);
            left -= take;
            (share, take)
        })
        .collect();
    given.sort_unstable();
    given
}

#[cfg(test)]
mod tests;
