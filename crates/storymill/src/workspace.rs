//! Where a build keeps what it makes: a folder, a store by URL, or the inside of a shelf.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use storymill_bucket::{BucketDisk, Finding, check_folder, is_url, local_locks, shared_by};
use storymill_core::{Book, BookId, Decisions, Digest, Disk, Fault, FaultKind, Reviews, Stop};
use storymill_disk::RealDisk;
use storymill_llm::Env;
use storymill_pipeline::{Claim, Store, Workflow};
use storymill_shelf::{Books, Cleaner, MOUNT, Mount, Shelf};
use storymill_sources::clean_decided;

use crate::{
    claims::Exposures,
    events::Events,
    redact::{Redacted, redact_fault},
};

/// Where a build keeps what it makes: a disk, and the folder of the store on it.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The disk: that of this machine, a store by URL, or the inside of a shelf.
    pub disk: Arc<dyn Disk>,
    /// The folder of the store, or its URL.
    pub store: PathBuf,
    /// A shelf, and what leaves it.
    pub(crate) exposures: Option<Arc<Exposures>>,
    bucket: Option<BucketDisk>,
}

impl Workspace {
    /// A folder of this machine.
    pub fn folder(store: impl Into<PathBuf>) -> Self {
        Self { disk: Arc::new(RealDisk), store: store.into(), exposures: None, bucket: None }
    }

    /// A folder of this machine, or the store at a URL (`s3://BUCKET/PREFIX`, `file:///FOLDER`). What a bucket wants
    /// to know of its user is looked up in the environment. Nobody is asked yet.
    ///
    /// # Errors
    ///
    /// The URL is not one of a store, or what the environment says of it cannot be used.
    pub fn open(store: impl Into<PathBuf>, environment: &Env) -> Result<Self, Fault> {
        let store = store.into();
        if !is_url(&store) {
            return Ok(Self::folder(store));
        }
        let bucket = BucketDisk::open(&store, environment)?;
        let (disk, store) = (Arc::new(bucket.clone()), bucket.root().to_owned());
        Ok(Self { disk, store, exposures: None, bucket: Some(bucket) })
    }

    /// Asks the store for proof that several machines can work on it. What that writes it removes.
    pub fn check(&self) -> Vec<Finding> {
        match &self.bucket {
            Some(bucket) => bucket.probe(),
            None if self.is_private() => Vec::new(),
            None => {
                let local = self.mount().and_then(|(there, mounts)| local_locks(&there, &mounts));
                let asked = check_folder(&self.disk, &self.store, LONGEST);
                local.into_iter().chain(asked).collect()
            }
        }
    }

    /// Opens the store for a run. One that other machines may work on is asked for proof first, and refused by
    /// the name of what it lacks.
    pub(crate) fn claim(&self, claim: Claim) -> Result<Store, Fault> {
        let kind = self.kind_if_shared();
        if kind.is_some() && self.bucket.is_none() {
            // Nothing is written into a folder that is something else.
            Store::look(&self.store, Arc::clone(&self.disk))?;
            self.disk.refuse_links(&self.store, "tmp")?;
        }
        let found = kind.as_ref().map(|_| self.check()).unwrap_or_default();
        let wrong = found.into_iter().find_map(|one| Some((one.what, one.wrong?)));
        if let (Some(kind), Some((what, why))) = (kind, wrong) {
            let message = format!("{kind} cannot hold a store: {what}: {why}");
            let hint =
                "`storymill store check` asks again; docs/store.md says what a store has to do";
            return Err(Fault::new(FaultKind::Store, message).at(&self.store).hint(hint));
        }
        Store::open(&self.store, Arc::clone(&self.disk), claim)
    }

    /// What the store is on, if other machines may work on it.
    fn kind_if_shared(&self) -> Option<String> {
        if let Some(bucket) = &self.bucket {
            let scheme = bucket.root().components().next()?;
            return Some(format!("what `{}` names", scheme.as_os_str().display()));
        }
        if self.is_private() {
            return None;
        }
        let (there, mounts) = self.mount()?;
        let kind = shared_by(&there, &mounts)?;
        Some(format!("this file system ({kind}), which other machines may have too,"))
    }

    /// The folder of the store, or what of its path is there, and the table of mounts. Only Linux has one; elsewhere
    /// `store check` asks a folder when told to.
    fn mount(&self) -> Option<(PathBuf, String)> {
        let mounts = std::fs::read_to_string("/proc/self/mounts").ok()?;
        let whole = std::path::absolute(&self.store).ok()?;
        let there = whole.ancestors().find_map(|folder| folder.canonicalize().ok())?;
        Some((there, mounts))
    }

