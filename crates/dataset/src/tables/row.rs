//! `table!`: a table as a list of columns, each said once: its name, what it holds, its value, what it means.

use serde::{Serialize, Serializer, ser::SerializeStruct};
use storymill_core::Encoding;

use crate::{
    column::Column,
    table::{Added, Table},
};

/// A record as its table writes it.
pub(crate) struct Row<'a, T>(pub(crate) &'a T, pub(crate) &'a Added<'a>);

impl<T: Table> Serialize for Row<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // How many cells there are nobody asks: forms of writing that need it are not used for rows.
        let mut row = serializer.serialize_struct(T::NAME, 1)?;
        self.0.cells(self.1, &mut row)?;
        row.end()
    }
}

/// Columns that stand together in several tables, and that the workflow has a say in.
pub trait Group {
    /// The columns, with tokens of these encodings.
    fn columns(encodings: &[Encoding]) -> Vec<Column>;
    /// The cells that are written in this pass.
    ///
    /// Files are cut by the bytes of rows, so the order in which cells are written never changes: lengths come last,
    /// first what is counted without tokens, then tokens, then those of each option.
    fn cells<S: SerializeStruct>(
        &self,
        pass: Pass,
        encodings: &[Encoding],
        row: &mut S,
    ) -> Result<(), S::Error>;
}

/// When cells of groups are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Cells among those of other columns, where they stand.
    Here,
    /// What is counted without tokens.
    Plain,
    /// Tokens.
    Tokens,
    /// Tokens of each option.
    Options,
}

impl Pass {
    /// The passes behind all other columns, in order.
    pub const LAST: [Self; 3] = [Self::Plain, Self::Tokens, Self::Options];
}

/// Says how a record is published: what a row is, and a line for each column. Behind `evaluation` the table has
/// the canary as its last column. What several lines need stands before them.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use storymill_core::{Record, UnitId};
/// use storymill_dataset::{Tables, table};
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Rhyme {
///     book: UnitId,
///     words: Vec<String>,
/// }
///
/// impl Record for Rhyme {
///     const NAME: &'static str = "rhyme";
///     const VERSION: u32 = 1;
/// }
///
/// table! { Rhyme, "words that rhyme", plain, |rhyme, _added| {}
///     "book_id": Word => rhyme.book, "the book";
///     "words": list(Word) => rhyme.words, "the words that rhyme";
/// }
///
/// let tables = Tables::standard().with::<Rhyme>();
/// assert!(tables.names().any(|name| name == "rhyme"));
/// ```
#[macro_export]
macro_rules! table {
    ($record:ty, $about:literal, $use:ident, |$of:ident, $added:ident| { $($first:tt)* } $($lines:tt)*) => {
        impl $crate::Table for $record {
            const ABOUT: &'static str = $about;
            const EVALUATION: bool = $crate::table!(@evaluation $use);

            #[allow(clippy::vec_init_then_push, reason = "some lines are several columns")]
            fn columns(encodings: &[$crate::macros::Encoding]) -> Vec<$crate::Column> {
                #[allow(unused_imports, reason = "a table needs some of them")]
                use $crate::macros::{Int, Line, Text, Word, list, or_null};
                let mut columns: Vec<$crate::Column> = Vec::new();
                $crate::table!(@columns columns encodings $($lines)*);
                if Self::EVALUATION {
                    columns.push($crate::Column::canary());
                }
                _ = encodings;
                columns
            }

            fn cells<S: $crate::macros::SerializeStruct>(
                &self,
                $added: &$crate::Added<'_>,
                row: &mut S,
            ) -> Result<(), S::Error> {
                let $of = self;
                $($first)*
                $crate::table!(@cells row $added $($lines)*);
                if Self::EVALUATION {
                    row.serialize_field("canary", $added.canary)?;
                }
                $crate::table!(@groups row $added $($lines)*);
                Ok(())
            }
        }
    };
    (@evaluation evaluation) => { true };
    (@evaluation plain) => { false };
    (@columns $all:ident $of:ident) => {};
    (@columns $all:ident $of:ident ..$group:ident($value:expr); $($rest:tt)*) => {
        $all.extend(<$group<'_> as $crate::macros::Group>::columns($of));
        $crate::table!(@columns $all $of $($rest)*);
    };
    (@columns $all:ident $of:ident $name:literal: $kind:expr => $value:expr, $about:expr; $($rest:tt)*) => {
        $all.push(($name, $kind, $about).into());
        $crate::table!(@columns $all $of $($rest)*);
    };
    (@cells $row:ident $added:ident) => {};
    (@cells $row:ident $added:ident ..$group:ident($value:expr); $($rest:tt)*) => {
        $crate::macros::Group::cells(&$group($value), $crate::macros::Pass::Here, $added.encodings, $row)?;
        $crate::table!(@cells $row $added $($rest)*);
    };
    (@cells $row:ident $added:ident $name:literal: $kind:expr => $value:expr, $about:expr; $($rest:tt)*) => {
        $row.serialize_field($name, &$value)?;
        $crate::table!(@cells $row $added $($rest)*);
    };
    (@groups $row:ident $added:ident $($name:literal: $kind:expr => $value:expr, $about:expr;)*) => {};
    (@groups $row:ident $added:ident $($lines:tt)*) => {
        for pass in $crate::macros::Pass::LAST {
            $crate::table!(@pass pass $row $added $($lines)*);
        }
    };
    (@pass $pass:ident $row:ident $added:ident) => {};
    (@pass $pass:ident $row:ident $added:ident ..$group:ident($value:expr); $($rest:tt)*) => {
        $crate::macros::Group::cells(&$group($value), $pass, $added.encodings, $row)?;
        $crate::table!(@pass $pass $row $added $($rest)*);
    };
    (@pass $pass:ident $row:ident $added:ident $name:literal: $kind:expr => $value:expr, $about:expr; $($rest:tt)*) => {
        $crate::table!(@pass $pass $row $added $($rest)*);
    };
}

/// Says how records inside of a row are published, a line for each field.
macro_rules! records {
    ($row:ident($record:ty), |$of:ident| $($name:literal: $kind:expr => $value:expr, $about:expr;)*) => {
        pub(crate) struct $row<'a>(&'a $record);

        impl<'a> $row<'a> {
            pub(crate) fn kind() -> $crate::Type {
                #[allow(unused_imports, reason = "a record needs some of them")]
                use $crate::macros::{Int, Line, Text, Word, list, or_null};
                $crate::Type::records(vec![$(($name, $kind, $about).into()),*])
            }

            pub(crate) fn each(all: &'a [$record]) -> Vec<Self> {
                all.iter().map($row).collect()
            }
        }

        impl serde::Serialize for $row<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let $of = self.0;
                let mut row = serializer.serialize_struct(stringify!($row), [$($name),*].len())?;
                $(row.serialize_field($name, &$value)?;)*
                row.end()
            }
        }
    };
}
pub(crate) use records;

