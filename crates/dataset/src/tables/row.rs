//! Rows with columns that only the workflow decides on.

use serde::ser::SerializeStruct;

/// Columns of a row that are not fields of its own.
pub(super) trait MoreCells {
    /// How many there are.
    fn len(&self) -> usize;
    /// Writes them after the fields.
    fn write<S: SerializeStruct>(&self, row: &mut S) -> Result<(), S::Error>;
}

/// The name of a field as a column has it: `type` is a word of Rust's own.
pub(super) const fn plain(field: &'static str) -> &'static str {
    if let [b'r', b'#', rest @ ..] = field.as_bytes()
        && let Ok(name) = std::str::from_utf8(rest)
    {
        return name;
    }
    field
}

/// A row whose field `more` holds columns of its own. It is written as one struct with so many fields,
/// and no map, so that every form of writing takes it.
macro_rules! row {
    ($(#[$about:meta])* pub struct $row:ident { $($field:ident: $kind:ty),+; more: $more:ty $(,)? }) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $row {
            $($field: $kind,)+
            more: $more,
        }

        impl serde::Serialize for $row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                use $crate::tables::row::{MoreCells, plain};
                let fields = [$(stringify!($field)),+].len();
                let mut row =
                    serializer.serialize_struct(stringify!($row), fields + self.more.len())?;
                $(row.serialize_field(const { plain(stringify!($field)) }, &self.$field)?;)+
                self.more.write(&mut row)?;
                row.end()
            }
        }
    };
}
pub(super) use row;
