//! Results of batches into the log: each answer once, under the key by which it was asked for.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer};
use serde_json::json;
use storymill_core::{Asked, Fault, FaultKind, RequestKey};

use super::{
    Exported, MANIFEST, Outstanding,
    read::{self, Verdict},
};
use crate::{
    AnswerLog, Cost, ModelAsker, Usage,
    answers::Refused,
    lines,
    log::{Note, Record, Ticket},
    wire::{Reply, mend},
};

/// What an import did. Each request is counted once, however many results speak of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Answers that are new in the log.
    pub added: u64,
    /// Results of requests whose answer was in the log already; it stays.
    pub there: u64,
    /// Further results of a request that an earlier line answered; they are left out.
    pub duplicates: u64,
    /// Answers among them that held what is not text; they are kept with U+FFFD in its place.
    pub mended: u64,
    /// Requests whose time was over before their turn came.
    pub expired: u64,
    /// Requests of a batch that was stopped.
    pub canceled: u64,
    /// Requests that failed, and may not the next time.
    pub failed: u64,
    /// Requests that are refused for good: as often as they are sent.
    pub refused: u64,
    /// Why requests failed or were refused, each reason with how often.
    pub reasons: BTreeMap<String, u64>,
    /// Lines that were not taken.
    pub untaken: Vec<Refused>,
    /// What the new answers cost, by stage and model.
    #[serde(serialize_with = "listed")]
    pub spent: BTreeMap<(String, String), Cost>,
}

impl Imported {
    /// Requests that have no answer yet and may get one from another batch.
    pub fn come_again(&self) -> u64 {
        self.expired + self.canceled + self.failed
    }
}

fn listed<S: Serializer>(
    spent: &BTreeMap<(String, String), Cost>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(spent.iter().map(|((stage, model), cost)| {
        json!({
            "stage": stage, "model": model, "answers": cost.answers, "usage": cost.usage,
            "estimated": cost.estimated, "micro_usd": cost.known_usd(),
        })
    }))
}

/// Opens a result file: as it is, or one that is sealed.
pub type Open<'o> = &'o dyn Fn(&Path) -> Result<Box<dyn Read>, Fault>;

/// Reads result files, or folders of them, for the requests of a wave. The files that a folder's
/// manifest names are requests, and are passed over.
///
/// # Errors
///
/// A file cannot be read, or the log cannot be written.
pub fn import(
    asker: &ModelAsker,
    wave: &[Asked],
    places: &[PathBuf],
    out: &mut Outstanding,
    open: Open<'_>,
) -> Result<Imported, Fault> {
    let mut desk = Reviews {
        asker,
        log: asker.log(),
        wave: wave.iter().map(|asked| (asked.key, asked)).collect(),
        out,
        imported: Imported::default(),
        answered: BTreeSet::new(),
        without: BTreeMap::new(),
        tickets: Vec::new(),
    };
    for path in files(asker.log(), places)? {
        let file = open(&path)?;
        lines::each_of(file, &path, "cannot read results of a batch", &mut |number, line| {
            match line {
                Ok(line) => desk.row(&path, number, line)?,
                Err(why) => desk.untaken(&path, number, why),
            }
            Ok(())
        })?;
    }
    desk.done()
}

/// The result files of some places.
fn files(log: &AnswerLog, places: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for place in places {
        if !place.is_dir() {
            files.push(place.clone());
            continue;
        }
        let unreadable =
            |error| Fault::io("cannot read the folder of results", place, error).input();
        let names = log.disk().list(place).map_err(unreadable)?;
        let requests: BTreeSet<String> = if names.iter().any(|name| name == MANIFEST) {
            let path = place.join(MANIFEST);
            let bytes = log.disk().read(&path).map_err(unreadable)?;
            let exported: Exported = serde_json::from_slice(&bytes).map_err(|error| {
                Fault::new(FaultKind::Input, "the batch's manifest cannot be read")
                    .at(&path)
                    .because(error)
                    .hint("name the result files themselves")
            })?;
            exported.files.into_iter().map(|file| file.file).collect()
        } else {
            BTreeSet::new()
        };
        let before = files.len();
        let results = names.into_iter().filter(|name| {
            let plain = name.strip_suffix(".age").unwrap_or(name);
            Path::new(plain).extension().is_some_and(|end| end == "jsonl")
                && !requests.contains(plain)
        });
        files.extend(results.map(|name| place.join(name)));
        if files.len() == before {
            let fault =
                Fault::new(FaultKind::Input, "there are no results in the folder").at(place);
            return Err(fault.hint("results are `.jsonl` files: of a batch of OpenAI's form, its output file and its error file"));
        }
    }
    Ok(files)
}

