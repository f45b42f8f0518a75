//! A project: a workflow, where it is built, and what of the machine it may use.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Decision, Decisions, Disk, Fault, FaultKind};
use storymill_pipeline::{NotAWorkflow, Workflow};
use storymill_review::file::File;

use crate::{
    Registry,
    desk::no_file,
    events::{Events, nobody, tell},
    settle::{By, settle},
    surroundings::Surroundings,
    words::typed,
    workspace::Workspace,
};

/// A workflow, where it is built, and what of the machine around it may be used. Every way to a dataset
/// begins here: [`plan`](Self::plan), [`build`](Self::build), [`release`](Self::release).
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let books = folder.path().join("books");
/// # std::fs::create_dir(&books).unwrap();
/// # std::fs::write(books.join("1.txt"), "The Gate\n\nby Ann Lee\n\n".to_owned() + &"Ann saw the old gate. ".repeat(400)).unwrap();
/// # let file = folder.path().join("my.toml");
/// # std::fs::write(&file, r#"
/// # name = "my"
/// # version = "1.0.0"
/// # seed = 1
/// # [publish]
/// # title = "Mine"
/// # license = "cc0-1.0"
/// # canary = "storymill-canary-of-a-test"
/// # [source.books.folder]
/// # path = "books"
/// # [stage.scenes.chunk]
/// # from = "books"
/// # [dataset.scenes]
/// # from = "scenes"
/// # "#).unwrap();
/// use storymill::{BuildOptions, Project, Registry};
///
/// let project = Project::open(&file, Registry::standard())?.in_folder(folder.path().join("store"));
/// assert_eq!(project.plan(&Default::default())?.plan.steps[1].run, 1);
///
/// let out = Some(folder.path().join("out"));
/// let built = project.build(&BuildOptions { out, ..Default::default() })?;
/// let dataset = built.dataset.unwrap();
/// assert_eq!(dataset.rows("scenes")?[0]["book_id"], "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Project {
    pub(crate) file: PathBuf,
    pub(crate) workflow: Workflow,
    pub(crate) registry: Arc<Registry>,
    pub(crate) workspace: Workspace,
    pub(crate) surroundings: Surroundings,
    pub(crate) events: Arc<dyn Events>,
}

impl std::fmt::Debug for Project {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Project")
            .field("file", &self.file)
            .field("workspace", &self.workspace)
            .finish_non_exhaustive()
    }
}

impl Project {
    /// Reads and checks a workflow file. It is built in the folder `.storymill` until another is named.
    ///
    /// # Errors
    ///
    /// All mistakes of the file at once, each with its place; or the file, or one that it names, cannot be read.
    pub fn open(
        file: impl Into<PathBuf>,
        registry: impl Into<Arc<Registry>>,
    ) -> Result<Self, NotAWorkflow> {
        let (file, registry) = (file.into(), registry.into());
        let workflow = Workflow::read(&file, registry.kinds())?;
        Ok(Self { file, ..Self::of(workflow, registry) })
    }

    /// Reads and checks the text of a workflow that is in no file. Paths in it are of a disk, and count from where the program runs.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open).
    pub fn of_text(
        file: impl Into<PathBuf>,
        text: &str,
        registry: impl Into<Arc<Registry>>,
        disk: &dyn Disk,
    ) -> Result<Self, NotAWorkflow> {
        let (file, registry) = (file.into(), registry.into());
        let workflow = Workflow::of_text(&file, text, registry.kinds(), disk)?;
        Ok(Self { file, ..Self::of(workflow, registry) })
    }

    /// A project of a workflow that was [composed](Workflow::builder).
    pub fn of(workflow: Workflow, registry: impl Into<Arc<Registry>>) -> Self {
        Self {
            file: PathBuf::from(&workflow.name).with_extension("toml"),
            workflow,
            registry: registry.into(),
            workspace: Workspace::folder(".storymill"),
            surroundings: Surroundings::default(),
            events: nobody(),
        }
    }

