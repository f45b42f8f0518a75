//! Records to a file: JSON lines or Parquet.

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{Int32Builder, ListBuilder, StringBuilder, StructBuilder},
    new_null_array,
};
use arrow_schema::{DataType, Field, Fields, SchemaRef};
use parquet::{arrow::ArrowWriter, file::properties::EnabledStatistics};
use storymill_core::{DiskFile, Fault, FaultKind};

use super::{Record, record::columns};
use crate::shape::{schema, settings};

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

/// Records as a Parquet file, a few contexts at a time.
#[derive(Debug)]
pub struct Sheet<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
    rows: Rows,
    /// Bytes of contexts in `rows`, and in the open row group.
    waiting: usize,
    group: usize,
}

/// When rows go to the writer, and with that a page of texts ends; and when a row group does.
/// Contexts are long, and so few.
const BATCH_BYTES: usize = 1_000_000;
const GROUP_BYTES: usize = 32_000_000;

impl<W: Write + Send> Sheet<W> {
    /// A file to be written.
    pub fn new(to: W) -> Result<Self, Fault> {
        let columns = columns();
        let schema = schema(&columns);
        let properties = settings(&columns)?
            .set_created_by("storymill contexts 2".to_owned())
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let writer = ArrowWriter::try_new(to, schema.clone(), Some(properties)).map_err(broken)?;
        Ok(Self { writer, schema, rows: Rows::new(), waiting: 0, group: 0 })
    }

    /// Adds a record.
    pub fn push(&mut self, record: &Record<'_>) -> Result<(), Fault> {
        if self.waiting > 0 && self.waiting + record.context.len() > BATCH_BYTES {
            self.flush()?;
        }
        self.rows.push(record);
        self.waiting += record.context.len();
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Fault> {
        let columns = self.rows.finish();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(|error| {
            Fault::new(FaultKind::Internal, "records do not fit their columns").because(error)
        })?;
        self.writer.write(&batch).map_err(broken)?;
        self.group += self.waiting;
        self.waiting = 0;
        if self.group >= GROUP_BYTES {
            self.writer.flush().map_err(broken)?;
            self.group = 0;
        }
        Ok(())
    }

    /// Ends the file, and gives back what it was written to.
    pub fn finish(mut self) -> Result<W, Fault> {
        self.flush()?;
        self.writer.into_inner().map_err(broken)
    }
}

fn broken(error: parquet::errors::ParquetError) -> Fault {
    Fault::new(FaultKind::Io, "cannot write the contexts").because(error)
}

/// Columns in the making.
#[derive(Debug)]
struct Rows {
    texts: [StringBuilder; 8],
    numbers: [Int32Builder; 2],
    lists: [ListBuilder<StringBuilder>; 2],
    evidence: ListBuilder<StructBuilder>,
    cut: ListBuilder<Int32Builder>,
}

fn evidence() -> Fields {
    let int = |name: &str| Field::new(name, DataType::Int32, false);
    Fields::from(vec![int("start_symbols"), int("end_symbols"), int("depth_pm")])
}

fn item(of: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", of, false))
}

impl Rows {
    fn new() -> Self {
        let lists = || ListBuilder::new(StringBuilder::new()).with_field(item(DataType::Utf8));
        let spans = StructBuilder::from_fields(evidence(), 0);
        Self {
            texts: std::array::from_fn(|_| StringBuilder::new()),
            numbers: std::array::from_fn(|_| Int32Builder::new()),
            lists: [lists(), lists()],
            evidence: ListBuilder::new(spans).with_field(item(DataType::Struct(evidence()))),
            cut: ListBuilder::new(Int32Builder::new()).with_field(item(DataType::Int32)),
        }
    }

    fn push(&mut self, record: &Record<'_>) {
        let texts = [
            Some(record.input),
            Some(record.context),
            Some(&record.dataset[..]),
            Some(record.language),
            record.answer_keywords,
            Some(record.id),
            Some(record.ablation),
            Some(record.canary),
        ];
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_option(text));
        let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        self.numbers[0].append_value(int(record.length));
        self.numbers[1].append_value(int(record.level));
        for (column, texts) in self.lists.iter_mut().zip([record.answers, record.confusing_facts]) {
            for text in texts {
                column.values().append_value(text);
            }
            column.append(true);
        }
        for one in &record.evidence {
            let spans = self.evidence.values();
            let numbers = [one.start_symbols, one.end_symbols, one.depth_pm.into()];
            for (at, number) in numbers.into_iter().enumerate() {
                if let Some(column) = spans.field_builder::<Int32Builder>(at) {
                    column.append_value(int(number));
                }
            }
            spans.append(true);
        }
        self.evidence.append(true);
        self.cut.append_value([record.cut.0, record.cut.1].map(|at| Some(int(at))));
    }

    /// The columns in the order of the schema.
    fn finish(&mut self) -> Vec<ArrayRef> {
        let [input, context, dataset, language, keywords, id, ablation, canary] =
            self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [length, level] =
            self.numbers.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [answers, confusing] =
            self.lists.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let evidence = Arc::new(self.evidence.finish()) as ArrayRef;
        let cut = Arc::new(self.cut.finish()) as ArrayRef;
        let classes = new_null_array(&DataType::Utf8, input.len());
        vec![
            input, context, answers, length, dataset, language, classes, keywords, confusing, id,
            level, ablation, evidence, cut, canary,
        ]
    }
}

#[cfg(test)]
mod tests {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use serde_json::Value;

    use super::*;
    use crate::{materialize::EvidenceSpan, reading::json_rows};

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
        assert_eq!(crate::pages::empty_page(path.path()).unwrap(), None);
        let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        let rows: Vec<Value> =
            batches.flat_map(|batch| json_rows(&batch.unwrap()).unwrap()).collect();
        // A blank is left out of lines of JSON, and null in a table.
        let full = |mut row: Value| {
            row.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            row
        };
        let lines = records.iter().map(|record| full(serde_json::to_value(record).unwrap()));
        assert!(rows.into_iter().map(full).eq(lines));
    }
}
