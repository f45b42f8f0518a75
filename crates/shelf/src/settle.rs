//! What of a shelf people have yet to settle, told without a private word; and settling it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use storymill_core::{Fault, FaultKind, did_you_mean, few};

use crate::{
    Private, Shelf,
    fold::{Late, Open, called},
    log::{Id, Kind, State},
    proof::{self, Ledger},
    rows::subject,
};

/// Something that people did apart, and that stays open until somebody settles it.
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "versions are private")]
pub struct Conflict {
    /// What it is about: `SET/PAIR`, `books/ID`, a public key, the name of a file.
    pub item: String,
    /// What happened, in words that hold nothing private.
    pub what: String,
    /// What may be [taken](Shelf::settle), the first of which counts until then; none where a command does it.
    pub versions: Vec<Version>,
}

/// One of the things that may be taken.
#[expect(missing_debug_implementations, reason = "it is private")]
pub struct Version {
    /// Whose it is, and what it does.
    pub what: String,
    /// What it says, where it says something that people read.
    pub text: Option<Private<Vec<u8>>>,
}

/// So many changes of somebody who was let out are named.
const TOLD: usize = 10;

/// How `storymill shelf rekey` is called for.
const REKEY: &str =
    "`storymill shelf rekey` seals everything anew to those who are maintainers now";

/// What was committed to, by set.
type Ledgers = BTreeMap<String, Private<Ledger>>;

/// Files and rows of one item, with their versions.
type Apart = Vec<(String, String, Vec<Id>)>;

