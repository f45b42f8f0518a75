//! The ledgers of exposures of private sets: which pair was shown to whom, and when. Whatever leaves a shelf for a model is
//! noted here.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use storymill_claims::{
    exposure::{self, Exposure},
    set::lines,
};
use storymill_core::{Asked, BookId, Fault, FaultKind};
use storymill_llm::{ModelConfig, elsewhere};
use storymill_shelf::{Shelf, sets};

use super::reading::kept;
use crate::calendar::today;

/// The provider of models on the maintainers' own machines.
pub const LOCAL: &str = "local";

/// Notes what of a shelf is shown to whom.
#[derive(Debug)]
pub struct Exposures {
    pub(crate) shelf: Arc<Shelf>,
    /// The set that the claims on a book are of.
    sets: Mutex<BTreeMap<BookId, String>>,
}

impl Exposures {
    pub(crate) fn of(shelf: Arc<Shelf>) -> Self {
        Self { shelf, sets: Mutex::default() }
    }

    /// Hears that claims on these books are of a set.
    pub(super) fn hear(&self, books: Vec<BookId>, set: &str) {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        sets.extend(books.into_iter().map(|book| (book, set.to_owned())));
    }

    /// Notes that requests are shown to a model today, or to somebody who is given them for it: the endpoint, and of requests
    /// about claims their pairs. Gives the sets of those.
    ///
    /// # Errors
    ///
    /// The ledger cannot be read or written.
    pub fn note<'a>(
        &self,
        requests: impl IntoIterator<Item = &'a Asked>,
        to: &ModelConfig,
        holder: Option<&str>,
    ) -> Result<BTreeSet<String>, Fault> {
        let elsewhere = elsewhere(to)?;
        self.shelf.note_endpoints(elsewhere.as_slice())?;
        let who = match (&elsewhere, holder) {
            (None, None) => vec![LOCAL],
            (service, holder) => service.as_deref().into_iter().chain(holder).collect(),
        };
        let (date, sets) = (today(), self.sets.lock().unwrap_or_else(PoisonError::into_inner));
        let mut shown: BTreeMap<&String, BTreeSet<Exposure>> = BTreeMap::new();
        for asked in requests {
            let pair = asked.item.as_deref().and_then(pair_of);
            let (Some(set), Some(pair)) = (sets.get(&asked.unit), pair) else { continue };
            let line = |provider: &&str| Exposure {
                pair: pair.to_owned(),
                provider: (*provider).to_owned(),
                model: to.id().to_owned(),
                date: date.clone(),
            };
            shown.entry(set).or_default().extend(who.iter().map(line));
        }
        for (set, new) in &mut shown {
            for known in exposures(&self.shelf, set)? {
                new.remove(&known);
            }
            if !new.is_empty() {
                let (place, new) = (sets::place(set, "exposures"), lines(&Vec::from_iter(&*new)));
                self.shelf.change(|change| change.append(&place, new.as_bytes()))?;
            }
        }
        Ok(shown.into_keys().cloned().collect())
    }
}

/// What is noted of a set.
///
/// # Errors
///
/// The ledger cannot be read.
pub fn exposures(shelf: &Shelf, set: &str) -> Result<Vec<Exposure>, Fault> {
    exposure::read(kept(shelf, set, "exposures")?.expose()).map_err(|mistakes| {
        let message = format!("the ledger of exposures cannot be read: {}", mistakes[0]);
        Fault::new(FaultKind::Input, message).at(shelf.root())
    })
}

/// The pair of a request about a claim: `claims/n01/0003/true/full`.
fn pair_of(item: &str) -> Option<&str> {
    let (claim, _setting) = item.strip_prefix("claims/")?.rsplit_once('/')?;
    Some(claim.rsplit_once('/')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_name_their_pair() {
        for (item, pair) in [
            ("claims/n01/0003/true/full", Some("n01/0003")),
            ("claims/p1/false/retrieved-5", Some("p1")),
            ("eval/84/0001/full", None),
            ("claims", None),
        ] {
            assert_eq!(pair_of(item), pair, "{item}");
        }
    }
}
