//! Workflows: what a user writes, checked and in the order in which it can run.

mod asking;
mod audit;
mod builder;
mod check;
mod parse;
mod wrong;

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Decisions, Digest, Disk, EdgeSpec, Encoding, Fault, Lent, ReviewRule};
use storymill_disk::most;

use crate::{
    Problem, Problems, Registry,
    erased::{AnyCorpusStage, AnyOptions, AnySource, AnyStage},
};

pub use asking::Asking;
pub use audit::{AuditLimits, Limit};
pub use builder::Builder;

/// A workflow that has been checked.
#[derive(Clone, Debug)]
pub struct Workflow {
    /// The folder of the workflow file; paths in it count from here.
    pub root: PathBuf,
    /// The dataset's name.
    pub name: String,
    /// The dataset's version.
    pub version: String,
    /// The root seed.
    pub seed: u64,
    /// The lock of the version that this one grows from.
    pub base: Option<PathBuf>,
    /// Files and folders with recorded answers, which are only read.
    pub answers: Vec<PathBuf>,
    /// Endpoints that may be sent private text, beside those of this machine.
    pub send_private_to: Vec<String>,
    /// Files with what people decided. A file that names none has `decisions.jsonl` beside it.
    pub decided: Vec<PathBuf>,
    /// Whether it names none.
    pub decides_beside: bool,
    /// What people decided. None: whatever they decided is right, for looking at what was built.
    pub decisions: Option<Decisions>,
    /// How the votes of several people become a decision: the table `[review]`.
    pub review: ReviewRule,
    /// The models that stages may ask, as JSON: the options that the registry's model has.
    pub models: BTreeMap<String, serde_json::Value>,
    /// When a stage whose answers are refused is stopped.
    pub asking: Asking,
    /// The steps, each after those it reads from; otherwise in the order of the file.
    pub steps: Vec<Step>,
    /// The configs to publish, in the order of the file.
    pub configs: Vec<Config>,
    /// What is said about the dataset as a whole.
    pub publish: Publish,
    /// What whoever runs it lends its sources. Nothing, as it is read.
    pub lent: Lent,
}

/// One source, stage or corpus stage of a workflow.
#[derive(Clone)]
pub struct Step {
    /// The user's name for it.
    pub name: String,
    /// What it is.
    pub kind: StepKind,
    /// The source whose units it works on.
    pub source: String,
}

/// What a step is.
pub enum StepKind {
    /// A source.
    #[expect(private_interfaces, reason = "made by the registry alone")]
    Source(Box<dyn AnySource>),
    /// A stage.
    #[expect(private_interfaces, reason = "made by the registry alone")]
    Stage(Box<dyn AnyStage>),
    /// A corpus stage.
    #[expect(private_interfaces, reason = "made by the registry alone")]
    Corpus(Box<dyn AnyCorpusStage>),
}

impl Clone for StepKind {
    fn clone(&self) -> Self {
        match self {
            Self::Source(source) => Self::Source(source.boxed()),
            Self::Stage(stage) => Self::Stage(stage.boxed()),
            Self::Corpus(corpus_stage) => Self::Corpus(corpus_stage.boxed()),
        }
    }
}

impl StepKind {
    pub(crate) fn options(&self) -> &dyn AnyOptions {
        match self {
            Self::Source(source) => source.as_ref(),
            Self::Stage(stage) => stage.as_ref(),
            Self::Corpus(corpus_stage) => corpus_stage.as_ref(),
        }
    }

    pub(crate) fn options_mut(&mut self) -> &mut dyn AnyOptions {
        match self {
            Self::Source(source) => source.as_mut(),
            Self::Stage(stage) => stage.as_mut(),
            Self::Corpus(corpus_stage) => corpus_stage.as_mut(),
        }
    }
}

