//! Pilots: a few scenes through the whole workflow, before all of them are paid for.
//!
//! What no model is needed for is made of every unit, as a build would; then scenes are chosen, and only
//! their units go on. A stage that asks about scenes still reads whole units, so its requests are those that a
//! build will send, and their answers are found in the log. One that asks about what other stages made of the
//! chosen scenes asks for the pilot alone. Rows of a pilot stand under keys of their own.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
};

use storymill_core::{Digest, Fault, FaultKind, Record, Scene, Seed, UnitId, middles};

use crate::{Step, Workflow, engine::Engine};

/// The scenes that a pilot works on.
#[derive(Debug)]
pub(crate) struct Chosen {
    scenes: BTreeMap<UnitId, BTreeSet<u32>>,
}

impl Chosen {
    /// The chosen scenes of a unit.
    pub(crate) fn of(&self, unit: &UnitId) -> Option<&BTreeSet<u32>> {
        self.scenes.get(unit)
    }

    /// Whether a unit is worked on. No two sources have a unit of the same id.
    pub(crate) fn takes(&self, unit: &UnitId) -> bool {
        self.scenes.contains_key(unit)
    }

    /// What a key holds of a choice.
    pub(crate) fn digest(scenes: &BTreeSet<u32>) -> Digest {
        let scenes: Vec<_> = scenes.iter().map(|scene| scene.to_le_bytes()).collect();
        Digest::of_parts("storymill 2026 pilot v1", scenes.iter().map(|scene| &scene[..]))
    }

    /// How many scenes, of how many units.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.scenes.values().map(BTreeSet::len).sum(), self.scenes.len())
    }
}

/// The steps that need no model, and the others, each in their order.
pub(crate) fn parted(workflow: &Workflow) -> (Vec<&Step>, Vec<&Step>) {
    let mut asking = BTreeSet::new();
    workflow.steps.iter().partition(|step| {
        let waits = step.edges().iter().any(|edge| asking.contains(&edge.step));
        if waits || !step.models().is_empty() {
            asking.insert(step.name.clone());
        }
        !asking.contains(&step.name)
    })
}

/// The step of each source that makes the scenes which a model is asked about, and about how many of a unit it is asked, if not
/// about all.
///
/// # Errors
///
/// No model is asked about scenes.
pub(crate) fn scenes(workflow: &Workflow) -> Result<Vec<(&Step, Option<NonZeroU32>)>, Fault> {
    let mut of_source = BTreeMap::new();
    for asking in workflow.steps.iter().filter(|step| step.asks_outside(workflow)) {
        let edges = asking.edges().into_iter().filter(|edge| edge.record == Scene::NAME);
        for step in edges.filter_map(|edge| workflow.step(&edge.step)) {
            of_source.entry(&step.source).or_insert((step, asking.most_scenes()));
        }
    }
    if of_source.is_empty() {
        let message =
            "no step of the workflow asks a model about scenes, so there is nothing to try";
        let hint = "build without `--pilot`: what no model is asked for costs nothing";
        return Err(Fault::new(FaultKind::Input, message).hint(hint));
    }
    Ok(of_source.into_values().collect())
}

/// Chooses so many of the scenes that some steps made, spread over units and over each unit.
///
/// # Errors
///
/// There are no scenes.
pub(crate) fn choose(
    engine: &Engine<'_>,
    steps: &[(&Step, Option<NonZeroU32>)],
    scenes: u32,
) -> Result<Chosen, Fault> {
    let parts = steps.iter().flat_map(|(step, most)| {
        engine.state.parts(&step.name).into_iter().map(|part| (part, *most))
    });
    let some = parts.filter(|(part, _)| part.rows > 0);
    let asked: BTreeMap<UnitId, Vec<u32>> =
        some.map(|(part, most)| (part.unit, among(part.rows, most))).collect();
    let many = |all: &Vec<u32>| u32::try_from(all.len()).unwrap_or(u32::MAX);
    let rows: BTreeMap<UnitId, u32> =
        asked.iter().map(|(unit, all)| (unit.clone(), many(all))).collect();
    if asked.is_empty() {
        let steps: Vec<_> = steps.iter().map(|(step, _)| format!("`{}`", step.name)).collect();
        let steps = steps.join(", ");
        let message = format!("{steps} made no scene of any unit, so there is nothing to try");
        return Err(Fault::new(FaultKind::Input, message));
    }
    let seed = Seed::new(engine.workflow.seed);
    let of_unit = |(unit, many): (&UnitId, u32)| {
        let chosen = spread(seed, unit, rows[unit], many).into_iter();
        (unit.clone(), chosen.map(|at| asked[unit][at as usize]).collect())
    };
    let scenes = dealt(seed, &rows, scenes);
    let scenes = scenes.iter().map(|(unit, count)| of_unit((unit, *count))).collect();
    Ok(Chosen { scenes })
}

