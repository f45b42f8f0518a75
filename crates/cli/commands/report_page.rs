//! `storymill report`: grades of results folders to one page, and its figures as files.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use storymill_core::{Fault, FaultKind};
use storymill_dataset::{Manifest, each_grade};
use storymill_report::{Collected, Options, Price, Report, baselines, decimal};

use crate::{
    args::{prices, report_page::ReportPage},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plural, typed},
    whole_file,
};

pub(crate) fn run(args: &ReportPage) -> Result<Exit, Failure> {
    let figures = written(&args.results, options(args)?, &args.out)?;
    if let Some(folder) = &args.figures {
        write_figures(folder, &figures)?;
    }
    show(&figures)?;
    for warning in &figures.warnings {
        report::say(format!("warning: {warning}"));
    }
    writeln!(std::io::stdout().lock(), "\n{} is the report", typed(&args.out))?;
    Ok(DONE)
}

/// Writes the page of some results; a title that is blank becomes their names.
pub(super) fn written(
    results: &[PathBuf],
    mut options: Options,
    page: &Path,
) -> Result<Report, Fault> {
    let mut all = Collected::default();
    let mut names = Vec::new();
    for folder in results {
        names.push(Manifest::of(folder)?.name);
        each_grade(folder, |grade| {
            all.add(grade);
            Ok(())
        })?;
    }
    if all.answers() == 0 {
        let fault = Fault::new(FaultKind::Input, "there is no grade in these results");
        return Err(fault.at(&results[0]));
    }
    if options.title.is_empty() {
        options.title = format!("Report: {}", names.join(", "));
    }
    let figures = Report::of(&all, &options);
    let html = figures
        .html(&options)
        .map_err(|error| Fault::new(FaultKind::Internal, "cannot make the page").because(error))?;
    write(page, html.as_bytes())?;
    Ok(figures)
}

fn options(args: &ReportPage) -> Result<Options, Failure> {
    let audit = args.audit.as_deref().map(audit).transpose()?;
    let prices = args.prices.as_deref().map(prices).transpose()?.unwrap_or_default();
    let prices = prices.0.into_iter();
    if let Some(link) = args.link.as_ref().filter(|link| !link.contains("{id}")) {
        let message = format!("`--link {link}` must have `{{id}}` where the id of a question goes");
        return Err(Failure::Usage(message));
    }
    Ok(Options {
        title: args.title.clone().unwrap_or_default(),
        written_by: args.written_by.clone(),
        link: args.link.clone(),
        prices: prices
            .map(|(model, price)| (model, Price { input: price.input, output: price.output }))
            .collect(),
        baselines: audit.unwrap_or_default(),
        ..Options::default()
    })
}

fn audit(path: &Path) -> Result<Vec<storymill_report::Baseline>, Fault> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Fault::io("cannot read the audit", path, error).input())?;
    let wrong = |error: &dyn std::fmt::Display| {
        Fault::new(FaultKind::Input, format!("not an audit: {error}"))
            .at(path)
            .hint("`storymill audit FOLDER --json FILE` writes one")
    };
    let value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    baselines(&value).map_err(|error| wrong(&error))
}

fn write_figures(folder: &Path, figures: &Report) -> Result<(), Fault> {
    let mut json = serde_json::to_vec_pretty(figures).map_err(|error| {
        Fault::new(FaultKind::Internal, "the figures cannot be JSON").because(error)
    })?;
    json.push(b'\n');
    write(&folder.join("report.json"), &json)?;
    for chart in figures.charts() {
        write(&folder.join(format!("{}.svg", chart.name)), chart.file().as_bytes())?;
    }
    Ok(())
}

/// Prints each model in each setting.
fn show(figures: &Report) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for part in &figures.parts {
        writeln!(out, "{} ({})", part.measure, plural(part.questions as u64, "question"))?;
        let mut table =
            Table::new(&["model", "setting", ">mean", ">interval", ">questions", ">not answered"]);
        for system in &part.systems {
            let cell = &system.cell;
            let interval = cell.low.zip(cell.high);
            table.row([
                system.model.clone(),
                system.setting.clone(),
                cell.value.map_or_else(|| "-".to_owned(), decimal),
                interval.map_or_else(
                    || "undefined".to_owned(),
                    |(low, high)| format!("{} to {}", decimal(low), decimal(high)),
                ),
                cell.questions.to_string(),
                cell.not_answered.to_string(),
            ]);
        }
        writeln!(out, "{table}")?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    whole_file::write(path, bytes)
        .map_err(|error| Fault::io("cannot write the report", path, error))
}
