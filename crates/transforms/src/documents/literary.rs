//! `literary-questions`: questions about whole books, ready to be published and put to models.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    AskedDocument, AskedQuestion, Book, Cx, Demand, Edge, Form, Length, LiteraryQuestion, Options,
    Question, Recipe, Rows, Stage, Stop, stage,
};
use storymill_text::word_count;

/// Makes a question of free text of each question that is left, asked when the whole book is read. Every answer is a
/// reference, right by itself.
///
/// ```
/// use storymill_transforms::LiteraryQuestions;
/// let stage: LiteraryQuestions = toml::from_str("from = 'refined'\nbooks = 'books'").unwrap();
/// assert_eq!(stage.books.step(), "books");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiteraryQuestions {
    /// The last step that changes documents: `join`, `distinct-questions` or `refine`.
    pub from: Edge<AskedDocument>,
    /// The step that gives their books: `asked-book`.
    pub books: Edge<Book>,
}

impl Options for LiteraryQuestions {}

/// What these questions are called where kinds of questions are told apart.
const QUESTIONS: &str = "literary";

impl Stage for LiteraryQuestions {
    stage!("literary-questions", 1, (Rows<AskedDocument>, Rows<Book>) => LiteraryQuestion,
        from, books);

    fn run(
        &self,
        (documents, books): Self::In,
        _: &mut Cx<'_>,
    ) -> Result<Vec<LiteraryQuestion>, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "there is no book to ask about"));
        };
        let whole = Length {
            symbols: u32::try_from(book.text.chars().count()).unwrap_or(u32::MAX),
            words: word_count(&book.text),
            ..Length::default()
        };
        let kept = documents.iter().filter(|document| document.left_out.is_none());
        let made = |document: &AskedDocument| {
            let one = |question| literary(document, question, &whole);
            document.questions.iter().map(one).collect::<Vec<_>>()
        };
        Ok(kept.flat_map(made).collect())
    }
}

fn literary(document: &AskedDocument, asked: &AskedQuestion, whole: &Length) -> LiteraryQuestion {
    let references = asked.answers.iter().map(|answer| answer.text.clone()).collect();
    LiteraryQuestion {
        question: Question {
            id: asked.id.clone(),
            of: document.of.clone(),
            kind: QUESTIONS.to_owned(),
            task: asked.question.clone(),
            form: Form::FreeText { given: None, references, keywords: String::new() },
            about: Vec::new(),
            // Nobody says where in the book the answer stands.
            evidence: Vec::new(),
            demands: Vec::new(),
            demand: Demand::default(),
            context: Recipe::Read(whole.clone()),
            made_by: None,
        },
        document: document.id.clone(),
        question_modified: asked.is_modified,
        answers_modified: asked.answers.iter().map(|answer| answer.is_modified).collect(),
    }
}
