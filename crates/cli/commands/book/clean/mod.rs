//! `storymill book clean`: one page or many, from bytes to the book's text, with every cut accounted for.

mod draw;
mod gold;
mod show;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;
use storymill_core::{Fault, FaultKind, Reason};
use storymill_disk::most;
use storymill_sources::{Cleaned, clean, gold::GoldTexts, page_id, pages};

use crate::{
    args::Format,
    args::clean::Clean,
    exit::{DONE, Exit, Failure},
    report,
    table::plural,
};

/// A share below which a build leaves a page out unless its workflow says otherwise, in percent.
const MIN_KEPT: u8 = 50;

pub(crate) fn run(args: &Clean) -> Result<Exit, Failure> {
    let files = files(&args.files)?;
    if args.html.is_some() && files.len() > 1 {
        let message = format!("`--html` draws one page, and {} were given", files.len());
        return Err(Failure::Usage(message));
    }
    let names = if args.out.is_some() { names(&files)? } else { BTreeMap::new() };
    if let Some(out) = &args.out {
        fs::create_dir_all(out).map_err(|error| Fault::io("cannot make the folder", out, error))?;
    }
    let shelf = args.gold.as_deref().map(GoldTexts::open).transpose()?;
    let mut table = gold::Rows::default();
    let mut shown = Vec::new();
    let (mut failed, mut differing) = (Vec::new(), 0_u32);
    for path in &files {
        let page = match read(path)? {
            Ok(page) => page,
            Err(reason) => {
                failed.push((path, reason));
                continue;
            }
        };
        if let (Some(out), Some(name)) = (&args.out, names.get(path)) {
            write(&out.join(name), page.cleaned.lines().as_bytes())?;
        }
        if let Some(out) = &args.html {
            write(out, draw::page(&page).as_bytes())?;
        }
        match &shelf {
            Some(shelf) => table.add(&page, shelf)?,
            None if args.format == Format::Json => shown.push(show::json(&page, args.check)?),
            None if args.check => differing += u32::from(show::differences(&page)?),
            None if args.explain => show::cuts(&page)?,
            None => show::summary(&page)?,
        }
    }
    match (&shelf, args.format) {
        (Some(_), format) => table.print(format)?,
        (None, Format::Json) => {
            super::super::json(&json!({ "pages": shown }))?;
        }
        (None, Format::Text) if args.check => {
            let many = plural((files.len() - failed.len()) as u64, "page");
            report::say(format!("a second reading sees {differing} of {many} otherwise"));
        }
        (None, Format::Text) => {}
    }
    finish(failed)
}

/// A page that was cleaned.
struct Page<'p> {
    path: &'p Path,
    cleaned: Cleaned,
}

impl Page<'_> {
    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// All pages that were named, those of folders one by one.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for path in named {
        let mut notes = Vec::new();
        files.extend(pages(path, &mut notes)?);
        for note in &notes {
            report::warn(note);
        }
    }
    Ok(files)
}

/// Under which name each text is written.
fn names(files: &[PathBuf]) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut taken: BTreeMap<String, &Path> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for path in files {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let id = page_id(&file)
            .map(|id| id.to_string())
            .ok_or_else(|| Failure::Usage(format!("no id can be made from the name `{file}`")))?;
        let name = format!("{id}.txt");
        if let Some(other) = taken.insert(name.clone(), path) {
            let message =
                format!("{} and {} would both be `{name}`", other.display(), path.display());
            return Err(Failure::Usage(message));
        }
        names.insert(path.clone(), name);
    }
    Ok(names)
}

fn read(path: &Path) -> Result<Result<Page<'_>, Reason>, Fault> {
    let bytes = storymill_disk::read(path, most::BOOK).map_err(|error| {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => FaultKind::Input,
            _ => FaultKind::Io,
        };
        Fault::new(kind, "cannot read the page").at(path).because(error)
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let cleaned = clean(&bytes, &name).and_then(|cleaned| {
        cleaned.check(0)?;
        Ok(cleaned)
    });
    Ok(cleaned.map(|cleaned| {
        let left_out = cleaned.check(MIN_KEPT).and_then(|()| cleaned.check_cuts());
        if let Err(reason) = left_out {
            report::warn(&format!("{}: a build leaves it out: {}", path.display(), reason.detail));
        }
        Page { path, cleaned }
    }))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    fs::write(path, bytes).map_err(|error| Fault::io("cannot write", path, error))
}

/// One page that is no book is the failure; of several each is named.
fn finish(failed: Vec<(&PathBuf, Reason)>) -> Result<Exit, Failure> {
    let many = failed.len();
    let Some((path, reason)) = failed.into_iter().enumerate().find_map(|(at, (path, reason))| {
        if at + 1 == many {
            return Some((path, reason));
        }
        report::warn(&format!("{}: {} ({})", path.display(), reason.detail, reason.code));
        None
    }) else {
        return Ok(DONE);
    };
    let message = if many == 1 {
        format!("cannot make a book of the page: {} ({})", reason.detail, reason.code)
    } else {
        format!("{many} pages are not books, the last: {} ({})", reason.detail, reason.code)
    };
    let fault = Fault::new(FaultKind::Input, message).at(path);
    Err(match advice(&reason.code) {
        Some(hint) => fault.hint(hint).into(),
        None => fault.into(),
    })
}

/// What to do about a page that is no book.
fn advice(code: &str) -> Option<&'static str> {
    Some(match code {
        "binary" => "pages are HTML, plain text or EPUB, packed as `.gz` or not",
        "drm" => "take a copy without protection, such as one from Project Gutenberg",
        "bad-zip" | "bad-gzip" | "cut-off" => "fetch the file again: it may have come only in part",
        "not-an-epub" => "unpack the archive and name the page inside it",
        "too-large" => "name one volume of it: a page is one book",
        "packed-too-tight" | "too-many-entries" | "nested-archive" => {
            "unpack it by other means, if you trust it, and name the page inside it"
        }
        "only-licence" | "no-text" | "kept-too-little" | "cut-too-much" => {
            "see with `--explain` on a page of the same kind what is cut, and why"
        }
        _ => return None,
    })
}
