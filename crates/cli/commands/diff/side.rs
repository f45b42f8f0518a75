//! One of two versions: a published folder, a lock, or a lock as git knows it.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use storymill_core::{Fault, FaultKind};
use storymill_dataset::Manifest;
use storymill_pipeline::Lock;

/// One version.
pub(super) struct Side {
    pub(super) lock: Lock,
    /// Where its rows are, if they are at hand.
    pub(super) folder: Option<PathBuf>,
}

impl Side {
    pub(super) fn of(name: &str) -> Result<Self, Fault> {
        let path = Path::new(name);
        if path.is_dir() {
            let manifest = Manifest::of(path)?;
            let lock = Lock::read(&path.join(&manifest.lock.path))?;
            return Ok(Self { lock, folder: Some(path.to_owned()) });
        }
        if !path.exists()
            && let Some((revision, file)) = name.split_once(':')
        {
            return Ok(Self { lock: of_git(revision, file)?, folder: None });
        }
        if !path.exists() {
            let hint = "give a published folder, its `dataset.lock`, or `REVISION:dataset.lock`";
            return Err(Fault::new(FaultKind::Input, "no such file or folder").at(path).hint(hint));
        }
        Ok(Self { lock: Lock::read(path)?, folder: None })
    }
}

/// A lock as it stood in a revision of the repository around the working folder.
fn of_git(revision: &str, file: &str) -> Result<Lock, Fault> {
    let refused = |message: String| {
        Fault::new(FaultKind::Input, message)
            .hint("`REVISION:PATH` is read with `git show`; the path counts from the top of the repository, `./` before it from here")
    };
    if revision.is_empty() || revision.starts_with('-') {
        return Err(refused(format!("`{revision}` is no revision")));
    }
    let name = format!("{revision}:{file}");
    let shown = Command::new("git").args(["show", "--no-textconv", &name]).output();
    let shown = shown.map_err(|error| refused("cannot run git".to_owned()).because(error))?;
    if !shown.status.success() {
        let said = String::from_utf8_lossy(&shown.stderr);
        let said = said.lines().next().unwrap_or("git failed");
        return Err(refused(format!("no `{name}` in git: {said}")));
    }
    Lock::parse(&shown.stdout).map_err(|fault| fault.at(name))
}
