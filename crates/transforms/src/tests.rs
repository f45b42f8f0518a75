//! What the tests of several stages need: a model that never answers, small books, the golden
//! folder.

use storymill_core::{
    Answer, Asked, Asker, Author, Book, Chapter, Cx, Decisions, Fault, Paragraph, ParagraphKind,
    RequestKey, Review, Scene, Seed, Stage, Stop, SymbolIndex, Trace, UnitId,
};
use storymill_text::word_count;

/// Nobody answers.
pub(crate) struct Nobody;

impl Asker for Nobody {
    fn get(&self, _: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(None)
    }

    fn ask(&self, _: &[Asked]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Runs a stage on the unit `t` with seed 2023.
pub(crate) fn run<S: Stage>(stage: &S, input: S::In) -> (Result<Vec<S::Out>, Stop>, Trace) {
    run_decided(stage, input, &[])
}

/// The same with what people decided on review items.
pub(crate) fn run_decided<S: Stage>(
    stage: &S,
    input: S::In,
    decided: &[(&Review, &str)],
) -> (Result<Vec<S::Out>, Stop>, Trace) {
    let line = |(review, choice): &(&Review, &str)| {
        format!("{{\"review\": \"{}\", \"choice\": \"{choice}\"}}", review.id())
    };
    run_lines(stage, input, &decided.iter().map(line).collect::<Vec<_>>())
}

/// The same with lines of a file of decisions.
pub(crate) fn run_lines<S: Stage>(
    stage: &S,
    input: S::In,
    lines: &[String],
) -> (Result<Vec<S::Out>, Stop>, Trace) {
    let unit: UnitId = "t".parse().unwrap();
    let decisions = Decisions::parse(lines.iter().map(|line| (String::new(), line.as_str())));
    let decisions = decisions.unwrap();
    let mut cx = Cx::new(S::KIND, &unit, Seed::new(2023), &Nobody).with(&decisions);
    let rows = stage.run(input, &mut cx);
    (rows, cx.finish().0)
}

/// A book of this text. Paragraphs are what blank lines part; those that begin with `#` or
/// `CHAPTER` are headings of chapters.
pub(crate) fn book(text: &str) -> Book {
    let index = SymbolIndex::new(text);
    let mut paragraphs = Vec::new();
    let mut starts = Vec::new();
    let mut from = 0;
    for piece in text.split("\n\n") {
        let heading = piece.starts_with('#') || piece.starts_with("CHAPTER");
        let kind = if heading { ParagraphKind::Heading } else { ParagraphKind::Prose };
        let span = index.span(from..from + piece.len());
        let text = storymill_core::ByteSpan { start: span.start.byte, end: span.end.byte };
        if heading {
            starts.push((from, piece.to_owned()));
        }
        if !piece.is_empty() {
            paragraphs.push(Paragraph { kind, text, page: text });
        }
        from += piece.len() + 2;
    }
    let ends = starts.iter().skip(1).map(|start| start.0).chain([text.len()]).collect::<Vec<_>>();
    let chapters = starts.into_iter().zip(ends).map(|((start, title), end)| Chapter {
        title,
        level: 1,
        span: index.span(start..end),
    });
    Book {
        id: "t".parse().unwrap(),
        title: "T".into(),
        authors: vec![Author {
            agent_id: "1".into(),
            name: "A".into(),
            birth_year: None,
            death_year: None,
        }],
        language: "en".into(),
        kind: "novel".into(),
        kind_sure_pm: 0,
        kind_evidence: Vec::new(),
        subjects: Vec::new(),
        locc: Vec::new(),
        bookshelves: Vec::new(),
        rights: String::new(),
        source_url: String::new(),
        page: storymill_core::PageFacts::default(),
        text: text.to_owned(),
        chapters: chapters.collect(),
        paragraphs,
        flags: Vec::new(),
    }
}

/// Scenes with these texts, one after the other in the book `t`.
pub(crate) fn scenes(texts: &[&str]) -> Vec<Scene> {
    let whole = texts.concat();
    let index = SymbolIndex::new(&whole);
    let mut from = 0;
    (0..)
        .zip(texts)
        .map(|(scene, text)| {
            let span = index.span(from..from + text.len());
            from += text.len();
            Scene {
                book: "t".parse().unwrap(),
                scene,
                chapter: None,
                span,
                tokens: Vec::new(),
                words: word_count(text),
                text: (*text).to_owned(),
            }
        })
        .collect()
}

#[path = "../../../tests/golden/sets.rs"]
mod golden;
pub(crate) use golden::sets;
