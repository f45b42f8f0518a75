//! A question at the moment it is asked: what was read, where the answer stands, how far back; its options and what
//! they are made from.

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Fault, Length, Question, Recipe};
use storymill_dataset::look::{Holds, Row, SceneRow};

use super::{Way, line, row, row_path};
use crate::{
    address::Query,
    lineage::Came,
    marks::{Mark, Piece, edits, paragraphs, places},
    numbers::{counted, thousands},
    results::Said,
    site::Site,
    spine::Spine,
};

#[derive(Serialize)]
struct Page {
    title: String,
    config: Way,
    id: String,
    split: String,
    before: Option<Way>,
    behind: Option<Way>,
    book: Option<Way>,
    spine: String,
    blocks: Vec<Block>,
    read_on: Option<Vec<Vec<Piece>>>,
    no_text: Option<String>,
    task: String,
    given: Vec<Piece>,
    has_given: bool,
    options: Vec<OptionView>,
    references: Vec<String>,
    verdict: Option<String>,
    facts: Vec<(String, String)>,
    rules: Vec<(String, String)>,
    said: Vec<SaidView>,
    came: Vec<Came>,
}

/// A part of what was read: a scene, or a word on those that are left out here.
#[derive(Serialize)]
struct Block {
    name: String,
    scene: Option<u32>,
    gap: Option<Way>,
    paragraphs: Vec<Vec<Piece>>,
}

#[derive(Serialize)]
struct OptionView {
    number: usize,
    right: bool,
    kind: String,
    text: String,
    pieces: Vec<Piece>,
    from: Option<Way>,
    names: Vec<(String, String)>,
}

#[derive(Serialize)]
struct SaidView {
    model: String,
    setting: String,
    word: String,
    right: bool,
}

pub(crate) fn page(
    site: &Site,
    config: &str,
    row: &Row,
    question: &Question,
    _: &Query,
) -> Result<Option<String>, Fault> {
    let (before, behind) = row::around(site, config, &row.id)?;
    let of = site.behind(config);
    let book = question.of.as_str();
    let mut page = Page {
        title: site.title(),
        config: Way::new(format!("c/{config}"), config),
        id: row.id.clone(),
        split: row.split.clone(),
        before,
        behind,
        book: None,
        spine: String::new(),
        blocks: Vec::new(),
        read_on: None,
        no_text: None,
        task: question.task.clone(),
        given: Vec::new(),
        has_given: !question.given().is_empty(),
        options: options(site, &of, row, question)?,
        references: references(row, question),
        verdict: None,
        facts: facts(row, question),
        rules: rules(&row.values),
        said: site.results.of(config, &row.id).iter().map(told).collect(),
        came: row::came(site, &row.id),
    };
    if page.has_given {
        page.given = edits(question.reference(), question.given());
    }
    match &question.context {
        Recipe::Nothing => page.no_text = Some("Nothing is read before it is asked.".to_owned()),
        Recipe::Read(length) => {
            let scenes = site.look.scenes(book, &of)?;
            page.book = Some(Way::new(format!("book/{book}?in={config}"), title(site, &of, book)?));
            if scenes.is_empty() {
                page.no_text = Some(format!("The text of {book} is not published here."));
            } else {
                page.spine = spine(&scenes, question, length).svg();
                (page.blocks, page.read_on) = read(&scenes, question, length, config);
            }
        }
        Recipe::Mixed(_) => match site.look.mixed(&row.values) {
            Ok(text) => page.blocks = vec![mixed(&text, &row.values, question)],
            Err(fault) => page.no_text = Some(fault.message),
        },
    }
    site.draw("question.html", &page)
}

fn title(site: &Site, of: &[String], book: &str) -> Result<String, Fault> {
    let config = site.look.first(Holds::Books, of).or_else(|| site.look.first(Holds::Books, &[]));
    let facts = match config {
        Some(config) => site.look.row(&config.name, book)?.map(|row| row.values),
        None => None,
    };
    Ok(line(&super::book::named(&facts.unwrap_or_default(), book), 60))
}

/// How many scenes were read.
fn read_scenes(scenes: &[SceneRow], length: &Length) -> usize {
    scenes.iter().filter(|scene| scene.end <= length.symbols).count()
}

fn spine(scenes: &[SceneRow], question: &Question, length: &Length) -> Spine {
    let scene_of =
        |symbol: u32| scenes.iter().position(|scene| scene.start <= symbol && symbol < scene.end);
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let evidence = question.evidence.iter().filter_map(|span| {
        let first = scene_of(span.start.symbol)?;
        Some((place(first), place(scene_of(span.end.symbol.saturating_sub(1)).unwrap_or(first))))
    });
    let back = &question.demand.to_start;
    let mut demand = vec![counted(back.scenes.into(), "scene"), counted(back.words.into(), "word")];
    if let Some(tokens) = back.tokens.first() {
        demand.push(counted(tokens.count.into(), "token"));
    }
    Spine {
        scenes: place(scenes.len()),
        read: place(read_scenes(scenes, length)),
        evidence: evidence.collect(),
        demand,
    }
}

