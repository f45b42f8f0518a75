//! What has no row: items that failed, or were left out on purpose, with the reason and the raw answers.

use serde::Serialize;
use storymill_core::Fault;

use super::{Way, line};
use crate::{
    address::Query,
    build::{Left, LeftCount, Raw},
    numbers::{counted, thousands},
    site::Site,
};

/// Items of a page.
const ITEMS: usize = 100;

#[derive(Serialize)]
struct Page {
    title: String,
    knows_items: bool,
    counts: Vec<CountLine>,
    chosen: String,
    items: Vec<ItemLine>,
    place: String,
    before: Option<Way>,
    behind: Option<Way>,
}

#[derive(Serialize)]
struct CountLine {
    way: Way,
    step: String,
    what: &'static str,
    items: String,
}

#[derive(Serialize)]
struct ItemLine {
    way: Way,
    step: String,
    code: String,
    detail: String,
}

pub(crate) fn page(site: &Site, query: &Query) -> Result<Option<String>, Fault> {
    let all = site.build.as_ref().map(|build| build.left());
    let counts = all.as_ref().map_or_else(|| site.counts.clone(), |all| tally(all));
    let (step, code, of) = (query.get("step"), query.get("reason"), query.get("of"));
    let wanted = |one: &&Left| {
        step.is_none_or(|step| step == one.step)
            && code.is_none_or(|code| code == one.code)
            && of.is_none_or(|of| of == one.unit)
    };
    let items: Vec<&Left> = all.iter().flatten().filter(wanted).collect();
    let from: usize = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let from = from.min(items.len().saturating_sub(1));
    let shown = items.iter().skip(from).take(ITEMS);
    let at = |from: usize, name: &str| {
        let with = query.with("from", &if from == 0 { String::new() } else { from.to_string() });
        Way::new(if with.is_empty() { "left".to_owned() } else { format!("left?{with}") }, name)
    };
    let last = (from + ITEMS).min(items.len());
    let page = Page {
        title: site.title(),
        knows_items: all.is_some(),
        chosen: [step, code, of].into_iter().flatten().collect::<Vec<_>>().join(" · "),
        place: if items.is_empty() {
            String::new()
        } else {
            let all = thousands(items.len() as u64);
            format!("{} to {} of {all}", thousands(from as u64 + 1), thousands(last as u64))
        },
        before: (from > 0).then(|| at(from.saturating_sub(ITEMS), "earlier")),
        behind: (last < items.len()).then(|| at(last, "later")),
        items: shown
            .map(|one| ItemLine {
                way: Way::new(format!("left/{}/{}", one.step, one.item), one.item.clone()),
                step: one.step.clone(),
                code: one.code.clone(),
                detail: line(&one.detail, 160),
            })
            .collect(),
        counts: counts.into_iter().map(count_line).collect(),
    };
    site.draw("left.html", &page)
}

fn count_line(count: LeftCount) -> CountLine {
    let query = Query::default().with("step", &count.step);
    let reason = Query::default().with("reason", &count.code);
    CountLine {
        way: Way::new(format!("left?{query}&{reason}"), count.code),
        step: count.step,
        what: what(count.on_purpose),
        items: thousands(count.items),
    }
}

fn what(on_purpose: bool) -> &'static str {
    if on_purpose { "left out on purpose" } else { "rejected" }
}

fn tally(all: &[Left]) -> Vec<LeftCount> {
    let mut counts: Vec<LeftCount> = Vec::new();
    for one in all {
        let same = |count: &&mut LeftCount| {
            (&count.step, &count.code, count.on_purpose) == (&one.step, &one.code, one.on_purpose)
        };
        match counts.iter_mut().find(same) {
            Some(count) => count.items += 1,
            None => counts.push(LeftCount {
                step: one.step.clone(),
                code: one.code.clone(),
                items: 1,
                on_purpose: one.on_purpose,
            }),
        }
    }
    counts
}

#[derive(Serialize)]
struct ItemPage {
    title: String,
    id: String,
    step: String,
    reasons: Vec<Why>,
    before: Option<Way>,
    behind: Option<Way>,
    read: Option<Way>,
    answers: Vec<Raw>,
    count: String,
}

#[derive(Serialize)]
struct Why {
    what: &'static str,
    code: String,
    detail: String,
}

/// The page of an item: `STEP/ITEM`.
pub(crate) fn item(site: &Site, path: &str) -> Result<Option<String>, Fault> {
    let (Some(build), Some((step, id))) = (&site.build, path.split_once('/')) else {
        return Ok(None);
    };
    let all = build.left();
    let is = |one: &Left| one.step == step && one.item == id;
    let Some(at) = all.iter().position(is) else { return Ok(None) };
    let way = |one: &Left| Way::new(format!("left/{}/{}", one.step, one.item), one.item.clone());
    let reasons = all.iter().filter(|one| is(one)).map(|one| Why {
        what: what(one.on_purpose),
        code: one.code.clone(),
        detail: one.detail.clone(),
    });
    let answers = build.answers_to(&all[at])?;
    let page = ItemPage {
        title: site.title(),
        id: id.to_owned(),
        step: step.to_owned(),
        reasons: reasons.collect(),
        before: at.checked_sub(1).map(|before| way(&all[before])),
        behind: all[at..].iter().find(|one| !is(one)).map(way),
        read: place(site, &all[at])?,
        count: counted(answers.len() as u64, "answer"),
        answers,
    };
    site.draw("left_item.html", &page)
}

/// Where an item stands in its book, where the book is published.
fn place(site: &Site, left: &Left) -> Result<Option<Way>, Fault> {
    let scenes = site.look.scenes(&left.unit, &[])?;
    let Some(first) = scenes.first() else { return Ok(None) };
    let at = left.symbols.map_or(first.start, |(start, _)| start);
    let scene = scenes.iter().find(|scene| scene.start <= at && at < scene.end).unwrap_or(first);
    Ok(Some(Way::new(
        format!("book/{}?at={1}#s{1}", left.unit, scene.scene),
        "read it in the book",
    )))
}

#[derive(Serialize)]
struct AnswerPage {
    title: String,
    unit: String,
    digest: String,
    answer: Raw,
}

/// The page of an answer: `UNIT/DIGEST`.
pub(crate) fn answer(site: &Site, path: &str) -> Result<Option<String>, Fault> {
    let (Some(build), Some((unit, digest))) = (&site.build, path.rsplit_once('/')) else {
        return Ok(None);
    };
    let Some(answer) = build.answer(unit, digest)? else { return Ok(None) };
    let (unit, digest) = (unit.to_owned(), digest.to_owned());
    site.draw("answer.html", &AnswerPage { title: site.title(), unit, digest, answer })
}
