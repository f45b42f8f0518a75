//! A workflow composed in Rust: steps as the options structs themselves, checked as a file is.

use std::path::{Path, PathBuf};

use storymill_core::{CorpusStage, Options, ReviewRule, Source, Stage};
use toml::Spanned;

use super::{
    Asking, NotAWorkflow, Publish, StepKind, Workflow,
    parse::{Draft, DraftConfig, DraftStep, Places},
};
use crate::{
    Problem, Registry,
    erased::{CorpusStageBox, SourceBox, StageBox},
};

/// A workflow in the making. What it builds has the lock of the file that says the same.
///
/// ```
/// use storymill_pipeline::{Publish, Registry, Workflow};
///
/// // Mistakes are told as those of a file are.
/// let nothing = Workflow::builder("mine", "1.0", 7)
///     .publish(Publish::new("Mine", "cc0-1.0", "storymill-canary-of-mine"))
///     .build(&Registry::new());
/// assert!(nothing.unwrap_err().to_string().contains("`1.0` is not a version"));
/// ```
#[must_use = "`build` makes the workflow"]
pub struct Builder {
    draft: Draft,
    problems: Vec<Problem>,
    root: PathBuf,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("root", &self.root).finish_non_exhaustive()
    }
}

/// What stands nowhere in a file.
fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

impl Workflow {
    /// Begins a workflow of this name, version and seed.
    pub fn builder(name: &str, version: &str, seed: u64) -> Builder {
        let keys = ["name", "version", "seed"].map(str::to_owned).to_vec();
        let draft = Draft {
            name: Some(unplaced(name.to_owned())),
            version: Some(unplaced(version.to_owned())),
            seed: Some(unplaced(seed)),
            keys,
            ..Draft::default()
        };
        Builder { draft, problems: Vec::new(), root: PathBuf::new() }
    }
}

impl Builder {
    /// The folder from which paths count; the folder that one works in where none is named.
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = root.into();
        self
    }

    /// The lock that this version grows from.
    pub fn base(mut self, lock: &str) -> Self {
        self.draft.base = Some(unplaced(lock.to_owned()));
        self
    }

    /// A file or folder with recorded answers.
    pub fn answers(mut self, path: &str) -> Self {
        self.draft.answers.push(path.to_owned());
        self
    }

    /// A file with what people decided.
    pub fn decisions(mut self, path: &str) -> Self {
        self.draft.decisions.push(path.to_owned());
        self
    }

    /// How the votes of several people become a decision.
    pub fn review(mut self, rule: ReviewRule) -> Self {
        self.found(rule.faults());
        self.draft.review = rule;
        self
    }

    /// An endpoint that may be sent private text.
    pub fn send_private_to(mut self, endpoint: &str) -> Self {
        self.draft.send_private_to.push(endpoint.to_owned());
        self
    }

    /// What is said about the dataset as a whole.
    pub fn publish(mut self, publish: Publish) -> Self {
        self.draft.publish = Some((publish, Places::default()));
        self.draft.keys.push("publish".to_owned());
        self
    }

    /// Publishes nothing: the rows of a step are wanted, and no dataset.
    pub fn unpublished(mut self) -> Self {
        self.draft.unpublished = true;
        self.publish(Publish::new("", "", ""))
    }

    /// When a stage whose answers are refused is stopped.
    pub fn asking(mut self, asking: Asking) -> Self {
        self.found(asking.faults());
        self.draft.asking = asking;
        self
    }

    /// A model that stages may ask.
    pub fn model(mut self, name: &str, model: &impl Options) -> Self {
        self.found(model.check());
        match serde_json::to_value(model) {
            Ok(value) => drop(self.draft.models.insert(name.to_owned(), value)),
            Err(error) => self.problems.push(Problem::new(error.to_string(), None)),
        }
        self
    }

    /// A source.
    pub fn source(self, name: &str, source: impl Source) -> Self {
        self.step(name, StepKind::Source(Box::new(SourceBox(source))))
    }

    /// A stage.
    pub fn stage(self, name: &str, stage: impl Stage) -> Self {
        self.step(name, StepKind::Stage(Box::new(StageBox(stage))))
    }

    /// A corpus stage.
    pub fn corpus_stage(self, name: &str, stage: impl CorpusStage) -> Self {
        self.step(name, StepKind::Corpus(Box::new(CorpusStageBox(stage))))
    }

    /// Publishes the rows of a step as a config.
    pub fn dataset(mut self, config: &str, from: &str) -> Self {
        let (name, from) = (config.to_owned(), unplaced(from.to_owned()));
        self.draft.configs.push(DraftConfig { name, span: 0..0, from });
        self
    }

    /// Checks it, and reads the files that it names.
    ///
    /// # Errors
    ///
    /// All mistakes at once; or a file cannot be read.
    pub fn build(self, registry: &Registry) -> Result<Workflow, NotAWorkflow> {
        let (root, found) = (self.root, (self.draft, self.problems));
        let checked = Workflow::checked(Path::new("workflow"), &root, "", found, registry);
        let workflow = checked.map_err(|mut problems| {
            // Nothing of it stands in a file.
            problems.problems.iter_mut().for_each(|problem| problem.span = None);
            problems
        })?;
        Ok(workflow.with_files(super::REAL)?)
    }

    fn step(mut self, name: &str, kind: StepKind) -> Self {
        let (name, places) = (name.to_owned(), Places::default());
        self.draft.steps.push(DraftStep { name, span: 0..0, kind, places });
        self
    }

    fn found<M: std::fmt::Display>(&mut self, mistakes: Vec<(&'static str, M)>) {
        let problem = |(option, message)| Problem::new(format!("`{option}` {message}"), None);
        self.problems.extend(mistakes.into_iter().map(problem));
    }
}
