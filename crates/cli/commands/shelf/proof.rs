//! `storymill shelf state` and `publish`: what is said in public of a private set.

use std::{io::Write, path::Path};

use serde_json::{Value, json};
use storymill_claims::pair::is_past;
use storymill_core::{BookId, Disk, Fault, FaultKind, version};
use storymill_disk::RealDisk;
use storymill_shelf::{
    Access, Shelf,
    proof::Ledger,
    public::{self, Public},
    sets::Sets,
};

use crate::{
    args::{Format, shelf as args},
    calendar::today,
    commands::claims::{standing, warn_of_past},
    exit::{DONE, Exit, Failure},
    next, report, secrets,
    session::Session,
    table::{plural, typed},
    whole_file::{put, put_alike},
};

pub(super) fn state(args: &args::ShelfState) -> Result<Exit, Failure> {
    let set = match &args.of[..] {
        _ if args.version.is_none() && args.retire.is_none() && args.reveal.is_none() => {
            return super::apart::state(args);
        }
        [set] if !set.contains('=') => set,
        _ => return Err(Failure::Usage("name one set: `storymill shelf state SET`".to_owned())),
    };
    match (&args.version, &args.retire, &args.reveal) {
        (Some(version), ..) => statement(args, set, version),
        (None, Some(_), _) if args.reason.is_none() && !args.undo => {
            Err(Failure::Usage("say why with `--reason TEXT`; everybody may read it".to_owned()))
        }
        (None, Some(pair), _) => retire(args, set, pair),
        (None, None, pair) => reveal(args, set, pair.as_deref().unwrap_or_default()),
    }
}

fn statement(args: &args::ShelfState, set: &str, name: &str) -> Result<Exit, Failure> {
    if version(name).is_none() {
        return Err(Failure::Usage("`--version` takes three numbers: 1.0.0".to_owned()));
    }
    let shelf = secrets::open(&args.place, Access::Change)?;
    super::apart::refuse(&shelf, set)?;
    let pairs = Sets(&shelf).pairs(set)?;
    let mut ledger = Ledger::of(&shelf, set)?;
    let (pairs, canary, endpoints) = (&pairs.expose().0, shelf.canary(), shelf.endpoints()?);
    let said = ledger.expose().said(name, pairs, &endpoints, &shelf.signers()?).cloned();
    let statement = if let Some(said) = said {
        report::say(format!(
            "statement {} of version {} was made before, and nothing has changed since",
            said.number, said.version
        ));
        said
    } else {
        ledger.expose().may_sign(&shelf)?;
        let statement = ledger.expose_mut().state(name, pairs, &canary, &endpoints)?;
        let statement =
            ledger.expose_mut().sign(&shelf, &standing(&shelf, set)?)?.unwrap_or(statement);
        // What is said in public must be there to be revealed: the shelf comes first.
        ledger.expose().keep(&shelf)?;
        statement
    };
    let is_past = |(_, pair): &&(String, Value)| {
        pair["retire_after"].as_str().is_some_and(|last| is_past(last, &today()))
    };
    let past: Vec<&str> = pairs.iter().filter(is_past).map(|(id, _)| id.as_str()).collect();
    warn_of_past(&past);
    let Some(path) = &args.out else {
        write!(crate::screen::out(), "{}", statement.to_text())?;
        return Ok(DONE);
    };
    put_alike(path, statement.to_text().as_bytes())?;
    let (number, digest) = (statement.number, statement.digest());
    let pairs = plural(statement.count, "pair");
    let said = format!("statement {number} of `{}`: {pairs}, digest {digest}", statement.set);
    let all = json!({
        "statement": number, "set": statement.set, "version": statement.version, "pairs": statement.count,
        "digest": digest, "file": path,
    });
    crate::commands::tell(args.format, &all, said)
}

fn retire(args: &args::ShelfState, set: &str, pair: &str) -> Result<Exit, Failure> {
    let shelf = secrets::open(&args.place, Access::Change)?;
    must_be_there(&shelf, set)?;
    let mut ledger = Ledger::of(&shelf, set)?;
    let said = if args.undo {
        ledger.expose_mut().undo_retire(pair)?;
        format!("taken back: {pair} stays")
    } else {
        ledger.expose_mut().retire(pair, args.reason.as_deref().unwrap_or_default())?;
        format!(
            "noted; take the pair out of the set or change it, then `storymill shelf state {set} --version VERSION{}` with a higher version",
            next::at(&args.place)
        )
    };
    ledger.expose().keep(&shelf)?;
    let all = json!({ "set": set, "pair": pair, "retired": !args.undo });
    let done = crate::commands::tell(args.format, &all, said)?;
    if !args.undo && args.format == Format::Text {
        // Pairs on a shelf may be others than claims: then nothing is told.
        let kept = super::super::claims::kept_of_retired(&shelf, set, pair);
        if let Ok(Some(kept)) = kept {
            writeln!(crate::screen::out(), "{kept}; `--undo` lets it count again")?;
        }
    }
    Ok(done)
}

