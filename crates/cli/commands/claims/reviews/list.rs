//! `claims reviews --list`: the items of a set, and how they stand.

use std::io::Write;

use serde_json::json;
use storymill::redact_review;
use storymill_claims::deciding::Item;
use storymill_core::{Decision, Decisions, Review, Standing};

use super::{
    super::set_store::{Home, Lies},
    decide::has_votes,
    kept,
};
use crate::{
    args::{Format, claims::ClaimsReviews},
    exit::{DONE, Exit, Failure},
    paging::{PER_PAGE, Page},
    report,
    table::{plain, plural},
};

/// So many items are named in a message.
const NAMED: usize = 10;

pub(super) fn run(args: &ClaimsReviews, home: &Home) -> Result<Exit, Failure> {
    let (mut items, decisions) =
        (kept::items_of(home, args.of, &args.explained)?, kept::decisions(home)?);
    let idle = decisions.idle(items.iter().map(|item| &item.review));
    tell_idle(idle.filter(|line| kept::of_line(line) == args.of));
    if args.open {
        items.retain(|item| decisions.choice(&item.review).is_none());
    }
    let page = Page::of(items.len(), args.page, args.per_page.unwrap_or(PER_PAGE));
    let shows = args.texts || matches!(home.lies, Lies::Folder { .. });
    if args.format == Format::Json {
        let row = |item: &Item| {
            let mut review = item.review.clone();
            let (id, decided) = (review.id(), decisions.on(&item.review).collect::<Vec<_>>());
            if shows && hides(args, &decisions, &item.review) {
                return json!({ "id": id, "review": review, "votes": decided.len() });
            }
            if shows {
                return json!({ "id": id, "review": review, "decisions": decided });
            }
            redact_review(&mut review);
            json!({ "id": id, "review": review, "decided": !decided.is_empty() })
        };
        // All of them, unless somebody wants a part.
        let paged = args.page.is_some() || args.per_page.is_some();
        let items = if paged { &items[page.shown] } else { &items[..] };
        return super::super::super::json(&items.iter().map(row).collect::<Vec<_>>());
    }
    let mut out = crate::screen::out();
    for Item { review, .. } in &items[page.shown] {
        let state = match decisions.standing(review) {
            standing if hides(args, &decisions, review) => {
                plural(standing.votes().len() as u64, "vote")
            }
            Standing::Decided { choice, .. } => format!("decided: {choice}"),
            Standing::Disputed(_) => "disputed".to_owned(),
            Standing::Open(_) => "open".to_owned(),
        };
        let (id, item) = (review.id().short(), plain(&review.item));
        writeln!(out, "{id}  {item}  {}  {}", review.code, plain(&state))?;
        if shows {
            let choices = review.choices.join(", ");
            writeln!(out, "  {} ({})", plain(&review.question), plain(&choices))?;
            for line in review.excerpt.lines() {
                writeln!(out, "  {}", plain(line))?;
            }
        }
    }
    writeln!(out, "{}", plural(items.len() as u64, "item"))?;
    page.told.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if !shows && !items.is_empty() {
        writeln!(out, "`--texts` shows what they are about, and the choices")?;
    }
    Ok(DONE)
}

/// Whether it is hidden what others said: until a person has a vote of their own, where each has one.
fn hides(args: &ClaimsReviews, decisions: &Decisions, review: &Review) -> bool {
    let own = decisions.last_of(review, &args.by);
    has_votes(args, decisions.rule()) && !own.iter().any(|line| !line.is_withdrawn())
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
