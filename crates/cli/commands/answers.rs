//! `storymill answers`: count, time, verify, pack, import, explain and sweep recorded answers.

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Serialize;
use storymill::{Inventory, ModelOptions};
use storymill_core::{Fault, FaultKind, RequestKey, UnitId};
use storymill_llm::{AnswerLog, answers};
use storymill_pipeline::Lock;

use super::batches;
use crate::{
    args::{self, AnswersWhat, Format},
    exit::{DONE, Exit, Failure, INPUT, VERIFY},
    progress::Aloud,
    session::Session,
    table::{Table, plural},
};

pub(crate) fn run(args: &args::Answers, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        AnswersWhat::Stats { place } => stats(place, session),
        AnswersWhat::Calls { answers } => calls(answers, session),
        AnswersWhat::Verify { place } => verify(place, session),
        AnswersWhat::Keep { key, digest, pack, place } => keep(key, digest, pack, place, session),
        AnswersWhat::Pack { built, to, lock } => pack(built, to, lock.as_deref(), session),
        AnswersWhat::Import { from, origin, place } => import(from, origin, place, session),
        AnswersWhat::ExportBatch(args) => batches::export(args, session),
        AnswersWhat::ImportBatch(args) => batches::import(args, session),
        AnswersWhat::Explain { built, item } => explain(built, item, session),
        AnswersWhat::Gc { built, keep, yes } => gc(built, keep.as_deref(), !*yes, session),
    }
}

/// Prints a result as JSON, or in the words given.
pub(super) fn tell(
    value: &impl Serialize,
    format: Format,
    words: impl FnOnce() -> String,
) -> Result<Exit, Failure> {
    if format == Format::Json {
        return super::json(value);
    }
    writeln!(crate::screen::out(), "{}", crate::table::plain(words().trim_end()))?;
    Ok(DONE)
}

/// A log that is there: a mistyped folder is no empty log.
fn log_at(folder: &Path, session: &Session) -> Result<AnswerLog, Failure> {
    let disk = session.disk(folder)?;
    let listed = match disk.list(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(Fault::io("cannot look at the answers", folder, error).into());
        }
    };
    if listed.is_empty() && !folder.exists() {
        let fault = Fault::new(FaultKind::Input, "there are no answers here").at(folder);
        return Err(fault.hint("`--answers` names the folder of a log").into());
    }
    Ok(AnswerLog::open(folder, &[], disk)?)
}

fn stats(place: &args::LogPlace, session: &Session) -> Result<Exit, Failure> {
    let stats = answers::stats(&log_at(&place.answers, session)?)?;
    tell(&stats, place.format, || {
        let tokens = [">tokens in", ">from caches", ">tokens out"];
        let head = [&["stage", "model", ">answers", ">units"][..], &tokens].concat();
        let mut table = Table::new(&head);
        for row in &stats.uses {
            table.row([
                row.stage.clone(),
                row.model_id.clone(),
                row.answers.to_string(),
                row.units.to_string(),
                row.usage.prompt.to_string(),
                row.usage.cached.to_string(),
                row.usage.completion.to_string(),
            ]);
        }
        format!(
            "{} in {} and {}, {}; {} under a key that has another answer\n{}",
            plural(stats.answers, "answer"),
            plural(stats.packs as u64, "pack"),
            plural(stats.segments as u64, "open segment"),
            plural(stats.bytes, "byte"),
            stats.conflicts,
            if stats.uses.is_empty() { String::new() } else { table.to_string() }
        )
    })
}

fn calls(folder: &Path, session: &Session) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    for call in answers::calls(&log_at(folder, session)?)? {
        serde_json::to_writer(&mut out, &call).map_err(std::io::Error::from)?;
        writeln!(out)?;
    }
    Ok(DONE)
}

fn verify(place: &args::LogPlace, session: &Session) -> Result<Exit, Failure> {
    log_at(&place.answers, session)?;
    let found = answers::verify(&[&place.answers], &*session.disk(&place.answers)?)?;
    let sound = found.findings.is_empty();
    tell(&found, place.format, || {
        let mut text = format!(
            "checked {} in {}",
            plural(found.answers, "answer"),
            plural(found.files as u64, "file")
        );
        if found.torn_bytes > 0 {
            text += &format!(
                "; {} bytes behind the last record were left by a run that was killed",
                found.torn_bytes
            );
        }
        for finding in &found.findings {
            text += &format!("\n{}: {}", finding.path.display(), finding.what);
        }
        text
    })?;
    Ok(if sound { DONE } else { VERIFY })
}

fn keep(
    key: &str,
    digest: &str,
    packs: &[PathBuf],
    place: &args::LogPlace,
    session: &Session,
) -> Result<Exit, Failure> {
    let disk = session.disk(&place.answers)?;
    let removed = answers::keep(&place.answers, packs, &*disk, key, digest)?;
    tell(&serde_json::json!({ "removed": removed }), place.format, || {
        format!("removed {} under this key", plural(removed as u64, "other answer"))
    })
}

