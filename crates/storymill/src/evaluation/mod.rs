//! The workflow that puts a published dataset or a set of claims to a model, as a file that anybody can run again.

mod foretold;
mod toml;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill_core::{Digest, Encoding, Fault};
use storymill_dataset::{Site, exams::Wanted};
use storymill_llm::{ModelConfig, TooLong};
use storymill_shelf::{MOUNT, Shelf};
use storymill_transforms::NamedReader;

pub use foretold::Foretold;
use toml::{from, json, key, list, quoted, value_of};

use crate::{Claims, Published, dataset::lock_of, words::typed};

/// What is put to whom, and how.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What is asked.
    pub of: Subject,
    /// Which of its questions.
    pub wanted: Wanted,
    /// Who answers; none: the baselines, which ask nobody, or a file of answers.
    pub model: Option<ModelConfig>,
    /// The readers that answer in its place, if any.
    pub readers: Vec<NamedReader>,
    /// Answers to claims that somebody has already; nobody is asked.
    pub responses: Option<PathBuf>,
    /// The prompt that claims are put in.
    pub form: Option<String>,
    /// Leave out pairs that a provider has seen.
    pub unexposed: Option<String>,
    /// Show the story that a claim is about, not the whole book.
    pub story: bool,
    /// Excerpts stand in the order of the book.
    pub book_order: bool,
    /// The name of the model's table, if somebody chose it: the workflow and the results are called by it.
    pub model_name: Option<String>,
    /// What is shown, each in turn.
    pub settings: Vec<String>,
    /// The model's window in tokens.
    pub window: Option<u32>,
    /// What becomes of a context that is longer: `refuse`, `middle`, `front`.
    pub too_long: Option<String>,
    /// The encoding that contexts are counted and cut in.
    pub tokens: Option<Encoding>,
    /// A file `tokenizer.json` in place of the encoding.
    pub tokenizer: Option<PathBuf>,
    /// How many questions of one text a request holds.
    pub per_request: u32,
    /// How many tokens may be written; as the model's description says if none is named.
    pub max_tokens: Option<u32>,
    /// A prompt in place of the one that comes with the program.
    pub prompt: Option<PathBuf>,
    /// A folder with WordNet, for METEOR.
    pub wordnet: Option<PathBuf>,
    /// Endpoints that the text of private books may be sent to.
    pub send_private_to: Vec<String>,
    /// Answers that were recorded before.
    pub answers: Vec<PathBuf>,
    /// The store of its answers, where it is another one than the folder has; only a comment names it.
    pub store: Option<PathBuf>,
}

/// The form of prompt that claims are put in if nobody names one.
pub const FORM: &str = "explain-first";

/// What stands before the digest of the claims that a workflow asks.
const CLAIMS: &str = "# claims ";

/// What a model is put to.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A published folder or release; one of a shelf lies on the disk that is the inside of the shelf.
    Dataset(Site),
    /// A set of claims in a folder.
    ClaimFolder(PathBuf),
    /// A set of claims on a shelf.
    ClaimShelf(Arc<Shelf>, String),
}

impl Subject {
    /// Whether it is a set of claims.
    pub fn is_claims(&self) -> bool {
        !matches!(self, Self::Dataset(_))
    }
}

/// What a workflow says of what is asked.
struct Head {
    name: String,
    version: String,
    seed: u64,
    license: Option<String>,
    canary: String,
    /// The source's table.
    source: Vec<String>,
    units: usize,
}

/// A workflow as a file holds it.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its name: that of the dataset and of the model.
    pub name: String,
    /// Its text.
    pub text: String,
    /// How many units are asked.
    pub units: usize,
}

impl Evaluation {
    /// What rows call the model: one that was asked in another form of prompt is another one.
    fn called(&self) -> String {
        if !self.readers.is_empty() {
            let names: Vec<&str> = self.readers.iter().map(|one| one.called.as_str()).collect();
            return names.join(" ");
        }
        let none = if self.responses.is_some() { "responses" } else { "baselines" };
        let model = self.model.as_ref().map_or(none, ModelConfig::id);
        match &self.form {
            Some(form) if form != FORM => format!("{model} {form}"),
            _ => model.to_owned(),
        }
    }

    /// The name that results have: of the dataset and the model, in the letters of names.
    fn name(&self, dataset: &str) -> String {
        let model = self.model_name.as_deref().filter(|_| self.model.is_some());
        let letters = format!("{dataset}-{}", model.map_or_else(|| self.called(), str::to_owned));
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        letters.chars().map(plain).take(64).collect()
    }

    /// The dataset that a workflow puts to a model, as its file names it; `folder` is that of the file.
    pub fn dataset_of(text: &str, folder: &Site) -> Option<Site> {
        let mut lines = text.lines().skip_while(|line| *line != "[source.exam.published]");
        let path = lines.find_map(|line| line.strip_prefix("path = "))?;
        let path: String = serde_json::from_str(path).ok()?;
        Some(if path.starts_with(MOUNT) { folder.beside(path) } else { folder.join(path) })
    }

