//! Keys, passphrases, and a process that leaves nothing behind.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
    time::{Duration, SystemTime},
};

use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_shelf::{Access, Key, Pins, Private, Shelf, is_protected, letter};

use crate::{
    args::shelf::{KeyFile, Place},
    exit::Failure,
    report, unlocked,
};

/// Makes this process keep what it reads to itself: no core file, no memory for other processes, and no
/// text in the message of a panic.
pub(crate) fn guard() -> Result<(), Fault> {
    // Tests have many commands in one process, and want to hear of panics.
    if cfg!(test) {
        return Ok(());
    }
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        report::say(format!("a bug in storymill, at {place}"));
    }));
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let off = Rlimit { current: Some(0), maximum: Some(0) };
        let not = |error: rustix::io::Errno| {
            Fault::new(FaultKind::Internal, "cannot turn core files off")
                .because(std::io::Error::from(error))
        };
        setrlimit(Resource::Core, off).map_err(not)?;
        #[cfg(target_os = "linux")]
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
            .map_err(not)?;
    }
    Ok(())
}

/// The disk that shelves lie on.
#[cfg(not(test))]
pub(crate) fn disk() -> Arc<dyn storymill_core::Disk> {
    Arc::new(storymill_disk::RealDisk)
}

#[cfg(test)]
pub(crate) use crate::failing_disk_tests::disk;

/// Opens the shelf that was named, in a process that keeps it to itself.
pub(crate) fn open(place: &Place, access: Access) -> Result<Arc<Shelf>, Failure> {
    guard()?;
    let key = key(&place.key)?;
    let shelf = Shelf::open_seen(&place.shelf, disk(), &key, access, pins(place)?)?;
    shelf.notes().iter().for_each(|note| report::warn(note));
    Ok(Arc::new(shelf))
}

/// What was seen of shelves: it is kept beside the key.
pub(crate) fn pins(place: &Place) -> Result<Pins, Failure> {
    let mut path = key_path(&place.key)?.into_os_string();
    path.push(".seen");
    Ok(Pins::new(disk(), path.into(), &names(&place.shelf)?))
}

/// The whole paths of a folder: as it was typed, from where the shell says that it is, and where its links lead. A link that is put in
/// the place of a folder, or of one above it, changes the last one alone.
fn names(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let failed = |error| Fault::io("cannot look at the shelf", folder, error);
    let typed = std::path::absolute(folder).map_err(failed)?;
    let mut names = vec![std::fs::canonicalize(&typed).unwrap_or_else(|_| typed.clone()), typed];
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let shell = std::env::var_os("PWD").map(PathBuf::from).filter(|path| path.is_absolute());
    let here = std::env::current_dir().map_err(failed)?;
    if let Some(shell) = shell.filter(|shell| shell.canonicalize().is_ok_and(|real| real == here)) {
        names.push(std::path::absolute(shell.join(folder)).map_err(failed)?);
    }
    Ok(names)
}

/// The key file that was named.
pub(crate) fn key_path(file: &KeyFile) -> Result<PathBuf, Failure> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let named = || std::env::var_os("STORYMILL_KEY").filter(|path| !path.is_empty());
    file.key.clone().or_else(|| named().map(PathBuf::from)).ok_or_else(|| {
        Fault::new(FaultKind::Input, "no key was named")
            .hint("`--key FILE` names the file with your key; so does `STORYMILL_KEY`")
            .into()
    })
}

/// The key in the file that was named.
pub(crate) fn key(file: &KeyFile) -> Result<Key, Failure> {
    let path = key_path(file)?;
    let mut known = file.known.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(key) = &*known {
        return Ok(key.clone());
    }
    let bytes = key_bytes(&path)?;
    let open = if is_protected(bytes.expose()) { unlocked::key(bytes.expose()) } else { None };
    let asks = || passphrase(&format!("passphrase of {}: ", path.display()), KEPT);
    let key = open.map_or_else(|| Key::from_file(bytes.expose(), asks), Ok);
    let key = key.map_err(|fault| fault.at(&path))?;
    *known = Some(key.clone());
    Ok(key)
}