    /// The inside of a shelf, whose books the source `shelf` then reads. Nothing that is made here leaves it.
    pub fn shelf(shelf: Arc<Shelf>) -> Self {
        let store = Path::new(MOUNT).join("store");
        let disk = Arc::new(Mount::new(Arc::clone(&shelf)));
        Self { disk, store, exposures: Some(Arc::new(Exposures::of(shelf))), bucket: None }
    }

    /// Whether what is made here must not be shown.
    pub fn is_private(&self) -> bool {
        self.exposures.is_some()
    }

    /// A result as it may be told here: what went wrong with private books is told without their words.
    pub(crate) fn told<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        if self.is_private() { result.map_err(redact_fault) } else { result }
    }

    /// Who listens to a run: of a private one no words are told.
    pub(crate) fn listener(&self, events: &Arc<dyn Events>) -> Arc<dyn Events> {
        let events = Arc::clone(events);
        match &self.exposures {
            Some(exposures) => Arc::new(Redacted(events, Arc::clone(exposures))),
            None => events,
        }
    }

    /// The folder that a dataset is published into. That of a private build lies in the shelf.
    pub(crate) fn out(&self, named: Option<&Path>, name: &str) -> PathBuf {
        match named {
            Some(out) if !self.is_private() || out.starts_with(MOUNT) => out.to_owned(),
            _ if self.is_private() => Path::new(MOUNT).join(SEALED_DATASETS).join(name),
            _ => Path::new("out").join(name),
        }
    }

    /// Makes a workflow ready to run here. What people decide about private books is in the shelf: a
    /// decision names what it is about by a digest that anyone could guess at, and may quote it.
    pub(crate) fn take_in(&self, workflow: &mut Workflow) -> Result<(), Fault> {
        let Some(exposures) = &self.exposures else { return Ok(()) };
        workflow.lent.lend(Arc::clone(&exposures.shelf));
        workflow.lent.lend(Arc::clone(exposures));
        workflow.lent.lend(Arc::clone(&self.disk));
        workflow.lent.lend(cleaner as Cleaner);
        if !workflow.decided.is_empty() && !workflow.decides_beside {
            let hint = "take `decisions` out of the workflow, and decide with `storymill review --shelf DIR`";
            let message = "decisions about private books would lie in clear";
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        workflow.decided_in(Path::new(MOUNT).join(DECISIONS), &*self.disk)
    }
}

/// How long a folder may take for one thing that it is asked for.
const LONGEST: Duration = Duration::from_secs(20);

/// Where the datasets of a shelf lie, on the disk that is its inside.
pub const SEALED_DATASETS: &str = "datasets";

/// Where results of private datasets lie.
pub const SEALED_RESULTS: &str = "results";

/// The file of a shelf with what people decided about its books.
const DECISIONS: &str = "decisions";

/// Makes a private book of its page, as people decided.
fn cleaned(page: &[u8], name: &str, id: &BookId, reviews: &mut Reviews<'_>) -> Result<Book, Stop> {
    Ok(clean_decided(page, name, id, reviews)?.book(id.clone(), None))
}

/// The same for a build, which leaves out what people have to decide on first.
fn cleaner(page: &[u8], name: &str, id: &BookId, reviews: &mut Reviews<'_>) -> Result<Book, Stop> {
    let cleaned = clean_decided(page, name, id, reviews)?;
    cleaned.check_cuts().map_err(Stop::Reject)?;
    Ok(cleaned.book(id.clone(), None))
}

/// A digest of what people decided on a shelf's books; none if they have decided nothing.
pub fn decided_digest(shelf: &Shelf) -> Result<Option<Digest>, Fault> {
    Ok(shelf.read(DECISIONS)?.map(|kept| shelf.digest("decisions v1", kept.expose())))
}

/// A private book as people decided, where they decided anything.
pub fn decided_book(shelf: &Shelf, id: &BookId) -> Result<Book, Fault> {
    let Some(kept) = shelf.read(DECISIONS)? else { return Books(shelf).book(id) };
    let text = String::from_utf8_lossy(kept.expose());
    let lines = text.lines().zip(1..).map(|(line, at)| (format!("decision {at}"), line));
    let decisions = Decisions::parse(lines)?;
    Books(shelf).decided(id, cleaned, &mut Reviews::new(&decisions)).map_err(|stop| match stop {
        Stop::Fault(fault) => fault,
        _ => Fault::new(FaultKind::Input, format!("people decided that `{id}` is left out")),
    })
}
