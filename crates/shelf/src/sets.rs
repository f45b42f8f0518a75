//! Sets of claim pairs on a shelf, and what else is kept of a set: requests, answers, votes, its ledger.
//! What a pair says is not read here: it is JSON with an `id`, and the `book` that it is about.

use std::collections::BTreeSet;

use serde_json::Value;
use storymill_core::{Fault, FaultKind, UnitId, did_you_mean};
use zeroize::Zeroize;

use crate::{Books, Change, Private, Shelf};

/// The pairs of a set.
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "it holds pairs")]
pub struct Pairs(pub Vec<(String, Value)>);

impl Zeroize for Pairs {
    fn zeroize(&mut self) {
        for (mut id, mut pair) in std::mem::take(&mut self.0) {
            id.zeroize();
            wipe(&mut pair);
        }
    }
}

fn wipe(value: &mut Value) {
    match value {
        Value::String(text) => text.zeroize(),
        Value::Array(items) => items.iter_mut().for_each(wipe),
        Value::Object(map) => map.values_mut().for_each(wipe),
        _ => {}
    }
}

/// The sets of a shelf.
#[derive(Clone, Copy, Debug)]
pub struct Sets<'s>(pub &'s Shelf);

impl Sets<'_> {
    /// The names of all sets, sorted.
    pub fn names(&self) -> Vec<String> {
        let names = self.0.names("sets/");
        let set = |name: &String| {
            let set = name.strip_prefix("sets/")?.strip_suffix("/pairs")?;
            (!set.contains('/')).then(|| set.to_owned())
        };
        names.iter().filter_map(set).collect()
    }

    /// The fault of a set that nobody has made, most likely because its name is misspelt.
    pub fn unknown(&self, set: &str) -> Fault {
        let names = self.names();
        let hint = did_you_mean(set, names.iter().map(String::as_str));
        Fault::new(FaultKind::Input, format!("there is no set `{set}` on the shelf"))
            .hint(hint.unwrap_or_else(|| "`storymill claims import` makes a set".to_owned()))
    }

    /// The pairs of a set.
    pub fn pairs(&self, set: &str) -> Result<Private<Pairs>, Fault> {
        let Some(bytes) = self.0.read(&name(set))? else {
            return Err(self.unknown(set));
        };
        parse(bytes.expose())
    }

    /// Keeps the pairs of a set, in place of those that were there.
    ///
    /// # Errors
    ///
    /// Two pairs have one id, a pair is about a book that is not on the shelf, or the disk fails.
    /// Messages name pairs by place and id.
    pub fn keep(&self, set: &str, pairs: &Private<Pairs>) -> Result<(), Fault> {
        self.keep_with(set, pairs, |_| Ok(()))
    }

    /// The same, with more that is changed in the same step.
    pub fn keep_with(
        &self,
        set: &str,
        pairs: &Private<Pairs>,
        more: impl FnOnce(&mut Change<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let books: BTreeSet<String> = Books(self.0).ids().iter().map(ToString::to_string).collect();
        let mut seen = BTreeSet::new();
        for (at, (id, pair)) in pairs.expose().0.iter().enumerate() {
            // What is no id may be words of a claim.
            let named = if id.parse::<UnitId>().is_ok()
                || id.split('/').all(|part| part.parse::<UnitId>().is_ok())
            {
                format!(" (`{id}`)")
            } else {
                String::new()
            };
            let wrong =
                |what: &str| Fault::new(FaultKind::Input, format!("pair {}{named} {what}", at + 1));
            if !seen.insert(id) {
                return Err(wrong("has the id of another pair"));
            }
            if !pair["book"].as_str().is_some_and(|book| books.contains(book)) {
                return Err(wrong("is about a book that is not on the shelf")
                    .hint("`storymill shelf list` shows the ids of its books"));
            }
        }
        let mut lines = Private::new(Vec::new());
        for (_, pair) in &pairs.expose().0 {
            let line = Private::new(pair.to_string());
            lines.expose_mut().extend_from_slice(line.expose().as_bytes());
            lines.expose_mut().push(b'\n');
        }
        self.0.change(|change| {
            change.put(&name(set), lines.expose())?;
            more(change)
        })
    }

    /// What else is kept of a set under a name; none if there is no such thing.
    pub fn file(&self, set: &str, what: &str) -> Result<Option<Private<Vec<u8>>>, Fault> {
        self.0.read(&place(set, what))
    }

    /// The names of what is kept of a set in a folder (`votes/`), without the folder's name; sorted.
    pub fn files(&self, set: &str, folder: &str) -> Vec<String> {
        let folder = place(set, folder);
        let names = self.0.names(&folder);
        names.iter().filter_map(|name| name.strip_prefix(&folder)).map(str::to_owned).collect()
    }
}

/// Checks the name of a set, which becomes part of names in the shelf.
pub fn check_name(text: &str) -> Result<(), Fault> {
    let parsed = text.parse::<UnitId>();
    parsed
        .map(drop)
        .map_err(|error| Fault::new(FaultKind::Input, "this is not a name of a set").because(error))
}

/// Where something that belongs to a set lies in the shelf.
pub fn place(set: &str, what: &str) -> String {
    format!("sets/{set}/{what}")
}

/// Reads lines of JSON. Messages name the line and nothing that stands in it.
pub fn parse(bytes: &[u8]) -> Result<Private<Pairs>, Fault> {
    let mut pairs = Private::new(Pairs::default());
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let wrong = |what: &str| Fault::new(FaultKind::Input, format!("line {} {what}", at + 1));
        let pair: Value = serde_json::from_slice(line).map_err(|_| wrong("is not JSON"))?;
        let id = pair["id"].as_str().filter(|id| !id.is_empty());
        let id = id.ok_or_else(|| wrong("holds no pair with an `id`"))?.to_owned();
        if !pair["book"].is_string() {
            return Err(wrong("holds a pair that names no `book`"));
        }
        pairs.expose_mut().0.push((id, pair));
    }
    Ok(pairs)
}

fn name(set: &str) -> String {
    place(set, "pairs")
}
