//! The tagger `rust-bert`: the files of its model are read here, if the program was built with it.

/// The name by which workflows and users choose it.
pub(crate) const NAME: &str = "rust-bert";

#[cfg(feature = "rust-bert")]
mod with {
    use std::{
        fs,
        io::ErrorKind,
        path::{Path, PathBuf},
        sync::{Arc, OnceLock, atomic::AtomicBool},
    };

    use serde_json::Value;
    use storymill_core::{Fault, FaultKind};
    use storymill_llm::{Heard, Local};
    use storymill_names::{NameTagger, RustBert, rust_bert::Files};

    /// The tagger with the model in this folder; `option` is where the folder is named.
    pub(crate) fn open(folder: Option<&Path>, option: &str) -> Result<Box<dyn NameTagger>, Fault> {
        load(folder, option).map(|tagger| Box::new(tagger) as Box<dyn NameTagger>)
    }

    fn load(folder: Option<&Path>, option: &str) -> Result<RustBert, Fault> {
        let hint = format!(
            "name a folder with config.json, vocab.txt and model.safetensors or rust_model.ot with `{option} DIR`"
        );
        let Some(folder) = folder else {
            let message = "the tagger `rust-bert` comes without a model";
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        };
        let read = |path: &Path| {
            fs::read(path).map_err(|error| match error.kind() {
                ErrorKind::NotFound => {
                    let message = "the model of the tagger `rust-bert` is not here";
                    Fault::new(FaultKind::Input, message).at(path).hint(hint.clone())
                }
                _ => Fault::io("cannot read the model", path, error).input(),
            })
        };
        let text = |name: &str| {
            let path = folder.join(name);
            String::from_utf8(read(&path)?).map_err(|error| {
                Fault::new(FaultKind::Input, "not UTF-8 text").at(&path).because(error)
            })
        };
        let (config, vocabulary) = (text("config.json")?, text("vocab.txt")?);
        let converted = folder.join("rust_model.ot");
        let weights =
            if converted.is_file() { converted } else { folder.join("model.safetensors") };
        let weights = read(&weights)?;
        let files = Files { config: &config, vocabulary: &vocabulary, weights: &weights };
        RustBert::load(&files).map_err(|fault| fault.at(folder))
    }

    /// A tagger that stages may ask: its model is read when the first question comes.
    #[derive(Debug)]
    struct Lazy {
        folder: Option<PathBuf>,
        model: OnceLock<Result<RustBert, String>>,
    }

    pub(crate) fn local(folder: Option<&Path>) -> Arc<dyn Local> {
        Arc::new(Lazy { folder: folder.map(Path::to_owned), model: OnceLock::new() })
    }

    impl Lazy {
        fn model(&self) -> Result<&RustBert, Fault> {
            let read = || {
                load(self.folder.as_deref(), "--tagger-models").map_err(|fault| {
                    let hint =
                        fault.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
                    format!("{fault}{hint}")
                })
            };
            let read = self.model.get_or_init(read).as_ref();
            read.map_err(|why| Fault::new(FaultKind::Input, why.clone()))
        }
    }

    impl Local for Lazy {
        // Which model it is stands in every request, so that answers are found without it.
        fn id(&self) -> &'static str {
            super::NAME
        }

        fn ready(&self) -> Result<(), Fault> {
            self.model().map(|_| ())
        }

        fn answer(&self, body: &Value, _: &AtomicBool) -> Result<Heard, Fault> {
            let model = self.model()?;
            let (own, wanted) = (model.digest().to_string(), &body["model"]);
            if *wanted != own.as_str() {
                let message = format!(
                    "the model of the tagger `rust-bert` is {own}, but the step wants {wanted}"
                );
                return Err(Fault::new(FaultKind::Input, message)
                    .hint("put the digest of the model that you want under the step as `digest`"));
            }
            model.answer(body).map(Heard::from)
        }
    }
}

#[cfg(not(feature = "rust-bert"))]
mod with {
    use std::{
        path::Path,
        sync::{Arc, atomic::AtomicBool},
    };

    use serde_json::Value;
    use storymill_core::{Fault, FaultKind};
    use storymill_llm::{Heard, Local};
    use storymill_names::NameTagger;

    fn absent() -> Fault {
        let message = "this storymill was built without the tagger `rust-bert`";
        Fault::new(FaultKind::Input, message).hint(
            "build it with the cargo feature `rust-bert` (docs/rust-bert.md says what that needs), or take another tagger",
        )
    }

    pub(crate) fn open(_: Option<&Path>, _: &str) -> Result<Box<dyn NameTagger>, Fault> {
        Err(absent())
    }

    /// Stands where the tagger would, and says why it is not there; what it once said is replayed all the same.
    #[derive(Debug)]
    struct Absent;

    pub(crate) fn local(_: Option<&Path>) -> Arc<dyn Local> {
        Arc::new(Absent)
    }

    impl Local for Absent {
        fn id(&self) -> &'static str {
            super::NAME
        }

        fn ready(&self) -> Result<(), Fault> {
            Err(absent())
        }

        fn answer(&self, _: &Value, _: &AtomicBool) -> Result<Heard, Fault> {
            Err(absent())
        }
    }
}

pub(crate) use with::{local, open};
