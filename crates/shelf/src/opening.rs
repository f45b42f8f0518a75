//! Making a shelf, and opening one that goes on from what was seen of it.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use storymill_core::{Disk, Fault, FaultKind, Held, Hold};

use crate::{
    Access, Key, Pins, Private, Recipient, Shelf,
    index::{FORMAT, Index, UNSIGNED_FORMAT, Unfit},
    journal::JOURNAL,
    random,
    records::{damaged, refuse_links},
    seal::{self, Closed},
    seen::{Pin, Seen},
    shelf::State,
};

impl Shelf {
    /// Makes a shelf in a folder that is empty or not there, for the holder of the key and others.
    ///
    /// # Errors
    ///
    /// The folder holds something, or the disk fails.
    pub fn make(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        others: &[Recipient],
    ) -> Result<Self, Fault> {
        let made = |error| Fault::io("cannot make the shelf", root, error);
        // A run that was killed while it made the shelf leaves these, and no index.
        let ours = ["FORMAT", "lock", "records", "index.new", JOURNAL];
        let names = disk.list(root).map_err(made)?;
        if names.iter().any(|name| !ours.contains(&name.as_str())) {
            let there = if names.iter().any(|name| name == "index") {
                "there is a shelf in this folder already; it was left as it is"
            } else {
                "this folder is not empty; it was left as it is"
            };
            return Err(Fault::new(FaultKind::Input, there).at(root));
        }
        refuse_links(root, disk.as_ref())?;
        disk.create_dir_all(&root.join("records")).map_err(made)?;
        let lock = lock(root, disk.as_ref(), Hold::TryAlone)?;
        let mut recipients = vec![key.recipient()];
        for other in others {
            if !recipients.contains(other) {
                recipients.push(other.clone());
            }
        }
        let mut index = Index {
            id: random::bytes()?,
            generation: 0,
            sessions: Vec::new(),
            secret: random::bytes()?,
            maintainers: Vec::new(),
            canary: random::canary()?,
            files: std::collections::BTreeMap::new(),
        };
        index.seal_to(&recipients);
        let tag = u64::from_le_bytes(random::bytes()?);
        index.step(tag, key.signing().signer());
        disk.put(&root.join("FORMAT"), &root.join("index.new"), FORMAT.as_bytes()).map_err(made)?;
        let index = Private::new(index);
        let state = State { index, sealed: [0; 32], pinned: None, is_signed: true };
        let shelf = Self {
            root: root.to_owned(),
            disk,
            key: key.clone(),
            state: Mutex::new(state),
            access: Access::Change,
            tag,
            pins: None,
            here: String::new(),
            notes: Vec::new(),
            _lock: Some(lock),
        };
        let mut state = shelf.state();
        let (bytes, digest) = shelf.sealed(state.index.expose())?;
        shelf.write_index(&bytes).map_err(|(fault, _)| fault)?;
        state.sealed = digest;
        drop(state);
        Ok(shelf)
    }

    /// Opens a shelf, without a memory of what was seen of it before.
    ///
    /// # Errors
    ///
    /// There is none, the key is not of those it is sealed to, it is damaged or forged, somebody else changes it, or the
    /// disk fails.
    pub fn open(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
    ) -> Result<Self, Fault> {
        Self::open_with(root, disk, key, access, None)
    }

    /// Opens a shelf that must go on from what was seen of it.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); and the shelf went back, was changed apart from what was seen, or is sealed to others than
    /// it was, and not by the holder of this key; or it is to be changed, somebody else has made it, and the holder of this key
    /// has neither changed nor [trusted](Self::trust) it yet.
    pub fn open_seen(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
        pins: Pins,
    ) -> Result<Self, Fault> {
        Self::open_with(root, disk, key, access, Some(pins))
    }

