//! `claims import`: pairs from a file into a set.

use std::{fs, io::Write};

use storymill_claims::{
    import::merge,
    pair::BookFacts,
    read::{self, Format},
};
use storymill_core::{Encoding, Fault};
use storymill_transforms::tokens;

use super::{
    bytes,
    folder::{Folder, pages},
    refused, warn,
};
use crate::{
    args::claims::ClaimsImport,
    exit::{DONE, Exit, Failure},
    novel,
    table::plural,
};

pub(super) fn run(args: &ClaimsImport) -> Result<Exit, Failure> {
    let format = Format::of_name(&args.file.to_string_lossy()).ok_or_else(|| {
        Failure::Usage("a file of claims ends in .csv, .tsv, .jsonl or .json".into())
    })?;
    let read = read::claims(&bytes(&args.file)?, format)
        .map_err(|mistakes| refused(&args.file, "nothing was imported", &mistakes))?;
    warn(&args.file, &read.warnings);
    let mut folder = Folder::open_or_new(&args.into)?;
    let offered = args.books.as_deref().map(pages).transpose()?.unwrap_or_default();
    let has_text = |book: &str| {
        args.without_texts || folder.pages.contains_key(book) || offered.contains_key(book)
    };
    let imported = merge(&mut folder.set, read, &has_text).map_err(|mistakes| {
        let hint = "put the text into the set's folder `books` as ID.txt, name a folder with `--books`, or say `--without-texts`";
        match refused(&args.file, "nothing was imported", &mistakes) {
            Failure::Fault(fault) if mistakes.iter().any(|one| one.column.as_deref() == Some("book")) => {
                Failure::Fault(fault.hint(hint))
            }
            failure => failure,
        }
    })?;
    let books = args.into.join("books");
    for pair in &folder.set.pairs {
        if let (false, Some(page)) =
            (folder.pages.contains_key(&pair.book), offered.get(&pair.book))
        {
            fs::create_dir_all(&books)
                .map_err(|error| Fault::io("cannot make the folder", &books, error))?;
            let copy = books.join(page.file_name().unwrap_or_default());
            fs::copy(page, &copy)
                .map_err(|error| Fault::io("cannot copy the text", page, error))?;
            folder.pages.insert(pair.book.clone(), copy);
        }
    }
    measure(&mut folder)?;
    folder.write(&args.into)?;
    writeln!(
        std::io::stdout().lock(),
        "{}: {} added, {} changed, {} as they were; {} in all",
        args.into.display(),
        plural(imported.added.len() as u64, "pair"),
        imported.changed.len(),
        imported.same,
        folder.set.pairs.len()
    )?;
    Ok(DONE)
}

/// Counts words and tokens of books where nobody has said how many there are.
fn measure(folder: &mut Folder) -> Result<(), Failure> {
    for pair in &folder.set.pairs {
        if !folder.set.books.iter().any(|book| book.id == pair.book) {
            folder.set.books.push(BookFacts::new(&pair.book));
        }
    }
    for book in &mut folder.set.books {
        let Some(page) = folder.pages.get(&book.id) else { continue };
        if book.words.is_none() || book.tokens.is_none() {
            let text = novel::read(page)?.text;
            book.words = book.words.or(Some(text.split_whitespace().count() as u64));
            book.tokens = book.tokens.or_else(|| tokens(&text, Encoding::Cl100kBase));
        }
    }
    Ok(())
}
