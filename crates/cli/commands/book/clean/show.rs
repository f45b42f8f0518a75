//! A cleaned page in words: a summary, a list of cuts, or JSON.

use std::{collections::BTreeMap, io::Write};

use serde_json::{Value, json};
use storymill_core::ParagraphKind;
use storymill_sources::{CleanParagraph, Doubt, Why, second_reading};

use super::Page;
use crate::{
    exit::Failure,
    table::{Table, plain, plural},
};

/// Symbols of a cut that are shown.
const SHOWN: usize = 70;

/// What the page is and what was kept of it.
pub(super) fn summary(page: &Page<'_>) -> std::io::Result<()> {
    let cleaned = &page.cleaned;
    let mut out = crate::screen::out();
    let says = &cleaned.says;
    let or = |text: &str, other: &str| if text.is_empty() { other.to_owned() } else { plain(text) };
    writeln!(out, "{}", plain(&page.path.display().to_string()))?;
    writeln!(out, "  title     {}", or(&says.title, "(the page names none)"))?;
    writeln!(out, "  author    {}", or(&says.authors.join("; "), "(the page names none)"))?;
    let looks = cleaned.looks.unwrap_or("no language for sure");
    let named = or(&says.language, "(the page names none)");
    writeln!(out, "  language  {named}; the text looks like {looks}")?;
    let (encoding, rule) = (cleaned.page.encoding, cleaned.page.rule);
    let unsure = cleaned.page.unsure.as_ref();
    let unsure = unsure.map(|unsure| format!("; not sure: {}", plain(&unsure.words)));
    writeln!(out, "  encoding  {encoding}, by the rule `{rule}`{}", unsure.unwrap_or_default())?;
    let (whole, tenth) = (cleaned.kept_pm / 10, cleaned.kept_pm % 10);
    writeln!(
        out,
        "  kept      {whole}.{tenth} % of the page's letters: {} letters in {}",
        cleaned.letters,
        plural(cleaned.paragraphs.len() as u64, "paragraph")
    )?;
    writeln!(out, "  chapters  {}", chapters(&cleaned.paragraphs))?;
    for doubt in &cleaned.doubts {
        writeln!(out, "  doubt     {} {}", doubt.question, outcome(doubt))?;
    }
    if let Some(first) = cleaned.lost_letters.first() {
        let count = plural(cleaned.lost_letters.len() as u64, "first letter");
        writeln!(
            out,
            "  lost      {count} of words, in pictures that name none, from byte {}",
            first.start
        )?;
    }
    let mut counts: BTreeMap<Why, (usize, usize)> = BTreeMap::new();
    for cut in &cleaned.cuts {
        let (pieces, letters) = counts.entry(cut.why).or_default();
        *pieces += 1;
        *letters += cut.text.chars().filter(|c| c.is_alphanumeric()).count();
    }
    let mut table = Table::new(&["  cut", ">pieces", ">letters"]);
    for (why, (pieces, letters)) in counts {
        table.row([format!("  {}", why.word()), pieces.to_string(), letters.to_string()]);
    }
    writeln!(out, "{table}")
}

/// What was done about a doubt, where, and how much of the page it took.
fn outcome(doubt: &Doubt) -> String {
    let done = doubt.done().replace("keep", "kept");
    let (start, end) = (doubt.page.start, doubt.page.end);
    let share = match doubt.cut_pm {
        0 => String::new(),
        share => format!(", {}.{} % of the page's letters", share / 10, share % 10),
    };
    format!("{done}, bytes {start} to {end}{share}")
}

fn chapters(paragraphs: &[CleanParagraph]) -> String {
    let at = |level: u8| paragraphs.iter().filter(|p| p.level == Some(level)).count();
    let mut text = at(1).to_string();
    for (level, thing) in [(0, "part"), (2, "section")] {
        if at(level) > 0 {
            text += &format!(", {}", plural(at(level) as u64, thing));
        }
    }
    text
}

