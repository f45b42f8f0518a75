//! `storymill report`: grades of results folders to one page, and its figures as files.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
};

use storymill::{AuditOptions, Dataset, EvalResults, Evaluation, Site, Took, grades_of_log};
use storymill_core::{Fault, FaultKind};
use storymill_dataset::{Manifest, each_grade};
use storymill_disk::most;
use storymill_report::{Cell, Collected, Options, Price, Report, baselines, decimal};
use storymill_shelf::Access;
use storymill_transforms::prompt_of;

use super::{build::BY_RULE, scores};
use crate::{
    args::{Format, prices, report_page::ReportPage},
    exit::{DONE, Exit, Failure},
    private::Sealed,
    report,
    session::Session,
    table::{Table, plural, share, typed},
    whole_file,
};

pub(crate) fn run(args: &ReportPage, session: &Session) -> Result<Exit, Failure> {
    let sealed = Sealed::named(&args.on, Access::Change)?;
    let site = |path: &PathBuf| match &sealed {
        Some(sealed) => sealed.find(path),
        None => Ok(path.into()),
    };
    let logs = args.results.iter().filter(|path| sealed.is_none() && is_log(path));
    let logs: Vec<&PathBuf> = logs.collect();
    let named: Vec<PathBuf> = if sealed.is_some() {
        args.results.clone()
    } else {
        let others = args.results.iter().filter(|path| !is_log(path));
        others.filter_map(|path| folder_of(path, &args.results)).collect()
    };
    let results = named.iter().map(site).collect::<Result<Vec<_>, _>>()?;
    if results.is_empty() && logs.is_empty() && args.matrix.is_none() {
        return Err(Failure::Usage(
            "none of these is a folder of results, as `storymill evaluate` writes them, or a log of Inspect AI"
                .to_owned(),
        ));
    }
    let (mut figures, html) = match &args.matrix {
        Some(path) => matrix(path, options(args)?)?,
        None => page(&results, &logs, options(args)?)?,
    };
    let html = html.as_bytes();
    if sealed.is_some() {
        untitled(&mut figures);
    }
    let lies = match (&sealed, &args.clear) {
        (Some(sealed), Some(path)) => {
            sealed.clear(&args.results[0], path, html)?;
            path.clone()
        }
        (Some(sealed), None) => sealed.keep("report.html", html)?,
        (None, _) => {
            let path = args.out.clone().unwrap_or_else(|| PathBuf::from("report.html"));
            write(&path, html)?;
            path
        }
    };
    let drawn = args.figures.as_ref().map(|folder| write_figures(folder, &figures)).transpose()?;
    if let Some(path) = &args.csv {
        write(path, &rows(&figures)?)?;
    }
    if let Some(folder) = &args.eval_results {
        write_eval_results(&folder.join(".eval_results"), &results, &figures.title)?;
    }
    if let Some(sealed) = &sealed {
        scores::warn_of_past(sealed, &results)?;
        scores::publish(args, (sealed, session.registry.wires()), &results, &figures)?;
    }
    if args.format == Format::Json {
        super::json(&figures)?;
    } else {
        show(&figures)?;
    }
    for warning in &figures.warnings {
        report::say(format!("warning: {warning}"));
    }
    let is_the_report = format!("{} is the report", typed(&lies));
    let told = drawn.into_iter().chain([is_the_report]).collect::<Vec<_>>().join("\n");
    match args.format {
        Format::Json => report::say(told),
        Format::Text => writeln!(crate::screen::out(), "\n{told}")?,
    }
    Ok(DONE)
}

/// Takes the titles of private books out of what is printed: ids stay.
fn untitled(figures: &mut Report) {
    let books = figures.parts.iter_mut().flat_map(|part| &mut part.by_book.groups);
    books.for_each(|book| book.label.truncate(book.label.find(' ').unwrap_or(book.label.len())));
}

