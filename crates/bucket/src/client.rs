//! A store asked from plain code: each call waits for its answer, whatever thread it comes from.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    io,
    ops::Range,
    sync::{Arc, mpsc},
    time::Duration,
};

use object_store::{
    Attribute, Attributes, CopyMode, CopyOptions, Error, GetOptions, GetRange, ObjectStore,
    ObjectStoreExt, PutMode, PutOptions, PutPayload, path::Path as Key,
};
use storymill_core::{Fault, FaultKind};
use tokio::{runtime::Handle, sync::oneshot};

use crate::{backend::Backend, secrets::Secrets};

/// The mark that an object carries which was written by [`Client::put_new`]. Azure takes letters and digits alone.
const MARK: &str = "storymillwriter";
/// How often something is tried again that was cut off, and how long is waited before.
const TRIES: u32 = 2;
const PAUSE: Duration = Duration::from_millis(250);
/// No call takes longer.
const LONGEST: Duration = Duration::from_mins(10);

/// A store, and the thread that speaks with it.
pub(crate) struct Client {
    store: Arc<dyn ObjectStore>,
    secrets: Secrets,
    has_marks: bool,
    handle: Handle,
    /// The thread ends when this is dropped.
    _alive: oneshot::Sender<()>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

type Asked<T> = object_store::Result<T>;

impl Client {
    pub(crate) fn new(backend: Backend) -> Result<Self, Fault> {
        let Backend { store, secrets, has_marks } = backend;
        let failed = |error: io::Error| {
            Fault::new(FaultKind::Internal, "cannot start the client of the store").because(error)
        };
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (alive, ended) = oneshot::channel();
        let run = move || {
            let _: Result<(), _> = runtime.block_on(ended);
        };
        std::thread::Builder::new().name("store".to_owned()).spawn(run).map_err(failed)?;
        Ok(Self { store, secrets, has_marks, handle, _alive: alive })
    }

    /// Waits for work that the thread does. The caller may be inside of another runtime.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Asked<T>> + Send + 'static,
    ) -> io::Result<T> {
        let (send, receive) = mpsc::sync_channel(1);
        self.handle.spawn(async move {
            let _ = send.send(tokio::time::timeout(LONGEST, work).await);
        });
        match receive.recv() {
            Ok(Ok(done)) => done.map_err(|error| self.told(&error)),
            Ok(Err(_)) => {
                let message = format!("no answer within {} seconds", LONGEST.as_secs());
                Err(io::Error::new(io::ErrorKind::TimedOut, message))
            }
            Err(_) => Err(io::Error::other("the client of the store has ended")),
        }
    }

    fn told(&self, error: &Error) -> io::Error {
        let kind = match error {
            Error::NotFound { .. } => io::ErrorKind::NotFound,
            Error::AlreadyExists { .. } => io::ErrorKind::AlreadyExists,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
                io::ErrorKind::PermissionDenied
            }
            Error::NotImplemented { .. } | Error::NotSupported { .. } => io::ErrorKind::Unsupported,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, self.secrets.tell(error))
    }

    /// A whole object, or some bytes of it: fewer at its end.
    pub(crate) fn get(&self, key: &Key, range: Option<Range<u64>>) -> io::Result<Vec<u8>> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        self.wait(async move {
            let mut tries = 0;
            loop {
                let range = range.clone().map(GetRange::Bounded);
                let options = GetOptions { range, ..GetOptions::default() };
                let got = async { store.get_opts(&key, options).await?.bytes().await };
                match got.await {
                    Ok(bytes) => return Ok(bytes.to_vec()),
                    // What was cut off in the middle.
                    Err(Error::Generic { .. }) if tries < TRIES => tries += 1,
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }

    /// Writes an object in place of what is there.
    pub(crate) fn put(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        let payload = PutPayload::from(bytes.to_vec());
        self.wait(async move {
            let mut tries = 0;
            loop {
                match store.put(&key, payload.clone()).await {
                    Ok(_) => return Ok(()),
                    Err(Error::Generic { .. }) if tries < TRIES => tries += 1,
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }

    /// Writes an object unless one is there, and tells whether it did. An answer that is lost leaves it open whether
    /// the object was written; the mark that it carries then says whose it is.
    pub(crate) fn put_new(&self, key: &Key, bytes: &[u8]) -> io::Result<bool> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        let payload = PutPayload::from(bytes.to_vec());
        let (has_marks, mark) = (self.has_marks, mark());
        let name = Attribute::Metadata(MARK.into());
        let mut attributes = Attributes::new();
        if has_marks {
            attributes.insert(name.clone(), mark.clone().into());
        }
        self.wait(async move {
            let mut tries = 0;
            loop {
                let mode = PutMode::Create;
                let options =
                    PutOptions { mode, attributes: attributes.clone(), ..PutOptions::default() };
                let put = store.put_opts(&key, payload.clone(), options).await;
                let Err(error) = put else { return Ok(true) };
                let exists = matches!(error, Error::AlreadyExists { .. });
                if exists && !has_marks {
                    return Ok(false);
                }
                if !exists && !matches!(error, Error::Generic { .. }) {
                    return Err(error);
                }
                let head = GetOptions { head: true, ..GetOptions::default() };
                match store.get_opts(&key, head).await {
                    Ok(found) => {
                        let by = found.attributes.get(&name);
                        return Ok(by.is_some_and(|by| by.as_ref() == mark));
                    }
                    // Nobody has written it: a cut connection, or another writer that a store lets wait for us.
                    Err(Error::NotFound { .. }) if tries < TRIES => tries += 1,
                    Err(_) => return Err(error),
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }

    /// The size of an object in bytes; none if there is none.
    pub(crate) fn len(&self, key: &Key) -> io::Result<Option<u64>> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        self.wait(async move {
            match store.head(&key).await {
                Ok(found) => Ok(Some(found.size)),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        })
    }

    /// The names one level below, sorted.
    pub(crate) fn list(&self, key: &Key) -> io::Result<Vec<String>> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        self.wait(async move {
            let prefix = (!key.as_ref().is_empty()).then_some(&key);
            let found = store.list_with_delimiter(prefix).await?;
            let objects = found.objects.iter().map(|object| &object.location);
            let last = |key: &Key| key.filename().map(str::to_owned);
            let mut names: Vec<String> =
                objects.chain(&found.common_prefixes).filter_map(last).collect();
            names.sort();
            names.dedup();
            Ok(names)
        })
    }

    pub(crate) fn remove(&self, key: &Key) -> io::Result<()> {
        let (store, key) = (Arc::clone(&self.store), key.clone());
        self.wait(async move { store.delete(&key).await })
    }

    /// A copy under another name, then the first is removed.
    pub(crate) fn rename(&self, from: &Key, to: &Key) -> io::Result<()> {
        let (store, from, to) = (Arc::clone(&self.store), from.clone(), to.clone());
        self.wait(async move {
            let options = CopyOptions::new().with_mode(CopyMode::Overwrite);
            store.copy_opts(&from, &to, options).await?;
            store.delete(&from).await
        })
    }
}

/// A word that no other writer has.
pub(crate) fn mark() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", random(), random())
}
