//! `claims agreement`: second readers and what they dispute.

use std::{collections::BTreeSet, io::Write};

use serde_json::json;
use storymill::{file_of_set, redact_review};
use storymill_claims::{
    agreement::{Agreement, Counted, Vote, agreement, counted, votes},
    deciding::judged::{Judged, judged},
    import::Set,
    mistake::Mistakes,
    set::lines,
    standing::Stands,
};
use storymill_core::Digest;
use storymill_metrics::agreement as people;
use storymill_shelf::{Access, Private, sets::Sets};

use super::{
    super::review,
    folder::replace,
    kept_words, refused,
    remove::REMOVED,
    reviews,
    set_store::{Home, Lies, Sealed},
    unsealed,
};
use crate::{
    args::{Format, claims::ClaimsAgreement},
    exit::{DONE, Exit, Failure},
    report,
    table::{Table, plural},
};

/// Where the votes on a private set are kept.
const KEPT: &str = "votes/";

/// A vote, and the words of the claim as it was then, where they are known.
type Said = (Vote, Option<Digest>);

pub(super) fn run(args: &ClaimsAgreement) -> Result<Exit, Failure> {
    let access = if args.votes.is_some() { Access::Change } else { Access::Look };
    let home = Home::open(&args.at, access)?;
    let path = args.votes.as_deref().unwrap_or(home.path());
    let refuse = |mistakes: Mistakes| refused(path, "the votes cannot be used", &mistakes);
    let content = args.votes.as_deref().map(|path| unsealed(path, &args.at.on)).transpose()?;
    let read = content.as_ref().map(|content| votes(content.expose())).transpose();
    let new = read.map_err(refuse)?.unwrap_or_default();
    let mut found = match &home.lies {
        Lies::Folder { path, .. } => {
            let counted = if args.votes.is_none() {
                reviews::in_folder(&home, path)?
            } else {
                let gone = kept_words::removed(&file_of_set(path, REMOVED)?);
                let stands = Stands::new(&home.set, BTreeSet::new());
                let votes = new.into_iter().map(|vote| (vote, None));
                counted(votes, &stands, &|pair| gone.contains_key(pair))
            };
            self::found(&home.set, &counted).map_err(refuse)?
        }
        Lies::Shelf(sealed) => {
            let stands = kept_words::stands(sealed, &home.set)?;
            let gone = kept_words::removed_from(sealed)?;
            let mut all = if args.replace { Vec::new() } else { kept(sealed)? };
            let mut once: BTreeSet<String> = gone.keys().cloned().collect();
            once.extend(all.iter().map(|(vote, _)| vote.pair.clone()));
            let words = kept_words::noted(new.iter().map(claim), &stands, &gone);
            let file = content.as_ref().map(|content| (content, name(sealed, content)));
            let is_kept = match &file {
                Some((_, name)) => Sets(&sealed.shelf).file(&sealed.name, name)?.is_some(),
                None => false,
            };
            match &file {
                // What was kept once is about the words of then.
                Some((_, name)) if is_kept && args.replace => {
                    all.extend(with_words(new, &kept_words::known(sealed, name)?));
                }
                // The same file again changes nothing.
                Some(_) if is_kept => {}
                _ => all.extend(with_words(new, &kept_words::read(words.as_bytes())?)),
            }
            let counted = counted(all, &stands, &|pair| once.contains(pair));
            let found = self::found(&home.set, &counted).map_err(refuse)?;
            if let Some((content, name)) = &file
                && (args.replace || !is_kept)
            {
                let old = Sets(&sealed.shelf).files(&sealed.name, KEPT);
                let old = old.iter().filter(|_| args.replace).map(|old| format!("{KEPT}{old}"));
                kept_words::keep(sealed, name, content.expose(), &words, &old.collect::<Vec<_>>())?;
            }
            found
        }
    };
    if let Some(path) = &args.reviews {
        replace(path, lines(&found.reviews).as_bytes())?;
    }
    let queues = reviews::agreed(&home, &args.explained)?;
    let explained = match &home.lies {
        Lies::Folder { .. } if args.explained.results.is_empty() => Vec::new(),
        _ => {
            let answers = reviews::answers(&home, &args.explained)?;
            judged(&home.set, &answers, &reviews::decisions(&home)?)
        }
    };
    if args.format == Format::Json {
        if matches!(home.lies, Lies::Shelf(_)) {
            found.reviews.iter_mut().for_each(redact_review);
        }
        let mut told = json!(found);
        told["queues"] = json!(queues);
        told["explanations"] = json!(explained);
        return super::super::json(&told);
    }
    show(&found)?;
    if !queues.is_empty() {
        write!(crate::screen::out(), "\n{}", review::table::shown(&queues))?;
    }
    if !explained.is_empty() {
        write!(crate::screen::out(), "\n{}", table_of(&explained))?;
    }
    Ok(DONE)
}