/// The folder of results that a path names: its workflow stands for it, unless the folder is named too. What else lies beside a folder
/// of results names none, as `results/*` also names times and pages. A workflow without its folder was planned and not run, or
/// failed: that is said.
fn folder_of(path: &Path, all: &[PathBuf]) -> Option<PathBuf> {
    let stem = path.with_extension("");
    let beside = path.is_file() && (stem.is_dir() || stem.with_extension("").is_dir());
    let workflow = path.is_file() && path.extension().is_some_and(|extension| extension == "toml");
    if workflow && !beside {
        report::say(format!("note: {} has no results yet", path.display()));
    }
    if !beside && !workflow {
        return Some(path.to_owned());
    }
    (workflow && stem.is_dir() && !all.contains(&stem)).then_some(stem)
}

/// Whether a path is a log of Inspect AI.
fn is_log(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|ending| ending == "eval")
}

/// The figures of some results and logs, and their page; a title that is blank becomes their names.
pub(super) fn page(
    results: &[Site],
    logs: &[&PathBuf],
    mut options: Options,
) -> Result<(Report, String), Fault> {
    let (all, names, configs) = collected(results, logs)?;
    if options.title.is_empty() {
        options.title = format!("Report: {}", names.join(", "));
    }
    let datasets = datasets(results);
    options.by_rule = by_rule(&datasets, &configs);
    // What rules and searches get in the same dataset, if anything in it can be measured.
    if let ([dataset], true) = (&datasets[..], options.baselines.is_empty()) {
        let config = configs.first().filter(|_| configs.len() == 1).cloned();
        let wanted = AuditOptions { config, ..Default::default() };
        let audit = Dataset::open(dataset).and_then(|dataset| dataset.audit(&wanted)).ok();
        let audit = audit.and_then(|audit| serde_json::to_value(&audit).ok());
        options.baselines = audit.and_then(|audit| baselines(&audit).ok()).unwrap_or_default();
    }
    let figures = Report::of(&all, &options);
    options.questions = questions(&datasets, &configs, &figures.named())?;
    drawn(figures, &options)
}

/// The grades of some results and logs, the names of these, and the configs that were asked.
pub(super) fn collected(
    results: &[Site],
    logs: &[&PathBuf],
) -> Result<(Collected, Vec<String>, BTreeSet<String>), Fault> {
    let mut all = Collected::default();
    let mut names = Vec::new();
    let mut configs = BTreeSet::new();
    for folder in results {
        names.push(Manifest::of(folder)?.name);
        each_grade(folder, |grade| {
            if !configs.contains(&grade.config) {
                configs.insert(grade.config.clone());
            }
            all.add(grade);
            Ok(())
        })?;
        // They lie beside the results, if anybody knows them.
        for Took { model, setting, question, millis } in took(&beside(folder, TIMES)) {
            all.took(&model, &setting, &question, millis);
        }
    }
    for log in logs {
        let (task, grades) = grades_of_log(log)?;
        names.push(task);
        for grade in grades {
            all.add(grade);
        }
    }
    if all.answers() == 0 {
        let fault = Fault::new(FaultKind::Input, "these results hold no grades");
        let first = results.first().map(Site::path).or(logs.first().map(|log| log.as_path()));
        return Err(fault.at(first.expect("something was named")));
    }
    Ok((all, names, configs))
}

fn drawn(figures: Report, options: &Options) -> Result<(Report, String), Fault> {
    let html = figures
        .html(options)
        .map_err(|error| Fault::new(FaultKind::Internal, "cannot make the page").because(error))?;
    Ok((figures, html))
}

