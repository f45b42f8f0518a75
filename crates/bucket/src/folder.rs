//! A folder on a file system that machines share: asked for proof that it keeps what is asked of it, and never
//! waited for longer than it is worth.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use storymill_core::{Disk, Hold};

use crate::{
    Finding,
    probe::{name, told, within},
};

/// Kinds of file systems that other machines may have mounted too, as Linux names them.
const SHARED: [&str; 16] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fhgfs",
    "fuse",
    "fuseblk",
    "gfs2",
    "glusterfs",
    "gpfs",
    "lustre",
    "nfs",
    "nfs4",
    "smb3",
    "virtiofs",
];

/// The kind of the file system that a folder is on, if other machines may have it too. `mounts` is the content of
/// `/proc/self/mounts`; the folder is named by its whole path and need not be there.
pub fn shared_by<'m>(folder: &Path, mounts: &'m str) -> Option<&'m str> {
    let (kind, _) = mounted(folder, mounts)?;
    let family = kind.split('.').next().unwrap_or(kind);
    SHARED.contains(&family).then_some(kind)
}

/// Options of mounts with which a lock is known to this machine alone, so that one process here cannot find out.
const LOCAL_LOCKS: [&str; 5] =
    ["nolock", "local_lock=all", "local_lock=flock", "localflock", "nobrl"];
/// File systems over a network that never ask the other side for a lock.
const WITHOUT_LOCKS: [&str; 5] =
    ["fuse.gcsfuse", "fuse.goofys", "fuse.rclone", "fuse.s3fs", "fuse.sshfs"];

/// What is wrong with a folder whose locks keep out nobody on another machine, as the table of mounts tells.
pub fn local_locks(folder: &Path, mounts: &str) -> Option<Finding> {
    let (kind, options) = mounted(folder, mounts)?;
    let by = if WITHOUT_LOCKS.contains(&kind) {
        format!("{kind} has none but this machine's")
    } else {
        let option = options.split(',').find(|option| LOCAL_LOCKS.contains(option))?;
        format!("it is mounted with `{option}`")
    };
    let wrong = format!(
        "{by}; mount it with locks, or name the store by a `file://` URL, which needs none"
    );
    Some(Finding { what: "a lock keeps other machines out", wrong: Some(wrong) })
}

/// The kind and the options of the mount that a folder is on.
fn mounted<'m>(folder: &Path, mounts: &'m str) -> Option<(&'m str, &'m str)> {
    let lines = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        Some((unescaped(words.next()?), words.next()?, words.next().unwrap_or_default()))
    });
    let over = lines.filter(|(at, ..)| folder.starts_with(at));
    // Of two mounts at one place the later hides the other.
    let (_, kind, options) = over.max_by_key(|(at, ..)| Path::new(at).components().count())?;
    Some((kind, options))
}

/// A path of the table, in which a space is `\040`.
fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
}

/// Asks a folder on a disk for exclusive create, a rename that is seen, a sync and, where stores lock there, a lock
/// that keeps others out. Each may take `limit`: what takes longer is left alone, and counts as failed.
pub fn check_folder(disk: &Arc<dyn Disk>, folder: &Path, limit: Duration) -> Vec<Finding> {
    let base = folder.join("tmp").join(name());
    let mut found = Vec::new();
    for (what, ask) in QUESTIONS {
        let (disk, base) = (Arc::clone(disk), base.clone());
        let came = within(limit, move || ask(&*disk, &base));
        let stop = came.is_err();
        found.push(Finding::of(what, came));
        if stop {
            break;
        }
    }
    found
}

type Ask = fn(&dyn Disk, &Path) -> Result<(), String>;

const QUESTIONS: [(&str, Ask); 5] = [
    ("a file can be written and synced", |disk, base| {
        disk.create_dir_all(base.parent().unwrap_or(base)).map_err(told)?;
        disk.put(&at(base, "a"), &at(base, "w"), b"first").map_err(told)
    }),
    ("a rename is seen at once", |disk, base| {
        disk.put(&at(base, "a"), &at(base, "w"), b"second").map_err(told)?;
        if disk.read(&at(base, "a")).map_err(told)? != b"second" {
            return Err("the file from before was read".to_owned());
        }
        let names = disk.list(base.parent().unwrap_or(base)).map_err(told)?;
        let has = |name: &Path| {
            let name = name.file_name().map(|name| name.to_string_lossy().into_owned());
            names.iter().any(|one| Some(one) == name.as_ref())
        };
        if has(&at(base, "a")) && !has(&at(base, "w")) {
            return Ok(());
        }
        Err("the list of the folder is that from before".to_owned())
    }),
    ("of two writers of one name the second is refused", |disk, base| {
        let (path, scratch) = (at(base, "b"), at(base, "w"));
        if !disk.put_new(&path, &scratch, b"first").map_err(told)? {
            return Err("a name that nobody has is taken".to_owned());
        }
        if disk.put_new(&path, &scratch, b"second").map_err(told)? {
            return Err("it takes both: exclusive create does not work".to_owned());
        }
        Ok(())
    }),
    ("a lock keeps others out", |disk, base| {
        let path = at(base, "c");
        let held = disk.lock(&path, Hold::TryAlone).map_err(told)?;
        let Some(_held) = held else { return Err("a lock that nobody has is taken".to_owned()) };
        match disk.lock(&path, Hold::TryAlone).map_err(told)? {
            None => Ok(()),
            Some(_) => Err("two hold it (mount it with locks: `flock` on Lustre, no `nolock` on NFS), or name the store by a `file://` URL, which needs none".to_owned()),
        }
    }),
    ("what is removed is gone", |disk, base| {
        for name in ["a", "b", "c"] {
            disk.remove(&at(base, name)).map_err(told)?;
        }
        match disk.len(&at(base, "a")).map_err(told)? {
            None => Ok(()),
            Some(_) => Err("it is still there".to_owned()),
        }
    }),
];

fn at(base: &Path, name: &str) -> PathBuf {
    base.with_extension(name)
}
