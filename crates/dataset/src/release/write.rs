//! Writing a release: beside its place first, then moved there in one step.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use storymill_core::{Disk, Fault, FaultKind};
use storymill_disk::most;

use super::{
    CHANGELOG, Candidate, ERRATA, Examined, Released, citation, croissant, hub,
    responsible::Responsible,
};
use crate::{
    check::{Depth, check},
    folder::change,
    hashed::Hashed,
    manifest::{Document, Listed, MANIFEST, Manifest, Release},
    site::Site,
    table::Tables,
};

/// What a folder of releases shows to git: the locks, not the data.
const IGNORE: (&str, &str) =
    (".gitignore", "# Data is released elsewhere. The locks beside it belong to the code.\n/*/\n");

const GIT_ATTRIBUTES: &str = ".gitattributes";

/// Bytes stay as they are, so that digests hold after a checkout anywhere; tables go to large
/// file storage, as the Hugging Face Hub wants them.
const ATTRIBUTES: &str = "* -text\n*.parquet filter=lfs diff=lfs merge=lfs -text\n";

impl Examined<'_> {
    /// Writes the release into `releases`, as `NAME-VERSION`, with its lock beside it.
    ///
    /// # Errors
    ///
    /// Something speaks against it; that version was released before; the disk fails. Nothing
    /// half is left in its place, and what was there stays.
    pub fn write(
        &self,
        tables: &Tables,
        disk: &dyn Disk,
        releases: &Path,
    ) -> Result<Released, Fault> {
        if let Some(objection) = self.objections.first() {
            return Err(Fault::new(FaultKind::Internal, objection.what.clone()));
        }
        let name = may_release(&self.manifest, releases)?;
        let folder = releases.join(&name);
        let lock = releases.join(format!("{name}.lock"));
        let locked = storymill_disk::read(
            &self.candidate.folder.join(&self.manifest.lock.path),
            most::RECORD,
        );
        let locked = locked.map_err(|error| Fault::io("cannot read the lock", &lock, error))?;
        if let Ok(known) = storymill_disk::read(&lock, most::RECORD)
            && known != locked
        {
            let message = "this version was released before from another build";
            return Err(Fault::new(FaultKind::Store, message)
                .at(lock)
                .hint("raise `version` in the workflow and build again"));
        }
        let scratch = releases.join(format!(".{name}.tmp"));
        sweep(&scratch)?;
        let written = self.fill(tables, disk, &scratch);
        if written.is_err() {
            // The fault that led here is the one to be told.
            let _ = sweep(&scratch);
        }
        let (manifest, missing) = written?;
        let ignore = releases.join(IGNORE.0);
        if !ignore.exists() {
            change(&ignore, |path| disk.put(path, &scratch.join("ignore"), IGNORE.1.as_bytes()))?;
        }
        change(&lock, |path| disk.put(path, &scratch.join("lock"), &locked))?;
        change(&folder, |to| disk.rename(&scratch, to))?;
        change(releases, |path| disk.sync_dir(path))?;
        Ok(Released { folder, lock, manifest, missing })
    }

    /// The documents of the release, in the order of the manifest.
    fn documents(
        &self,
        tables: &Tables,
        responsible: &Responsible,
    ) -> Result<Vec<(String, Vec<u8>)>, Fault> {
        let Candidate { folder, words, records, .. } = &self.candidate;
        let (own, date) = (&self.manifest, &self.date);
        let croissant = croissant::render(folder, own, words, tables, records, responsible, date)?;
        let documents = vec![
            (GIT_ATTRIBUTES, ATTRIBUTES.as_bytes().to_vec()),
            (CHANGELOG, self.changelog.clone().into_bytes()),
            (citation::CITATION, citation::render(&self.manifest, words, &self.date).into_bytes()),
            (ERRATA, self.errata.to_bytes()),
            (croissant::CROISSANT, croissant.into_bytes()),
        ];
        Ok(documents.into_iter().map(|(path, bytes)| (path.to_owned(), bytes)).collect())
    }

    fn released(&self, card: &[u8], documents: &[(String, Vec<u8>)]) -> Manifest {
        let documents = documents.iter().map(|(path, bytes)| Document::of(path, bytes)).collect();
        let (date, previous) = (self.date.clone(), self.previous.clone());
        Manifest {
            format: Manifest::current_format(),
            release: Some(Release { date, previous, documents }),
            card: Document::of(&self.manifest.card.path, card),
            ..self.manifest.clone()
        }
    }

    /// Fills a folder; the manifest that it has, and the fields for which nothing is known.
    fn fill(
        &self,
        tables: &Tables,
        disk: &dyn Disk,
        scratch: &Path,
    ) -> Result<(Manifest, Vec<&'static str>), Fault> {
        let Candidate { folder, words, prompts, .. } = &self.candidate;
        let card = folder.join(&self.manifest.card.path);
        let mut card = storymill_disk::read_text(&card, most::RECORD)
            .map_err(|error| Fault::io("cannot read the card", &card, error))?;
        let site: Site = (*folder).into();
        let responsible = Responsible::of(&site, &self.manifest, words, &card)?;
        let mut documents = self.documents(tables, &responsible)?;
        if let Some(hub) = hub::of(&site, &self.manifest, *prompts)? {
            card = hub.card(&card);
            documents.extend(hub.files);
        }
        let manifest = self.released(card.as_bytes(), &documents);
        change(scratch, |path| disk.create_dir_all(path))?;
        for file in self.manifest.listed().filter(|file| file.path != manifest.card.path) {
            let to = scratch.join(file.path);
            if let Some(above) = to.parent() {
                change(above, |path| disk.create_dir_all(path))?;
            }
            copy(disk, &self.candidate.folder.join(file.path), &to, file)?;
        }
        let bytes = manifest.to_bytes()?;
        let named = [(&*manifest.card.path, card.as_bytes()), (MANIFEST, &bytes)];
        let own = documents.iter().map(|(path, bytes)| (&**path, &bytes[..])).chain(named);
        for (name, bytes) in own {
            let to = scratch.join(name);
            if let Some(above) = to.parent() {
                change(above, |path| disk.create_dir_all(path))?;
            }
            change(&to, |path| {
                let mut file = disk.create(path)?;
                file.write_all(bytes)?;
                file.sync()
            })?;
        }
        change(scratch, |path| disk.sync_dir(path))?;
        match check(scratch, Depth::Bytes)?.first() {
            None => Ok((manifest, responsible.missing)),
            Some(one) => {
                let message = format!("what was written is {}", one.wrong);
                Err(Fault::new(FaultKind::Io, message).at(&one.path))
            }
        }
    }
}

