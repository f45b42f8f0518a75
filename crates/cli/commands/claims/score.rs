//! `claims score`: answers to the claims of a set.

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
};

use storymill_claims::{
    answers,
    deciding::compare,
    exposure,
    import::Set,
    lint::Severity,
    mistake::Mistakes,
    pair::is_date,
    read::{self, Format, Response},
    report,
    score::{Options, score},
};
use storymill_core::{Decisions, Fault, FaultKind};
use storymill_metrics::bootstrap::Plan;
use storymill_shelf::Access;

use super::{
    answered, bytes, kept_words, refused, reviews,
    set_store::{Home, Lies, borrowed},
};
use crate::{
    args::claims::{ClaimsScore, ScoreFormat},
    exit::{DONE, Exit, Failure},
    report as tell,
    table::plural,
};

pub(super) fn run(args: &ClaimsScore) -> Result<Exit, Failure> {
    let access = if args.answers.is_empty() { Access::Look } else { Access::Change };
    let home = Home::open(&args.at, access)?;
    let mut leave_out = match &args.unexposed {
        None => BTreeSet::new(),
        Some(provider) => seen(&home, provider)?,
    };
    let responses = match &home.lies {
        Lies::Folder { .. } => {
            of_files(&args.answers, args.bundle_key.as_deref(), args.system.as_deref(), &home.set)?
        }
        Lies::Shelf(sealed) => {
            let stands = kept_words::stands(sealed, &home.set)?;
            let files = args.answers.iter().map(|path| answered::take(sealed, &stands, path, args));
            let brought: Vec<_> = files.collect::<Result<_, Failure>>()?;
            answered::tell(&brought.into_iter().flatten().collect::<Vec<_>>());
            let kept = answered::kept(sealed, &home.set, &stands)?;
            kept.tell();
            leave_out.extend(stands.retired().iter().cloned());
            kept.responses
        }
    };
    if responses.is_empty() {
        let message = "no answers are kept with the set yet";
        return Err(Fault::new(FaultKind::Input, message)
            .hint("`storymill claims ask` asks a model; or name a file of answers")
            .into());
    }
    let texts = home.texts()?;
    let plan = Plan { seed: args.seed, ..Plan::default() };
    let decisions = reviews::decisions(&home)?;
    tell_disputed(&home.set, &decisions, &leave_out);
    let options = Options { common: args.common.clone(), plan, leave_out, decisions };
    let scores = score(&home.set, &responses, &borrowed(&texts), &options)
        .map_err(|mistakes| refused(home.path(), "the answers cannot be scored", &mistakes))?;
    let mut out = crate::screen::out();
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

/// Says which pairs count although second readers say otherwise than the set.
fn tell_disputed(set: &Set, decisions: &Decisions, leave_out: &BTreeSet<String>) {
    let disputed: BTreeSet<String> = compare::findings(set, decisions)
        .into_iter()
        .filter(|one| one.severity > Severity::Note && !leave_out.contains(&one.pair))
        .map(|one| one.pair)
        .collect();
    if !disputed.is_empty() {
        let (count, named) = (plural(disputed.len() as u64, "pair"), answered::named(&disputed));
        tell::warn(&format!(
            "{count} that second readers dispute {} all the same{named}",
            if disputed.len() == 1 { "counts" } else { "count" }
        ));
    }
}

/// The answers in files, for a public set.
pub(super) fn of_files(
    files: &[PathBuf],
    bundle_key: Option<&Path>,
    system: Option<&str>,
    set: &Set,
) -> Result<Vec<Response>, Failure> {
    if system.is_some() && bundle_key.is_none() {
        return Err(Failure::Usage(
            "`--system` names the answers to a bundle: `--bundle-key`".into(),
        ));
    }
    let key = bundle_key.map(|path| {
        answers::key(&bytes(path)?)
            .map_err(|mistakes| refused(path, "the key cannot be read", &mistakes))
    });
    let key = key.transpose()?;
    let mut responses: Vec<Response> = Vec::new();
    let mut brought = Vec::new();
    for path in files {
        let content = bytes(path)?;
        let (head, rest) = answers::head(&content);
        let system = system.or_else(|| head.as_ref().map(|head| head.system.as_str()));
        let Some(key) = &key else {
            if !answers::ids(rest).is_empty() {
                let message = "the answers are to the requests of a bundle";
                return Err(Fault::new(FaultKind::Input, message)
                    .at(path)
                    .hint(
                        "`--bundle-key FILE` names the key that `storymill claims requests` wrote",
                    )
                    .into());
            }
            let read = responses_of(path, rest);
            responses.append(
                &mut read
                    .map_err(|mistakes| refused(path, "the answers cannot be read", &mistakes))?,
            );
            continue;
        };
        let (mut read, file) = answered::of_key(path, rest, key, system, &brought)?;
        brought.push(file);
        let counts = answers::forget_other_words(&mut read, key, set);
        answered::tell_other_words(&counts, system);
        responses.append(&mut read);
    }
    answered::tell(&brought);
    Ok(responses)
}

/// The pairs that a provider has seen by the set's ledger.
fn seen(home: &Home, provider: &str) -> Result<BTreeSet<String>, Failure> {
    let (provider, before) = match provider.rsplit_once(':') {
        Some((provider, day)) if is_date(day) => (provider, Some(day)),
        _ => (provider, None),
    };
    Ok(exposure::exposed(&home.exposures()?, provider, before))
}

/// The answers of a file: of its own, or beside claims as in NoCha's file.
pub(super) fn responses_of(path: &Path, bytes: &[u8]) -> Result<Vec<Response>, Mistakes> {
    match super::format(path) {
        Some(format @ (Format::Csv | Format::Json)) => Ok(read::claims(bytes, format)?.responses),
        _ => answers::read(bytes),
    }
}
