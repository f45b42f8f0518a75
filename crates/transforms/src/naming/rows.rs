//! The same rows with other names, row for row: books, scenes, retellings, questions.
//!
//! Ids, positions and right answers stay; what is counted is counted anew, since names differ in
//! length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Asks, Book, ByteSpan, Chapter, Cx, Distortion, Edge, Form, Options, Paragraph, Question,
    ReadAlongQuestion, Reconstruction, Rows, Scene, Span, Stage, Stop, Substitution, Summary,
    SymbolIndex,
};
use storymill_text::word_count;

use super::{apply::Naming, told::Told};
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
    ($(#[$about:meta])* $stage:ident, $kind:literal, $record:ident) => {
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
            const VERSION: u32 = 4;
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
                questions(&rows, &scenes, &naming)
            }
        }
    };
}

same_rows! {
    /// Books with other names: text, title and headings. Authors, address, subjects, bookshelves and what spoke for
    /// the kind are blank, since they name the book or who is in it.
    SubstituteBooks, "substitute-books", 3, Book, books
}
same_rows! {
    /// Scenes with other names, cut where the scenes are cut.
    SubstituteScenes, "substitute-scenes", 2, Scene, scenes
}
same_rows! {
    /// True retellings with other names.
    SubstituteSummaries, "substitute-summaries", 2, Summary, retold
}
same_rows! {
    /// False retellings with other names.
    SubstituteDistortions, "substitute-distortions", 2, Distortion, retold
}
same_questions! {
    /// Read-along questions with other names.
    SubstituteQuestions, "substitute-questions", ReadAlongQuestion
}
same_questions! {
    /// Reconstruction questions with other names.
    SubstituteReconstructions, "substitute-reconstructions", Reconstruction
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

/// Retellings with other names.
fn retold<R: Told>(rows: &[R], naming: &Naming) -> Vec<R> {
    rows.iter().map(|row| renamed(row.clone(), naming)).collect()
}

fn renamed<R: Told>(mut row: R, naming: &Naming) -> R {
    for text in row.texts() {
        *text = naming.told(text);
    }
    row
}

/// Questions with other names; where they stand in the book and how far back that is follows from its scenes
/// with other names.
fn questions<Q: Asks + Told>(
    rows: &[Q],
    scenes: &[Scene],
    naming: &Naming,
) -> Result<Vec<Q>, Stop> {
    let reading = Reading::new(scenes);
    let rename = |row: &Q| {
        let mut question: Question = renamed(row.clone(), naming).into();
        let read = question.asked_at() as usize + 1;
        let place = reading.place(&question.about, read).ok_or_else(|| {
            Stop::reject("other-scenes", "the questions are not about these scenes")
        })?;
        (question.evidence, question.demands) = (place.evidence, place.demands);
        question.demand = place.demand;
        question.context = place.context;
        if let Form::Options { options, .. } = &mut question.form {
            for option in options {
                if let (Some(scene), Some(demand)) = (option.scene, &mut option.demand) {
                    *demand = reading.demand(&(scene as usize..scene as usize + 1), read);
                }
            }
        }
        Ok(Q::from(question))
    };
    rows.iter().map(rename).collect()
}
