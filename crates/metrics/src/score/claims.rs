//! NoCha's file of claims with the answers of many systems: pair accuracy of each.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;

use super::FileError;
use crate::{
    Variant,
    pair_accuracy::{self, Accuracy, Judged, Verdict, accuracy, common_set, verdict},
};

/// The systems of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claims {
    /// What the numbers are.
    pub variant: Variant,
    /// Claims in the file.
    pub rows: usize,
    /// Pairs that have a true and a false claim.
    pub pairs: usize,
    /// Pairs that do not.
    pub gaps: Vec<Gap>,
    /// How many pairs all systems named for the common set answered; none if none were named.
    pub common: Option<usize>,
    /// The systems in the order of the file.
    pub systems: Vec<System>,
}

/// A pair that is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The book.
    pub book: String,
    /// The number of the pair.
    pub index: i64,
    /// What is wrong with it.
    pub what: String,
}

/// One system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct System {
    /// Its field in the file.
    pub name: String,
    /// Over all books.
    pub all: Accuracy,
    /// Over the common set only, if there is one.
    pub common: Option<Accuracy>,
    /// Book by book, in the order of the file.
    pub books: Vec<BookAccuracy>,
    /// The verdict on each row; none where the system was not asked.
    pub verdicts: Vec<Option<Verdict>>,
}

/// One system on one book.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookAccuracy {
    /// The book's title in the file.
    pub book: String,
    /// How well the system did.
    pub accuracy: Accuracy,
}

/// Scores every `response-*` field of NoCha's `data_sample.json`.
///
/// A row needs `book_title`, `index`, `claim` and `type` (a JSON boolean, or `"True"` and `"False"`
/// as the original's README has it). A system without a field in a row was not asked there.
/// `common` names the systems whose answered pairs make up the common set; NoCha took the closed
/// models.
pub fn claims(json: &str, common: &[String]) -> Result<Claims, FileError> {
    let rows: Vec<Row> =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    if rows.is_empty() {
        return Err(FileError::Empty);
    }
    let mut books: Vec<&str> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for row in &rows {
        let fields = row.responses.iter().map(|(name, _)| name.as_str());
        for (list, item) in fields.map(|name| (true, name)).chain([(false, row.book.as_str())]) {
            let list = if list { &mut names } else { &mut books };
            if !list.contains(&item) {
                list.push(item);
            }
        }
    }
    let (gaps, pairs) = gaps(&rows);
    let judged: Vec<Vec<Judged<Pair<'_>>>> = names.iter().map(|name| judge(&rows, name)).collect();
    let chosen = common.iter().map(|name| {
        let at = names.iter().position(|known| known == name);
        let unknown = || FileError::System { name: name.clone(), known: names.join("`, `") };
        at.map(|at| judged[at].as_slice()).ok_or_else(unknown)
    });
    let chosen: Vec<&[Judged<Pair<'_>>]> = chosen.collect::<Result<_, _>>()?;
    let shared = (!chosen.is_empty()).then(|| common_set(&chosen));
    let systems = names
        .iter()
        .zip(&judged)
        .map(|(name, judged)| system(name, judged, &books, shared.as_deref()));
    Ok(Claims {
        variant: pair_accuracy::VARIANT,
        rows: rows.len(),
        pairs,
        gaps,
        common: shared.as_ref().map(Vec::len),
        systems: systems.collect(),
    })
}

/// The book and the number of a pair.
type Pair<'r> = (&'r str, i64);

fn judge<'r>(rows: &'r [Row], name: &str) -> Vec<Judged<Pair<'r>>> {
    let judged = |row: &'r Row| {
        let answer = row
            .responses
            .iter()
            .find(|(field, _)| field == name)
            .and_then(|(_, answer)| answer.as_deref());
        let verdict = answer.and_then(|answer| verdict(answer, &row.claim));
        Judged { pair: (row.book.as_str(), row.index), truth: row.truth, verdict }
    };
    rows.iter().map(judged).collect()
}

fn system(
    name: &str,
    judged: &[Judged<Pair<'_>>],
    books: &[&str],
    common: Option<&[Pair<'_>]>,
) -> System {
    let only = |keep: &dyn Fn(&Pair<'_>) -> bool| {
        accuracy(&judged.iter().copied().filter(|claim| keep(&claim.pair)).collect::<Vec<_>>())
    };
    System {
        name: name.to_owned(),
        all: accuracy(judged),
        common: common.map(|pairs| only(&|pair| pairs.contains(pair))),
        books: books
            .iter()
            .map(|&book| BookAccuracy {
                book: book.to_owned(),
                accuracy: only(&|pair| pair.0 == book),
            })
            .collect(),
        verdicts: judged.iter().map(|claim| claim.verdict).collect(),
    }
}

/// Pairs without exactly one true and one false claim, and the number of those that have them.
fn gaps(rows: &[Row]) -> (Vec<Gap>, usize) {
    let mut halves: BTreeMap<Pair<'_>, [usize; 2]> = BTreeMap::new();
    for row in rows {
        halves.entry((&row.book, row.index)).or_default()[usize::from(row.truth)] += 1;
    }
    let whole = halves.values().filter(|counts| **counts == [1, 1]).count();
    let gaps = halves.into_iter().filter(|(_, counts)| *counts != [1, 1]).map(
        |((book, index), [no, yes])| Gap {
            book: book.to_owned(),
            index,
            what: format!("{yes} true and {no} false claims instead of one each"),
        },
    );
    (gaps.collect(), whole)
}

struct Row {
    book: String,
    index: i64,
    claim: String,
    truth: bool,
    /// In the order of the file; none for an explicit null.
    responses: Vec<(String, Option<String>)>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a claim with its answers")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row, M::Error> {
        let (mut book, mut index, mut claim, mut truth, mut responses) =
            (None, None, None, None, Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "book_title" => book = Some(map.next_value()?),
                "index" => index = Some(map.next_value()?),
                "claim" => claim = Some(map.next_value()?),
                "type" => truth = Some(truth_of(&map.next_value()?).map_err(M::Error::custom)?),
                _ if key.starts_with("response-") => {
                    let answer = map.next_value()?;
                    if responses.iter().any(|(name, _)| *name == key) {
                        return Err(M::Error::custom(format!("`{key}` stands here twice")));
                    }
                    responses.push((key, answer));
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Row {
            book: book.ok_or_else(|| M::Error::missing_field("book_title"))?,
            index: index.ok_or_else(|| M::Error::missing_field("index"))?,
            claim: claim.ok_or_else(|| M::Error::missing_field("claim"))?,
            truth: truth.ok_or_else(|| M::Error::missing_field("type"))?,
            responses,
        })
    }
}

fn truth_of(value: &Value) -> Result<bool, String> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        other => Err(format!("`type` is true or false, not {other}")),
    }
}
