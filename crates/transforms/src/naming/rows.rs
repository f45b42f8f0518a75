//! The same rows with other names, row for row: books, scenes, retellings, questions.
//!
//! Ids, positions and right answers stay; what is counted is counted anew, since names differ in
//! length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, ByteSpan, Chapter, Cx, Distortion, Edge, Edit, Options, Paragraph, Question,
    Reconstruction, Rows, Scene, Span, Stage, Stop, Substitution, Summary, SymbolIndex,
};
use storymill_text::word_count;

use super::apply::Naming;
use crate::{reading::Reading, tokens};

macro_rules! same_rows {
    ($(#[$about:meta])* $stage:ident, $kind:literal, $version:literal, $record:ident, $with:path) => {
        $(#[$about])*
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $stage {
            /// The step that makes the rows.
            pub from: Edge<$record>,
            /// The step that draws the substitutes.
            pub substitutes: Edge<Substitution>,
        }

        impl Options for $stage {}

        impl Stage for $stage {
            const KIND: &'static str = $kind;
            const VERSION: u32 = $version;
            type In = (Rows<$record>, Rows<Substitution>);
            type Out = $record;

            fn edges(&self) -> (Edge<$record>, Edge<Substitution>) {
                (self.from.clone(), self.substitutes.clone())
            }

            fn run(
                &self,
                (rows, substitutes): Self::In,
                _: &mut Cx<'_>,
            ) -> Result<Vec<$record>, Stop> {
                let naming = Naming::new(&substitutes)?;
                Ok($with(&rows, &naming))
            }
        }
    };
}

macro_rules! same_questions {
    ($(#[$about:meta])* $stage:ident, $kind:literal, $record:ident, $with:path) => {
        $(#[$about])*
        #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $stage {
            /// The step that makes the questions.
            pub from: Edge<$record>,
            /// The step that makes the scenes with other names: lengths are counted in them.
            pub scenes: Edge<Scene>,
            /// The step that draws the substitutes.
            pub substitutes: Edge<Substitution>,
        }

        impl Options for $stage {}

        impl Stage for $stage {
            const KIND: &'static str = $kind;
            const VERSION: u32 = 1;
            type In = (Rows<$record>, Rows<Scene>, Rows<Substitution>);
            type Out = $record;

            fn edges(&self) -> (Edge<$record>, Edge<Scene>, Edge<Substitution>) {
                (self.from.clone(), self.scenes.clone(), self.substitutes.clone())
            }

            fn run(
                &self,
                (rows, scenes, substitutes): Self::In,
                _: &mut Cx<'_>,
            ) -> Result<Vec<$record>, Stop> {
                let naming = Naming::new(&substitutes)?;
                $with(&rows, &scenes, &naming)
            }
        }
    };
}

same_rows! {
    /// Books with other names: text, title and headings. Authors, address, subjects, bookshelves and what spoke for
    /// the kind are blank, since they name the book or who is in it.
    SubstituteBooks, "substitute-books", 2, Book, books
}
same_rows! {
    /// Scenes with other names, cut where the scenes are cut.
    SubstituteScenes, "substitute-scenes", 1, Scene, scenes
}
same_rows! {
    /// True retellings with other names.
    SubstituteSummaries, "substitute-summaries", 1, Summary, summaries
}
same_rows! {
    /// False retellings with other names.
    SubstituteDistortions, "substitute-distortions", 1, Distortion, distortions
}
same_questions! {
    /// Read-along questions with other names.
    SubstituteQuestions, "substitute-questions", Question, questions
}
same_questions! {
    /// Reconstruction questions with other names.
    SubstituteReconstructions, "substitute-reconstructions", Reconstruction, reconstructions
}

fn books(rows: &[Book], naming: &Naming) -> Vec<Book> {
    let rename = |book: &Book| {
        let new = naming.book(&book.text);
        let index = SymbolIndex::new(&new.text);
        let place = |byte: u32| new.to_new(byte as usize);
        let span = |span: Span| index.span(place(span.start.byte)..place(span.end.byte));
        let bytes = |span: ByteSpan| {
            let span = index.span(place(span.start)..place(span.end));
            ByteSpan { start: span.start.byte, end: span.end.byte }
        };
        let chapter = |chapter: &Chapter| Chapter {
            title: naming.told(&chapter.title),
            level: chapter.level,
            span: span(chapter.span),
        };
        let paragraph = |one: &Paragraph| Paragraph { text: bytes(one.text), ..one.clone() };
        Book {
            title: naming.told(&book.title),
            authors: Vec::new(),
            source_url: String::new(),
            kind_evidence: Vec::new(),
            subjects: Vec::new(),
            bookshelves: Vec::new(),
            chapters: book.chapters.iter().map(chapter).collect(),
            paragraphs: book.paragraphs.iter().map(paragraph).collect(),
            text: new.text.clone(),
            ..book.clone()
        }
    };
    rows.iter().map(rename).collect()
}

fn scenes(rows: &[Scene], naming: &Naming) -> Vec<Scene> {
    let old: String = rows.iter().map(|scene| scene.text.as_str()).collect();
    let new = naming.book(&old);
    let index = SymbolIndex::new(&new.text);
    let (mut read, mut start) = (0, 0);
    let spans: Vec<Span> = rows
        .iter()
        .map(|scene| {
            read += scene.text.len();
            let end = new.to_new(read);
            index.span(std::mem::replace(&mut start, end)..end)
        })
        .collect();
    let texts: Vec<&str> = spans.iter().map(|span| &new.text[span.bytes()]).collect();
    let encodings: Vec<_> = rows
        .first()
        .map_or(&[][..], |scene| &scene.tokens)
        .iter()
        .map(|one| one.encoding)
        .collect();
    let tokens = tokens::count(&texts, &encodings);
    let parts = spans.iter().zip(&texts).zip(tokens);
    rows.iter()
        .zip(parts)
        .map(|(scene, ((span, text), tokens))| Scene {
            book: scene.book.clone(),
            scene: scene.scene,
            chapter: scene.chapter,
            span: *span,
            words: word_count(text),
            tokens,
            text: (*text).to_owned(),
        })
        .collect()
}

fn summaries(rows: &[Summary], naming: &Naming) -> Vec<Summary> {
    let rename = |row: &Summary| Summary { text: naming.told(&row.text), ..row.clone() };
    rows.iter().map(rename).collect()
}

fn distortions(rows: &[Distortion], naming: &Naming) -> Vec<Distortion> {
    let edit = |edit: &Edit| Edit {
        true_event: naming.told(&edit.true_event),
        false_event: naming.told(&edit.false_event),
    };
    let rename = |row: &Distortion| Distortion {
        text: naming.told(&row.text),
        twin: naming.told(&row.twin),
        edits: row.edits.iter().map(edit).collect(),
        ..row.clone()
    };
    rows.iter().map(rename).collect()
}

fn other_scenes() -> Stop {
    Stop::reject("other-scenes", "the questions are not about these scenes")
}

fn questions(rows: &[Question], scenes: &[Scene], naming: &Naming) -> Result<Vec<Question>, Stop> {
    let reading = Reading::new(scenes);
    let rename = |row: &Question| {
        let read = row.asked_at as usize + 1;
        if read > scenes.len() {
            return Err(other_scenes());
        }
        let mut row = row.clone();
        for option in &mut row.options {
            option.text = naming.told(&option.text);
            if let (Some(scene), Some(demand)) = (option.scene, &mut option.demand) {
                *demand = reading.demand(&(scene as usize..scene as usize + 1), read);
            }
        }
        let evidence = row.scene.map_or(0..read, |scene| scene as usize..scene as usize + 1);
        row.evidence = row.scene.map(|scene| scenes[scene as usize].span).into_iter().collect();
        row.demand = reading.demand(&evidence, read);
        row.context = reading.length(0..read);
        Ok(row)
    };
    rows.iter().map(rename).collect()
}

fn reconstructions(
    rows: &[Reconstruction],
    scenes: &[Scene],
    naming: &Naming,
) -> Result<Vec<Reconstruction>, Stop> {
    let reading = Reading::new(scenes);
    let rename = |row: &Reconstruction| {
        let evidence = row.first_scene as usize..row.last_scene as usize + 1;
        let Some([first, ..]) = scenes.get(evidence.clone()) else { return Err(other_scenes()) };
        let span = Span { start: first.span.start, end: scenes[evidence.end - 1].span.end };
        Ok(Reconstruction {
            distorted: naming.told(&row.distorted),
            answer: naming.told(&row.answer),
            evidence: vec![span],
            demand: reading.demand(&evidence, scenes.len()),
            context: reading.length(0..scenes.len()),
            ..row.clone()
        })
    };
    rows.iter().map(rename).collect()
}
