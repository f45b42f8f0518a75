//! The files of one table and one split, a new one after so many bytes.
//!
//! How many files there will be is known at the end, so they are written under temporary names.

use std::{
    mem,
    path::{Path, PathBuf},
};

use arrow_schema::SchemaRef;
use parquet::file::properties::WriterProperties;
use storymill_core::{Digest, Disk, DiskFile, Fault, FaultKind};

use crate::{
    column::Column,
    facts::Facts,
    folder::BEGUN,
    measure::measure,
    shape::{properties, schema},
    table::{Added, Table},
    tables::Row,
    writer::{Limits, Size, TableFile, WriteError, Written},
};

/// The files of one table and one split, being written.
pub(crate) struct FileParts<'a> {
    disk: &'a dyn Disk,
    /// The temporary name, less its number.
    stem: PathBuf,
    schema: SchemaRef,
    properties: WriterProperties,
    limits: Limits,
    facts: &'a mut Facts,
    open: Option<(PathBuf, TableFile<Box<dyn DiskFile>>)>,
    done: Vec<FilePart>,
}

/// One file, written and synced under its temporary name.
#[derive(Debug)]
pub(crate) struct FilePart {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) rows_digest: Digest,
    pub(crate) size: Size,
}

impl<'a> FileParts<'a> {
    pub(crate) fn new(
        disk: &'a dyn Disk,
        stem: &Path,
        columns: &[Column],
        entries: &[(String, String)],
        limits: Limits,
        facts: &'a mut Facts,
    ) -> Result<Self, Fault> {
        Ok(Self {
            disk,
            stem: stem.to_owned(),
            schema: schema(columns),
            properties: properties(columns, entries)?,
            limits,
            facts,
            open: None,
            done: Vec::new(),
        })
    }

    /// Writes the row of a record.
    pub(crate) fn push<T: Table>(&mut self, record: &T, added: &Added<'_>) -> Result<(), Fault> {
        self.facts.hear(record);
        let row = &Row(record, added);
        let measured = measure(row)?;
        let full = |(_, file): &mut (_, TableFile<_>)| {
            file.size().is_full(self.limits.file, measured.bytes)
        };
        if let Some((path, file)) = self.open.take_if(full) {
            self.close(path, file)?;
        }
        let (path, file) = match &mut self.open {
            Some(open) => open,
            closed => closed.insert(begin(
                self.disk,
                &numbered(&self.stem, self.done.len()),
                &self.schema,
                &self.properties,
                self.limits,
            )?),
        };
        file.push(row, measured, self.facts).map_err(|error| fault(error, path))
    }

    /// The files, at least one if `even_if_empty`.
    pub(crate) fn finish(mut self, even_if_empty: bool) -> Result<Vec<FilePart>, Fault> {
        if self.open.is_none() && self.done.is_empty() && even_if_empty {
            let path = numbered(&self.stem, 0);
            self.open = Some(begin(self.disk, &path, &self.schema, &self.properties, self.limits)?);
        }
        if let Some((path, file)) = self.open.take() {
            self.close(path, file)?;
        }
        Ok(mem::take(&mut self.done))
    }

    fn close(&mut self, path: PathBuf, file: TableFile<Box<dyn DiskFile>>) -> Result<(), Fault> {
        let Written { mut inner, bytes, sha256, rows_digest, size } =
            file.finish(self.facts).map_err(|error| fault(error, &path))?;
        inner.sync().map_err(|error| fault(WriteError::Disk(error), &path))?;
        self.done.push(FilePart { path, bytes, sha256, rows_digest, size });
        Ok(())
    }
}

fn begin(
    disk: &dyn Disk,
    path: &Path,
    schema: &SchemaRef,
    properties: &WriterProperties,
    limits: Limits,
) -> Result<(PathBuf, TableFile<Box<dyn DiskFile>>), Fault> {
    let file = disk.create(path).map_err(|error| fault(WriteError::Disk(error), path))?;
    let file = TableFile::new(file, schema, properties.clone(), limits);
    Ok((path.to_owned(), file.map_err(|error| fault(error, path))?))
}

fn numbered(stem: &Path, at: usize) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(format!("-{at:05}.parquet"));
    name.push(BEGUN);
    name.into()
}

fn fault(error: WriteError, path: &Path) -> Fault {
    match error {
        WriteError::Disk(error) => Fault::io("cannot write the dataset", path, error),
        WriteError::Shape(error) => {
            let mut fault =
                Fault::new(FaultKind::Internal, "a row does not fit its table").at(path);
            fault.source = Some(error);
            fault
        }
    }
}
