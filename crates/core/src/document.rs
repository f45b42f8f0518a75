//! Documents that a released file asks about (NarrativeQA), and what became of their questions on the way.

use serde::{Deserialize, Serialize};

use crate::{Book, BookId, Digest, Item, Question, Reason, record};

/// A document with what is asked about it, and the book that it is said to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedDocument {
    /// The id in the released files.
    pub id: String,
    /// The book: its number at Project Gutenberg, or the name of its page.
    pub of: BookId,
    /// `train`, `validation` or `test`.
    pub split: String,
    /// The title that the released files know it by; often an article's, as `Gladiator (novel)`.
    pub title: String,
    /// Where the released files say that its text stands.
    pub address: String,
    /// A summary of the whole story; blank if there is none.
    pub summary: String,
    /// The questions in the order of the file.
    pub questions: Vec<AskedQuestion>,
    /// The book as its page has it. Only the source gives it; stages leave it out, so that it is kept once.
    pub book: Option<Book>,
    /// The book's title as its catalog or its page has it.
    pub book_title: String,
    /// What the book was judged to be: `novel`, `play`; blank where nobody judged.
    pub kind: String,
    /// What spoke for and against that it belongs to the book.
    pub evidence: Vec<String>,
    /// Why the whole document is left out, if it is. Its questions stay for the ledger and are asked nowhere.
    pub left_out: Option<Reason>,
    /// How many questions there were behind each step, in order.
    pub passed: Vec<Passed>,
    /// Everything that was changed or left out on the way, in order.
    pub revisions: Vec<Revision>,
}

/// How many questions of a document were left behind a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// The kind of the step: `narrativeqa`, `join`, `distinct-questions`, `refine`.
    pub step: String,
    /// Questions; 0 where the document is left out.
    pub questions: u32,
}

/// A question about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedQuestion {
    /// The id: `541/q003`, counted from 1 in the order of the file.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answers, each right by itself; NarrativeQA has two of each.
    pub answers: Vec<Reply>,
    /// Whether the question was changed.
    pub is_modified: bool,
}

/// An answer to a question about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Its place in the released file, from 1.
    pub number: u8,
    /// The answer.
    pub text: String,
    /// Whether it was changed.
    pub is_modified: bool,
}

record!(AskedDocument, "asked-document", 1, id);

impl Item for AskedQuestion {
    fn item_id(&self) -> String {
        self.id.clone()
    }
}

impl AskedDocument {
    /// Notes how many questions are left behind a step.
    pub fn pass(&mut self, step: &str) {
        let left = if self.left_out.is_some() { 0 } else { self.questions.len() };
        let questions = u32::try_from(left).unwrap_or(u32::MAX);
        self.passed.push(Passed { step: step.to_owned(), questions });
    }
}

/// What became of a proposed change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RevisionState {
    /// It was made.
    Applied,
    /// Somebody took it back: what stood before stands.
    TakenBack,
    /// What was proposed could not be used: what stood before stands.
    Refused,
}

impl RevisionState {
    /// Its published name: `taken-back`.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }
}

/// A row of the ledger: one change of a document, a question or an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The document.
    pub document: String,
    /// The book.
    pub of: BookId,
    /// The question; blank where the whole document is left out.
    pub question: String,
    /// The kind of the step: `join`, `distinct-questions`, `refine`.
    pub step: String,
    /// What is changed: `document`, `question`, `answer-1`, `answer-2`.
    pub part: String,
    /// Why, in a word: `other-kind`, `other-book`, `no-answer`, `duplicate`, `malformed`, `ill-posed`, `wrong`, `both-changed`,
    /// `not-refined`.
    pub kind: String,
    /// What stood there.
    pub before: String,
    /// What stands there now; blank if it is left out.
    pub after: String,
    /// Why, in words.
    pub reason: String,
    /// What rows call the model that proposed it; blank if a rule did.
    pub model: String,
    /// `people` where somebody decided on it; blank else. Who it was stands in the file of decisions.
    pub reviewer: String,
    /// What became of it.
    pub state: RevisionState,
    /// The answer of the model.
    pub answer: Option<Digest>,
}

record!(Revision, "revision", 1);

impl Revision {
    /// Its id: `541/q003/answer-1/refine`; of a document `541/DOCUMENT/document/join`.
    pub fn id(&self) -> String {
        let item = match self.question.as_str() {
            "" => format!("{}/{}", self.of, self.document),
            question => question.to_owned(),
        };
        format!("{item}/{}/{}", self.part, self.step)
    }
}

/// A question about a whole book with short answers, as it is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiteraryQuestion {
    /// What is asked: free text with every answer as a reference, over the whole book.
    pub question: Question,
    /// The document in the released files.
    pub document: String,
    /// Whether the question was changed.
    pub question_modified: bool,
    /// Whether each answer was changed, in the order of the references.
    pub answers_modified: Vec<bool>,
}

record!(LiteraryQuestion, "literary-question", 2);

impl Item for LiteraryQuestion {
    fn item_id(&self) -> String {
        self.question.id.clone()
    }
}