    /// The same, built in a folder: the store.
    pub fn in_folder(self, store: impl Into<PathBuf>) -> Self {
        Self { workspace: Workspace::folder(store), ..self }
    }

    /// The same, built in a folder or in the store at a URL. What a bucket wants to know of its user is looked up in
    /// the environment of the [surroundings](Self::with_surroundings).
    ///
    /// # Errors
    ///
    /// As of [`Workspace::open`].
    pub fn in_store(self, store: impl Into<PathBuf>) -> Result<Self, Fault> {
        let workspace = Workspace::open(store, &*self.surroundings.environment)?;
        Ok(Self { workspace, ..self })
    }

    /// The same, built elsewhere.
    ///
    /// # Errors
    ///
    /// Its decisions would lie in clear, though it is built in a shelf; or those in the shelf cannot be read.
    pub fn in_workspace(self, workspace: Workspace) -> Result<Self, Fault> {
        let project = Self { workspace, ..self };
        project.lent()?;
        Ok(project)
    }

    /// The same, with more of the machine around it.
    pub fn with_surroundings(self, surroundings: Surroundings) -> Self {
        Self { surroundings, ..self }
    }

    /// The same, telling of what it does. Of a private build no words are told.
    pub fn told_to(self, events: Arc<dyn Events>) -> Self {
        Self { events, ..self }
    }

    /// The workflow.
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// Where it is built.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The folder that it is published into where none is named: `out/NAME`.
    pub fn default_out(&self) -> PathBuf {
        Path::new("out").join(&self.workflow.name)
    }

    /// The command that builds it where it is built: `storymill build my.toml --store there`.
    pub(crate) fn build_command(&self) -> String {
        let (file, store) = (typed(&self.file), &self.workspace.store);
        if self.workspace.is_private() || store == Path::new(".storymill") {
            return format!("storymill build {file}");
        }
        format!("storymill build {file} --store {}", typed(store))
    }

    /// Writes down what people decided, all of it or nothing, and gives back the file.
    ///
    /// # Errors
    ///
    /// The workflow names no file for it, or the disk fails.
    pub fn decide(&mut self, decisions: &[Decision]) -> Result<PathBuf, Fault> {
        let lent = self.lent()?;
        let path = lent.decided.first().ok_or_else(no_file)?.clone();
        File::new(Arc::clone(&self.workspace.disk), &path).append(decisions)?;
        if !self.workspace.is_private() {
            self.workflow.read_decisions()?;
        }
        Ok(path)
    }

    /// The workflow as it runs here: where that is a shelf, with the shelf and what was decided in it. It is lent
    /// for one run alone, so that no other place can come to read what is private.
    pub(crate) fn lent(&self) -> Result<Workflow, Fault> {
        let mut workflow = self.workflow.clone();
        self.workspace.take_in(&mut workflow)?;
        Ok(workflow)
    }

    /// Refuses what would show private text, or write it down in clear.
    pub(crate) fn refuse_private(&self, what: &str) -> Result<(), Fault> {
        if !self.workspace.is_private() {
            return Ok(());
        }
        let message =
            format!("{what} would show private text, and is not for a project in a shelf");
        Err(Fault::new(FaultKind::Input, message).hint("build it there: that tells no words"))
    }

    /// The workflow as it is without what people decided, and that.
    pub(crate) fn undecided(&self) -> Result<(Workflow, Decisions), Fault> {
        let mut workflow = self.lent()?;
        let decisions = workflow.decisions.take().unwrap_or_default();
        Ok((workflow, decisions))
    }

    /// The workflow with what its steps left open, chosen by what decides here.
    pub(crate) fn settled(&self, by: &By<'_>) -> Result<Workflow, Fault> {
        let mut workflow = self.lent()?;
        tell(&*self.events, settle(&mut workflow, by, &self.surroundings.data));
        Ok(workflow)
    }
}
