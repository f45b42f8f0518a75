//! Tables: how the rows of a record are published.
//!
//! A table is a record that knows its columns. [`Tables`] finds it by the record's name, so the
//! publisher handles every table alike, those of other crates among them.

use std::{any::type_name, collections::BTreeMap, fmt};

use serde::ser::SerializeStruct;
use storymill_core::{
    AdequacyPair, AnswerScore, AskedDocument, Book, BookText, ClaimQuestion, Context, Distortion,
    Encoding, EvalItem, Fault, FaultKind, Gated, Grade, Judgement, Leak, LiteraryQuestion, Located,
    ModelAnswer, NameCount, Passage, ReadAlongQuestion, Recognition, Reconstruction, Record,
    Revision, Scene, Substitution, Summary, UnitId, Vote,
};

use crate::{column::Column, file_parts::FileParts};

/// A record that can be published.
/// [`table!`](crate::table!) says all of it, a line for each column.
pub trait Table: Record {
    /// What one row is, in a few words: `a question`.
    const ABOUT: &'static str;
    /// Whether it holds questions or answers. Such a table has the column [`Column::canary`].
    const EVALUATION: bool;

    /// The columns in their order, the first of them with an id that no other row has; with lengths in
    /// tokens of these encodings where the rows have lengths.
    fn columns(encodings: &[Encoding]) -> Vec<Column>;
    /// The cells of a record's row, by the names of their columns.
    ///
    /// # Errors
    ///
    /// Those of `row`.
    fn cells<S: SerializeStruct>(&self, added: &Added<'_>, row: &mut S) -> Result<(), S::Error>;
}

/// What a row holds beyond its record.
#[derive(Clone, Copy, Debug)]
pub struct Added<'a> {
    /// The unit.
    pub unit: &'a UnitId,
    /// The unit's split.
    pub split: &'a str,
    /// The dataset's canary.
    pub canary: &'a str,
    /// The encodings whose tokens the columns count.
    pub encodings: &'a [Encoding],
    /// What people are called here, by their names: none of these is published.
    pub people: &'a BTreeMap<String, String>,
}

/// The tables that can be published, by [`Record::NAME`].
#[derive(Debug)]
pub struct Tables(BTreeMap<&'static str, Box<dyn AnyTable>>);

impl Tables {
    /// The tables of the core records.
    pub fn standard() -> Self {
        Self(BTreeMap::new())
            .with::<Book>()
            .cut(|books: Vec<Book>| books.iter().flat_map(BookText::of).collect())
            .with::<Scene>()
            .with::<Summary>()
            .with::<Distortion>()
            .with::<ReadAlongQuestion>()
            .with::<Reconstruction>()
            .with::<Substitution>()
            .with::<Leak>()
            .with::<NameCount>()
            .with::<Recognition>()
            .with::<EvalItem>()
            .with::<ClaimQuestion>()
            .with::<Passage>()
            .with::<Context>()
            .with::<ModelAnswer>()
            .with::<Grade>()
            .with::<Judgement>()
            .with::<Gated>()
            .with::<AskedDocument>()
            .with::<LiteraryQuestion>()
            .with::<Located>()
            .with::<Revision>()
            .with::<AnswerScore>()
            .with::<AdequacyPair>()
            .with::<Vote>()
    }

    /// These tables and one more, in place of one for the same record.
    pub fn with<T: Table>(mut self) -> Self {
        self.0.insert(T::NAME, Box::new(Typed(|rows: Vec<T>| rows)));
        self
    }

    /// These tables and one whose rows are cut from those of another record.
    fn cut<R: Record, T: Table>(mut self, cut: fn(Vec<R>) -> Vec<T>) -> Self {
        self.0.insert(T::NAME, Box::new(Typed(cut)));
        self
    }

    /// The names of the records that have a table, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    /// The columns of a record's table.
    pub fn columns(&self, record: &str, encodings: &[Encoding]) -> Option<Vec<Column>> {
        self.0.get(record).map(|table| table.columns(encodings))
    }

    pub(crate) fn get(&self, record: &str) -> Result<&dyn AnyTable, Fault> {
        self.0.get(record).map(|table| &**table).ok_or_else(|| {
            let known: Vec<_> = self.names().map(|name| format!("`{name}`")).collect();
            Fault::new(FaultKind::Input, format!("`{record}` rows cannot be published"))
                .hint(format!("the rows that can be are {}", known.join(", ")))
        })
    }
}

/// A table whose record's type is forgotten.
pub(crate) trait AnyTable: Send + Sync + fmt::Debug {
    fn about(&self) -> &'static str;
    fn evaluation(&self) -> bool;
    fn columns(&self, encodings: &[Encoding]) -> Vec<Column>;
    /// Pours the rows of a part, given in canonical bytes, into files.
    fn write_rows(
        &self,
        part: &[u8],
        added: &Added<'_>,
        into: &mut FileParts<'_>,
    ) -> Result<(), Fault>;
}

/// How the rows of a part become those of a table.
struct Typed<R, T>(fn(Vec<R>) -> Vec<T>);

impl<R, T> fmt::Debug for Typed<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name::<T>())
    }
}

impl<R: Record, T: Table> AnyTable for Typed<R, T> {
    fn about(&self) -> &'static str {
        T::ABOUT
    }

    fn evaluation(&self) -> bool {
        T::EVALUATION
    }

    fn columns(&self, encodings: &[Encoding]) -> Vec<Column> {
        T::columns(encodings)
    }

    fn write_rows(
        &self,
        part: &[u8],
        added: &Added<'_>,
        into: &mut FileParts<'_>,
    ) -> Result<(), Fault> {
        let records = R::decode(part).map_err(|error| {
            let message = format!("the rows of unit {} are not {} rows", added.unit, R::NAME);
            Fault::new(FaultKind::Internal, message).because(error)
        })?;
        self.0(records).iter().try_for_each(|record| into.push(record, added))
    }
}