impl Shelf {
    /// What people have yet to settle.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, Fault> {
        let open = self.stand().fold.open();
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let (state, ledgers) = (self.state(), self.ledgers());
        let state = state.expose();
        let people = state.recipients();
        let by = |id: &Id| called(&people, state.author(id.session));
        let mut all = Vec::new();
        for (item, parts) in apart(&ledgers, &open) {
            let mut versions = Vec::new();
            for id in of_item(state, &parts) {
                versions.push(self.version(state, &parts, id, by(&id)));
            }
            let by: BTreeSet<String> = of_item(state, &parts).iter().map(&by).collect();
            let by = Vec::from_iter(by).join(" and ");
            all.push(Conflict { item, what: format!("was changed apart by {by}"), versions });
        }
        for one in open {
            all.extend(match one {
                Open::Apart { .. } => None,
                Open::Decided { name, key, on, said } => {
                    let who: BTreeSet<String> = said.iter().map(by).collect();
                    let who = Vec::from_iter(who).join(" and ");
                    let does = if kind(state, &name, &on) == Kind::Gone { "taken out" } else { "changed" };
                    let what = format!(
                        "was {does} by {}, and decided on by {who}, who did not know of that",
                        by(&on)
                    );
                    let parts = vec![(name.clone(), key.clone(), vec![on])];
                    let versions = vec![self.version(state, &parts, on, by(&on))];
                    Some(Conflict { item: item(&ledgers, &name, &key), what, versions })
                }
                Open::InAndOut { key, is_in } => {
                    let (is, option, other) = if is_in { ("in", "remove", "out") } else { ("out", "add", "in") };
                    let what = format!(
                        "was let in and let out by people who did not know of each other, and is {is}. \
                         {REKEY}; `--{option}` lets them {other}"
                    );
                    Some(Conflict { item: key, what, versions: Vec::new() })
                }
                Open::Late { author, changes } => {
                    let known = self.person(author);
                    // What a statement commits to goes without saying.
                    let is_told = |(name, key, _): &&Late| {
                        let set = name.strip_prefix("proof/").filter(|_| !key.starts_with("statement"));
                        set.is_none_or(|set| ledgers.get(set).is_some_and(|one| one.expose().pair(key).is_some()))
                    };
                    let told = changes.iter().filter(is_told).map(|(name, key, is_gone)| {
                        item(&ledgers, name, key) + if *is_gone { " taken out" } else { "" }
                    });
                    let mut told: BTreeSet<String> = told.collect();
                    if told.is_empty() {
                        told.insert("whom they let in or out".to_owned());
                    }
                    let what = format!(
                        "was let out before anybody had these changes, which do not count: {}",
                        few(&told, TOLD)
                    );
                    let version = |what: &str| Version { what: what.to_owned(), text: None };
                    let versions = vec![version("leave them out"), version("take them over")];
                    Some(Conflict { item: known, what, versions })
                }
                Open::Sealed { to, records } => {
                    let others: BTreeSet<String> = people.iter().map(ToString::to_string).collect();
                    let told = |what: &str, keys: Vec<&String>| {
                        let keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
                        (!keys.is_empty()).then(|| format!("{what} {}", keys.join(", ")))
                    };
                    let said = [
                        told("are still sealed to", to.difference(&others).collect()),
                        told("are not sealed to", others.difference(&to).collect()),
                    ];
                    let said: Vec<String> = said.into_iter().flatten().collect();
                    let what = format!("{}. {REKEY}", said.join("; "));
                    let item = format!("{records} {}", if records == 1 { "record" } else { "records" });
                    Some(Conflict { item, what, versions: Vec::new() })
                }
                Open::Missing { author, changes } => {
                    let (s, are) = if changes == 1 { ("", "is") } else { ("s", "are") };
                    let what = format!(
                        "by {} {are} built upon and not in the folder: copy the rest of it",
                        called(&people, author)
                    );
                    Some(Conflict { item: format!("{changes} change{s}"), what, versions: Vec::new() })
                }
            });
        }
        Ok(all)
    }

    /// Takes a version of an item, counted from 1 as [`conflicts`](Self::conflicts) lists them, for what it is from now on.
    /// Says which it is.
    ///
    /// # Errors
    ///
    /// There is nothing to settle of this name, or no such version; or the disk fails.
    pub fn settle(&self, item: &str, version: usize) -> Result<String, Fault> {
        let all = self.conflicts()?;
        let Some(one) = all.iter().find(|one| one.item == item && !one.versions.is_empty()) else {
            let hint = did_you_mean(item, all.iter().map(|one| one.item.as_str()));
            let fault =
                Fault::new(FaultKind::Input, format!("there is nothing to settle about `{item}`"));
            return Err(fault.hint(hint.unwrap_or_else(|| {
                "`storymill shelf state --key FILE` lists what there is".to_owned()
            })));
        };
        let Some(taken) = version.checked_sub(1).and_then(|at| one.versions.get(at)) else {
            let message = format!("`{item}` has versions 1 to {}", one.versions.len());
            return Err(Fault::new(FaultKind::Input, message));
        };
        let what = taken.what.clone();
        let open = self.stand().fold.open();
        let ledgers = self.ledgers();
        let late = open.iter().find_map(|one| match one {
            Open::Late { author, .. } if self.person(*author) == item => Some(*author),
            _ => None,
        });
        if let Some(author) = late {
            return self.settle_late(author, version == 2).map(|()| what);
        }
        let mut parts = apart(&ledgers, &open).remove(item).unwrap_or_default();
        for one in open {
            if let Open::Decided { name, key, on, .. } = one
                && self::item(&ledgers, &name, &key) == item
            {
                parts.push((name, key, vec![on]));
            }
        }
        let state = self.state();
        let taken = of_item(state.expose(), &parts)[version - 1];
        self.change(|change| {
            parts.iter().try_for_each(|(name, key, versions)| {
                let same = versions.iter().find(|id| id.session == taken.session);
                same.or(versions.first()).map_or(Ok(()), |id| change.settle(name, key, *id))
            })
        })?;
        Ok(what)
    }

    fn settle_late(&self, author: crate::Signer, taken: bool) -> Result<(), Fault> {
        let mut late = self.stand().fold.late.clone();
        late.retain(|one| one.author == Some(author));
        self.change(|change| {
            let next = change.next.expose_mut();
            for one in late {
                if taken {
                    next.join(&one.state);
                } else {
                    next.left.insert(one.name.clone(), one.own());
                }
            }
            change.adopts = true;
            Ok(())
        })
    }

    /// The public key of somebody who was a maintainer, or the key of their signatures.
    fn person(&self, signer: crate::Signer) -> String {
        let state = self.state();
        let people = state.expose().people();
        people.key_of(signer).map_or_else(|| signer.to_string(), str::to_owned)
    }

    /// A version, with its text where that is sealed to the holder of the key.
    fn version(&self, state: &State, parts: &Apart, id: Id, who: String) -> Version {
        let of = parts.iter().find_map(|(name, _, versions)| {
            let own = versions.iter().find(|one| one.session == id.session)?;
            Some((name, own))
        });
        let Some((name, own)) = of else { return Version { what: who, text: None } };
        if kind(state, name, own) == Kind::Gone {
            return Version { what: format!("taken out by {who}"), text: None };
        }
        let text = self.gather(&[&state.files[name][own]], state).ok();
        let said = text.as_ref().filter(|_| name.starts_with("proof/"));
        let said = said.and_then(|text| proof::said(text.expose()));
        let what = said.map_or_else(|| format!("by {who}"), |said| format!("{said}, by {who}"));
        Version { what, text: text.filter(|_| name.starts_with("sets/")) }
    }

    /// What was committed to, by set: a reason is given for a pair.
    fn ledgers(&self) -> Ledgers {
        let names = self.names("proof/");
        let sets = names.iter().filter_map(|name| name.strip_prefix("proof/"));
        sets.filter_map(|set| Some((set.to_owned(), Ledger::of(self, set).ok()?))).collect()
    }
}

