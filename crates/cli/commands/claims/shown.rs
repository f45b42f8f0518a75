//! How the pairs of a private set stand with models: who was shown them, and how many systems have them right.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc};

use storymill::{Claims, Evaluation, LOCAL, exposures};
use storymill_claims::exposure::{self, Exposure, is_saturated};
use storymill_core::Fault;
use storymill_shelf::{Shelf, proof::Standing};

use super::{
    results,
    set_store::{Home, Lies, Sealed},
};
use crate::{calendar::day, commands::report_page, exit::Failure};

/// Who was given requests in files, beside the provider that they are for.
pub(crate) const HOLDERS: [&str; 2] =
    ["a holder of sealed requests", "a holder of requests in clear"];

/// How long a statement is to be relied on, in days.
const VALID: i64 = 365;

/// What is known of the pairs of a set, by id.
#[derive(Default)]
pub(crate) struct Shown {
    ledger: Vec<Exposure>,
    right: BTreeMap<String, [usize; 2]>,
}

impl Shown {
    /// What is known of a set; nothing of one in a folder, which has no ledger and no results of its own.
    pub(super) fn of(home: &Home) -> Result<Self, Failure> {
        match &home.lies {
            Lies::Folder { .. } => Ok(Self::default()),
            Lies::Shelf(sealed) => Self::sealed(sealed),
        }
    }

    fn sealed(sealed: &Sealed) -> Result<Self, Failure> {
        let ledger = exposures(&sealed.shelf, &sealed.name)?;
        let mut right: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        let mut sites = Vec::new();
        for (site, workflow) in results::of_shelf(sealed)? {
            // What was answered to other words says nothing of these.
            if Evaluation::asked(&workflow, Claims::on_shelf(&sealed.shelf, &sealed.name)?) {
                sites.push(site);
            }
        }
        if !sites.is_empty() {
            let (all, ..) = report_page::collected(&sites, &[])?;
            let Ok(matrix) =
                all.to_matrix(|pair| Ok::<_, Infallible>(pair.to_owned()), str::to_owned);
            for row in &matrix.pairs {
                right.insert(row.name(), row.right());
            }
        }
        Ok(Self { ledger, right })
    }

    /// How many systems have a pair right, and of how many.
    pub(super) fn right(&self, pair: &str) -> [usize; 2] {
        self.right.get(pair).copied().unwrap_or_default()
    }

    /// Who was shown a pair, and on which day first.
    pub(super) fn to(&self, pair: &str) -> Vec<(&str, &str)> {
        let first = exposure::first(&self.ledger).into_iter();
        first.filter(|((of, _), _)| *of == pair).map(|((_, who), day)| (who, day)).collect()
    }
}

/// How many pairs of a set were given to others in files.
pub(crate) fn holders(shelf: &Shelf, set: &str) -> Result<BTreeMap<String, usize>, Fault> {
    let mut holders = BTreeMap::new();
    for (_, who) in exposure::first(&exposures(shelf, set)?).into_keys() {
        if HOLDERS.contains(&who) {
            *holders.entry(who.to_owned()).or_default() += 1;
        }
    }
    Ok(holders)
}

/// What the next statement of a set says of its pairs.
pub(crate) fn standing(shelf: &Arc<Shelf>, set: &str) -> Result<Standing, Failure> {
    let shown = Shown::sealed(&Sealed::of(Arc::clone(shelf), set))?;
    let mut standing = Standing { valid_until: day(VALID), ..Standing::default() };
    for (pair, [right, of]) in &shown.right {
        if is_saturated(*right, *of) {
            standing.saturated.insert(pair.clone());
        }
    }
    for ((pair, who), since) in exposure::first(&shown.ledger) {
        if who != LOCAL {
            let service = (who.to_owned(), since.to_owned());
            standing.exposed.entry(service).or_default().insert(pair.to_owned());
        }
    }
    Ok(standing)
}