/// The bytes of a file that somebody named; of what is private, for which there is a key, opened if it is sealed.
pub(crate) fn named(
    path: &Path,
    most: u64,
    file: Option<&KeyFile>,
) -> Result<Private<Vec<u8>>, Fault> {
    if file.is_some() {
        guard()?;
    }
    let content = storymill_disk::read(path, most)
        .map(Private::new)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    let Some(file) = file.filter(|_| letter::is_sealed(content.expose())) else {
        return Ok(content);
    };
    let key = key(file).map_err(|failure| match failure {
        Failure::Fault(fault) => fault,
        _ => Fault::new(FaultKind::Input, "your key cannot be read").at(path),
    })?;
    letter::open(content.expose(), &key).map_err(|fault| fault.at(path))
}

/// Asks for the passphrase of a key and keeps the key open for some time.
pub(crate) fn unlock(file: &KeyFile, time: Duration) -> Result<(PathBuf, SystemTime), Failure> {
    let path = key_path(file)?;
    let bytes = key_bytes(&path)?;
    if !is_protected(bytes.expose()) {
        let message = "the key has no passphrase: whoever reads its file has it";
        return Err(Fault::new(FaultKind::Input, message).at(path).into());
    }
    unlocked::must_be_there()?;
    let prompt = format!("passphrase of {}: ", path.display());
    let key = Key::from_file(bytes.expose(), || passphrase(&prompt, KEPT));
    let until = unlocked::unlock(bytes.expose(), &key.map_err(|fault| fault.at(&path))?, time)?;
    Ok((path, until))
}

fn key_bytes(path: &Path) -> Result<Private<Vec<u8>>, Fault> {
    let bytes = storymill_disk::read(path, most::KEY)
        .map(Private::new)
        .map_err(|error| {
            let missing = error.kind() == std::io::ErrorKind::NotFound;
            let fault = Fault::io("cannot read the key", path, error).input();
            let hint = "`storymill shelf init --key-only --key FILE` makes a key, `storymill shelf init` a shelf and a key";
            if missing { fault.hint(hint) } else { fault }
        })?;
    warn_of_readers(path, "and make a new key if they may have done so");
    Ok(bytes)
}

/// Warns of a file with a key or a passphrase that others on this machine may read.
fn warn_of_readers(path: &Path, then: &str) {
    #[cfg(unix)]
    if let Ok(file) = std::fs::metadata(path)
        && std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0
    {
        report::warn(&format!(
            "others on this machine may read your key: `chmod 600 {}`, {then}",
            path.display()
        ));
    }
    #[cfg(not(unix))]
    let _ = (path, then);
}

/// Asks whether to go on. Where nobody can be asked, it is not done.
pub(crate) fn goes_on(yes: bool, question: &str) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Fault::new(FaultKind::Input, format!("{question} Nobody can be asked here"))
            .hint("nothing was changed; `--yes` says it beforehand")
            .into());
    }
    let mut err = std::io::stderr().lock();
    write!(err, "{question} [y/N] ").and_then(|()| err.flush())?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// The key in a file; a new one where there is no file. Whether it is new.
pub(crate) fn key_or_new(file: &KeyFile, bare: bool) -> Result<(Key, bool), Failure> {
    let path = key_path(file)?;
    if path.exists() {
        return Ok((key(file)?, false));
    }
    let key = Key::mint()?;
    let word = if bare { None } else { Some(new_passphrase()?) };
    let bytes = key.to_file(word.as_ref())?;
    write_secret(&path, bytes.expose())
        .map_err(|error| Fault::io("cannot write the key", &path, error))?;
    Ok((key, true))
}