fn kind(state: &State, name: &str, id: &Id) -> Kind {
    state.files.get(name).and_then(|all| all.get(id)).map_or(Kind::Gone, |piece| piece.kind)
}

/// What people call a file, or a row of it.
fn item(ledgers: &Ledgers, name: &str, key: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    match (&parts[..], key) {
        (["books", id, _], _) => format!("books/{id}"),
        (["sets", set, "pairs"], key) if !key.is_empty() => format!("{set}/{key}"),
        (["sets", set, what], key) => {
            let of = Some(subject(key).unwrap_or(key)).filter(|of| !of.is_empty());
            let of = of.map(|of| format!("{of}/")).unwrap_or_default();
            format!("{set}/{of}{}", what.trim_end_matches(".jsonl"))
        }
        (["proof", set], key) => {
            let pair = ledgers.get(*set).and_then(|ledger| ledger.expose().pair(key));
            let reason = pair.map(|pair| format!("{set}/{pair}/reason"));
            reason.unwrap_or_else(|| format!("{set}/{}", key.replace(' ', "-")))
        }
        (_, "") => name.to_owned(),
        _ => format!("{name}/{key}"),
    }
}

/// What was changed apart, by item.
fn apart(ledgers: &Ledgers, open: &[Open]) -> BTreeMap<String, Apart> {
    let mut all = BTreeMap::<String, Apart>::new();
    for one in open {
        if let Open::Apart { name, key, versions } = one {
            let part = (name.clone(), key.clone(), versions.clone());
            all.entry(item(ledgers, name, key)).or_default().push(part);
        }
    }
    all
}

/// One piece of each version of an item: who changed several of its files changed them together. What counts is first.
fn of_item(state: &State, parts: &Apart) -> Vec<Id> {
    let mut ids: Vec<(bool, Reverse<Id>)> = Vec::new();
    for (name, _, versions) in parts {
        for id in versions {
            if ids.iter().all(|(_, one)| one.0.session != id.session) {
                ids.push((kind(state, name, id) == Kind::Gone, Reverse(*id)));
            }
        }
    }
    ids.sort();
    ids.into_iter().map(|(_, id)| id.0).collect()
}
