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

/// The file beside a key, and the folder of the shelf that is opened.
#[derive(Clone, Debug)]
pub struct Pins {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    folder: String,
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
    sessions: Vec<(u64, Signer, u64)>,
}

/// The file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Tells this place from others that the shelf may be copied to.
    pub(crate) here: String,
    shelves: Vec<Pin>,
}

impl Pins {
    /// What is kept in the file `path` of the shelf that lies in `folder`, a whole path. The file should lie beside the private
    /// key: whoever writes it decides what was seen.
    pub fn new(disk: Arc<dyn Disk>, path: PathBuf, folder: &Path) -> Self {
        Self { disk, path, folder: folder.to_string_lossy().into_owned() }
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

    /// What was seen of the shelf in this folder, and what of the shelf with this id.
    pub(crate) fn of<'s>(&self, seen: &'s Seen, id: &str) -> (Option<&'s Pin>, Option<&'s Pin>) {
        let here = seen.shelves.iter().find(|pin| pin.folders.contains(&self.folder));
        (here, seen.shelves.iter().find(|pin| pin.id == id))
    }

    /// Forgets what was seen of the shelf in this folder.
    pub(crate) fn forget(&self) -> Result<(), Fault> {
        let mut seen = self.read()?;
        for pin in &mut seen.shelves {
            pin.folders.retain(|folder| *folder != self.folder);
        }
        self.write(&seen)
    }

    /// Keeps a shelf as it is now.
    pub(crate) fn keep(&self, index: &Index) -> Result<(), Fault> {
        let mut seen = self.read()?;
        let id = random::hex(&index.id);
        let mut folders = vec![self.folder.clone()];
        for pin in &mut seen.shelves {
            pin.folders.retain(|folder| *folder != self.folder);
            if pin.id == id {
                folders.append(&mut pin.folders);
            }
        }
        seen.shelves.retain(|pin| pin.id != id);
        folders.sort();
        let sessions = index.sessions.iter().map(|one| (one.tag, one.by, one.last)).collect();
        let maintainers = index.recipients()?.iter().map(Recipient::whole).collect();
        let generation = index.generation;
        seen.shelves.push(Pin { id, folders, generation, maintainers, sessions });
        seen.shelves.sort_by(|a, b| a.id.cmp(&b.id));
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

impl Pin {
    fn sessions(&self) -> impl Iterator<Item = Session> + '_ {
        self.sessions.iter().map(|(tag, by, last)| Session { tag: *tag, by: *by, last: *last })
    }

    pub(crate) fn is_at(&self, index: &Index) -> bool {
        self.generation == index.generation
            && self.sessions().last() == index.sessions.last().copied()
    }

    /// In what a shelf departs from what was seen, as a message; none if it only went on.
    pub(crate) fn departs(&self, index: &Index, by: Option<Signer>, own: Signer) -> Option<String> {
        let Some(by) = by else {
            return Some("the shelf was signed when you saw it last, and now it is not: it was put back from before, or forged".to_owned());
        };
        if random::hex(&index.id) != self.id {
            return Some(
                "another shelf lies in this folder than the one that you have seen here".to_owned(),
            );
        }
        let theirs: Vec<Session> = self.sessions().collect();
        if !continues(&theirs, self.generation, &index.sessions) {
            return Some(self.lost(index, &theirs));
        }
        let changes = self.readers(index);
        if changes.is_empty() || by == own {
            return None;
        }
        let who = self.name(index, by);
        Some(format!("who opens the shelf was changed, signed by {who}: {}", changes.join("; ")))
    }

    /// Why the shelf is not what was seen and what came after.
    fn lost(&self, index: &Index, seen: &[Session]) -> String {
        let common = common(seen, &index.sessions);
        let missing = self.after(index, seen, common);
        if continues(&index.sessions, index.generation, seen) {
            return format!(
                "the shelf went back: you have seen change {}, and this is change {}; missing are {missing}",
                self.generation, index.generation
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
