//! A question at the moment it is asked: what was read, where the answer stands, how far back; its options and what
//! they are made from.

use serde::Serialize;
use storymill_core::{Fault, Length, Question, Recipe};
use storymill_dataset::look::{Holds, Row};

use super::{
    Way,
    context::{Block, mixed, read, rules, spine},
    row, row_path,
};
use crate::{
    build::Came,
    marks::{Piece, edits},
    numbers::{counted, thousands},
    results::Said,
    site::Site,
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
    /// Retellings that stand in the question.
    paragraphs: Vec<String>,
    given: Vec<Piece>,
    has_given: bool,
    options: Vec<OptionView>,
    references: Vec<String>,
    verdict: Option<String>,
    facts: Vec<(String, String)>,
    rules: Vec<(String, String)>,
    said: Vec<SaidView>,
    came: Vec<Came>,
    bytes: Option<Way>,
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
) -> Result<Option<String>, Fault> {
    let (before, behind) = row::around(site, config, &row.id)?;
    let of = site.behind(config);
    let book = question.of.as_str();
    let came = row::came(site, &row.id);
    let asked = if question.given().is_empty() { &question.asked() } else { &question.task };
    let mut paragraphs: Vec<String> = asked.split("\n\n").map(str::to_owned).collect();
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
        task: paragraphs.remove(0),
        paragraphs,
        given: Vec::new(),
        has_given: !question.given().is_empty(),
        options: options(site, &of, row, question)?,
        references: references(row, question),
        verdict: None,
        facts: facts(row, question),
        rules: rules(&row.values),
        said: site.results.of(config, &row.id).iter().map(told).collect(),
        bytes: row::bytes(&came),
        came,
    };
    if page.has_given {
        page.given = edits(question.reference(), question.given());
    }
    match &question.context {
        Recipe::Nothing => page.no_text = Some("Nothing is read before it is asked.".to_owned()),
        Recipe::Read(length) => {
            let scenes = site.look.scenes(book, &of)?;
            page.book = Some(Way::new(
                format!("book/{book}?in={config}"),
                super::book::title(site, &of, book)?,
            ));
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