struct Reviews<'a> {
    asker: &'a ModelAsker,
    log: &'a AnswerLog,
    wave: BTreeMap<RequestKey, &'a Asked>,
    out: &'a mut Outstanding,
    imported: Imported,
    /// Requests that this import answered.
    answered: BTreeSet<RequestKey>,
    /// Requests that a result leaves without an answer.
    without: BTreeMap<RequestKey, Verdict>,
    tickets: Vec<Ticket>,
}

impl Reviews<'_> {
    fn untaken(&mut self, path: &Path, at: u64, why: impl Into<String>) {
        self.imported.untaken.push(Refused { path: path.to_owned(), at, why: why.into() });
    }

    fn row(&mut self, path: &Path, number: u64, line: &[u8]) -> Result<(), Fault> {
        let (key, outcome) = match read::row(line, self.asker.wires()) {
            Ok(row) => row,
            Err(why) => {
                self.untaken(path, number, why);
                return Ok(());
            }
        };
        if self.answered.contains(&key) {
            self.imported.duplicates += 1;
            return Ok(());
        }
        if self.log.has(&key) {
            self.imported.there += 1;
            self.out.remove(&key);
            return Ok(());
        }
        let Some(asked) = self.wave.get(&key).copied() else {
            let was_ours = self.out.batch_of(&key).is_some();
            self.out.remove(&key);
            let why = if was_ours {
                "the workflow asks something else since this request was written"
            } else {
                "the workflow does not ask this"
            };
            self.untaken(path, number, format!("{why}: {}", key.0.short()));
            return Ok(());
        };
        let config = self.asker.config(&asked.request.model)?;
        match read::judge(outcome, config.too_long) {
            Verdict::Store(reply) => {
                self.imported.mended += u64::from(mend::mended(line).is_some());
                self.store(asked, reply, path)?;
            }
            verdict => {
                // What was read first counts, but an answer counts more than any failure.
                self.without.entry(key).or_insert(verdict);
            }
        }
        Ok(())
    }

    fn store(&mut self, asked: &Asked, reply: Reply, path: &Path) -> Result<(), Fault> {
        if self.tickets.len() >= 256 {
            self.settle()?;
        }
        let Reply { answer, usage } = reply;
        let name = &asked.request.model;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let request = self.asker.canonical(&asked.request, asked.sample, asked.attempt)?;
        let about = || Usage::about(asked.request.symbols(), answer.symbols());
        let took = Cost::of(1, usage.unwrap_or_else(about), self.asker.price(name));
        let spent = self.imported.spent.entry((asked.stage.to_owned(), name.clone())).or_default();
        *spent += Cost { estimated: u64::from(usage.is_none()), ..took };
        let note = Note {
            unit: asked.unit.to_string(),
            item: asked.item.clone().unwrap_or_default(),
            stage: asked.stage.to_owned(),
            model: name.clone(),
            model_id: self.asker.model_id(name)?,
            sample: asked.sample,
            attempt: asked.attempt,
            request,
            usage,
            origin: format!("batch: {file}"),
            ..Note::default()
        };
        self.tickets.push(self.log.append(Record { key: asked.key, answer, note: Some(note) })?);
        self.answered.insert(asked.key);
        self.imported.added += 1;
        Ok(())
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.tickets.drain(..).try_for_each(Ticket::wait)?;
        self.log.check()
    }

    fn done(mut self) -> Result<Imported, Fault> {
        self.settle()?;
        for key in &self.answered {
            self.out.remove(key);
            self.without.remove(key);
        }
        let imported = &mut self.imported;
        for (key, verdict) in self.without {
            self.out.remove(&key);
            let reason = match verdict {
                Verdict::Store(_) => continue,
                Verdict::Expired => {
                    imported.expired += 1;
                    continue;
                }
                Verdict::Canceled => {
                    imported.canceled += 1;
                    continue;
                }
                Verdict::Passing(why) => {
                    imported.failed += 1;
                    why
                }
                Verdict::Refused(why) => {
                    imported.refused += 1;
                    why
                }
            };
            *imported.reasons.entry(reason).or_default() += 1;
        }
        Ok(self.imported)
    }
}
