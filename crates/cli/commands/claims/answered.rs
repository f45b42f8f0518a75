//! Answers to the claims of a private set: taken in, kept in the shelf, read for scores.

use std::{collections::BTreeMap, path::Path};

use storymill_claims::{
    answers::{self, Head},
    exposure,
    import::Set,
    read::Response,
    request::KeyLine,
    set::lines,
};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Private, sets::Sets};

use super::{private_requests, refused, score::responses_of, set_store::Sealed, unsealed, warn};
use crate::{args::claims::ClaimsScore, exit::Failure, report, table::plural};

/// Answers to requests of the set, by the requests' id; then one file for each system.
const ANSWERS: &str = "answers/";
/// Answers that name pairs themselves.
const SAID: &str = "said/";

/// Takes a file of answers in: sealed or in clear, to requests of the set or by pairs.
pub(super) fn take(sealed: &Sealed, path: &Path, args: &ClaimsScore) -> Result<(), Failure> {
    let content = unsealed(path, &args.at.on)?;
    let (head, rest) = answers::head(content.expose());
    let Some((id, key)) = requests_of(sealed, head.as_ref(), rest)? else {
        if head.is_some() {
            let message = "the answers are to requests that this set has not made";
            return Err(Fault::new(FaultKind::Input, message).at(path).into());
        }
        return said(sealed, path, content.expose());
    };
    let system = args.system.clone().or_else(|| head.as_ref().map(|head| head.system.clone()));
    let system = system.or_else(|| key.first().map(|line| line.model.clone())).unwrap_or_default();
    let (_, warnings) = answers::of_bundle(rest, &key, Some(&system))
        .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
    warn(path, &warnings);
    if let Some(head) = &head {
        private_requests::expose(
            sealed,
            &exposure::of_key(&key, &head.provider, &head.system, &head.date),
        )?;
        sealed.shelf.note_endpoints(head.endpoint.as_slice())?;
    }
    keep(sealed, &id, &system, rest)?;
    Ok(())
}

/// Keeps the answers of a system to some requests, in place of those it had.
pub(super) fn keep(sealed: &Sealed, id: &str, system: &str, rows: &[u8]) -> Result<(), Fault> {
    let name = sealed.shelf.digest("system v1", system.as_bytes()).short();
    let mut text = Private::new(serde_json::json!({ "system": system }).to_string().into_bytes());
    text.expose_mut().push(b'\n');
    text.expose_mut().extend_from_slice(rows);
    sealed.put(&format!("{ANSWERS}{id}/{name}"), text.expose())
}

/// The requests that a file answers: as it says itself, or by the id of the first.
fn requests_of(
    sealed: &Sealed,
    head: Option<&Head>,
    rest: &[u8],
) -> Result<Option<(String, Vec<KeyLine>)>, Failure> {
    let named = head.and_then(|head| head.bundle.as_deref());
    let first = answers::first_id(rest);
    for id in private_requests::ids(sealed) {
        if named.is_some_and(|named| named != id) {
            continue;
        }
        let key = private_requests::key(sealed, &id)?;
        if named.is_some() || key.iter().any(|line| Some(&line.custom_id) == first.as_ref()) {
            return Ok(Some((id, key)));
        }
    }
    Ok(None)
}

/// Answers that name pairs themselves.
fn said(sealed: &Sealed, path: &Path, content: &[u8]) -> Result<(), Failure> {
    let responses = responses_of(path, content)
        .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
    let text = Private::new(lines(&responses).into_bytes());
    let name = sealed.shelf.digest("answers v1", text.expose()).short();
    Ok(sealed.put(&format!("{SAID}{name}"), text.expose())?)
}

/// Says how many answers are to claims as they were once.
pub(super) fn tell_other_words(count: usize, system: Option<&str>) {
    if count > 0 {
        let system = system.unwrap_or("the model");
        report::warn(&format!(
            "{} of `{system}` to claims that were written anew since: not asked, as far as scores go",
            plural(count as u64, "answer")
        ));
    }
}

/// Every answer that is kept with the set.
pub(super) fn kept(sealed: &Sealed, set: &Set) -> Result<Vec<Response>, Failure> {
    let refuse = |mistakes| {
        refused(sealed.shelf.root(), "the answers on the shelf cannot be read", &mistakes)
    };
    let mut responses = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, SAID) {
        let text = sealed.read(&format!("{SAID}{name}"))?;
        responses.extend(answers::read(text.expose()).map_err(refuse)?);
    }
    let mut runs: Vec<(String, Vec<Response>)> = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, ANSWERS) {
        let Some((id, _)) = name.split_once('/') else { continue };
        let text = sealed.read(&format!("{ANSWERS}{name}"))?;
        let bytes = text.expose();
        let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
        let head: serde_json::Value = serde_json::from_slice(&bytes[..end]).unwrap_or_default();
        let (key, system) = (private_requests::key(sealed, id)?, head["system"].as_str());
        let (mut run, _) = answers::of_bundle(&bytes[end..], &key, system).map_err(refuse)?;
        tell_other_words(answers::forget_other_words(&mut run, &key, set), system);
        runs.push((id.to_owned(), run));
    }
    // A system that was asked the same way twice is told apart by the requests.
    let mut times: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
    let of = |run: &[Response]| run.first().map(|one| (one.system.clone(), one.prompt.clone()));
    for (_, run) in &runs {
        if let Some(name) = of(run) {
            *times.entry(name).or_default() += 1;
        }
    }
    for (id, mut run) in runs {
        if of(&run).is_some_and(|name| times[&name] > 1) {
            for one in &mut run {
                one.system = format!("{} ({id})", one.system);
            }
        }
        responses.extend(run);
    }
    Ok(responses)
}
