//! The words of plain enums: serde's, so that each stands in one place.

use std::fmt;

use serde::ser::{Impossible, Serialize, Serializer};

/// The word by which serde writes a variant without fields.
///
/// ```
/// use storymill_core::{Status, word};
///
/// assert_eq!(word(&Status::DoesNotFit), "does-not-fit");
/// ```
///
/// # Panics
///
/// The value is anything else.
pub fn word(variant: &impl Serialize) -> &'static str {
    variant.serialize(Word).expect("a variant without fields")
}

struct Word;

type No = Impossible<&'static str, fmt::Error>;

macro_rules! no {
    ($($what:ident($($of:ty),*) -> $made:ty;)+) => {$(
        fn $what(self, $(_: $of),*) -> Result<$made, fmt::Error> {
            Err(fmt::Error)
        }
    )+};
    ($($what:ident<T>($($of:ty),*);)+) => {$(
        fn $what<T: Serialize + ?Sized>(self, $(_: $of,)* _: &T) -> Result<&'static str, fmt::Error> {
            Err(fmt::Error)
        }
    )+};
}

impl Serializer for Word {
    type Ok = &'static str;
    type Error = fmt::Error;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_unit_variant(
        self,
        _: &str,
        _: u32,
        word: &'static str,
    ) -> Result<&'static str, fmt::Error> {
        Ok(word)
    }

    no! {
        serialize_bool(bool) -> &'static str; serialize_char(char) -> &'static str;
        serialize_i8(i8) -> &'static str; serialize_i16(i16) -> &'static str;
        serialize_i32(i32) -> &'static str; serialize_i64(i64) -> &'static str;
        serialize_u8(u8) -> &'static str; serialize_u16(u16) -> &'static str;
        serialize_u32(u32) -> &'static str; serialize_u64(u64) -> &'static str;
        serialize_f32(f32) -> &'static str; serialize_f64(f64) -> &'static str;
        serialize_str(&str) -> &'static str; serialize_bytes(&[u8]) -> &'static str;
        serialize_none() -> &'static str; serialize_unit() -> &'static str;
        serialize_unit_struct(&'static str) -> &'static str;
        serialize_seq(Option<usize>) -> No; serialize_tuple(usize) -> No;
        serialize_tuple_struct(&'static str, usize) -> No; serialize_map(Option<usize>) -> No;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> No;
        serialize_struct(&'static str, usize) -> No;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> No;
    }

    no! {
        serialize_some<T>(); serialize_newtype_struct<T>(&'static str);
        serialize_newtype_variant<T>(&'static str, u32, &'static str);
    }
}
