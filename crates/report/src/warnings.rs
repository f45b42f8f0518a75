//! What weakens a result, in words: it stands above the pictures.

use std::collections::BTreeSet;

use storymill_metrics::rasch;

use crate::{
    audit::Baseline,
    cell::{MIN_AUTHORS, MIN_BOOKS},
    collect::{Collected, PAIRS, is_baseline},
    family::family,
    report::{Part, Report},
    words::{number, share},
};

pub(crate) fn of(report: &Report, all: &Collected, by_rule: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    if !by_rule.is_empty() {
        warnings.push(format!(
            "Retellings were made by rule ({}), a stand-in for a model: these are not results of a benchmark.",
            by_rule.join(", "),
        ));
    }
    warnings.extend(family_of_writers(report));
    for part in &report.parts {
        part_warnings(part, all.assisted, &mut warnings);
    }
    warnings.extend(shortcuts(report));
    match report.authors {
        0 => {}
        1 => warnings.push(
            "All questions are of one author: intervals are undefined, and none is shown.".to_owned(),
        ),
        few if few < MIN_AUTHORS && report.books < MIN_BOOKS => warnings.push(format!(
            "There are only {} books: intervals over so few hold far less often than they say, and none is shown.",
            report.books,
        )),
        few if few < MIN_AUTHORS => warnings.push(format!(
            "There are only {few} authors: intervals take books as independent, and may be too narrow.",
        )),
        _ => {}
    }
    if all.assisted {
        warnings.push(format!(
            "Pair accuracy leaves out pairs that a system did not answer; `all pairs` estimates them by an item-response model ({}).",
            rasch::VARIANT,
        ));
    }
    if all.grouped {
        warnings.push("No books are named: a group is all books of one genre, length and year, so intervals are wider than over books.".to_owned());
    }
    if all.repeated > 0 {
        warnings.push(format!(
            "{} left out: the same model answered the same question in the same setting before (in another folder or config).",
            number(all.repeated, "answer"),
        ));
    }
    if all.unlike > 0 {
        warnings.push(format!(
            "{} say something else of a question than the first: the results are of different versions of a dataset.",
            number(all.unlike, "grade"),
        ));
    }
    warnings
}

/// For each type what the audit answers best, if that is more than chance.
fn shortcuts(report: &Report) -> Vec<String> {
    let kinds: BTreeSet<&str> = report.baselines.iter().map(|one| one.kind.as_str()).collect();
    let best = |kind: &&str| {
        let own = report.baselines.iter().filter(|one| one.kind == *kind && one.answers());
        let above =
            own.filter(|one| one.low.zip(one.chance).is_some_and(|(low, chance)| low > chance));
        above.max_by(|one, other| one.share.total_cmp(&other.share))
    };
    let warning = |one: &Baseline| {
        let of = if one.kind.is_empty() { String::new() } else { format!("{} ", one.kind) };
        format!(
            "Without understanding the book {} of the {of}questions are answered (audit: {}); chance is {}.",
            share(one.share),
            one.measure,
            share(one.chance.unwrap_or(0.0)),
        )
    };
    kinds.iter().filter_map(best).map(warning).collect()
}

/// A model does better on texts that its own family wrote.
fn family_of_writers(report: &Report) -> Vec<String> {
    let wrote = |model: &String| {
        let of = family(model);
        report.written_by.iter().find(|writer| !of.is_empty() && family(writer) == of)
    };
    let warning = |model: &String| {
        let writer = wrote(model)?;
        Some(format!(
            "{model} is of the same family ({}) as {writer}, which wrote the retellings: its scores may be too high.",
            family(model),
        ))
    };
    report.models.iter().filter_map(warning).collect()
}

fn part_warnings(part: &Part, assisted: bool, warnings: &mut Vec<String>) {
    for system in &part.systems {
        let name = format!("{} ({})", system.model, system.setting);
        if system.cell.hollow {
            let ends = system
                .statuses
                .iter()
                .filter(|(status, count)| **status != "answered" && **count > 0);
            let ends: Vec<String> =
                ends.map(|(status, count)| format!("{count} {status}")).collect();
            warnings.push(format!(
                "{name}: {} of {} have no answer ({}); they count as wrong.",
                system.cell.not_answered,
                number(system.cell.questions, part.noun()),
                ends.join(", "),
            ));
        }
        if system.cell.questions < part.questions && !assisted && !is_baseline(&system.model) {
            let (have, all) = (system.cell.questions, part.questions);
            warnings.push(match part.name.as_str() {
                PAIRS => format!(
                    "{name} answered both claims of {have} of {all} pairs; the others are left out of its pair accuracy."
                ),
                _ => format!("{name} was asked {have} of {all} questions."),
            });
        }
        let blind = ["none", "title"].contains(&system.setting.as_str());
        if let (true, Some(low), Some(chance)) = (blind, system.cell.low, part.chance)
            && low > chance
        {
            let value = system.cell.value.unwrap_or(0.0);
            warnings.push(format!(
                "{name} answers {} of the {}s without the book; chance is {}.",
                share(value),
                part.noun(),
                share(chance),
            ));
        }
    }
    let cut: BTreeSet<&str> = part
        .systems
        .iter()
        .filter(|system| system.setting == "full" && system.not_whole > 0)
        .map(|system| system.model.as_str())
        .collect();
    if !cut.is_empty() {
        let cut: Vec<&str> = cut.into_iter().collect();
        warnings.push(format!(
            "Not every context was shown whole to {}: pairs compare only questions that both models were shown whole.",
            cut.join(", "),
        ));
    }
}
