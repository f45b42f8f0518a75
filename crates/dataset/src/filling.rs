//! Rows into the columns of a batch: what serde tells of a row goes straight to Arrow's builders.

use std::{fmt, sync::Arc};

use arrow_array::{
    ArrayRef, ListArray, RecordBatch, StructArray,
    builder::{ArrayBuilder, Int32Builder, NullBufferBuilder, StringBuilder},
    cast::AsArray,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, FieldRef, Fields, SchemaRef};
use serde::{
    Serialize, Serializer,
    ser::{self, Impossible},
};

/// A batch that is being filled with rows.
pub(crate) struct Filling {
    schema: SchemaRef,
    /// All rows, as a column of records would hold them.
    rows: Cell,
}

impl Filling {
    /// An empty batch with these columns: numbers of 32 bits, texts, lists and records.
    pub(crate) fn new(schema: &SchemaRef) -> Result<Self, Unfit> {
        let rows = Cell::new("a row", &DataType::Struct(schema.fields().clone()))?;
        Ok(Self { schema: schema.clone(), rows })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// The row has a field without a column, a value of another type, or no value where there must be one. What was
    /// filled is of no use then.
    pub(crate) fn push<R: Serialize + ?Sized>(&mut self, row: &R) -> Result<(), Unfit> {
        row.serialize(Value { cell: &mut self.rows, name: "a row", nullable: false })
    }

    /// The rows so far, if there are any; the next batch begins empty.
    pub(crate) fn finish(&mut self) -> Result<Option<RecordBatch>, Unfit> {
        if self.rows.len() == 0 {
            return Ok(None);
        }
        let (_, columns, _) = self.rows.finish().as_struct().clone().into_parts();
        RecordBatch::try_new(self.schema.clone(), columns).map(Some).map_err(ser::Error::custom)
    }
}

/// Why a row does not fit its columns.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unfit(String);

impl Unfit {
    fn holds(name: &str, what: impl fmt::Display) -> Self {
        Self(format!("`{name}` holds {what}"))
    }
}

impl ser::Error for Unfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The builders of records: of rows, or of what lies in one column.
struct Fill {
    fields: Fields,
    cells: Vec<Cell>,
    len: usize,
}

impl Fill {
    fn new(fields: &Fields) -> Result<Self, Unfit> {
        let cells = fields.iter().map(|field| Cell::new(field.name(), field.data_type()));
        Ok(Self { fields: fields.clone(), cells: cells.collect::<Result<_, _>>()?, len: 0 })
    }

    /// Begins the next record.
    fn begin(&mut self) -> Named<'_> {
        self.len += 1;
        Named { fill: self, next: 0, key: String::new() }
    }

    /// A record that is not there.
    fn null(&mut self) {
        self.len += 1;
        self.cells.iter_mut().for_each(Cell::null);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        self.len = 0;
        self.cells.iter_mut().map(Cell::finish).collect()
    }
}

/// The builder of a column, or of what lies in one.
enum Cell {
    Numbers(Int32Builder),
    Texts(StringBuilder),
    Lists { of: Box<Cell>, element: FieldRef, ends: Vec<i32>, there: NullBufferBuilder },
    Records { of: Fill, there: NullBufferBuilder },
}

impl Cell {
    fn new(name: &str, kind: &DataType) -> Result<Self, Unfit> {
        let there = NullBufferBuilder::new(0);
        Ok(match kind {
            DataType::Int32 => Self::Numbers(Int32Builder::new()),
            DataType::Utf8 => Self::Texts(StringBuilder::new()),
            DataType::List(element) => {
                let of = Box::new(Self::new(name, element.data_type())?);
                Self::Lists { of, element: element.clone(), ends: vec![0], there }
            }
            DataType::Struct(fields) => Self::Records { of: Fill::new(fields)?, there },
            other => {
                return Err(Unfit::holds(name, format_args!("{other}, which is never written")));
            }
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Numbers(all) => all.len(),
            Self::Texts(all) => all.len(),
            Self::Lists { ends, .. } => ends.len() - 1,
            Self::Records { of, .. } => of.len,
        }
    }

    fn null(&mut self) {
        match self {
            Self::Numbers(all) => all.append_null(),
            Self::Texts(all) => all.append_null(),
            Self::Lists { ends, there, .. } => {
                ends.push(ends[ends.len() - 1]);
                there.append_null();
            }
            Self::Records { of, there } => {
                of.null();
                there.append_null();
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Numbers(all) => Arc::new(all.finish()),
            Self::Texts(all) => Arc::new(all.finish()),
            Self::Lists { of, element, ends, there } => {
                let ends = std::mem::replace(ends, vec![0]);
                let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
                Arc::new(ListArray::new(element.clone(), ends, of.finish(), there.finish()))
            }
            Self::Records { of, there } => {
                let (fields, len) = (of.fields.clone(), of.len);
                let columns = of.finish();
                let made = StructArray::try_new_with_length(fields, columns, there.finish(), len);
                Arc::new(made.expect("each field was given a value or none in each record"))
            }
        }
    }
}

/// The fields of a record that is being told.
struct Named<'f> {
    fill: &'f mut Fill,
    /// The place of the field that is likely to come: they come in the order of the columns.
    next: usize,
    key: String,
}

impl Named<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Unfit> {
        let Fill { fields, cells, .. } = &mut *self.fill;
        let is_here = fields.get(self.next).is_some_and(|field| field.name() == name);
        let found = is_here.then_some(self.next);
        let Some(at) = found.or_else(|| fields.iter().position(|field| field.name() == name))
        else {
            return Err(Unfit(format!("there is no column `{name}`")));
        };
        self.next = at + 1;
        let field = &fields[at];
        value.serialize(Value { cell: &mut cells[at], name, nullable: field.is_nullable() })
    }

