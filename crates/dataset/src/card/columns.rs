//! The columns of all configs in one list: a column that several configs share is described once.

use serde::Serialize;

use super::ConfigView;

/// A column with the configs that have it.
#[derive(Debug, Serialize)]
pub(super) struct SharedColumn {
    name: &'static str,
    kind: String,
    about: &'static str,
    nullable: bool,
    /// In the order of the configs; blank if all have it.
    configs: Vec<String>,
}

/// The columns in the order in which they are met, those of one name together.
pub(super) fn shared(configs: &[ConfigView]) -> Vec<SharedColumn> {
    let mut shared: Vec<SharedColumn> = Vec::new();
    for config in configs {
        for column in &config.columns {
            let same = |one: &&mut SharedColumn| {
                (one.name, &one.kind, one.about, one.nullable)
                    == (column.name, &column.kind, column.about, column.nullable)
            };
            if let Some(known) = shared.iter_mut().find(same) {
                known.configs.push(config.name.clone());
                continue;
            }
            let behind = shared.iter().rposition(|one| one.name == column.name);
            let at = behind.map_or(shared.len(), |at| at + 1);
            let (kind, configs) = (column.kind.clone(), vec![config.name.clone()]);
            let (name, about, nullable) = (column.name, column.about, column.nullable);
            shared.insert(at, SharedColumn { name, kind, about, nullable, configs });
        }
    }
    for column in shared.iter_mut().filter(|column| column.configs.len() == configs.len()) {
        column.configs.clear();
    }
    shared
}
