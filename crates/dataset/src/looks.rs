//! What a published folder looks like without being read.

use std::{
    fs::{self, Metadata},
    path::Path,
    time::UNIX_EPOCH,
};

use storymill_core::{Digest, Stamp};

use crate::manifest::Manifest;

/// What a folder of this machine looks like: what its manifest says of the files, and their sizes and times. A
/// folder that was found whole and still looks like it need not be read again. None where a file is not there, or
/// the system does not tell when it changed.
pub fn looks(folder: &Path, manifest: &Manifest) -> Option<Stamp> {
    let stamps = manifest.listed().map(|file| Some((file, stamp(&folder.join(file.path))?)));
    let stamps: Vec<_> = stamps.collect::<Option<_>>()?;
    let files = stamps.iter().flat_map(|(file, stamp)| {
        [file.path.as_bytes(), file.sha256.as_bytes(), &stamp.digest.as_bytes()[..]]
    });
    let rows = [manifest.digest, Manifest::digest_of(&manifest.files)];
    let rows = rows.iter().map(|digest| &digest.as_bytes()[..]);
    let digest = Digest::of_parts("storymill 2026 looks of a folder v1", rows.chain(files));
    let changed = stamps.iter().map(|(_, stamp)| stamp.changed).max().unwrap_or_default();
    Some(Stamp { digest, changed })
}

/// What a file looks like, if the system tells when it changed. On Unix that holds more than the time that a
/// copying program may set back: the time of the last change of any kind, and which file it is.
fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    let written = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let (touched, inode) = touched(&meta);
    let looks = format!("{}\0{}\0{touched:?}\0{inode}", meta.len(), written.as_nanos());
    let changed = written.as_secs().max(u64::try_from(touched.0).unwrap_or_default());
    Some(Stamp { digest: Digest::of(looks.as_bytes()), changed })
}

/// Seconds and nanoseconds of the last change of any kind, and which file it is.
#[cfg(unix)]
fn touched(meta: &Metadata) -> ((i64, i64), u64) {
    use std::os::unix::fs::MetadataExt as _;
    ((meta.ctime(), meta.ctime_nsec()), meta.ino())
}

#[cfg(not(unix))]
fn touched(_: &Metadata) -> ((i64, i64), u64) {
    ((0, 0), 0)
}

#[cfg(test)]
mod tests {
    use std::{fs::File, thread::sleep, time::Duration};

    use super::*;
    use crate::{
        publish::publish,
        support::{TestDisk, small},
        table::Tables,
    };

    #[test]
    fn whatever_is_done_to_a_folder_it_looks_otherwise() {
        let (spec, parts) = small();
        let folder = tempfile::tempdir().unwrap();
        let (tables, disk) = (Tables::standard(), TestDisk::sound());
        let manifest = publish(&spec, &tables, &parts, &disk, folder.path()).unwrap().manifest;
        let first = looks(folder.path(), &manifest).unwrap();
        assert_eq!(looks(folder.path(), &manifest), Some(first));

        let other = Manifest { digest: Digest::of(b"other rows"), ..manifest.clone() };
        assert_ne!(looks(folder.path(), &other).unwrap().digest, first.digest);

        for file in manifest.listed() {
            let before = looks(folder.path(), &manifest).unwrap();
            let path = folder.path().join(file.path);
            let bytes = fs::read(&path).unwrap();
            fs::write(&path, &bytes[1..]).unwrap();
            assert_ne!(looks(folder.path(), &manifest).unwrap().digest, before.digest);
            fs::remove_file(&path).unwrap();
            assert_eq!(looks(folder.path(), &manifest), None);
            fs::write(&path, &bytes).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_time_that_is_set_back_shows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "one").unwrap();
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let first = stamp(&path).unwrap();
        sleep(Duration::from_millis(50));
        fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_ne!(stamp(&path).unwrap().digest, first.digest);
    }
}
