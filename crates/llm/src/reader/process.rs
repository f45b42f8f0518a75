//! The program of a reader: a line in, a line out, within a time; what it says when it breaks off; and its end, with all that
//! it started.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use storymill_core::{Fault, FaultKind, one_plain_line, reader::Line};

use super::words::words;
use crate::asker::lock;

/// The longest reply, in bytes.
const MOST: u64 = 1 << 20;
/// How much of the end of its standard error is kept, in bytes.
const TAIL: usize = 2_048;
/// How much of that, and of a reply that is none, is shown, in symbols.
const SHOWN: usize = 300;
/// How often we look whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program may take to end after its input has ended.
const GRACE: Duration = Duration::from_secs(2);

/// Why a reply is none.
#[derive(Debug)]
pub(super) enum Wrong {
    /// The user asked to stop.
    Stopped,
    /// What the program did instead, as a fragment.
    Bad(String),
}

/// A program that runs. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// To the thread that writes: the program need not read at once.
    to: Option<Sender<String>>,
    from: Receiver<Vec<u8>>,
    complaints: Arc<Mutex<Vec<u8>>>,
    /// Whether it did all that it was asked to, so that it may end by itself.
    is_well: bool,
}

impl Process {
    pub(super) fn start(command: &str) -> Result<Self, Fault> {
        let refuse = |why: String| {
            Fault::new(FaultKind::Input, format!("cannot start the reader `{command}`: {why}"))
        };
        let words = words(command).map_err(refuse)?;
        let [program, arguments @ ..] = &words[..] else {
            return Err(refuse("there is no command".to_owned()));
        };
        let mut start = Command::new(program);
        start.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C goes to us, and we end it with all that it started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => refuse(format!("there is no program `{program}`"))
                .hint("no shell reads the command; paths count from the folder that you are in"),
            _ => refuse(error.to_string()),
        })?;
        let (to, lines) = channel::<String>();
        let (replies, from) = sync_channel(16);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                let mut write = |line: String| {
                    input.write_all(line.as_bytes())?;
                    input.flush()
                };
                // That nobody reads is noticed where no reply comes.
                while lines.recv().is_ok_and(|line| write(line).is_ok()) {}
            });
        }
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || hear(output, &replies));
        }
        if let Some(errors) = child.stderr.take() {
            let kept = Arc::clone(&complaints);
            thread::spawn(move || keep_tail(errors, &kept));
        }
        Ok(Self { child, to: Some(to), from, complaints, is_well: false })
    }

    /// Says a line, and waits for the one that is the reply.
    pub(super) fn exchange(
        &mut self,
        line: &Line,
        limit: Duration,
        stop: &AtomicBool,
    ) -> Result<Value, Wrong> {
        self.is_well = false;
        if let Ok(reply) = self.from.try_recv() {
            let said = beginning(&reply);
            let wrong = format!("a line too many before {}: `{said}`", line.name());
            return Err(Wrong::Bad(format!("the program is out of step: it wrote {wrong}")));
        }
        let text = serde_json::to_string(line).map_err(|error| Wrong::Bad(error.to_string()))?;
        if let Some(to) = &self.to {
            // If nobody takes it, no reply comes.
            let _ = to.send(text + "\n");
        }
        let begun = Instant::now();
        let reply = loop {
            if stop.load(Ordering::SeqCst) {
                return Err(Wrong::Stopped);
            }
            let left = limit.saturating_sub(begun.elapsed());
            match self.from.recv_timeout(LOOK.min(left)) {
                Ok(reply) => break reply,
                Err(RecvTimeoutError::Disconnected) => {
                    let wrong = format!("{}, with no reply to {}", self.ending(), line.name());
                    return Err(Wrong::Bad(wrong + &self.last_words()));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let seconds = limit.as_secs_f64();
                    let wrong = format!("no reply to {} within {seconds} s", line.name());
                    return Err(Wrong::Bad(wrong + &self.last_words()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let bad = |why: &str| {
            let said = beginning(&reply);
            Wrong::Bad(format!("the reply to {} {why}: `{said}`", line.name()))
        };
        if reply.len() as u64 > MOST {
            return Err(bad("is longer than 1 MiB"));
        }
        match serde_json::from_slice(&reply) {
            Ok(value @ Value::Object(_)) => {
                self.is_well = true;
                Ok(value)
            }
            Ok(_) => Err(bad("is not a JSON object")),
            Err(_) => Err(bad("is not JSON (only replies belong on standard output, a line each)")),
        }
    }

    /// How a program ended that has closed its output.
    fn ending(&mut self) -> String {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(1) {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!("the program ended ({status})");
            }
            thread::sleep(Duration::from_millis(10));
        }
        "the program closed its output".to_owned()
    }

    /// The end of what it wrote to standard error.
    fn last_words(&self) -> String {
        // The thread that reads it may still be at it.
        thread::sleep(LOOK);
        let kept = lock(&self.complaints);
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said = one_plain_line(&lines[lines.len().saturating_sub(5)..].join(" / "));
        let from = said.chars().count().saturating_sub(SHOWN);
        let said: String = said.chars().skip(from).collect();
        if said.is_empty() { said } else { format!("; its last words: {said}") }
    }

    /// Ends it, and all programs that it started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input: whoever did all may tidy up.
        drop(self.to.take());
        let begun = Instant::now();
        while self.is_well && begun.elapsed() < GRACE {
            match self.from.recv_timeout(GRACE.saturating_sub(begun.elapsed())) {
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.kill();
    }
}

/// Hands on the lines of a program. A line that is too long is handed on as far as it is needed to see that.
fn hear(output: impl Read, replies: &SyncSender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MOST + 1).read_until(b'\n', &mut line);
        if !read.is_ok_and(|count| count > 0) || replies.send(line).is_err() {
            return;
        }
    }
}

/// Keeps the end of what is written, and takes all of it, so that nobody waits.
fn keep_tail(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 4_096];
    while let Ok(count @ 1..) = errors.read(&mut bytes) {
        let mut kept = lock(kept);
        kept.extend_from_slice(&bytes[..count]);
        let from = kept.len().saturating_sub(TAIL);
        kept.drain(..from);
    }
}

/// The beginning of a reply, as a message shows it.
pub(super) fn beginning(reply: &[u8]) -> String {
    let text = String::from_utf8_lossy(&reply[..reply.len().min(4 * SHOWN)]);
    one_plain_line(&text).chars().take(SHOWN).collect()
}
