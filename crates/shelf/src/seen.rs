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
    random,
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
    /// Whole public keys.
    maintainers: Vec<String>,
    sessions: Sessions,
    /// Whether its owner has changed it or taken it as it lies, and not only looked.
    #[serde(default = "yes")]
    trusted: bool,
    /// What maintainers made of it that its owner was told of and has not taken yet: who left in it does not come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<(u64, Sessions)>,
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
    pub(crate) fn of(&self, state: &State) -> Option<&Pin> {
        let id = random::hex(&state.id);
        self.shelves.iter().find(|pin| pin.id == id)
    }

    /// The maintainers of a shelf whom its owner knows.
    pub(crate) fn roots(&self, id: &str) -> BTreeSet<Signer> {
        let pin = self.shelves.iter().find(|pin| pin.id == id);
        pin.map(|pin| pin.people().iter().filter_map(Recipient::signer).collect())
            .unwrap_or_default()
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

    fn is_here(&self, pin: &Pin) -> bool {
        pin.folders.iter().any(|name| self.folders.contains(name))
    }

    /// The shelf that was seen in this folder, if it is one of those that lie there.
    pub(crate) fn here(&self, seen: &Seen, lies: impl Fn(&String) -> bool) -> Option<String> {
        let mut here = seen.shelves.iter().filter(|pin| self.is_here(pin));
        here.find(|pin| lies(&pin.id)).map(|pin| pin.id.clone())
    }

    /// What was seen of shelves in this folder, under any of its names, and of the shelf with this id: another shelf first.
    pub(crate) fn of<'s>(&'s self, seen: &'s Seen, id: &'s str) -> impl Iterator<Item = &'s Pin> {
        let others = seen.shelves.iter().filter(move |pin| pin.id != id && self.is_here(pin));
        others.chain(seen.shelves.iter().filter(move |pin| pin.id == id))
    }

    /// Whether a shelf is kept just as it is, under each name of the folder.
    pub(crate) fn is_kept(&self, pin: &Pin, fold: &Fold, trusted: bool) -> bool {
        let is_named = self.folders.iter().all(|name| pin.folders.contains(name));
        let is_at = pin.sessions == sessions(fold);
        is_named && is_at && (pin.trusted || !trusted) && pin.refused.is_none()
    }

    /// Keeps a shelf as it is now; whether it is trusted from now on, or as much as it was.
    pub(crate) fn keep(&self, fold: &Fold, trusted: bool) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = random::hex(&fold.state.expose().id);
        let (mut folders, mut trusted) = (self.folders.clone(), trusted);
        for pin in &mut seen.shelves {
            pin.folders.retain(|folder| !self.folders.contains(folder));
            if pin.id == id {
                folders.append(&mut pin.folders);
                trusted |= pin.trusted;
            }
        }
        seen.shelves.retain(|pin| pin.id != id);
        folders.sort();
        folders.dedup();
        let maintainers = fold.state.expose().recipients().iter().map(Recipient::whole).collect();
        let (generation, sessions) = (fold.changes(), sessions(fold));
        let refused = None;
        seen.shelves.push(Pin { id, folders, generation, maintainers, sessions, trusted, refused });
        seen.shelves.sort_by(|a, b| a.id.cmp(&b.id));
        self.write(&seen)
    }

    /// Keeps what was refused, where maintainers have made it of what was seen: an older copy that is put in its place is
    /// refused too.
    pub(crate) fn refuse(&self, fold: &Fold) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = random::hex(&fold.state.expose().id);
        let pin = seen.shelves.iter_mut().find(|pin| pin.id == id);
        let goes_on = |pin: &&mut Pin| pin.lacks(fold).is_empty();
        let Some(pin) = pin.filter(goes_on) else { return Ok(()) };
        let refused = Some((fold.changes(), sessions(fold)));
        if pin.refused == refused {
            return Ok(());
        }
        pin.refused = refused;
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
    /// Whether its owner has changed the shelf, or has taken it as it lies.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted
    }

    fn people(&self) -> Vec<Recipient> {
        self.maintainers.iter().filter_map(|whole| whole.parse().ok()).collect()
    }

    /// In what a shelf departs from what was seen, as a message; none if it only went on.
    pub(crate) fn departs(&self, fold: &Fold, is_unsigned: bool, own: Signer) -> Option<String> {
        let state = fold.state.expose();
        if is_unsigned && !self.sessions.is_empty() {
            return Some("the shelf was signed when you saw it last, and now it is not: it was put back from before, or forged".to_owned());
        }
        if random::hex(&state.id) != self.id {
            return Some(
                "another shelf lies in this folder than the one that you have seen here".to_owned(),
            );
        }
        let lost = self.lacks(fold);
        if !lost.is_empty() {
            let seen = self
                .refused
                .as_ref()
                .map_or(self.generation, |(seen, _)| self.generation.max(*seen));
            let people: Vec<Recipient> =
                self.people().into_iter().chain(state.recipients()).collect();
            let lost: Vec<String> = lost
                .iter()
                .map(|(by, count)| {
                    let s = if *count == 1 { "" } else { "s" };
                    format!("{count} change{s} by {}", called(&people, Some(*by)))
                })
                .collect();
            return Some(format!(
                "the shelf went back: of the {seen} changes that you have seen {} are not in this folder",
                lost.join(" and ")
            ));
        }
        let changes = self.readers(state);
        let by: BTreeSet<Option<Signer>> = changes.iter().map(|(by, _)| *by).collect();
        if changes.is_empty() || by == [Some(own)].into() {
            return None;
        }
        let people: Vec<Recipient> = self.people().into_iter().chain(state.recipients()).collect();
        let who: Vec<String> = by.into_iter().map(|by| called(&people, by)).collect();
        let changes: Vec<String> = changes.into_iter().map(|(_, what)| what).collect();
        Some(format!(
            "who opens the shelf was changed, signed by {}: {}",
            who.join(" and "),
            changes.join("; ")
        ))
    }

    /// How many changes by whom were seen, or refused, and are not there.
    fn lacks(&self, fold: &Fold) -> BTreeMap<Signer, u64> {
        let refused = self.refused.iter().flat_map(|(_, sessions)| sessions);
        let mut seen = BTreeMap::<u64, (Signer, u64)>::new();
        for (session, by, far) in self.sessions.iter().chain(refused) {
            let one = seen.entry(*session).or_insert((*by, *far));
            one.1 = one.1.max(*far);
        }
        let mut lost = BTreeMap::new();
        for (session, (by, far)) in seen {
            let gone = far.saturating_sub(fold.has(session));
            if gone > 0 {
                *lost.entry(by).or_default() += gone;
            }
        }
        lost
    }

    /// Who came and who went since, and by whom.
    fn readers(&self, state: &State) -> Vec<(Option<Signer>, String)> {
        let (now, before) = (state.recipients(), self.people());
        let by = |one: &Recipient| {
            let said = state.people.get(&one.to_string());
            let last = said.and_then(|said| said.keys().next_back());
            last.and_then(|id| state.author(id.session))
        };
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
