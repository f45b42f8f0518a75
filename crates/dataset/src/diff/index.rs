//! The old rows as digests, and the new ones held against them.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hasher},
    path::PathBuf,
    sync::Arc,
};

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use storymill_core::{Digest, Fault, FaultKind};

use crate::{
    reading::{each_batch, open_here},
    rows::Cells,
};

/// A row group of a file: what is read at once, so that all cores have something to read.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) path: Arc<PathBuf>,
    pub(super) split: String,
    pub(super) group: usize,
    /// The place of its first row in the file.
    pub(super) first: u32,
}

/// A row of one of two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Arc<PathBuf>,
    pub(super) row: u32,
}

/// An old row that is gone, moved or changed.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) config: Arc<str>,
    /// The digest of its id, by which samples are chosen.
    pub(super) key: u64,
    pub(super) old: Place,
    pub(super) new: Option<Place>,
    /// The columns that both tables have, and which of them differ.
    pub(super) columns: Arc<[String]>,
    pub(super) differing: Bits,
}

/// Which of some columns. The 64th stands for all that follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(u64);

impl Bits {
    fn set(&mut self, at: usize) {
        self.0 |= 1 << at.min(63);
    }

    pub(super) fn has(self, at: usize) -> bool {
        self.0 & (1 << at.min(63)) != 0
    }
}

/// The rows of one table: ids, whole rows and cells, all as digests.
pub(super) struct Index {
    pieces: Vec<Rows>,
    /// Where each id stands: piece and row.
    places: HashMap<u64, (u32, u32)>,
}

/// The rows of one piece of a file.
pub(super) struct Rows {
    file: Arc<PathBuf>,
    /// The place of its first row in the file.
    first: u32,
    split: String,
    keys: Vec<u64>,
    wholes: Vec<u64>,
    /// Of each row its cells, one after the other.
    cells: Vec<u32>,
}

/// What came of holding one new piece against the old rows.
#[derive(Default)]
pub(super) struct Held {
    pub(super) same: u64,
    /// The old place, the new row, the columns.
    pub(super) changed: Vec<((u32, u32), u32, Bits)>,
    pub(super) added: u64,
    /// Rows, changed or not, that moved to another split.
    pub(super) moved: u64,
    /// Every old row that was met.
    pub(super) met: Vec<(u32, u32)>,
}

/// The digests of a batch's rows.
struct Digests<'b> {
    cells: Vec<Cells<'b>>,
    buffer: Vec<u8>,
}

impl<'b> Digests<'b> {
    fn of(batch: &'b RecordBatch, columns: &[String]) -> Result<Self, Fault> {
        let cells = columns.iter().map(|name| {
            let missing = || Fault::new(FaultKind::Input, format!("a file has no column `{name}`"));
            let column = batch.column_by_name(name).ok_or_else(missing)?;
            Cells::of(column).map_err(|error| Fault::new(FaultKind::Input, error.to_string()))
        });
        Ok(Self { cells: cells.collect::<Result<_, _>>()?, buffer: Vec::new() })
    }

    /// The digest of a row's id and of the whole row; each cell's is handed over.
    fn row(&mut self, at: usize, mut cell: impl FnMut(u64)) -> (u64, u64) {
        let mut whole = DefaultHasher::new();
        let mut key = 0;
        for (column, cells) in self.cells.iter().enumerate() {
            self.buffer.clear();
            cells.write(at, &mut self.buffer);
            if column == 0 {
                // Samples are chosen by it, so it is the same in every build of this program.
                key = u64_of(Digest::of(&self.buffer));
            }
            let mut hasher = DefaultHasher::new();
            hasher.write(&self.buffer);
            let digest = hasher.finish();
            whole.write_u64(digest);
            cell(digest);
        }
        (key, whole.finish())
    }
}

fn u64_of(digest: Digest) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&digest.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Half a digest is enough to tell which cells of a row differ: that the row does is known.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
fn half(digest: u64) -> u32 {
    digest as u32
}

