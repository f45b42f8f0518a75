//! Answers to the claims of a private set: taken in, kept in the shelf, read for scores.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::{Value, json};
use storymill_claims::{
    answers::{self, Head, Run},
    exposure,
    import::Set,
    read::Response,
    request::KeyLine,
    set::lines,
    standing::{Aside, Standing, Stands},
};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Private, sets::Sets};

use super::{
    batch_files, kept_words, private_requests, refused, score::responses_of, set_store::Sealed,
    unsealed, warn,
};
use crate::{args::claims::ClaimsScore, exit::Failure, report, table::plural};

/// Answers to requests of the set, by the requests' id; then one file for each system.
const ANSWERS: &str = "answers/";
/// Answers that name pairs themselves.
const SAID: &str = "said/";
/// So many pairs are named in a message.
const NAMED: usize = 10;

/// What a file has brought, to be told once all files are read: what one lacks another may have.
pub(super) struct Brought<'p> {
    path: &'p Path,
    run: Run,
    /// The requests, by their id and the system that was asked.
    of: (String, Option<String>),
    key: Vec<KeyLine>,
    /// All answers to them, from this file and those before it.
    answered: BTreeMap<String, String>,
}

/// Tells what files have brought; what is still open is told with the last file that is about the same requests.
pub(super) fn tell(files: &[Brought<'_>]) {
    for (at, file) in files.iter().enumerate() {
        let is_last = files[at + 1..].iter().all(|later| later.of != file.of);
        tell_run(file, is_last);
    }
}

/// Takes a file of answers in: sealed or in clear, to requests of the set or by pairs. What is to be told of it, if it
/// is about requests.
pub(super) fn take<'p>(
    sealed: &Sealed,
    stands: &Stands<'_>,
    path: &'p Path,
    args: &ClaimsScore,
) -> Result<Option<Brought<'p>>, Failure> {
    let content = unsealed(path, &args.at.on)?;
    let (head, rest) = answers::head(content.expose());
    let ids = answers::ids(rest);
    let Some((id, key)) = requests_of(sealed, head.as_ref(), &ids)? else {
        if head.is_some() || !ids.is_empty() {
            let message = "the answers are to requests that this set has not made";
            return Err(Fault::new(FaultKind::Input, message)
                .at(path)
                .hint("`storymill claims requests SET --shelf DIR --list` shows those that it has")
                .into());
        }
        return said(sealed, stands, path, content.expose()).map(|()| None);
    };
    let system = args.system.clone().or_else(|| head.as_ref().map(|head| head.system.clone()));
    let system = system.or_else(|| key.first().map(|line| line.model.clone())).unwrap_or_default();
    let run =
        answers::of_bundle(rest, &key, Some(&system), &|line| batch_files::result(line, true))
            .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
    if let Some(head) = &head {
        private_requests::expose(
            sealed,
            &exposure::of_key(&key, &head.provider, &head.system, &head.date),
        )?;
        sealed.shelf.note_endpoints(head.endpoint.as_slice())?;
    }
    // Results come in several files: what another one has answered stays.
    let mut all = rows(sealed, &id, &system)?;
    all.extend(run.answers.clone());
    keep(sealed, &id, &system, written(&all).expose())?;
    Ok(Some(Brought { path, run, of: (id, Some(system)), key, answered: all }))
}

/// Says what became of the requests that a file is about, and, of the last one, which have no answer yet.
fn tell_run(file: &Brought<'_>, is_last: bool) {
    let Brought { path, run, key, answered, .. } = file;
    warn(path, &run.warnings);
    let mut said = vec![plural(run.answers.len() as u64, "answer")];
    said.extend(run.without.iter().map(|(kind, count)| format!("{count} {kind}")));
    if run.twice > 0 {
        said.push(format!("{} given twice", run.twice));
    }
    let open: Vec<&KeyLine> = key
        .iter()
        .filter(|line| is_last && line.skipped.is_none() && !answered.contains_key(&line.custom_id))
        .collect();
    if open.is_empty() && said.len() == 1 {
        return;
    }
    let pairs: BTreeSet<&str> = open.iter().map(|line| line.pair.as_str()).collect();
    if !open.is_empty() {
        let requests = plural(open.len() as u64, "request");
        said.push(format!("{requests} without an answer count as not asked{}", named(&pairs)));
    }
    report::warn(&format!("{}: {}", path.display(), said.join(", ")));
}

