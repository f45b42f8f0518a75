//! A page on its way: what has come of it, in memory and on disk, so that the rest can be asked for.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
};

use reqwest::Url;
use storymill_core::Fault;
use storymill_retry::http_date;

use crate::{
    http::{Head, Hear, Trouble},
    journal::Marks,
    page_folder,
};

/// What is kept beside a part on disk: its marks, its packing, how long the whole is, whether its day counts.
type About = (Marks, String, Option<u64>, bool);

/// A body as it comes, kept on disk where a part of it may be of use to the next run.
#[derive(Default)]
pub(crate) struct Part {
    pub(crate) body: Vec<u8>,
    pub(crate) marks: Marks,
    /// The address that is being asked.
    pub(crate) asking: String,
    /// Bytes that came since this was last set to nothing.
    pub(crate) came: u64,
    pub(crate) encoding: String,
    /// Bytes of the whole, as sent, where the server told.
    pub(crate) total: Option<u64>,
    /// Whether the day of the last change tells bytes apart: the page was not touched in the minute before.
    dated: bool,
    /// Whether only the rest was asked for.
    pub(crate) ranged: bool,
    /// Why what came is of no use.
    pub(crate) unfit: Option<&'static str>,
    place: Option<(PathBuf, Option<File>)>,
    pub(crate) broken: Option<std::io::Error>,
}

impl Part {
    /// What a run before has of a page.
    pub(crate) fn at(path: PathBuf) -> Result<Self, Fault> {
        let mut part = Self::default();
        let about = page_folder::read(&path.with_extension("json"))?;
        let about = about.and_then(|about| serde_json::from_slice::<About>(&about).ok());
        if let Some((marks, encoding, total, dated)) = about {
            let body = page_folder::read(&path)?.unwrap_or_default();
            part = Self { body, marks, encoding, total, dated, ..part };
        }
        part.place = Some((path, None));
        Ok(part)
    }

    /// Forgets what came.
    pub(crate) fn clear(&mut self) -> Result<(), Fault> {
        self.body.clear();
        (self.marks, self.total, self.dated) = (Marks::default(), None, false);
        if let Some((path, file)) = &mut self.place {
            *file = None;
            page_folder::remove(&path.with_extension("json"))?;
            page_folder::remove(path)?;
        }
        Ok(())
    }

    /// By what the rest of a page can be asked for: a mark that tells the bytes apart.
    pub(crate) fn range(&self, url: &Url) -> Option<String> {
        let had = self.body.len() as u64;
        let fits = self.marks.url == url.as_str() && had > 0;
        let whole = self.total.is_some_and(|total| total <= had);
        let strong = self.marks.etag.as_ref().filter(|etag| !etag.starts_with("W/"));
        let day = self.marks.modified.as_ref().filter(|_| self.dated);
        strong.or(day).filter(|_| fits && !whole).cloned()
    }

    /// Whether all has come, as far as the server told how much that is.
    pub(crate) fn is_whole(&self) -> bool {
        self.total.is_none_or(|total| total == self.body.len() as u64)
    }

    /// Whether a part that is sent is the rest of what is here; why not.
    fn fits(&self, head: &Head) -> Result<u64, &'static str> {
        const OTHER: &str = "the server has another version of the page now";
        if !self.ranged {
            return Err("the server sends a part, unasked");
        }
        let range = head.get("content-range").and_then(range);
        let (from, last, total) = range.ok_or("the server does not say which part it sends")?;
        if from != self.body.len() as u64 || last.checked_add(1) != Some(total) {
            return Err("the server sends another part than was asked for");
        }
        // What it does not say again is as it was.
        let same = |name, was: Option<&str>| {
            head.get(name).zip(was).is_none_or(|(is, was)| is.eq_ignore_ascii_case(was))
        };
        let same = self.total.is_none_or(|was| was == total)
            && same("etag", self.marks.etag.as_deref())
            && same("last-modified", self.marks.modified.as_deref())
            && same("content-encoding", Some(self.encoding.as_str()));
        if same { Ok(total) } else { Err(OTHER) }
    }

    fn begin(&mut self, head: &Head) -> std::io::Result<()> {
        self.body.clear();
        let text = |name| head.get(name).map(str::to_owned);
        self.asking.clone_into(&mut self.marks.url);
        self.marks.etag = text("etag");
        self.marks.modified = text("last-modified");
        self.encoding = text("content-encoding").unwrap_or_default().to_ascii_lowercase();
        self.total = head.length();
        let seconds = |name| head.get(name).and_then(http_date);
        self.dated = seconds("date")
            .zip(seconds("last-modified"))
            .is_some_and(|(now, changed)| now >= changed.saturating_add(60));
        let Some((path, file)) = &mut self.place else { return Ok(()) };
        *file = Some(File::create(&path)?);
        let about = (&self.marks, &self.encoding, self.total, self.dated);
        std::fs::write(path.with_extension("json"), serde_json::to_vec(&about)?)
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
        self.unfit = None;
        match head.status {
            200 => match self.begin(head) {
                Ok(()) => true,
                Err(error) => {
                    self.broken = Some(error);
                    false
                }
            },
            206 => match self.fits(head) {
                Ok(total) => {
                    self.total = Some(total);
                    true
                }
                Err(why) => {
                    self.unfit = Some(why);
                    false
                }
            },
            _ => false,
        }
    }

    fn had(&self) -> u64 {
        self.body.len() as u64
    }

    fn piece(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.add(bytes).map_err(|error| {
            self.broken = Some(error);
            Trouble::Stopped
        })
    }
}

/// First and last byte of a part, and bytes of the whole: `bytes 200-499/500`.
fn range(text: &str) -> Option<(u64, u64, u64)> {
    let (part, total) = text.strip_prefix("bytes ")?.trim().split_once('/')?;
    let (from, last) = part.split_once('-')?;
    let (from, last) = (from.parse().ok()?, last.parse().ok()?);
    (from <= last).then_some((from, last, total.parse().ok()?))
}
