//! `hold-out`: all units of a source belong to one split, as question sets that only test do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    ByUnit, CorpusStage, Edge, Options, Rows, Seed, SetQuestion, Split, Stop, UnitId, stage,
};

/// Puts every question set into one split.
///
/// ```
/// use storymill_transforms::HoldOut;
/// let stage: HoldOut = toml::from_str("from = 'sets'").unwrap();
/// assert_eq!(stage.split, "test");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HoldOut {
    /// The source of question sets.
    pub from: Edge<SetQuestion>,
    /// The split: `train`, `validation` or `test`. Default: `test`.
    #[serde(default = "test")]
    pub split: String,
}

fn test() -> String {
    "test".to_owned()
}

impl Options for HoldOut {
    fn check(&self) -> Vec<(&'static str, String)> {
        if ["train", "validation", "test"].contains(&&self.split[..]) {
            return Vec::new();
        }
        vec![("split", format!("is `{}`, and can be `train`, `validation` or `test`", self.split))]
    }
}

impl CorpusStage for HoldOut {
    stage!("hold-out", 1, Rows<SetQuestion> => Split => Split, from);

    fn fact(&self, unit: &UnitId, _: Rows<SetQuestion>) -> Result<Split, Stop> {
        Ok(Split { unit: unit.clone(), split: self.split.clone(), group: unit.clone() })
    }

    fn run(
        &self,
        facts: &ByUnit<Split>,
        _: &ByUnit<Split>,
        _: Seed,
    ) -> Result<ByUnit<Split>, Stop> {
        Ok(facts.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_held_out() {
        let stage: HoldOut = toml::from_str("from = 's'").unwrap();
        let units = ["a", "b"].map(|unit| unit.parse::<UnitId>().unwrap());
        let facts =
            units.iter().map(|unit| (unit.clone(), stage.fact(unit, Vec::new().into()).unwrap()));
        let facts: ByUnit<Split> = facts.collect();
        let ruled = stage.run(&facts, &ByUnit::new(), Seed::new(1)).unwrap();
        assert!(units.iter().all(|unit| ruled[unit].split == "test"));
        let wrong: HoldOut = toml::from_str("from = 's'\nsplit = 'tast'").unwrap();
        assert_eq!(wrong.check().len(), 1);
    }
}
