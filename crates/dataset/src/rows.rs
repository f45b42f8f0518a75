//! The digest of rows, taken from Arrow's arrays alike on writing and on reading.
//!
//! It is taken over a canonical binary form of the rows, one after the other, so that neither
//! the size of batches nor the layout of arrays counts, and it can be taken again from a file
//! alone, whoever wrote it. `docs/formats.md` has the form.

use std::mem;

use arrow_array::{
    Array, ArrayRef, BooleanArray, GenericStringArray, Int32Array, Int64Array, OffsetSizeTrait,
    RecordBatch, StringViewArray,
    cast::AsArray,
    types::{Int32Type, Int64Type},
};
use arrow_schema::{ArrowError, DataType, Fields};
use storymill_core::Digest;

use crate::shape::digest_text;

/// The digest of some rows in the making.
pub(crate) struct RowsDigest {
    hasher: blake3::Hasher,
    /// What is still to be hashed: BLAKE3 is several times as fast on long pieces.
    waiting: Vec<u8>,
}

/// How much is hashed at once.
const PIECE: usize = 128 * 1024;

impl RowsDigest {
    /// A digest that begins with the columns.
    pub(crate) fn new(columns: &Fields) -> Self {
        let hasher = blake3::Hasher::new_derive_key("storymill 2026 rows v2");
        let mut waiting = Vec::with_capacity(2 * PIECE);
        text(&digest_text(columns), &mut waiting);
        Self { hasher, waiting }
    }

    /// Adds the rows of a batch, whose columns are those that the digest began with.
    ///
    /// # Errors
    ///
    /// A column is of a type that is never published.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let columns: Vec<_> = batch.columns().iter().map(Cells::of).collect::<Result<_, _>>()?;
        for row in 0..batch.num_rows() {
            for column in &columns {
                column.write(row, &mut self.waiting);
            }
            if self.waiting.len() >= PIECE {
                self.hasher.update(&self.waiting);
                self.waiting.clear();
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Digest {
        self.hasher.update(&mem::take(&mut self.waiting));
        Digest::from(*self.hasher.finalize().as_bytes())
    }
}

/// The values of a column, or of a field inside one.
pub(crate) struct Cells<'a> {
    array: &'a dyn Array,
    has_nulls: bool,
    values: Values<'a>,
}

enum Values<'a> {
    Truths(&'a BooleanArray),
    Ints(&'a Int32Array),
    Longs(&'a Int64Array),
    Texts(&'a GenericStringArray<i32>),
    LargeTexts(&'a GenericStringArray<i64>),
    TextViews(&'a StringViewArray),
    Lists(&'a [i32], Box<Cells<'a>>),
    LargeLists(&'a [i64], Box<Cells<'a>>),
    Structs(Vec<Cells<'a>>),
}

impl<'a> Cells<'a> {
    pub(crate) fn of(array: &'a ArrayRef) -> Result<Self, ArrowError> {
        let values = match array.data_type() {
            DataType::Boolean => Values::Truths(array.as_boolean()),
            DataType::Int32 => Values::Ints(array.as_primitive::<Int32Type>()),
            DataType::Int64 => Values::Longs(array.as_primitive::<Int64Type>()),
            DataType::Utf8 => Values::Texts(array.as_string()),
            DataType::LargeUtf8 => Values::LargeTexts(array.as_string()),
            DataType::Utf8View => Values::TextViews(array.as_string_view()),
            DataType::List(_) => {
                let list = array.as_list::<i32>();
                Values::Lists(list.value_offsets(), Box::new(Self::of(list.values())?))
            }
            DataType::LargeList(_) => {
                let list = array.as_list::<i64>();
                Values::LargeLists(list.value_offsets(), Box::new(Self::of(list.values())?))
            }
            DataType::Struct(_) => {
                let fields = array.as_struct().columns().iter();
                Values::Structs(fields.map(Self::of).collect::<Result<_, _>>()?)
            }
            other => {
                let message = format!("a column holds `{other}`, which is never published");
                return Err(ArrowError::SchemaError(message));
            }
        };
        Ok(Self { array, has_nulls: array.null_count() > 0, values })
    }

    /// A mark whether there is a value, then the value.
    pub(crate) fn write(&self, at: usize, to: &mut Vec<u8>) {
        if self.has_nulls && self.array.is_null(at) {
            to.push(NULL);
            return;
        }
        to.push(VALUE);
        match &self.values {
            Values::Truths(all) => to.push(u8::from(all.value(at))),
            Values::Ints(all) => to.extend_from_slice(&all.value(at).to_le_bytes()),
            Values::Longs(all) => to.extend_from_slice(&all.value(at).to_le_bytes()),
            Values::Texts(all) => text(all.value(at), to),
            Values::LargeTexts(all) => text(all.value(at), to),
            Values::TextViews(all) => text(all.value(at), to),
            Values::Lists(offsets, of) => of.list(offsets, at, to),
            Values::LargeLists(offsets, of) => of.list(offsets, at, to),
            Values::Structs(fields) => fields.iter().for_each(|field| field.write(at, to)),
        }
    }

    /// The values of one list among these.
    fn list<O: OffsetSizeTrait>(&self, offsets: &[O], at: usize, to: &mut Vec<u8>) {
        let (begin, end) = (offsets[at].as_usize(), offsets[at + 1].as_usize());
        length(end - begin, to);
        (begin..end).for_each(|at| self.write(at, to));
    }
}

const NULL: u8 = 0;
const VALUE: u8 = 1;

fn text(text: &str, to: &mut Vec<u8>) {
    length(text.len(), to);
    to.extend_from_slice(text.as_bytes());
}

fn length(length: usize, to: &mut Vec<u8>) {
    to.extend_from_slice(&(length as u64).to_le_bytes());
}

#[cfg(test)]
mod tests;
