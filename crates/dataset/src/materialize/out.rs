//! Records to a file: JSON lines or Parquet.

use std::{
    fmt,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use parquet::file::properties::EnabledStatistics;
use storymill_core::{DiskFile, Fault, FaultKind};

use super::{Record, record::columns};
use crate::{
    facts::Facts,
    measure::measure,
    shape::{schema, settings},
    writer::{Limits, Size, TableFile, WriteError},
};

/// How contexts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON lines.
    Jsonl,
    /// Parquet with zstd, level 3.
    Parquet,
}

impl Format {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
        }
    }
}

/// A file of records, being written to a disk.
pub(super) struct Sink {
    to: To,
    path: PathBuf,
    contexts: u64,
    bytes: u64,
}

enum To {
    Jsonl(BufWriter<Box<dyn DiskFile>>),
    Parquet(Box<Sheet<Box<dyn DiskFile>>>),
}

impl Sink {
    pub(super) fn new(file: Box<dyn DiskFile>, format: Format, path: &Path) -> Result<Self, Fault> {
        let to = match format {
            Format::Jsonl => To::Jsonl(BufWriter::with_capacity(1 << 18, file)),
            Format::Parquet => To::Parquet(Box::new(Sheet::new(file)?)),
        };
        Ok(Self { to, path: path.to_owned(), contexts: 0, bytes: 0 })
    }

    pub(super) fn push(&mut self, record: &Record<'_>) -> Result<(), Fault> {
        self.contexts += 1;
        self.bytes += record.context.len() as u64;
        let path = &self.path;
        match &mut self.to {
            To::Jsonl(file) => serde_json::to_writer(&mut *file, record)
                .map_err(std::io::Error::from)
                .and_then(|()| file.write_all(b"\n"))
                .map_err(|error| Fault::io("cannot write the contexts", path, error)),
            To::Parquet(sheet) => sheet.push(record).map_err(|fault| fault.at(path)),
        }
    }

    /// How many contexts were written, and how many bytes their texts have.
    pub(super) fn finish(self) -> Result<(u64, u64), Fault> {
        let Self { to, path, contexts, bytes } = self;
        let failed = |error| Fault::io("cannot write the contexts", &path, error);
        let mut file = match to {
            To::Jsonl(file) => file.into_inner().map_err(|error| failed(error.into_error()))?,
            To::Parquet(sheet) => sheet.finish().map_err(|fault| fault.at(&path))?,
        };
        file.sync().map_err(failed)?;
        Ok((contexts, bytes))
    }
}

/// Records as a Parquet file, written as every table is.
pub struct Sheet<W: Write + Send> {
    file: TableFile<W>,
    facts: Facts,
}

/// Contexts are long, and so few: row groups are smaller than those of published tables.
const LIMITS: Limits = Limits {
    group: Size { rows: 50_000, bytes: 32_000_000 },
    file: Size { rows: u64::MAX, bytes: u64::MAX },
    ..Limits::STANDARD
};

impl<W: Write + Send> Sheet<W> {
    /// A file to be written.
    pub fn new(to: W) -> Result<Self, Fault> {
        let columns = columns();
        let properties = settings(&columns)?
            .set_created_by("storymill contexts 4".to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let file = TableFile::new(to, &schema(&columns), properties, LIMITS).map_err(broken)?;
        Ok(Self { file, facts: Facts::default() })
    }

    /// Adds a record.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), Fault> {
        self.file.push(record, measure(record)?, &mut self.facts).map_err(broken)
    }

    /// Ends the file, and gives back what it was written to.
    pub fn finish(mut self) -> Result<W, Fault> {
        Ok(self.file.finish(&mut self.facts).map_err(broken)?.inner)
    }
}

impl<W: Write + Send> fmt::Debug for Sheet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet").finish_non_exhaustive()
    }
}

fn broken(error: WriteError) -> Fault {
    let (kind, message, source) = match error {
        WriteError::Disk(error) => (FaultKind::Io, "cannot write the contexts", error.into()),
        WriteError::Shape(error) => {
            (FaultKind::Internal, "records do not fit their columns", error)
        }
    };
    let mut fault = Fault::new(kind, message);
    fault.source = Some(source);
    fault
}

#[cfg(test)]
mod tests {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use serde_json::Value;

    use super::*;
    use crate::{materialize::EvidenceSpan, reading::rows};

    #[test]
    fn both_forms_hold_the_same() {
        let answers = ["in the mine".to_owned(), "below".to_owned()];
        let texts: Vec<String> = (0..9).map(|at| format!("山 {at}\n").repeat(150_000)).collect();
        let records: Vec<Record<'_>> = (0..)
            .zip(&texts)
            .map(|(at, text)| Record {
                input: "Where?",
                context: text,
                answers: &answers,
                length: at,
                dataset: "s_16k".into(),
                language: "en",
                all_classes: None,
                answer_keywords: (at % 2 == 0).then_some("mine"),
                confusing_facts: if at % 3 == 0 { &answers[..1] } else { &[] },
                id: "s_16k/q",
                level: 16_000,
                ablation: "cf",
                evidence: vec![EvidenceSpan { start_symbols: at, end_symbols: 9, depth_pm: 5 }],
                cut: (at, at + 2),
                canary: "c",
            })
            .collect();
        let path = tempfile::NamedTempFile::new().unwrap();
        let file = path.reopen().unwrap();
        let mut sheet = Sheet::new(file.try_clone().unwrap()).unwrap();
        for record in &records {
            sheet.push(record).unwrap();
        }
        sheet.finish().unwrap();
        let site = path.path().into();
        let reader = crate::reading::open(&site).unwrap();
        assert_eq!(crate::pages::empty_page(&site, reader.metadata()).unwrap(), None);
        let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        let read = |batch: &_| rows(batch).collect::<Result<Vec<Value>, _>>().unwrap();
        let rows: Vec<Value> = batches.flat_map(|batch| read(&batch.unwrap())).collect();
        // A blank is left out of lines of JSON, and null in a table.
        let full = |mut row: Value| {
            row.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            row
        };
        let lines = records.iter().map(|record| full(serde_json::to_value(record).unwrap()));
        assert!(rows.into_iter().map(full).eq(lines));
    }
}
