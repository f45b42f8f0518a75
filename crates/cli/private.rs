//! Datasets and results that lie in a shelf: found by name, and nothing of them written outside but where somebody
//! says so.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::json;
use storymill::{SEALED_DATASETS, SEALED_RESULTS, Site};
use storymill_core::{Disk, Fault, FaultKind};
use storymill_shelf::{Access, MOUNT, Mount, Shelf, sets::Sets};

use crate::{args::shelf::InShelf, calendar::today, exit::Failure, secrets};

/// Which files of private datasets were written in clear, a line each.
const CLEARED: &str = "cleared";
/// What a folder of a dataset is known by.
const MANIFEST: &str = "manifest.json";

/// A shelf that is open, and its inside as a disk.
pub(crate) struct Sealed {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) disk: Arc<dyn Disk>,
}

impl Sealed {
    /// Opens the shelf that was named, if one was.
    pub(crate) fn named(on: &InShelf, access: Access) -> Result<Option<Self>, Failure> {
        let Some(place) = on.place() else { return Ok(None) };
        let shelf = secrets::open(&place, access)?;
        let disk = Arc::new(Mount::new(Arc::clone(&shelf)));
        Ok(Some(Self { shelf, disk }))
    }

    /// A dataset, or else results, by the name it has in the shelf.
    pub(crate) fn find(&self, name: &Path) -> Result<Site, Fault> {
        let places = [SEALED_DATASETS, SEALED_RESULTS].map(|folder| inside(folder).join(name));
        let there = |path: &PathBuf| {
            let plain = name.components().count() == 1;
            plain && self.disk.len(&path.join(MANIFEST)).is_ok_and(|length| length.is_some())
        };
        if let Some(path) = places.into_iter().find(there) {
            return Ok(Site::on(Arc::clone(&self.disk), path));
        }
        let list = |folder| self.disk.list(&inside(folder)).unwrap_or_default();
        let mut known = [list(SEALED_DATASETS), list(SEALED_RESULTS)].concat();
        known.retain(|name| !name.contains('.'));
        let hint = if known.is_empty() {
            "`storymill build WORKFLOW --shelf DIR` makes a dataset there, `storymill evaluate SET --shelf DIR` results".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        let fault =
            Fault::new(FaultKind::Input, "the shelf holds no dataset or results of this name");
        Err(fault.at(name).hint(hint))
    }

    /// Keeps a file among the results.
    pub(crate) fn keep(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Fault> {
        let path = inside(SEALED_RESULTS).join(name);
        let put = self.disk.put(&path, &path, bytes);
        put.map_err(|error| Fault::io("cannot write into the shelf", &path, error))?;
        Ok(path)
    }

    /// The one way out in clear: a new file that only its owner may read, outside of any repository. What cannot be
    /// taken back is recorded before it is done.
    pub(crate) fn clear(&self, of: &Path, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        refuse_repository(path)?;
        let line = json!({ "of": of, "path": path, "date": today() });
        self.shelf.change(|change| change.append(CLEARED, format!("{line}\n").as_bytes()))?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let failed = |error| Fault::io("cannot write", path, error);
        let mut file = options.open(path).map_err(failed)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        if let Err(error) = written {
            drop(std::fs::remove_file(path));
            return Err(failed(error).into());
        }
        crate::report::say(format!("in clear in {}; this is recorded", path.display()));
        Ok(())
    }
}

/// How many files of private datasets were written in clear.
pub(crate) fn cleared(shelf: &Shelf) -> Result<u64, Fault> {
    let files = shelf.read(CLEARED)?.map_or(0, |lines| {
        lines.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
    });
    // Earlier versions noted beside each set what of its requests was handed out.
    let mut requests = 0;
    for set in Sets(shelf).names() {
        let Some(handed) = Sets(shelf).file(&set, "handed")? else { continue };
        let lines = handed.expose().split(|byte| *byte == b'\n');
        let line = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).ok();
        requests += lines.filter_map(line).filter(|line| line["what"] == "clear").count();
    }
    Ok((files + requests) as u64)
}

/// A folder of the inside of a shelf.
pub(crate) fn inside(folder: &str) -> PathBuf {
    Path::new(MOUNT).join(folder)
}

/// A fault where words of a private book would be shown that nobody asked for.
pub(crate) fn hidden() -> Failure {
    let message = "this shows words of private books";
    let hint = "`--texts` shows them on the screen, `--clear FILE` writes them into a file";
    Fault::new(FaultKind::Input, message).hint(hint).into()
}

/// Refuses a file that would lie in a repository, or in a published dataset.
pub(crate) fn refuse_repository(path: &Path) -> Result<(), Fault> {
    if let Some(folder) = folder_of(path)?.ancestors().find(|one| is_published(one)) {
        let message = "this is inside a published dataset, and what is written is private";
        let hint = format!("name a file outside of {}", folder.display());
        return Err(Fault::new(FaultKind::Input, message).at(path).hint(hint));
    }
    let Some(repository) = repository(path)? else { return Ok(()) };
    let message = "this is inside a repository, and what is written is private";
    let hint = format!("name a file outside of {}", repository.display());
    Err(Fault::new(FaultKind::Input, message).at(path).hint(hint))
}

/// Whether a folder is a dataset that was published in clear.
fn is_published(folder: &Path) -> bool {
    [MANIFEST, "README.md"].into_iter().all(|name| folder.join(name).is_file())
}

/// The folder that a new file would lie in.
fn folder_of(path: &Path) -> Result<PathBuf, Fault> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::canonicalize(folder)
        .map_err(|error| Fault::io("cannot look at the folder", folder, error).input())
}

/// The repository that a new file would lie in.
pub(crate) fn repository(path: &Path) -> Result<Option<PathBuf>, Fault> {
    let folder = folder_of(path)?;
    let is_repository = |folder: &&Path| {
        let holds = |name: &str| folder.join(name).exists();
        [".git", ".hg", ".svn", ".jj", ".bzr"].into_iter().any(holds)
            || ["HEAD", "objects", "refs"].into_iter().all(holds)
    };
    Ok(folder.ancestors().find(is_repository).map(Path::to_owned))
}