/// The figures of a matrix of responses, and their page.
pub(super) fn matrix(path: &Path, mut options: Options) -> Result<(Report, String), Fault> {
    let text = storymill_disk::read_text(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read the matrix", path, error).input())?;
    let all = Collected::of_matrix(&text).map_err(|error| {
        Fault::new(FaultKind::Input, "not a matrix of responses").at(path).because(error)
    })?;
    if all.answers() == 0 {
        return Err(Fault::new(FaultKind::Input, "the matrix has no verdicts").at(path));
    }
    if options.title.is_empty() {
        options.title =
            format!("Report: {}", path.file_stem().unwrap_or_default().to_string_lossy());
    }
    drawn(Report::of(&all, &options), &options)
}

/// The ending of the file beside a results folder that tells how long its answers took: a line each.
pub(super) const TIMES: &str = ".times.jsonl";

/// A file beside a results folder, with its name and this ending.
pub(super) fn beside(folder: &Site, ending: &str) -> Site {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.beside(folder.with_file_name(format!("{name}{ending}")))
}

fn took(file: &Site) -> Vec<Took> {
    let text = file.read().unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The datasets that the workflows beside the results name, as far as they are there.
fn datasets(results: &[Site]) -> Vec<Site> {
    let mut all = Vec::<Site>::new();
    for folder in results {
        let text = beside(folder, ".toml").read().unwrap_or_default();
        let above = folder.beside(folder.parent().unwrap_or(Path::new("")));
        let dataset = Evaluation::dataset_of(&String::from_utf8_lossy(&text), &above);
        let is_new = |one: &Site| Manifest::of(one).is_ok() && all.iter().all(|old| **old != **one);
        all.extend(dataset.filter(is_new));
    }
    all
}

/// The steps of some datasets whose retellings by rule these configs are made of, as their locks say.
fn by_rule(datasets: &[Site], configs: &BTreeSet<String>) -> Vec<String> {
    let mut steps = BTreeSet::new();
    for lock in datasets.iter().filter_map(|one| Dataset::open(one).and_then(|one| one.lock()).ok())
    {
        let behind = configs.iter().flat_map(|config| lock.steps_behind(config));
        let is_by_rule = |step: &&str| {
            lock.steps.get(*step).is_some_and(|step| BY_RULE.contains(&step.kind.as_str()))
        };
        steps.extend(behind.filter(is_by_rule).map(str::to_owned));
    }
    steps.into_iter().collect()
}

/// The words of the questions that a page names. Where their dataset is gone, the page has ids alone.
fn questions(
    datasets: &[Site],
    configs: &BTreeSet<String>,
    named: &BTreeSet<String>,
) -> Result<BTreeMap<String, String>, Fault> {
    let mut words = BTreeMap::new();
    if named.is_empty() {
        return Ok(words);
    }
    for dataset in datasets {
        for (id, question) in storymill_dataset::questions(dataset, configs, named)? {
            words.insert(id, prompt_of(&question, "")?);
        }
    }
    Ok(words)
}

fn options(args: &ReportPage) -> Result<Options, Failure> {
    let audit = args.audit.as_deref().map(audit).transpose()?;
    if let Some(link) = args.link.as_ref().filter(|link| !link.contains("{id}")) {
        let message = format!("`--link {link}` must have `{{id}}` where the id of a question goes");
        return Err(Failure::Usage(message));
    }
    let is_page = |path: &Path| {
        path.extension()
            .is_none_or(|ending| ["html", "htm"].iter().any(|one| ending.eq_ignore_ascii_case(one)))
    };
    if let Some(out) = args.out.as_ref().filter(|out| !is_page(out)) {
        let message = format!(
            "`--out {}` is the page, which is HTML; `--figures DIR` writes the charts as SVG and PDF",
            typed(out)
        );
        return Err(Failure::Usage(message));
    }
    Ok(Options {
        title: args.title.clone().unwrap_or_default(),
        written_by: args.written_by.clone(),
        link: args.link.clone(),
        prices: priced(args.prices.as_deref())?,
        baselines: audit.unwrap_or_default(),
        ..Options::default()
    })
}

/// What models cost, by the table of prices that was named.
pub(crate) fn priced(table: Option<&Path>) -> Result<BTreeMap<String, Price>, Failure> {
    let prices = prices(table)?.0.into_iter();
    Ok(prices.map(|(model, one)| (model, Price { input: one.input, output: one.output })).collect())
}

fn audit(path: &Path) -> Result<Vec<storymill_report::Baseline>, Fault> {
    let text = storymill_disk::read_text(path, most::RECORD)
        .map_err(|error| Fault::io("cannot read the audit", path, error).input())?;
    let wrong = |error: &dyn std::fmt::Display| {
        Fault::new(FaultKind::Input, format!("not an audit: {error}"))
            .at(path)
            .hint("`storymill audit FOLDER --format json >FILE` writes one")
    };
    let value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    baselines(&value).map_err(|error| wrong(&error))
}

/// What each model scored in the benchmark that its release is on the Hub.
fn write_eval_results(folder: &Path, results: &[Site], title: &str) -> Result<(), Failure> {
    for one in results {
        let workflow = beside(one, ".toml").read().unwrap_or_default();
        let workflow = String::from_utf8_lossy(&workflow);
        for EvalResults { model, file, yaml } in EvalResults::of(one, &workflow, title)? {
            let path = folder.join(file);
            write(&path, yaml.as_bytes())?;
            let without = if yaml.contains("revision:") {
                ""
            } else {
                "; it names no `revision`, as the release was not downloaded from the Hub"
            };
            report::say(format!("{} is for the repository of `{model}`{without}", typed(&path)));
        }
    }
    Ok(())
}

/// Writes the figures, and says what lies where.
fn write_figures(folder: &Path, figures: &Report) -> Result<String, Fault> {
    let mut json = serde_json::to_vec_pretty(figures).map_err(|error| {
        Fault::new(FaultKind::Internal, "the figures cannot be JSON").because(error)
    })?;
    json.push(b'\n');
    write(&folder.join("report.json"), &json)?;
    write(&folder.join("report.csv"), &rows(figures)?)?;
    let charts = figures.charts();
    for chart in &charts {
        write(&folder.join(format!("{}.svg", chart.name)), chart.svg().as_bytes())?;
        write(&folder.join(format!("{}.pdf", chart.name)), &chart.pdf())?;
    }
    Ok(format!(
        "{} has report.json, report.csv and {}, each as .svg and .pdf (as PNG: `pdftoppm -r 300 -png FILE.pdf OUT`)",
        typed(folder),
        plural(charts.len() as u64, "chart"),
    ))
}

/// What the charts show, as a table.
fn rows(figures: &Report) -> Result<Vec<u8>, Fault> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| {
        Fault::new(FaultKind::Internal, "the figures cannot be CSV").because(error)
    };
    for row in figures.rows() {
        table.write_record(row).map_err(failed)?;
    }
    table.into_inner().map_err(|error| failed(error.into_error().into()))
}

/// A mean, and over how many: a share of right answers as every share is printed.
fn counted(cell: &Cell, is_share: bool) -> String {
    let Some(value) = cell.value else { return "-".to_owned() };
    if !is_share {
        return format!("{} (of {})", decimal(value), cell.questions);
    }
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean from 0 to 1"
    )]
    let right = (value * cell.questions as f64).round() as u64;
    share(right, cell.questions as u64)
}

/// Prints each model in each setting.
fn show(figures: &Report) -> Result<(), Failure> {
    let mut out = crate::screen::out();
    for part in &figures.parts {
        writeln!(out, "{} ({})", part.measure, plural(part.questions as u64, part.noun()))?;
        let is_share = part.is_right_or_wrong();
        let mean = if is_share { ">right" } else { ">mean" };
        let mut table = Table::new(&["model", "setting", mean, ">interval", ">not answered"]);
        for system in &part.systems {
            let cell = &system.cell;
            let interval = cell.low.zip(cell.high);
            table.row([
                system.model.clone(),
                system.setting.clone(),
                counted(cell, is_share),
                interval.map_or_else(
                    || "undefined".to_owned(),
                    |(low, high)| format!("{} to {}", decimal(low), decimal(high)),
                ),
                share(cell.not_answered as u64, cell.questions as u64),
            ]);
        }
        writeln!(out, "{table}")?;
    }
    Ok(())
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    whole_file::write(path, bytes)
        .map_err(|error| Fault::io("cannot write the report", path, error))
}
