//! Questions of a published folder with the text that they were made from.

use std::path::Path;

use storymill_core::Fault;
use storymill_dataset::{
    Manifest,
    context::{Asked, ask, find},
};
use storymill_pipeline::Lock;

/// A question, and what is read before it is asked: taken from the nearest config behind its own,
/// so that a question with other names is asked about the text with other names.
pub(super) fn asked(folder: &Path, question: &str, config: Option<&str>) -> Result<Asked, Fault> {
    let found = find(folder, question, config)?;
    let manifest = Manifest::of(folder)?;
    // A lock that this version cannot read is no reason to tell nothing: then any text will do that has
    // the right length.
    let lock = Lock::read(&folder.join(&manifest.lock.path));
    let texts = lock.map(|lock| lock.configs_behind(&found.config)).unwrap_or_default();
    ask(folder, found, &texts)
}
