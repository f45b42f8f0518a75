//! Counting what a log holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use storymill_core::Fault;

use crate::{AnswerLog, Usage, answers::notes, log::Opened};

/// What a log holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Answers.
    pub answers: u64,
    /// Answers under a key that has another answer too, beyond the first.
    pub conflicts: u64,
    /// Packs.
    pub packs: usize,
    /// Segments that are not sealed.
    pub segments: usize,
    /// Bytes of packs and segments.
    pub bytes: u64,
    /// Bytes that killed writers left behind the last whole record.
    pub torn_bytes: u64,
    /// Bytes that are damaged.
    pub damaged_bytes: u64,
    /// What the answers took that have notes, by stage and model.
    pub uses: Vec<UseRow>,
}

/// What the answers of one stage from one model took.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UseRow {
    /// The kind of stage.
    pub stage: String,
    /// The user's name for the model's weights.
    pub model_id: String,
    /// Answers.
    pub answers: u64,
    /// Units they belong to.
    pub units: u64,
    /// Tokens, as far as the servers said.
    pub usage: Usage,
    /// Answers whose server gave no usage.
    pub unknown: u64,
}

/// Counts what a log holds.
pub fn stats(log: &AnswerLog) -> Result<Stats, Fault> {
    let Opened { packs, segments, torn_bytes, damaged_bytes, bytes, .. } = log.opened();
    let mut uses = BTreeMap::<(String, String), (UseRow, BTreeSet<String>)>::new();
    notes(log.folder(), &**log.disk(), None, |_, note| {
        let (row, units) = uses.entry((note.stage, note.model_id)).or_default();
        row.answers += 1;
        row.unknown += u64::from(note.usage.is_none());
        row.usage += note.usage.unwrap_or_default();
        units.insert(note.unit);
    })?;
    let row = |((stage, model_id), (row, units)): (_, (UseRow, BTreeSet<String>))| UseRow {
        stage,
        model_id,
        units: units.len() as u64,
        ..row
    };
    Ok(Stats {
        answers: log.len() as u64,
        conflicts: log.conflicts(),
        packs,
        segments,
        bytes,
        torn_bytes,
        damaged_bytes,
        uses: uses.into_iter().map(row).collect(),
    })
}