/// A set that nobody has made, most likely because its name is misspelt.
fn must_be_there(shelf: &Shelf, set: &str) -> Result<(), Fault> {
    let there = Sets(shelf).names().iter().any(|name| name == set);
    if there { Ok(()) } else { Err(Sets(shelf).unknown(set)) }
}

fn reveal(args: &args::ShelfState, set: &str, pair: &str) -> Result<Exit, Failure> {
    let shelf = secrets::open(&args.place, Access::Look)?;
    must_be_there(&shelf, set)?;
    let ledger = Ledger::of(&shelf, set)?;
    let reveal = ledger.expose().reveal(pair)?;
    let mut text = serde_json::to_string_pretty(reveal.expose())
        .map_err(|_| Fault::new(FaultKind::Internal, "cannot write a revealed pair"))?;
    text.push('\n');
    let path = args.out.as_deref().unwrap_or(Path::new("pair.json"));
    put_alike(path, text.as_bytes())?;
    let of = reveal.expose().statement;
    let number = ledger.expose().statements().iter().find(|one| one.digest() == of);
    let number = number.map_or(0, |one| one.number);
    let file = path.display();
    let said = format!("revealed one pair of statement {number}, digest {of}, in {file}");
    let all = json!({ "set": set, "pair": pair, "statement": number, "digest": of, "file": path });
    crate::commands::tell(args.format, &all, said)
}

pub(super) fn publish(args: &args::ShelfPublish, session: &Session) -> Result<Exit, Failure> {
    let shelf = secrets::open(&args.place, Access::Look)?;
    super::apart::refuse(&shelf, &args.set)?;
    let i_hold_rights = match &args.workflow {
        Some(path) => session.project(path)?.workflow().publish.i_hold_rights,
        None => false,
    };
    let text = |id: &String| {
        id.parse::<BookId>().map_err(|error| {
            Fault::new(FaultKind::Input, "this is not the id of a book").because(error)
        })
    };
    let texts: Vec<BookId> = args.texts.iter().map(text).collect::<Result<_, _>>()?;
    let public = Public { set: &args.set, texts: &texts, i_hold_rights };
    let files = public::files(&shelf, &public)?;
    may_publish(&args.public, &files)?;
    for (name, bytes) in &files {
        put(&args.public.join(name), bytes)?;
    }
    let names: Vec<_> = files.iter().map(|(name, _)| name).collect();
    let open = files.iter().filter(|(name, _)| name == "pairs.jsonl");
    let open = open.flat_map(|(_, bytes)| bytes).filter(|byte| **byte == b'\n').count();
    let mut said = format!(
        "published {} into {}; {} on books in the public domain in full",
        plural(files.len() as u64, "file"),
        args.public.display(),
        plural(open as u64, "pair"),
    );
    if let Some(name) = names.iter().rev().find(|name| name.starts_with("statements/")) {
        said += &format!("\nnext: `storymill verify {}`", typed(&args.public.join(name)));
    }
    let all = json!({ "set": args.set, "folder": args.public, "files": names });
    crate::commands::tell(args.format, &all, said)
}

/// A folder of something else is left alone, and so is one that tells another story of the set.
fn may_publish(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Fault> {
    let disk = RealDisk;
    let failed = |error| Fault::io("cannot look at the folder to publish into", folder, error);
    let names = disk.list(folder).map_err(failed)?;
    if names.is_empty() {
        return Ok(());
    }
    for name in disk.list(&folder.join("statements")).map_err(failed)? {
        let path = folder.join("statements").join(&name);
        let there = disk.read(&path).map_err(failed)?;
        let ours = files.iter().any(|(file, bytes)| {
            file.strip_prefix("statements/") == Some(&name) && *bytes == there
        });
        if !ours {
            return Err(Fault::new(
                FaultKind::Store,
                "the folder holds a statement that this shelf has not made",
            )
            .at(path)
            .hint("publish into another folder"));
        }
    }
    let known = names.iter().any(|name| name == "statements");
    if known {
        return Ok(());
    }
    Err(Fault::new(FaultKind::Store, "the folder is not empty and holds no statements")
        .at(folder)
        .hint("publish into a new folder"))
}
