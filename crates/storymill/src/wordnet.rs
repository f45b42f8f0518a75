//! The files of a WordNet folder.

use std::path::Path;

use storymill_core::{Fault, FaultKind};
use storymill_disk::most;
use storymill_metrics::wordnet::{Files, PartFiles, WordNet};

/// Reads the folder of a WordNet (`index.noun`, `data.noun`, `noun.exc` and so on), for METEOR's synonyms.
///
/// # Errors
///
/// A file is missing or is not what it should be.
pub fn read(folder: &Path) -> Result<WordNet, Fault> {
    let file = |name: String| {
        let path = folder.join(name);
        storymill_disk::read(&path, most::TABLE).map_err(|error| {
            Fault::io("cannot read a file of WordNet", path, error)
                .input()
                .hint("a folder of WordNet 3.0 holds `index.noun`, `data.noun` and so on")
        })
    };
    let part = |name: &str| {
        Ok::<_, Fault>(PartFiles {
            index: file(format!("index.{name}"))?,
            data: file(format!("data.{name}"))?,
            exceptions: file(format!("{name}.exc"))?,
        })
    };
    let files =
        Files { noun: part("noun")?, verb: part("verb")?, adj: part("adj")?, adv: part("adv")? };
    WordNet::parse(files).map_err(|error| {
        Fault::new(FaultKind::Input, "this is not a folder of WordNet").at(folder).because(error)
    })
}