impl Step {
    /// The kind's word: `chunk`.
    pub fn kind(&self) -> &'static str {
        self.kind.options().kind()
    }

    /// The kind's version.
    pub fn version(&self) -> u32 {
        self.kind.options().version()
    }

    /// The name of the record that it makes.
    pub fn record(&self) -> &'static str {
        self.kind.options().record().0
    }

    /// What it reads.
    pub fn edges(&self) -> Vec<EdgeSpec> {
        self.kind.options().edges()
    }

    /// Its options in canonical JSON.
    pub fn options(&self) -> String {
        self.kind.options().options()
    }

    /// The models that it asks.
    pub fn models(&self) -> Vec<String> {
        self.kind.options().models()
    }

    /// The digests of the texts that come with it, such as prompts, and of the files that its
    /// options name, in this order.
    pub fn text_digests(&self) -> Vec<Digest> {
        self.kind.options().text_digests()
    }

    /// These texts themselves.
    pub fn texts(&self) -> Vec<Vec<u8>> {
        self.kind.options().texts()
    }

    /// Of how many scenes of a unit it makes something, if not of all.
    pub(crate) fn most_scenes(&self) -> Option<NonZeroU32> {
        match &self.kind {
            StepKind::Stage(stage) => stage.most_scenes(),
            StepKind::Source(_) | StepKind::Corpus(_) => None,
        }
    }

    /// Whether it asks a model that the workflow describes, and not only one that comes with the program.
    pub fn asks_outside(&self, workflow: &Workflow) -> bool {
        self.models().iter().any(|model| workflow.models.contains_key(model))
    }

    /// Whether it reads rows of other units, so that theirs must be there first.
    pub fn reads_partners(&self) -> bool {
        self.edges().iter().any(|edge| edge.by.is_some())
    }

    /// Whether the store keeps its rows; else they are read again from its source.
    pub(crate) fn is_kept(&self) -> bool {
        !matches!(&self.kind, StepKind::Source(source) if !source.is_kept())
    }

    /// Whether it rules on all units at once.
    pub fn is_corpus_stage(&self) -> bool {
        matches!(self.kind, StepKind::Corpus(_))
    }
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step")
            .field("name", &self.name)
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StepKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.options().kind())
    }
}

/// One config of the published dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Its name, which is its folder's.
    pub name: String,
    /// The step whose rows it publishes.
    pub from: String,
    /// The record of those rows.
    pub record: &'static str,
}

/// What is said about the dataset as a whole: the table `[publish]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// A readable title.
    pub title: String,
    /// One or two sentences on what is in it.
    #[serde(default)]
    pub description: String,
    /// Who made it, for citations: `Family, Given`, or the name of a group. A release needs it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Where it can be found, for citations and descriptions. A release needs it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Licence of the questions, as the Hugging Face Hub names it: `cc-by-4.0`.
    pub license: String,
    /// A string that stands in every evaluation file, so that leaks into training can be found.
    /// Mint it once for a family of datasets; `storymill init` does.
    pub canary: String,
    /// The corpus stage that says which split a unit belongs to. Without it all rows are `train`.
    #[serde(default)]
    pub split: Option<String>,
    /// How many rejected items are expected; more end a build with exit code 5.
    /// Default: of what each step looks at one item in ten, and no whole book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_rejects: Option<u64>,
    /// Whether you hold the rights in private books, so that their text may be published too.
    #[serde(default, rename = "i-hold-rights", skip_serializing_if = "std::ops::Not::not")]
    pub i_hold_rights: bool,
    /// Whether people's votes are published, under pseudonyms. Default: yes, where anybody voted.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub votes: bool,
    /// How much of it may be answered without understanding; a release is refused past a limit.
    #[serde(default, skip_serializing_if = "AuditLimits::is_empty")]
    pub audit: AuditLimits,
}

/// The name of the table of people's votes, which no step makes.
pub const VOTES: &str = "votes";

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over the field")]
fn is_yes(is: &bool) -> bool {
    *is
}

impl Publish {
    /// The least that can be said: a title, a licence as the Hugging Face Hub names it, a canary of at least
    /// 16 letters.
    pub fn new(title: &str, license: &str, canary: &str) -> Self {
        let (title, license, canary) = (title.to_owned(), license.to_owned(), canary.to_owned());
        Self {
            title,
            description: String::new(),
            authors: Vec::new(),
            url: String::new(),
            license,
            canary,
            split: None,
            expected_rejects: None,
            i_hold_rights: false,
            votes: true,
            audit: AuditLimits::default(),
        }
    }
}

