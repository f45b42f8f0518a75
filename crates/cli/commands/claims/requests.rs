//! `claims requests`: a bundle for others to run, its key, and a line in the ledger for each pair.

use std::{
    fs::{self, OpenOptions},
    io::{BufWriter, Write},
    path::Path,
    time::SystemTime,
};

use rand::{TryRng, rngs::SysRng};
use storymill_claims::{
    exposure::Exposure,
    mistake::Mistakes,
    request::{self, Bundle, Form, KeyLine, Plan, Prompt, Shown},
    set::lines,
};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_transforms::tokens;

use super::{
    bytes,
    folder::{Folder, borrowed},
    refused,
};
use crate::{
    args::{self, claims::ClaimsRequests},
    exit::{DONE, Exit, Failure},
    table::plural,
};

/// The ledger of exposures in a set's folder.
pub(super) const LEDGER: &str = "exposures.jsonl";

/// Why no bundle was made.
enum Stopped {
    Mistakes(Mistakes),
    Fault(Fault),
}

impl From<Mistakes> for Stopped {
    fn from(mistakes: Mistakes) -> Self {
        Self::Mistakes(mistakes)
    }
}

pub(super) fn run(args: &ClaimsRequests) -> Result<Exit, Failure> {
    let shown = shown(args)?;
    let prompt = prompt(args, shown)?;
    let date = args.date.clone().unwrap_or_else(today);
    if !storymill_claims::pair::is_date(&date) {
        return Err(Failure::Usage("`--date` is a day such as 2026-11-21".into()));
    }
    let folder = Folder::open(&args.set)?;
    let texts = folder.texts()?;
    for path in [&args.out, &args.key] {
        if path.exists() {
            return Err(Fault::new(
                FaultKind::Input,
                "this is there already, and was left as it is",
            )
            .at(path)
            .hint("name another: a bundle and its key are made once")
            .into());
        }
    }
    let mut secret = [0; 32];
    SysRng.try_fill_bytes(&mut secret).map_err(|error| {
        Fault::new(FaultKind::Internal, "the system gives no random bits").because(error)
    })?;
    let plan = Plan {
        prompt: &prompt,
        shown,
        model: &args.model,
        max_tokens: args.max_tokens,
        window: args.window,
        secret: &secret,
        canary: args.canary.as_deref(),
    };
    let made = write(args, &folder, &borrowed(&texts), &plan);
    let key = made.map_err(|stopped| {
        // What is half is of no use; the folder is of our making.
        let _ = fs::remove_dir_all(&args.out);
        match stopped {
            Stopped::Mistakes(mistakes) => refused(&args.set, "no requests were made", &mistakes),
            Stopped::Fault(fault) => Failure::Fault(fault),
        }
    })?;
    private(&args.key, lines(&key).as_bytes())?;
    if let Some(provider) = &args.provider {
        expose(&args.set.join(LEDGER), &key, provider, &date)?;
    }
    let skipped = key.iter().filter(|line| line.skipped.is_some()).count();
    writeln!(
        std::io::stdout().lock(),
        "{}: {} under {}; {skipped} not asked because they do not fit\nthe key, which tells the answers: {}",
        args.out.display(),
        plural((key.len() - skipped) as u64, "request"),
        plan.name(),
        args.key.display()
    )?;
    Ok(DONE)
}

fn shown(args: &ClaimsRequests) -> Result<Shown, Failure> {
    let k = args.show.strip_prefix("bm25:").and_then(|k| k.parse().ok()).filter(|k| *k > 0);
    match (args.show.as_str(), k) {
        ("book", _) => Ok(Shown::Book),
        ("story", _) => Ok(Shown::Story),
        (_, Some(k)) => Ok(Shown::Bm25 { k, book_order: args.book_order }),
        _ => Err(Failure::Usage("`--show` is `book`, `story`, or `bm25:K` with K from 1".into())),
    }
}

fn prompt(args: &ClaimsRequests, shown: Shown) -> Result<Prompt, Failure> {
    if let Some(path) = &args.prompt {
        let text = String::from_utf8(bytes(path)?).map_err(|error| {
            Fault::new(FaultKind::Input, "a prompt must be UTF-8 text").at(path).because(error)
        })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return Prompt::new(&name, &text)
            .map_err(|mistake| Fault::new(FaultKind::Input, mistake.to_string()).at(path).into());
    }
    Ok(Prompt::ours(match args.form {
        Some(args::claims::Form::AnswerFirst) => Form::AnswerFirst,
        Some(args::claims::Form::AnswerOnly) => Form::AnswerOnly,
        Some(args::claims::Form::Simple) => Form::Simple,
        Some(args::claims::Form::Excerpts) => Form::Excerpts,
        None if matches!(shown, Shown::Bm25 { .. }) => Form::Excerpts,
        Some(args::claims::Form::ExplainFirst) | None => Form::ExplainFirst,
    }))
}

/// Writes the bundle, its own description last.
fn write(
    args: &ClaimsRequests,
    folder: &Folder,
    texts: &std::collections::BTreeMap<String, &str>,
    plan: &Plan<'_>,
) -> Result<Vec<KeyLine>, Stopped> {
    let path = args.out.join("requests.jsonl");
    let failed = |error| Stopped::Fault(Fault::io("cannot write", &path, error));
    fs::create_dir_all(&args.out).map_err(failed)?;
    let mut file = BufWriter::new(fs::File::create(&path).map_err(failed)?);
    let mut count = 0;
    let key = request::requests(&folder.set, texts, plan, &tokens, &mut |line| {
        count += 1;
        writeln!(file, "{line}").map_err(failed)
    })?;
    file.into_inner().map_err(|error| failed(error.into_error()))?.sync_all().map_err(failed)?;
    let bundle = Bundle {
        format: 1,
        canary: plan.canary.map(str::to_owned),
        requests: count,
        digest: Digest::of(&fs::read(&path).map_err(failed)?),
        prompt: plan.name(),
        model: args.model.clone(),
        max_tokens: args.max_tokens,
    };
    let text = serde_json::to_string_pretty(&bundle).expect("a plain struct becomes JSON") + "\n";
    fs::write(args.out.join("bundle.json"), text).map_err(failed)?;
    Ok(key)
}

/// Writes a new file that only its owner may read.
fn private(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || {
        options.open(path).and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
    };
    write().map_err(|error| Fault::io("cannot write the key", path, error))
}

/// Adds a line for each pair that was shown.
fn expose(path: &Path, key: &[KeyLine], provider: &str, date: &str) -> Result<(), Fault> {
    let asked = key.iter().filter(|line| line.skipped.is_none());
    let mut exposures: Vec<Exposure> = asked
        .map(|line| Exposure {
            pair: line.pair.clone(),
            provider: provider.to_owned(),
            model: line.model.clone(),
            date: date.to_owned(),
        })
        .collect();
    exposures.sort();
    exposures.dedup();
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| Fault::io("cannot write the ledger", path, error))?;
    file.write_all(lines(&exposures).as_bytes())
        .map_err(|error| Fault::io("cannot write the ledger", path, error))
}

/// Today, by the system's clock, in the civil calendar (UTC).
fn today() -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the binary knows the day; the ledger is no output of a build"
    )]
    let seconds =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    // Days of years that begin in March, so that the leap day comes last.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}")
}
