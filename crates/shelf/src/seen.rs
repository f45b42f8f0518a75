//! What a maintainer has seen of shelves, kept beside the private key: whoever writes the folder cannot go back, nor
//! let others in, without its being told.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Recipient, Signer,
    fold::{Fold, called},
    log::State,
};

/// The file beside a key, and the names of the folder of the shelf that is opened.
#[derive(Clone, Debug)]
pub struct Pins {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    folders: Vec<String>,
}

/// What was seen last of a shelf.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pin {
    id: String,
    /// Where it lay.
    folders: Vec<String>,
    generation: u64,
    /// Whole public keys of those whom its owner has taken for maintainers.
    maintainers: Vec<String>,
    sessions: Sessions,
    /// Whether its owner has changed it or taken it as it lies, and not only looked.
    #[serde(default = "yes")]
    pub(crate) trusted: bool,
}

/// Runs of changes, by whom, and how far.
type Sessions = Vec<(u64, Signer, u64)>;

// Files from before say nothing of it: their shelves were changed and looked at alike.
fn yes() -> bool {
    true
}

/// The file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    shelves: Vec<Pin>,
}

impl Seen {
    /// What was seen of a shelf, wherever it lies.
    pub(crate) fn of(&self, shelf: &str) -> Option<&Pin> {
        self.shelves.iter().find(|pin| pin.is_of(shelf))
    }
}

impl Pins {
    /// What is kept in the file `path` of the shelf that lies in a folder, which has one or more names: whole paths, as it was
    /// typed and where its links lead. The file should lie beside the private key: whoever writes it decides what was seen.
    pub fn new(disk: Arc<dyn Disk>, path: PathBuf, folders: &[PathBuf]) -> Self {
        let folders = folders.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        Self { disk, path, folders }
    }

    pub(crate) fn read(&self) -> Result<Seen, Fault> {
        let bytes = match self.disk.read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Seen::default());
            }
            Err(error) => return Err(Fault::io("cannot read what was seen", &self.path, error)),
        };
        serde_json::from_slice(&bytes).map_err(|_| {
            Fault::new(FaultKind::Store, "what was seen of shelves cannot be read")
                .at(&self.path)
                .hint("put the file back from a copy; without it the next opening takes the shelf as it lies")
        })
    }

    /// What was seen in this folder, under any of its names.
    fn here<'s>(&'s self, seen: &'s Seen) -> impl Iterator<Item = &'s Pin> {
        let is_here = |pin: &&Pin| pin.folders.iter().any(|name| self.folders.contains(name));
        seen.shelves.iter().filter(is_here)
    }

    /// Whether a shelf was seen in this folder.
    pub(crate) fn is_here(&self, seen: &Seen, shelf: &str) -> bool {
        self.here(seen).any(|pin| pin.is_of(shelf))
    }

    /// What was seen of shelves in this folder, and of a shelf: another one first.
    pub(crate) fn of<'s>(&'s self, seen: &'s Seen, id: &'s str) -> impl Iterator<Item = &'s Pin> {
        self.here(seen).filter(move |pin| !pin.is_of(id)).chain(seen.of(id))
    }

    /// Whether a shelf is kept just as it is, under each name of the folder.
    pub(crate) fn is_kept(&self, pin: &Pin, fold: &Fold, trusted: bool) -> bool {
        let is_named = self.folders.iter().all(|name| pin.folders.contains(name));
        let is_at = pin.sessions == sessions(fold);
        is_named && is_at && (pin.trusted || !trusted)
    }

    /// Keeps a shelf as it is now; whether it is trusted from now on, or as much as it was.
    pub(crate) fn keep(&self, fold: &Fold, trusted: bool) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = fold.shelf();
        let (mut folders, mut trusted) = (self.folders.clone(), trusted);
        for pin in &mut seen.shelves {
            pin.folders.retain(|folder| !self.folders.contains(folder));
            if pin.is_of(&id) {
                folders.append(&mut pin.folders);
                trusted |= pin.trusted;
            }
        }
        seen.shelves.retain(|pin| !pin.is_of(&id));
        folders.sort();
        folders.dedup();
        let maintainers = fold.state.expose().recipients().iter().map(Recipient::whole).collect();
        let (generation, sessions) = (fold.changes(), sessions(fold));
        seen.shelves.push(Pin { id, folders, generation, maintainers, sessions, trusted });
        seen.shelves.sort_by(|a, b| a.id.cmp(&b.id));
        self.write(&seen)
    }

    /// Keeps what was refused, where maintainers have made it of what was seen: an older copy that is put in its place is
    /// refused too, and who left does not come back.
    pub(crate) fn refuse(&self, fold: &Fold) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let shelf = fold.shelf();
        let pin = seen.shelves.iter_mut().find(|pin| pin.is_of(&shelf));
        let goes_on = |pin: &&mut Pin| pin.lacks(fold).is_empty();
        let Some(pin) = pin.filter(goes_on) else { return Ok(()) };
        (pin.generation, pin.sessions) = (fold.changes(), sessions(fold));
        self.write(&seen)
    }

    fn write(&self, seen: &Seen) -> Result<(), Fault> {
        let text = serde_json::to_vec(seen)
            .map_err(|_| Fault::new(FaultKind::Internal, "cannot write what was seen"))?;
        let mut scratch = self.path.clone().into_os_string();
        scratch.push(".new");
        self.disk.put(&self.path, Path::new(&scratch), &text).map_err(|error| {
            Fault::io("cannot write what was seen of the shelf", &self.path, error)
        })
    }
}

