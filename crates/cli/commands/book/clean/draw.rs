//! A page drawn as one HTML file: kept text on the left, cuts on the right, in the page's order.
//!
//! The file needs nothing from outside. Each reason has a colour and is also named in words, so
//! that nothing hangs on colour alone.

use std::{collections::BTreeMap, fmt::Write};

use storymill_core::ParagraphKind;
use storymill_sources::{CleanParagraph, Cut, Why};

use super::{Page, show::kind};
use crate::table::{plain, plural};

/// The drawing of a page.
pub(super) fn page(page: &Page<'_>) -> String {
    let cleaned = &page.cleaned;
    let name = escaped(&page.name());
    let mut out = String::with_capacity(cleaned.page.text.len() * 2);
    out += "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
    out += "<meta name=\"viewport\" content=\"width=device-width\">";
    let _ = write!(out, "<title>{name}: kept and cut</title><style>{STYLE}{}</style>", colours());
    out += "</head><body><header>";
    let title =
        if cleaned.says.title.is_empty() { page.name() } else { cleaned.says.title.clone() };
    let _ = write!(out, "<h1>{}</h1><p>{}</p>", escaped(&title), facts(page));
    legend(&mut out, &cleaned.cuts);
    doubts(&mut out, page);
    out += "</header><main><table><thead><tr><th>kept</th><th>cut</th></tr></thead><tbody>\n";
    rows(&mut out, &cleaned.paragraphs, &cleaned.cuts);
    out += "</tbody></table></main></body></html>\n";
    out
}

fn facts(page: &Page<'_>) -> String {
    let cleaned = &page.cleaned;
    format!(
        "{} · {} · {} by the rule {} · {}.{} % kept",
        escaped(&page.name()),
        escaped(&cleaned.says.authors.join("; ")),
        cleaned.page.encoding,
        cleaned.page.rule,
        cleaned.kept_pm / 10,
        cleaned.kept_pm % 10
    )
}

fn legend(out: &mut String, cuts: &[Cut]) {
    let mut counts: BTreeMap<Why, usize> = BTreeMap::new();
    for cut in cuts {
        *counts.entry(cut.why).or_default() += 1;
    }
    *out += "<ul class=\"legend\">";
    for (why, count) in counts {
        let word = why.word();
        let _ = write!(out, "<li class=\"cut {word}\"><b>{word}</b> {count}</li>");
    }
    *out += "</ul>";
}

fn doubts(out: &mut String, page: &Page<'_>) {
    for doubt in &page.cleaned.doubts {
        let row = page.cleaned.paragraphs.iter().position(|p| p.page.end > doubt.page.start);
        let done = doubt.done().replace("keep", "kept");
        let row = row.unwrap_or(0);
        let _ =
            write!(out, "<p class=\"doubt\">doubt: <a href=\"#p{row}\">{}</a> ", doubt.question);
        let _ = write!(out, "{done}</p>");
    }
}

/// Paragraphs and cuts in the order of the page; cuts inside a paragraph stand beside it.
fn rows(out: &mut String, paragraphs: &[CleanParagraph], cuts: &[Cut]) {
    let mut next = 0;
    for (number, paragraph) in paragraphs.iter().enumerate() {
        let before = cuts[next..].partition_point(|cut| cut.page.start < paragraph.page.start);
        alone(out, &cuts[next..next + before]);
        next += before;
        let inside = cuts[next..].partition_point(|cut| cut.page.start < paragraph.page.end);
        let _ = write!(out, "<tr id=\"p{number}\"><td>");
        kept(out, paragraph);
        *out += "</td><td>";
        cuts[next..next + inside].iter().for_each(|one| cut(out, one));
        *out += "</td></tr>\n";
        next += inside;
    }
    alone(out, &cuts[next..]);
}

/// Cuts between two paragraphs, those of one reason in one row.
fn alone(out: &mut String, cuts: &[Cut]) {
    for run in cuts.chunk_by(|one, next| one.why == next.why) {
        let (first, last) = (&run[0], &run[run.len() - 1]);
        let place = format!("bytes {} to {}", first.page.start, last.page.end);
        let many = plural(run.len() as u64, "piece");
        let _ = write!(out, "<tr class=\"gone\"><td>{many} cut, {place}</td><td>");
        for one in run {
            cut(out, one);
        }
        *out += "</td></tr>\n";
    }
}

fn kept(out: &mut String, paragraph: &CleanParagraph) {
    let text = escaped(&paragraph.text).replace('\n', "<br>");
    let _ = match (paragraph.kind, paragraph.level) {
        (ParagraphKind::Heading, Some(level)) => {
            write!(out, "<h{0} class=\"heading\">{text}</h{0}>", level.min(2) + 2)
        }
        (other, _) => write!(out, "<p class=\"{}\">{text}</p>", kind(other)),
    };
}

fn cut(out: &mut String, cut: &Cut) {
    let word = cut.why.word();
    let (from, to) = (cut.page.start, cut.page.end);
    let _ = write!(out, "<p class=\"cut {word}\" title=\"bytes {from} to {to}\"><b>{word}</b> ");
    *out += &escaped(&cut.text);
    *out += "</p>";
}

/// Text that can change nothing around it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in plain(text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

/// A colour for each reason, as far from its neighbours as a circle allows.
fn colours() -> String {
    let mut out = String::new();
    for (at, why) in Why::ALL.iter().enumerate() {
        let _ = write!(out, ".{}{{--hue:{}}}", why.word(), at * 149 % 360);
    }
    out
}

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8886}\
body{font:16px/1.5 Georgia,serif;margin:0 auto;max-width:82rem;padding:0 1rem}\
header{font-family:system-ui,sans-serif}\
h1{margin:1rem 0 0}\
.legend{display:flex;flex-wrap:wrap;gap:.3rem;list-style:none;padding:0}\
table{border-collapse:collapse;table-layout:fixed;width:100%}\
th{background:Canvas;font-family:system-ui,sans-serif;position:sticky;text-align:left;top:0}\
td,th{border-top:1px solid var(--line);overflow-wrap:anywhere;padding:.3rem .8rem;vertical-align:top}\
td:first-child,th:first-child{width:58%}\
td p,td h2,td h3,td h4{margin:.2rem 0}\
.verse{padding-left:2rem}\
.break{text-align:center}\
.gone td:first-child{color:GrayText;font:13px system-ui,sans-serif}\
.cut{background:hsl(var(--hue) 80% 50% / .14);border-left:5px solid hsl(var(--hue) 70% 45%);\
font-size:14px;padding:.1rem .5rem}\
.cut b{font:600 12px system-ui,sans-serif}\
.doubt{border-left:5px double currentColor;padding-left:.5rem}";