/// Lengths that stand together in several tables: a line for each column that is counted without tokens,
/// and the pass in which tokens are written, with what writes them.
macro_rules! lengths {
    (
        $(#[$about:meta])* $group:ident($of:ty), $kind:expr, $counted:path,
        $pass:ident => |$own:ident, $encodings:ident, $row:ident| $tokens:expr;
        $($name:literal => $value:expr, $meaning:literal;)*
    ) => {
        $(#[$about])*
        pub(super) struct $group<'a>(pub(super) &'a $of);

        impl $crate::macros::Group for $group<'_> {
            fn columns(encodings: &[$crate::macros::Encoding]) -> Vec<$crate::Column> {
                let mut columns: Vec<$crate::Column> =
                    vec![$($crate::Column::new($name, $kind, $meaning)),*];
                columns.extend($counted.columns(encodings));
                columns
            }

            fn cells<S: $crate::macros::SerializeStruct>(
                &self,
                pass: $crate::macros::Pass,
                $encodings: &[$crate::macros::Encoding],
                $row: &mut S,
            ) -> Result<(), S::Error> {
                use $crate::macros::Pass;
                let $own = self.0;
                match pass {
                    Pass::Plain => {
                        $($row.serialize_field($name, &$value)?;)*
                        Ok(())
                    }
                    Pass::$pass => $tokens,
                    _ => Ok(()),
                }
            }
        }
    };
}
pub(super) use lengths;

/// What every split is one of.
pub(crate) const SPLIT: &str = "train, validation or test";

/// Who made the retellings that a question's texts are.
pub(crate) const MADE_BY: &str =
    "who made the retellings in it: `rule`, `model`, or `both`; blank if it has none";
