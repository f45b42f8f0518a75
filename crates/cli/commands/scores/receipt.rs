//! `storymill report --receipt` and `storymill verify RECEIPT`: what is said in public of an evaluation of a private set, and
//! whether it holds.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use storymill::{Dataset, Site};
use storymill_core::{Digest, Fault, FaultKind, canonical};
use storymill_llm::{Described, elsewhere, wire::Wires};
use storymill_report::Report;
use storymill_shelf::{
    Access, Signer,
    proof::{Ledger, Receipt, Results, Reveal, Score, Served, Statement},
};

use super::workflow;
use crate::{
    args::{self, Format},
    calendar::today,
    commands::{json as print_json, report_page},
    exit::{DONE, Exit, Failure, VERIFY},
    novel,
    private::Sealed,
    report,
    table::{plain, plural, typed},
    whole_file::put_alike,
};

/// The step of an evaluation's workflow that answers.
const ANSWERS: &str = "answers";

/// Writes the receipt of some results of a set: the scores are those of the report.
pub(super) fn write(
    path: &Path,
    (sealed, ledger, wires): (&Sealed, &Ledger, &Wires),
    (named, results): (&[PathBuf], &[Site]),
    figures: &Report,
) -> Result<(), Failure> {
    let receipt =
        made((sealed, ledger, wires), None, (named, results), figures)?.signed(&sealed.shelf);
    if let Some(wrong) = receipt.check(ledger.statements().last(), &[]).into_iter().next() {
        let message = format!("no receipt can be written of these results: {wrong}");
        return Err(Fault::new(FaultKind::Input, message).into());
    }
    put_alike(path, receipt.to_text().as_bytes())?;
    report::say(format!(
        "{} is the receipt: {} of `{}` {}, digest {}",
        typed(path),
        plural(receipt.asked.len() as u64, "pair"),
        receipt.set,
        receipt.version,
        receipt.digest()
    ));
    Ok(())
}

/// What is said of results, with the leaves that a statement has for their pairs; nobody has signed it yet.
fn made(
    (sealed, ledger, wires): (&Sealed, &Ledger, &Wires),
    statement: Option<&Digest>,
    (named, results): (&[PathBuf], &[Site]),
    figures: &Report,
) -> Result<Receipt, Fault> {
    let (statement, leaves) = ledger.committed(statement).ok_or_else(|| {
        Fault::new(FaultKind::Input, "the shelf has not made the statement that it names")
    })?;
    let (mut asked, mut all) = (BTreeSet::new(), Vec::new());
    for (name, site) in named.iter().zip(results) {
        let dataset = Dataset::open(site.clone())?;
        for row in dataset.rows("grades")? {
            let pair = row["pair"].as_str().unwrap_or_default();
            asked.insert(*leaves.get(pair).ok_or_else(|| {
                let message = format!("the statement does not hold the pair {pair}");
                Fault::new(FaultKind::Input, message).at(site)
            })?);
        }
        all.push(provenance((sealed, wires), &dataset, name.display().to_string())?);
    }
    let program = format!("storymill {}", env!("CARGO_PKG_VERSION"));
    Ok(Receipt::new(statement, asked, (all, scores(figures)), (today(), program)))
}

/// How the answers of results came about, as their lock and their workflow say it.
fn provenance(
    (sealed, wires): (&Sealed, &Wires),
    dataset: &Dataset,
    name: String,
) -> Result<Results, Fault> {
    let lock = dataset.lock()?;
    let step = lock.steps.get(ANSWERS).ok_or_else(|| {
        let message = "the results do not say how they were made";
        Fault::new(FaultKind::Input, message).at(dataset.folder())
    })?;
    let described = Described::parse(&workflow(dataset.site()), wires, None)?;
    let model = match step.models.iter().next() {
        Some((table, locked)) => {
            let config = described.model.get(table);
            Some(Served {
                id: locked.id.clone(),
                name: config.map(|config| config.model.clone()).unwrap_or_default(),
                endpoint: config.map(elsewhere).transpose()?.flatten(),
                parameters: locked.digest,
            })
        }
        None => None,
    };
    let units: BTreeMap<_, _> = lock.units.iter().map(|(unit, it)| (unit, it.digest)).collect();
    let requests = canonical::json(&json!([units, step.models, step.texts, step.answers]));
    let said = |row: Value| {
        let fields = ["question_id", "model", "setting", "status", "answer", "said"];
        canonical::json(&fields.map(|field| row[field].clone()))
    };
    let mut answers: Vec<String> = dataset.rows(ANSWERS)?.into_iter().map(said).collect();
    answers.sort_unstable();
    Ok(Results {
        name,
        model,
        settings: step.options.clone(),
        prompts: step.texts.clone(),
        requests: sealed.shelf.digest("receipt requests v1", requests.as_bytes()),
        answers: Digest::of_parts(
            "storymill 2026 answers of results v1",
            answers.iter().map(String::as_bytes),
        ),
    })
}

