//! The ledger of exposures of a private set: which pair was shown to whom, and when.

use std::{collections::BTreeSet, sync::Arc};

use storymill_claims::{
    exposure::{self, Exposure},
    set::lines,
};
use storymill_core::{Asked, Fault, FaultKind};
use storymill_llm::{ModelConfig, elsewhere};
use storymill_shelf::Shelf;

use super::{LOCAL, set_store::Sealed};
use crate::calendar::today;

/// Who was given requests in files, beside the provider that they are for.
pub(crate) const HOLDERS: [&str; 2] =
    ["a holder of sealed requests", "a holder of requests in clear"];

/// The ledger of a set.
#[derive(Debug)]
pub(crate) struct Exposures {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) set: String,
}

impl Exposures {
    /// What is noted.
    pub(crate) fn read(&self) -> Result<Vec<Exposure>, Fault> {
        let sealed = Sealed::of(Arc::clone(&self.shelf), &self.set);
        exposure::read(sealed.read("exposures")?.expose()).map_err(|mistakes| {
            let message = format!("the ledger of exposures cannot be read: {}", mistakes[0]);
            Fault::new(FaultKind::Input, message).at(self.shelf.root())
        })
    }

    /// Notes that the pairs of requests are shown to a model today, or to somebody who is given them for it.
    pub(crate) fn note<'a>(
        &self,
        requests: impl IntoIterator<Item = &'a Asked>,
        to: &ModelConfig,
        holder: Option<&str>,
    ) -> Result<(), Fault> {
        let elsewhere = elsewhere(to)?;
        let who = match (&elsewhere, holder) {
            (None, None) => vec![LOCAL],
            (service, holder) => service.as_deref().into_iter().chain(holder).collect(),
        };
        let (known, date) = (self.read()?, today());
        let pairs = requests.into_iter().filter_map(|asked| pair_of(asked.item.as_deref()?));
        let shown = pairs.flat_map(|pair| {
            let line = |provider: &&str| Exposure {
                pair: pair.clone(),
                provider: (*provider).to_owned(),
                model: to.id().to_owned(),
                date: date.clone(),
            };
            who.iter().map(line).collect::<Vec<_>>()
        });
        let new: BTreeSet<Exposure> = shown.filter(|line| !known.contains(line)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let sealed = Sealed::of(Arc::clone(&self.shelf), &self.set);
        sealed.append("exposures", lines(&Vec::from_iter(new)).as_bytes())
    }
}

/// The pair of a request about a claim: `claims/n01/0003/true/full`.
fn pair_of(item: &str) -> Option<String> {
    let (claim, _setting) = item.strip_prefix("claims/")?.rsplit_once('/')?;
    Some(claim.rsplit_once('/')?.0.to_owned())
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
            assert_eq!(pair_of(item).as_deref(), pair, "{item}");
        }
    }
}