/// All runs of changes that are in a folder and were made by people who were maintainers then.
fn sessions(fold: &Fold) -> Sessions {
    let state = fold.state.expose();
    let of = |(author, sessions): (&Signer, &BTreeSet<u64>)| {
        let far = sessions.iter().map(|session| (*session, *author, fold.has(*session)));
        far.collect::<Vec<_>>()
    };
    state.authors.iter().flat_map(of).filter(|(.., far)| *far > 0).collect()
}

impl Pin {
    /// Whether it is of a shelf. While nobody had signed that, and in files from before, its name was shorter.
    fn is_of(&self, shelf: &str) -> bool {
        shelf.starts_with(&self.id)
    }

    fn people(&self) -> Vec<Recipient> {
        self.maintainers.iter().filter_map(|whole| whole.parse().ok()).collect()
    }

    /// In what a shelf departs from what was seen, as a message; none if it only went on.
    pub(crate) fn departs(&self, fold: &Fold, own: Signer) -> Option<String> {
        let state = fold.state.expose();
        if fold.is_unsigned && !self.sessions.is_empty() {
            return Some("the shelf was signed when you saw it last, and now it is not: it was put back from before, or forged".to_owned());
        }
        if !self.is_of(&fold.shelf()) {
            return Some(
                "another shelf lies in this folder than the one that you have seen here".to_owned(),
            );
        }
        let people: Vec<Recipient> = self.people().into_iter().chain(state.recipients()).collect();
        let lost = self.lacks(fold);
        if !lost.is_empty() {
            let lost: Vec<String> = lost
                .iter()
                .map(|(by, count)| {
                    let s = if *count == 1 { "" } else { "s" };
                    format!("{count} change{s} by {}", called(&people, Some(*by)))
                })
                .collect();
            return Some(format!(
                "the shelf went back: of the {} changes that you have seen {} are not in this folder",
                self.generation,
                lost.join(" and ")
            ));
        }
        let changes = self.readers(state);
        let by: BTreeSet<Option<Signer>> = changes.iter().map(|(by, _)| *by).collect();
        if changes.is_empty() || by == [Some(own)].into() {
            return None;
        }
        let who: Vec<String> = by.into_iter().map(|by| called(&people, by)).collect();
        let changes: Vec<String> = changes.into_iter().map(|(_, what)| what).collect();
        Some(format!(
            "who opens the shelf was changed, signed by {}: {}",
            who.join(" and "),
            changes.join("; ")
        ))
    }

    /// How many changes by whom were seen and are not there.
    fn lacks(&self, fold: &Fold) -> BTreeMap<Signer, u64> {
        let mut lost = BTreeMap::new();
        for (session, by, far) in &self.sessions {
            let gone = far.saturating_sub(fold.has(*session));
            if gone > 0 {
                *lost.entry(*by).or_default() += gone;
            }
        }
        lost
    }

    /// Who came and who went since, and by whom.
    fn readers(&self, state: &State) -> Vec<(Option<Signer>, String)> {
        let (now, before) = (state.recipients(), self.people());
        let people = state.people();
        let by = |one: &Recipient| people.last(&one.to_string());
        let mut said = Vec::new();
        for one in &now {
            match before.iter().find(|old| *old == one) {
                None => said.push((by(one), format!("{one} came"))),
                Some(old) if old.signer() != one.signer() => {
                    said.push((by(one), format!("{one} signs with another key")));
                }
                Some(_) => {}
            }
        }
        let gone = before.iter().filter(|old| !now.contains(old));
        said.extend(gone.map(|old| (by(old), format!("{old} went"))));
        said
    }
}
