//! `claims agreement`: second readers and what they dispute.

use std::io::Write;

use storymill::redact_review;
use storymill_claims::{
    agreement::{Agreement, Overall, Vote, agreement, votes},
    mistake::Mistakes,
    set::lines,
};
use storymill_shelf::{Access, sets};

use super::{
    folder::replace,
    refused,
    set_store::{Home, Lies, Sealed},
    unsealed,
};
use crate::{
    args::{Format, claims::ClaimsAgreement},
    exit::{DONE, Exit, Failure},
    table::{Table, plural},
};

/// Where the votes on a private set are kept.
const KEPT: &str = "votes/";

pub(super) fn run(args: &ClaimsAgreement) -> Result<Exit, Failure> {
    let access = if args.votes.is_some() { Access::Change } else { Access::Look };
    let home = Home::open(&args.at, access)?;
    let path = args.votes.as_deref().unwrap_or(home.path());
    let refuse = |mistakes: Mistakes| refused(path, "the votes cannot be used", &mistakes);
    let mut all = Vec::new();
    if let (Lies::Shelf(sealed), false) = (&home.lies, args.replace) {
        all = kept(sealed)?;
    }
    let mut new = None;
    if let Some(path) = &args.votes {
        let content = unsealed(path, &args.at.on)?;
        let read = votes(content.expose()).map_err(refuse)?;
        // The same file again changes nothing.
        if !read.iter().all(|vote| all.iter().any(|known| same(known, vote))) {
            all.extend(read);
            new = Some(content);
        }
    }
    let found = agreement(&home.set, &all).map_err(refuse)?;
    if let (Lies::Shelf(sealed), Some(content)) = (&home.lies, new) {
        let name = sealed.shelf.digest("votes v1", content.expose()).short();
        let place = |name: &str| sets::place(&sealed.name, &format!("{KEPT}{name}"));
        let old = sets::Sets(&sealed.shelf).files(&sealed.name, KEPT);
        sealed.shelf.change(|change| {
            for old in old.iter().filter(|_| args.replace) {
                change.remove(&place(old));
            }
            change.put(&place(&name), content.expose())
        })?;
    }
    if let Some(path) = &args.reviews {
        replace(path, lines(&found.reviews).as_bytes())?;
    }
    if args.format == Format::Json {
        let mut found = found;
        if matches!(home.lies, Lies::Shelf(_)) {
            found.reviews.iter_mut().for_each(redact_review);
        }
        return super::super::json(&found);
    }
    show(&found)?;
    Ok(DONE)
}

/// The votes that are kept with a private set.
pub(super) fn kept(sealed: &Sealed) -> Result<Vec<Vote>, Failure> {
    let mut all = Vec::new();
    for name in sets::Sets(&sealed.shelf).files(&sealed.name, KEPT) {
        let content = sealed.read(&format!("{KEPT}{name}"))?;
        all.extend(votes(content.expose()).map_err(|mistakes| {
            refused(sealed.shelf.root(), "the votes on the shelf cannot be read", &mistakes)
        })?);
    }
    Ok(all)
}

fn same(one: &Vote, other: &Vote) -> bool {
    Vote { row: other.row, ..one.clone() } == *other
}

fn show(found: &Agreement) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut table = Table::new(&["reader", ">votes", ">as the set", ">unsure"]);
    for person in &found.people {
        let counts = [person.votes, person.right, person.unsure].map(|count| count.to_string());
        table.row([person.name.clone()].into_iter().chain(counts));
    }
    writeln!(out, "{table}")?;
    let mut table = Table::new(&["reader", "and", ">claims", ">agreed", ">kappa"]);
    for couple in &found.pairs {
        table.row([
            couple.one.clone(),
            couple.other.clone(),
            couple.claims.to_string(),
            couple.agreed.to_string(),
            couple.kappa.map_or("-".to_owned(), |kappa| format!("{kappa:.3}")),
        ]);
    }
    if !found.pairs.is_empty() {
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

fn told(overall: &Overall) -> String {
    let alpha = match (overall.alpha, &overall.without) {
        (Some(alpha), _) => format!("alpha {alpha:.3}"),
        (None, reason) => {
            format!("no alpha ({})", reason.as_deref().unwrap_or("nothing to compare"))
        }
    };
    format!(
        "{} of {} couples of votes on {} agree; {alpha}",
        overall.agreed,
        overall.couples,
        plural(overall.claims as u64, "claim")
    )
}
