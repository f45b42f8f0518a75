//! Where the row of an id stands: a sorted list of hashes, 16 bytes a row.

use std::hash::{DefaultHasher, Hash, Hasher};

use arrow_array::{Array, cast::AsArray};
use parquet::arrow::ProjectionMask;
use storymill_core::Fault;

use crate::{
    exams::index::Tables,
    reading::{each_batch, json_rows, open, unreadable},
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
            let reader = open(&table.path)?.with_batch_size(8_192);
            let mask = ProjectionMask::columns(reader.parquet_schema(), [column.as_str()]);
            let mut at: u32 = 0;
            each_batch(reader.with_projection(mask), &table.path, |batch| {
                let mut add = |id: &str| {
                    all.push((hash(id), file, at));
                    at += 1;
                };
                match batch.column(0).as_string_opt::<i32>() {
                    Some(ids) => (0..ids.len()).for_each(|row| add(ids.value(row))),
                    None => json_rows(batch)
                        .map_err(|error| unreadable(&table.path, error))?
                        .iter()
                        .for_each(|row| add(row[column.as_str()].as_str().unwrap_or_default())),
                }
                Ok(())
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
