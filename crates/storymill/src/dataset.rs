//! A published folder: is it what its manifest says, what is in it, how does it differ from another?

use std::path::Path;

use serde_json::Value;
use storymill_core::Fault;
use storymill_dataset::{
    Checked, Depth, Manifest, Query, Site, check_all,
    context::{Asked, ask, find},
    inspect,
};
use storymill_pipeline::Lock;

/// A published folder with its manifest.
///
/// ```no_run
/// use storymill::{Dataset, Depth};
///
/// let dataset = Dataset::open("out/quickstart")?;
/// assert!(dataset.verify(Depth::Both)?.is_sound());
/// for row in dataset.rows("read-along")? {
///     println!("{}: {} words back", row["question_id"], row["demand_words"]);
/// }
/// # Ok::<(), storymill::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dataset {
    folder: Site,
    manifest: Manifest,
}

/// What a published folder was checked for.
#[derive(Debug)]
pub struct Verified {
    /// Damage to files, and rows that do not hold what they must.
    pub checked: Checked,
    /// What the lock says otherwise than the manifest, or does not say.
    pub complaints: Vec<String>,
}

impl Verified {
    /// Whether there is nothing to complain of.
    pub fn is_sound(&self) -> bool {
        let Checked { damage, findings } = &self.checked;
        damage.is_empty() && findings.is_empty() && self.complaints.is_empty()
    }
}

impl Dataset {
    /// Reads the manifest of a published folder.
    ///
    /// # Errors
    ///
    /// The folder has none, or one that this version cannot read.
    pub fn open(folder: impl Into<Site>) -> Result<Self, Fault> {
        let folder = folder.into();
        let manifest = Manifest::of(&folder)?;
        Ok(Self { folder, manifest })
    }

    pub(crate) fn new(folder: Site, manifest: Manifest) -> Self {
        Self { folder, manifest }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder, and the disk that it is on.
    pub fn site(&self) -> &Site {
        &self.folder
    }

    /// What is in it.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Which inputs and which rules gave which rows.
    ///
    /// # Errors
    ///
    /// The lock is not there, or cannot be read.
    pub fn lock(&self) -> Result<Lock, Fault> {
        lock_of(&self.folder, &self.manifest)
    }

    /// All rows of a config as readers see them, in the order of files. They are held in memory at once.
    ///
    /// # Errors
    ///
    /// There is no such config, or a file cannot be read.
    pub fn rows(&self, config: &str) -> Result<Vec<Value>, Fault> {
        let config = Some(config.to_owned());
        let query = Query { config, rows: usize::MAX, ..Query::default() };
        let tables = inspect(&self.folder, &query)?.tables;
        let rows = tables.into_iter().flat_map(|table| table.sample);
        Ok(rows.map(|row| Value::Object(row.values.into_iter().collect())).collect())
    }

    /// Checks files, rows, and the lock against the manifest.
    ///
    /// # Errors
    ///
    /// The folder cannot be read at all; what is wrong with it is no error but the result.
    pub fn verify(&self, depth: Depth) -> Result<Verified, Fault> {
        let checked = check_all(&self.folder, depth)?;
        let complaints = if checked.damage.is_empty() {
            complaints(&self.manifest, &self.lock()?)
        } else {
            Vec::new()
        };
        Ok(Verified { checked, complaints })
    }

    /// A question, and what is read before it is asked: taken from the nearest config behind its own,
    /// so that a question with other names is asked about the text with other names.
    ///
    /// # Errors
    ///
    /// There is no such question, or its text is not published.
    pub fn question(&self, id: &str, config: Option<&str>) -> Result<Asked, Fault> {
        let found = find(&self.folder, id, config)?;
        // A lock that this version cannot read is no reason to tell nothing: then any text will do that has
        // the right length.
        let texts = self.lock().map(|lock| lock.configs_behind(&found.config)).unwrap_or_default();
        ask(&self.folder, found, &texts)
    }
}

/// The lock of a dataset.
pub(crate) fn lock_of(folder: &Site, manifest: &Manifest) -> Result<Lock, Fault> {
    let path = folder.join(&manifest.lock.path);
    let bytes =
        path.read().map_err(|error| Fault::io("cannot read the lock", &path, error).input())?;
    Lock::parse(&bytes).map_err(|fault| fault.at(&path))
}

fn complaints(manifest: &Manifest, lock: &Lock) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut hold = |what: &str, listed: &str, locked: &str| {
        if listed != locked {
            complaints.push(format!("{what}: `{listed}` in the manifest, `{locked}` in the lock"));
        }
    };
    hold("the name", &manifest.name, &lock.name);
    hold("the version", &manifest.version, &lock.version);
    hold("the seed", &manifest.seed.to_string(), &lock.seed.to_string());
    if let Some(publish) = &lock.publish {
        hold("the canary", &manifest.canary, &publish.canary);
        if publish.license.trim().is_empty() {
            complaints.push("no licence is named".to_owned());
        }
    }
    for (group, splits, _) in lock.groups_across_splits() {
        let splits = splits.join(", ");
        complaints
            .push(format!("books of one group stand in more than one split: {group} in {splits}"));
    }
    complaints
}