    fn open_with(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
        pins: Option<Pins>,
    ) -> Result<Self, Fault> {
        check_format(root, disk.as_ref())?;
        let hold = if access == Access::Change { Hold::TryAlone } else { Hold::TryShared };
        let lock = lock(root, disk.as_ref(), hold)?;
        let loaded = Loaded::of(root, disk.as_ref(), key)?;
        let (mut notes, mut here, mut pinned) = (Vec::new(), String::new(), None);
        let own = key.signing().signer();
        if let Some(pins) = &pins {
            let seen = pins.read()?;
            if let Some(departure) = loaded.departs(pins, &seen, own) {
                // What cannot be kept is refused all the same.
                drop(pins.refuse(&loaded.index, loaded.signer));
                return Err(Fault::new(FaultKind::Store, departure).at(root).hint(TRUST));
            }
            let pin = seen.of(&loaded.index);
            if let Some(sight) = loaded.first_sight(pin, own)? {
                if access == Access::Change && loaded.signer != Some(own) {
                    return Err(Fault::new(FaultKind::Store, sight).at(root).hint(COMPARE));
                }
                // Whoever only looks is told once; nothing is sealed to anybody.
                if pin.is_none() && loaded.signer.is_some() {
                    notes.push(sight);
                }
            }
            let is_kept = |pin: &&Pin| pins.is_kept(pin, &loaded.index, access == Access::Change);
            pinned = pin.filter(is_kept).map(|_| loaded.index.generation);
            here.clone_from(&seen.here);
        }
        if access == Access::Change {
            let own = key.recipient();
            match loaded.signer {
                None => notes.push("nobody has signed this shelf yet: the next change signs it with your key, and older versions of storymill open it no longer; add the other maintainers again with their whole public keys (`storymill shelf init --key-only`), else they read and do not write".to_owned()),
                Some(_) if loaded.index.recipients()?.iter().any(|one| one.signer() == own.signer()) => {}
                Some(_) => {
                    return Err(Fault::new(FaultKind::Input, "this key opens the shelf, and the shelf does not know its signatures")
                        .at(root)
                        .hint("give a maintainer all that `storymill shelf init --key-only` prints; `storymill shelf rekey --add` makes it known"));
                }
            }
        }
        let state = State {
            is_signed: loaded.signer.is_some(),
            index: Private::new(loaded.index),
            sealed: loaded.sealed,
            pinned,
        };
        let mut shelf = Self {
            root: root.to_owned(),
            disk,
            key: key.clone(),
            state: Mutex::new(state),
            access,
            tag: u64::from_le_bytes(random::bytes()?),
            pins,
            here,
            notes,
            _lock: Some(lock),
        };
        if access == Access::Change {
            refuse_links(root, shelf.disk.as_ref())?;
            shelf.clear()?;
        }
        if let Err(fault) = shelf.pin() {
            shelf.notes.push(format!("{fault}: that the shelf goes back later may not be found"));
        }
        Ok(shelf)
    }

    /// In what a shelf departs from what was seen of it, in words; none if it only went on.
    pub fn departure(
        root: &Path,
        disk: &dyn Disk,
        key: &Key,
        pins: &Pins,
    ) -> Result<Option<String>, Fault> {
        check_format(root, disk)?;
        let _lock = lock(root, disk, Hold::TryShared)?;
        let loaded = Loaded::of(root, disk, key)?;
        let (seen, own) = (pins.read()?, key.signing().signer());
        match loaded.departs(pins, &seen, own) {
            None => loaded.first_sight(seen.of(&loaded.index), own),
            departure => Ok(departure),
        }
    }

    /// Takes a shelf as it lies for what was seen.
    pub fn trust(root: &Path, disk: &dyn Disk, key: &Key, pins: &Pins) -> Result<(), Fault> {
        check_format(root, disk)?;
        let _lock = lock(root, disk, Hold::TryShared)?;
        let loaded = Loaded::of(root, disk, key)?;
        pins.keep(&loaded.index, true)
    }

    /// Remembers from now on what was seen, as [`open_seen`](Self::open_seen) does.
    pub fn remember(&mut self, pins: Pins) -> Result<(), Fault> {
        self.here = pins.read()?.here;
        self.pins = Some(pins);
        self.pin()
    }

    /// What whoever opened the shelf should hear.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Keeps beside the key what was seen, where it has moved.
    pub(crate) fn pin(&self) -> Result<(), Fault> {
        let mut state = self.state();
        let index = state.index.expose();
        let generation = index.generation;
        if let (Some(pins), true) = (&self.pins, state.is_signed)
            && state.pinned != Some(generation)
        {
            pins.keep(index, self.access == Access::Change)?;
            state.pinned = Some(generation);
        }
        Ok(())
    }
}

const COMPARE: &str = "nothing was changed; compare these keys with those that the others give you themselves (`storymill shelf init --key-only`), then `storymill shelf rekey --trust`";

