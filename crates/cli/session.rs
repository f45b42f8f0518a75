//! What one call of the program has: what workflows may name, and what of this machine may be used.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use clap::{ValueEnum, builder::PossibleValue};
use storymill::{
    DataFolders, Fault, FaultKind, Project, Registry, Surroundings, VARIABLE, Workspace, taggers,
};
use storymill_core::Disk;
use storymill_names::NameTagger;
use storymill_shelf::Access;

use crate::{
    args::{
        names::Choice,
        shelf::{KeyFile, Place},
    },
    exit::{Failure, INTERRUPTED},
    report, secrets,
};

/// What one call of the program has.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) registry: Arc<Registry>,
    pub(crate) surroundings: Surroundings,
}

/// The store if nobody names one.
pub(crate) const STORE: &str = ".storymill";

impl Session {
    /// `came_along` is a folder of models that came with the program, where they do not lie around it.
    pub(crate) fn new(registry: Registry, came_along: Option<PathBuf>) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
        let environment = Arc::new(|name: &str| std::env::var(name).ok());
        let surroundings =
            Surroundings { environment, data: data_folders(came_along), ..Surroundings::default() };
        Self { registry: Arc::new(registry), surroundings }
    }

    /// The first signal asks the run to stop, the second ends the program at once.
    pub(crate) fn stop_on_signals(&self) -> Result<(), Failure> {
        self.stop_saying("stopping after what is being written; once more to stop at once")
    }

    /// The same for a server of pages, which has nothing to finish.
    pub(crate) fn stop_serving_on_signals(&self) -> Result<(), Failure> {
        self.stop_saying("stopped")
    }

    fn stop_saying(&self, words: &'static str) -> Result<(), Failure> {
        // Tests have many commands in one process, which listens once.
        if cfg!(test) {
            return Ok(());
        }
        let stop = Arc::clone(&self.surroundings.stop);
        let handler = move || {
            if stop.swap(true, Ordering::SeqCst) {
                std::process::exit(INTERRUPTED.code.into());
            }
            report::say(words);
        };
        let set = ctrlc::set_handler(handler);
        set.map_err(|error| {
            Fault::new(FaultKind::Internal, "cannot listen for Ctrl-C").because(error).into()
        })
    }

    /// The disk that a place is on: a store, or something in one, may be named by a URL.
    pub(crate) fn disk(&self, place: &Path) -> Result<Arc<dyn Disk>, Failure> {
        Ok(storymill::disk_of(place, &*self.surroundings.environment)?)
    }

    /// The store that a command works with: the one that was named; where nobody named one and none is here, that beside the
    /// workflow, which its project was built with.
    pub(crate) fn store(file: &Path, named: &Path) -> PathBuf {
        if named != Path::new(STORE) || named.exists() {
            return named.to_owned();
        }
        // A dataset in `out`, and a workflow in `results`, are a folder below those that they were made by.
        let above = file.parent().map(|folder| match folder.file_name() {
            Some(_) => folder.with_file_name(named),
            None => folder.join("..").join(named),
        });
        let above = above.filter(|_| {
            file.is_dir() || file.parent().is_some_and(|folder| folder.ends_with("results"))
        });
        let mut stores = [Some(file.with_file_name(named)), above].into_iter().flatten();
        stores.find(|store| store.is_dir()).unwrap_or_else(|| named.to_owned())
    }

    /// The project of a workflow file.
    pub(crate) fn project(&self, file: &Path) -> Result<Project, Failure> {
        let project = Project::open(file, Arc::clone(&self.registry))?;
        Ok(project.with_surroundings(self.surroundings.clone()))
    }

    /// The same, built in the shelf that was named, else in the folder. Mistakes in the workflow are told before
    /// a passphrase is asked for.
    pub(crate) fn project_in(
        &self,
        file: &Path,
        shelf: Option<&Path>,
        key: &KeyFile,
        folder: &Path,
    ) -> Result<Project, Failure> {
        let project = self.project(file)?;
        let Some(shelf) = shelf else { return Ok(project.in_store(Self::store(file, folder))?) };
        let place = Place { shelf: shelf.to_owned(), key: key.clone() };
        let shelf = secrets::open(&place, Access::Change)?;
        Ok(project.in_workspace(Workspace::shelf(shelf))?)
    }

    /// The tagger that was chosen, with its model.
    pub(crate) fn tagger(&self, choice: &Choice) -> Result<Box<dyn NameTagger>, Fault> {
        let value = choice.tagger.and_then(|tagger| tagger.to_possible_value());
        let name = value.as_ref().map(PossibleValue::get_name);
        let folder = choice.models.as_deref();
        let (tagger, notice) = taggers::open(name, folder, &self.surroundings.data)?;
        notice.iter().for_each(report::notice);
        if choice.occurrences.is_some() && tagger.name() == "perceptron" {
            let message =
                "the tagger `perceptron` reads the whole book, whatever `--occurrences` says";
            return Err(Fault::new(FaultKind::Input, message).hint("leave the option out"));
        }
        Ok(tagger)
    }
}

/// Where models of taggers lie: what the user's variable names; the folders of the binary (`target/release`
/// lies two below a checkout); the user's data.
fn data_folders(came_along: Option<PathBuf>) -> DataFolders {
    let binary = std::env::current_exe().and_then(|binary| binary.canonicalize()).ok();
    let above = binary.iter().flat_map(|binary| binary.ancestors().skip(1).take(3));
    let installed = binary.as_deref().and_then(Path::parent).and_then(Path::parent);
    let installed = installed.map(|prefix| prefix.join("share/storymill"));
    // A path that is not absolute does not count, as the XDG rules have it.
    let home = variable("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let home = home
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| Some(variable("HOME")?.join(".local/share")));
    DataFolders {
        first: variable(VARIABLE).into_iter().collect(),
        last: came_along.into_iter().chain(above.map(Path::to_owned)).chain(installed).collect(),
        home: home.map(|home| home.join("storymill")),
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let value = std::env::var_os(name);
    value.filter(|value| !value.is_empty()).map(PathBuf::from)
}