/// The part of a report on pairs of claims, in counts.
fn scores(figures: &Report) -> Vec<Score> {
    let part = figures.parts.iter().find(|part| part.measure == "pair-accuracy");
    let systems = part.iter().flat_map(|part| &part.systems);
    let score = |system: &storymill_report::System| {
        let (cell, pairs) = (&system.cell, system.cell.questions as u64);
        let right = (ppm(cell.value?) * pairs + 500_000) / 1_000_000;
        Some(Score {
            model: system.model.clone(),
            setting: system.setting.clone(),
            pairs,
            right,
            share_ppm: Score::share(pairs, right),
            interval_ppm: cell.low.zip(cell.high).map(|(low, high)| [ppm(low), ppm(high)]),
        })
    };
    systems.filter_map(score).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is 0 to 1")]
fn ppm(share: f64) -> u64 {
    (share * 1e6).round() as u64
}

/// Checks a receipt: by itself, with the statement and the revealed pairs beside it, and against the results on a shelf.
pub(crate) fn verify(text: &str, args: &args::Verify, wires: &Wires) -> Result<Exit, Failure> {
    let mut wrong = Vec::new();
    let mut receipt = None;
    match read(text, &args.pairs) {
        Ok((read, statement, reveals)) => {
            wrong.extend(read.check(statement.as_ref(), &reveals));
            if let Some(signer) = &args.signer
                && read.signer != signer.parse::<Signer>()?
            {
                wrong.push("it is not signed with the key that you named".to_owned());
            }
            if let Some(sealed) = Sealed::named(&args.on, Access::Look)? {
                wrong.extend(against_results(&read, &sealed, wires)?);
            }
            receipt = Some((read, statement.is_some(), reveals.len() as u64));
        }
        // One that is bent is no other file: it does not hold.
        Err(fault) if fault.kind == FaultKind::Store => wrong.push(fault.to_string()),
        Err(fault) => return Err(fault.into()),
    }
    let exit = if wrong.is_empty() { DONE } else { VERIFY };
    if args.format == Format::Json {
        let digest = receipt.as_ref().map(|(receipt, ..)| receipt.digest());
        print_json(&json!({ "receipt": digest, "verdict": { "wrong": wrong } }))?;
        return Ok(exit);
    }
    let mut out = crate::screen::out();
    for one in &wrong {
        writeln!(out, "not so: {}", plain(one))?;
    }
    let Some((receipt, with_statement, revealed)) = receipt else { return Ok(exit) };
    let asked = plural(receipt.asked.len() as u64, "pair");
    let (set, version, date) = (&receipt.set, &receipt.version, &receipt.date);
    let head =
        format!("receipt of {date}: {asked} of `{set}` {version}, digest {}", receipt.digest());
    writeln!(out, "{}", plain(&head))?;
    if !wrong.is_empty() {
        return Ok(exit);
    }
    for score in &receipt.scores {
        let Score { model, setting, pairs, right, .. } = score;
        writeln!(
            out,
            "{}",
            plain(&format!("{model} ({setting}): {right} of {pairs} pairs right"))
        )?;
    }
    if with_statement {
        writeln!(out, "all pairs that were asked are in the statement")?;
    }
    if revealed > 0 {
        writeln!(
            out,
            "revealed pairs that were in the set and were asked: {revealed} of {revealed}"
        )?;
    }
    if args.on.shelf.is_some() {
        writeln!(out, "the results on the shelf say the same")?;
    }
    writeln!(out, "signed by {}", receipt.signer)?;
    Ok(exit)
}

/// A receipt, and of the files beside it the statement and the revealed pairs.
fn read(
    text: &str,
    beside: &[PathBuf],
) -> Result<(Receipt, Option<Statement>, Vec<Reveal>), Fault> {
    let receipt = Receipt::parse(text)?;
    let (mut statement, mut reveals) = (None, Vec::new());
    for path in beside {
        let text = novel::text(path)?;
        match Reveal::parse(&text) {
            Ok(reveal) => reveals.push(reveal),
            Err(fault) if fault.kind == FaultKind::Input => {
                statement = Some(Statement::parse(&text).map_err(|fault| fault.at(path))?);
            }
            Err(fault) => return Err(fault.at(path)),
        }
    }
    Ok((receipt, statement, reveals))
}

/// Makes a receipt anew from the results that it names, and says what differs.
fn against_results(
    receipt: &Receipt,
    sealed: &Sealed,
    wires: &Wires,
) -> Result<Vec<String>, Failure> {
    let ledger = Ledger::of(&sealed.shelf, &receipt.set)?;
    let named: Vec<PathBuf> = receipt.results.iter().map(|one| (&one.name).into()).collect();
    let sites: Vec<Site> = named.iter().map(|name| sealed.find(name)).collect::<Result<_, _>>()?;
    let mut wrong = Vec::new();
    for site in &sites {
        if !Dataset::open(site.clone())?.verify(storymill::Depth::Both)?.is_sound() {
            let name = site.file_name().unwrap_or_default().to_string_lossy();
            wrong.push(format!("the results `{name}` are not what their manifest says"));
        }
    }
    let figures = report_page::page(&sites, &[], storymill_report::Options::default())?.0;
    let of = (sealed, ledger.expose(), wires);
    match made(of, Some(&receipt.statement), (&named, &sites), &figures) {
        Ok(again) => wrong.extend(receipt.differences(&again)),
        Err(fault) if fault.kind == FaultKind::Input => wrong.push(fault.to_string()),
        Err(fault) => return Err(fault.into()),
    }
    Ok(wrong)
}
