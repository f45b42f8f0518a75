//! Which prediction is of which context.

use std::collections::BTreeMap;

use super::{Item, Prediction, Refused, name::Name};
use crate::score::FileError;

/// The prediction of each context, in the contexts' order.
///
/// An id says it. Without one, as LV-Eval's program writes them, the file's name says set and level, and the
/// question which of its contexts; where several have the same question and the same answers, as in
/// factrecall, they are taken in order.
pub(super) fn matched<'p>(
    predictions: &'p [Prediction],
    items: &[Item],
) -> Result<Vec<Option<&'p Prediction>>, Refused> {
    let by_id: BTreeMap<&str, usize> =
        items.iter().enumerate().map(|(at, item)| (&item.id[..], at)).collect();
    let mut by_question: BTreeMap<(Name, &str), Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let name = Name { set: item.set.clone(), level: item.level };
        by_question.entry((name, &item.question)).or_default().push(at);
    }
    let mut found: Vec<Option<&Prediction>> = vec![None; items.len()];
    for said in predictions {
        let line = said.line;
        let refused = |error| (Some(said.file), error);
        let row = |what: String| refused(FileError::Row { line, what });
        let at = match (&said.id, &said.question) {
            (Some(id), _) => {
                *by_id.get(&id[..]).ok_or_else(|| row(format!("no context has the id `{id}`")))?
            }
            (None, Some(question)) => {
                let same = by_question.get(&(said.name.clone(), question));
                let same = same.ok_or_else(|| row(unknown(&said.name)))?;
                if same.iter().any(|at| items[*at].answers != items[same[0]].answers) {
                    let what = "several contexts have this question, and other answers; say which by `_id`";
                    return Err(row(what.to_owned()));
                }
                // Of equals the next; where all are predicted, the last is, twice.
                let next = same.iter().find(|at| found[**at].is_none());
                *next.or(same.last()).expect("a question is of some context")
            }
            (None, None) => {
                return Err(refused(FileError::Missing { line, field: "_id`, `id` or `input" }));
            }
        };
        if let Some(first) = found[at].replace(said) {
            let (id, other) = (items[at].id.clone(), first.line);
            if first.file == said.file {
                return Err(row(format!("`{id}` was predicted on line {other} already")));
            }
            return Err(refused(FileError::Twice { line, id, first: (first.file, other) }));
        }
    }
    Ok(found)
}

fn unknown(name: &Name) -> String {
    match name.level {
        0 => "no `_id`, and the file's name says neither set nor level: `hotpotwikiqa_mixup_16k.jsonl` does".to_owned(),
        _ => format!("no context of `{}` at this level has this question", name.set),
    }
}
