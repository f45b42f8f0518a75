//! The ledger of exposures of a private set: which pair was shown to whom, and when.

use std::{collections::BTreeSet, sync::Arc};

use storymill_claims::{
    exposure::{self, Exposure},
    set::lines,
};
use storymill_shelf::Shelf;

use super::{refused, set_store::Sealed};
use crate::{calendar::today, exit::Failure};

/// Notes that pairs are shown to a provider's model today.
pub(crate) fn expose(
    shelf: &Arc<Shelf>,
    set: &str,
    pairs: impl Iterator<Item = String>,
    (provider, model): (&str, &str),
) -> Result<(), Failure> {
    let (provider, model, date) = (provider.to_owned(), model.to_owned(), today());
    let shown = pairs.map(|pair| Exposure {
        pair,
        provider: provider.clone(),
        model: model.clone(),
        date: date.clone(),
    });
    let sealed = Sealed::of(Arc::clone(shelf), set);
    let known = exposure::read(sealed.read("exposures")?.expose())
        .map_err(|mistakes| refused(shelf.root(), "the ledger cannot be read", &mistakes))?;
    let new: BTreeSet<Exposure> = shown.filter(|line| !known.contains(line)).collect();
    if !new.is_empty() {
        sealed.append("exposures", lines(&Vec::from_iter(new)).as_bytes())?;
    }
    Ok(())
}
