//! `storymill shelf`: private books, sealed.

mod apart;
mod people;
mod proof;

use std::{collections::BTreeMap, io::Write};

use serde_json::json;
use storymill::{calendar::second, decided_book};
use storymill_core::{BookId, Fault, FaultKind, nearest};
use storymill_disk::most;
use storymill_shelf::{Access, Books, PUBLIC, Private, Shelf, proof::Ledger, sets::Sets};
use storymill_sources::{clean, page_id};

use crate::{
    args::{
        Format,
        shelf::{self as args, ShelfWhat},
    },
    exit::{DONE, Exit, Failure},
    next, report, secrets,
    session::Session,
    table::{Table, plain, plural},
    unlocked,
};

pub(crate) fn run(args: &args::Shelf, session: &Session) -> Result<Exit, Failure> {
    secrets::guard()?;
    match &args.what {
        ShelfWhat::Init(init) if init.key_only => {
            let (key, _) = secrets::key_or_new(&init.place.key, init.no_passphrase)?;
            let public = key.recipient().whole();
            super::tell(init.format, &json!({ "public_key": public }), public)
        }
        ShelfWhat::Init(init) => self::init(init),
        ShelfWhat::Unlock(unlock) => self::unlock(unlock),
        ShelfWhat::Add(add) if add.book.is_dir() => apart::join(add),
        ShelfWhat::Add(add) => self::add(add),
        ShelfWhat::List(list) => self::list(list),
        ShelfWhat::Remove(remove) => self::remove(remove),
        ShelfWhat::Rekey(rekey) if rekey.trust => people::trust(rekey),
        ShelfWhat::Rekey(rekey) => people::rekey(rekey),
        ShelfWhat::State(state) => proof::state(state),
        ShelfWhat::Publish(publish) => proof::publish(publish, session),
        ShelfWhat::Packet(packet) => super::claims::packet::run(packet),
    }
}

fn unlock(args: &args::ShelfUnlock) -> Result<Exit, Failure> {
    if args.end {
        let closed = unlocked::lock(true) as u64;
        let said = format!("{} closed", plural(closed, "key"));
        return super::tell(args.format, &json!({ "closed": closed }), said);
    }
    let (path, until) = secrets::unlock(&args.key, args.time)?;
    let until = second(until);
    let end = "`storymill shelf unlock --end` closes it before its time";
    let said = format!("{} is open until {until}; {end}", path.display());
    let all = json!({ "key": path, "seconds": args.time.as_secs(), "until": until });
    super::tell(args.format, &all, said)
}

fn init(args: &args::ShelfInit) -> Result<Exit, Failure> {
    let others = people::recipients(&args.recipients)?;
    Shelf::may_make(&args.place.shelf, &*secrets::disk())?;
    let (key, new) = secrets::key_or_new(&args.place.key, args.no_passphrase)?;
    let mut shelf = Shelf::make(&args.place.shelf, secrets::disk(), &key, &others)?;
    shelf.remember(secrets::pins(&args.place)?)?;
    let file = new.then(|| secrets::key_path(&args.place.key)).transpose()?;
    let maintainers = shelf.recipients()?.len() as u64;
    if args.format == Format::Json {
        return super::json(&json!({
            "new_key": file, "public_key": key.recipient().whole(), "shelf": args.place.shelf,
            "maintainers": maintainers, "canary": shelf.canary(),
        }));
    }
    let mut out = crate::screen::out();
    if let Some(file) = file {
        writeln!(
            out,
            "key        {} (new: keep a copy, nobody can open the shelf without it)",
            file.display()
        )?;
    }
    writeln!(out, "public key {}", key.recipient().whole())?;
    writeln!(
        out,
        "shelf      {}, sealed to {}",
        args.place.shelf.display(),
        plural(maintainers, "maintainer")
    )?;
    writeln!(out, "canary     {}", shelf.canary())?;
    writeln!(out, "next: `storymill shelf add BOOK.epub{}`", next::at(&args.place))?;
    Ok(DONE)
}

