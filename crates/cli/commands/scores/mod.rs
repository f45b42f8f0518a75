//! What is published of the scores of a private set: receipts and matrices.

mod cadence;
mod matrix;
mod receipt;

use std::{collections::BTreeSet, convert::Infallible};

use storymill::{Claims, Evaluation, Site};
use storymill_core::{Fault, FaultKind};
use storymill_llm::wire::Wires;
use storymill_report::Report;
use storymill_shelf::{proof::Ledger, sets::Sets};

use super::{claims, report_page};
use crate::{args::report_page::ReportPage, calendar::today, exit::Failure, private::Sealed};

pub(super) use matrix::{diff, read as read_matrix};
pub(super) use receipt::verify;

/// Names the pairs in results of private sets whose last day of use has passed.
pub(super) fn warn_of_past(sealed: &Sealed, results: &[Site]) -> Result<(), Fault> {
    let sets = results.iter().filter_map(|one| Evaluation::set_of(&workflow(one)));
    for set in sets.collect::<BTreeSet<String>>() {
        if Sets(&sealed.shelf).names().contains(&set) {
            claims::warn_of_past(&Claims::on_shelf(&sealed.shelf, &set)?.past(&today()));
        }
    }
    Ok(())
}

/// Writes what was asked for of results of a set that has a statement of its pairs as they are and as they were asked.
pub(super) fn publish(
    args: &ReportPage,
    (sealed, wires): (&Sealed, &Wires),
    results: &[Site],
    figures: &Report,
) -> Result<(), Failure> {
    if args.receipt.is_none() && args.matrix_out.is_none() {
        return Ok(());
    }
    let set = set_of(results)?;
    let ledger = Ledger::of(&sealed.shelf, &set)?;
    let ledger = ledger.expose();
    let pairs = Sets(&sealed.shelf).pairs(&set)?;
    if ledger.statements().is_empty() || !ledger.is_current(&pairs.expose().0) {
        let message = format!("set `{set}` has no statement of its pairs as they are now");
        let hint = format!("`storymill shelf state {set} --version 1.0.0` makes one");
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    for one in results {
        if !Evaluation::asked(&workflow(one), Claims::on_shelf(&sealed.shelf, &set)?) {
            let message = "the set has changed since these results were made";
            let hint =
                "run the same `storymill evaluate` again; what was answered is not asked again";
            return Err(Fault::new(FaultKind::Input, message).at(one).hint(hint).into());
        }
    }
    let (all, ..) = report_page::collected(results, &[])?;
    let Ok(verdicts) = all.to_matrix(|pair| Ok::<_, Infallible>(pair.to_owned()), str::to_owned);
    cadence::note(sealed, &set, &verdicts, args.anyway)?;
    if let Some(path) = &args.receipt {
        receipt::write(path, (sealed, ledger, wires), (&args.results, results), figures)?;
    }
    if let Some(path) = &args.matrix_out {
        matrix::write(path, (sealed, ledger), &all, args.title.as_deref())?;
    }
    Ok(())
}

/// The set that all results are of.
fn set_of(results: &[Site]) -> Result<String, Fault> {
    let mut set = None;
    for one in results {
        let own = Evaluation::set_of(&workflow(one)).ok_or_else(|| {
            let message = "these are not results of a set of claims, to which a statement commits";
            Fault::new(FaultKind::Input, message).at(one)
        })?;
        if *set.get_or_insert_with(|| own.clone()) != own {
            let message = "these are results of several sets";
            return Err(Fault::new(FaultKind::Input, message).at(one).hint("name those of one"));
        }
    }
    set.ok_or_else(|| Fault::new(FaultKind::Input, "no results are named"))
}

/// The workflow beside results.
fn workflow(results: &Site) -> String {
    let text = report_page::beside(results, ".toml").read().unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}
