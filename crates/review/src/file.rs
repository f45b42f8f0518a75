//! The file of decisions: JSON lines that only grow, written by one at a time.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Decision, Disk, Fault, Hold, canonical};

use crate::ballot::input;

/// What gives the disk that a file is on: `true` where it is to be written. None where nothing can have changed since it was read last,
/// or somebody is just changing it.
pub type Opener = Box<dyn Fn(bool) -> Result<Option<Arc<dyn Disk>>, Fault> + Send + Sync>;

/// A file of decisions. Several processes may have the same one open: each line that one of them saves is there for
/// all of them, and none is lost.
pub struct File {
    /// Gives the disk for as long as it is read or, where that is said, written.
    opened: Opener,
    path: PathBuf,
    /// The lines that stood in it when it was read last.
    known: BTreeSet<String>,
    /// Its bytes then.
    last: Option<Vec<u8>>,
    /// Whether nobody has heard yet that lines are gone.
    went_back: bool,
}

/// What has become of a file since it was read last.
#[derive(Debug, Default, PartialEq)]
pub struct News {
    /// The lines that were added, in their order: all of them at first.
    pub added: Vec<Decision>,
    /// Whether lines are gone: the file was put back from before, or somebody took them out. What is left, [`File::lines`] has.
    pub went_back: bool,
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("path", &self.path).finish_non_exhaustive()
    }
}

impl File {
    /// A file of a disk, which need not be there yet. Nothing is read.
    pub fn new(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> Self {
        Self::on(Box::new(move |_| Ok(Some(Arc::clone(&disk)))), path)
    }

    /// A file of a disk that is opened for as long as the file is read or written, and not for longer.
    pub fn on(opened: Opener, path: impl Into<PathBuf>) -> Self {
        Self { opened, path: path.into(), known: BTreeSet::new(), last: None, went_back: false }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What has become of it since it was read last.
    ///
    /// # Errors
    ///
    /// It cannot be read, or a line is no decision.
    pub fn read(&mut self) -> Result<News, Fault> {
        let Some(disk) = (self.opened)(false)? else { return Ok(News::default()) };
        let bytes = self.bytes(&*disk)?;
        self.news(bytes)
    }

    /// The lines that stood in it when it was read last, in their order, each once.
    pub fn lines(&self) -> Vec<Decision> {
        let text = String::from_utf8_lossy(self.last.as_deref().unwrap_or_default());
        let mut seen = BTreeSet::new();
        let once = text.lines().filter(|line| seen.insert(*line));
        // Each was read as a decision before.
        once.filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Adds lines, all of them or none. They survive a power cut once this returns. Gives back what has become of the file
    /// since it was read last, these lines at the end: those of them that are new.
    ///
    /// # Errors
    ///
    /// It cannot be written; then it is as it was. Or it holds a line that is no decision.
    pub fn append(&mut self, lines: &[Decision]) -> Result<News, Fault> {
        let path = self.path.clone();
        let failed = |error| Fault::io("cannot write the file of decisions", &path, error);
        let lock = beside(&self.path, ".lock");
        let disk = (self.opened)(true)?.ok_or_else(|| failed(io::ErrorKind::WouldBlock.into()))?;
        let held = disk.lock(&lock, Hold::Alone).map_err(failed)?;
        if held.is_none() {
            return Err(failed(io::ErrorKind::WouldBlock.into()));
        }
        let mut bytes = self.bytes(&*disk)?;
        let mut news = self.news(bytes.clone())?;
        let mut own = BTreeSet::new();
        let lines: Vec<(String, &Decision)> = lines
            .iter()
            .map(|line| (canonical::json(line), line))
            .filter(|(text, _)| !self.known.contains(text) && own.insert(text.clone()))
            .collect();
        if lines.is_empty() {
            return Ok(news);
        }
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        for (text, _) in &lines {
            bytes.extend(text.as_bytes());
            bytes.push(b'\n');
        }
        if let Err(error) = disk.put(&self.path, &beside(&self.path, ".new"), &bytes) {
            // Nobody hears now what others have done, so it is still to be read.
            for line in &news.added {
                self.known.remove(&canonical::json(line));
            }
            (self.last, self.went_back) = (None, news.went_back);
            return Err(failed(error));
        }
        news.added.extend(lines.iter().map(|(_, line)| (*line).clone()));
        self.known.extend(lines.into_iter().map(|(text, _)| text));
        self.last = Some(bytes);
        Ok(news)
    }

    fn bytes(&self, disk: &dyn Disk) -> Result<Vec<u8>, Fault> {
        match disk.read(&self.path) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Fault::io("cannot read the file of decisions", &self.path, error)),
        }
    }

    fn news(&mut self, bytes: Vec<u8>) -> Result<News, Fault> {
        if self.last.as_ref() == Some(&bytes) {
            return Ok(News::default());
        }
        let text = String::from_utf8_lossy(&bytes);
        let (mut added, mut now) = (Vec::new(), BTreeSet::new());
        for (line, at) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            if !now.insert(line.to_owned()) || self.known.contains(line) {
                continue;
            }
            let decision: Decision = serde_json::from_str(line).map_err(|error| {
                let place = self.path.display();
                input(format!("{place}, line {at}: not a decision: {error}"))
            })?;
            added.push(decision);
        }
        drop(text);
        let went_back = std::mem::take(&mut self.went_back) || !self.known.is_subset(&now);
        (self.known, self.last) = (now, Some(bytes));
        Ok(News { added, went_back })
    }
}

/// A name beside another.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests;
