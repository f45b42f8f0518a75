//! `review --export`, `--import`, `--votes` and `--agreement`; tables of decisions and agreement, also those of sets of claims.

use std::{io::Write, path::Path};

use serde::Serialize;
use storymill::OpenDesk;
use storymill_core::{Decision, Fault};
use storymill_disk::most;
use storymill_review::{Agreement, Desk, QueueSummary, csv, published};

use super::fault;
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    table::{Table, plain, plural},
};

/// Writes items and votes into a CSV file.
pub(super) fn export(args: &args::Review, open: &OpenDesk, path: &Path) -> Result<Exit, Failure> {
    refuse_private(args, open)?;
    write(&open.desk, &args.by, path)
}

/// Writes the items of a desk and the votes on them, or those of one person, into a CSV file.
pub(in super::super) fn write(desk: &Desk, by: &str, path: &Path) -> Result<Exit, Failure> {
    let table = csv::export(desk, Some(by).filter(|by| !by.is_empty()))?;
    std::fs::write(path, table).map_err(|error| Fault::io("cannot write", path, error))?;
    let items = plural(desk.items().count() as u64, "item");
    let mut out = crate::screen::out();
    writeln!(out, "{items} written to {}", path.display())?;
    writeln!(out, "fill in `choice` and `by`, then `--import` the file")?;
    Ok(DONE)
}

/// The lines of a CSV file that a desk does not have yet; `hides` says that no fault may tell what stands in it.
pub(in super::super) fn read(
    desk: &Desk,
    by: &str,
    path: &Path,
    hides: bool,
) -> Result<Vec<Decision>, Fault> {
    let bytes = storymill_disk::read(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    csv::import(desk, &bytes, by).map_err(|fault| {
        let fault = if hides { redacted(&fault) } else { fault };
        fault.at(path)
    })
}

fn refuse_private(args: &args::Review, open: &OpenDesk) -> Result<(), Fault> {
    if open.is_private && !args.texts { Err(shows_private_text()) } else { Ok(()) }
}

/// Why what is private does not go into a file unasked.
pub(in super::super) fn shows_private_text() -> Fault {
    let hint = "`--texts` says that the words of private books may stand in the file";
    fault("a CSV file would show private text", hint)
}

/// Writes every vote as a row, under pseudonyms.
pub(super) fn votes(
    args: &args::Review,
    open: &OpenDesk,
    seed: u64,
    path: &Path,
) -> Result<Exit, Failure> {
    refuse_private(args, open)?;
    let table = published::csv(&published::votes(&open.desk, seed))?;
    std::fs::write(path, table).map_err(|error| Fault::io("cannot write", path, error))?;
    writeln!(crate::screen::out(), "votes written to {}, without names", path.display())?;
    Ok(DONE)
}

/// Takes votes from a CSV file, all of them or none.
pub(super) fn import(
    args: &args::Review,
    mut open: OpenDesk,
    path: &Path,
) -> Result<Exit, Failure> {
    let lines = read(&open.desk, &args.by, path, open.is_private && !args.texts)?;
    open.save(&lines)?;
    let mut out = crate::screen::out();
    writeln!(out, "{} new", plural(lines.len() as u64, "line"))?;
    if !lines.is_empty() {
        writeln!(out, "build again to see what follows")?;
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
pub(super) fn agreement(args: &args::Review, open: &OpenDesk) -> Result<Exit, Failure> {
    let found = by_queue(&open.desk, &args.by);
    if args.built.format == Format::Json {
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
    pub(in super::super) code: String,
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
