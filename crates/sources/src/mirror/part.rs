//! A page on its way: what has come of it, in memory and on disk, so that the rest can be asked for.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
};

use reqwest::Url;
use storymill_core::Fault;

use super::{
    http::{Head, Hear, Trouble},
    journal::Marks,
    shelf,
};

/// A body as it comes, kept on disk where a part of it may be of use to the next run.
#[derive(Default)]
pub(super) struct Part {
    pub(super) body: Vec<u8>,
    pub(super) marks: Marks,
    /// The address that is being asked.
    pub(super) asking: String,
    /// Bytes that came since this was last set to nothing.
    pub(super) came: u64,
    pub(super) encoding: String,
    place: Option<(PathBuf, Option<File>)>,
    pub(super) unfit: bool,
    pub(super) broken: Option<std::io::Error>,
}

impl Part {
    /// What a run before has of a page.
    pub(super) fn at(path: PathBuf) -> Result<Self, Fault> {
        let mut part = Self::default();
        let about = shelf::read(&path.with_extension("json"))?;
        if let Some((marks, encoding)) = about.and_then(|about| serde_json::from_slice(&about).ok())
        {
            part = Self { body: shelf::read(&path)?.unwrap_or_default(), marks, encoding, ..part };
        }
        part.place = Some((path, None));
        Ok(part)
    }

    /// Forgets what came.
    pub(super) fn clear(&mut self) -> Result<(), Fault> {
        self.body.clear();
        self.marks = Marks::default();
        if let Some((path, file)) = &mut self.place {
            *file = None;
            shelf::remove(&path.with_extension("json"))?;
            shelf::remove(path)?;
        }
        Ok(())
    }

    /// By what the rest of a page can be asked for: a mark that tells the bytes apart.
    pub(super) fn range(&self, url: &Url) -> Option<String> {
        let fits = self.marks.url == url.as_str() && !self.body.is_empty();
        let strong = self.marks.etag.as_ref().filter(|etag| !etag.starts_with("W/"));
        strong.or(self.marks.modified.as_ref()).filter(|_| fits).cloned()
    }

    fn begin(&mut self, head: &Head) -> std::io::Result<()> {
        self.body.clear();
        let text = |name| head.get(name).map(str::to_owned);
        self.asking.clone_into(&mut self.marks.url);
        self.marks.etag = text("etag");
        self.marks.modified = text("last-modified");
        self.encoding = text("content-encoding").unwrap_or_default().to_ascii_lowercase();
        let Some((path, file)) = &mut self.place else { return Ok(()) };
        *file = Some(File::create(&path)?);
        std::fs::write(
            path.with_extension("json"),
            serde_json::to_vec(&(&self.marks, &self.encoding))?,
        )
    }

    fn add(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.body.extend_from_slice(bytes);
        self.came += bytes.len() as u64;
        let Some((path, file)) = &mut self.place else { return Ok(()) };
        if file.is_none() {
            *file = Some(OpenOptions::new().append(true).open(path)?);
        }
        file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }
}

impl Hear for Part {
    fn head(&mut self, head: &Head) -> bool {
        self.unfit = false;
        match head.status {
            200 => match self.begin(head) {
                Ok(()) => true,
                Err(error) => {
                    self.broken = Some(error);
                    false
                }
            },
            206 => {
                let from = head.get("content-range").and_then(|range| {
                    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
                });
                self.unfit = from != Some(self.body.len());
                !self.unfit
            }
            _ => false,
        }
    }

    fn piece(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.add(bytes).map_err(|error| {
            self.broken = Some(error);
            Trouble::Stopped
        })
    }
}
