//! Which files of a shelf are rows, so that two people may change one apart: pairs by their ids, and lists to which everybody adds.

use std::collections::BTreeMap;

use serde_json::Value;
use storymill_core::Fault;

use crate::{
    Change, Private, fold,
    log::{Id, Kind, Piece, Place},
};

/// What people decided on a set, beside its `pairs`.
pub(crate) const DECISIONS: &str = "decisions";

/// What is kept of a set in lines that are only added to.
const LISTS: [&str; 7] =
    [DECISIONS, "drafts", "exposures", "proposals", "removed.jsonl", "scores", "taken"];

/// How a file joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As a whole.
    Whole,
    /// Line by line, each under the `id` that stands in it.
    Table,
    /// Line by line; a line that two have added stands once.
    List,
}

/// How a file of this name joins.
pub(crate) fn shape(name: &str) -> Shape {
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        ["sets", _, "pairs" | "books"] | ["proof", _] => Shape::Table,
        ["sets", _, list] if LISTS.contains(&list) => Shape::List,
        ["cleared" | "endpoints"] => Shape::List,
        _ => Shape::Whole,
    }
}

/// Whether a file is made again of others where it is not there, so that nobody minds which of two is kept. That another one
/// went is remembered, so that who changed it meanwhile is told.
pub(crate) fn is_made_again(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    matches!(parts[..], ["sets", _, "measured"]) || !matches!(parts[0], "sets" | "books" | "proof")
}

/// The lines of a file of rows, each with its key.
pub(crate) fn split(shape: Shape, bytes: &[u8]) -> BTreeMap<String, (u64, &[u8])> {
    let mut rows = BTreeMap::new();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    for (at, line) in (0..).zip(lines) {
        let hash = blake3::hash(line).to_hex();
        let value = serde_json::from_slice::<Value>(line).unwrap_or_default();
        let text = |field: &str| value[field].as_str().map(str::to_owned);
        let id = text("id").filter(|id| shape == Shape::Table && !rows.contains_key(id));
        let subject = || text("item").or_else(|| text("pair")).unwrap_or_default();
        rows.insert(id.unwrap_or_else(|| format!("{} {}", subject(), &hash[..16])), (at, line));
    }
    rows
}

/// The decisions on a pair among those of its set.
pub(crate) fn on<'p>(
    decisions: &'p BTreeMap<Id, Piece>,
    pair: &str,
) -> impl Iterator<Item = (&'p Id, &'p Piece)> {
    let pair = pair.to_owned();
    decisions.iter().filter(move |(_, piece)| subject(&piece.key) == Some(&pair))
}

/// The pair that a decision is on, by its key.
pub(crate) fn subject(key: &str) -> Option<&str> {
    let (item, _) = key.rsplit_once(' ')?;
    Some(
        item.rsplit_once('/').map_or(item, |(pair, half)| {
            if matches!(half, "true" | "false") { pair } else { item }
        }),
    )
}

impl Change<'_> {
    /// Puts rows in place of those of a file, or adds them.
    pub(crate) fn put_rows(
        &mut self,
        name: &str,
        shape: Shape,
        bytes: &[u8],
        all: bool,
    ) -> Result<(), Fault> {
        let rows = split(shape, bytes);
        let pieces = self.next.expose().files.get(name).cloned().unwrap_or_default();
        let first = |(key, heads): (&str, Vec<Id>)| {
            let id = fold::sorted(&pieces, &heads)[0];
            (key.to_owned(), pieces[&id].clone())
        };
        let heads: BTreeMap<String, Piece> = fold::heads(&pieces).into_iter().map(first).collect();
        let mut end = pieces.values().map(|piece| piece.at + 1).max().unwrap_or(0);
        let mut fresh: Vec<(&String, &[u8], u64, [u8; 16])> = Vec::new();
        for (key, (at, line)) in &rows {
            let what = self.what(line);
            match heads.get(key) {
                Some(old) if old.what == what && old.kind == Kind::Row => {}
                Some(old) => fresh.push((key, line, old.at, what)),
                None => fresh.push((key, line, end + at, what)),
            }
        }
        end += rows.len() as u64;
        fresh.sort_by_key(|(_, _, at, _)| *at);
        let gone: Vec<String> = if all {
            let is_gone = |(key, piece): &(&String, &Piece)| {
                !rows.contains_key(*key) && piece.kind != Kind::Gone
            };
            heads.iter().filter(is_gone).map(|(key, _)| key.clone()).collect()
        } else {
            Vec::new()
        };
        let mut text = Private::new(Vec::with_capacity(bytes.len() + 1));
        for (_, line, ..) in &fresh {
            text.expose_mut().extend_from_slice(line);
            text.expose_mut().push(b'\n');
        }
        let place = self.seal(text.expose())?;
        let mut from = 0;
        for (key, line, at, what) in fresh {
            let (kind, length) = (Kind::Row, line.len() as u64 + 1);
            let place = Place { from, length, ..place.clone() };
            from += length;
            let (old, saw) = (self.heads(name, key), self.saw(name, key));
            self.add(name, &Piece { kind, key: key.clone(), at, place, what, saw }, &old);
        }
        for key in gone {
            let old =
                if key.is_empty() { self.ids(name, |_| true) } else { self.heads(name, &key) };
            let old: Vec<Id> = old.into_iter().filter(|id| !self.is_fresh_row(name, id)).collect();
            if shape == Shape::Table && !key.is_empty() {
                let piece = self.piece(Kind::Gone, Place::default(), b"");
                let saw = self.saw(name, &key);
                self.add(name, &Piece { key, at: end, saw, ..piece }, &old);
            } else {
                self.replace(name, &old);
            }
        }
        Ok(())
    }

    /// Whether a piece is a row that this change has made.
    fn is_fresh_row(&self, name: &str, id: &Id) -> bool {
        self.news.expose().files.get(name).is_some_and(|all| all.contains_key(id))
    }

    /// What is known of the subject of a row: of a pair what was decided on it, of a decision the pair.
    pub(crate) fn saw(&self, name: &str, key: &str) -> Vec<Id> {
        match (name.strip_suffix(DECISIONS), subject(key)) {
            (Some(set), Some(pair)) => self.heads(&format!("{set}pairs"), pair),
            _ => self.decisions(name, key),
        }
    }

    pub(crate) fn decisions(&self, name: &str, key: &str) -> Vec<Id> {
        let Some(set) = name.strip_suffix("pairs") else { return Vec::new() };
        let files = &self.next.expose().files;
        let all = files.get(&format!("{set}{DECISIONS}"));
        all.map(|all| on(all, key).map(|(id, _)| *id).collect()).unwrap_or_default()
    }
}
