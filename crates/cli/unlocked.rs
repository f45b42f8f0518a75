//! A key that stays open for an evening: its text in the folder of the user's session (`XDG_RUNTIME_DIR`), which is in memory
//! and goes with the session. Whoever can read that folder has the key until then.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use storymill_core::{Digest, Fault, FaultKind};
use storymill_disk::most;
use storymill_shelf::{Key, Private};

use crate::secrets::write_secret;

/// The longest time that a key stays open.
const LONGEST: Duration = Duration::from_hours(24);

/// What stands before the second in which a key is locked again.
const UNTIL: &str = "# open until ";

/// Reads `8h`, `30m` or `45s`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).ok();
    let time = time.filter(|time| time.as_secs() > 0 && *time <= LONGEST);
    time.ok_or_else(|| "a time is `8h`, `30m` or `45s`, and at most `24h`".to_owned())
}

/// The folder of the session, which is looked for before a passphrase is asked for.
pub(crate) fn must_be_there() -> Result<PathBuf, Fault> {
    folder().ok_or_else(|| {
        let message = "there is no folder of your session to keep the key in (`XDG_RUNTIME_DIR`)";
        Fault::new(FaultKind::Input, message).hint(
            "one in memory will do: `mkdir -m 700 /dev/shm/$USER; export XDG_RUNTIME_DIR=/dev/shm/$USER`; or `STORYMILL_PASSPHRASE_FILE` names a file with the passphrase",
        )
    })
}

/// Keeps a key open, and says until when.
pub(crate) fn unlock(file: &[u8], key: &Key, time: Duration) -> Result<SystemTime, Fault> {
    let folder = must_be_there()?;
    let failed = |error| Fault::io("cannot keep the key open in", &folder, error);
    let mut made = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut made, 0o700);
    made.recursive(true).create(&folder).map_err(failed)?;
    if !is_own(&folder) {
        let message = "others may look into the folder that open keys are kept in";
        return Err(Fault::new(FaultKind::Input, message).at(folder));
    }
    let path = path(&folder, file);
    drop(fs::remove_file(&path));
    let until = now().saturating_add(time).as_secs();
    let mut text = Private::new(format!("{UNTIL}{until}\n").into_bytes());
    text.expose_mut().extend_from_slice(key.to_file(None)?.expose());
    write_secret(&path, text.expose()).map_err(failed)?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(until))
}

/// The key in this file, if it is open. Keys whose time is over are removed.
pub(crate) fn key(file: &[u8]) -> Option<Key> {
    lock(false);
    let folder = folder()?;
    let path = path(&folder, file);
    if !is_own(&folder) || !is_own(&path) {
        return None;
    }
    let text = Private::new(storymill_disk::read(&path, most::KEY).ok()?);
    let asks = || Err(Fault::new(FaultKind::Input, "the key is not open"));
    Key::from_file(text.expose(), asks).ok()
}

/// Removes the keys whose time is over, or all; how many there were.
pub(crate) fn lock(all: bool) -> usize {
    let entries = folder().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let is_over = |path: &Path| {
        let Ok(text) = storymill_disk::read(path, most::KEY).map(Private::new) else { return true };
        let head = text.expose().split(|byte| *byte == b'\n').next().unwrap_or_default();
        let until = std::str::from_utf8(head).ok().and_then(|head| head.strip_prefix(UNTIL));
        let until = until.and_then(|until| until.parse::<u64>().ok());
        // What has an ending may be a key that is just being written.
        until.map_or(path.extension().is_none(), |until| until <= now().as_secs())
    };
    let paths = entries.flatten().map(|entry| entry.path());
    paths.filter(|path| (all || is_over(path)) && fs::remove_file(path).is_ok()).count()
}

/// The folder of open keys.
fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    session.filter(|folder| folder.is_absolute()).map(|folder| folder.join("storymill"))
}

/// Where the key of a key file stands: another file, or another passphrase, is another place.
fn path(folder: &Path, file: &[u8]) -> PathBuf {
    folder.join(Digest::of(file).to_string())
}

/// Whether something is the user's own, and nobody else may read it.
fn is_own(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::symlink_metadata(path).is_ok_and(|it| {
            it.uid() == rustix::process::getuid().as_raw()
                && matches!(it.mode() & 0o777, 0o600 | 0o700)
        })
    }
    #[cfg(not(unix))]
    path.exists()
}

fn now() -> Duration {
    #[expect(clippy::disallowed_methods, reason = "no output holds when a key is locked")]
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}