/// Pairs in brackets, some of them if they are many.
pub(super) fn named<T: AsRef<str>>(pairs: &BTreeSet<T>) -> String {
    let first: Vec<&str> = pairs.iter().take(NAMED).map(AsRef::as_ref).collect();
    let more = if pairs.len() > NAMED { ", and more" } else { "" };
    format!(" ({}{more})", first.join(", "))
}

/// Answers of a file for a public set, and what is to be told of it beside the files before it.
pub(super) fn of_key<'p>(
    path: &'p Path,
    bytes: &[u8],
    key: &[KeyLine],
    system: Option<&str>,
    before: &[Brought<'_>],
) -> Result<(Vec<Response>, Brought<'p>), Failure> {
    let mut run = answers::of_bundle(bytes, key, system, &|line| batch_files::result(line, false))
        .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
    let of = (String::new(), system.map(str::to_owned));
    let earlier = before.iter().rfind(|file| file.of == of);
    let mut answered = earlier.map_or_else(BTreeMap::new, |file| file.answered.clone());
    answered.extend(run.answers.clone());
    let responses = std::mem::take(&mut run.responses);
    Ok((responses, Brought { path, run, of, key: key.to_vec(), answered }))
}

/// Keeps the answers of a system to some requests, in place of those it had.
pub(super) fn keep(sealed: &Sealed, id: &str, system: &str, rows: &[u8]) -> Result<(), Fault> {
    let mut text = Private::new(json!({ "system": system }).to_string().into_bytes());
    text.expose_mut().push(b'\n');
    text.expose_mut().extend_from_slice(rows);
    sealed.put(&place(sealed, id, system), text.expose())
}

fn place(sealed: &Sealed, id: &str, system: &str) -> String {
    let name = sealed.shelf.digest("system v1", system.as_bytes()).short();
    format!("{ANSWERS}{id}/{name}")
}

/// The answers that a system has given to some requests so far, by the requests' ids.
fn rows(sealed: &Sealed, id: &str, system: &str) -> Result<BTreeMap<String, String>, Failure> {
    let kept = sealed.read(&place(sealed, id, system))?;
    if kept.expose().is_empty() {
        return Ok(BTreeMap::new());
    }
    Ok(run_of(sealed, kept.expose(), &private_requests::key(sealed, id)?)?.0.answers)
}

/// Answers as they are kept, and whose they are.
fn run_of(sealed: &Sealed, kept: &[u8], key: &[KeyLine]) -> Result<(Run, String), Failure> {
    let end = kept.iter().position(|byte| *byte == b'\n').map_or(kept.len(), |at| at + 1);
    let head: Value = serde_json::from_slice(&kept[..end]).unwrap_or_default();
    let system = head["system"].as_str();
    let run =
        answers::of_bundle(&kept[end..], key, system, &|line| batch_files::result(line, true));
    let run = run.map_err(|mistakes| {
        refused(sealed.shelf.root(), "the answers on the shelf cannot be read", &mistakes)
    })?;
    Ok((run, system.unwrap_or("the model").to_owned()))
}

fn written(answers: &BTreeMap<String, String>) -> Private<Vec<u8>> {
    let mut text = Private::new(Vec::new());
    for (id, answer) in answers {
        let row = Private::new(json!({ "custom_id": id, "answer": answer }).to_string() + "\n");
        text.expose_mut().extend_from_slice(row.expose().as_bytes());
    }
    text
}

/// The requests that a file answers: as it says itself, or by the ids of its lines.
fn requests_of(
    sealed: &Sealed,
    head: Option<&Head>,
    answered: &BTreeSet<String>,
) -> Result<Option<(String, Vec<KeyLine>)>, Failure> {
    let named = head.and_then(|head| head.bundle.as_deref());
    for id in private_requests::ids(sealed) {
        if named.is_some_and(|named| named != id) {
            continue;
        }
        let key = private_requests::key(sealed, &id)?;
        if named.is_some() || key.iter().any(|line| answered.contains(&line.custom_id)) {
            return Ok(Some((id, key)));
        }
    }
    Ok(None)
}

