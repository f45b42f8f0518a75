//! `claims agreement`: second readers and what they dispute.

use std::io::Write;

use storymill_claims::{
    agreement::{Agreement, Overall, agreement, votes},
    set::lines,
};

use super::{
    bytes,
    folder::{Folder, replace},
    refused,
};
use crate::{
    args::{Format, claims::ClaimsAgreement},
    exit::{DONE, Exit, Failure},
    table::{Table, plural},
};

pub(super) fn run(args: &ClaimsAgreement) -> Result<Exit, Failure> {
    let folder = Folder::open(&args.set)?;
    let refuse = |mistakes| refused(&args.votes, "the votes cannot be used", &mistakes);
    let votes = votes(&bytes(&args.votes)?).map_err(refuse)?;
    let found = agreement(&folder.set, &votes).map_err(refuse)?;
    if let Some(path) = &args.reviews {
        replace(path, lines(&found.reviews).as_bytes())?;
    }
    if args.format == Format::Json {
        return super::super::json(&found);
    }
    show(&found)?;
    Ok(DONE)
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
