//! Reading Parquet files back: opened with clear faults, rows in small batches.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_json::{WriterBuilder, writer::LineDelimited};
use parquet::{
    arrow::arrow_reader::{
        ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
    },
    errors::ParquetError,
    file::metadata::RowGroupMetaData,
};
use serde_json::Value;
use storymill_core::{Fault, FaultKind};

use crate::site::{Site, SiteReader};

/// A Parquet file that is being read, and the batch size that keeps memory small.
pub(crate) type Reader = ParquetRecordBatchReaderBuilder<SiteReader>;

/// About how many bytes of rows are held at once.
const BATCH_BYTES: u64 = 8_000_000;

/// Opens a Parquet file.
pub(crate) fn open(path: &Site) -> Result<Reader, Fault> {
    let file = path.open().map_err(|error| {
        Fault::new(FaultKind::Input, "cannot read the file").at(path).because(error)
    })?;
    // Some libraries note types of their own in the files they write; what is in the columns is the same.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata =
        ArrowReaderMetadata::load(&file, options).map_err(|error| unreadable(path, error))?;
    let rows = u64::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or(0);
    let bytes: i64 =
        metadata.metadata().row_groups().iter().map(RowGroupMetaData::total_byte_size).sum();
    let row = u64::try_from(bytes).unwrap_or(0) / rows.max(1);
    let batch = (BATCH_BYTES / row.max(1)).clamp(1, 1_024);
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
    Ok(builder.with_batch_size(usize::try_from(batch).unwrap_or(1)))
}

/// The same of a file on the disk of this machine.
pub(crate) fn open_here(path: &Path) -> Result<Reader, Fault> {
    open(&path.into())
}

/// The fault of a file that is no whole Parquet file.
pub(crate) fn unreadable(
    path: &Path,
    error: impl std::error::Error + Send + Sync + 'static,
) -> Fault {
    let (message, hint) = if error.to_string().contains("Disabled feature") {
        (
            "its pages are packed in a way that this storymill cannot unpack",
            "write it with zstd or snappy",
        )
    } else {
        (
            "not a whole Parquet file",
            "it is of another kind, or was cut short or damaged on its way",
        )
    };
    Fault::new(FaultKind::Input, message).at(path).because(error).hint(hint)
}

/// Hands over the batches of a file.
pub(crate) fn each_batch(
    reader: Reader,
    path: &Path,
    mut f: impl FnMut(&RecordBatch) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for batch in reader.build().map_err(|error| unreadable(path, error))? {
        f(&batch.map_err(|error| unreadable(path, error))?)?;
    }
    Ok(())
}

/// The rows of a batch as JSON.
pub(crate) fn json_rows(batch: &RecordBatch) -> Result<Vec<Value>, ParquetError> {
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    let mut writer = builder.build::<_, LineDelimited>(Vec::new());
    writer.write(batch)?;
    writer.finish()?;
    serde_json::Deserializer::from_slice(&writer.into_inner())
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| ParquetError::External(error.into()))
}