fn import(
    from: &[PathBuf],
    origin: &str,
    place: &args::LogPlace,
    session: &Session,
) -> Result<Exit, Failure> {
    let log = AnswerLog::open(&place.answers, &[], session.disk(&place.answers)?)?;
    let imported = answers::import(&log, from, origin)?;
    log.seal()?;
    tell(&imported, place.format, || {
        let mut text = format!(
            "{} added, {} already known, {} added under a key that has another answer",
            plural(imported.added as u64, "answer"),
            imported.same,
            imported.conflicts
        );
        for refused in &imported.refused {
            text +=
                &format!("\nnot taken: {}:{}: {}", refused.path.display(), refused.at, refused.why);
        }
        text
    })?;
    Ok(if imported.refused.is_empty() { DONE } else { INPUT })
}

/// A workflow that was built, with the keys of all answers that its parts have read.
struct Read {
    name: String,
    built: Inventory,
    keys: BTreeSet<RequestKey>,
}

/// Goes through a workflow as it was built. Where something is still to be built, the answers it
/// reads are not known, and that is a fault.
fn read(built: &args::Built, lock: Option<&Path>, session: &Session) -> Result<Read, Failure> {
    let project = session.project(&built.workflow)?.in_store(&built.store)?;
    let built = project.inventory(built.answers.as_deref(), None)?;
    if let Some(path) = lock
        && Lock::read(path)? != built.lock()?
    {
        let message = "the lock describes another build than the one in this store";
        let fault = Fault::new(FaultKind::Lock, message).at(path);
        return Err(fault.hint("build the workflow that the lock belongs to").into());
    }
    let reads = built.found.iter().flat_map(|found| &found.trace.reads);
    let keys = reads.map(|(key, _)| *key).collect();
    Ok(Read { name: project.workflow().name.clone(), built, keys })
}

fn log_of(read: &Read) -> Result<&AnswerLog, Failure> {
    read.built.log().ok_or_else(|| {
        let message = format!("the workflow `{}` has no models, so it reads no answers", read.name);
        Failure::Usage(message)
    })
}

fn pack(
    built: &args::Built,
    to: &Path,
    lock: Option<&Path>,
    session: &Session,
) -> Result<Exit, Failure> {
    let read = read(built, lock, session)?;
    let packed = answers::pack(log_of(&read)?, read.keys.iter().copied(), to)?;
    tell(&packed, built.format, || {
        let files: Vec<_> = packed.files.iter().map(|path| path.display().to_string()).collect();
        format!(
            "{} in {}, {}; they hold key and answer, nothing else",
            plural(packed.answers as u64, "answer"),
            files.join(", "),
            plural(packed.bytes, "byte")
        )
    })
}

fn gc(
    built: &args::Built,
    lock: Option<&Path>,
    dry: bool,
    session: &Session,
) -> Result<Exit, Failure> {
    let read = read(built, lock, session)?;
    let folder = log_of(&read)?.folder().to_owned();
    let keep = read.keys;
    let swept = answers::gc(&folder, &*session.disk(&folder)?, &keep, dry)?;
    tell(&swept, built.format, || {
        let done = if dry { "would be removed with `--yes`" } else { "removed" };
        format!(
            "{} kept, {} {done}; {} before, {} after",
            plural(swept.kept as u64, "answer"),
            swept.removed,
            plural(swept.bytes_before, "byte"),
            swept.bytes_after
        )
    })
}

fn explain(built: &args::Built, item: &str, session: &Session) -> Result<Exit, Failure> {
    let unit: Result<UnitId, _> = item.split('/').next().unwrap_or_default().parse();
    let unit = unit.map_err(|error| Failure::Usage(error.to_string()))?;
    let project = session.project(&built.workflow)?.in_store(&built.store)?;
    let project = project.told_to(Arc::new(Aloud));
    let frozen = ModelOptions::frozen(built.answers.as_deref());
    let Some(requests) = project.requests(&frozen)? else {
        let name = &project.workflow().name;
        return Err(Failure::Usage(format!("the workflow `{name}` has no models")));
    };
    let below = |one: &String| one == item || one.starts_with(&format!("{item}/"));
    let mut wanted = requests.all()?;
    wanted.retain(|asked| {
        asked.unit == unit && (item == unit.as_str() || asked.item.as_ref().is_some_and(below))
    });
    let (asker, log) = (requests.asker(), requests.log());
    let mut explained = Vec::new();
    for asked in &wanted {
        explained.push(answers::explain(
            log,
            asker,
            &unit,
            &asked.request,
            (asked.sample, asked.attempt),
        )?);
    }
    tell(&explained, built.format, || {
        if explained.is_empty() {
            return format!(
                "nothing is asked for `{item}`: its answers are in the log, or no stage asks about it"
            );
        }
        let mut text = String::new();
        for (asked, explained) in wanted.iter().zip(&explained) {
            let item = asked.item.as_deref().unwrap_or(unit.as_str());
            text += &format!(
                "{} asks for {item}, sample {}, attempt {}\nkey {}\n{}\n",
                asked.stage, asked.sample, asked.attempt, explained.key.0, explained.request
            );
            match explained.nearest {
                None => text += "no request of this unit has an answer\n",
                Some(nearest) => {
                    text += &format!(
                        "the nearest request that has an answer is {}, and differs in\n",
                        nearest.0
                    );
                    for difference in &explained.differences {
                        let show = |value: &Option<String>| {
                            value.as_deref().unwrap_or("nothing").to_owned()
                        };
                        text += &format!(
                            "  {}: here {}, there {}\n",
                            difference.field,
                            show(&difference.here),
                            show(&difference.there)
                        );
                    }
                }
            }
            text.push('\n');
        }
        text
    })
}
