//! `claims reviews`: what people should look at in a set, and what they decide: pairs that are proposed, what second
//! readers dispute, which claim of a pair is true, whether explanations are right. A private set keeps all of it in its shelf.

#[cfg(feature = "app")]
mod app;
mod decide;
mod kept;
mod list;
mod table;

use std::{io::Write, path::Path};

use serde_json::json;
use storymill_core::{Fault, FaultKind, ReviewRule, Verdict};
use storymill_shelf::Access;

use super::set_store::{Home, Sealed};
use crate::{
    args::{
        Format,
        claims::{ClaimsReviews, OnShelf, ReviewsOf, RuleOf},
    },
    exit::{DONE, Exit, Failure},
    session::Session,
    table::{plain, plural},
};

pub(super) use kept::{answers, decided_on, decisions, in_folder};
pub(super) use table::agreed;

/// The shelf that is taken where none is named.
const SHELF: &str = "shelf";

pub(super) fn run(args: &ClaimsReviews, session: &Session) -> Result<Exit, Failure> {
    let on = on(args);
    if args.rule.is_some() || args.voters.is_some() || !args.adjudicator.is_empty() {
        return rule(args, &open(&args.set, &on, Access::Change)?);
    }
    let named = !args.explained.results.is_empty();
    if named && (args.of != ReviewsOf::Explanations || on.shelf.is_some()) {
        let message = "`--results` names answers for `--of explanations` of a set in a folder";
        return Err(Failure::Usage(message.into()));
    }
    if let Some(path) = &args.export {
        return table::export(args, &open(&args.set, &on, Access::Look)?, path);
    }
    if let Some(path) = &args.import {
        return table::import(args, &open(&args.set, &on, Access::Change)?, path);
    }
    if args.apply && args.of != ReviewsOf::Doubts {
        let message = "nothing of this is brought into the set by `--apply`";
        let hint = match args.of {
            ReviewsOf::Explanations => "`storymill claims agreement` counts what was said",
            _ => "where readers dispute a pair, `claims reviews SET` puts it before its writer",
        };
        return Err(input(message, hint));
    }
    if args.apply || !args.decide.is_empty() {
        return decide::run(args, open(&args.set, &on, Access::Change)?);
    }
    let lists = args.list || args.open || args.texts || args.page.is_some();
    if lists || args.per_page.is_some() || args.format == Format::Json {
        return list::run(args, &open(&args.set, &on, Access::Look)?);
    }
    pages(args, &on, session)
}

/// Keeps with the set which votes decide.
fn rule(args: &ClaimsReviews, home: &Home) -> Result<Exit, Failure> {
    // A rule that cannot be read is written anew, as its hint says.
    let mut rule = match kept::rule(home) {
        Err(_) if args.rule.is_some() => ReviewRule::PLAIN,
        kept => kept?,
    };
    if let Some(named) = args.rule {
        rule.rule = match named {
            RuleOf::Majority => Verdict::Majority,
            RuleOf::Unanimity => Verdict::Unanimity,
            RuleOf::Adjudicator => Verdict::Adjudicator,
        };
    }
    if let Some(voters) = args.voters {
        rule.voters = voters;
    }
    if !args.adjudicator.is_empty() {
        rule.adjudicators.clone_from(&args.adjudicator);
    }
    kept::keep_rule(home, &rule)?;
    let voters = plural(rule.voters.into(), "voter");
    let settles = match &rule.adjudicators[..] {
        [] => "anybody".to_owned(),
        names => plain(&names.join(", ")),
    };
    let rule = json!(rule.rule);
    let rule = rule.as_str().unwrap_or_default();
    writeln!(
        crate::screen::out(),
        "{}: {rule}, {voters}; {settles} may settle disputes",
        home.name()
    )?;
    Ok(DONE)
}

/// Serves the pages.
#[cfg(feature = "app")]
fn pages(args: &ClaimsReviews, on: &OnShelf, session: &Session) -> Result<Exit, Failure> {
    app::run(args, on, session)
}

/// Without the pages a list is what there is.
#[cfg(not(feature = "app"))]
fn pages(_: &ClaimsReviews, _: &OnShelf, _: &Session) -> Result<Exit, Failure> {
    let message = "this program was built without the feature `app`, so it has no pages";
    let fault = Fault::new(FaultKind::Input, message);
    Err(fault.hint("`--list` and `--decide` work without it").into())
}

/// Where the set lies: on the shelf that was named, in a folder of its name, else on the shelf of the usual name.
fn on(args: &ClaimsReviews) -> OnShelf {
    let holds = |what: &str| args.set.join(format!("{what}.jsonl")).is_file();
    let is_folder = holds("pairs") || holds(super::draft::KEPT);
    let shelf = args.on.shelf.clone().or_else(|| (!is_folder).then(|| SHELF.into()));
    OnShelf { shelf, key: args.on.key.clone() }
}

fn open(set: &Path, on: &OnShelf, access: Access) -> Result<Home, Failure> {
    if on.shelf.is_none() {
        return Home::open_or_new(set, on, access);
    }
    let sealed = Sealed::open(set, &on.place(), access)?;
    sealed.must_be_there()?;
    Home::sealed(sealed)
}

fn input(message: &str, hint: &str) -> Failure {
    Fault::new(FaultKind::Input, message).hint(hint).into()
}
