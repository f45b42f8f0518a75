//! Readers: programs that read a text piece by piece and are asked on the way, by the lines of [`storymill_core::reader`].
//!
//! A reader is one more model that answers on this machine. Its request is all that is said to it of one text, its answer
//! all that it replied; so both are in the log like any others, and what was read to its end is never read again. A program
//! that is done with a text gets the next one, behind a reset.

mod process;
mod words;

use std::{
    collections::BTreeMap,
    sync::{Mutex, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::Value;
use storymill_core::{
    Fault, FaultKind, one_plain_line,
    reader::{Answered, Line, READER, Replies, Script, Who},
};

use crate::{Heard, Local, asker::lock, wave::stopped};
use process::{Process, Wrong, beginning};

/// Which readers may be started, and how.
#[derive(Clone, Debug)]
pub struct Readers {
    /// Their commands. What a workflow says alone starts no program.
    pub commands: Vec<String>,
    /// How long a reply may take.
    pub limit: Duration,
    /// How many texts are read at once.
    pub at_once: usize,
}

impl Default for Readers {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { commands: Vec::new(), limit: Duration::from_mins(10), at_once: cores.min(4) }
    }
}

/// The model by whose name stages ask readers.
#[derive(Debug)]
pub struct Reader {
    readers: Readers,
    /// Whether what would be read is private.
    private: bool,
    /// Programs that are done with a text, by their commands.
    idle: Mutex<Vec<(String, Process)>>,
}

/// What the note of an answer calls the reader.
pub const NOTED: &str = "reader";

/// What stands before the id of a question where a note says how many milliseconds its answer took.
const MILLIS: &str = "millis ";

/// The question whose milliseconds stand in a note under a name.
pub fn noted_question(name: &str) -> Option<&str> {
    name.strip_prefix(MILLIS)
}

/// Starts a reader and asks what it calls itself.
///
/// # Errors
///
/// It cannot be started, or gives no reply.
pub fn introduced(command: &str, limit: Duration) -> Result<Who, Fault> {
    begin(&mut Process::start(command)?, command, &Line::reset(""), limit, &AtomicBool::new(false))
        .map_err(|wrong| cannot_begin(command, wrong))
}

fn cannot_begin(command: &str, wrong: Wrong) -> Fault {
    let why = match wrong {
        Wrong::Stopped => return stopped(),
        Wrong::Bad(why) => why,
    };
    let message = format!("the reader `{command}` cannot begin: {why}");
    Fault::new(FaultKind::Model, message)
        .hint("docs/readers.md says which lines a reader gets, and what it has to reply")
}

/// What a reader says of itself in reply to a reset.
#[derive(Deserialize)]
struct Introduction {
    name: Option<String>,
    version: Option<String>,
}

/// Says the first line.
fn begin(
    process: &mut Process,
    command: &str,
    reset: &Line,
    limit: Duration,
    stop: &AtomicBool,
) -> Result<Who, Wrong> {
    let reply = process.exchange(reset, limit, stop)?;
    let said = Introduction::deserialize(reply);
    let said =
        said.map_err(|error| Wrong::Bad(format!("its reply to {}: {error}", reset.name())))?;
    let plain = |text: Option<String>| one_plain_line(&text.unwrap_or_default()).trim().to_owned();
    let (name, version) = (plain(said.name), plain(said.version));
    Ok(Who { command: command.to_owned(), name, version })
}

impl Reader {
    /// Whoever may start these, where what they would read is private or not.
    pub fn new(readers: Readers, private: bool) -> Self {
        Self { readers, private, idle: Mutex::default() }
    }

    fn refuse(&self, command: &str) -> Result<(), Fault> {
        let refuse = |message: &str, hint: &str| {
            let message = format!("the reader `{command}` is not started: {message}");
            Err(Fault::new(FaultKind::Input, message).hint(hint))
        };
        if self.private {
            let message =
                "what it would read is private, and nobody knows where a program sends it";
            return refuse(message, "ask a model, or evaluate a public dataset");
        }
        if !self.readers.commands.iter().any(|known| known == command) {
            let message = "its answers are not in the log, and a workflow alone starts no program";
            return refuse(message, "`storymill evaluate … --reader COMMAND` does");
        }
        Ok(())
    }

    fn idle_one(&self, command: &str) -> Option<Process> {
        let mut idle = lock(&self.idle);
        let at = idle.iter().position(|(own, _)| own == command)?;
        Some(idle.swap_remove(at).1)
    }

    /// A program that has heard the first line of a script: one that is done with another text, or a new one.
    fn reset(&self, script: &Script, stop: &AtomicBool) -> Result<Process, Fault> {
        let command = &script.reader.command;
        let Some(reset @ Line::Reset { .. }) = script.lines.first() else {
            return Err(Fault::new(FaultKind::Internal, "a reader's lines begin with no reset"));
        };
        let begin =
            |process: &mut Process| begin(process, command, reset, self.readers.limit, stop);
        let idle = self.idle_one(command);
        let known = idle.map(|mut process| begin(&mut process).map(|who| (process, who)));
        let (process, who) = match known {
            Some(Ok(begun)) => begun,
            Some(Err(Wrong::Stopped)) => return Err(stopped()),
            // One that has ended meanwhile was made for one text.
            Some(Err(Wrong::Bad(_))) | None => {
                let mut process = Process::start(command)?;
                let who = begin(&mut process).map_err(|wrong| cannot_begin(command, wrong))?;
                (process, who)
            }
        };
        if who != script.reader {
            let called =
                |who: &Who| format!("`{}`", format!("{} {}", who.name, who.version).trim());
            let (is, was) = (called(&who), called(&script.reader));
            let message = format!("the reader `{command}` says that it is {is}, and was {was}");
            return Err(Fault::new(FaultKind::Input, message)
                .hint("it must say the same each time it starts; if you changed it, run the command again"));
        }
        Ok(process)
    }

    /// Says all lines behind the first.
    fn read(
        &self,
        process: &mut Process,
        script: &Script,
        stop: &AtomicBool,
    ) -> Result<(Replies, BTreeMap<String, String>), Fault> {
        let (mut replies, mut noted) = (Replies::default(), BTreeMap::new());
        for line in &script.lines[1..] {
            let begun = Instant::now();
            let reply = process.exchange(line, self.readers.limit, stop);
            match reply.and_then(|reply| answered(line, reply).map_err(Wrong::Bad)) {
                Ok(None) => {}
                Ok(Some((answer, millis))) => {
                    let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                    if let Some(question) = script.asked.get(replies.answers.len()) {
                        let name = format!("{MILLIS}{question}");
                        noted.insert(name, millis.unwrap_or(took).to_string());
                    }
                    replies.answers.push(answer);
                }
                Err(Wrong::Stopped) => return Err(stopped()),
                Err(Wrong::Bad(why)) => {
                    replies.failed = Some(why);
                    break;
                }
            }
        }
        Ok((replies, noted))
    }
}

impl Local for Reader {
    // Which reader it is stands in every request.
    fn id(&self) -> &'static str {
        READER
    }

    fn ready(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn answer(&self, raw: &Value, stop: &AtomicBool) -> Result<Heard, Fault> {
        let script = Script::of(raw)?;
        self.refuse(&script.reader.command)?;
        let mut process = self.reset(&script, stop)?;
        let (replies, mut noted) = self.read(&mut process, &script, stop)?;
        // Nobody knows in which state one is that failed: it ends here.
        if replies.failed.is_none() {
            let mut idle = lock(&self.idle);
            idle.push((script.reader.command.clone(), process));
            // No more of them wait than may read: those of other readers end.
            let ends = (idle.len() > self.readers.at_once).then(|| idle.remove(0));
            drop(idle);
            drop(ends);
        }
        let json = |error| Fault::new(FaultKind::Internal, "replies are no JSON").because(error);
        noted.insert(NOTED.to_owned(), serde_json::to_string(&script.reader).map_err(json)?);
        Ok(Heard { text: serde_json::to_string(&replies).map_err(json)?, noted })
    }

    fn at_once(&self) -> Option<usize> {
        Some(self.readers.at_once.max(1))
    }
}

/// What a reply says: nothing to a piece of text; to a question an answer, and the milliseconds that it took if the reader counted.
fn answered(line: &Line, reply: Value) -> Result<Option<(Answered, Option<u64>)>, String> {
    let is_answer = reply.get("answer").is_some();
    let id = match line {
        Line::Ask { id, .. } if is_answer => id,
        Line::Ask { .. } => {
            let (said, why) = (reply.to_string(), "has no `answer` (is the program out of step?)");
            let said = beginning(said.as_bytes());
            return Err(format!("the reply to {} {why}: `{said}`", line.name()));
        }
        Line::Reset { .. } | Line::Read { .. } if is_answer => {
            let why = "has an `answer`: the program is out of step";
            return Err(format!("the reply to {} {why}", line.name()));
        }
        Line::Reset { .. } | Line::Read { .. } => return Ok(None),
    };
    if let Some(other) = reply.get("id").filter(|other| **other != *id) {
        let why = format!("is to {other}: the program is out of step");
        return Err(format!("the reply to {} {why}", line.name()));
    }
    let seconds = reply.get("seconds").and_then(Value::as_f64);
    let taken = seconds.and_then(|taken| Duration::try_from_secs_f64(taken).ok());
    let millis = taken.map(|taken| u64::try_from(taken.as_millis()).unwrap_or(u64::MAX));
    let answer = Answered::deserialize(reply)
        .map_err(|error| format!("the reply to {}: {error}", line.name()))?;
    if answer.answer.is_array() || answer.answer.is_object() {
        let why = "is neither a text nor the number of an option";
        return Err(format!("the `answer` to {} {why}", line.name()));
    }
    Ok(Some((answer, millis)))
}
