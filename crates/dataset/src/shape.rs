//! The shape of a Parquet file: Arrow's schema and the writer's settings, both from columns.
//!
//! The library can end pages by content itself. It is told not to: up to version 60.1 it writes pages
//! without values then, at the start of a row group and behind every value as long as a page, and
//! some readers take such a page for the end of the column. So we end pages (`writer`): whatever is
//! handed to the library at once is one page of each column of long texts.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::{
    basic::{Compression, ZstdLevel},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder},
    },
    schema::types::ColumnPath,
};
use storymill_core::{Fault, FaultKind};

use crate::column::{Column, Type, features};

/// Counts changes of what the writer does with the same rows: its settings and its limits.
pub(crate) const WRITER_FORMAT: u32 = 3;

/// How many rows are handed to the library at once, at most: it looks at its limits only so often.
pub(crate) const MOST_ROWS_AT_ONCE: usize = 1_024;

/// Longest minimum or maximum that is kept of a page or a column, in bytes.
const STATISTIC_BYTES: usize = 64;

/// Arrow's schema for these columns.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    Arc::new(Schema::new(fields(columns)))
}

fn fields(columns: &[Column]) -> Fields {
    columns.iter().map(|c| Field::new(c.name, data_type(&c.kind), c.nullable)).collect()
}

fn data_type(kind: &Type) -> DataType {
    match kind {
        Type::Int => DataType::Int32,
        Type::Word | Type::Line | Type::Text => DataType::Utf8,
        Type::Struct(columns) => DataType::Struct(fields(columns)),
        Type::List(of) => DataType::List(Arc::new(Field::new(ELEMENT, data_type(of), false))),
    }
}

/// What the Parquet format calls the values of a list.
const ELEMENT: &str = "element";

/// The settings of a published table. Nothing in them depends on the library's version, on the clock
/// or on the order of a map.
pub(crate) fn properties(
    columns: &[Column],
    entries: &[(String, String)],
) -> Result<WriterProperties, Fault> {
    let builder = settings(columns)?
        .set_created_by(format!("storymill version {WRITER_FORMAT}"))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_statistics_truncate_length(Some(STATISTIC_BYTES))
        .set_column_index_truncate_length(Some(STATISTIC_BYTES))
        .set_key_value_metadata(Some(key_values(columns, entries)));
    Ok(builder.build())
}

/// What all Parquet files that we write have in common.
pub(crate) fn settings(columns: &[Column]) -> Result<WriterPropertiesBuilder, Fault> {
    let level = ZstdLevel::try_new(3).map_err(|error| {
        Fault::new(FaultKind::Internal, "zstd refuses its level").because(error)
    })?;
    let builder = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_content_defined_chunking(None)
        .set_write_batch_size(MOST_ROWS_AT_ONCE)
        // Row groups are cut by our own count of rows and bytes.
        .set_max_row_group_row_count(None)
        .set_max_row_group_bytes(None);
    let page = |builder: WriterPropertiesBuilder, column: &Column| match column.kind {
        // A page ends as soon as it has a row, which is looked at after each batch.
        Type::Text if !column.nullable => {
            builder.set_column_data_page_row_count_limit(ColumnPath::from(column.name), 1)
        }
        _ => builder,
    };
    Ok(columns.iter().fold(column_settings(builder, columns, &[]), page))
}

/// The file's key-value entries: ours in the given order, then what other tools look for.
fn key_values(columns: &[Column], entries: &[(String, String)]) -> Vec<KeyValue> {
    let features = format!(r#"{{"info":{{"features":{}}}}}"#, features(columns));
    let ours = entries.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    ours.chain([KeyValue::new("huggingface".to_owned(), features)]).collect()
}

/// Long texts get no statistics, and only what repeats gets a dictionary: zstd alone writes
/// numbers as small, in a fraction of the time.
fn column_settings(
    builder: WriterPropertiesBuilder,
    columns: &[Column],
    above: &[String],
) -> WriterPropertiesBuilder {
    columns.iter().fold(builder, |builder, column| {
        let path = [above, &[column.name.to_owned()]].concat();
        leaf_settings(builder, &column.kind, path)
    })
}

fn leaf_settings(
    builder: WriterPropertiesBuilder,
    kind: &Type,
    path: Vec<String>,
) -> WriterPropertiesBuilder {
    match kind {
        Type::Word => builder,
        Type::Int | Type::Line => {
            builder.set_column_dictionary_enabled(ColumnPath::new(path), false)
        }
        Type::Text => {
            let path = ColumnPath::new(path);
            builder
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None)
        }
        Type::Struct(columns) => column_settings(builder, columns, &path),
        Type::List(of) => {
            let path = [path, vec!["list".to_owned(), ELEMENT.to_owned()]].concat();
            leaf_settings(builder, of, path)
        }
    }
}

/// The columns of a schema as one text, part of the digest of its rows: names and types as any
/// reader sees them. Whether a column may be null is left out, for some libraries forget it.
pub(crate) fn digest_text(fields: &Fields) -> String {
    fields_text(fields, false)
}

/// A type in the words of the docs: `list<struct<start_symbols: int32>>`.
pub(crate) fn type_text(kind: &DataType) -> String {
    in_words(kind, true)
}

fn fields_text(fields: &Fields, nulls: bool) -> String {
    let columns: Vec<_> = fields
        .iter()
        .map(|field| {
            let null = if nulls && field.is_nullable() { "?" } else { "" };
            format!("{}: {}{null}", field.name(), in_words(field.data_type(), nulls))
        })
        .collect();
    columns.join(", ")
}

fn in_words(kind: &DataType, nulls: bool) -> String {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string".to_owned(),
        DataType::Struct(fields) => format!("struct<{}>", fields_text(fields, nulls)),
        DataType::List(of) | DataType::LargeList(of) => {
            format!("list<{}>", in_words(of.data_type(), nulls))
        }
        plain => plain.to_string().to_lowercase(),
    }
}
