//! What of a question may be named to choose by: the columns of its row with texts and numbers, and short names for some.

use arrow_schema::DataType;
use serde_json::Value;
use storymill_core::{Encoding, Fault};
use storymill_text::filter::{Kind, Values};

use super::index::Tables;
use crate::{asked, reading::open};

/// What questions may be chosen by.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The columns that it is read from; of each row the first that is there.
    columns: Vec<String>,
}

/// The columns that the kind of a question follows from.
const KIND: [&str; 3] = ["type", "claim", "context_id"];

/// The fields of the questions of some configs. `task` is the kind of question; `demand` and `context` are lengths in
/// tokens, where these were counted, else in words.
pub(super) fn fields(tables: &Tables, configs: &[String]) -> Result<Vec<Field>, Fault> {
    let mut fields: Vec<Field> = Vec::new();
    for table in tables.0.iter().filter(|table| configs.contains(&table.config)) {
        for column in open(&table.path)?.schema().fields() {
            let name = column.name();
            if let Some(kind) = kind_of(column.data_type())
                && !fields.iter().any(|field| field.name == *name)
            {
                fields.push(Field { name: name.clone(), kind, columns: vec![name.clone()] });
            }
        }
    }
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let mut short = vec![("task".to_owned(), Kind::Text, vec!["type".to_owned()])];
    if !has("type") {
        short.push(("type".to_owned(), Kind::Text, vec!["type".to_owned()]));
    }
    for length in ["demand", "context"] {
        let counted: Vec<String> = Encoding::ALL
            .into_iter()
            .map(|one| format!("{length}_tokens_{one}"))
            .filter(|column| has(column))
            .take(1)
            .collect();
        let words = format!("{length}_words");
        let symbols = format!("{length}_symbols");
        let best = counted.first().cloned().or_else(|| has(&words).then_some(words));
        let best = best.or_else(|| has(&symbols).then_some(symbols));
        short.extend(best.map(|column| (length.to_owned(), Kind::Number, vec![column])));
        if !counted.is_empty() {
            short.push((format!("{length}_tokens"), Kind::Number, counted));
        }
    }
    let new = short.into_iter().filter(|(name, ..)| !has(name)).collect::<Vec<_>>();
    fields.extend(new.into_iter().map(|(name, kind, columns)| Field { name, kind, columns }));
    Ok(fields)
}

/// What the values of a column are compared as; none if they are neither texts nor whole numbers.
fn kind_of(values: &DataType) -> Option<Kind> {
    match values {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Kind::Text),
        DataType::Dictionary(_, values) => kind_of(values),
        DataType::List(values) | DataType::LargeList(values) => kind_of(values.data_type()),
        whole if whole.is_integer() => Some(Kind::Number),
        _ => None,
    }
}

impl Field {
    /// The columns that have to be read for it.
    pub(super) fn reads(&self) -> impl Iterator<Item = &str> {
        let kind = self.is_the_kind().then_some(KIND).into_iter().flatten();
        self.columns.iter().map(String::as_str).chain(kind)
    }

    fn is_the_kind(&self) -> bool {
        self.columns.iter().any(|column| column == "type")
    }

    /// What a row has in it.
    pub(super) fn of<'r>(&self, row: &'r Value) -> Cell<'r> {
        if self.is_the_kind() {
            return Cell::Kind(asked::kind_of(row));
        }
        let value = self.columns.iter().map(|column| &row[column]).find(|value| !value.is_null());
        Cell::Value(value.unwrap_or(&Value::Null))
    }
}

/// What a row has in a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'r> {
    Kind(&'r str),
    Value(&'r Value),
}

impl Cell<'_> {
    /// The only number, or the only text.
    pub(super) fn only(self) -> (Option<i64>, String) {
        match self {
            Self::Kind(kind) => (None, kind.to_owned()),
            Self::Value(Value::String(text)) => (None, text.clone()),
            Self::Value(value) => (value.as_i64(), String::new()),
        }
    }
}

impl Values for Cell<'_> {
    fn texts(&self, does: &mut dyn FnMut(&str) -> bool) -> bool {
        match self {
            Self::Kind(kind) => does(kind),
            Self::Value(Value::Array(values)) => {
                values.iter().filter_map(Value::as_str).any(&mut *does)
            }
            Self::Value(value) => value.as_str().filter(|text| !text.is_empty()).is_some_and(does),
        }
    }

    fn numbers(&self, does: &mut dyn FnMut(Option<i64>) -> bool) -> bool {
        match self {
            Self::Kind(_) => false,
            Self::Value(Value::Array(values)) => values.iter().all(|value| does(value.as_i64())),
            Self::Value(value) => does(value.as_i64()),
        }
    }
}
