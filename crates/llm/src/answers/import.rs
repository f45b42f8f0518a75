//! Taking answers from elsewhere into the log: packs, and lines of JSON.
//!
//! A line gives either the request (`unit`, `model_id`, `body`, `sample`, `attempt`), from which
//! its key is computed here, or the key alone. A key that does not belong to the request given
//! with it is refused. What a lock has read keeps winning, whatever is imported.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use storymill_core::{Answer, Fault, FaultKind, RequestKey, UnitId};

use crate::{
    AnswerLog, Usage,
    chat::KEPT_HEADERS,
    keys::{canonical_request, key},
    lines,
    log::{
        self, FIRST, Note, Record, Role, Ticket,
        frame::{Kind, Scan},
        record,
    },
};

/// The largest pack that is taken. We write none larger than 90 MB.
const MAX_FILE: u64 = 256 << 20;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Answers that are new.
    pub added: u64,
    /// Answers that were there already, equal.
    pub same: u64,
    /// Answers added beside a different one under the same key.
    pub conflicts: u64,
    /// What was not taken.
    pub refused: Vec<Refused>,
}

/// A record that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; of a pack, the byte.
    pub at: u64,
    /// A fragment.
    pub why: String,
}

/// A line of an import.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    key: Option<RequestKey>,
    #[serde(default)]
    unit: Option<UnitId>,
    #[serde(default)]
    model_id: Option<String>,
    #[serde(default)]
    body: Option<Map<String, Value>>,
    #[serde(default)]
    sample: u32,
    #[serde(default)]
    attempt: u32,
    #[serde(default)]
    stage: String,
    #[serde(default)]
    model: String,
    text: String,
    #[serde(default)]
    finish_reason: String,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// How it was made, in the words of whoever made it.
    #[serde(default)]
    origin: String,
}

/// Imports packs (`.pack`), lines (`.jsonl`) or folders of packs. `origin` says in the notes
/// where they are from; the file's name is added.
pub fn import(log: &AnswerLog, places: &[PathBuf], origin: &str) -> Result<Imported, Fault> {
    let mut desk = Reviews { log, imported: Imported::default(), tickets: Vec::new() };
    for place in places {
        if place.extension().is_some_and(|extension| extension == "jsonl") {
            desk.lines(place, origin)?;
            continue;
        }
        let files = log::files(&**log.disk(), place)?;
        let packs: Vec<_> =
            files.iter().filter(|path| log::role(path) == Some(Role::Pack)).collect();
        if packs.is_empty() {
            return Err(Fault::new(FaultKind::Input, "there are no answers to import").at(place));
        }
        for path in packs {
            desk.pack(path, origin)?;
        }
    }
    desk.settle()?;
    Ok(desk.imported)
}

struct Reviews<'a> {
    log: &'a AnswerLog,
    imported: Imported,
    tickets: Vec<Ticket>,
}

impl Reviews<'_> {
    fn settle(&mut self) -> Result<(), Fault> {
        self.tickets.drain(..).try_for_each(Ticket::wait)?;
        self.log.check()
    }

    fn take(&mut self, key: RequestKey, answer: Answer, note: Note) -> Result<(), Fault> {
        // What was taken just now must be seen by the comparison.
        if self.tickets.len() >= 256 {
            self.settle()?;
        }
        let digest = answer.digest();
        let known = self.log.digests(&key);
        if known.contains(&log::short(&digest)) {
            self.imported.same += 1;
            return Ok(());
        }
        if known.is_empty() {
            self.imported.added += 1;
        } else {
            self.imported.conflicts += 1;
        }
        self.tickets.push(self.log.append(Record { key, answer, note: Some(note) })?);
        Ok(())
    }

    fn refuse(&mut self, path: &Path, at: u64, why: impl Into<String>) {
        self.imported.refused.push(Refused { path: path.to_owned(), at, why: why.into() });
    }

    fn pack(&mut self, path: &Path, origin: &str) -> Result<(), Fault> {
        let read = |error| Fault::io("cannot read a pack of answers", path, error).input();
        if self.log.disk().len(path).map_err(read)?.unwrap_or(0) > MAX_FILE {
            self.refuse(path, 0, "it is larger than any pack we write");
            return Ok(());
        }
        let bytes = self.log.disk().read(path).map_err(read)?;
        if bytes.get(..FIRST) != Some(&log::PACK[..]) {
            self.refuse(path, 0, "it does not begin as a pack does");
            return Ok(());
        }
        let end = log::pack::frames_end(&bytes).unwrap_or(bytes.len());
        let origin = origin_of(origin, path);
        let mut scan = Scan::new(&bytes[..end], FIRST);
        for frame in scan.by_ref() {
            let is_answer = frame.kind == Kind::Answer;
            match is_answer.then(|| record::answer_sent(&frame)).flatten() {
                Some((answer, changes)) => {
                    let (origin, written) = (origin.clone(), record::written(&frame));
                    let note = Note { origin, changes, written, ..Note::default() };
                    self.take(RequestKey(frame.key().into()), answer, note)?;
                }
                None => self.refuse(path, frame.start as u64, "it is not what its digest says"),
            }
        }
        if scan.damaged + scan.torn > 0 {
            self.refuse(path, 0, format!("{} bytes are damaged", scan.damaged + scan.torn));
        }
        Ok(())
    }

    fn lines(&mut self, path: &Path, origin: &str) -> Result<(), Fault> {
        let origin = origin_of(origin, path);
        lines::each(path, "cannot read answers to import", &mut |number, line| {
            match line.map_err(str::to_owned).and_then(|line| understand(line, &origin)) {
                Ok((key, answer, note)) => self.take(key, answer, note)?,
                Err(why) => self.refuse(path, number, why),
            }
            Ok(())
        })
    }
}

fn origin_of(origin: &str, path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if origin.is_empty() { name.into_owned() } else { format!("{origin}: {name}") }
}

fn understand(line: &[u8], origin: &str) -> Result<(RequestKey, Answer, Note), String> {
    let mut line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let answer = Answer { text: line.text, finish_reason: line.finish_reason };
    if answer.text.len() > crate::MAX_RESPONSE {
        return Err("the answer is longer than 8 MB".to_owned());
    }
    let mut note = Note {
        sample: line.sample,
        attempt: line.attempt,
        stage: line.stage,
        model: line.model,
        usage: line.usage,
        origin: if line.origin.is_empty() {
            origin.to_owned()
        } else {
            format!("{origin}: {}", line.origin)
        },
        ..Note::default()
    };
    let lower = line.headers.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    note.headers = lower.filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str())).collect();
    let computed = match (&line.unit, &line.model_id, &line.body) {
        (Some(unit), Some(model_id), Some(body)) => {
            note.unit = unit.to_string();
            note.model_id.clone_from(model_id);
            note.request = canonical_request(body);
            Some(key(unit, model_id, &note.request, line.sample, line.attempt))
        }
        (None, None, None) => None,
        _ => return Err("a request needs `unit`, `model_id` and `body`".to_owned()),
    };
    let key = match (line.key.take(), computed) {
        (Some(given), Some(computed)) if given != computed => {
            return Err(format!("its key is not that of its request, {}", computed.0.short()));
        }
        (_, Some(key)) | (Some(key), None) => key,
        (None, None) => return Err("it has neither a key nor a request".to_owned()),
    };
    Ok((key, answer, note))
}
