//! `claims score`: answers to the claims of a set.

use std::{collections::BTreeSet, io::Write, path::Path};

use storymill_claims::{
    answers, exposure,
    mistake::Mistakes,
    pair::is_date,
    read::{self, Format, Response},
    report,
    score::{Options, score},
};
use storymill_metrics::bootstrap::Plan;

use super::{
    bytes,
    folder::{Folder, borrowed},
    refused,
    requests::LEDGER,
    warn,
};
use crate::{
    args::claims::{ClaimsScore, ScoreFormat},
    exit::{DONE, Exit, Failure},
};

pub(super) fn run(args: &ClaimsScore) -> Result<Exit, Failure> {
    let folder = Folder::open(&args.set)?;
    let key = args.key.as_deref().map(|path| {
        answers::key(&bytes(path)?)
            .map_err(|mistakes| refused(path, "the key cannot be read", &mistakes))
    });
    let key = key.transpose()?;
    let mut responses: Vec<Response> = Vec::new();
    for path in &args.answers {
        let content = bytes(path)?;
        let read = match &key {
            Some(key) => answers::of_bundle(&content, key, args.system.as_deref()),
            None => responses_of(path, &content).map(|read| (read, Vec::new())),
        };
        let (mut read, warnings) =
            read.map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?;
        warn(path, &warnings);
        responses.append(&mut read);
    }
    let texts = folder.texts()?;
    let plan = Plan { seed: args.seed, ..Plan::default() };
    let leave_out = match &args.unexposed {
        None => BTreeSet::new(),
        Some(provider) => seen(&args.set, provider)?,
    };
    let options = Options { common: args.common.clone(), plan, leave_out };
    let scores = score(&folder.set, &responses, &borrowed(&texts), &options)
        .map_err(|mistakes| refused(&args.set, "the answers cannot be scored", &mistakes))?;
    let mut out = std::io::stdout().lock();
    match args.format {
        ScoreFormat::Json => {
            drop(out);
            return super::super::json(&scores);
        }
        ScoreFormat::Markdown => write!(out, "{}", report::markdown(&scores))?,
        ScoreFormat::Html => write!(out, "{}", report::html(&scores))?,
    }
    Ok(DONE)
}

/// The pairs that a provider has seen by the set's ledger.
fn seen(set: &Path, provider: &str) -> Result<BTreeSet<String>, Failure> {
    let (provider, before) = match provider.rsplit_once(':') {
        Some((provider, day)) if is_date(day) => (provider, Some(day)),
        _ => (provider, None),
    };
    let ledger = set.join(LEDGER);
    if !ledger.exists() {
        return Ok(BTreeSet::new());
    }
    let lines = exposure::read(&bytes(&ledger)?)
        .map_err(|mistakes| refused(&ledger, "the ledger cannot be read", &mistakes))?;
    Ok(exposure::exposed(&lines, provider, before))
}

/// The answers of a file: of its own, or beside claims as in NoCha's file.
fn responses_of(path: &Path, bytes: &[u8]) -> Result<Vec<Response>, Mistakes> {
    match Format::of_name(&path.to_string_lossy()) {
        Some(format @ (Format::Csv | Format::Json)) => Ok(read::claims(bytes, format)?.responses),
        _ => answers::read(bytes),
    }
}
