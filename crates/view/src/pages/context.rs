//! What is read before a question is asked, as its page shows it.

use serde::Serialize;
use serde_json::Value;
use storymill_core::{Length, Question};
use storymill_dataset::look::SceneRow;

use super::Way;
use crate::{
    marks::{Mark, Piece, paragraphs, places},
    numbers::counted,
    spine::Spine,
};

/// A part of what was read: a scene, or a word on those that are left out here.
#[derive(Serialize)]
pub(super) struct Block {
    name: String,
    scene: Option<u32>,
    gap: Option<Way>,
    paragraphs: Vec<Vec<Piece>>,
}

/// How many scenes were read.
fn read_scenes(scenes: &[SceneRow], length: &Length) -> usize {
    scenes.iter().filter(|scene| scene.end <= length.symbols).count()
}

pub(super) fn spine(scenes: &[SceneRow], question: &Question, length: &Length) -> Spine {
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
pub(super) fn read(
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
        let way = Way::new(format!("book/{book}?in={config}&at={0}#s{0}", first.scene), "read");
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
pub(super) fn mixed(text: &str, row: &Value, question: &Question) -> Block {
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
    let (mut small, large): (Vec<Mark>, Vec<Mark>) =
        marks.into_iter().partition(|mark| mark.is == "replaced");
    let mut cut = Vec::new();
    for mark in large {
        let mut start = mark.start;
        let within = |inner: &&mut Mark| mark.start <= inner.start && inner.end <= mark.end;
        for inner in small.iter_mut().filter(within) {
            inner.is = match mark.is {
                "evidence" => "evidence replaced",
                "inserted" => "inserted replaced",
                other => other,
            };
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

pub(super) fn rules(row: &Value) -> Vec<(String, String)> {
    let pair =
        |rule: &Value| Some((rule["from"].as_str()?.to_owned(), rule["to"].as_str()?.to_owned()));
    row["rules"].as_array().into_iter().flatten().filter_map(pair).collect()
}
