//! One of two versions: a published folder, a lock, or a lock as git knows it.

use std::{path::Path, process::Command};

use storymill::{Dataset, Version};
use storymill_core::{Fault, FaultKind};
use storymill_pipeline::Lock;

/// The version that was named.
pub(super) fn of(path: &Path) -> Result<Version, Fault> {
    if path.is_dir() {
        return Version::of(&Dataset::open(path)?);
    }
    let lock = match path.to_str().and_then(|name| name.split_once(':')) {
        _ if path.exists() => Lock::read(path)?,
        Some((revision, file)) => of_git(revision, file)?,
        None => {
            let hint = "give a published folder, its `dataset.lock`, or `REVISION:dataset.lock`";
            return Err(Fault::new(FaultKind::Input, "no such file or folder").at(path).hint(hint));
        }
    };
    Ok(Version { lock, folder: None })
}

/// A lock as it stood in a revision of the repository around the working folder.
fn of_git(revision: &str, file: &str) -> Result<Lock, Fault> {
    let refused = |message: String| {
        Fault::new(FaultKind::Input, message)
            .hint("`REVISION:PATH` is read with `git show`; the path counts from the top of the repository, `./` before it from here")
    };
    if revision.is_empty() || revision.starts_with('-') {
        return Err(refused(format!("`{revision}` is not a revision")));
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
