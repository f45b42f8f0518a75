//! `claims reviews`: what people should look at in a private set, and what they decide. Proposals and
//! disputed claims lie in the shelf, and so do decisions.

use std::io::Write;

use serde_json::json;
use storymill::{lapsed_privately, redact_review};
use storymill_claims::{
    agreement::agreement, draft::Proposal, import::merge, pair::Pair, read::Read,
};
use storymill_core::{Decision, Decisions, Digest, Fault, FaultKind, Review, canonical};
use storymill_pipeline::Lapsed;
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

/// Something to look at, and the pair that it proposes, if it does.
struct Item {
    id: Digest,
    review: Review,
    pair: Option<Pair>,
}

pub(super) fn run(args: &ClaimsReviews) -> Result<Exit, Failure> {
    let access = if args.decide.is_empty() { Access::Look } else { Access::Change };
    let mut home = Home::sealed(Sealed::open(&args.set, &args.place, access)?)?;
    let (mut items, decisions) = (items(&home)?, decisions(&home)?);
    if !args.decide.is_empty() {
        return decide(args, &mut home, &items, &decisions);
    }
    let lapsed: Vec<_> =
        decisions.idle(items.iter().map(|item| &item.review)).map(Lapsed::from).collect();
    lapsed_privately(&lapsed).iter().for_each(report::notice);
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
    let mut out = std::io::stdout().lock();
    let per_page = if args.per_page == 0 { usize::MAX } else { args.per_page as usize };
    let before = per_page.saturating_mul(args.page as usize - 1).min(items.len());
    let shown = &items[before..before.saturating_add(per_page).min(items.len())];
    for item in shown {
        let Item { id, review, .. } = item;
        let taken = decisions.choice(review);
        let state = taken.map_or("open".to_owned(), |choice| format!("decided: {choice}"));
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

fn items(home: &Home) -> Result<Vec<Item>, Failure> {
    let Lies::Shelf(sealed) = &home.lies else { return Ok(Vec::new()) };
    let mut items = Vec::new();
    let kept = sealed.read(draft::KEPT)?;
    for line in kept.expose().split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let proposal: Proposal = serde_json::from_slice(line).map_err(|_| other_version())?;
        let (id, review) = (proposal.review.id(), proposal.review);
        items.push(Item { id, review, pair: Some(proposal.pair) });
    }
    let votes = agreement::kept(sealed)?;
    let disputed = agreement(&home.set, &votes)
        .map_err(|mistakes| refused(home.path(), "the votes cannot be used", &mistakes))?;
    items.extend(disputed.reviews.into_iter().map(|review| Item {
        id: review.id(),
        review,
        pair: None,
    }));
    Ok(items)
}

fn decisions(home: &Home) -> Result<Decisions, Failure> {
    let Lies::Shelf(sealed) = &home.lies else { return Ok(Decisions::default()) };
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
            return Err(wrong(&format!("`{choice}` is no choice of {}", item.id.short()), &hint));
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
    let mut out = std::io::stdout().lock();
    said.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    Ok(DONE)
}