/// Calls for each batch of a piece, with these columns alone.
fn batches(
    piece: &Piece,
    columns: &[String],
    f: impl FnMut(&RecordBatch) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let reader = open_here(&piece.path)?;
    let names = columns.iter().map(String::as_str);
    let mask = ProjectionMask::columns(reader.parquet_schema(), names);
    let reader = reader.with_projection(mask).with_row_groups(vec![piece.group]);
    each_batch(reader, &piece.path, f)
}

impl Rows {
    /// Reads a piece. The first column is the id.
    pub(super) fn read(piece: &Piece, columns: &[String]) -> Result<Self, Fault> {
        let mut own = Self {
            file: Arc::clone(&piece.path),
            first: piece.first,
            split: piece.split.clone(),
            keys: Vec::new(),
            wholes: Vec::new(),
            cells: Vec::new(),
        };
        batches(piece, columns, |batch| {
            let mut digests = Digests::of(batch, columns)?;
            for at in 0..batch.num_rows() {
                let (key, row) = digests.row(at, |cell| own.cells.push(half(cell)));
                own.keys.push(key);
                own.wholes.push(row);
            }
            Ok(())
        })?;
        Ok(own)
    }
}

impl Index {
    pub(super) fn of(pieces: Vec<Rows>) -> Self {
        let mut places = HashMap::with_capacity(pieces.iter().map(|piece| piece.keys.len()).sum());
        for (piece, rows) in (0..).zip(&pieces) {
            places.extend((0..).zip(&rows.keys).map(|(row, key)| (*key, (piece, row))));
        }
        Self { pieces, places }
    }

    /// Holds the rows of a new piece against the old ones.
    pub(super) fn hold(&self, piece: &Piece, columns: &[String]) -> Result<Held, Fault> {
        let mut held = Held::default();
        let mut row = piece.first;
        let mut cells = Vec::with_capacity(columns.len());
        batches(piece, columns, |batch| {
            let mut digests = Digests::of(batch, columns)?;
            for at in 0..batch.num_rows() {
                cells.clear();
                let (key, whole) = digests.row(at, |cell| cells.push(half(cell)));
                self.hold_row(piece, key, whole, &cells, row, &mut held);
                row += 1;
            }
            Ok(())
        })?;
        Ok(held)
    }

    fn hold_row(
        &self,
        piece: &Piece,
        key: u64,
        whole: u64,
        cells: &[u32],
        row: u32,
        held: &mut Held,
    ) {
        let Some(place) = self.places.get(&key).copied() else {
            held.added += 1;
            return;
        };
        held.met.push(place);
        let old = &self.pieces[place.0 as usize];
        held.moved += u64::from(old.split != piece.split);
        if old.wholes[place.1 as usize] == whole {
            held.same += 1;
            if old.split != piece.split {
                held.changed.push((place, row, Bits::default()));
            }
            return;
        }
        let from = place.1 as usize * cells.len();
        let mut differing = Bits::default();
        for (column, (was, is)) in old.cells[from..].iter().zip(cells).enumerate() {
            if was != is {
                differing.set(column);
            }
        }
        held.changed.push((place, row, differing));
    }

    /// The place of an old row, and the digest of its id.
    pub(super) fn place(&self, at: (u32, u32)) -> (Place, u64) {
        let rows = &self.pieces[at.0 as usize];
        let place = Place { file: Arc::clone(&rows.file), row: rows.first + at.1 };
        (place, rows.keys[at.1 as usize])
    }

    /// The split of an old row.
    pub(super) fn split(&self, at: (u32, u32)) -> &str {
        &self.pieces[at.0 as usize].split
    }

    /// Every old row that was not met.
    pub(super) fn not_met(&self, met: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut seen: Vec<Vec<bool>> =
            self.pieces.iter().map(|rows| vec![false; rows.keys.len()]).collect();
        met.for_each(|(piece, row)| seen[piece as usize][row as usize] = true);
        let pieces = (0..).zip(&seen);
        pieces
            .flat_map(|(piece, rows)| {
                (0..).zip(rows).filter(|(_, seen)| !**seen).map(move |(row, _)| (piece, row))
            })
            .collect()
    }
}