/// The scenes of a unit that are asked about.
fn among(rows: u32, most: Option<NonZeroU32>) -> Vec<u32> {
    let most = most.map_or(rows, NonZeroU32::get);
    middles(rows as usize, most as usize).filter_map(|at| u32::try_from(at).ok()).collect()
}

/// Deals so many scenes to units, one to each in an order by lot, then another, while they have more.
fn dealt(seed: Seed, rows: &BTreeMap<UnitId, u32>, scenes: u32) -> BTreeMap<UnitId, u32> {
    let root = seed.root().to_le_bytes();
    let lot = |unit: &UnitId| {
        Digest::of_parts("storymill 2026 pilot lot v1", [&root[..], unit.as_str().as_bytes()])
    };
    let mut order: Vec<&UnitId> = rows.keys().collect();
    order.sort_by_cached_key(|unit| *lot(unit).as_bytes());
    let (mut dealt, mut left) = (BTreeMap::new(), scenes);
    for round in 0.. {
        let open: Vec<_> = order.iter().filter(|unit| rows[**unit] > round).collect();
        if open.is_empty() || left == 0 {
            break;
        }
        for unit in open.into_iter().take(left as usize) {
            *dealt.entry((*unit).clone()).or_insert(0) += 1;
            left -= 1;
        }
    }
    dealt
}

/// So many scenes of a unit, one by lot from each of as many stretches of like length.
fn spread(seed: Seed, unit: &UnitId, rows: u32, count: u32) -> BTreeSet<u32> {
    let border = |at: u32| {
        let border = u64::from(at) * u64::from(rows) / u64::from(count.max(1));
        u32::try_from(border).expect("a share of the rows")
    };
    let mut stream = seed.derive("pilot", unit, unit.as_str(), "scenes");
    (0..count).map(|at| border(at) + stream.below((border(at + 1) - border(at)).max(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_spread_over_units_and_over_each_unit() {
        let seed = Seed::new(7);
        let rows = [("a", 1), ("b", 100), ("c", 40)];
        let rows: BTreeMap<UnitId, u32> =
            rows.iter().map(|(unit, rows)| (unit.parse().unwrap(), *rows)).collect();
        let of = |scenes| dealt(seed, &rows, scenes).into_values().collect::<Vec<_>>();
        assert_eq!(of(7), [1, 3, 3]);
        assert_eq!(of(2).iter().sum::<u32>(), 2, "no more than wanted");
        assert_eq!(of(999), [1, 100, 40], "no more than there are");

        let unit = "b".parse().unwrap();
        let scenes: Vec<u32> = spread(seed, &unit, 100, 4).into_iter().collect();
        let stretches: Vec<u32> = scenes.iter().map(|scene| scene / 25).collect();
        assert_eq!(stretches, [0, 1, 2, 3], "{scenes:?}");
        assert_eq!(spread(seed, &unit, 5, 5).len(), 5);
        assert_eq!(among(4, None), [0, 1, 2, 3]);
        assert_eq!(among(9, NonZeroU32::new(3)), [1, 4, 7], "where a stage asks about some alone");
        assert_ne!(spread(Seed::new(8), &unit, 100, 4), spread(seed, &unit, 100, 4));
    }
}
