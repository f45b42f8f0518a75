//! The shape of a Parquet file: Arrow's schema and the writer's settings, both from columns.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::{
    basic::{Compression, ZstdLevel},
    file::{
        metadata::KeyValue,
        properties::{CdcOptions, EnabledStatistics, WriterProperties, WriterPropertiesBuilder},
    },
    schema::types::ColumnPath,
};
use storymill_core::{Fault, FaultKind};

use crate::column::{Column, Type, features};

/// Counts changes of what the writer does with the same rows: its settings and its limits.
pub(crate) const WRITER_FORMAT: u32 = 2;

/// Where the chunks of pages may end, so that versions of a dataset share most of their pages.
const CHUNKS: CdcOptions =
    CdcOptions { min_chunk_size: 256 * 1024, max_chunk_size: 1024 * 1024, norm_level: 0 };

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

/// The writer's settings. Nothing in them depends on the library's version, on the clock or on
/// the order of a map.
pub(crate) fn properties(
    columns: &[Column],
    entries: &[(String, String)],
) -> Result<WriterProperties, Fault> {
    let level = ZstdLevel::try_new(3).map_err(|error| {
        Fault::new(FaultKind::Internal, "zstd refuses its level").because(error)
    })?;
    let builder = WriterProperties::builder()
        .set_created_by(format!("storymill version {WRITER_FORMAT}"))
        .set_compression(Compression::ZSTD(level))
        .set_content_defined_chunking(Some(CHUNKS))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_statistics_truncate_length(Some(STATISTIC_BYTES))
        .set_column_index_truncate_length(Some(STATISTIC_BYTES))
        // Row groups are cut by our own count of rows and bytes.
        .set_max_row_group_row_count(None)
        .set_max_row_group_bytes(None)
        .set_key_value_metadata(Some(key_values(columns, entries)));
    Ok(column_settings(builder, columns, &[]).build())
}

/// The file's key-value entries: ours in the given order, then what other tools look for.
fn key_values(columns: &[Column], entries: &[(String, String)]) -> Vec<KeyValue> {
    let CdcOptions { min_chunk_size, max_chunk_size, norm_level } = CHUNKS;
    let chunking = format!(
        r#"{{"min_chunk_size":{min_chunk_size},"max_chunk_size":{max_chunk_size},"norm_level":{norm_level}}}"#
    );
    let features = format!(r#"{{"info":{{"features":{}}}}}"#, features(columns));
    let ours = entries.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    ours.chain([
        KeyValue::new("content_defined_chunking".to_owned(), chunking),
        KeyValue::new("huggingface".to_owned(), features),
    ])
    .collect()
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
