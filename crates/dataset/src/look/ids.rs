//! Where the row of an id stands: a sorted list of hashes, 16 bytes a row.

use std::hash::{DefaultHasher, Hash, Hasher};

use storymill_core::Fault;

use crate::{
    exams::index::Tables,
    reading::{each_text, open},
};

/// Hashes of the ids of a config, with file and row. Two ids may share a hash: who asks looks at the row.
#[derive(Debug)]
pub(super) struct Ids(Vec<(u64, u32, u32)>);

impl Ids {
    pub(super) fn read(tables: &Tables, config: &str) -> Result<Self, Fault> {
        let mut all = Vec::new();
        for (file, table) in (0_u32..).zip(&tables.0) {
            let Some(column) = table.columns().first() else { continue };
            if table.config != config {
                continue;
            }
            let mut at: u32 = 0;
            each_text(open(&table.path)?, &table.path, column, |id| {
                all.push((hash(id), file, at));
                at += 1;
            })?;
        }
        all.sort_unstable();
        Ok(Self(all))
    }

    /// The places that an id may stand at, as file and row.
    pub(super) fn of(&self, id: &str) -> impl Iterator<Item = (usize, usize)> {
        let hash = hash(id);
        let from = self.0.partition_point(|one| one.0 < hash);
        let same = self.0[from..].iter().take_while(move |one| one.0 == hash);
        same.map(|(_, file, at)| (*file as usize, *at as usize))
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
