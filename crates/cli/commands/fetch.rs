//! `storymill fetch`: pages from a mirror or a harvest, pinned in a lock.

use std::{collections::BTreeSet, io::Write, time::Duration};

use serde_json::json;
use storymill_core::BookId;
use storymill_mirror::{
    self as pages, Change, Client, Family, Lock, Order, Report, is_main_site, mirror,
};

use super::books;
use crate::{
    args::Format,
    args::fetch::{Changed, Fetch},
    exit::{AGAIN, DONE, Exit, Failure, INPUT, LOCK},
    fetching::{Fetching, Time},
    report,
    session::Session,
    table::{plain, plural},
};

/// Lines of a difference that are shown, and symbols of a line.
const SHOWN: (usize, usize) = (12, 160);

pub(crate) fn run(args: &Fetch, session: &Session) -> Result<Exit, Failure> {
    let client = client(args)?;
    let harvest = args.harvest.is_some();
    let lock = args.lock.clone().unwrap_or_else(|| args.out.join("books.lock"));
    let wanted = wanted(args, &lock, harvest)?;
    let order = Order {
        client,
        harvest,
        out: args.out.clone(),
        lock,
        wanted,
        refresh: args.refresh,
        changed: match args.changed {
            Changed::Report => pages::Changed::Report,
            Changed::Accept => pages::Changed::Accept,
            Changed::Keep => pages::Changed::Keep,
        },
    };
    session.stop_on_signals()?;
    let fetching = Fetching::new();
    let done = pages::fetch(&order, &Time::start(&session.surroundings.stop), &fetching);
    fetching.finish();
    let done = done?;
    match args.format {
        Format::Text => text(&done)?,
        Format::Json => {
            as_json(&done)?;
        }
    }
    Ok(if !done.changed.is_empty() {
        LOCK
    } else if done.missing.iter().any(|missing| missing.passing) {
        AGAIN
    } else if !done.missing.is_empty() {
        INPUT
    } else {
        DONE
    })
}

fn client(args: &Fetch) -> Result<Client, Failure> {
    let address = args.mirror.as_ref().or(args.harvest.as_ref()).map_or("", String::as_str);
    // Its own name, typed by whoever wants it all the same.
    let main_site = args.allow_host.iter().any(|host| is_main_site(host));
    let base = mirror(address, main_site)?;
    if base.host_str().is_some_and(is_main_site) {
        report::warn(
            "asking Project Gutenberg's main site, which is for people: programs other than its harvest are blocked",
        );
    }
    let mut client = Client::new(base, args.contact.clone().unwrap_or_default());
    client.hosts.clone_from(&args.allow_host);
    client.main_site = main_site;
    client.gap = Duration::from_secs(args.wait);
    if !args.layout.is_empty() {
        let named = |name: &String| Family::ALL.into_iter().find(|family| family.name() == name);
        client.layouts = args.layout.iter().filter_map(named).collect();
    }
    Ok(client)
}

/// The books that are wanted, each once.
fn wanted(args: &Fetch, lock: &std::path::Path, harvest: bool) -> Result<Vec<BookId>, Failure> {
    let catalog = args.catalog.as_deref().map(books::open).transpose()?;
    let mut ids = args.books.clone();
    if let Some(path) = &args.ids {
        ids.extend(books::ids(path)?.iter().map(BookId::to_string));
    }
    let named = !ids.is_empty() || args.ids.is_some();
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let some = named || args.filter.is_some();
    if !some && harvest && catalog.is_some() {
        let message = "which books of the catalog? add `--where FILTER` or ids; a harvest without a catalog gives all that it lists";
        return Err(Failure::Usage(message.to_owned()));
    }
    if !some && !harvest {
        ids = Lock::open(lock)?.pins.into_keys().collect();
        if ids.is_empty() {
            let message =
                "no books are named: give ids, `--ids FILE`, or `--catalog FILE --where FILTER`";
            return Err(Failure::Usage(message.to_owned()));
        }
    }
    if let Some(catalog) = &catalog {
        let filter = books::filter(args.filter.as_deref())?;
        let chosen = books::choose(catalog, &filter, args.filter.as_deref())?;
        let fitting: BTreeSet<_> = chosen.rows.iter().map(|row| row.id.as_str()).collect();
        if named || args.filter.is_none() {
            let all = ids.len();
            ids.retain(|id| catalog.get(id).is_none() || fitting.contains(id.as_str()));
            if ids.len() < all {
                let left = plural((all - ids.len()) as u64, "book");
                report::warn(&format!(
                    "{left} left out: by the catalog no text, under copyright, or not fitting `--where`"
                ));
            }
        } else {
            report::say(books::summary(&chosen, catalog.rows().len()));
            ids = chosen.rows.iter().map(|row| row.id.to_string()).collect();
        }
    }
    let one = |id: &String| {
        id.parse().map_err(|error: storymill_core::BadId| Failure::Usage(error.to_string()))
    };
    ids.iter().map(one).collect()
}

