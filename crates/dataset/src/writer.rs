//! Rows to one Parquet file, the same bytes however the rows arrive.
//!
//! Rows go to the library in batches of a fixed size and row groups are closed by us. Both are
//! cut by a count of rows and by a measure of our own, the length of a row's canonical JSON; so
//! neither depends on how the caller groups its rows or on what the library guesses of memory.

use std::io::{self, Write};

use arrow_json::reader::{Decoder, ReaderBuilder};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::{
    arrow::{ArrowWriter, arrow_writer::ArrowWriterOptions},
    errors::ParquetError,
    file::properties::WriterProperties,
};
use serde::Serialize;
use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind, canonical};

use crate::{
    hashed::{Hashed, RowsDigest},
    shape::schema_text,
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
        batch: Size { rows: 1_024, bytes: 8_000_000 },
        group: Size { rows: 50_000, bytes: 100_000_000 },
        file: Size { rows: u64::MAX, bytes: 500_000_000 },
    };
}

/// Some rows and their measure: the length of their canonical JSON in bytes.
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
}

/// A row ready to be written: the struct, and its canonical JSON, which is its measure too.
pub(crate) struct Measured<'r, R> {
    row: &'r R,
    pub(crate) value: Value,
    text: String,
}

impl<'r, R: Serialize> Measured<'r, R> {
    pub(crate) fn new(row: &'r R) -> Result<Self, Fault> {
        let value = serde_json::to_value(row).map_err(|error| {
            Fault::new(FaultKind::Internal, "a row cannot be JSON").because(error)
        })?;
        let text = canonical::json(&value);
        Ok(Self { row, value, text })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.text.len() as u64
    }
}

/// A Parquet file being written.
pub(crate) struct TableFile<W: Write + Send> {
    writer: ArrowWriter<Hashed<W>>,
    decoder: Decoder,
    digest: RowsDigest,
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
        let schema = schema.clone();
        let writer =
            ArrowWriter::try_new_with_options(Hashed::new(inner), schema.clone(), options)?;
        let digest = RowsDigest::new(&schema_text(schema.fields()));
        let decoder = ReaderBuilder::new(schema).with_strict_mode(true).build_decoder()?;
        let (batch, group, total) = Default::default();
        Ok(Self { writer, decoder, digest, limits, batch, group, total })
    }

    pub(crate) fn push<R: Serialize>(&mut self, row: &Measured<'_, R>) -> Result<(), WriteError> {
        let bytes = row.bytes();
        if self.group.is_full(self.limits.group, bytes) {
            self.close_batch()?;
            self.writer.flush()?;
            self.group = Size::default();
        } else if self.batch.is_full(self.limits.batch, bytes) {
            self.close_batch()?;
        }
        self.decoder.serialize(std::slice::from_ref(row.row))?;
        self.digest.add(&row.text);
        for size in [&mut self.batch, &mut self.group, &mut self.total] {
            size.add(bytes);
        }
        Ok(())
    }

    pub(crate) fn size(&self) -> Size {
        self.total
    }

    pub(crate) fn finish(mut self) -> Result<Written<W>, WriteError> {
        self.close_batch()?;
        let (inner, bytes, sha256) = self.writer.into_inner()?.finish();
        let rows_digest = self.digest.finish();
        Ok(Written { inner, bytes, sha256, rows_digest, size: self.total })
    }

    fn close_batch(&mut self) -> Result<(), WriteError> {
        self.batch = Size::default();
        if let Some(batch) = self.decoder.flush()? {
            self.writer.write(&batch)?;
        }
        Ok(())
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

impl From<ArrowError> for WriteError {
    fn from(error: ArrowError) -> Self {
        Self::Shape(error.into())
    }
}

impl From<ParquetError> for WriteError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => Self::Disk(*error),
                Err(inner) => Self::Shape(inner),
            },
            other => Self::Shape(other.into()),
        }
    }
}