/// Writes a file that was not there and that only its owner may read: whole, or not at all.
pub(crate) fn write_secret(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(format!(".{}.new", std::process::id()));
    let scratch = PathBuf::from(scratch);
    // A file keeps its mode when it is written.
    drop(std::fs::remove_file(&scratch));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(&scratch)?);
    match disk().put_new(path, &scratch, bytes) {
        Ok(true) => Ok(()),
        Ok(false) => Err(std::io::ErrorKind::AlreadyExists.into()),
        Err(error) => {
            drop(std::fs::remove_file(&scratch));
            Err(error)
        }
    }
}

/// What helps where no passphrase comes: for a key that is there, and for a new one.
const KEPT: &str = "`storymill shelf unlock` keeps a key open for a while, `STORYMILL_PASSPHRASE_FILE` names a file with the passphrase";
const NAMED: &str = "`STORYMILL_PASSPHRASE_FILE` names a file with the passphrase; in a terminal you are asked for it";

fn new_passphrase() -> Result<Private<String>, Fault> {
    let word = passphrase("a passphrase for your new key: ", NAMED)?;
    if word.expose().is_empty() {
        return Err(Fault::new(FaultKind::Input, "the passphrase is empty")
            .hint("`--no-passphrase` makes a key without one"));
    }
    if std::io::stdin().is_terminal()
        && passphrase("the same again: ", NAMED)?.expose() != word.expose()
    {
        return Err(Fault::new(FaultKind::Input, "the two passphrases differ"));
    }
    Ok(word)
}

/// The first line of the file that `STORYMILL_PASSPHRASE_FILE` names. Else asks for a passphrase without showing it; where
/// standard input is no terminal, takes its first line.
fn passphrase(prompt: &str, hint: &str) -> Result<Private<String>, Fault> {
    let mut word = Private::new(String::with_capacity(1024));
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let file = std::env::var_os("STORYMILL_PASSPHRASE_FILE").filter(|path| !path.is_empty());
    let read = if let Some(file) = &file {
        warn_of_readers(Path::new(file), "and take another passphrase if they may have done so");
        File::open(file)
            .and_then(|file| BufReader::new(file.take(most::KEY)).read_line(word.expose_mut()))
    } else {
        let stdin = std::io::stdin();
        let quiet = Quiet::begin(&stdin, prompt);
        let read = stdin.lock().read_line(word.expose_mut());
        drop(quiet);
        read
    };
    let read = read.map_err(|error| {
        let of = file.as_ref().map(|file| format!(" in {}", Path::new(file).display()));
        let of = of.unwrap_or_default();
        Fault::new(FaultKind::Input, format!("cannot read the passphrase{of}")).because(error)
    })?;
    if read == 0 && file.is_none() {
        let message = "no passphrase came: nothing was typed, and nothing is on standard input";
        return Err(Fault::new(FaultKind::Input, message).hint(hint));
    }
    let length = word.expose().trim_end_matches(['\r', '\n']).len();
    word.expose_mut().truncate(length);
    Ok(word)
}

/// A terminal that does not show what is typed, until this is dropped.
struct Quiet {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl Quiet {
    #[cfg(unix)]
    fn begin(stdin: &std::io::Stdin, prompt: &str) -> Self {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        if !stdin.is_terminal() {
            return Self { before: None };
        }
        let before = tcgetattr(stdin).ok();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes.remove(LocalModes::ECHO);
            let _ = tcsetattr(stdin, OptionalActions::Flush, &quiet);
        }
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "{prompt}").and_then(|()| out.flush());
        Self { before }
    }

    #[cfg(not(unix))]
    fn begin(stdin: &std::io::Stdin, prompt: &str) -> Self {
        if stdin.is_terminal() {
            report::warn("what you type is shown");
            let _ = write!(std::io::stderr().lock(), "{prompt}");
        }
        Self {}
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, before);
            let _ = writeln!(std::io::stderr().lock());
        }
    }
}
