//! Rows to one Parquet file, the same bytes however the rows arrive.
//!
//! Rows go to the library in batches and row groups are closed by us. Both are cut by a count of
//! rows and by a measure of our own; so neither depends on how the caller groups its rows or on
//! what the library guesses of memory.
//!
//! A batch is a page of each column of long texts (`shape`). It may also end behind a row whose own
//! bytes say so: a row more or less moves the pages around it, and two versions of a dataset share
//! the rest. A row longer than a quarter of the limit always ends its page.

use std::io::{self, Write};

use arrow_schema::{ArrowError, SchemaRef};
use parquet::{
    arrow::{ArrowWriter, arrow_writer::ArrowWriterOptions},
    errors::ParquetError,
    file::properties::WriterProperties,
};
use serde::Serialize;
use storymill_core::Digest;

use crate::{
    facts::Facts,
    filling::{Filling, Unfit},
    hashed::{Failure, Hashed},
    measure::Measured,
    rows::RowsDigest,
    shape::MOST_ROWS_AT_ONCE,
};

/// Where batches, row groups and files end. Part of the writer's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) batch: Size,
    pub(crate) group: Size,
    pub(crate) file: Size,
}

impl Limits {
    /// What is published with. A row of books holds a whole novel, so bytes count as rows do.
    pub(crate) const STANDARD: Self = Self {
        batch: Size { rows: MOST_ROWS_AT_ONCE as u64, bytes: 1_000_000 },
        group: Size { rows: 50_000, bytes: 100_000_000 },
        file: Size { rows: u64::MAX, bytes: 500_000_000 },
    };
}

/// Some rows and their measure in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

impl Size {
    fn add(&mut self, bytes: u64) {
        self.rows += 1;
        self.bytes += bytes;
    }

    /// Whether one more row of so many bytes would be too much. A single row never is.
    pub(crate) fn is_full(self, limit: Self, bytes: u64) -> bool {
        self.rows > 0 && (self.rows >= limit.rows || self.bytes + bytes > limit.bytes)
    }

    /// Whether the row that was added last ends these rows of its own accord: once they are a quarter
    /// of the limit, every row may, the longer it is the likelier.
    fn ends_with(self, row: Measured, limit: Self) -> bool {
        let quarter = Self { rows: limit.rows / 4, bytes: limit.bytes / 4 };
        let weight = row.bytes.max(limit.bytes / limit.rows);
        (self.rows >= quarter.rows || self.bytes >= quarter.bytes)
            && row.mark() % quarter.bytes < weight
    }
}

/// A Parquet file being written.
pub(crate) struct TableFile<W: Write + Send> {
    writer: ArrowWriter<Hashed<W>>,
    filling: Filling,
    digest: RowsDigest,
    failure: Failure,
    limits: Limits,
    batch: Size,
    group: Size,
    total: Size,
}

/// A Parquet file as written: what went where.
pub(crate) struct Written<W> {
    pub(crate) inner: W,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) rows_digest: Digest,
    pub(crate) size: Size,
}

impl<W: Write + Send> TableFile<W> {
    pub(crate) fn new(
        inner: W,
        schema: &SchemaRef,
        properties: WriterProperties,
        limits: Limits,
    ) -> Result<Self, WriteError> {
        // Arrow's own copy of the schema would add bytes that move with its library.
        let options =
            ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
        let hashed = Hashed::new(inner);
        let failure = hashed.failure();
        let writer = ArrowWriter::try_new_with_options(hashed, schema.clone(), options)
            .map_err(|error| WriteError::of(error, &failure))?;
        let filling = Filling::new(schema)?;
        let digest = RowsDigest::new(schema.fields());
        let (batch, group, total) = Default::default();
        Ok(Self { writer, filling, digest, failure, limits, batch, group, total })
    }

    /// Adds a row and its measure.
    pub(crate) fn push<R: Serialize>(
        &mut self,
        row: &R,
        measured: Measured,
        facts: &mut Facts,
    ) -> Result<(), WriteError> {
        let bytes = measured.bytes;
        if self.group.is_full(self.limits.group, bytes) {
            self.close_batch(facts)?;
            self.writer.flush().map_err(|error| WriteError::of(error, &self.failure))?;
            self.group = Size::default();
        } else if self.batch.is_full(self.limits.batch, bytes) {
            self.close_batch(facts)?;
        }
        self.filling.push(row)?;
        for size in [&mut self.batch, &mut self.group, &mut self.total] {
            size.add(bytes);
        }
        if self.batch.ends_with(measured, self.limits.batch) {
            self.close_batch(facts)?;
        }
        Ok(())
    }

    pub(crate) fn size(&self) -> Size {
        self.total
    }

    pub(crate) fn finish(mut self, facts: &mut Facts) -> Result<Written<W>, WriteError> {
        self.close_batch(facts)?;
        let hashed =
            self.writer.into_inner().map_err(|error| WriteError::of(error, &self.failure))?;
        let (inner, bytes, sha256) = hashed.finish();
        let rows_digest = self.digest.finish();
        Ok(Written { inner, bytes, sha256, rows_digest, size: self.total })
    }

    fn close_batch(&mut self, facts: &mut Facts) -> Result<(), WriteError> {
        self.batch = Size::default();
        let Some(batch) = self.filling.finish()? else { return Ok(()) };
        self.digest.add(&batch).map_err(WriteError::shape)?;
        facts.note(&batch);
        self.writer.write(&batch).map_err(|error| WriteError::of(error, &self.failure))
    }
}