const TRUST: &str = "nothing was changed; ask the others, put the right folder back, or take it as it lies: `storymill shelf rekey --trust`";

/// An index that was read.
struct Loaded {
    index: Index,
    signer: Option<crate::Signer>,
    sealed: [u8; 32],
}

impl Loaded {
    fn of(root: &Path, disk: &dyn Disk, key: &Key) -> Result<Self, Fault> {
        let path = root.join("index");
        let sealed = disk.read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => damaged(&path, "is missing"),
            _ => Fault::io("cannot read the shelf's index", &path, error),
        })?;
        let opened = seal::open(&sealed, key).map_err(|closed| match closed {
            Closed::OtherKey => Fault::new(FaultKind::Input, "this key does not open the shelf")
                .at(root)
                .hint("it was never added, or it was removed; a maintainer adds it: `storymill shelf rekey --add PUBLIC-KEY`"),
            Closed::Damaged => damaged(&path, "is damaged or cut off"),
        })?;
        let (index, signer) = Index::parse(opened.expose()).map_err(|unfit| match unfit {
            Unfit::Damaged => damaged(&path, "is damaged"),
            Unfit::Forged => Fault::new(
                FaultKind::Store,
                "the shelf's index is not signed by a maintainer: somebody else has written it",
            )
            .at(&path)
            .hint("put the shelf's folder back from a copy; nothing was changed"),
        })?;
        Ok(Self { index, signer, sealed: *blake3::hash(&sealed).as_bytes() })
    }

    fn departs(&self, pins: &Pins, seen: &Seen, own: crate::Signer) -> Option<String> {
        let id = random::hex(&self.index.id);
        pins.of(seen, &id).find_map(|pin| pin.departs(&self.index, self.signer, own))
    }

    /// Whose shelf it is, where the holder of the key has neither changed nor trusted it yet, as a message.
    fn first_sight(&self, pin: Option<&Pin>, own: crate::Signer) -> Result<Option<String>, Fault> {
        if pin.is_some_and(Pin::is_trusted) {
            return Ok(None);
        }
        let (all, generation) = (self.index.recipients()?, self.index.generation);
        let keys = told(&all);
        if self.signer == Some(own) {
            return Ok(Some(format!(
                "nothing is remembered of this shelf; its last change, {generation}, is yours: if you have made later ones, this \
                 is an older copy. It is sealed to {keys}"
            )));
        }
        let by = self.signer.map_or_else(
            || "nobody has signed it".to_owned(),
            |signer| {
                let by = all.iter().find(|one| one.signer() == Some(signer));
                let by = by.map_or_else(|| signer.to_string(), ToString::to_string);
                format!("the last change is signed by {by}")
            },
        );
        let so_far = match pin {
            None => "this key opens the shelf for the first time",
            Some(_) => "this key has only looked at the shelf so far",
        };
        Ok(Some(format!("{so_far}; it is sealed to {keys}; {by}")))
    }
}

fn check_format(root: &Path, disk: &dyn Disk) -> Result<(), Fault> {
    let format = match disk.read(&root.join("FORMAT")) {
        Ok(format) => format,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Fault::new(FaultKind::Input, "there is no shelf in this folder")
                .at(root)
                .hint("`storymill shelf init` makes one; `--shelf DIR` names another"));
        }
        Err(error) => return Err(Fault::io("cannot read the shelf", root, error)),
    };
    // The index itself says whether it is signed: this file is not sealed.
    if [FORMAT, UNSIGNED_FORMAT].iter().any(|known| format == known.as_bytes()) {
        return Ok(());
    }
    let message = "this shelf has a format that this version does not know";
    Err(Fault::new(FaultKind::Store, message)
        .at(root)
        .hint("use a newer storymill; nothing was changed"))
}

/// The public keys, one after the other.
fn told(recipients: &[Recipient]) -> String {
    recipients.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn lock(root: &Path, disk: &dyn Disk, hold: Hold) -> Result<Box<dyn Held>, Fault> {
    let lock = disk
        .lock(&root.join("lock"), hold)
        .map_err(|error| Fault::io("cannot lock the shelf", root, error))?;
    lock.ok_or_else(|| {
        Fault::new(FaultKind::Again, "somebody else has the shelf open")
            .at(root)
            .hint("wait for it to end and run the same command again")
    })
}
