//! `claims list`: a set or a pair read back, its words where somebody may see them.

use std::{collections::BTreeMap, io::Write};

use serde_json::{Map, Value, json};
use storymill_claims::{deciding::compare, export::fields, exposure::is_saturated, lint::Severity};
use storymill_shelf::{Access, Version, proof::Ledger};

use super::{
    kept,
    remove::position,
    set_store::{Home, Lies},
    shown::Shown,
};
use crate::{
    args::{Format, claims::ClaimsList},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plain, plural},
};

/// So many words of a claim are listed.
const WORDS: usize = 8;

pub(super) fn run(args: &ClaimsList) -> Result<Exit, Failure> {
    let home = Home::open(&args.at, Access::Look)?;
    if let Some(id) = &args.pair {
        return show(&home, id, args);
    }
    let (shows, mut states) = (shows(&home, args.texts), states(&home)?);
    let shown = Shown::of(&home)?;
    if args.format == Format::Json {
        let mut rows = Vec::new();
        for pair in &home.set.pairs {
            let state = states.remove(&pair.id).unwrap_or_default();
            let claim = shows.then_some(&pair.true_claim);
            let [right, of] = shown.right(&pair.id);
            let seen = shown.to(&pair.id).into_iter();
            let seen = seen.map(|(who, since)| json!({ "service": who, "since": since }));
            rows.push(json!({
                "pair": pair.id, "book": pair.book, "state": state, "right": right, "of": of,
                "saturated": is_saturated(right, of), "exposed": seen.collect::<Vec<_>>(), "true_claim": claim,
            }));
        }
        let gone = states.into_iter().map(|(id, state)| json!({ "pair": id, "state": state }));
        rows.extend(gone);
        return super::super::json(&rows);
    }
    let mut table = Table::new(&["pair", "book", "state", "right", "shown to", "true claim"]);
    for pair in &home.set.pairs {
        let words = if shows { first_words(&pair.true_claim) } else { String::new() };
        let state = states.remove(&pair.id).unwrap_or_default();
        let [right, seen] = [right(&shown, &pair.id), seen(&shown, &pair.id)];
        table.row([pair.id.clone(), pair.book.clone(), state, right, seen, words]);
    }
    // What is left is no longer in the set.
    for (id, state) in states {
        let blank = String::new;
        table.row([id, blank(), state, blank(), blank(), blank()]);
    }
    table.drop_empty();
    let pairs = plural(home.set.pairs.len() as u64, "pair");
    write!(crate::screen::out(), "{table}\n{}: {pairs}\n", home.name())?;
    if !shows {
        report::hint("`--texts` shows the first words of each true claim");
    }
    Ok(DONE)
}

/// How many systems have a pair right: `3 of 3, saturated`.
fn right(shown: &Shown, pair: &str) -> String {
    match shown.right(pair) {
        [_, 0] => String::new(),
        [right, of] if is_saturated(right, of) => format!("{right} of {of}, saturated"),
        [right, of] => format!("{right} of {of}"),
    }
}

/// Who was shown a pair, and since when: `local 2026-11-28`.
fn seen(shown: &Shown, pair: &str) -> String {
    let all = shown.to(pair).into_iter().map(|(who, since)| format!("{who} {since}"));
    all.collect::<Vec<_>>().join(", ")
}