/// The name of a release, if that version was not released there before.
///
/// # Errors
///
/// It was.
pub fn may_release(manifest: &Manifest, releases: &Path) -> Result<String, Fault> {
    let name = format!("{}-{}", manifest.name, manifest.version);
    let folder = releases.join(&name);
    if folder.exists() {
        let message = "this version was released before, and releases are never changed";
        return Err(Fault::new(FaultKind::Store, message)
            .at(folder)
            .hint("raise `version` in the workflow and build again"));
    }
    Ok(name)
}

/// Copies a file whose bytes are those of the manifest.
fn copy(disk: &dyn Disk, from: &Path, to: &Path, listed: Listed<'_>) -> Result<(), Fault> {
    let cannot = |error| Fault::io("cannot read the dataset", from, error);
    let mut source = File::open(from).map_err(cannot)?;
    let mut hashed = Hashed::new(change(to, |path| disk.create(path))?);
    let mut piece = vec![0; 1 << 20];
    loop {
        let read = match source.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(cannot(error)),
        };
        change(to, |_| hashed.write_all(&piece[..read]))?;
    }
    let (mut file, _, sha256) = hashed.finish();
    change(to, |_| file.sync())?;
    if sha256 != listed.sha256 {
        let message = "the file changed while it was released";
        return Err(Fault::new(FaultKind::Again, message).at(from));
    }
    Ok(())
}

/// Removes what a release that was cut off left behind.
fn sweep(scratch: &Path) -> Result<(), Fault> {
    match std::fs::remove_dir_all(scratch) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::io("cannot remove what an earlier run left", scratch, error))
        }
        _ => Ok(()),
    }
}
