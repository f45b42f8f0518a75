//! `review --export`, `--import`, `--votes` and `--agreement`.

use std::{io::Write, path::Path};

use storymill::OpenDesk;
use storymill_core::Fault;
use storymill_review::{Estimate, csv, published};

use super::fault;
use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure},
    table::{Table, plain, plural},
};

/// Writes items and votes into a CSV file.
pub(super) fn export(args: &args::Review, open: &OpenDesk, path: &Path) -> Result<Exit, Failure> {
    refuse_private(args, open)?;
    let person = Some(args.by.as_str()).filter(|by| !by.is_empty());
    let table = csv::export(&open.desk, person)?;
    std::fs::write(path, table).map_err(|error| Fault::io("cannot write", path, error))?;
    let items = plural(open.desk.items().count() as u64, "item");
    let mut out = crate::screen::out();
    writeln!(out, "{items} written to {}", path.display())?;
    writeln!(out, "fill in `choice` and `by`, then `--import` the file")?;
    Ok(DONE)
}

fn refuse_private(args: &args::Review, open: &OpenDesk) -> Result<(), Fault> {
    if open.is_private && !args.texts {
        let hint = "`--texts` says that the words of private books may stand in the file";
        return Err(fault("a CSV file would show private text", hint));
    }
    Ok(())
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
    let bytes =
        std::fs::read(path).map_err(|error| Fault::io("cannot read", path, error).input())?;
    let hides = open.is_private && !args.texts;
    let lines = csv::import(&open.desk, &bytes, &args.by).map_err(|fault| {
        let fault = if hides { redacted(&fault) } else { fault };
        fault.at(path)
    })?;
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
    let queues = open.desk.queues(&args.by);
    let found: Vec<_> =
        queues.iter().map(|queue| (queue, open.desk.agreement(queue.name))).collect();
    if args.built.format == Format::Json {
        let rows: Vec<_> = found
            .iter()
            .map(|(queue, found)| serde_json::json!({ "queue": queue, "agreement": found }))
            .collect();
        return super::super::json(&rows);
    }
    let mut table =
        Table::new(&["queue", ">items", ">open", ">disputed", ">voted twice", "who", "agreement"]);
    for (queue, found) in &found {
        let counts = [queue.items, queue.open, queue.disputed, found.items];
        let row = |who: String, agreement: String| {
            let counts = counts.iter().map(ToString::to_string);
            [queue.name.to_owned()].into_iter().chain(counts).chain([who, agreement])
        };
        let voters = found.voters.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ");
        table.row(row(voters, format!("alpha {}", told(&found.alpha))));
        for pair in &found.pairs {
            let who = format!("{} and {}", plain(&pair.one), plain(&pair.other));
            let kappa = format!("kappa {} ({} of {})", told(&pair.kappa), pair.agreed, pair.items);
            table.row(row(who, kappa));
        }
    }
    write!(crate::screen::out(), "{table}")?;
    Ok(DONE)
}

fn told(estimate: &Estimate) -> String {
    match (estimate.value, estimate.low, estimate.high, &estimate.undefined) {
        (Some(value), Some(low), Some(high), _) => format!("{value:.3} [{low:.3}, {high:.3}]"),
        (Some(value), _, _, Some(why)) => format!("{value:.3}, {why}"),
        (Some(value), ..) => format!("{value:.3}"),
        (None, _, _, why) => why.clone().unwrap_or_else(|| "undefined".to_owned()),
    }
}
