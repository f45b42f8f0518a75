//! The columns that a file of claims may have, each under its names, and what stands in them.

use serde_json::Value;
use storymill_core::did_you_mean;

use crate::pair::{Scope, Stretch, is_date, is_version};

/// What the cells of a column hold.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Text,
    Truth,
    Number,
    Scope,
    Date,
    Version,
    Stretches,
}

use Kind::{Date, Number, Scope as Reach, Stretches, Text, Truth, Version};

/// What is told of a column under another name than these.
pub(super) const UNKNOWN: &str = "no column of this name is known";

/// Columns, each with its own name, the other names it is known by, and what it holds.
type Columns<const N: usize> = [(&'static str, &'static [&'static str], Kind); N];

/// Those that are fields of a pair.
pub(crate) const OF_PAIRS: Columns<19> = [
    ("id", &["pair_id"], Text),
    ("book", &["book_title", "book_id"], Text),
    ("story", &["story_title"], Text),
    ("true_claim", &["true"], Text),
    ("false_claim", &["false"], Text),
    ("explanation", &["false_claim_explanation"], Text),
    ("true_scope", &["true_claim_scope"], Reach),
    ("false_scope", &["false_claim_scope"], Reach),
    ("true_evidence", &["true_claim_evidence"], Stretches),
    ("false_evidence", &["false_claim_evidence"], Stretches),
    ("written_by", &["annotator", "writer", "claim_author"], Text),
    ("model_written", &["is_model_written"], Truth),
    ("this_volume_alone", &["decidable_alone"], Truth),
    ("writer_has_read", &["has_read"], Truth),
    ("consent", &[], Truth),
    ("published_on", &["publication_date"], Date),
    ("added_in", &[], Version),
    ("retire_after", &[], Date),
    ("index", &["pair", "pair_index"], Text),
];

/// Those of rows that hold one claim.
const OF_CLAIMS: Columns<4> = [
    ("claim", &["statement"], Text),
    ("type", &["label", "truth"], Truth),
    ("scope", &["evidence_scope"], Reach),
    ("evidence", &["evidence_spans"], Stretches),
];

/// Those that are fields of a book, whose author is `book_author` here.
pub(super) const OF_BOOKS: Columns<8> = [
    ("title", &[], Text),
    ("book_author", &["author"], Text),
    ("genre", &[], Text),
    ("publication_year", &["year"], Text),
    ("length_group", &["length_bucket"], Text),
    ("tokens", &["length", "tokens_cl100k_base"], Number),
    ("words", &[], Number),
    ("series", &[], Text),
];

fn all() -> impl Iterator<Item = &'static (&'static str, &'static [&'static str], Kind)> {
    OF_PAIRS.iter().chain(&OF_CLAIMS).chain(&OF_BOOKS)
}

/// The own name of the column of a name, however it is spelt, and whether that is one of its other names.
pub(super) fn named(name: &str) -> Option<(String, bool)> {
    let plain = name.trim();
    if is_response(plain) {
        return (plain.len() > "response-".len()).then(|| (plain.to_owned(), false));
    }
    let plain = plain.to_lowercase().replace(['-', ' '], "_");
    let is_other = |others: &[&str]| others.contains(&plain.as_str());
    let (own, others, _) = all().find(|(own, others, _)| *own == plain || is_other(others))?;
    Some(((*own).to_owned(), is_other(others)))
}

/// Whether a column holds what a system answered: `response-gpt4o`.
pub(super) fn is_response(column: &str) -> bool {
    column.starts_with("response-") || column.starts_with("response_")
}

/// Which column a name may mean, as a question. The name itself is not told: without a head it is a claim.
pub(super) fn meant(name: &str) -> Option<String> {
    did_you_mean(&name.trim().to_lowercase(), all().map(|(own, ..)| *own))
}

/// A text as a cell; none if it is blank.
pub(super) fn text(text: &str) -> Option<Value> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

/// What a cell says in its column, or why it cannot stand there.
pub(super) fn read(column: &str, cell: &Value) -> Result<Value, &'static str> {
    let text = || match cell {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) if number.is_u64() => Ok(number.to_string()),
        _ => Err("must be text"),
    };
    let kind = all().find(|(own, ..)| *own == column).map_or(Text, |(.., kind)| *kind);
    Ok(match kind {
        Text => text()?.into(),
        Truth => {
            let word = cell.as_bool().map_or_else(text, |truth| Ok(truth.to_string()));
            match word.unwrap_or_default().to_lowercase().as_str() {
                "true" | "yes" | "1" => true.into(),
                "false" | "no" | "0" => false.into(),
                _ => return Err("must be true or false"),
            }
        }
        Number => text().ok().and_then(|text| text.parse::<u64>().ok()).ok_or("must be a whole number")?.into(),
        Reach => {
            let scope = cell.as_str().and_then(Scope::named);
            scope.ok_or("must be `sentence`, `passage` or `global`")?.name().into()
        }
        Date => {
            let unfit = "must be a date such as 2024-05-21, 2024-05 or 2024";
            Some(text()?).filter(|text| is_date(text)).ok_or(unfit)?.into()
        }
        Version => {
            let unfit = "must be a version such as 1.0.0 or v2";
            Some(text()?).filter(|text| is_version(text)).ok_or(unfit)?.into()
        }
        Stretches => stretches(cell).and_then(|all| serde_json::to_value(all).ok()).ok_or(
            "must be stretches of symbols, such as 120-180; 940-1000, each with its start before its end",
        )?,
    })
}

/// Stretches of symbols; a table has them as `120-180; 940-1000`.
fn stretches(cell: &Value) -> Option<Vec<Stretch>> {
    let one = |part: &str| {
        let (start, end) = part.split_once('-')?;
        Some(Stretch { start: start.trim().parse().ok()?, end: end.trim().parse().ok()? })
    };
    let all: Vec<Stretch> = match cell {
        Value::String(text) => {
            let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
            parts.map(one).collect::<Option<_>>()?
        }
        list => serde_json::from_value(list.clone()).ok()?,
    };
    all.iter().all(|stretch| stretch.start < stretch.end).then_some(all)
}