/// The scenes of the evidence and the last one that was read; what lies between in a word. Then how it goes on.
fn read(
    scenes: &[SceneRow],
    question: &Question,
    length: &Length,
    config: &str,
) -> (Vec<Block>, Option<Vec<Vec<Piece>>>) {
    let marks: Vec<Mark> = question
        .evidence
        .iter()
        .map(|span| Mark { start: span.start.symbol, end: span.end.symbol, is: "evidence" })
        .collect();
    let read = read_scenes(scenes, length);
    let (read, unread) = scenes.split_at(read);
    let mut blocks: Vec<Block> = Vec::new();
    let mut left: Vec<&SceneRow> = Vec::new();
    let book = question.of.as_str();
    let gap = |left: &mut Vec<&SceneRow>, blocks: &mut Vec<Block>| {
        let (Some(first), Some(last)) = (left.first(), left.last()) else { return };
        let words: u64 = left.iter().map(|scene| u64::from(scene.words)).sum();
        let which = if first.scene == last.scene {
            format!("scene {}", first.scene)
        } else {
            format!("scenes {} to {}", first.scene, last.scene)
        };
        let name =
            if words == 0 { which } else { format!("{which} · {}", counted(words, "word")) };
        let way = Way::new(format!("book/{book}?in={config}#s{}", first.scene), "read");
        blocks.push(Block { name, scene: None, gap: Some(way), paragraphs: Vec::new() });
        left.clear();
    };
    let whole = read.len();
    // A false retelling of a whole book has evidence everywhere: the first and the last such scene will do.
    let marked = |scene: &SceneRow| {
        marks.iter().any(|mark| mark.start < scene.end && scene.start < mark.end)
    };
    let first = read.iter().position(marked);
    let last = read.iter().rposition(marked);
    let many = read.iter().filter(|scene| marked(scene)).count() > SHOWN;
    for (at, scene) in read.iter().enumerate() {
        let shown =
            at + 1 == whole || (marked(scene) && (!many || Some(at) == first || Some(at) == last));
        if !shown {
            left.push(scene);
            continue;
        }
        gap(&mut left, &mut blocks);
        blocks.push(Block {
            name: format!("Scene {}", scene.scene),
            scene: Some(scene.scene),
            gap: None,
            paragraphs: paragraphs(&scene.text, scene.start, &marks),
        });
    }
    let on = unread
        .first()
        .map(|scene| paragraphs(&scene.text, scene.start, &[]).into_iter().take(1).collect());
    (blocks, on)
}

/// Scenes of evidence that are shown whole.
const SHOWN: usize = 6;

/// A long context, with what was put in and what was replaced marked.
fn mixed(text: &str, row: &Value, question: &Question) -> Block {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let mut marks: Vec<Mark> = question
        .evidence
        .iter()
        .map(|span| Mark { start: span.start.symbol, end: span.end.symbol, is: "evidence" })
        .collect();
    for put in row["insertions"].as_array().into_iter().flatten() {
        let is = if put["kind"] == "fact" { "evidence" } else { "inserted" };
        if let (Some(start), Some(end)) =
            (number(&put["start_symbols"]), number(&put["end_symbols"]))
        {
            marks.push(Mark { start, end, is });
        }
    }
    for (_, to) in rules(row) {
        marks.extend(places(text, &to, "replaced"));
    }
    Block {
        name: format!("{} as they are read", counted(text.chars().count() as u64, "symbol")),
        scene: None,
        gap: None,
        paragraphs: layered(text, marks),
    }
}

/// Paragraphs with words that are replaced marked within evidence too.
fn layered(text: &str, mut marks: Vec<Mark>) -> Vec<Vec<Piece>> {
    marks.sort_unstable();
    let (small, large): (Vec<Mark>, Vec<Mark>) =
        marks.into_iter().partition(|mark| mark.is == "replaced");
    let mut cut = Vec::new();
    for mark in large {
        let mut start = mark.start;
        for inner in small.iter().filter(|inner| mark.start <= inner.start && inner.end <= mark.end)
        {
            if start < inner.start {
                cut.push(Mark { start, end: inner.start, is: mark.is });
            }
            start = inner.end.max(start);
        }
        if start < mark.end {
            cut.push(Mark { start, end: mark.end, is: mark.is });
        }
    }
    cut.extend(small);
    paragraphs(text, 0, &cut)
}