/// Every cut: its place, its reason, its first words.
pub(super) fn cuts(page: &Page<'_>) -> std::io::Result<()> {
    let mut out = crate::screen::out();
    writeln!(out, "{}", plain(&page.path.display().to_string()))?;
    let mut table = Table::new(&[">from", ">to", "reason", "first words"]);
    for cut in &page.cleaned.cuts {
        let mut words: String = cut.text.chars().take(SHOWN).collect();
        if words.len() < cut.text.len() {
            words.push('…');
        }
        table.row([
            cut.page.start.to_string(),
            cut.page.end.to_string(),
            cut.why.word().to_owned(),
            words,
        ]);
    }
    write!(out, "{table}")?;
    for doubt in &page.cleaned.doubts {
        writeln!(out, "doubt: {} {}", doubt.question, outcome(doubt))?;
    }
    Ok(())
}

/// What a second reading sees otherwise; whether it does.
pub(super) fn differences(page: &Page<'_>) -> Result<bool, Failure> {
    let found = second_reading(&page.cleaned)?;
    let mut out = crate::screen::out();
    writeln!(out, "{}", plain(&page.path.display().to_string()))?;
    for one in &found {
        let (start, end) = (one.page.start, one.page.end);
        writeln!(out, "  {}, bytes {start} to {end}: {}", one.says(), plain(&one.words))?;
    }
    if found.is_empty() {
        writeln!(out, "  a second reading sees the same letters and headings")?;
    }
    Ok(!found.is_empty())
}

/// The whole structure. Places are bytes of the decoded page.
pub(super) fn json(page: &Page<'_>, check: bool) -> Result<Value, Failure> {
    let cleaned = &page.cleaned;
    let paragraphs: Vec<_> = cleaned
        .paragraphs
        .iter()
        .map(|paragraph| {
            json!({
                "kind": kind(paragraph.kind),
                "level": paragraph.level,
                "text": paragraph.text,
                "page": [paragraph.page.start, paragraph.page.end],
            })
        })
        .collect();
    let cuts: Vec<_> = cleaned
        .cuts
        .iter()
        .map(|cut| json!({ "why": cut.why.word(), "text": cut.text, "page": [cut.page.start, cut.page.end] }))
        .collect();
    let doubts: Vec<_> = cleaned
        .doubts
        .iter()
        .map(|doubt| {
            json!({
                "code": doubt.code,
                "question": doubt.question,
                "kept": doubt.kept,
                "cut_per_mille": doubt.cut_pm,
                "page": [doubt.page.start, doubt.page.end],
            })
        })
        .collect();
    let lost: Vec<_> = cleaned.lost_letters.iter().map(|span| [span.start, span.end]).collect();
    let kept: Vec<_> = cleaned.kept.iter().map(|span| [span.start, span.end]).collect();
    let mut value = json!({
        "file": page.name(),
        "title": cleaned.says.title,
        "authors": cleaned.says.authors,
        "language": cleaned.says.language,
        "looks": cleaned.looks,
        "encoding": cleaned.page.encoding,
        "encoding_rule": cleaned.page.rule,
        "letters": cleaned.letters,
        "kept_per_mille": cleaned.kept_pm,
        "paragraphs": paragraphs,
        "kept": kept,
        "cuts": cuts,
        "doubts": doubts,
        "lost_letters": lost,
    });
    if check {
        let found = second_reading(cleaned)?;
        let found = found.iter().map(|one| {
            json!({ "what": one.what, "words": one.words, "page": [one.page.start, one.page.end] })
        });
        value["second_reading"] = found.collect();
    }
    Ok(value)
}

pub(super) fn kind(kind: ParagraphKind) -> &'static str {
    match kind {
        ParagraphKind::Heading => "heading",
        ParagraphKind::Verse => "verse",
        ParagraphKind::Break => "break",
        ParagraphKind::Prose => "prose",
    }
}