/// Shows all that is known of a pair.
fn show(home: &Home, id: &str, args: &ClaimsList) -> Result<Exit, Failure> {
    let pair = &home.set.pairs[position(home, id)?];
    let (shows, mut all) = (shows(home, args.texts), serde_json::Map::new());
    let state = ("state", states(home)?.remove(&pair.id).unwrap_or_default());
    let shown = Shown::of(home)?;
    let more = [("right", right(&shown, id)), ("shown to", seen(&shown, id))];
    let more = more.into_iter().filter(|(_, text)| !text.is_empty());
    for (name, mut text) in fields(pair).chain([state]).chain(more) {
        if !shows && ["story", "true_claim", "false_claim", "explanation"].contains(&name) {
            text = plural(text.split_whitespace().count() as u64, "word");
        }
        if args.format == Format::Json {
            all.insert(name.to_owned(), text.into());
            continue;
        }
        writeln!(crate::screen::out(), "{name:<17} {}", plain(&text))?;
    }
    for (number, (what, text)) in (1..).zip(apart(home, &pair.id)?) {
        let text = if shows { text } else { String::new() };
        if args.format == Format::Json {
            all.insert(format!("version {number}"), json!({ "what": what, "text": text }));
            continue;
        }
        writeln!(
            crate::screen::out(),
            "{:<17} {}",
            format!("version {number}"),
            plain(&format!("{what} {text}"))
        )?;
    }
    if args.format == Format::Json {
        return super::super::json(&all);
    }
    if !shows {
        report::hint("`--texts` shows the words");
    }
    Ok(DONE)
}

/// The versions of a pair of a shelf that was changed apart, and whose they are.
fn apart(home: &Home, pair: &str) -> Result<Vec<(String, String)>, Failure> {
    let Lies::Shelf(sealed) = &home.lies else { return Ok(Vec::new()) };
    let item = format!("{}/{pair}", sealed.name);
    let all = sealed.shelf.conflicts()?.into_iter().filter(|one| one.item == item);
    let said = |version: Version| {
        let fields = version.text.and_then(|text| serde_json::from_slice(text.expose()).ok());
        (version.what.replace(&sealed.shelf.holder(), "you"), fields.unwrap_or_default())
    };
    let all: Vec<(String, Map<String, Value>)> =
        all.flat_map(|one| one.versions).map(said).collect();
    // Of versions the fields that differ.
    let differs =
        |field: &str| all.iter().any(|(_, other)| other.get(field) != all[0].1.get(field));
    let told = |fields: &Map<String, Value>| {
        let own = fields.iter().filter(|(field, _)| all.len() == 1 || differs(field));
        let own = own.map(|(field, value)| match value.as_str() {
            Some(text) => format!("{field}: {text}"),
            None => format!("{field}: {value}"),
        });
        own.collect::<Vec<_>>().join("; ")
    };
    Ok(all.iter().map(|(what, fields)| (what.clone(), told(fields))).collect())
}

/// Whether words of a set may be shown: of a private one where somebody says so.
fn shows(home: &Home, texts: bool) -> bool {
    texts || matches!(home.lies, Lies::Folder { .. })
}

fn first_words(claim: &str) -> String {
    let mut words = claim.split_whitespace();
    let first = words.by_ref().take(WORDS).collect::<Vec<_>>().join(" ");
    plain(&if words.next().is_some() { format!("{first} …") } else { first })
}

/// How the pairs of a set stand, and those that went.
fn states(home: &Home) -> Result<BTreeMap<String, String>, Failure> {
    let mut states = BTreeMap::new();
    let ids: Vec<String> = home.set.pairs.iter().map(|pair| pair.id.clone()).collect();
    let disputes = compare::findings(&home.set, &kept::decisions(home)?);
    let disputed = disputes.into_iter().filter(|one| one.severity > Severity::Note);
    let disputed = disputed.map(|one| one.pair).collect();
    let stated = match &home.lies {
        Lies::Folder { .. } => Vec::new(),
        Lies::Shelf(sealed) => {
            let ledger = Ledger::of(&sealed.shelf, &sealed.name)?;
            ids.iter().filter(|id| ledger.expose().holds(id)).cloned().collect()
        }
    };
    let (removed, retired) = (kept::removed(home)?, Vec::from_iter(kept::retired(home)?));
    states.extend(removed.into_iter().map(|(id, one)| (id, format!("removed on {}", one.date))));
    for (ids, state) in
        [(ids, "in the set"), (stated, "stated"), (disputed, "disputed"), (retired, "retired")]
    {
        states.extend(ids.into_iter().map(|id| (id, state.to_owned())));
    }
    Ok(states)
}
