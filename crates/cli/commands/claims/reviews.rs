//! `claims reviews`: what people should look at in a private set, and what they decide. Proposals and
//! disputed claims lie in the shelf, and so do decisions.

use std::io::Write;

use serde_json::json;
use storymill::redact_review;
use storymill_claims::{
    agreement::agreement, draft::Proposal, import::merge, pair::Pair, read::Read,
};
use storymill_core::{Decision, Decisions, Digest, Fault, FaultKind, Review, Standing, canonical};
use storymill_shelf::{Access, Private};

use super::{
    agreement, draft, refused,
    set_store::{Home, Lies, Sealed},
};
use crate::{
    args::{Format, claims::ClaimsReviews},
    exit::{DONE, Exit, Failure},
    report,
    table::{plain, plural},
};

/// What was decided about a set.
const DECISIONS: &str = "decisions";

/// So many items are named in a message.
const NAMED: usize = 10;

/// Something to look at, and the pair that it proposes, if it does.
struct Item {
    id: Digest,
    review: Review,
    pair: Option<Pair>,
}

pub(super) fn run(args: &ClaimsReviews) -> Result<Exit, Failure> {
    let access = if args.decide.is_empty() { Access::Look } else { Access::Change };
    let sealed = Sealed::open(&args.set, &args.place, access)?;
    sealed.must_be_there()?;
    let mut home = Home::sealed(sealed)?;
    let (mut items, decisions) = (items(&home)?, decisions(&home)?);
    if !args.decide.is_empty() {
        return decide(args, &mut home, &items, &decisions);
    }
    tell_idle(decisions.idle(items.iter().map(|item| &item.review)));
    if args.open {
        items.retain(|item| decisions.choice(&item.review).is_none());
    }
    if args.format == Format::Json {
        let row = |item: &Item| {
            let mut review = item.review.clone();
            let decided: Vec<_> = decisions.on(&item.review).collect();
            if args.texts {
                return json!({ "id": item.id, "review": review, "decisions": decided });
            }
            redact_review(&mut review);
            json!({ "id": item.id, "review": review, "decided": !decided.is_empty() })
        };
        return super::super::json(&items.iter().map(row).collect::<Vec<_>>());
    }
    let mut out = crate::screen::out();
    let per_page = if args.per_page == 0 { usize::MAX } else { args.per_page as usize };
    let before = per_page.saturating_mul(args.page as usize - 1).min(items.len());
    let shown = &items[before..before.saturating_add(per_page).min(items.len())];
    for item in shown {
        let Item { id, review, .. } = item;
        let state = match decisions.standing(review) {
            Standing::Decided { choice, .. } => format!("decided: {choice}"),
            Standing::Disputed(_) => "disputed".to_owned(),
            Standing::Open(_) => "open".to_owned(),
        };
        writeln!(
            out,
            "{}  {}  {}  {}",
            id.short(),
            plain(&review.item),
            review.code,
            plain(&state)
        )?;
        if args.texts {
            let choices = review.choices.join(", ");
            writeln!(out, "  {} ({})", plain(&review.question), plain(&choices))?;
            for line in review.excerpt.lines() {
                writeln!(out, "  {}", plain(line))?;
            }
        }
    }
    writeln!(out, "{}", plural(items.len() as u64, "item"))?;
    if shown.len() < items.len() {
        let (page, last) = (args.page, items.len().div_ceil(per_page));
        let (from, to) = (before + 1, before + shown.len());
        writeln!(out, "{from} to {to} of them; page {page} of {last}, `--page` shows another")?;
    }
    if !args.texts && !items.is_empty() {
        writeln!(out, "`--texts` shows what they are about, and the choices")?;
    }
    Ok(DONE)
}

/// Says which decisions find no item any more: of a pair that went or that was written anew, or of a proposal that is no
/// longer made.
fn tell_idle<'d>(decisions: impl Iterator<Item = &'d Decision>) {
    let idle: Vec<String> = decisions
        .map(|one| match one.item.as_str() {
            "" => one.review.short(),
            item => plain(item),
        })
        .collect();
    if idle.is_empty() {
        return;
    }
    let (count, first) = (plural(idle.len() as u64, "decision"), idle.len().min(NAMED));
    let more = if idle.len() > first { ", and more" } else { "" };
    report::warn(&format!(
        "{count} on items that are not there are kept and do not count, perhaps because a pair went or was written anew: {}{more}",
        idle[..first].join(", ")
    ));
}

