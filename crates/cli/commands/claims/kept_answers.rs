//! Answers that earlier versions kept with a private set: to requests that they had made, or by pairs. They count as long as the
//! claims have the words that were asked.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use serde_json::Value;
use storymill_claims::{answers, pair::Half, read::Response, set::lines, standing::Aside};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{Private, Shelf, sets::Sets};

use super::{
    kept, refused,
    set_store::{Home, Sealed},
};
use crate::{exit::Failure, report};

/// A line of the key of some requests: which claim one was.
#[derive(Deserialize)]
struct KeyLine {
    custom_id: String,
    pair: String,
    claim: Half,
    prompt: String,
    skipped: Option<String>,
    words: Option<Digest>,
}

/// The answers of a set as lines that the stage `responses` reads; those that do not count are told.
pub(crate) fn of_set(shelf: &Arc<Shelf>, set: &str) -> Result<Private<Vec<u8>>, Failure> {
    let sealed = Sealed::of(Arc::clone(shelf), set);
    let home = Home::sealed(Sealed::of(Arc::clone(shelf), set))?;
    let stands = kept::stands(&home)?;
    let (mut all, mut aside) = (Vec::new(), Aside::default());
    for (response, words) in to_requests(&sealed)?.into_iter().chain(by_pairs(&sealed)?) {
        if aside.add(stands.of(&response.pair, response.claim, words), &response.pair) {
            all.push(response);
        }
    }
    aside.told("answer").iter().for_each(|line| report::warn(line));
    if all.is_empty() {
        let message = "no answers of an earlier version are kept with the set";
        return Err(Fault::new(FaultKind::Input, message)
            .hint("`--responses FILE` takes answers from a file")
            .into());
    }
    Ok(Private::new(lines(&all).into_bytes()))
}

type Said = Vec<(Response, Option<Digest>)>;

/// Answers to requests: a line that names the system, then one for each answer, by the requests' ids.
fn to_requests(sealed: &Sealed) -> Result<Said, Failure> {
    let other = || Fault::new(FaultKind::Store, "answers on the shelf cannot be read");
    let rows = |bytes: &[u8]| -> Result<Vec<Value>, Fault> {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).map_err(|_| other())).collect()
    };
    let mut said = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, "answers/") {
        let Some((id, _)) = name.split_once('/') else { continue };
        let key = rows(sealed.read(&format!("requests/{id}/key"))?.expose())?;
        let key: Vec<KeyLine> = key
            .into_iter()
            .map(|line| serde_json::from_value(line).map_err(|_| other()))
            .collect::<Result<_, _>>()?;
        let kept = rows(sealed.read(&format!("answers/{name}"))?.expose())?;
        let system = kept.first().and_then(|head| head["system"].as_str()).unwrap_or("the model");
        let answers: BTreeMap<&str, &str> = kept
            .iter()
            .filter_map(|row| Some((row["custom_id"].as_str()?, row["answer"].as_str()?)))
            .collect();
        for line in key {
            let answer = answers.get(&*line.custom_id).map(|answer| (*answer).to_owned());
            let skipped = line.skipped.map(|_| "SKIPPED".to_owned());
            let response = Response {
                system: system.to_owned(),
                pair: line.pair,
                claim: line.claim,
                answer: answer.or(skipped),
                prompt: Some(line.prompt),
            };
            said.push((response, line.words));
        }
    }
    said.retain(|(response, _)| response.answer.is_some());
    Ok(said)
}

/// Answers that name pairs themselves, with the words that they were about.
fn by_pairs(sealed: &Sealed) -> Result<Said, Failure> {
    let mut said = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, "said/") {
        let name = format!("said/{name}");
        let words = kept::noted(sealed, &name)?;
        let read = answers::read(sealed.read(&name)?.expose()).map_err(|mistakes| {
            refused(sealed.shelf.root(), "the answers on the shelf cannot be read", &mistakes)
        })?;
        said.extend(read.into_iter().map(|one| {
            let words = words.get(&(one.pair.clone(), one.claim)).copied();
            (one, words)
        }));
    }
    Ok(said)
}
