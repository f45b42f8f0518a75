//! Taggers by name. Model files are read here; the taggers know bytes only.

use std::{
    io::ErrorKind,
    num::NonZeroU32,
    path::Path,
    sync::{Arc, OnceLock, atomic::AtomicBool},
};

use serde_json::Value;
use storymill_core::{FULL_BUILD, Fault, FaultKind, did_you_mean};
use storymill_disk::most;
use storymill_llm::{Heard, Local};
use storymill_names::{Litner, NameTagger, Perceptron, answers};
use storymill_pipeline::Step;

use crate::{
    data::{DataFolders, Places, VARIABLE},
    events::Notice,
    rust_bert,
};

/// The folder that has the models of both sizes of `litner`.
const FOLDER: &str = "litner";

/// The tagger of a name, with its model in this folder, else wherever models are looked for. Where none is
/// named and there is no model, the one that needs none, and a notice.
///
/// # Errors
///
/// There is no tagger of this name, or its model is not here or cannot be read.
pub fn open(
    name: Option<&str>,
    folder: Option<&Path>,
    data: &DataFolders,
) -> Result<(Box<dyn NameTagger>, Option<Notice>), Fault> {
    let places = folder.map_or_else(|| data.around(None), Places::only);
    let tagger: Box<dyn NameTagger> = match name {
        // Whoever names a folder means the model in it.
        None if folder.is_none() && !is_in(&places) => {
            let notice = Notice::warning(format!(
                "{}, so the perceptron finds the names, a little less well",
                missing(&places)
            ));
            return Ok((Box::new(Perceptron::new()), Some(notice.hint(get(data)))));
        }
        None => Box::new(litner("litner", &places, TYPED, data)?),
        Some(name @ ("litner" | "litner-small")) => Box::new(litner(name, &places, TYPED, data)?),
        Some("perceptron") => Box::new(Perceptron::new()),
        Some(rust_bert::NAME) => rust_bert::open(folder, "--tagger-models")?,
        Some(other) => {
            let known = ["litner", "litner-small", "perceptron", rust_bert::NAME];
            let fault = Fault::new(FaultKind::Input, format!("there is no tagger `{other}`"));
            return Err(fault.hint(did_you_mean(other, known).unwrap_or_default()));
        }
    };
    Ok((tagger, None))
}

/// A tagger as files and tables name it: which it is, the first digits of its model's digest, and how much it
/// reads where that is not everything.
pub fn called(tagger: &dyn NameTagger, occurrences: Option<NonZeroU32>) -> String {
    let digest = tagger.digest().to_string();
    let name = format!("{} {}", tagger.name(), &digest[..16]);
    match occurrences {
        Some(most) => format!("{name}, {most} occurrences of a form"),
        None => name,
    }
}

/// Says which steps of a workflow in a folder go without the tagger that they would rather ask.
pub(crate) fn without(steps: &[String], workflow: &Path, data: &DataFolders) -> Vec<Notice> {
    let places = data.around(Some(workflow));
    let notice = |step: &String| {
        Notice::warning(format!(
            "`{step}` names no tagger, and {}, so the perceptron finds the names, a little less well",
            missing(&places)
        ))
    };
    let mut notices: Vec<_> = steps.iter().map(notice).collect();
    if let Some(last) = notices.last_mut() {
        last.hints.push(format!(
            "{}; `tagger = \"perceptron\"` under the step makes this the choice on every machine",
            get(data)
        ));
    }
    notices
}

/// The tagger that a step finds names with.
pub(crate) fn of(step: &Step) -> Option<String> {
    let options: Value = serde_json::from_str(&step.options()).ok()?;
    options.get("tagger")?.as_str().map(str::to_owned)
}

/// Whether the model of `litner` is where a workflow in a folder has it looked for.
pub(crate) fn is_here(workflow: &Path, data: &DataFolders) -> bool {
    is_in(&data.around(Some(workflow)))
}

/// Whether `litner` can be asked.
fn is_in(places: &Places) -> bool {
    Litner::BUILT && places.find(FOLDER, "litner.onnx").is_some()
}

