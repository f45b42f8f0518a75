//! `claims export`: the pairs of a set as a file that `claims import` takes back.

use std::{borrow::Cow, collections::BTreeSet, io::Write, sync::Arc};

use serde_json::json;
use storymill_claims::{export::export, pair::Pair, read::Format, repair::repair, shortcut::score};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, Mount};

use super::set_store::{Home, Lies};
use crate::{
    args::{Format as Printed, claims::ClaimsExport},
    exit::{DONE, Exit, Failure},
    private::Sealed,
    report,
    table::{plural, share},
    whole_file,
};

pub(super) fn run(args: &ClaimsExport) -> Result<Exit, Failure> {
    let as_json = args.format == Printed::Json;
    let format = match &args.out {
        None if as_json => Format::Json,
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
    let pairs = match args.balanced {
        None => Cow::Borrowed(&home.set.pairs),
        Some(most) => Cow::Owned(balanced(&home, most.0)?),
    };
    let is_tabbed = args.out.as_ref().is_some_and(|path| {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tsv"))
    });
    let bytes = export(&pairs, format, if is_tabbed { b'\t' } else { b',' });
    let Some(path) = &args.out else {
        crate::screen::out().write_all(&bytes)?;
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
    let (count, set) = (pairs.len() as u64, home.name());
    let said = format!("{} of {set} written to {}", plural(count, "pair"), path.display());
    super::super::tell(args.format, &json!({ "set": set, "pairs": count, "file": path }), said)
}

/// The largest part of a set of which at most a share is told apart without the book.
fn balanced(home: &Home, most: f64) -> Result<Vec<Pair>, Failure> {
    if most < 0.5 {
        return Err(Failure::Usage("`--balanced` is at least 0.5, which is chance".to_owned()));
    }
    let all = &home.set.pairs;
    let Some(kept) = repair(all, most) else {
        let message = format!("{} has no part that is balanced so far", home.name());
        let hint = "fewer than 10 pairs would be left: allow more, such as `--balanced=0.6`, or bring more pairs into the set";
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    };
    let part: Vec<Pair> = kept.into_iter().map(|at| all[at].clone()).collect();
    let books = |pairs: &[Pair]| {
        let books: BTreeSet<&str> = pairs.iter().map(|pair| pair.book.as_str()).collect();
        books.len() as u64
    };
    let told = |pairs: &[Pair]| score(pairs).map_or(0, |score| score.told_apart as u64);
    report::say(format!(
        "{} of {}, told apart without the book: {}; before, {}",
        books(&part),
        plural(books(all), "book"),
        share(told(&part), part.len() as u64),
        share(told(all), all.len() as u64)
    ));
    Ok(part)
}
