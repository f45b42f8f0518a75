//! What a store is asked for before several machines may work on it.

use std::{
    io,
    path::Path,
    sync::mpsc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use storymill_core::Disk;

use crate::{BucketDisk, client::mark};

/// How long a store may take for one thing that it is asked for: requests are tried again for a minute.
const LONGEST: Duration = Duration::from_mins(2);

/// What a probe found: what a store has to do, and why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was asked for.
    pub what: &'static str,
    /// What came of it; none if it is as it should be.
    pub wrong: Option<String>,
}

impl Finding {
    pub(crate) fn of(what: &'static str, came: Result<(), String>) -> Self {
        Self { what, wrong: came.err() }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn told(error: io::Error) -> String {
    error.to_string()
}

/// Asks one thing after the other, and stops at the first that fails: what follows needs it.
pub(crate) fn probe(disk: &BucketDisk) -> Vec<Finding> {
    let path = disk.root().join("tmp").join(name());
    let mut found = Vec::new();
    for (what, ask) in QUESTIONS {
        let (own, at) = (disk.clone(), path.clone());
        let came = within(LONGEST, move || ask(&own, &at));
        let stop = came.is_err();
        found.push(Finding::of(what, came));
        if stop {
            // What is left of it is small, and nobody reads it.
            let _ = disk.remove(&path);
            break;
        }
    }
    found
}

/// A name of its own for what is written, with the time: by that a later run tells what a killed one has left.
#[expect(clippy::disallowed_methods, reason = "tells which file is old, not what is made")]
pub(crate) fn name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    format!("probe-{now}-{}", mark())
}

type Ask = fn(&BucketDisk, &Path) -> Result<(), String>;

const QUESTIONS: [(&str, Ask); 4] = [
    ("a new file can be written", |disk, path| {
        let wrote = disk.put_new(path, path, b"first").map_err(told)?;
        if wrote { Ok(()) } else { Err("a name that nobody has is taken".to_owned()) }
    }),
    ("of two writers of one name the second is refused", |disk, path| {
        let wrote = disk.put_new(path, path, b"second").map_err(told)?;
        if !wrote {
            return Ok(());
        }
        Err("it takes both: it has no conditional put (`If-None-Match`), so machines would write over each other".to_owned())
    }),
    ("what was written is read and listed at once", |disk, path| {
        if disk.read(path).map_err(told)? != b"first" {
            return Err("other bytes were read".to_owned());
        }
        let names = disk.list(path.parent().unwrap_or(path)).map_err(told)?;
        let name = path.file_name().map(|name| name.to_string_lossy());
        let listed = names.iter().any(|one| Some(one.as_str()) == name.as_deref());
        if listed { Ok(()) } else { Err("it is not in the list".to_owned()) }
    }),
    ("what is removed is gone", |disk, path| {
        disk.remove(path).map_err(told)?;
        match disk.len(path).map_err(told)? {
            None => Ok(()),
            Some(_) => Err("it is still there".to_owned()),
        }
    }),
];

/// Does something on a thread of its own, and waits for it so long. A call that never comes back cannot be ended:
/// its thread stays.
pub(crate) fn within(
    limit: Duration,
    ask: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Result<(), String> {
    let (send, receive) = mpsc::sync_channel(1);
    let run = move || {
        let _ = send.send(ask());
    };
    std::thread::Builder::new().name("probe".to_owned()).spawn(run).map_err(told)?;
    let none = || Err(format!("no answer within {} seconds", limit.as_secs()));
    receive.recv_timeout(limit).unwrap_or_else(|_| none())
}