fn add(args: &args::ShelfAdd) -> Result<Exit, Failure> {
    if args.rights != PUBLIC && nearest(&args.rights, [PUBLIC]).is_some() {
        let message = format!("`--rights {}` would not make the book everybody's", args.rights);
        let hint = format!("did you mean `{PUBLIC}`?");
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    let name = args.book.file_name().unwrap_or_default().to_string_lossy();
    let id: BookId = match &args.id {
        Some(id) => id.parse().map_err(|error| {
            Fault::new(FaultKind::Input, "this is not the id of a book").because(error)
        })?,
        None if !args.book.exists() => {
            return Err(Fault::new(FaultKind::Input, "there is no such file")
                .at(&args.book)
                .into());
        }
        None => page_id(&name).ok_or_else(|| {
            Fault::new(FaultKind::Input, "no id can be made from the file's name")
                .at(&args.book)
                .hint("give one: `--id ID`")
        })?,
    };
    let bytes = storymill_disk::read(&args.book, most::BOOK)
        .map(Private::new)
        .map_err(|error| Fault::io("cannot read the book", &args.book, error).input())?;
    let cleaned = clean(bytes.expose(), &name).and_then(|cleaned| {
        cleaned.check(50)?;
        Ok(cleaned)
    });
    // What a reason tells may hold words of the page.
    let cleaned = cleaned.map_err(|reason| {
        let message = format!("cannot make a book of the file ({})", reason.code);
        Fault::new(FaultKind::Input, message)
            .at(&args.book)
            .hint("`storymill book clean BOOK` tells more, and shows text of the book")
    })?;
    let mut book = cleaned.book(id.clone(), None);
    book.rights.clone_from(&args.rights);
    let shelf = secrets::open(&args.place, Access::Change)?;
    let before = Books(&shelf).facts(&id).ok().map(|facts| facts.expose().rights.clone());
    let facts = Books(&shelf).add(book, &name, bytes.expose(), args.replace)?;
    if let Some(before) = before.filter(|before| *before != facts.expose().rights) {
        let now = &facts.expose().rights;
        report::warn(&format!("the rights of {id} were `{before}` and are `{now}` now"));
    }
    for (set, on) in pairs_on(&shelf, &id)? {
        let pairs = plural(on as u64, "pair");
        report::warn(&format!("set `{set}` has {pairs} on {id}: they stand on this text now"));
    }
    let (words, headings) = (facts.expose().words, cleaned_chapters(&cleaned));
    let said = format!("added {id}: {}, {}", plural(words, "word"), plural(headings, "heading"));
    let all = json!({ "book": id.to_string(), "words": words, "headings": headings });
    super::tell(args.format, &all, said)
}

/// How many pairs each set has on a book.
fn pairs_on(shelf: &Shelf, id: &BookId) -> Result<BTreeMap<String, usize>, Fault> {
    let mut all = BTreeMap::new();
    for set in Sets(shelf).names() {
        let pairs = Sets(shelf).pairs(&set)?;
        let on = pairs.expose().0.iter().filter(|(_, pair)| pair["book"] == id.as_str()).count();
        all.extend((on > 0).then_some((set, on)));
    }
    Ok(all)
}

fn cleaned_chapters(cleaned: &storymill_sources::Cleaned) -> u64 {
    cleaned.paragraphs.iter().filter(|paragraph| paragraph.level.is_some()).count() as u64
}

fn list(args: &args::ShelfList) -> Result<Exit, Failure> {
    let shelf = secrets::open(&args.place, Access::Look)?;
    let books = Books(&shelf);
    let mut table = if args.titles {
        Table::new(&["book", ">words", "rights", "title", "authors"])
    } else {
        Table::new(&["book", ">words", "rights"])
    };
    let (mut rows, mut headings) = (Vec::new(), String::new());
    for id in books.ids() {
        let facts = books.facts(&id)?;
        let facts = facts.expose();
        let mut row = json!({ "book": id, "words": facts.words, "rights": facts.rights });
        let mut cells = vec![id.to_string(), facts.words.to_string(), facts.rights.clone()];
        if args.titles {
            row["title"] = json!(facts.title);
            row["authors"] = json!(facts.authors);
            cells.extend([facts.title.clone(), facts.authors.join("; ")]);
        }
        if args.headings {
            let book = decided_book(&shelf, &id)?;
            let all: Vec<String> = super::claims::headings(&book).map(|(_, text)| text).collect();
            headings += &format!("headings of {id}:\n");
            for (at, text) in (1..).zip(&all) {
                headings += &format!("{at:>5}  {}\n", plain(text));
            }
            row["headings"] = json!(all);
        }
        table.row(cells);
        rows.push(row);
    }
    let mut sets = BTreeMap::new();
    for set in Sets(&shelf).names() {
        let pairs = Sets(&shelf).pairs(&set)?.expose().0.len() as u64;
        let last = Ledger::of(&shelf, &set)?.expose().statements().last().cloned();
        let told = last.map(|last| json!({ "number": last.number, "digest": last.digest() }));
        let packets = super::claims::packet::told(&shelf, &set)?;
        let holders = super::claims::holders(&shelf, &set)?;
        let told =
            json!({ "pairs": pairs, "statement": told, "packets": packets, "holders": holders });
        sets.insert(set, told);
    }
    let maintainers = shelf.recipients()?;
    let cleared = crate::private::cleared(&shelf)?;
    let open = shelf.conflicts()?.len() as u64;
    if args.format == Format::Json {
        let maintainers: Vec<_> = maintainers.iter().map(ToString::to_string).collect();
        return super::json(
            &json!({ "books": rows, "sets": sets, "maintainers": maintainers, "open": open, "written_in_clear": cleared, "canary": shelf.canary() }),
        );
    }
    let mut out = crate::screen::out();
    if !rows.is_empty() {
        writeln!(out, "{table}{}{headings}", if headings.is_empty() { "" } else { "\n" })?;
    }
    writeln!(
        out,
        "{}, {}",
        plural(rows.len() as u64, "book"),
        plural(maintainers.len() as u64, "maintainer")
    )?;
    for maintainer in maintainers {
        let reads = if maintainer.signer().is_none() { " (reads only)" } else { "" };
        let you = if maintainer.to_string() == shelf.holder() { " (you)" } else { "" };
        writeln!(out, "  {maintainer}{you}{reads}")?;
    }
    apart::say_open(open, &args.place);
    if cleared > 0 {
        writeln!(out, "{} written in clear", plural(cleared, "file"))?;
    }
    for (set, told) in sets {
        let pairs = plural(told["pairs"].as_u64().unwrap_or(0), "pair");
        let digest = told["statement"]["digest"].as_str();
        let said = digest.map_or_else(
            || "no statement yet".to_owned(),
            |digest| format!("statement {}, {digest}", told["statement"]["number"]),
        );
        writeln!(out, "set `{set}`: {pairs}; {said}")?;
        for (holder, pairs) in told["holders"].as_object().into_iter().flatten() {
            let pairs = plural(pairs.as_u64().unwrap_or(0), "pair");
            writeln!(out, "  {pairs} shown to {holder}")?;
        }
        for packet in told["packets"].as_array().into_iter().flatten() {
            writeln!(out, "  {}", plain(packet.as_str().unwrap_or_default()))?;
        }
    }
    Ok(DONE)
}

fn remove(args: &args::ShelfRemove) -> Result<Exit, Failure> {
    let id: BookId = args.id.parse().map_err(|error| {
        Fault::new(FaultKind::Input, "this is not the id of a book").because(error)
    })?;
    let shelf = secrets::open(&args.place, Access::Change)?;
    Books(&shelf).remove(&id)?;
    let without_text = pairs_on(&shelf, &id)?;
    for (set, on) in &without_text {
        let pairs = plural(*on as u64, "pair");
        report::warn(&format!(
            "set `{set}` has {pairs} on {id}: without its text no requests are made, and nothing is imported into the set until the book is back or they are removed"
        ));
    }
    let all = json!({ "removed": id, "pairs_without_text": without_text });
    super::tell(args.format, &all, format!("removed {id}"))
}

/// `storymill verify --shelf DIR`: every record, or every record of a part, is read and checked.
pub(crate) fn check(place: &args::Place, args: &crate::args::Verify) -> Result<Exit, Failure> {
    let shelf = secrets::open(place, Access::Look)?;
    let checked = shelf.check(|name| args.subset.is_none_or(|part| part.holds(name)))?;
    let subset = args.subset.map(|part| part.to_string());
    let of = subset.as_ref().map_or("on".to_owned(), |part| format!("of part {part} of"));
    let said = format!("{} {of} the shelf, all of them whole", plural(checked as u64, "file"));
    super::tell(args.format, &json!({ "files": checked, "subset": subset }), said)
}