/// Why there is no workflow.
#[derive(Debug, thiserror::Error)]
pub enum NotAWorkflow {
    /// Something in the file is wrong.
    #[error(transparent)]
    Problems(#[from] Box<Problems>),
    /// The file, or one that it names, cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// The file of decisions of a workflow that names none, beside it.
pub(crate) const DECISIONS: &str = "decisions.jsonl";

impl Workflow {
    /// Reads and checks a workflow file.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, NotAWorkflow> {
        let bytes = storymill_disk::read(path, most::WORKFLOW).map_err(|error| {
            let fault = Fault::io("cannot read the workflow", path, error).input();
            fault.hint("`storymill init my.toml --books FOLDER` writes one to start from")
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            Fault::new(storymill_core::FaultKind::Input, "the workflow is not UTF-8 text")
                .at(path)
                .because(error)
        })?;
        let root = path.parent().unwrap_or(Path::new(""));
        let mut workflow = Self::parse(path, root, &text, registry)?;
        if workflow.decided.is_empty() {
            (workflow.decided, workflow.decides_beside) = (vec![root.join(DECISIONS)], true);
        }
        Ok(workflow.with_files(REAL)?)
    }

    /// Reads and checks the text of a workflow that is in no file. `path` is named in messages; paths in the text
    /// are of this disk, and count from where the program runs.
    ///
    /// # Errors
    ///
    /// As of [`read`](Self::read).
    pub fn of_text(
        path: &Path,
        text: &str,
        registry: &Registry,
        disk: &dyn Disk,
    ) -> Result<Self, NotAWorkflow> {
        let read = |path: &Path| disk.read(path);
        Ok(Self::parse(path, Path::new(""), text, registry)?.with_files(&read)?)
    }

    /// The same with what the files hold that it names.
    fn with_files(mut self, read: Read<'_>) -> Result<Self, Fault> {
        self.fill_resources(read)?;
        self.read_decisions()?;
        Ok(self)
    }

    /// Reads anew what people decided.
    pub fn read_decisions(&mut self) -> Result<(), Fault> {
        self.decisions = Some(read_decisions(&self.decided)?.with_rule(self.review.clone()));
        Ok(())
    }

    /// Checks the text of a workflow. `path` is named in messages.
    pub(crate) fn parse(
        path: &Path,
        root: &Path,
        text: &str,
        registry: &Registry,
    ) -> Result<Self, Box<Problems>> {
        let (draft, problems) = parse::parse(text, registry);
        Self::checked(path, root, text, (draft, problems), registry)
    }

    fn checked(
        path: &Path,
        root: &Path,
        text: &str,
        (draft, mut problems): (parse::Draft, Vec<Problem>),
        registry: &Registry,
    ) -> Result<Self, Box<Problems>> {
        let workflow = check::check(draft, root, registry, &mut problems);
        match workflow {
            Some(workflow) if problems.is_empty() => Ok(workflow),
            _ => {
                problems.sort_by_key(|problem| problem.span.as_ref().map_or(0, |span| span.start));
                Err(Box::new(Problems { path: path.to_owned(), text: text.to_owned(), problems }))
            }
        }
    }

    /// Takes what people decided from one file of a disk, which need not be there yet, in place of the
    /// files that the workflow names.
    pub fn decided_in(&mut self, path: PathBuf, disk: &dyn Disk) -> Result<(), Fault> {
        let failed = |error| Fault::io("cannot read the file of decisions", &path, error);
        let bytes = read_or_none(&path, disk).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().zip(1..);
        let placed = lines.map(|(line, at)| (format!("{}, line {at}", path.display()), line));
        self.decisions = Some(Decisions::parse(placed)?.with_rule(self.review.clone()));
        self.decided = vec![path];
        Ok(())
    }

    /// Lets each step choose what its options leave open, by which of the models that come with the
    /// program can be asked here. Gives back the steps that go without the model they would rather ask.
    pub fn settle(&mut self, here: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut without = Vec::new();
        for step in &mut self.steps {
            let before = step.models();
            step.kind.options_mut().settle(here);
            if step.models() != before {
                without.push(step.name.clone());
            }
        }
        without
    }

    fn fill_resources(&mut self, read: Read<'_>) -> Result<(), Fault> {
        let root = &self.root;
        for step in &mut self.steps {
            let name = step.name.clone();
            for resource in step.kind.options_mut().resources() {
                let path = root.join(resource.path());
                let content = read(&path).map_err(|error| {
                    Fault::io(format!("cannot read a file that step `{name}` names"), &path, error)
                        .input()
                })?;
                resource.fill(content);
            }
        }
        Ok(())
    }

    /// The encodings whose tokens the rows of a step carry: its own, and those of what it reads.
    pub fn encodings(&self, step: &str) -> BTreeSet<Encoding> {
        let Some(step) = self.step(step) else { return BTreeSet::new() };
        let above = step.edges().into_iter().flat_map(|edge| self.encodings(&edge.step));
        step.kind.options().encodings().into_iter().chain(above).collect()
    }

    /// The step of a name.
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == name)
    }
}

/// Reads a file that a workflow names.
type Read<'r> = &'r dyn Fn(&Path) -> std::io::Result<Vec<u8>>;

/// Reads one of the file system.
const REAL: Read<'static> = &|path| storymill_disk::read(path, most::MODEL);

/// What a file holds; nothing where there is no such file.
fn read_or_none(path: &Path, disk: &dyn Disk) -> std::io::Result<Vec<u8>> {
    disk.read(path).or_else(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => Err(error),
    })
}

/// Reads files of decisions; what they say together counts. One that is not there holds none.
fn read_decisions(paths: &[PathBuf]) -> Result<Decisions, Fault> {
    let mut texts = Vec::new();
    for path in paths {
        match storymill_disk::read_text(path, most::TABLE) {
            Ok(text) => texts.push((path.display().to_string(), text)),
            // It is made with the first decision.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Fault::io("cannot read a file of decisions", path, error).input());
            }
        }
    }
    let lines = texts.iter().flat_map(|(path, text)| {
        text.lines().zip(1..).map(move |(line, at)| (format!("{path}, line {at}"), line))
    });
    Decisions::parse(lines)
}
