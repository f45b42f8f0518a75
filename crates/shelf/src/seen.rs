//! What a maintainer has seen of shelves, kept beside the private key: whoever writes the folder cannot go back, nor
//! let others in, without its being told.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use storymill_core::{Disk, Fault, FaultKind};

use crate::{
    Recipient, Signer,
    index::{Index, Session},
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
    /// What a maintainer made of it that its owner was told of and has not taken yet: who left in it does not come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<(u64, Sessions)>,
}

type Sessions = Vec<(u64, Signer, u64)>;

// Files from before say nothing of it: their shelves were changed and looked at alike.
fn yes() -> bool {
    true
}

/// The file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Tells this place from others that the shelf may be copied to.
    pub(crate) here: String,
    shelves: Vec<Pin>,
}

impl Seen {
    /// What was seen of a shelf, wherever it lies.
    pub(crate) fn of(&self, index: &Index) -> Option<&Pin> {
        let id = random::hex(&index.id);
        self.shelves.iter().find(|pin| pin.id == id)
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
                return Ok(Seen { here: random::hex(&random::bytes::<8>()?), shelves: Vec::new() });
            }
            Err(error) => return Err(Fault::io("cannot read what was seen", &self.path, error)),
        };
        serde_json::from_slice(&bytes).map_err(|_| {
            Fault::new(FaultKind::Store, "what was seen of shelves cannot be read")
                .at(&self.path)
                .hint("put the file back from a copy; without it the next opening takes the shelf as it lies")
        })
    }

    /// What was seen of shelves in this folder, under any of its names, and of the shelf with this id: another shelf first.
    pub(crate) fn of<'s>(&'s self, seen: &'s Seen, id: &'s str) -> impl Iterator<Item = &'s Pin> {
        let is_here = |pin: &&Pin| pin.folders.iter().any(|name| self.folders.contains(name));
        let others = seen.shelves.iter().filter(move |pin| pin.id != id).filter(is_here);
        others.chain(seen.shelves.iter().filter(move |pin| pin.id == id))
    }

    /// Whether a shelf is kept just as it is, under each name of the folder.
    pub(crate) fn is_kept(&self, pin: &Pin, index: &Index, trusted: bool) -> bool {
        let is_named = self.folders.iter().all(|name| pin.folders.contains(name));
        is_named && pin.is_at(index) && (pin.trusted || !trusted) && pin.refused.is_none()
    }

    /// Keeps a shelf as it is now; whether it is trusted from now on, or as much as it was.
    pub(crate) fn keep(&self, index: &Index, trusted: bool) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = random::hex(&index.id);
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
        let maintainers = index.recipients()?.iter().map(Recipient::whole).collect();
        let (generation, sessions) = (index.generation, sessions(index));
        let refused = None;
        seen.shelves.push(Pin { id, folders, generation, maintainers, sessions, trusted, refused });
        seen.shelves.sort_by(|a, b| a.id.cmp(&b.id));
        self.write(&seen)
    }

    /// Keeps what was refused, where a maintainer has made it of what was seen: an older copy that is put in its place is
    /// refused too.
    pub(crate) fn refuse(&self, index: &Index, by: Option<Signer>) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = random::hex(&index.id);
        let pin = seen.shelves.iter_mut().find(|pin| pin.id == id);
        let goes_on = |pin: &&mut Pin| {
            pin.is_by_maintainer(by) && pin.is_before(index) && pin.is_refused_before(index)
        };
        let Some(pin) = pin.filter(goes_on) else { return Ok(()) };
        let refused = Some((index.generation, sessions(index)));
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

fn sessions(index: &Index) -> Sessions {
    index.sessions.iter().map(|one| (one.tag, one.by, one.last)).collect()
}

fn told(sessions: &Sessions) -> Vec<Session> {
    sessions.iter().map(|(tag, by, last)| Session { tag: *tag, by: *by, last: *last }).collect()
}

