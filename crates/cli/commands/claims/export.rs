//! `claims export`: the pairs of a set as a file that `claims import` takes back.

use std::{io::Write, sync::Arc};

use storymill_claims::{export::export, read::Format};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, Mount};

use super::set_store::{Home, Lies};
use crate::{
    args::claims::ClaimsExport,
    exit::{DONE, Exit, Failure},
    private::Sealed,
    table::plural,
    whole_file,
};

pub(super) fn run(args: &ClaimsExport) -> Result<Exit, Failure> {
    let format = match &args.out {
        None => Format::Csv,
        Some(path) => Format::of_name(&path.to_string_lossy()).ok_or_else(|| {
            Failure::Usage("a file of claims ends in .csv, .tsv, .jsonl or .json".into())
        })?,
    };
    if args.at.on.shelf.is_some() && !args.texts {
        let does = if args.out.is_none() { "prints" } else { "writes" };
        let message = format!("this {does} the claims of a private set in clear");
        let hint =
            "`--texts` prints them; with `--out FILE` too they go into a file, which is recorded";
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    let access = if args.out.is_some() { Access::Change } else { Access::Look };
    let home = Home::open(&args.at, access)?;
    if home.set.pairs.is_empty() {
        let message = format!("{} has no pairs yet", home.name());
        let hint = "`storymill claims import FILE --into SET` brings some into it";
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    let is_tabbed = args.out.as_ref().is_some_and(|path| {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tsv"))
    });
    let bytes = export(&home.set.pairs, format, if is_tabbed { b'\t' } else { b',' });
    let mut out = crate::screen::out();
    let Some(path) = &args.out else {
        out.write_all(&bytes)?;
        return Ok(DONE);
    };
    match &home.lies {
        Lies::Folder { .. } => whole_file::put(path, &bytes)?,
        Lies::Shelf(sealed) => {
            let shelf = Arc::clone(&sealed.shelf);
            let disk = Arc::new(Mount::new(Arc::clone(&shelf)));
            Sealed { shelf, disk }.clear(&args.at.set, path, &bytes)?;
        }
    }
    let pairs = plural(home.set.pairs.len() as u64, "pair");
    writeln!(out, "{pairs} of {} written to {}", home.name(), path.display())?;
    Ok(DONE)
}
