//! A few of the questions, for a trial: drawn by their ids, so that fewer are among more.

use storymill_core::{Digest, Fault};

use super::{CONTEXT, Exams, index::Run};

impl Exams {
    /// Draws so many questions, and leaves out units of which none was drawn.
    pub(super) fn draw(
        &mut self,
        configs: &[String],
        splits: &[String],
        most: usize,
    ) -> Result<(), Fault> {
        let mut all: Vec<(Digest, String, String, Run)> = Vec::new();
        for config in configs {
            for column in ["question_id", CONTEXT] {
                for (id, runs) in self.tables.places(config, column)? {
                    for run in runs {
                        if splits.is_empty() || splits.contains(&self.tables.0[run.file].split) {
                            let by = [config.as_bytes(), id.as_bytes()];
                            let by = Digest::of_parts("storymill 2026 drawn question v1", by);
                            all.push((by, config.clone(), id.clone(), run));
                        }
                    }
                }
            }
        }
        all.sort_by(|a, b| (&a.0, &a.1, &a.2).cmp(&(&b.0, &b.1, &b.2)));
        all.truncate(most);
        let asked = |config: &str, runs: &[Run]| {
            all.iter().any(|(_, own, _, at)| own == config && runs.iter().any(|run| run.has(at)))
        };
        for unit in self.units.values_mut() {
            unit.asked.retain(|(config, runs)| asked(config, runs));
        }
        self.units.retain(|_, unit| !unit.asked.is_empty());
        self.drawn = Some(all.into_iter().map(|(_, config, id, _)| (config, id)).collect());
        Ok(())
    }

    /// Whether a question is asked.
    pub(super) fn asks(&self, config: &str, id: &str) -> bool {
        let drawn = self.drawn.as_ref();
        drawn.is_none_or(|drawn| drawn.contains(&(config.to_owned(), id.to_owned())))
    }
}
