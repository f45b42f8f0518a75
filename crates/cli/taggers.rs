//! Taggers by name. Model files are read here; the taggers know bytes only.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use serde_json::Value;
use storymill_core::{Fault, FaultKind};
use storymill_llm::Local;
use storymill_names::{Litner, NameTagger, Perceptron, answers};

use crate::{
    args::names::{Choice, Tagger},
    rust_bert,
};

/// Where the models lie in a checkout, and beside an installed binary.
const FOLDER: &str = "data/models/litner";

/// The tagger that was chosen, with its model.
pub(crate) fn open(choice: &Choice) -> Result<Box<dyn NameTagger>, Fault> {
    match choice.tagger {
        Tagger::Perceptron => Ok(Box::new(Perceptron::new())),
        Tagger::Litner | Tagger::LitnerSmall => Ok(Box::new(litner(choice, TYPED)?)),
        Tagger::RustBert => rust_bert::open(choice.models.as_deref(), "--models"),
    }
}

/// What to do without the model, where a tagger was chosen on the command line.
const TYPED: &str = "name the folder that has it with `--models DIR` (`data/models/litner` of a storymill checkout), \
     or take the tagger that needs no file with `--tagger perceptron`";

/// What to do without it, where a step of a workflow asks the tagger.
const IN_BUILD: &str = "name the folder that has it with `--tagger-models DIR` (`data/models/litner` of a storymill checkout), \
     or take the tagger that needs no file with `tagger = \"perceptron\"` under the step";

/// Reads the model; the hint is for those who do not have it.
fn litner(choice: &Choice, hint: &str) -> Result<Litner, Fault> {
    let name = match choice.tagger {
        Tagger::LitnerSmall => "litner-small",
        _ => "litner",
    };
    let model = &format!("{name}.onnx");
    let missing = |path: &Path, error| missing(name, path, error, hint);
    let folder = choice.models.clone().unwrap_or_else(|| folder(model));
    let (model, vocabulary) = (folder.join(model), folder.join("vocab.txt"));
    let bytes = fs::read(&model).map_err(|error| missing(&model, error))?;
    let text = fs::read(&vocabulary).map_err(|error| missing(&vocabulary, error))?;
    let text = String::from_utf8(text).map_err(|error| {
        Fault::new(FaultKind::Input, "not UTF-8 text").at(&vocabulary).because(error)
    })?;
    Litner::load(bytes, &text).map_err(|fault| fault.at(&model))
}

/// A tagger that stages may ask: its model is read when the first question comes.
#[derive(Debug)]
pub(crate) struct Lazy {
    choice: Choice,
    id: String,
    model: OnceLock<Result<Litner, String>>,
}

impl Lazy {
    /// The taggers that this program can run itself, by the names under which stages ask them.
    pub(crate) fn all(models: Option<&Path>) -> Vec<(&'static str, Arc<dyn Local>)> {
        let lazy = |(name, digest): (&'static str, &str)| {
            let tagger = if name == "litner" { Tagger::Litner } else { Tagger::LitnerSmall };
            let choice = Choice { tagger, models: models.map(Path::to_owned) };
            let id = format!("{name} {digest}");
            (name, Arc::new(Self { choice, id, model: OnceLock::new() }) as Arc<dyn Local>)
        };
        let own = answers::MODELS.into_iter().map(lazy);
        own.chain([(rust_bert::NAME, rust_bert::local(models))]).collect()
    }

    fn litner(&self) -> Result<&Litner, Fault> {
        let read = || {
            let litner = litner(&self.choice, IN_BUILD).map_err(|fault| {
                let hint =
                    fault.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
                format!("{fault}{hint}")
            })?;
            if self.id.ends_with(&litner.digest().to_string()) {
                return Ok(litner);
            }
            Err("the model of the tagger is not the one that belongs to this version of storymill"
                .to_owned())
        };
        let read = self.model.get_or_init(read).as_ref();
        read.map_err(|why| Fault::new(FaultKind::Input, why.clone()))
    }
}

impl Local for Lazy {
    fn id(&self) -> &str {
        &self.id
    }

    fn ready(&self) -> Result<(), Fault> {
        self.litner().map(|_| ())
    }

    fn answer(&self, body: &Value) -> Result<String, Fault> {
        answers::answer(self.litner()?, body)
    }
}

/// The first folder that has the model: here, or where the binary or its checkout is.
fn folder(model: &str) -> PathBuf {
    let here = PathBuf::from(FOLDER);
    let binary = std::env::current_exe().and_then(|binary| binary.canonicalize()).ok();
    // target/release/storymill lies three folders below the checkout.
    let above = binary
        .iter()
        .flat_map(|binary| binary.ancestors().skip(1).take(3))
        .map(|dir| dir.join(FOLDER));
    let found =
        std::iter::once(here.clone()).chain(above).find(|folder| folder.join(model).is_file());
    found.unwrap_or(here)
}

fn missing(name: &str, path: &Path, error: std::io::Error, hint: &str) -> Fault {
    if error.kind() != ErrorKind::NotFound {
        return Fault::io("cannot read the model", path, error).input();
    }
    let message = format!("the model of the tagger `{name}` is not here");
    Fault::new(FaultKind::Input, message).at(path).hint(hint)
}
