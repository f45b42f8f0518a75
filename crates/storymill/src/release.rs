//! A published folder becomes a release, if nothing blocks it.

use std::{
    collections::BTreeMap,
    fs::OpenOptions,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use storymill_core::{Fault, FaultKind, Question};
use storymill_dataset::{
    Manifest, NamesLeft, Tables,
    diff::Step,
    release::{
        Before, Candidate, Errata, Objection, Prompts, Released, Words, examine, may_release,
    },
};
use storymill_disk::RealDisk;
use storymill_pipeline::{Lock, LockChange};
use storymill_transforms::prompt_of;

use crate::{AuditOptions, Dataset, Project, audit, words::typed};

/// What a release is made with.
#[derive(Clone, Debug)]
pub struct ReleaseOptions {
    /// The folder of releases, where `NAME-VERSION` is written, and its lock beside it.
    pub releases: PathBuf,
    /// The folder of the release before; the highest version in the folder of releases where none is named.
    pub previous: Option<PathBuf>,
    /// Whether there is no release before.
    pub first: bool,
    /// What changed, by version.
    pub changelog: PathBuf,
    /// Why ids of earlier releases are gone or changed.
    pub errata: PathBuf,
    /// A file to write the errata to with the rows that they lack.
    pub draft_errata: Option<PathBuf>,
    /// Whether none is written, and only what blocks it is said.
    pub dry_run: bool,
}

impl Default for ReleaseOptions {
    fn default() -> Self {
        Self {
            releases: "releases".into(),
            previous: None,
            first: false,
            changelog: "CHANGELOG.md".into(),
            errata: "ERRATA.csv".into(),
            draft_errata: None,
            dry_run: false,
        }
    }
}

/// What asking for a release came to.
#[derive(Debug)]
pub struct Release {
    /// The dataset.
    pub dataset: Dataset,
    /// The version of the release before, if there is one.
    pub previous: Option<String>,
    /// Ids of it that are gone or changed.
    pub withdrawn: usize,
    /// What blocks it. Nothing is written then.
    pub objections: Vec<Objection>,
    /// How many of these are figures of the audit past their limits.
    pub past_limits: usize,
    /// Ids that are gone or changed and have no erratum.
    pub without_erratum: Vec<String>,
    /// What was written.
    pub released: Option<Released>,
}

impl Project {
    /// Makes a release of the folder that the workflow was published into, which has to be the workflow as it
    /// is now. Answers lie in the folder that is named, else in the store.
    ///
    /// # Errors
    ///
    /// The workflow is not built, or was built anew since it was published; or files cannot be read or written.
    pub fn release(
        &self,
        out: Option<&Path>,
        answers: Option<&Path>,
        options: &ReleaseOptions,
    ) -> Result<Release, Fault> {
        let inventory = self.inventory(answers, out)?;
        let folder = out.map_or_else(|| self.default_out(), Path::to_owned);
        let dataset = Dataset::open(folder)?;
        if inventory.lock()? != dataset.lock()? {
            let message = "the folder was not published from the workflow as it is now";
            let to = out.map_or_else(String::new, |out| format!(" --out {}", typed(out)));
            let hint = format!("run `{}{to}` first", self.build_command());
            return Err(Fault::new(FaultKind::Lock, message).at(dataset.folder()).hint(hint));
        }
        dataset.release_after(self.workflow.base.as_deref(), self.registry.tables(), options)
    }
}

impl Dataset {
    /// Makes a release of it.
    ///
    /// # Errors
    ///
    /// Files cannot be read or written. What blocks a release is no error but the result.
    pub fn release(self, tables: &Tables, options: &ReleaseOptions) -> Result<Release, Fault> {
        self.release_after(None, tables, options)
    }

    fn release_after(
        self,
        base: Option<&Path>,
        tables: &Tables,
        options: &ReleaseOptions,
    ) -> Result<Release, Fault> {
        let manifest = self.manifest();
        may_release(manifest, &options.releases)?;
        let lock = self.lock()?;
        let last = Last::find(options, base, &manifest.name)?;
        let mut objections = about(options, manifest, &lock, last.as_ref());
        let before = match &last {
            Some(Last::Folder { folder, .. }) => Before::Folder(folder),
            Some(Last::Lock { lock: old, .. }) => before(old, &lock),
            None => Before::None,
        };
        let prompt = |question: &Question, context: &str| prompt_of(question, context);
        let texts = |config: &str| lock.configs_behind(config);
        let mut examined = examine(Candidate {
            prompts: Prompts { prompt: &prompt, texts: &texts },
            folder: self.folder(),
            words: words(&lock),
            records: records(&lock),
            before,
            changelog: &options.changelog,
            errata: &options.errata,
        })?;
        if let Some(draft) = &options.draft_errata {
            let ids = examined.without_erratum.iter();
            write_draft(draft, &examined.errata.clone().with_drafts(ids, &manifest.version))?;
        }
        objections.extend(names_left(self.folder(), &lock)?);
        examined.objections.append(&mut objections);
        // Rows that are not those of the manifest say nothing of it.
        let mut past_limits = 0;
        if !examined.is_damaged() {
            let figures = self.audit(&AuditOptions::default())?;
            let exceeded = self.exceeded(&figures)?;
            past_limits = exceeded.len();
            examined.objections.extend(audit::objections(&exceeded, self.folder()));
        }
        let released = if !examined.objections.is_empty() || options.dry_run {
            None
        } else {
            Some(examined.write(tables, &RealDisk, &options.releases)?)
        };
        Ok(Release {
            previous: last.as_ref().map(|last| last.version().to_owned()),
            withdrawn: examined.withdrawn,
            objections: examined.objections,
            past_limits,
            without_erratum: examined.without_erratum.into_iter().collect(),
            released,
            dataset: self,
        })
    }
}

/// The release before.
enum Last {
    Folder { folder: PathBuf, version: String },
    Lock { lock: Box<Lock> },
}

impl Last {
    /// The one that was named, else the highest version in the folder of releases, else the base.
    fn find(
        options: &ReleaseOptions,
        base: Option<&Path>,
        name: &str,
    ) -> Result<Option<Self>, Fault> {
        if let Some(folder) = &options.previous {
            let version = Manifest::of(folder)?.version;
            return Ok(Some(Self::Folder { folder: folder.clone(), version }));
        }
        let mut found: Option<Self> = None;
        let mut consider = |one: Self| {
            let higher = found.as_ref().is_none_or(|known| {
                let later = Step::None.is_taken(known.version(), one.version()) == Some(true);
                // Of a folder and its own lock, the folder tells more.
                later && (known.version() != one.version() || matches!(one, Self::Folder { .. }))
            });
            if higher {
                found = Some(one);
            }
        };
        let entries = std::fs::read_dir(&options.releases).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            if !file.starts_with(&format!("{name}-")) {
                continue;
            }
            if path.join("manifest.json").exists() {
                let manifest = Manifest::of(&path)?;
                if manifest.name == name {
                    consider(Self::Folder { folder: path, version: manifest.version });
                }
            } else if path.is_file() && file.ends_with(".lock") {
                let lock = Box::new(Lock::read(&path)?);
                if lock.name == name {
                    consider(Self::Lock { lock });
                }
            }
        }
        match (found, base) {
            (None, Some(base)) => Ok(Some(Self::Lock { lock: Box::new(Lock::read(base)?) })),
            (found, _) => Ok(found),
        }
    }

    fn version(&self) -> &str {
        match self {
            Self::Folder { version, .. } => version,
            Self::Lock { lock } => &lock.version,
        }
    }
}