/// How many decisions were made on the claims of a pair.
pub(super) fn decided_on(sealed: &Sealed, pair: &str) -> Result<usize, Failure> {
    let (decisions, none) = (decisions_of(sealed)?, std::iter::empty::<&Review>());
    let of_pair = |one: &&Decision| {
        one.item.strip_prefix(pair).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    Ok(decisions.idle(none).filter(of_pair).count())
}

fn items(home: &Home) -> Result<Vec<Item>, Failure> {
    let Lies::Shelf(sealed) = &home.lies else { return Ok(Vec::new()) };
    let mut items = Vec::new();
    let kept = sealed.read(draft::KEPT)?;
    for line in kept.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let proposal: Proposal = serde_json::from_slice(line).map_err(|_| other_version())?;
        let (id, review) = (proposal.review.id(), proposal.review);
        items.push(Item { id, review, pair: Some(proposal.pair) });
    }
    let counted = agreement::kept_counted(sealed, &home.set)?;
    let disputed = agreement(&home.set, &counted.votes)
        .map_err(|mistakes| refused(home.path(), "the votes cannot be used", &mistakes))?;
    counted.aside.told("vote").iter().for_each(|line| report::warn(line));
    items.extend(disputed.reviews.into_iter().map(|review| Item {
        id: review.id(),
        review,
        pair: None,
    }));
    Ok(items)
}

fn decisions(home: &Home) -> Result<Decisions, Failure> {
    let Lies::Shelf(sealed) = &home.lies else { return Ok(Decisions::default()) };
    decisions_of(sealed)
}

fn decisions_of(sealed: &Sealed) -> Result<Decisions, Failure> {
    let kept = sealed.read(DECISIONS)?;
    let text = std::str::from_utf8(kept.expose()).map_err(|_| other_version())?;
    let lines = text.lines().zip(1..);
    Ok(Decisions::parse(lines.map(|(line, at)| (format!("decision {at} on the shelf"), line)))?)
}

fn other_version() -> Fault {
    Fault::new(FaultKind::Store, "what is kept of the set was written by another version")
}

fn decide(
    args: &ClaimsReviews,
    home: &mut Home,
    items: &[Item],
    decisions: &Decisions,
) -> Result<Exit, Failure> {
    let (mut lines, mut said, mut pairs) = (Private::new(Vec::new()), Vec::new(), Vec::new());
    for decided in &args.decide {
        let wrong = |message: &str, hint: &str| {
            Failure::Fault(Fault::new(FaultKind::Input, message).hint(hint))
        };
        let (name, choice) = decided.split_once('=').ok_or_else(|| {
            wrong("this decides nothing", "write ITEM=CHOICE, as in `1f3a9c=take`")
        })?;
        let begins = |item: &&Item| !name.is_empty() && item.id.to_string().starts_with(name);
        let mut found: Vec<&Item> = items.iter().filter(begins).collect();
        found.dedup_by_key(|item| item.id);
        let [item] = found[..] else {
            let message = format!("{} begin with `{name}`", plural(found.len() as u64, "item"));
            return Err(wrong(&message, "`storymill claims reviews SET` lists them"));
        };
        if !item.review.choices.iter().any(|one| one == choice) {
            let hint = format!("choices: {}", item.review.choices.join(", "));
            return Err(wrong(
                &format!("`{choice}` is not a choice of {}", item.id.short()),
                &hint,
            ));
        }
        let decision = Decision::on(&item.review, choice, &args.by, &args.note, decisions);
        let line = Private::new(canonical::json(&decision) + "\n");
        lines.expose_mut().extend_from_slice(line.expose().as_bytes());
        said.push(format!("{}  {}: {choice}", item.id.short(), plain(&item.review.item)));
        let whole = |pair: &&Pair| !pair.true_claim.is_empty() && !pair.false_claim.is_empty();
        match &item.pair {
            Some(pair) if choice == "take" && whole(&pair) => pairs.push(pair.clone()),
            Some(_) if choice == "take" => {
                said.push("  its false claim is still to be written: import the pair".to_owned());
            }
            _ => {}
        }
    }
    if !pairs.is_empty() {
        let rows = (1..=pairs.len()).collect();
        let read = Read { pairs, rows, ..Read::default() };
        let added = merge(&mut home.set, read, &|_| true)
            .map_err(|mistakes| refused(home.path(), "nothing was decided", &mistakes))?;
        home.measure()?;
        home.keep()?;
        said.extend(added.added.iter().map(|id| format!("  pair {id} is new; explain it")));
    }
    if let Lies::Shelf(sealed) = &home.lies {
        sealed.append(DECISIONS, lines.expose())?;
    }
    let mut out = crate::screen::out();
    said.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(DONE)
}
