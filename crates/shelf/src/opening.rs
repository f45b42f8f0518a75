//! Making a shelf, and opening one that goes on from what was seen of it.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use storymill_core::{Disk, Fault, FaultKind, Held, Hold};

use crate::{
    Access, Key, Pins, Private, Recipient, Shelf,
    before::INDEX,
    letter,
    loaded::Loaded,
    log::State,
    operation::Operation,
    people::Person,
    random,
    records::{LOG, RECORDS, SCRATCH, refuse_links},
};

/// The file of the shelf that says what it is: with a log, and as it was before.
pub(crate) const FORMAT: &str = "storymill shelf 3\n";
const FORMATS: [&str; 3] = [FORMAT, "storymill shelf 2\n", "storymill shelf 1\n"];

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
        Self::may_make(root, disk.as_ref())?;
        let made = |error| Fault::io("cannot make the shelf", root, error);
        refuse_links(root, disk.as_ref())?;
        for folder in [RECORDS, LOG] {
            disk.create_dir_all(&root.join(folder)).map_err(made)?;
        }
        let lock = lock(root, disk.as_ref(), Hold::TryAlone)?;
        let mut recipients = vec![key.recipient()];
        for other in others {
            if !recipients.contains(other) {
                recipients.push(other.clone());
            }
        }
        disk.put(&root.join("FORMAT"), &root.join("FORMAT.new"), FORMAT.as_bytes())
            .map_err(made)?;
        let mut shelf = Self::over(root, disk, key, Access::Change, Loaded::default())?;
        shelf.lock = Some(lock);
        shelf.stand().fold.after(Private::new(State {
            id: random::bytes()?,
            secret: random::bytes()?,
            canary: random::canary()?,
            founders: recipients.iter().map(Person::from).collect(),
            ..Default::default()
        }));
        shelf.change(|change| {
            change.adopts = true;
            Ok(())
        })?;
        Ok(shelf)
    }

    /// Refuses a folder that a shelf cannot be made in.
    ///
    /// # Errors
    ///
    /// The folder holds something, or the disk fails.
    pub fn may_make(root: &Path, disk: &dyn Disk) -> Result<(), Fault> {
        let made = |error| Fault::io("cannot make the shelf", root, error);
        // A run that was killed while it made the shelf leaves these, and no operation.
        let ours = ["FORMAT", "FORMAT.new", "lock", RECORDS, LOG, SCRATCH];
        let names = disk.list(root).map_err(made)?;
        let is_shelf = names.iter().any(|name| name == INDEX)
            || !disk.list(&root.join(LOG)).map_err(made)?.is_empty();
        if is_shelf || names.iter().any(|name| !ours.contains(&name.as_str())) {
            let there = if is_shelf {
                "there is a shelf in this folder already; it was left as it is"
            } else {
                "this folder is not empty; it was left as it is"
            };
            return Err(Fault::new(FaultKind::Input, there).at(root));
        }
        Ok(())
    }

    /// Opens a shelf, without a memory of what was seen of it before.
    ///
    /// # Errors
    ///
    /// There is none, the key is not of those it is sealed to, it is damaged, somebody else changes it, or the disk fails.
    pub fn open(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
    ) -> Result<Self, Fault> {
        Self::open_seen(root, disk, key, access, None)
    }

    /// Opens a shelf that must go on from what was seen of it.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); and the shelf went back, or is sealed to others than it was, and not by the holder of this key; or
    /// it is to be changed, somebody else has made it, and the holder of this key has neither changed nor
    /// [trusted](Self::trust) it yet.
    pub fn open_seen(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
        pins: impl Into<Option<Pins>>,
    ) -> Result<Self, Fault> {
        let pins = pins.into();
        check_format(root, disk.as_ref())?;
        let hold = if access == Access::Change { Hold::TryAlone } else { Hold::TryShared };
        let lock = lock(root, disk.as_ref(), hold)?;
        let seen = pins.as_ref().map(Pins::read).transpose()?.unwrap_or_default();
        let loaded = Loaded::of(root, disk.as_ref(), key, pins.as_ref(), &seen)?;
        let own = key.signing().signer();
        let (mut notes, mut pinned) = (loaded.notes(), None);
        if let Some(pins) = &pins {
            if let Some(departure) = loaded.departs(pins, &seen, own) {
                // What cannot be kept is refused all the same.
                drop(pins.refuse(&loaded.fold));
                return Err(Fault::new(FaultKind::Store, departure).at(root).hint(TRUST));
            }
            let pin = seen.of(&loaded.fold.shelf());
            if let Some(sight) = loaded.first_sight(&seen, own) {
                if access == Access::Change && !loaded.is_all_by(own) {
                    return Err(Fault::new(FaultKind::Store, sight).at(root).hint(COMPARE));
                }
                // Whoever only looks is told once; nothing is sealed to anybody.
                if pin.is_none() && !loaded.fold.is_unsigned {
                    notes.push(sight);
                }
            }
            let is_kept =
                pin.is_some_and(|pin| pins.is_kept(pin, &loaded.fold, access == Access::Change));
            pinned = is_kept.then(|| loaded.fold.changes());
        }
        if access == Access::Change {
            let people = loaded.fold.state.expose().recipients();
            if loaded.fold.is_unsigned {
                notes.push("nobody has signed this shelf yet: the next change signs it with your key; add the other maintainers again with their whole public keys (`storymill shelf init --key-only`), else they read and do not write".to_owned());
            } else if !people.iter().any(|one| one.signer() == Some(own)) {
                return Err(Fault::new(FaultKind::Input, "this key opens the shelf, and the shelf does not know its signatures")
                    .at(root)
                    .hint("give a maintainer all that `storymill shelf init --key-only` prints; `storymill shelf rekey --add` makes it known"));
            }
        }
        let mut shelf = Self::over(root, disk, key, access, loaded)?;
        (shelf.lock, shelf.pins, shelf.notes) = (Some(lock), pins, notes);
        shelf.stand().pinned = pinned;
        if access == Access::Change {
            refuse_links(root, shelf.disk.as_ref())?;
            let needed = |sealed: &[u8]| {
                let opened = letter::open(sealed, &shelf.key).ok()?;
                let one = Operation::parse("", opened.expose()).ok()?;
                (one.author == Some(own)).then(|| one.state.records.keys().cloned().collect())
            };
            if shelf.clear(needed)? {
                let loaded =
                    Loaded::of(root, shelf.disk.as_ref(), &shelf.key, shelf.pins.as_ref(), &seen)?;
                let stand = Mutex::new(loaded.stand(own));
                shelf.stand = stand;
            }
        }
        if let Err(fault) = shelf.pin() {
            shelf.notes.push(format!("{fault}: that the shelf goes back later may not be found"));
        }
        Ok(shelf)
    }

    fn over(
        root: &Path,
        disk: Arc<dyn Disk>,
        key: &Key,
        access: Access,
        loaded: Loaded,
    ) -> Result<Self, Fault> {
        let stand = Mutex::new(loaded.stand(key.signing().signer()));
        let (root, key, tag) = (root.to_owned(), key.clone(), u64::from_le_bytes(random::bytes()?));
        Ok(Self { root, disk, key, stand, access, tag, pins: None, notes: Vec::new(), lock: None })
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
        let (seen, own) = (pins.read()?, key.signing().signer());
        let loaded = Loaded::of(root, disk, key, Some(pins), &seen)?;
        Ok(loaded.departs(pins, &seen, own).or_else(|| loaded.first_sight(&seen, own)))
    }

    /// Takes a shelf as it lies for what was seen.
    pub fn trust(root: &Path, disk: &dyn Disk, key: &Key, pins: &Pins) -> Result<(), Fault> {
        check_format(root, disk)?;
        let _lock = lock(root, disk, Hold::TryShared)?;
        let loaded = Loaded::of(root, disk, key, Some(pins), &pins.read()?)?;
        pins.keep(&loaded.fold, true)
    }

    /// Remembers from now on what was seen, as [`open_seen`](Self::open_seen) does.
    pub fn remember(&mut self, pins: Pins) -> Result<(), Fault> {
        self.pins = Some(pins);
        self.pin()
    }

    /// What whoever opened the shelf should hear.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Keeps beside the key what was seen, where it has moved.
    pub(crate) fn pin(&self) -> Result<(), Fault> {
        let mut stand = self.stand();
        let changes = stand.fold.changes();
        if let (Some(pins), false) = (&self.pins, stand.fold.is_unsigned)
            && stand.pinned != Some(changes)
        {
            pins.keep(&stand.fold, self.access == Access::Change)?;
            stand.pinned = Some(changes);
        }
        Ok(())
    }
}

const COMPARE: &str = "nothing was changed; compare these keys with those that the others give you themselves (`storymill shelf init --key-only`), then `storymill shelf rekey --trust`";

const TRUST: &str = "nothing was changed; ask the others, put the right files back, or take the shelf as it lies: `storymill shelf rekey --trust`";

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
    // Operations themselves say whether they are signed: this file is not sealed.
    if FORMATS.iter().any(|known| format == known.as_bytes()) {
        return Ok(());
    }
    let message = "this shelf has a format that this version does not know";
    Err(Fault::new(FaultKind::Store, message)
        .at(root)
        .hint("use a newer storymill; nothing was changed"))
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