    fn end(self) -> Result<(), Unfit> {
        let Fill { fields, cells, len } = self.fill;
        for (field, cell) in fields.iter().zip(cells) {
            if cell.len() + 1 == *len && field.is_nullable() {
                cell.null();
            }
            if cell.len() != *len {
                let times = if cell.len() < *len { "no value" } else { "several values" };
                return Err(Unfit::holds(field.name(), times));
            }
        }
        Ok(())
    }
}

impl ser::SerializeStruct for Named<'_> {
    type Ok = ();
    type Error = Unfit;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        self.field(key, value)
    }

    fn end(self) -> Result<(), Unfit> {
        Named::end(self)
    }
}

impl ser::SerializeMap for Named<'_> {
    type Ok = ();
    type Error = Unfit;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unfit> {
        self.key = serde_json::to_value(key)
            .ok()
            .and_then(|key| key.as_str().map(str::to_owned))
            .ok_or_else(|| Unfit("a field has no name".to_owned()))?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        let key = std::mem::take(&mut self.key);
        self.field(&key, value)
    }

    fn end(self) -> Result<(), Unfit> {
        Named::end(self)
    }
}

/// The values of a list that is being told.
struct Values<'f> {
    of: &'f mut Cell,
    ends: &'f mut Vec<i32>,
    name: &'f str,
    nullable: bool,
}

impl ser::SerializeSeq for Values<'_> {
    type Ok = ();
    type Error = Unfit;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        value.serialize(Value { cell: self.of, name: self.name, nullable: self.nullable })
    }

    fn end(self) -> Result<(), Unfit> {
        let end = i32::try_from(self.of.len())
            .map_err(|_| Unfit::holds(self.name, "too many values for one batch"))?;
        self.ends.push(end);
        Ok(())
    }
}

macro_rules! as_seq {
    ($($kind:ident $method:ident)*) => {$(
        impl ser::$kind for Values<'_> {
            type Ok = ();
            type Error = Unfit;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
                ser::SerializeSeq::serialize_element(self, value)
            }

            fn end(self) -> Result<(), Unfit> {
                ser::SerializeSeq::end(self)
            }
        }
    )*};
}

as_seq!(SerializeTuple serialize_element SerializeTupleStruct serialize_field);

/// A value, and where it goes.
struct Value<'f> {
    cell: &'f mut Cell,
    name: &'f str,
    nullable: bool,
}

impl<'f> Value<'f> {
    fn number(self, number: impl TryInto<i32> + fmt::Display + Copy) -> Result<(), Unfit> {
        let Cell::Numbers(all) = self.cell else { return self.unfit("a number") };
        let Ok(fits) = number.try_into() else {
            return Err(Unfit::holds(self.name, format_args!("{number}, too large for 32 bits")));
        };
        all.append_value(fits);
        Ok(())
    }

    fn list(self) -> Result<Values<'f>, Unfit> {
        let Cell::Lists { of, element, ends, there } = self.cell else {
            return self.unfit("a list");
        };
        there.append_non_null();
        Ok(Values { of, ends, name: self.name, nullable: element.is_nullable() })
    }

    fn record(self) -> Result<Named<'f>, Unfit> {
        let Cell::Records { of, there } = self.cell else { return self.unfit("a record") };
        there.append_non_null();
        Ok(of.begin())
    }

    fn unfit<T>(&self, what: &str) -> Result<T, Unfit> {
        Err(Unfit::holds(self.name, format_args!("{what}, which its column does not")))
    }
}

/// Numbers, and what no column holds.
macro_rules! values {
    (numbers: $($number:ident($type:ty))*; refused: $($method:ident($($kind:ty),*) -> $ok:ty),*;) => {
        $(fn $number(self, number: $type) -> Result<(), Unfit> {
            self.number(number)
        })*
        $(fn $method(self, $(_: $kind),*) -> Result<$ok, Unfit> {
            self.unfit("a value of a kind")
        })*
    };
}

type Never = Impossible<(), Unfit>;

impl<'f> Serializer for Value<'f> {
    type Ok = ();
    type Error = Unfit;
    type SerializeSeq = Values<'f>;
    type SerializeTuple = Values<'f>;
    type SerializeTupleStruct = Values<'f>;
    type SerializeTupleVariant = Never;
    type SerializeMap = Named<'f>;
    type SerializeStruct = Named<'f>;
    type SerializeStructVariant = Never;

    values! {
        numbers:
            serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
            serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64);
        refused:
            serialize_bool(bool) -> (), serialize_f32(f32) -> (), serialize_f64(f64) -> (),
            serialize_bytes(&[u8]) -> (), serialize_unit_struct(&'static str) -> (),
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never,
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_str(self, text: &str) -> Result<(), Unfit> {
        let Cell::Texts(all) = self.cell else { return self.unfit("a text") };
        all.append_value(text);
        Ok(())
    }

    fn serialize_char(self, c: char) -> Result<(), Unfit> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_variant(self, _: &str, _: u32, word: &'static str) -> Result<(), Unfit> {
        self.serialize_str(word)
    }

    fn serialize_none(self) -> Result<(), Unfit> {
        if !self.nullable {
            return Err(Unfit::holds(self.name, "no value, and must have one"));
        }
        self.cell.null();
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Unfit> {
        self.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unfit> {
        self.unfit("a value of a kind")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Values<'f>, Unfit> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<Values<'f>, Unfit> {
        self.list()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Values<'f>, Unfit> {
        self.list()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Named<'f>, Unfit> {
        self.record()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Named<'f>, Unfit> {
        self.record()
    }
}
