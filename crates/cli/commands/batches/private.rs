//! Batches of private workflows: requests leave the shelf sealed to somebody's key, or in clear where somebody says so.

use std::{
    collections::BTreeSet,
    fs,
    io::{Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill::{Fault, FaultKind, Project, Requests, SEALED_RESULTS, Workspace};
use storymill_core::{Asked, Disk};
use storymill_disk::most;
use storymill_llm::{
    batch::{self, Exported, Imported},
    wire::{FileLimits, Wire},
};
use storymill_shelf::{Access, Recipient, letter};

use crate::{
    args::{ExportBatch, shelf::InShelf},
    commands::claims::HOLDERS,
    exit::Failure,
    novel,
    private::{Sealed, inside, refuse_repository},
    report, secrets,
    session::Session,
    whole_file::put,
};

/// A shelf whose workflows are asked in batches.
pub(super) struct Private<'a> {
    sealed: Sealed,
    on: &'a InShelf,
}

impl<'a> Private<'a> {
    /// Opens the shelf that was named, if one was.
    pub(super) fn open(on: &'a InShelf) -> Result<Option<Self>, Failure> {
        let sealed = Sealed::named(on, Access::Change)?;
        Ok(sealed.map(|sealed| Self { sealed, on }))
    }

    /// The project of a workflow: a file, or what `evaluate` keeps in the shelf. Its disk and its store are the shelf's.
    pub(super) fn project(
        &self,
        workflow: &Path,
        session: &Session,
    ) -> Result<(Project, Arc<dyn Disk>, PathBuf), Failure> {
        let (file, text) = match self.kept(workflow)? {
            Some(kept) => kept,
            None => (workflow.to_owned(), novel::text(workflow)?),
        };
        let workspace = Workspace::shelf(Arc::clone(&self.sealed.shelf));
        let store = workspace.store.clone();
        let registry = Arc::clone(&session.registry);
        let project = Project::of_text(&file, &text, registry, &*self.sealed.disk)?
            .with_surroundings(session.surroundings.clone())
            .in_workspace(workspace)?;
        Ok((project, Arc::clone(&self.sealed.disk), store))
    }

    /// A workflow that `evaluate` has written into the shelf.
    fn kept(&self, name: &Path) -> Result<Option<(PathBuf, String)>, Fault> {
        let file = inside(SEALED_RESULTS).join(format!("{}.toml", name.display()));
        let failed = |error| Fault::io("cannot read from the shelf", &file, error);
        if name.components().count() != 1 || self.sealed.disk.len(&file).map_err(failed)?.is_none()
        {
            return Ok(None);
        }
        let text = self.sealed.disk.read(&file).map_err(failed)?;
        Ok(Some((file.clone(), String::from_utf8_lossy(&text).into_owned())))
    }

    /// Refuses what would lie in clear unasked, before anything is made.
    pub(super) fn check(args: &ExportBatch) -> Result<(), Failure> {
        if args.to.is_empty() && !args.clear {
            let message = "the requests are private: `--to PUBLIC-KEY` seals them, `--clear` writes them in clear";
            return Err(Failure::Usage(message.to_owned()));
        }
        if args.clear {
            refuse_repository(&args.out)?;
        }
        Ok(())
    }

    /// Writes the requests into a folder: `NAME.jsonl` in clear, `NAME.jsonl.age` sealed.
    pub(super) fn export(
        &self,
        args: &ExportBatch,
        requests: &Requests,
        wave: &[Asked],
        form: (&dyn Wire, FileLimits),
    ) -> Result<Exported, Failure> {
        let to =
            args.to.iter().map(|key| key.parse()).collect::<Result<Vec<Recipient>, Fault>>()?;
        let folder = &args.out;
        fs::create_dir_all(folder)
            .map_err(|error| Fault::io("cannot make the folder of the batch", folder, error))?;
        let failed = |error| Fault::io("cannot read the folder of the batch", folder, error);
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            let fault = Fault::new(FaultKind::Input, "there is something in the folder already");
            return Err(fault
                .at(folder)
                .hint("each batch has a folder of its own: name a new one")
                .into());
        }
        let disk = &self.sealed.disk;
        let kept = inside("batch");
        let lost = |error| Fault::io("cannot write into the shelf", &kept, error);
        let clear = || -> std::io::Result<()> {
            disk.list(&kept)?.iter().try_for_each(|name| disk.remove(&kept.join(name)))
        };
        // What a run that was stopped has left.
        clear().map_err(lost)?;
        let exported = batch::export(requests.asker(), wave, form, &kept, &**disk)?;
        // What goes out cannot be taken back: it is written down first.
        self.note(args, &to, requests, wave)?;
        for file in &exported.files {
            let bytes =
                storymill_shelf::Private::new(disk.read(&kept.join(&file.file)).map_err(lost)?);
            let path = folder.join(&file.file);
            if args.clear {
                self.sealed.clear(&args.workflow, &path, bytes.expose())?;
            } else {
                let sealed = letter::seal(bytes.expose(), &to)?;
                put(&path.with_added_extension("age"), &sealed)?;
            }
        }
        clear().map_err(lost)?;
        Ok(exported)
    }

    /// Notes who sees the requests: their endpoints, and of a set of claims each pair. Whoever holds them in clear, or the key
    /// of somebody who is not in the shelf, has the claims, wherever the model is.
    fn note(
        &self,
        args: &ExportBatch,
        to: &[Recipient],
        requests: &Requests,
        wave: &[Asked],
    ) -> Result<(), Failure> {
        let shelf = &self.sealed.shelf;
        let own = shelf.recipients()?;
        let holder = if args.clear {
            Some(HOLDERS[1])
        } else {
            to.iter().any(|key| !own.contains(key)).then_some(HOLDERS[0])
        };
        let models: BTreeSet<&str> = wave.iter().map(|asked| &*asked.request.model).collect();
        let (ledger, mut sets) = (requests.exposures(), BTreeSet::new());
        for name in models {
            let of = wave.iter().filter(|asked| asked.request.model == name);
            if let Some(ledger) = ledger {
                sets.extend(ledger.note(of, requests.asker().config(name)?, holder)?);
            }
        }
        for (set, holder) in sets.iter().filter_map(|set| Some((set, holder?))) {
            report::say(format!(
                "from now on statements of `{set}` say that {holder} was shown these pairs"
            ));
        }
        Ok(())
    }

    /// A file of results, unsealed if it is sealed.
    pub(super) fn unsealed(&self, path: &Path) -> Result<Box<dyn Read>, Fault> {
        Ok(Box::new(Cursor::new(secrets::named(path, most::MODEL, Some(&self.on.key))?)))
    }
}

/// Takes what providers say out of what is told of an import: they may quote a request.
pub(super) fn hush(imported: &mut Imported) {
    let count = imported.reasons.values().sum();
    imported.reasons.clear();
    if count > 0 {
        let reason = "a reason of the provider, which is not shown: it may quote private text";
        imported.reasons.insert(reason.to_owned(), count);
    }
    for line in &mut imported.untaken {
        "not a result of a request that this workflow asks".clone_into(&mut line.why);
    }
}

/// A file of results as it is.
pub(super) fn plain(path: &Path) -> Result<Box<dyn Read>, Fault> {
    let file = storymill_disk::open(path)
        .map_err(|error| Fault::io("cannot read results of a batch", path, error).input())?;
    Ok(Box::new(file))
}