/// Answers that name pairs themselves.
fn said(sealed: &Sealed, stands: &Stands<'_>, path: &Path, content: &[u8]) -> Result<(), Failure> {
    let responses = responses_of(path, content)
        .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
    let text = Private::new(lines(&responses).into_bytes());
    let name = sealed.shelf.digest("answers v1", text.expose()).short();
    let claims = responses.iter().map(|one| (one.pair.as_str(), one.claim));
    let words = kept_words::noted(claims, stands, &kept_words::removed_from(sealed)?);
    Ok(kept_words::keep(sealed, &format!("{SAID}{name}"), text.expose(), &words, &[])?)
}

/// Says how many answers are to claims as they were once.
pub(super) fn tell_other_words(counts: &BTreeMap<String, usize>, system: Option<&str>) {
    let (count, pairs) = (counts.values().sum::<usize>(), counts.keys().map(String::as_str));
    if count > 0 {
        let system = system.unwrap_or("the model");
        report::warn(&format!(
            "{} of `{system}` to claims that were written anew since: kept, and not asked as far as scores go{}",
            plural(count as u64, "answer"),
            named(&pairs.collect())
        ));
    }
}

/// The answers that are kept with the set. Those that do not count by now are in it as claims that were not asked, or
/// on pairs that are not scored.
pub(super) struct Kept {
    pub(super) responses: Vec<Response>,
    /// Those that do not count because their pair is gone or retired.
    pub(super) aside: Aside,
    /// To claims that have other words by now: by system, how many of each pair.
    pub(super) reworded: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Kept {
    /// Says which answers do not count.
    pub(super) fn tell(&self) {
        self.aside.told("answer").iter().for_each(|line| report::warn(line));
        self.reworded.iter().for_each(|(system, counts)| tell_other_words(counts, Some(system)));
    }

    /// How many answers on a pair count, and how many do not.
    pub(super) fn on(&self, pair: &str) -> (usize, usize) {
        let told = |one: &&Response| one.pair == pair && one.answer.is_some();
        let all = self.responses.iter().filter(told).count();
        let other: usize = self.reworded.values().filter_map(|counts| counts.get(pair)).sum();
        let aside = self.aside.on(pair);
        (all - aside, aside + other)
    }
}

/// Every answer that is kept with the set.
pub(super) fn kept(sealed: &Sealed, set: &Set, stands: &Stands<'_>) -> Result<Kept, Failure> {
    let refuse = |mistakes| {
        refused(sealed.shelf.root(), "the answers on the shelf cannot be read", &mistakes)
    };
    let mut reworded: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut responses = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, SAID) {
        let name = format!("{SAID}{name}");
        let words = kept_words::known(sealed, &name)?;
        let mut said = answers::read(sealed.read(&name)?.expose()).map_err(refuse)?;
        for one in &mut said {
            let words = words.get(&(one.pair.clone(), one.claim)).copied();
            if stands.of(&one.pair, one.claim, words) == Standing::Reworded
                && one.answer.take().is_some()
            {
                let counts = reworded.entry(one.system.clone()).or_default();
                *counts.entry(one.pair.clone()).or_default() += 1;
            }
        }
        responses.extend(said);
    }
    let mut runs: Vec<(String, Vec<Response>)> = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, ANSWERS) {
        let Some((id, _)) = name.split_once('/') else { continue };
        let text = sealed.read(&format!("{ANSWERS}{name}"))?;
        let key = private_requests::key(sealed, id)?;
        let (run, system) = run_of(sealed, text.expose(), &key)?;
        let mut run = run.responses;
        for (pair, count) in answers::forget_other_words(&mut run, &key, set) {
            *reworded.entry(system.clone()).or_default().entry(pair).or_default() += count;
        }
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
    let mut aside = Aside::default();
    for one in responses.iter().filter(|one| one.answer.is_some()) {
        aside.add(stands.of(&one.pair, one.claim, None), &one.pair);
    }
    Ok(Kept { responses, aside, reworded })
}