/// What a lock tells of the release before.
fn before<'a>(old: &Lock, new: &Lock) -> Before<'a> {
    let changes = LockChange::between(old, new);
    let published =
        |step: &str| [old, new].iter().any(|lock| lock.configs.values().any(|s| s == step));
    let steps = || changes.steps.iter().filter(|change| published(&change.step));
    let withdrawn =
        !changes.moved.is_empty() || steps().any(|change| change.removed + change.changed > 0);
    let added = steps().any(|change| change.added > 0);
    let step = if added { Step::Minor } else { Step::Patch };
    Before::Lock { version: old.version.clone(), step, withdrawn }
}

/// What the locks and the command line say against it.
fn about(
    options: &ReleaseOptions,
    manifest: &Manifest,
    lock: &Lock,
    last: Option<&Last>,
) -> Vec<Objection> {
    let mut objections = Vec::new();
    let mut object = |what: String, hint: &str| {
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        objections.push(Objection { what, hint });
    };
    match last {
        None if !options.first => object(
            "no release before is at hand".to_owned(),
            "`--previous DIR` names its folder; `--first` says that there is none",
        ),
        Some(last) if options.first => {
            object(format!("{} was released already", last.version()), "leave out `--first`");
        }
        _ => {}
    }
    let publish = lock.publish.as_ref();
    let said = (&lock.name, &lock.version, publish.map(|publish| &publish.canary));
    if said != (&manifest.name, &manifest.version, Some(&manifest.canary)) {
        object("the lock is not that of this folder".to_owned(), "build it again");
    }
    for (group, splits, _) in lock.groups_across_splits() {
        let splits = splits.join(", ");
        object(format!("books of one group stand in more than one split: {group} in {splits}"), "");
    }
    objections
}

