//! `claims reviews --export` and `--import`: items and votes as CSV, as `review` has them; and how far people agree.

use std::{io::Write, path::Path};

use clap::ValueEnum;

use super::{
    super::{
        super::review::table::{self, Agreed},
        set_store::{Home, Lies},
    },
    kept,
};
use crate::{
    args::claims::{ClaimsReviews, Explained, ReviewsOf},
    exit::{DONE, Exit, Failure},
    report,
    table::plural,
};

fn is_folder(home: &Home) -> bool {
    matches!(home.lies, Lies::Folder { .. })
}

/// Writes items and what was said of them into a CSV file; what was said of other kinds of items stays out of it.
pub(super) fn export(args: &ClaimsReviews, home: &Home, path: &Path) -> Result<Exit, Failure> {
    if !is_folder(home) && !args.texts {
        return Err(table::shows_private_text().into());
    }
    let items = kept::items_of(home, args.of, &args.explained)?;
    let mut lines = kept::lines(home)?;
    lines.retain(|line| kept::of_line(line) == args.of);
    let desk = kept::desk_of(home, &items, lines, &home.name())?;
    table::write(&desk, &args.by, path)
}

/// Takes votes from a CSV file, all of them or none.
pub(super) fn import(args: &ClaimsReviews, home: &Home, path: &Path) -> Result<Exit, Failure> {
    let items = kept::items_of(home, args.of, &args.explained)?;
    let desk = kept::desk(home, &items, &home.name())?;
    let lines = table::read(&desk, &args.by, path, !is_folder(home) && !args.texts)?;
    if !lines.is_empty() {
        kept::keep(home, &lines, &[], false)?;
    }
    let mut out = crate::screen::out();
    writeln!(out, "{} new", plural(lines.len() as u64, "line"))?;
    if !lines.is_empty() && args.of == ReviewsOf::Doubts {
        writeln!(out, "`--apply` brings into the set what follows")?;
    }
    Ok(DONE)
}

/// How far people agree on what was decided of a set, queue by queue: those on which somebody voted.
pub(in super::super) fn agreed(home: &Home, explained: &Explained) -> Result<Vec<Agreed>, Failure> {
    let lines = kept::lines(home)?;
    let mut asked = Vec::new();
    for &of in ReviewsOf::value_variants() {
        let said = lines.iter().filter(|line| kept::of_line(line) == of).count();
        match of {
            _ if said == 0 => {}
            // Who compares votes is told elsewhere which of them do not count.
            ReviewsOf::Doubts => asked.extend(kept::doubts(home)?.0),
            ReviewsOf::Explanations if is_folder(home) && explained.results.is_empty() => {
                let said = plural(said as u64, "decision");
                report::warn(&format!(
                    "{said} on explanations left out: `--results` names the answers that they are about"
                ));
            }
            _ => asked.extend(kept::items_of(home, of, explained)?),
        }
    }
    let mut found = table::by_queue(&kept::desk_of(home, &asked, lines, &home.name())?, "");
    found.retain(|one| !one.agreement.voters.is_empty());
    Ok(found)
}