fn rules(row: &Value) -> Vec<(String, String)> {
    let pair =
        |rule: &Value| Some((rule["from"].as_str()?.to_owned(), rule["to"].as_str()?.to_owned()));
    row["rules"].as_array().into_iter().flatten().filter_map(pair).collect()
}

fn options(
    site: &Site,
    of: &[String],
    row: &Row,
    question: &Question,
) -> Result<Vec<OptionView>, Fault> {
    let right = question.right().map(usize::from);
    let mut views = Vec::new();
    for (at, option) in question.options().iter().enumerate() {
        let (from, twin) = source(site, of, &option.from, &option.text)?;
        let word = row.values["option_kinds"][at].as_str().unwrap_or_else(|| option.kind.name());
        let place = option.scene.map(|scene| format!(", scene {scene}")).unwrap_or_default();
        let other = option.book.as_ref().filter(|book| book.as_str() != question.of.as_str());
        let other = other.map(|book| format!(" of {book}")).unwrap_or_default();
        views.push(OptionView {
            number: at + 1,
            right: right == Some(at),
            kind: format!("{word}{other}{place}"),
            text: option.text.clone(),
            pieces: twin.map(|twin| edits(&twin, &option.text)).unwrap_or_default(),
            from,
            names: option.names.iter().map(|name| (name.old.clone(), name.new.clone())).collect(),
        });
    }
    Ok(views)
}

/// The row that an option is taken from, and the twin of a false one.
fn source(
    site: &Site,
    of: &[String],
    id: &str,
    text: &str,
) -> Result<(Option<Way>, Option<String>), Fault> {
    if id.is_empty() {
        return Ok((None, None));
    }
    let wanted = if id.rsplit('/').next().is_some_and(|end| end.starts_with('d')) {
        "distortion_id"
    } else {
        "summary_id"
    };
    for name in of {
        let Some(config) = site.look.config(name) else { continue };
        if config.holds != Holds::Retellings
            || config.columns.first().is_none_or(|first| first != wanted)
        {
            continue;
        }
        let Some(row) = site.look.row(name, id)? else { continue };
        let twin = row.values["twin_text"].as_str();
        // The true twin is an option too: it has no edits of its own.
        let twin =
            twin.filter(|twin| !twin.is_empty() && *twin != text && row.values["text"] == text);
        return Ok((Some(Way::new(row_path(name, id), id)), twin.map(str::to_owned)));
    }
    Ok((None, None))
}

fn references(row: &Row, question: &Question) -> Vec<String> {
    if !question.options().is_empty() {
        return Vec::new();
    }
    let answers = row.values["answers"].as_array();
    let answers: Vec<String> =
        answers.into_iter().flatten().filter_map(|one| one.as_str().map(str::to_owned)).collect();
    if answers.is_empty() { vec![question.reference().to_owned()] } else { answers }
}

fn facts(row: &Row, question: &Question) -> Vec<(String, String)> {
    let long = |length: &Length| {
        let mut parts = Vec::new();
        if length.scenes > 0 {
            parts.push(counted(length.scenes.into(), "scene"));
        }
        if length.words > 0 {
            parts.push(counted(length.words.into(), "word"));
        }
        for tokens in &length.tokens {
            parts.push(format!("{} ({})", counted(tokens.count.into(), "token"), tokens.encoding));
        }
        if parts.is_empty() {
            parts.push(counted(length.symbols.into(), "symbol"));
        }
        parts.join(", ")
    };
    let mut facts = Vec::new();
    let none = row.values["none_of_the_above"].as_u64() == Some(1);
    let demand = if none {
        format!("none of the above: all of {}", long(&question.demand.to_start))
    } else {
        format!("{} back", long(&question.demand.to_start))
    };
    facts.push(("Demand".to_owned(), demand));
    facts.push(("Context".to_owned(), long(&question.context.length())));
    for (name, column) in [
        ("Kind", "type"),
        ("From config", "source_config"),
        ("Set", "set"),
        ("Changes", "ablation"),
        ("Keywords", "answer_keywords"),
    ] {
        if let Some(value) = row.values[column].as_str().filter(|value| !value.is_empty()) {
            facts.push((name.to_owned(), value.to_owned()));
        }
    }
    if let Some(load) = row.values["memload"].as_u64() {
        facts.push(("Memory load".to_owned(), thousands(load)));
    }
    facts
}

fn told(said: &Said) -> SaidView {
    let right = said.score_ppm == 1_000_000;
    let word = match (said.status, said.score_ppm) {
        ("answered", 1_000_000) => "right".to_owned(),
        ("answered", 0) => "wrong".to_owned(),
        ("answered", ppm) => format!(".{:02}", ppm / 10_000),
        (status, _) => status.to_owned(),
    };
    SaidView { model: said.model.clone(), setting: said.setting.clone(), word, right }
}
