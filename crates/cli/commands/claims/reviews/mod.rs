//! `storymill review SET`: what people should look at in a set of claims, on the same desk as the doubts of a build; and what
//! follows for the set. Proposed pairs, what second readers dispute, which claim of a pair is true, whether explanations are right.

mod agreed;
mod asked;
mod follow;
pub(crate) mod packet;
#[cfg(feature = "app")]
mod pages;

use std::io::Write;

use serde_json::json;
use storymill::OpenDesk;
use storymill_claims::deciding::{table as votes_of, votes};
use storymill_core::{Decision, ReviewRule, Verdict};
use storymill_disk::most;
use storymill_review::file::File;
use storymill_shelf::Access;

use super::{
    super::review::{self, Asking, Wants, decide, list, table},
    kept, refused,
    set_store::{Home, Lies, Sealed},
};
use crate::{
    args::{self, review::Rule, shelf::InShelf},
    exit::{DONE, Exit, Failure},
    secrets,
    session::Session,
    table::{plain, plural},
};
use asked::Asked;

/// What follows from decisions on a set.
const APPLY: &str = "`--apply` brings into the set what follows";

/// Whether a set is meant, and not a workflow: a folder, or a name on a shelf.
pub(in super::super) fn are_meant(args: &args::Review) -> bool {
    if args.shelf.is_some() { !args.of.is_file() } else { args.of.is_dir() }
}

fn open(args: &args::Review, access: Access) -> Result<Home, Failure> {
    let on = InShelf { shelf: args.shelf.clone(), key: args.key.clone() };
    if let Some(place) = on.place() {
        let sealed = Sealed::open(&args.of, &place, access)?;
        sealed.must_be_there()?;
        return Home::sealed(sealed);
    }
    // Proposals alone are a set that begins.
    if !args.of.join("drafts.jsonl").is_file() {
        storymill::must_hold_a_set(&args.of)?;
    }
    Home::open_or_new(&args.of, &on, access)
}

pub(in super::super) fn run(args: &args::Review, session: &Session) -> Result<Exit, Failure> {
    if args.rules.are_named() {
        return rule(args, &open(args, Access::Change)?);
    }
    let wants = args.wants();
    let changes = args.apply || args.undo || args.import.is_some() || wants == Wants::Decide;
    let mut home = open(args, if changes { Access::Change } else { Access::Look })?;
    let asked = Asked::of(&home, args.queue.as_deref(), &args.results, wants)?;
    if args.apply {
        return follow::all(&mut home, &asked);
    }
    match wants {
        Wants::Decide => {
            let mut open = desk(&home, &asked, kept::file(&home))?;
            let decided =
                decide::lines(args, &asking(args, &home, &asked), Some(&open.desk), &|_| None)?;
            open.save(&decided.lines)?;
            let mut said = decided.said;
            said.extend(follow::of_lines(&mut home, &asked, &decided.lines)?);
            decide::tell(&said)
        }
        Wants::List => {
            asked.tell_idle(&home, args)?;
            let open = desk(&home, &asked, kept::file(&home))?;
            list::run(args, asking(args, &home, &asked), Some(&open.desk))
        }
        Wants::Desk => {
            let open = desk(&home, &asked, kept::file(&home))?;
            if args.agreement {
                asked.tell_idle(&home, args)?;
                return agreed::run(args, &home, &asked, open);
            }
            match table_of_votes(args, &home, &asked)? {
                Some(lines) => table::take(open, &lines, APPLY),
                None => table::run(args, open, 0, APPLY),
            }
        }
        Wants::Pages => {
            review::refuse_words(args, matches!(home.lies, Lies::Shelf(_)))?;
            pages(args, home, asked, session)
        }
    }
}

/// What is asked, for the terminal.
fn asking<'a>(args: &args::Review, home: &Home, asked: &'a Asked) -> Asking<'a> {
    let items = asked.on_desk.iter();
    Asking {
        name: &asked.name,
        items: items
            .map(|item| review::Item { step: &item.step, unit: &item.unit, review: &item.review })
            .collect(),
        decisions: &asked.decisions,
        hides: matches!(home.lies, Lies::Shelf(_)) && !args.texts,
        names_items: true,
        to_build: 0,
    }
}

/// The desk of a set.
fn desk(home: &Home, asked: &Asked, file: File) -> Result<OpenDesk, Failure> {
    let rule = asked.decisions.rule().clone();
    let mut open = OpenDesk::new(&asked.name, asked.on_desk.clone(), rule, vec![file])?
        .with(kept::before(home)?);
    open.is_private = matches!(home.lies, Lies::Shelf(_));
    Ok(open)
}

/// The votes of a table of second readers (pair, claim, reader, verdict) that is to be taken in: those that are new.
fn table_of_votes(
    args: &args::Review,
    home: &Home,
    asked: &Asked,
) -> Result<Option<Vec<Decision>>, Failure> {
    let Some(path) = &args.import else { return Ok(None) };
    let bytes = secrets::named(path, most::TABLE, args.shelf.as_ref().map(|_| &args.key))?;
    if !votes_of::has_votes(bytes.expose()) {
        return Ok(None);
    }
    let refuse = |mistakes| refused(path, "the votes cannot be used", &mistakes);
    let cast = votes_of::votes(bytes.expose()).map_err(refuse)?;
    let gone = kept::removed(home)?;
    let once = votes::said_pairs(&asked.decisions);
    votes::check(&home.set, &cast, |pair| gone.contains_key(pair) || once.contains(pair))
        .map_err(refuse)?;
    let lines = votes::lines(&cast, |vote| kept::words(home, &gone, vote));
    Ok(Some(votes::new(lines, &asked.decisions)))
}

/// Keeps with the set which votes decide.
fn rule(args: &args::Review, home: &Home) -> Result<Exit, Failure> {
    let named = &args.rules;
    // A rule that cannot be read is written anew, as its hint says.
    let mut rule = match kept::rule(home) {
        Err(_) if named.rule.is_some() => ReviewRule::PLAIN,
        kept => kept?,
    };
    if let Some(named) = named.rule {
        rule.rule = match named {
            Rule::Majority => Verdict::Majority,
            Rule::Unanimity => Verdict::Unanimity,
            Rule::Adjudicator => Verdict::Adjudicator,
        };
    }
    rule.voters = named.voters.unwrap_or(rule.voters);
    if !named.adjudicator.is_empty() {
        rule.adjudicators.clone_from(&named.adjudicator);
    }
    kept::keep_rule(home, &rule)?;
    let voters = plural(rule.voters.into(), "voter");
    let settles = match &rule.adjudicators[..] {
        [] => "anybody".to_owned(),
        names => plain(&names.join(", ")),
    };
    let (name, rule) = (home.name(), json!(rule.rule));
    let rule = rule.as_str().unwrap_or_default();
    writeln!(crate::screen::out(), "{name}: {rule}, {voters}; {settles} may settle disputes")?;
    Ok(DONE)
}

/// Serves the pages.
#[cfg(feature = "app")]
fn pages(
    args: &args::Review,
    home: Home,
    asked: Asked,
    session: &Session,
) -> Result<Exit, Failure> {
    pages::run(args, home, asked, session)
}

/// Without the pages a list is what there is.
#[cfg(not(feature = "app"))]
fn pages(_: &args::Review, _: Home, _: Asked, _: &Session) -> Result<Exit, Failure> {
    Err(review::no_pages().into())
}
