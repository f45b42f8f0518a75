//! What stands in a cell, and what it means in its column.

use crate::pair::{Scope, Stretch, is_date, is_version};

/// The contents of a cell that is not blank.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    Text(String),
    Truth(bool),
    Whole(u64),
    List(Vec<Stretch>),
    /// Something else that JSON can hold.
    Other,
}

/// Why a cell cannot be what its column wants.
type Unfit = &'static str;

impl Cell {
    /// The cell of a text; none if it is blank.
    pub(super) fn text(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self::Text(text.to_owned()))
    }

    pub(super) fn as_text(&self) -> Result<String, Unfit> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Whole(number) => Ok(number.to_string()),
            _ => Err("must be text"),
        }
    }

    pub(super) fn as_truth(&self) -> Result<bool, Unfit> {
        match self {
            Self::Truth(truth) => Ok(*truth),
            Self::Text(text) => match text.to_lowercase().as_str() {
                "true" | "yes" | "1" => Ok(true),
                "false" | "no" | "0" => Ok(false),
                _ => Err("must be true or false"),
            },
            Self::Whole(0) => Ok(false),
            Self::Whole(1) => Ok(true),
            _ => Err("must be true or false"),
        }
    }

    pub(super) fn as_number(&self) -> Result<u64, Unfit> {
        let unfit = "must be a whole number";
        match self {
            Self::Whole(number) => Ok(*number),
            Self::Text(text) => text.parse().map_err(|_| unfit),
            _ => Err(unfit),
        }
    }

    pub(super) fn as_scope(&self) -> Result<Scope, Unfit> {
        let unfit = "must be `sentence`, `passage` or `global`";
        match self {
            Self::Text(text) => Scope::named(text).ok_or(unfit),
            _ => Err(unfit),
        }
    }

    pub(super) fn as_date(&self) -> Result<String, Unfit> {
        let text = self.as_text()?;
        if is_date(&text) {
            Ok(text)
        } else {
            Err("must be a date such as 2024-05-21, 2024-05 or 2024")
        }
    }

    pub(super) fn as_version(&self) -> Result<String, Unfit> {
        let text = self.as_text()?;
        if is_version(&text) { Ok(text) } else { Err("must be a version such as 1.0.0 or v2") }
    }

    /// Stretches of symbols; a table has them as `120-180; 940-1000`.
    pub(super) fn as_stretches(&self) -> Result<Vec<Stretch>, Unfit> {
        let unfit = "must be stretches of symbols, such as 120-180; 940-1000, each with its start before its end";
        let stretches = match self {
            Self::List(list) => list.clone(),
            Self::Text(text) => {
                let one = |part: &str| -> Result<Stretch, Unfit> {
                    let (start, end) = part.split_once('-').ok_or(unfit)?;
                    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| unfit);
                    Ok(Stretch { start: number(start)?, end: number(end)? })
                };
                text.split(';')
                    .map(str::trim)
                    .filter(|part| !part.is_empty())
                    .map(one)
                    .collect::<Result<_, _>>()?
            }
            _ => return Err(unfit),
        };
        if stretches.iter().all(|stretch| stretch.start < stretch.end) {
            Ok(stretches)
        } else {
            Err(unfit)
        }
    }
}
