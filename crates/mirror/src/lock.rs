//! `books.lock`: which bytes each page has. It holds no time and no path of the machine, so the same
//! pages give the same lock.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use storymill_core::{BookId, Fault, FaultKind};
use storymill_sources::{page_id, sha256};

use crate::page_folder;

/// The form of lock that this version writes.
const VERSION: u32 = 1;

const HEAD: &str = "# The pages of this folder and the digest of each. Written by `storymill fetch`; keep it with your\n\
    # workflow: the same command fetches the same pages again, and says where one has changed.\n\n";

/// A page that was pinned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The book.
    pub id: BookId,
    /// The file in the folder of pages.
    pub file: String,
    /// SHA-256 of its bytes: what `sha256sum` prints.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// The address that it came from; blank for a file that was there before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
}

impl Pin {
    pub(crate) fn of(id: &BookId, file: String, page: &[u8], from: String) -> Self {
        Self { id: id.clone(), file, sha256: sha256(page), bytes: page.len() as u64, from }
    }
}

/// The pages of a folder, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// The pins.
    pub pins: BTreeMap<String, Pin>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    #[serde(default)]
    page: Vec<Pin>,
}

impl Lock {
    /// Reads a lock; where there is none, an empty one.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(Fault::io("cannot read the lock", path, error)),
        };
        Self::parse(&text).map_err(|fault| fault.at(path))
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let broken = |what: String| {
            Fault::new(FaultKind::Lock, what)
                .hint("take it from where you keep it, or move it away: pages in the folder are pinned anew")
        };
        let written: Written = toml::from_str(text)
            .map_err(|error| broken("the lock cannot be read".to_owned()).because(error))?;
        if written.version != VERSION {
            return Err(broken(format!("the lock has version {}, not {VERSION}", written.version)));
        }
        let mut lock = Self::default();
        for pin in written.page {
            let file =
                page_id(&pin.file).as_ref() == Some(&pin.id) && !pin.file.contains(['/', '\\']);
            if !file || pin.sha256.len() != 64 {
                return Err(broken(format!("the lock's entry of `{}` makes no sense", pin.id)));
            }
            if let Some(twin) = lock.pins.insert(pin.id.to_string(), pin) {
                return Err(broken(format!("the lock has `{}` twice", twin.id)));
            }
        }
        Ok(lock)
    }

    /// Writes the lock, by number where ids are numbers. A lock that says the same is left alone.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Fault> {
        let mut page: Vec<_> = self.pins.values().cloned().collect();
        page.sort_by_key(|pin| {
            let number = pin.id.as_str().parse::<u64>().unwrap_or(u64::MAX);
            (number, pin.id.clone())
        });
        let text = toml::to_string(&Written { version: VERSION, page }).map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot write the lock").because(error)
        })?;
        let text = format!("{HEAD}{text}");
        if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        page_folder::write_whole(path, text.as_bytes())
    }
}