impl Pin {
    /// Whether its owner has changed the shelf, or has taken it as it lies.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trusted
    }

    fn is_at(&self, index: &Index) -> bool {
        self.generation == index.generation && told(&self.sessions).last() == index.sessions.last()
    }

    /// Whether a shelf goes on from what was seen.
    fn is_before(&self, index: &Index) -> bool {
        continues(&told(&self.sessions), self.generation, &index.sessions)
    }

    /// Whether it goes on from what was refused last, if anything was.
    fn is_refused_before(&self, index: &Index) -> bool {
        self.refused.as_ref().is_none_or(|(generation, sessions)| {
            continues(&told(sessions), *generation, &index.sessions)
        })
    }

    /// Whether one of those signs who were maintainers when the shelf was seen.
    fn is_by_maintainer(&self, by: Option<Signer>) -> bool {
        let mut all = self.maintainers.iter().filter_map(|whole| whole.parse::<Recipient>().ok());
        by.is_some() && all.any(|one| one.signer() == by)
    }

    /// In what a shelf departs from what was seen, as a message; none if it only went on.
    pub(crate) fn departs(&self, index: &Index, by: Option<Signer>, own: Signer) -> Option<String> {
        if by.is_none() && !self.sessions.is_empty() {
            return Some("the shelf was signed when you saw it last, and now it is not: it was put back from before, or forged".to_owned());
        }
        if random::hex(&index.id) != self.id {
            return Some(
                "another shelf lies in this folder than the one that you have seen here".to_owned(),
            );
        }
        if !self.is_before(index) {
            return Some(self.lost(index, self.generation, &told(&self.sessions)));
        }
        if let Some((generation, refused)) = &self.refused
            && !self.is_refused_before(index)
        {
            return Some(self.lost(index, *generation, &told(refused)));
        }
        let by = by?;
        let changes = self.readers(index);
        if changes.is_empty() || by == own {
            return None;
        }
        let who = self.name(index, by);
        Some(format!("who opens the shelf was changed, signed by {who}: {}", changes.join("; ")))
    }

    /// Why the shelf is not what was seen and what came after.
    fn lost(&self, index: &Index, generation: u64, seen: &[Session]) -> String {
        let common = common(seen, &index.sessions);
        let missing = self.after(index, seen, common);
        if continues(&index.sessions, index.generation, seen) {
            return format!(
                "the shelf went back: you have seen change {generation}, and this is change {}; missing are {missing}",
                index.generation
            );
        }
        let since = self.after(index, &index.sessions, common);
        format!(
            "two copies of the shelf were changed apart after change {common}: you have seen {missing}, which are not in this folder; it has {since} \
             instead. They cannot be joined: each index names every record of the whole shelf, and neither knows the other's"
        )
    }

    /// Whose changes came after one, and how many.
    fn after(&self, index: &Index, sessions: &[Session], after: u64) -> String {
        let (mut counts, mut from) = (Vec::<(Signer, u64)>::new(), after);
        for session in sessions.iter().filter(|session| session.last > after) {
            let count = session.last - from;
            from = session.last;
            match counts.iter_mut().find(|(by, _)| *by == session.by) {
                Some((_, all)) => *all += count,
                None => counts.push((session.by, count)),
            }
        }
        let told = counts.iter().map(|(by, count)| {
            let s = if *count == 1 { "" } else { "s" };
            format!("{count} change{s} by {}", self.name(index, *by))
        });
        told.collect::<Vec<_>>().join(" and ")
    }

    /// The maintainer whose signatures a key checks.
    fn name(&self, index: &Index, signer: Signer) -> String {
        let seen = self.maintainers.iter().filter_map(|whole| whole.parse::<Recipient>().ok());
        let mut all = seen.chain(index.recipients().unwrap_or_default());
        all.find(|one| one.signer() == Some(signer))
            .map_or_else(|| format!("the unknown key {signer}"), |one| one.to_string())
    }

    /// Who came and who went since.
    fn readers(&self, index: &Index) -> Vec<String> {
        let now = index.recipients().unwrap_or_default();
        let before: Vec<Recipient> =
            self.maintainers.iter().filter_map(|whole| whole.parse().ok()).collect();
        let mut said = Vec::new();
        for one in &now {
            match before.iter().find(|old| *old == one) {
                None => said.push(format!("{one} came")),
                Some(old) if old.signer() != one.signer() => {
                    said.push(format!("{one} signs with another key"));
                }
                Some(_) => {}
            }
        }
        said.extend(
            before.iter().filter(|old| !now.contains(old)).map(|old| format!("{old} went")),
        );
        said
    }
}

/// Whether sessions go on from others that had come to a generation.
fn continues(from: &[Session], generation: u64, sessions: &[Session]) -> bool {
    let Some(last) = from.last() else { return true };
    sessions.iter().any(|one| one.tag == last.tag && one.last >= generation)
}

/// The last generation that both have.
fn common(a: &[Session], b: &[Session]) -> u64 {
    let shared = a.iter().filter_map(|one| {
        let other = b.iter().find(|other| other.tag == one.tag)?;
        Some(one.last.min(other.last))
    });
    shared.max().unwrap_or(0)
}
