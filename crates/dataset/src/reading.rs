//! Reading Parquet files back: opened with clear faults, rows in small batches.

use std::path::Path;

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, types};
use arrow_schema::{DataType, Fields};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    file::metadata::RowGroupMetaData,
};
use serde::{
    Deserializer,
    de::{
        Deserialize, DeserializeOwned, IntoDeserializer, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
#[cfg(doc)]
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

/// Reads these columns alone, where they are there.
pub(crate) fn only<'n>(reader: Reader, columns: impl IntoIterator<Item = &'n str>) -> Reader {
    let mask = ProjectionMask::columns(reader.parquet_schema(), columns);
    reader.with_projection(mask)
}

/// Hands over the rows of a file, each as what is made of its columns: a [`Value`], or a struct whose fields are some
/// of them.
pub(crate) fn each_row<T: DeserializeOwned>(
    reader: Reader,
    path: &Path,
    mut f: impl FnMut(T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_batch(reader, path, |batch| {
        rows(batch).try_for_each(|row| f(row.map_err(|unread| unread.fault(path))?))
    })
}

/// Hands over the texts of one column, blank where there is none: ids are looked for among millions of rows.
pub(crate) fn each_text(
    reader: Reader,
    path: &Path,
    column: &str,
    mut f: impl FnMut(&str),
) -> Result<(), Fault> {
    each_batch(only(reader, [column]).with_batch_size(8_192), path, |batch| {
        let all = batch.column(0);
        match all.as_string_opt::<i32>() {
            Some(texts) => texts.iter().for_each(|text| f(text.unwrap_or_default())),
            None => {
                for at in 0..all.len() {
                    let text = Option::<String>::deserialize(Cell { column: all, at });
                    f(&text.map_err(|unread| unread.fault(path))?.unwrap_or_default());
                }
            }
        }
        Ok(())
    })
}

/// The rows of a batch.
pub(crate) fn rows<T: DeserializeOwned>(
    batch: &RecordBatch,
) -> impl Iterator<Item = Result<T, Unread>> {
    let fields = batch.schema_ref().fields();
    (0..batch.num_rows())
        .map(move |at| T::deserialize(Row { fields, columns: batch.columns(), at }))
}

/// Why a row cannot be read: it lacks a column, or holds what neither we nor those who rewrite our files publish.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unread(String);

impl Unread {
    fn fault(self, path: &Path) -> Fault {
        Fault::new(FaultKind::Input, format!("not rows that this version can read: {self}"))
            .at(path)
            .hint("it was written by another version or another tool, or was changed since")
    }
}

impl serde::de::Error for Unread {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A row, or a record inside of one.
struct Row<'b> {
    fields: &'b Fields,
    columns: &'b [ArrayRef],
    at: usize,
}

impl<'de> Deserializer<'de> for Row<'_> {
    type Error = Unread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Self { fields, columns, at } = self;
        let cells = fields.iter().zip(columns);
        let cells = cells.map(|(field, column)| (field.name().as_str(), Cell { column, at }));
        visitor.visit_map(MapDeserializer::new(cells))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A value of a row.
struct Cell<'b> {
    column: &'b ArrayRef,
    at: usize,
}

impl IntoDeserializer<'_, Unread> for Cell<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Cell<'_> {
    type Error = Unread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Self { column, at } = self;
        if column.is_null(at) {
            return visitor.visit_unit();
        }
        /// The value of a column of numbers.
        macro_rules! number {
            ($of:ident as $visit:ident) => {
                visitor.$visit(column.as_primitive::<types::$of>().value(at).into())
            };
        }
        let list = |values: ArrayRef, visitor: V| {
            let cells = (0..values.len()).map(|at| Cell { column: &values, at });
            visitor.visit_seq(SeqDeserializer::new(cells))
        };
        match column.data_type() {
            DataType::Boolean => visitor.visit_bool(column.as_boolean().value(at)),
            DataType::Int8 => number!(Int8Type as visit_i64),
            DataType::Int16 => number!(Int16Type as visit_i64),
            DataType::Int32 => number!(Int32Type as visit_i64),
            DataType::Int64 => number!(Int64Type as visit_i64),
            DataType::UInt8 => number!(UInt8Type as visit_u64),
            DataType::UInt16 => number!(UInt16Type as visit_u64),
            DataType::UInt32 => number!(UInt32Type as visit_u64),
            DataType::UInt64 => number!(UInt64Type as visit_u64),
            DataType::Float32 => number!(Float32Type as visit_f64),
            DataType::Float64 => number!(Float64Type as visit_f64),
            DataType::Utf8 => visitor.visit_str(column.as_string::<i32>().value(at)),
            DataType::LargeUtf8 => visitor.visit_str(column.as_string::<i64>().value(at)),
            DataType::Utf8View => visitor.visit_str(column.as_string_view().value(at)),
            DataType::List(_) => list(column.as_list::<i32>().value(at), visitor),
            DataType::LargeList(_) => list(column.as_list::<i64>().value(at), visitor),
            DataType::FixedSizeList(..) => list(column.as_fixed_size_list().value(at), visitor),
            DataType::Struct(fields) => {
                Row { fields, columns: column.as_struct().columns(), at }.deserialize_any(visitor)
            }
            other => Err(Unread(format!("a column holds `{other}`, which is never published"))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        if self.column.is_null(self.at) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        visitor.visit_enum(String::deserialize(self)?.into_deserializer())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Int32Array, types::Int32Type};
    use arrow_schema::{Field, Schema};
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        column::{Column, Type},
        filling::Filling,
        shape::schema,
    };

    /// Columns of every type that is published.
    fn columns() -> Vec<Column> {
        let within = vec![
            Column::new("left", Type::Line, ""),
            Column::new("right", Type::Int, "").or_null(),
            Column::new("names", Type::list(Type::Word), ""),
        ];
        vec![
            Column::new("id", Type::Line, ""),
            Column::new("number", Type::Int, "").or_null(),
            Column::new("numbers", Type::list(Type::Int), "").or_null(),
            Column::new("pairs", Type::records(within.clone()), ""),
            Column::new("record", Type::Struct(within), "").or_null(),
        ]
    }

    fn filled(rows: &[impl Serialize]) -> Result<RecordBatch, String> {
        let mut filling = Filling::new(&schema(&columns())).unwrap();
        for row in rows {
            filling.push(row).map_err(|unfit| unfit.to_string())?;
        }
        Ok(filling.finish().unwrap().unwrap())
    }

    fn json_rows(batch: &RecordBatch) -> Result<Vec<Value>, Unread> {
        rows(batch).collect()
    }

    fn record() -> impl Strategy<Value = Value> {
        let right = prop_oneof![Just(Value::Null), any::<i32>().prop_map(Value::from)];
        let names = prop::collection::vec("[aé\u{0}]{0,3}", 0..3);
        ("\\PC{0,4}", right, names).prop_map(
            |(left, right, names)| json!({ "left": left, "right": right, "names": names }),
        )
    }

    fn row() -> impl Strategy<Value = Value> {
        let numbers = prop::option::of(prop::collection::vec(any::<i32>(), 0..3));
        let pairs = prop::collection::vec(record(), 0..3);
        ("\\PC{0,9}", prop::option::of(any::<i32>()), numbers, pairs, prop::option::of(record()))
            .prop_map(|(id, number, numbers, pairs, record)| {
                json!({ "id": id, "number": number, "numbers": numbers, "pairs": pairs, "record": record })
            })
    }

    proptest! {
        /// Law: what is filled into a batch is what is read from it, whatever was filled before.
        #[test]
        fn rows_come_back(rows in prop::collection::vec(row(), 1..9), again in row()) {
            let mut filling = Filling::new(&schema(&columns())).unwrap();
            for row in &rows {
                filling.push(row).unwrap();
            }
            prop_assert_eq!(json_rows(&filling.finish().unwrap().unwrap()).unwrap(), rows);
            prop_assert!(filling.finish().unwrap().is_none());
            filling.push(&again).unwrap();
            prop_assert_eq!(json_rows(&filling.finish().unwrap().unwrap()).unwrap(), [again]);
        }
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut Value), expected: &str) {
        let mut row =
            json!({ "id": "a", "number": 1, "numbers": [1], "pairs": [], "record": null });
        filled(&[&row]).unwrap();
        change(&mut row);
        assert_eq!(filled(&[&row]).unwrap_err(), expected);
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        refused(|row| row["more"] = 1.into(), "there is no column `more`");
        refused(|row| row["id"] = 1.into(), "`id` holds a number, which its column does not");
        refused(
            |row| row["number"] = "1".into(),
            "`number` holds a text, which its column does not",
        );
        refused(
            |row| row["number"] = (1_i64 << 40).into(),
            "`number` holds 1099511627776, too large for 32 bits",
        );
        refused(|row| row["id"] = Value::Null, "`id` holds no value, and must have one");
        refused(
            |row| row["numbers"] = json!([null]),
            "`numbers` holds no value, and must have one",
        );
        refused(|row| row["pairs"] = json!([{ "left": "" }]), "`names` holds no value");
        refused(
            |row| row["pairs"] = json!([1]),
            "`pairs` holds a number, which its column does not",
        );
        refused(|row| _ = row.as_object_mut().unwrap().remove("id"), "`id` holds no value");
    }

    #[test]
    fn a_field_that_may_be_null_may_be_left_out() {
        let rows = json_rows(&filled(&[json!({ "id": "a", "pairs": [] })]).unwrap()).unwrap();
        assert_eq!(rows[0]["numbers"], Value::Null);
    }

    /// Other libraries write texts and lists of other layouts, and numbers of other lengths.
    #[test]
    fn columns_that_others_write_are_read() {
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![Some(3), None]));
        let scores = numbers
            .as_primitive::<Int32Type>()
            .unary::<_, types::Float64Type>(|n| f64::from(n) / 2.0);
        let fields = vec![
            Field::new("number", DataType::Int32, true),
            Field::new("score", DataType::Float64, true),
        ];
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema, vec![numbers, Arc::new(scores)]).unwrap();
        let expected =
            [json!({ "number": 3, "score": 1.5 }), json!({ "number": null, "score": null })];
        assert_eq!(json_rows(&batch).unwrap(), expected);
    }
}
