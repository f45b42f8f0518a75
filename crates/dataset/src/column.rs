//! Columns: what a published table looks like, said once.
//!
//! The Arrow schema, the writer's settings, the features that Hugging Face reads and the tables
//! of the data card all follow from here. A crate that adds a table of its own names no Arrow
//! type.

use std::fmt;

use serde_json::Value;

/// A column of a published table, or a field of a nested one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, with the unit in it: `start_symbols`.
    pub name: &'static str,
    /// What it holds.
    pub kind: Type,
    /// Whether the value may be unknown.
    pub nullable: bool,
    /// What it means, in a few words.
    pub about: &'static str,
}

impl Column {
    /// A column whose value is always known.
    pub fn new(name: &'static str, kind: Type, about: &'static str) -> Self {
        Self { name, kind, nullable: false, about }
    }

    /// The same column where the value may be unknown.
    pub fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }

    /// The column that every table used for evaluation ends with.
    pub fn canary() -> Self {
        Self::new(CANARY, Type::Word, "the dataset's canary, the same in every row")
    }
}

impl From<(&'static str, Type, &'static str)> for Column {
    fn from((name, kind, about): (&'static str, Type, &'static str)) -> Self {
        Self::new(name, kind, about)
    }
}

/// What a column holds whose value may be unknown.
#[derive(Clone, Debug)]
pub struct Nullable(Type);

/// A value that may be unknown.
pub fn or_null(kind: Type) -> Nullable {
    Nullable(kind)
}

impl From<(&'static str, Nullable, &'static str)> for Column {
    fn from((name, Nullable(kind), about): (&'static str, Nullable, &'static str)) -> Self {
        Self::new(name, kind, about).or_null()
    }
}

/// The name of [`Column::canary`].
pub(crate) const CANARY: &str = "canary";

/// What a column holds. There are no floats: scores are integers, per mille.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number of 32 bits.
    Int,
    /// A short text that many rows share: an id of a book, one of a few words.
    Word,
    /// A short text of its own in nearly every row: an id, a title.
    Line,
    /// A long text, kept without statistics.
    Text,
    /// A record inside the row.
    Struct(Vec<Column>),
    /// Any number of values.
    List(Box<Self>),
}

impl Type {
    /// A list of values.
    pub fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    /// A list of records.
    pub fn records(columns: Vec<Column>) -> Self {
        Self::list(Self::Struct(columns))
    }

    /// The feature as Hugging Face `datasets` keeps it in a Parquet file.
    fn feature(&self) -> String {
        match self {
            Self::Int => r#"{"dtype":"int32","_type":"Value"}"#.to_owned(),
            Self::Word | Self::Line | Self::Text => {
                r#"{"dtype":"string","_type":"Value"}"#.to_owned()
            }
            Self::Struct(columns) => features(columns),
            // The bracket form: every release reads it, old and new.
            Self::List(of) => format!("[{}]", of.feature()),
        }
    }
}

/// The features of a table as JSON. Written by hand, since the order of columns counts.
pub(crate) fn features(columns: &[Column]) -> String {
    let entries: Vec<_> = columns
        .iter()
        .map(|column| format!("{}:{}", Value::from(column.name), column.kind.feature()))
        .collect();
    format!("{{{}}}", entries.join(","))
}

/// The type as the data card and the docs print it: `list<struct<start_symbols: int32>>`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int => f.write_str("int32"),
            Self::Word | Self::Line | Self::Text => f.write_str("string"),
            Self::List(of) => write!(f, "list<{of}>"),
            Self::Struct(columns) => {
                f.write_str("struct<")?;
                for (at, column) in columns.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    let null = if column.nullable { "?" } else { "" };
                    write!(f, "{comma}{}: {}{null}", column.name, column.kind)?;
                }
                f.write_str(">")
            }
        }
    }
}

impl Column {
    /// The column as `dataset_info` lists it in YAML, indented by so many blanks.
    pub(crate) fn yaml_feature(&self, indent: usize) -> String {
        let blank = " ".repeat(indent);
        let rest = self.kind.yaml_feature(indent + 2);
        format!("{blank}- name: {}\n{rest}", self.name)
    }
}

impl Type {
    /// What follows a feature's name. A list of texts is `list: string`, a list of records has
    /// their features under `list:`.
    fn yaml_feature(&self, indent: usize) -> String {
        let blank = " ".repeat(indent);
        let under = |columns: &[Column]| -> String {
            columns.iter().map(|column| column.yaml_feature(indent)).collect()
        };
        match self {
            Self::Int => format!("{blank}dtype: int32\n"),
            Self::Word | Self::Line | Self::Text => format!("{blank}dtype: string\n"),
            Self::Struct(columns) => format!("{blank}struct:\n{}", under(columns)),
            Self::List(of) => match &**of {
                Self::Struct(columns) => format!("{blank}list:\n{}", under(columns)),
                Self::List(_) => format!("{blank}list:\n{}", of.yaml_feature(indent + 2)),
                Self::Int => format!("{blank}list: int32\n"),
                Self::Word | Self::Line | Self::Text => format!("{blank}list: string\n"),
            },
        }
    }
}
