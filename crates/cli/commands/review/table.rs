//! `review --export`, `--import`, `--votes` and `--agreement`.

use std::{io::Write, path::Path};

use serde::Serialize;
use storymill::OpenDesk;
use storymill_core::{Decision, Fault};
use storymill_disk::most;
use storymill_review::{Agreement, Desk, QueueSummary, csv, published};

use super::{decide, fault};
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    secrets,
    table::{Table, plain, plural},
};

/// Does what is wanted of a desk; `then` says what follows from new votes.
pub(in super::super) fn run(
    args: &args::Review,
    open: OpenDesk,
    seed: u64,
    then: &str,
) -> Result<Exit, Failure> {
    if args.undo {
        return decide::undo(args, open, then);
    }
    if let Some(path) = &args.export {
        return export(args, &open, path);
    }
    if let Some(path) = &args.votes {
        return votes(args, &open, seed, path);
    }
    if let Some(path) = &args.import {
        let bytes = secrets::named(path, most::TABLE, open.is_private.then_some(&args.key))?;
        let lines = csv::import(&open.desk, bytes.expose(), &args.by).map_err(|fault| {
            let hides = open.is_private && !args.texts;
            if hides { redacted(&fault) } else { fault }.at(path)
        })?;
        return take(open, &lines, then);
    }
    agreement(args, &open)
}

/// Writes items and votes, or those of one person, into a CSV file.
fn export(args: &args::Review, open: &OpenDesk, path: &Path) -> Result<Exit, Failure> {
    refuse_private(args, open)?;
    let by = Some(&*args.by).filter(|by| !by.is_empty());
    let table = csv::export(&open.desk, by, args.queue.as_deref())?;
    std::fs::write(path, table).map_err(|error| Fault::io("cannot write", path, error))?;
    let items = plural(open.desk.items().count() as u64, "item");
    let mut out = crate::screen::out();
    writeln!(out, "{items} written to {}", path.display())?;
    writeln!(out, "fill in `choice` and `by`, then `--import` the file")?;
    Ok(DONE)
}

fn refuse_private(args: &args::Review, open: &OpenDesk) -> Result<(), Fault> {
    if !open.is_private || args.texts {
        return Ok(());
    }
    let hint = "`--texts` says that the words of private books may stand in the file";
    Err(fault("a CSV file would show private text", hint))
}

/// Writes every vote as a row, under pseudonyms.
fn votes(args: &args::Review, open: &OpenDesk, seed: u64, path: &Path) -> Result<Exit, Failure> {
    refuse_private(args, open)?;
    let table = published::csv(&published::votes(&open.desk, seed))?;
    std::fs::write(path, table).map_err(|error| Fault::io("cannot write", path, error))?;
    writeln!(crate::screen::out(), "votes written to {}, without names", path.display())?;
    Ok(DONE)
}

/// Takes lines of votes, all of them or none.
pub(in super::super) fn take(
    mut open: OpenDesk,
    lines: &[Decision],
    then: &str,
) -> Result<Exit, Failure> {
    open.save(lines)?;
    let mut out = crate::screen::out();
    writeln!(out, "{} new", plural(lines.len() as u64, "line"))?;
    if !lines.is_empty() {
        writeln!(out, "{then}")?;
    }
    Ok(DONE)
}

/// Where a table cannot be read, without the words of the items.
fn redacted(fault: &Fault) -> Fault {
    let place = fault.message.split(':').next().filter(|place| place.starts_with("line "));
    let place = place.unwrap_or("the file");
    super::fault(&format!("{place} cannot be read as votes"), "`--texts` tells why")
}

/// Tells how far people agree, queue by queue.
fn agreement(args: &args::Review, open: &OpenDesk) -> Result<Exit, Failure> {
    let found = by_queue(&open.desk, &args.by);
    if args.format == Format::Json {
        return super::super::json(&found);
    }
    write!(crate::screen::out(), "{}", shown(&found))?;
    Ok(DONE)
}

/// How far people agree on the items of a queue.
#[derive(Debug, Serialize)]
pub(in super::super) struct Agreed {
    queue: QueueSummary,
    /// The code of what is asked.
    code: String,
    pub(in super::super) agreement: Agreement,
}

/// The agreement on each queue that has items for a person.
pub(in super::super) fn by_queue(desk: &Desk, person: &str) -> Vec<Agreed> {
    let mut found = Vec::new();
    for queue in desk.queues(person) {
        for (code, agreement) in desk.agreement(queue.name) {
            found.push(Agreed { queue: queue.clone(), code, agreement });
        }
    }
    found
}

/// The same as people read it.
pub(in super::super) fn shown(found: &[Agreed]) -> Table {
    let mut table = Table::new(&["queue", "question", ">voted twice", "who", "agreement"]);
    for Agreed { queue, code, agreement: found } in found {
        let row = |who: String, agreement: String| {
            [queue.name.to_owned(), plain(code), found.items.to_string(), who, agreement]
        };
        let voters = found.voters.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ");
        table.row(row(voters, format!("alpha {}", found.alpha.told(3))));
        for pair in &found.pairs {
            let who = format!("{} and {}", plain(&pair.one), plain(&pair.other));
            let kappa = format!("kappa {} ({} of {})", pair.kappa.told(3), pair.agreed, pair.items);
            table.row(row(who, kappa));
        }
    }
    table
}