fn text(done: &Report) -> Result<(), Failure> {
    let mut out = crate::screen::out();
    for change in &done.changed {
        write!(out, "{}", plain(&changed(change)))?;
    }
    for missing in &done.missing {
        writeln!(out, "{}: no page: {}", missing.id, plain(&missing.why))?;
    }
    let count = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!(", {count} {what}"),
    };
    writeln!(
        out,
        "{} fetched ({}), {} as pinned{}{}{}{}",
        plural(done.fetched.len() as u64, "page"),
        plural(done.requests, "request"),
        done.there,
        count(done.adopted, "pinned that lay there"),
        count(done.changed.len(), "changed"),
        count(done.missing.len(), "not on the mirror"),
        count(done.nameless, "files whose names tell no book"),
    )?;
    if done.changed.iter().any(|change| !change.aside.is_empty()) {
        report::hint(
            "changed pages were not taken: `--changed accept` takes them, `--changed keep` throws them away",
        );
    }
    if done.changed.iter().any(|change| change.aside.is_empty()) {
        report::hint(
            "files of the folder that are not as pinned: `--changed accept` pins them as they are; remove them to have the pinned pages fetched again",
        );
    }
    Ok(())
}

/// A changed page in words, with the beginning of the difference.
fn changed(change: &Change) -> String {
    let file = &change.file;
    let mut text = match (change.paragraphs, change.aside.as_str()) {
        (_, "") => format!("{file}: the file in the folder is not the one that was pinned\n"),
        (Some((0, 0)), aside) => {
            format!("{file}: changed, the text of the book did not; see {aside}\n")
        }
        (Some((new, gone)), aside) => {
            format!("{file}: changed; paragraphs: {new} new, {gone} gone; see {aside}\n")
        }
        (None, aside) => format!("{file}: changed; see {aside}\n"),
    };
    for line in change.diff.lines().take(SHOWN.0) {
        text.push_str("  ");
        text.extend(line.chars().take(SHOWN.1));
        text.push('\n');
    }
    if change.diff.lines().count() > SHOWN.0 {
        text.push_str("  …\n");
    }
    text
}

fn as_json(done: &Report) -> Result<Exit, Failure> {
    let changed: Vec<_> = done
        .changed
        .iter()
        .map(|change| {
            json!({
                "id": change.id,
                "file": change.file,
                "aside": change.aside,
                "pinned_sha256": change.was,
                "sha256": change.is,
                "new_paragraphs": change.paragraphs.map(|(new, _)| new),
                "gone_paragraphs": change.paragraphs.map(|(_, gone)| gone),
                "diff": change.diff,
            })
        })
        .collect();
    let missing: Vec<_> = done
        .missing
        .iter()
        .map(|missing| json!({ "id": missing.id, "why": missing.why, "passing": missing.passing }))
        .collect();
    super::json(&json!({
        "fetched": done.fetched,
        "there": done.there,
        "adopted": done.adopted,
        "changed": changed,
        "missing": missing,
        "nameless": done.nameless,
        "requests": done.requests,
        "bytes": done.bytes,
    }))
}
