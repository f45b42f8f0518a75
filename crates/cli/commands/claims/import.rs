//! `claims import`: pairs from a file into a set.

use std::{fs, io::Write};

use serde_json::json;
use storymill::pages_of_set;
use storymill_claims::{
    import::{Imported, Matching, merge_matching},
    read,
};
use storymill_core::Fault;
use storymill_shelf::{Access, Books};

use super::{
    TOLD, kept, refused,
    set_store::{Home, Lies},
    unsealed, warn,
};
use crate::{
    args::{Format, claims::ClaimsImport},
    exit::{DONE, Exit, Failure},
    report,
    table::plural,
};

pub(super) fn run(args: &ClaimsImport) -> Result<Exit, Failure> {
    let format = super::format(&args.file).ok_or_else(|| {
        Failure::Usage("a file of claims ends in .csv, .tsv, .jsonl or .json".into())
    })?;
    let is_sealed = args.file.extension().is_some_and(|ending| ending == "age");
    if args.on.key.key.is_some() && args.on.shelf.is_none() && !is_sealed {
        let message = "`--key` opens a shelf, and none is named: `--shelf DIR` keeps the set sealed; without `--key` it is a folder in clear";
        return Err(Failure::Usage(message.to_owned()));
    }
    let content = unsealed(&args.file, &args.on)?;
    let read = read::claims(content.expose(), format)
        .map_err(|mistakes| refused(&args.file, "nothing was imported", &mistakes))?;
    warn(&args.file, &read.warnings);
    let mut home = Home::open_or_new(&args.into, &args.on, Access::Change)?;
    let offered = args.books.as_deref().map(pages_of_set).transpose()?.unwrap_or_default();
    let held: Vec<String> = match &home.lies {
        Lies::Folder { pages, .. } => pages.keys().chain(offered.keys()).cloned().collect(),
        Lies::Shelf(sealed) => Books(&sealed.shelf).ids().iter().map(ToString::to_string).collect(),
    };
    let has_text = |book: &str| args.without_texts || held.iter().any(|id| id == book);
    let matching = if args.update { Matching::Claim } else { Matching::BothClaims };
    let imported = merge_matching(&mut home.set, read, &has_text, matching).map_err(|mistakes| {
        let hint = match &home.lies {
            Lies::Folder { .. } => "put the text into the set's folder `books` as ID.txt, name a folder with `--books`, or say `--without-texts`",
            Lies::Shelf(_) => "`storymill shelf add BOOK.epub --id ID` puts the book on the shelf; `storymill shelf list` shows what there is",
        };
        match refused(&args.file, "nothing was imported", &mistakes) {
            Failure::Fault(fault) if mistakes.iter().any(|one| one.column.as_deref() == Some("book")) => {
                Failure::Fault(fault.hint(hint))
            }
            failure => failure,
        }
    })?;
    if let Lies::Folder { path, pages } = &mut home.lies {
        let books = path.join("books");
        for pair in &home.set.pairs {
            if let (false, Some(page)) = (pages.contains_key(&pair.book), offered.get(&pair.book)) {
                fs::create_dir_all(&books)
                    .map_err(|error| Fault::io("cannot make the folder", &books, error))?;
                let copy = books.join(page.file_name().unwrap_or_default());
                fs::copy(page, &copy)
                    .map_err(|error| Fault::io("cannot copy the text", page, error))?;
                pages.insert(pair.book.clone(), copy);
            }
        }
    }
    let is_new = home.set.pairs.len() == imported.added.len();
    keep(&mut home, &imported, args.format)?;
    if is_new {
        report::say(format!("{} is a new set", home.name()));
    }
    if args.update {
        tell_new(&imported);
    }
    let gone = kept::removed(&home)?;
    for pair in &imported.added {
        let Some(one) = gone.get(pair) else { continue };
        let said = kept::of_returned(&home, pair)?;
        let said = said.map(|said| format!(": {said}")).unwrap_or_default();
        report::warn(&format!("{pair} went on {} and is back{said}", one.date));
    }
    Ok(DONE)
}

/// Keeps a set with what was imported, and says what that was.
pub(super) fn keep(home: &mut Home, imported: &Imported, format: Format) -> Result<(), Failure> {
    home.measure()?;
    home.keep()?;
    if format == Format::Json {
        return super::super::json(&json!({
            "set": home.name(), "added": imported.added, "changed": imported.changed.len(), "same": imported.same,
            "pairs": home.set.pairs.len(),
        }))
        .map(drop);
    }
    writeln!(
        crate::screen::out(),
        "{}: {} added, {} changed, {} as they were; {} in all",
        home.name(),
        plural(imported.added.len() as u64, "pair"),
        imported.changed.len(),
        imported.same,
        home.set.pairs.len()
    )?;
    Ok(())
}

/// Who rewrites pairs is told which rows are none of them: most likely both claims of a pair were rewritten.
fn tell_new(imported: &Imported) {
    let all = imported.added.iter().zip(&imported.added_rows);
    for (pair, row) in all.take(TOLD) {
        report::warn(&format!(
            "no pair has a claim of row {row}: added as new; give `id` to replace one (it is {pair} now)"
        ));
    }
    let count = imported.added.len();
    if count > TOLD {
        report::warn(&format!("{} more rows are new pairs", count - TOLD));
    }
    if count > 0 {
        report::hint(
            "`storymill claims list SET` has the ids, `storymill claims remove SET PAIR` takes a pair out",
        );
    }
}
