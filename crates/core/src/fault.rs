//! Why something stopped: an item that waits or is rejected, or a fault that ends the run.

use std::{borrow::Cow, error::Error, path::PathBuf};

use serde::{Deserialize, Serialize};

/// Why there is no row, yet or ever: of an item inside [`Cx::each`](crate::Cx::each), of the
/// whole unit outside.
#[derive(Debug)]
pub enum Stop {
    /// An answer is not there yet; the stage is run again once it is.
    Waiting,
    /// There will be no row. The reason is kept, the run goes on.
    Reject(Reason),
    /// There will be no row, and that is as it should be: the workflow asked for it, or the rules
    /// of the task do. Counted apart from rejects, and no cause for another exit code.
    LeftOut(Reason),
    /// Nothing can go on.
    Fault(Fault),
}

impl Stop {
    /// A reject with a reason code and its detail.
    pub fn reject(code: &'static str, detail: impl Into<String>) -> Self {
        Self::Reject(Reason::new(code, detail))
    }

    /// Something left out on purpose, with a reason code and its detail.
    pub fn left_out(code: &'static str, detail: impl Into<String>) -> Self {
        Self::LeftOut(Reason::new(code, detail))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Why an item or a unit was rejected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A short stable word, by which rejects are counted: `kept-too-little`.
    pub code: Cow<'static, str>,
    /// What exactly was wrong, for people.
    pub detail: String,
}

impl Reason {
    /// A reason from its code and detail.
    pub fn new(code: &'static str, detail: impl Into<String>) -> Self {
        Self { code: Cow::Borrowed(code), detail: detail.into() }
    }
}

/// What kind of fault it is; the binary turns it into an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An input file is missing, unreadable or not what it should be.
    Input,
    /// Reading or writing failed: no space, no permission, a broken disk.
    Io,
    /// The store or an output folder holds what this version must not touch.
    Store,
    /// What was kept is damaged, and going on would lose or cost something: somebody has to decide.
    Damage,
    /// Another run holds the store, or damage was set aside: running again may work.
    Again,
    /// A recorded state (lock, base) disagrees with what was built.
    Lock,
    /// A model was needed and could not be had.
    Model,
    /// A model answered, and next to nothing of it could be used.
    Refused,
    /// The user asked to stop.
    Interrupted,
    /// A mistake in the program.
    Internal,
}

/// A fault that ends the run: what failed, where, and what to do next.
#[derive(Debug, thiserror::Error)]
#[error("{message}{}", path.as_ref().map(|path| format!(": {}", path.display())).unwrap_or_default())]
pub struct Fault {
    /// The kind, which decides the exit code.
    pub kind: FaultKind,
    /// A lower-case fragment without a full stop.
    pub message: String,
    /// The file or folder it happened to.
    pub path: Option<PathBuf>,
    /// What the user can do next.
    pub hint: Option<String>,
    /// What lies beneath.
    #[source]
    pub source: Option<Box<dyn Error + Send + Sync>>,
}

/// Where what a build left out is to be had.
pub const FULL_BUILD: &str = "wheels and released programs have it, and so does `cargo install --locked --path . --features full`";

impl Fault {
    /// A fault from its kind and message.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), path: None, hint: None, source: None }
    }

    /// What was asked for is left out of this build: "buckets of S3".
    pub fn left_out(what: &str) -> Self {
        Self::new(FaultKind::Input, format!("this build of storymill has no {what}"))
            .hint(FULL_BUILD)
    }

    /// A failed read or write of a path.
    pub fn io(
        message: impl Into<String>,
        path: impl Into<PathBuf>,
        source: std::io::Error,
    ) -> Self {
        // Every Unix has these numbers for too many open files, of the machine and of the process.
        use std::io::ErrorKind as Kind;
        let hint = match (source.kind(), source.raw_os_error()) {
            (Kind::NotADirectory, _) => {
                Some("a file is in the way of a folder: name another place")
            }
            (Kind::AlreadyExists, _) => Some("it is left as it was: name another"),
            (Kind::PermissionDenied | Kind::ReadOnlyFilesystem, _) => {
                Some("change what you may do there, or name another place")
            }
            (Kind::StorageFull, _) => {
                Some("free some space and run the same command again: what is done is kept")
            }
            (_, Some(23 | 24)) if cfg!(unix) => Some(
                "allow more open files (`ulimit -n 4096`) and run the same command again: what is done is kept",
            ),
            _ => None,
        };
        let fault = Self::new(FaultKind::Io, message).at(path).because(source);
        match hint {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }

    /// Says that the user's own input is at fault: a failed read of a file that the user named.
    pub fn input(self) -> Self {
        Self { kind: FaultKind::Input, ..self }
    }

    /// Names the file or folder.
    pub fn at(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Keeps what lies beneath.
    pub fn because(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::Fault;

    #[test]
    fn what_the_system_refuses_has_a_hint() {
        for (kind, hint) in [
            (ErrorKind::NotADirectory, Some("a file is in the way")),
            (ErrorKind::AlreadyExists, Some("name another")),
            (ErrorKind::PermissionDenied, Some("name another place")),
            (ErrorKind::ReadOnlyFilesystem, Some("name another place")),
            (ErrorKind::StorageFull, Some("free some space")),
            (ErrorKind::NotFound, None),
        ] {
            let said = Fault::io("cannot write", "f", Error::from(kind)).hint;
            assert_eq!(said.is_some(), hint.is_some(), "{kind}");
            assert!(said.unwrap_or_default().contains(hint.unwrap_or_default()), "{kind}");
        }
    }
}