/// What the limit for names that are left says against it.
fn names_left(folder: &Path, lock: &Lock) -> Result<Option<Objection>, Fault> {
    let audit = lock.publish.as_ref().map(|publish| &publish.audit);
    let Some(limit) = audit.and_then(|audit| audit.names_left_per_100k) else { return Ok(None) };
    let Some(found) = NamesLeft::of(folder)? else {
        return Ok(Some(Objection {
            what: "`names_left_per_100k` is set, and no table counts the names that are left"
                .to_owned(),
            hint: Some(
                "publish the rows of a `count-names` step: `[dataset.name-counts]`".to_owned(),
            ),
        }));
    };
    if !found.is_past(limit) {
        return Ok(None);
    }
    let rate = found.rate().map(|rate| {
        format!("{:.1} per 100,000 words (from {:.1} to {:.1})", rate.rate, rate.low, rate.high)
    });
    let what = format!(
        "{} names are left, {}, and `names_left_per_100k` is {limit}",
        found.left,
        rate.unwrap_or_default()
    );
    let hint = "the rows of `check-names` list them; put the cast right with `casts` under the `cast` step".to_owned();
    Ok(Some(Objection { what, hint: Some(hint) }))
}

fn words(lock: &Lock) -> Words {
    let models = lock.steps.values().flat_map(|step| step.models.values());
    let mut models: Vec<_> = models.map(|model| model.id.clone()).collect();
    models.sort();
    models.dedup();
    let Some(publish) = lock.publish.clone() else { return Words { models, ..Words::default() } };
    Words {
        title: publish.title,
        description: publish.description,
        license: publish.license,
        authors: publish.authors,
        url: publish.url,
        models,
    }
}

/// The record of each config.
fn records(lock: &Lock) -> BTreeMap<String, String> {
    let record = |(config, step): (&String, &String)| {
        Some((config.clone(), lock.steps.get(step)?.record.clone()))
    };
    lock.configs.iter().filter_map(record).collect()
}

fn write_draft(path: &Path, errata: &Errata) -> Result<(), Fault> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Fault::new(FaultKind::Input, "this file already exists, and was left as it is")
                .at(path)
                .hint("name another one")
        }
        _ => Fault::io("cannot write the draft", path, error),
    })?;
    file.write_all(&errata.to_bytes())
        .map_err(|error| Fault::io("cannot write the draft", path, error))
}
