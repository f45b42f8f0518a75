//! Lines without marks: chance, what is known without the book, what rules and an audit answer.

use super::{Sheet, curve::Quiet};
use crate::{cell::Cell, collect::is_baseline, figures::Table, system::System};

impl Sheet<'_> {
    /// Chance, what the best model knows without the book, what an audit found.
    pub(super) fn quiet(&self, table: &Table) -> Vec<Quiet> {
        let mut lines = Vec::new();
        let chances: Vec<Option<f64>> = table.groups.iter().map(|group| group.chance).collect();
        if chances.iter().any(Option::is_some) {
            lines.push(Quiet { name: "chance".into(), values: chances });
        }
        for (setting, name) in
            [("none", "without the book (best)"), ("title", "title alone (best)")]
        {
            let best = |at: usize| {
                let own = table
                    .lines
                    .iter()
                    .filter(|line| line.setting == setting && !is_baseline(&line.model));
                let cells =
                    own.filter_map(|line| line.cells[at].as_ref().filter(|cell| !cell.thin)?.value);
                cells.max_by(f64::total_cmp)
            };
            let values: Vec<Option<f64>> = (0..table.groups.len()).map(best).collect();
            if values.iter().any(Option::is_some) {
                lines.push(Quiet { name: name.into(), values });
            }
        }
        lines.extend(self.best_rule(table));
        if let Some((measure, share)) = self.best_of_audit() {
            let values = vec![Some(share); table.groups.len()];
            lines.push(Quiet { name: format!("audit: {measure}"), values });
        }
        lines
    }

    /// The measure of the audit that has most right over all types, each type as often as it is asked.
    fn best_of_audit(&self) -> Option<(String, f64)> {
        let audit = &self.report.baselines;
        let over_types = |measure: &str| {
            let of = |kind: &str| {
                let own = audit.iter().filter(|one| one.measure == measure && one.answers());
                own.clone()
                    .find(|one| one.kind == kind)
                    .or(own.clone().find(|one| one.kind.is_empty()))
            };
            let mut sum = 0.0;
            for group in &self.part.types.groups {
                sum += of(&group.label)?.share * crate::cell::float(group.questions);
            }
            Some((measure.to_owned(), sum / crate::cell::float(self.part.questions)))
        };
        let shares = audit.iter().filter_map(|one| over_types(&one.measure));
        let best = shares.max_by(|one, other| one.1.total_cmp(&other.1));
        best.filter(|_| self.part.is_right_or_wrong())
    }

    /// The rule that has most right without a model.
    fn best_rule(&self, table: &Table) -> Option<Quiet> {
        let rules = self.part.systems.iter();
        let rules = rules
            .filter(|system| is_baseline(&system.model) && !self.models.contains(&system.model));
        let value = |system: &&System| system.cell.value.unwrap_or(0.0);
        let best = rules.max_by(|one, other| value(one).total_cmp(&value(other)))?;
        let own = table.lines.iter().find(|line| line.model == best.model)?;
        let value = |cell: &Option<Cell>| cell.as_ref().filter(|cell| !cell.thin)?.value;
        Some(Quiet { name: best.model.clone(), values: own.cells.iter().map(value).collect() })
    }
}
