//! What was done, line by line, so that nothing is asked twice: pages that came, addresses with
//! nothing behind them, harvest pages that were read. It lies in the folder of pages under `.fetch` and
//! may be deleted: what is then lost is asked again.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use storymill_core::Fault;

use crate::{lock::Pin, page_folder};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub(crate) enum Entry {
    /// A page came, with what tells later whether it is still the same.
    Page { pin: Pin, marks: Marks },
    /// There is nothing at this address, or nothing of use.
    Nothing {
        url: String,
        #[serde(default, flatten)]
        under: Under,
    },
    /// A harvest page was read.
    Harvest { url: String, files: Vec<String>, next: Option<String> },
    /// A robots.txt was read, so many seconds after 1970.
    Robots { origin: String, at: u64, text: String },
}

/// Under what a verdict was given: with other limits or another cleaner the address is asked again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Under {
    /// The largest page, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    most: Option<usize>,
    /// The version that could make no book of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

impl Under {
    /// It was larger than a page may be.
    pub(crate) fn most(most: usize) -> Self {
        Self { most: Some(most), by: None }
    }

    /// No book could be made of it.
    pub(crate) fn no_book(most: usize) -> Self {
        Self { most: Some(most), by: Some(VERSION.to_owned()) }
    }

    fn holds(&self, most: usize) -> bool {
        self.most.is_none_or(|then| then >= most) && self.by.as_ref().is_none_or(|by| by == VERSION)
    }
}

/// By what a server tells whether a page is still the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marks {
    /// The address that gave them.
    pub(crate) url: String,
    pub(crate) etag: Option<String>,
    pub(crate) modified: Option<String>,
}

/// A harvest page: the files it lists, and the next page.
pub(crate) type Leaf = (Vec<String>, Option<String>);

/// The journal of a folder.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    path: PathBuf,
    file: Option<File>,
    pub(crate) pages: BTreeMap<String, Pin>,
    pub(crate) marks: BTreeMap<String, Marks>,
    nothing: BTreeMap<String, Under>,
    pub(crate) harvest: BTreeMap<String, Leaf>,
    pub(crate) robots: BTreeMap<String, (u64, String)>,
}

impl Journal {
    /// Reads the journal, if there is one. A line that a kill cut off is passed over.
    pub(crate) fn open(folder: &Path) -> Result<Self, Fault> {
        let mut journal = Self { path: folder.join("journal.jsonl"), ..Self::default() };
        let bytes = page_folder::read(&journal.path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        for entry in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            journal.learn(entry);
        }
        Ok(journal)
    }

    fn learn(&mut self, entry: Entry) {
        match entry {
            Entry::Page { pin, marks } => {
                self.nothing.remove(&marks.url);
                self.marks.insert(pin.id.to_string(), marks);
                self.pages.insert(pin.id.to_string(), pin);
            }
            Entry::Nothing { url, under } => {
                self.nothing.insert(url, under);
            }
            Entry::Harvest { url, files, next } => {
                self.harvest.insert(url, (files, next));
            }
            Entry::Robots { origin, at, text } => {
                self.robots.insert(origin, (at, text));
            }
        }
    }

    /// Whether it is known that an address has nothing of use, where a page may have so many bytes.
    pub(crate) fn has_nothing(&self, url: &str, most: usize) -> bool {
        self.nothing.get(url).is_some_and(|under| under.holds(most))
    }

    /// Adds a line.
    pub(crate) fn write(&mut self, entry: Entry) -> Result<(), Fault> {
        let failed = |error| Fault::io("cannot write the journal", &self.path, error);
        // A line break first, in case the last line was cut off.
        let mut line = "\n".to_owned();
        line += &serde_json::to_string(&entry).map_err(|error| failed(error.into()))?;
        line.push('\n');
        if self.file.is_none() {
            let file = OpenOptions::new().create(true).append(true).open(&self.path);
            self.file = Some(file.map_err(failed)?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        self.learn(entry);
        Ok(())
    }
}
