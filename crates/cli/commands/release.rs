//! `storymill release`: a published folder becomes a release, if nothing speaks against it.

use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::json;
use storymill_core::{Fault, FaultKind};
use storymill_dataset::{
    Before, Candidate, Manifest, Objection, Words,
    diff::Step,
    examine,
    release::{Errata, may_release},
};
use storymill_pipeline::{Lock, LockChange, store::RealDisk};

use crate::{
    args::{self, Format},
    built::BuiltWorkflow,
    exit::{DONE, Exit, Failure, RELEASE},
    kinds,
    table::{plain, plural, typed},
};

pub(crate) fn run(args: &args::Release) -> Result<Exit, Failure> {
    let (folder, base) = candidate(args)?;
    let manifest = Manifest::of(&folder)?;
    may_release(&manifest, &args.releases)?;
    let lock = Lock::read(&folder.join(&manifest.lock.path))?;
    let last = Last::find(args, base.as_deref(), &manifest.name)?;
    let mut objections = about(args, &manifest, &lock, last.as_ref());
    let before = match &last {
        Some(Last::Folder { folder, .. }) => Before::Folder(folder),
        Some(Last::Lock { lock: old, .. }) => before(old, &lock),
        None => Before::None,
    };
    let mut examined = examine(Candidate {
        folder: &folder,
        words: words(&lock),
        records: records(&lock),
        before,
        changelog: &args.changelog,
        errata: &args.errata,
    })?;
    if let Some(draft) = &args.draft_errata {
        let ids = examined.without_erratum.iter();
        write_draft(draft, &examined.errata.clone().with_drafts(ids, &manifest.version))?;
    }
    examined.objections.append(&mut objections);
    let refused = !examined.objections.is_empty();
    let released = if refused || args.dry_run {
        None
    } else {
        Some(examined.write(&kinds::tables(), &RealDisk, &args.releases)?)
    };
    if args.format == Format::Json {
        let objections = examined.objections.iter();
        let objections = objections.map(|one| json!({ "what": one.what, "hint": one.hint }));
        super::json(&json!({
            "name": manifest.name, "version": manifest.version, "digest": manifest.digest,
            "previous": last.as_ref().map(Last::version), "withdrawn": examined.withdrawn,
            "objections": objections.collect::<Vec<_>>(), "without_erratum": examined.without_erratum,
            "folder": released.as_ref().map(|released| &released.folder),
            "lock": released.as_ref().map(|released| &released.lock),
        }))?;
        return Ok(if refused { RELEASE } else { DONE });
    }
    let mut out = std::io::stdout().lock();
    let (name, version) = (&manifest.name, &manifest.version);
    if refused {
        writeln!(out, "{name} {version} was not released:")?;
        for Objection { what, hint } in &examined.objections {
            writeln!(out, "- {}", plain(what))?;
            if let Some(hint) = hint {
                writeln!(out, "  hint: {}", plain(hint))?;
            }
        }
        return Ok(RELEASE);
    }
    let after = last.as_ref().map_or_else(
        || "the first release".to_owned(),
        |last| {
            let ids = plural(examined.withdrawn as u64, "id");
            format!("after {}; {ids} of it gone or changed", last.version())
        },
    );
    let Some(released) = released else {
        writeln!(out, "nothing speaks against {name} {version}, {after}")?;
        return Ok(DONE);
    };
    writeln!(out, "{name} {version} is released, {after}")?;
    writeln!(out, "  in      {}", released.folder.display())?;
    writeln!(out, "  lock    {}", released.lock.display())?;
    writeln!(out, "  digest  {}", manifest.digest)?;
    writeln!(
        out,
        "next: commit the lock, the changelog and the errata, and tag them v{version}; upload the folder as it is"
    )?;
    Ok(DONE)
}

/// The published folder, and the base lock of the workflow if one was named.
fn candidate(args: &args::Release) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    if args.what.is_dir() {
        if args.out.is_some() {
            let message = "`--out` goes with a workflow; a folder was named already";
            return Err(Failure::Usage(message.to_owned()));
        }
        return Ok((args.what.clone(), None));
    }
    let (answers, out) = (args.answers.as_deref(), args.out.as_deref());
    let built = BuiltWorkflow::open(&args.what, &args.store, answers, out)?;
    let default = || PathBuf::from("out").join(&built.workflow.name);
    let folder = args.out.clone().unwrap_or_else(default);
    let manifest = Manifest::of(&folder)?;
    let published = Lock::read(&folder.join(&manifest.lock.path))?;
    if built.lock()? != published {
        let message = "the folder was not published from the workflow as it is now";
        let hint = format!("run `storymill build {}` first", typed(&args.what));
        return Err(Fault::new(FaultKind::Lock, message).at(folder).hint(hint).into());
    }
    Ok((folder, built.workflow.base))
}

/// The release before.
enum Last {
    Folder { folder: PathBuf, version: String },
    Lock { lock: Box<Lock> },
}

impl Last {
    /// The one that was named, else the highest version in the folder of releases, else the base.
    fn find(
        args: &args::Release,
        base: Option<&Path>,
        name: &str,
    ) -> Result<Option<Self>, Failure> {
        if let Some(folder) = &args.previous {
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
        let entries = std::fs::read_dir(&args.releases).into_iter().flatten().flatten();
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
    args: &args::Release,
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
        None if !args.first => object(
            "no release before is at hand".to_owned(),
            "`--previous DIR` names its folder; `--first` says that there is none",
        ),
        Some(last) if args.first => {
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
fn records(lock: &Lock) -> std::collections::BTreeMap<String, String> {
    let record = |(config, step): (&String, &String)| {
        Some((config.clone(), lock.steps.get(step)?.record.clone()))
    };
    lock.configs.iter().filter_map(record).collect()
}

fn write_draft(path: &Path, errata: &Errata) -> Result<(), Fault> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Fault::new(FaultKind::Input, "this file is there already, and was left as it is")
                .at(path)
                .hint("name another one")
        }
        _ => Fault::io("cannot write the draft", path, error),
    })?;
    file.write_all(&errata.to_bytes())
        .map_err(|error| Fault::io("cannot write the draft", path, error))
}