/// Explanations of right verdicts, model by model.
fn table_of(explained: &[Judged]) -> Table {
    let mut table = Table::new(&[
        "model",
        ">explained",
        ">right",
        ">interval",
        ">partly",
        ">wrong",
        ">nothing",
        ">disputed",
    ]);
    for one in explained {
        let interval = one.interval.map_or_else(
            || "-".to_owned(),
            |interval| format!("{:.2} to {:.2}", interval.low, interval.high),
        );
        table.row([
            one.system.clone(),
            one.explained.to_string(),
            format!("{} of {}", one.right.correct, one.right.total),
            interval,
            one.partly.to_string(),
            one.wrong.to_string(),
            one.nothing.to_string(),
            one.disputed.to_string(),
        ]);
    }
    table
}

/// Compares the votes that count, and says which others there are.
fn found(set: &Set, counted: &Counted) -> Result<Agreement, Mistakes> {
    let found = agreement(set, &counted.votes)?;
    counted.aside.told("vote").iter().for_each(|line| report::warn(line));
    Ok(found)
}

fn claim(vote: &Vote) -> (&str, storymill_claims::pair::Half) {
    (&vote.pair, vote.claim)
}

/// What a file of votes is called among those that are kept.
fn name(sealed: &Sealed, content: &Private<Vec<u8>>) -> String {
    format!("{KEPT}{}", sealed.shelf.digest("votes v1", content.expose()).short())
}

fn with_words(votes: Vec<Vote>, known: &kept_words::Known) -> impl Iterator<Item = Said> {
    votes.into_iter().map(|vote| {
        let words = known.get(&(vote.pair.clone(), vote.claim)).copied();
        (vote, words)
    })
}

/// The votes that are kept with a private set.
pub(super) fn kept(sealed: &Sealed) -> Result<Vec<Said>, Failure> {
    let mut all = Vec::new();
    for name in Sets(&sealed.shelf).files(&sealed.name, KEPT) {
        let name = format!("{KEPT}{name}");
        let content = sealed.read(&name)?;
        let read = votes(content.expose()).map_err(|mistakes| {
            refused(sealed.shelf.root(), "the votes on the shelf cannot be read", &mistakes)
        })?;
        all.extend(with_words(read, &kept_words::known(sealed, &name)?));
    }
    Ok(all)
}

/// The votes that are kept with a private set, sorted by whether they count.
pub(super) fn kept_counted(sealed: &Sealed, set: &Set) -> Result<Counted, Failure> {
    Ok(counted(kept(sealed)?, &kept_words::stands(sealed, set)?, &|_| true))
}

fn show(found: &Agreement) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    let mut table = Table::new(&["reader", ">votes", ">as the set", ">unsure"]);
    for person in &found.people {
        let counts = [person.votes, person.right, person.unsure].map(|count| count.to_string());
        table.row([person.name.clone()].into_iter().chain(counts));
    }
    writeln!(out, "{table}")?;
    let mut table = Table::new(&["reader", "and", ">claims", ">agreed", ">kappa"]);
    for couple in &found.verdicts.pairs {
        table.row([
            couple.one.clone(),
            couple.other.clone(),
            couple.items.to_string(),
            couple.agreed.to_string(),
            couple.kappa.value.map_or("-".to_owned(), |kappa| format!("{kappa:.3}")),
        ]);
    }
    if !found.verdicts.pairs.is_empty() {
        writeln!(out, "{table}")?;
    }
    for (what, overall) in [("verdicts", &found.verdicts), ("scopes", &found.scopes)] {
        writeln!(out, "{what}: {}", told(overall))?;
    }
    for review in &found.reviews {
        writeln!(out, "{}  {}", review.item, review.code)?;
    }
    writeln!(out, "{} disputed", plural(found.reviews.len() as u64, "point"))
}

fn told(found: &people::Agreement) -> String {
    format!(
        "{} of {} couples of votes on {} agree; alpha {}",
        found.agreed,
        found.couples,
        plural(found.items as u64, "claim"),
        found.alpha.told(3)
    )
}
