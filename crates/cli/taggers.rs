//! Taggers by name. Model files are read here; the taggers know bytes only.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use storymill_core::{Fault, FaultKind};
use storymill_names::{Litner, NameTagger, Perceptron};

use crate::args_names::{Choice, Tagger};

/// Where the models lie in a checkout, and beside an installed binary.
const FOLDER: &str = "data/models/litner";

/// The tagger that was chosen, with its model.
pub(crate) fn open(choice: &Choice) -> Result<Box<dyn NameTagger>, Fault> {
    let model = match choice.tagger {
        Tagger::Perceptron => return Ok(Box::new(Perceptron::new())),
        Tagger::Litner => "litner.onnx",
        Tagger::LitnerSmall => "litner-small.onnx",
    };
    let folder = choice.models.clone().unwrap_or_else(|| folder(model));
    let (model, vocabulary) = (folder.join(model), folder.join("vocab.txt"));
    let bytes = fs::read(&model).map_err(|error| missing(&model, error))?;
    let text = fs::read(&vocabulary).map_err(|error| missing(&vocabulary, error))?;
    let text = String::from_utf8(text).map_err(|error| {
        Fault::new(FaultKind::Input, "not UTF-8 text").at(&vocabulary).because(error)
    })?;
    let litner = Litner::load(bytes, &text).map_err(|fault| fault.at(&model))?;
    Ok(Box::new(litner))
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

fn missing(path: &Path, error: std::io::Error) -> Fault {
    if error.kind() != ErrorKind::NotFound {
        return Fault::io("cannot read the model", path, error).input();
    }
    Fault::new(FaultKind::Input, "the model of the tagger `litner` is not here").at(path).hint(
        "name the folder that has it with `--models DIR` (`data/models/litner` of a storymill checkout), \
         or take the tagger that needs no file with `--tagger perceptron`",
    )
}