    /// The set of claims that a workflow puts to a model, as its file names it.
    pub fn set_of(text: &str) -> Option<String> {
        let mut lines = text.lines().skip_while(|line| *line != "[source.exam.claim-set]");
        let path = lines.find_map(|line| line.strip_prefix("path = "))?;
        serde_json::from_str(path).ok()
    }

    /// Whether a workflow asked these claims, as they stand now.
    pub fn asked(text: &str, mut claims: Claims) -> bool {
        let option = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let pairs = option("pairs = ").and_then(|count| count.parse().ok());
        let unexposed = option("unexposed = ").and_then(|text| serde_json::from_str(text).ok());
        let unexposed: Option<String> = unexposed;
        if claims.choose(unexposed.as_deref(), pairs).is_err() {
            return false;
        }
        text.lines().any(|line| line.strip_prefix(CLAIMS) == Some(&claims.digest().to_string()))
    }

    /// The workflow as a file says it. `out` names, for the workflow's name, the folder of results, beside which the file lies:
    /// paths count from there.
    ///
    /// # Errors
    ///
    /// The dataset is not what its manifest says, or has no such questions.
    pub fn written(&self, out: impl Fn(&str) -> PathBuf) -> Result<Written, Fault> {
        let place = |name: &str| Path::new(".").join(out(name).parent().unwrap_or(Path::new("")));
        let head = match &self.of {
            Subject::Dataset(dataset) => self.head_of_dataset(dataset, place)?,
            Subject::ClaimFolder(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let folder = place(&self.name(&name));
                let canary =
                    Digest::of_parts("storymill 2026 canary of a set v1", [name.as_bytes()]);
                let canary = format!("storymill-canary-{}", canary.short());
                self.head_of_claims(name, &from(&folder, path)?, canary)?
            }
            Subject::ClaimShelf(shelf, name) => {
                self.head_of_claims(name.clone(), name, shelf.canary())?
            }
        };
        let name = self.name(&head.name);
        let folder = place(&name);
        let title = format!("{} on {} {}", self.called(), head.name, head.version);
        let out = typed(&out(&name));
        let store = self.store.as_ref().map(|store| format!(" --store {}", typed(store)));
        let comment = format!(
            "# What {title} answers. Again, from the folder where it was asked: storymill build {out}.toml --out {out}{}",
            store.unwrap_or_default()
        );
        // A comment is one line, whatever a path or a model is called.
        let mut text = comment.replace(['\n', '\r'], " ") + "\n\n";
        let mut put = |line: String| text += &(line + "\n");
        put(format!("name = {}", quoted(&name)));
        put(format!("version = {}", quoted(&head.version)));
        put(format!("seed = {}", head.seed));
        if !self.answers.is_empty() {
            let paths = self.answers.iter().map(|path| from(&folder, path));
            let paths = paths.collect::<Result<Vec<_>, _>>()?;
            put(format!("answers = {}", list(&paths)));
        }
        if !self.send_private_to.is_empty() {
            put(format!("send_private_to = {}", list(&self.send_private_to)));
        }
        put("\n[publish]".to_owned());
        put(format!("title = {}", quoted(&title)));
        put(format!("license = {}", quoted(head.license.as_deref().unwrap_or("other"))));
        put(format!("canary = {}", quoted(&head.canary)));
        put("split = \"splits\"\n".to_owned());
        head.source.into_iter().for_each(&mut put);
        put("\n[stage.splits.exam-split]\nfrom = \"exam\"".to_owned());
        match (&self.model, &self.responses) {
            (Some(model), _) => self.asking(model, &folder, &mut put)?,
            (None, Some(file)) => {
                put("\n[stage.answers.responses]\nfrom = \"exam\"".to_owned());
                let path = if file.starts_with(MOUNT) {
                    file.display().to_string()
                } else {
                    from(&folder, file)?
                };
                put(format!("file = {}", quoted(&path)));
            }
            (None, None) if !self.readers.is_empty() => {
                put("\n[stage.answers.read]\nfrom = \"exam\"".to_owned());
                put(format!("readers = {}", value_of(&json(&self.readers)?)));
            }
            (None, None) => put("\n[stage.answers.baseline]\nfrom = \"exam\"".to_owned()),
        }
        put("\n[stage.grades.grade]\nfrom = \"exam\"\nanswers = \"answers\"".to_owned());
        if let Some(wordnet) = &self.wordnet {
            put(format!("wordnet = {}", quoted(&from(&folder, wordnet)?)));
        }
        put("\n[dataset.answers]\nfrom = \"answers\"".to_owned());
        put("\n[dataset.grades]\nfrom = \"grades\"".to_owned());
        Ok(Written { name, text, units: head.units })
    }