/// Why a row or a file could not be written.
#[derive(Debug)]
pub(crate) enum WriteError {
    /// The disk's fault.
    Disk(io::Error),
    /// The table's: a row that does not fit its columns.
    Shape(Box<dyn std::error::Error + Send + Sync>),
}

impl From<Unfit> for WriteError {
    fn from(unfit: Unfit) -> Self {
        Self::Shape(unfit.into())
    }
}

impl WriteError {
    fn shape(error: ArrowError) -> Self {
        Self::Shape(error.into())
    }

    fn of(error: ParquetError, failure: &Failure) -> Self {
        failure.take().map_or_else(|| Self::Shape(error.into()), Self::Disk)
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use storymill_core::Scene;

    use super::*;
    use crate::{
        measure::measure,
        shape::{properties, schema},
        support::work,
        table::{Added, Table},
    };

    const LIMITS: Limits = Limits {
        batch: Size { rows: 7, bytes: 9_000 },
        group: Size { rows: 50, bytes: 60_000 },
        file: Size { rows: u64::MAX, bytes: u64::MAX },
    };

    fn write(limits: Limits) -> (Vec<u64>, Written<Vec<u8>>) {
        write_rows(limits, work("b1", 1, 150, 900).scenes)
    }

    fn write_rows(limits: Limits, scenes: Vec<Scene>) -> (Vec<u64>, Written<Vec<u8>>) {
        let columns = Scene::columns(&[]);
        let schema = schema(&columns);
        let properties = properties(&columns, &[]).unwrap();
        let mut file = TableFile::new(Vec::new(), &schema, properties, limits).unwrap();
        let unit = "b1".parse().unwrap();
        let added = Added {
            unit: &unit,
            split: "train",
            canary: "c",
            encodings: &[],
            people: &std::collections::BTreeMap::new(),
        };
        let (mut lengths, mut facts) = (Vec::new(), Facts::default());
        for scene in scenes {
            let row = crate::tables::Row(&scene, &added);
            let measured = measure(&row).unwrap();
            file.push(&row, measured, &mut facts).unwrap();
            lengths.push(measured.bytes);
        }
        (lengths, file.finish(&mut facts).unwrap())
    }

    #[test]
    fn row_groups_end_where_our_own_measure_says() {
        let (lengths, written) = write(LIMITS);
        let mut groups = vec![Size::default()];
        for bytes in lengths {
            if groups.last().unwrap().is_full(LIMITS.group, bytes) {
                groups.push(Size::default());
            }
            groups.last_mut().unwrap().add(bytes);
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &written.inner).unwrap();
        let reader = crate::reading::open(&file.path().into()).unwrap();
        let found: Vec<_> = reader
            .metadata()
            .row_groups()
            .iter()
            .map(parquet::file::metadata::RowGroupMetaData::num_rows)
            .collect();
        let expected: Vec<_> =
            groups.iter().map(|group| i64::try_from(group.rows).unwrap()).collect();
        assert!(found.len() > 2);
        assert_eq!(found, expected);
        assert_eq!(crate::check::rows_of(&file.path().into()), written.rows_digest);
    }

    #[test]
    fn rows_have_one_digest_whatever_the_limits() {
        let (_, small) = write(LIMITS);
        let (_, standard) = write(Limits::STANDARD);
        assert_ne!(small.sha256, standard.sha256);
        assert_eq!(small.rows_digest, standard.rows_digest);
    }

    #[test]
    fn a_row_more_moves_only_the_pages_around_it() {
        let pages = |scenes: &[Scene]| {
            let (_, written) = write_rows(Limits::STANDARD, scenes.to_vec());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &written.inner).unwrap();
            let reader = SerializedFileReader::new(file.reopen().unwrap()).unwrap();
            let group = reader.get_row_group(0).unwrap();
            let columns = reader.metadata().row_group(0).columns();
            let text = columns.iter().position(|column| column.column_path().string() == "text");
            let pages = group.get_column_page_reader(text.unwrap()).unwrap();
            pages.map(|page| page.unwrap().buffer().to_vec()).collect::<Vec<_>>()
        };
        let whole = work("b1", 1, 2_000, 9_000).scenes;
        let before = pages(&whole);
        let lengths: Vec<_> = before.iter().map(Vec::len).collect();
        assert!(lengths.iter().all(|bytes| *bytes <= 1_000_000), "{lengths:?}");
        assert!((20..60).contains(&lengths.len()), "{lengths:?}");
        for gone in [0, 700, 1_999] {
            let mut fewer = whole.clone();
            fewer.remove(gone);
            let after = pages(&fewer);
            let moved = before.iter().filter(|page| !after.contains(page)).count();
            assert!(moved <= 4, "{moved} of {} pages are others without row {gone}", before.len());
        }
    }

    #[test]
    fn one_row_is_never_too_much() {
        let limit = Size { rows: 2, bytes: 10 };
        assert!(!Size::default().is_full(limit, 99));
        assert!(Size { rows: 1, bytes: 9 }.is_full(limit, 2));
        assert!(!Size { rows: 1, bytes: 9 }.is_full(limit, 1));
        assert!(Size { rows: 2, bytes: 2 }.is_full(limit, 1));
    }
}