/// Why `litner` cannot be asked.
fn missing(places: &Places) -> String {
    if Litner::BUILT {
        format!("the model of the tagger `litner` was not found (looked in {places})")
    } else {
        "this build of storymill has no tagger `litner`".to_owned()
    }
}

/// How to come by the models.
fn get(data: &DataFolders) -> String {
    if !Litner::BUILT {
        return FULL_BUILD.to_owned();
    }
    let home = data.home.as_ref();
    let home = home.map_or_else(|| "a folder".to_owned(), |home| format!("`{}`", home.display()));
    format!(
        "copy the folder `data/models` of a storymill checkout into {home}, or set `{VARIABLE}` to the checkout's `data`"
    )
}

/// What else there is to do without the model, where a tagger was chosen on the command line.
const TYPED: &str = "name its folder with `--tagger-models DIR`, or take the tagger that needs no file with `--tagger perceptron`";

/// What else there is to do, where a step of a workflow asks the tagger.
const IN_BUILD: &str = "name its folder with `--tagger-models DIR`, or take the tagger that needs no file with `tagger = \"perceptron\"` under the step";

/// Reads the model; the hint is for those who do not have it.
fn litner(name: &str, places: &Places, hint: &str, data: &DataFolders) -> Result<Litner, Fault> {
    if !Litner::BUILT {
        return Err(
            Fault::left_out(&format!("tagger `{name}`")).hint(format!("{FULL_BUILD}; or {hint}"))
        );
    }
    let file = format!("{name}.onnx");
    let Some(folder) = places.find(FOLDER, &file) else {
        let message = format!(
            "the model of the tagger `{name}` was not found; looked for `{file}` in {places}"
        );
        return Err(Fault::new(FaultKind::Input, message).hint(format!("{}, or {hint}", get(data))));
    };
    let (model, vocabulary) = (folder.join(file), folder.join("vocab.txt"));
    let unread = |path: &Path, error| Fault::io("cannot read the model", path, error).input();
    let bytes = storymill_disk::read(&model, most::MODEL).map_err(|error| unread(&model, error))?;
    let text = match storymill_disk::read(&vocabulary, most::TABLE) {
        Ok(text) => String::from_utf8(text).map_err(|error| {
            Fault::new(FaultKind::Input, "not UTF-8 text").at(&vocabulary).because(error)
        })?,
        // The vocabulary of the models that come with storymill is in the binary.
        Err(error) if error.kind() == ErrorKind::NotFound => answers::VOCABULARY.to_owned(),
        Err(error) => return Err(unread(&vocabulary, error)),
    };
    Litner::load(bytes, &text).map_err(|fault| fault.at(&model))
}

/// A tagger that stages may ask: its model is read when the first question comes.
#[derive(Debug)]
pub(crate) struct Lazy {
    name: &'static str,
    places: Places,
    data: DataFolders,
    id: String,
    model: OnceLock<Result<Litner, String>>,
}

impl Lazy {
    /// The taggers that this program can run itself, by the names under which stages ask them.
    pub(crate) fn all(
        models: Option<&Path>,
        workflow: &Path,
        data: &DataFolders,
    ) -> Vec<(&'static str, Arc<dyn Local>)> {
        let places = models.map_or_else(|| data.around(Some(workflow)), Places::only);
        let lazy = |(name, digest): (&'static str, &str)| {
            let id = format!("{name} {digest}");
            let (places, data) = (places.clone(), data.clone());
            let lazy = Self { name, places, data, id, model: OnceLock::new() };
            (name, Arc::new(lazy) as Arc<dyn Local>)
        };
        let own = answers::MODELS.into_iter().map(lazy);
        own.chain([(rust_bert::NAME, rust_bert::local(models))]).collect()
    }

    fn litner(&self) -> Result<&Litner, Fault> {
        let read = || {
            let litner =
                litner(self.name, &self.places, IN_BUILD, &self.data).map_err(|fault| {
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

    fn answer(&self, body: &Value, _: &AtomicBool) -> Result<Heard, Fault> {
        answers::answer(self.litner()?, body).map(Heard::from)
    }
}
