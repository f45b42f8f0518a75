//! The pages of a Parquet file, by their headers alone.

use std::sync::Arc;

use parquet::{
    column::page::PageReader,
    errors::ParquetError,
    file::metadata::{ColumnChunkMetaData, ParquetMetaData},
    file::serialized_reader::SerializedPageReader,
};
use storymill_core::Fault;

use crate::{
    reading::unreadable,
    site::{Site, SiteReader},
};

/// The first column with a page that has no values, though the column has some.
///
/// The format does not forbid such a page, but pyarrow takes it for the end of the column: rows are
/// missing then, or the file cannot be read.
pub(crate) fn empty_page(path: &Site, metadata: &ParquetMetaData) -> Result<Option<String>, Fault> {
    let file = path.open().map_err(|error| unreadable(path, error))?;
    let file = Arc::new(file);
    for group in metadata.row_groups() {
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        for column in group.columns() {
            if has_empty_page(&file, column, rows).map_err(|error| unreadable(path, error))? {
                return Ok(Some(column.column_path().string()));
            }
        }
    }
    Ok(None)
}

fn has_empty_page(
    file: &Arc<SiteReader>,
    column: &ColumnChunkMetaData,
    rows: usize,
) -> Result<bool, ParquetError> {
    if column.num_values() == 0 {
        return Ok(false);
    }
    // Without the page index, which need not tell the truth, each header is read.
    let mut pages = SerializedPageReader::new(Arc::clone(file), column, rows, None)?;
    while let Some(page) = pages.peek_next_page()? {
        if !page.is_dict && page.num_levels == Some(0) {
            return Ok(true);
        }
        pages.skip_next_page()?;
    }
    Ok(false)
}