    fn head_of_dataset(
        &self,
        dataset: &Site,
        place: impl Fn(&str) -> PathBuf,
    ) -> Result<Head, Fault> {
        let exams = Published::exams(dataset, &self.wanted)?;
        let manifest = exams.manifest();
        let path = if dataset.starts_with(MOUNT) {
            dataset.display().to_string()
        } else {
            from(&place(&self.name(&manifest.name)), dataset)?
        };
        let mut source =
            vec!["[source.exam.published]".to_owned(), format!("path = {}", quoted(&path))];
        for (option, named) in [("configs", &self.wanted.configs), ("splits", &self.wanted.splits)]
        {
            if !named.is_empty() {
                source.push(format!("{option} = {}", list(named)));
            }
        }
        let filter = self.wanted.filter.as_deref();
        source.extend(filter.map(|tests| format!("where = {}", quoted(tests))));
        source.extend(self.wanted.questions.map(|most| format!("questions = {most}")));
        let strata = self.wanted.stratify.as_deref();
        source.extend(strata.map(|over| format!("stratify = {}", quoted(over))));
        let tokens: Vec<String> = exams.encodings().iter().map(ToString::to_string).collect();
        if !tokens.is_empty() {
            source.push(format!("tokens = {}", list(&tokens)));
        }
        let license = lock_of(dataset, manifest).ok().and_then(|lock| lock.publish);
        Ok(Head {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            seed: manifest.seed,
            license: license.map(|publish| publish.license),
            canary: manifest.canary.clone(),
            source,
            units: exams.units().count(),
        })
    }

    /// The same for a set of claims, by its path as the workflow says it.
    fn head_of_claims(&self, name: String, path: &str, canary: String) -> Result<Head, Fault> {
        let mut source =
            vec!["[source.exam.claim-set]".to_owned(), format!("path = {}", quoted(path))];
        source.extend(self.pairs().map(|most| format!("pairs = {most}")));
        let unexposed = self.unexposed.as_deref().map(quoted);
        source.extend(unexposed.map(|provider| format!("unexposed = {provider}")));
        let (version, seed, license) = ("1.0.0".to_owned(), 0, None);
        let claims = self.claims()?;
        source.extend(claims.as_ref().map(|claims| format!("{CLAIMS}{}", claims.digest())));
        let units = claims.map_or(0, |claims| claims.books().len());
        Ok(Head { name, version, seed, license, canary, source, units })
    }

    /// How many pairs are asked where not all questions are.
    fn pairs(&self) -> Option<u32> {
        self.wanted.questions.map(|most| most.div_ceil(2))
    }

    /// The set of claims that is asked, if it is one.
    ///
    /// # Errors
    ///
    /// It is not there, or it cannot be read.
    pub fn claims(&self) -> Result<Option<Claims>, Fault> {
        let mut claims = match &self.of {
            Subject::Dataset(_) => return Ok(None),
            Subject::ClaimFolder(folder) => Claims::in_folder(folder)?,
            Subject::ClaimShelf(shelf, name) => Claims::on_shelf(shelf, name)?,
        };
        claims.choose(self.unexposed.as_deref(), self.pairs())?;
        Ok(Some(claims))
    }

    /// The model and the stage that asks it.
    fn asking(
        &self,
        model: &ModelConfig,
        folder: &Path,
        put: &mut impl FnMut(String),
    ) -> Result<(), Fault> {
        // What does not fit is told of that question; the others are asked all the same.
        let model = ModelConfig { too_long: TooLong::Reject, ..model.clone() };
        let value = json(&model)?;
        let table = self.model_name.as_deref().unwrap_or("default");
        put(format!("\n[model.{}]", key(table)));
        for (name, value) in value.as_object().into_iter().flatten() {
            if !value.is_null() {
                put(format!("{name} = {}", value_of(value)));
            }
        }
        put("\n[stage.answers.answer]\nfrom = \"exam\"".to_owned());
        if let Some(table) = &self.model_name {
            put(format!("model = {}", quoted(table)));
        }
        put(format!("called = {}", quoted(&self.called())));
        if !self.settings.is_empty() {
            put(format!("settings = {}", list(&self.settings)));
        }
        if let Some(form) = &self.form {
            put(format!("form = {}", quoted(form)));
        }
        for (option, is_on) in [("story", self.story), ("book_order", self.book_order)] {
            if is_on {
                put(format!("{option} = true"));
            }
        }
        if let Some(window) = self.window {
            put(format!("window = {window}"));
        }
        if let Some(too_long) = &self.too_long {
            put(format!("too_long = {}", quoted(too_long)));
        }
        if let Some(tokens) = self.tokens {
            put(format!("tokens = {}", quoted(tokens.name())));
        }
        if let Some(tokenizer) = &self.tokenizer {
            put(format!("tokenizer = {}", quoted(&from(folder, tokenizer)?)));
        }
        if self.per_request > 1 {
            put(format!("per_request = {}", self.per_request));
        }
        put(format!("max_tokens = {}", self.max_tokens.unwrap_or(model.max_tokens)));
        if let Some(prompt) = &self.prompt {
            put(format!("prompt = {}", quoted(&from(folder, prompt)?)));
        }
        Ok(())
    }
}
