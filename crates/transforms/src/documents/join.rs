//! `join`: does a document belong to its book, and is the book a story?
//!
//! The kind is judged as `sort` judges it; whether title and summary are of the book is told by names and words first, by a model
//! on doubt, and at last by people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    AskedDocument, Book, Cx, Digest, Edge, Fault, Reason, Reckoned, Resource, Review, Revision,
    RevisionState, Rows, Size, Stage, Stop, stage,
};

use super::{
    belongs::{Belongs, Verdict},
    revising::Proposed,
    same_book,
};
use crate::{
    asking::{Asks, asking},
    retelling::prompt::{AGAIN, Ask},
    selection::{
        kind::{Kind, Verdict as KindVerdict},
        sort,
    },
};

/// Leaves out documents whose book is no story, and documents that are of another book. Both stay in the table of documents
/// and in the ledger, with the reason.
///
/// ```
/// use storymill_transforms::{Join, Kind};
/// let stage: Join = toml::from_str("from = 'documents'").unwrap();
/// assert_eq!((stage.kinds, stage.model), (vec![Kind::Novel, Kind::Stories], None));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The source of the documents: `narrativeqa`.
    pub from: Edge<AskedDocument>,
    /// The kinds of books that are kept, in the words of `sort`. Default: novels and stories.
    #[serde(default = "narrative")]
    pub kinds: Vec<Kind>,
    /// A kind that is less sure than this, of a thousand, is listed for people, as in `sort`. Default: 800.
    #[serde(default = "crate::defaults::thousandths::<800>")]
    pub doubt: u16,
    /// The model that is asked where titles, names and words leave a doubt, by its name in the workflow. Default: nobody is
    /// asked; people are.
    #[serde(default)]
    pub model: Option<String>,
    /// How often to ask at most until an answer can be read. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub tries: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

fn narrative() -> Vec<Kind> {
    vec![Kind::Novel, Kind::Stories]
}

asking!(
    Join,
    ["join.jinja"],
    [AGAIN],
    [prompt],
    check = |stage, mut faults| {
        if stage.kinds.is_empty() {
            faults.push(("kinds", "is empty; leave it out to keep novels and stories".to_owned()));
        }
        if stage.doubt > 1000 {
            faults.push(("doubt", format!("is {} and must be at most 1000", stage.doubt)));
        }
        faults
    }
);

impl Stage for Join {
    stage!("join", 3, Rows<AskedDocument> => AskedDocument, from);

    fn reckon(&self, input: &[Size]) -> Reckoned {
        // Nobody is asked about most documents, and which these are is not known before.
        let rows = input.first().copied().unwrap_or_default();
        Reckoned { rows, tries: self.tries, ..Reckoned::default() }
    }

    fn run(
        &self,
        documents: Rows<AskedDocument>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<AskedDocument>, Stop> {
        cx.each(&documents, |cx, document| self.join(document, cx))
    }
}

impl Join {
    fn join(&self, document: &AskedDocument, cx: &mut Cx<'_>) -> Result<AskedDocument, Stop> {
        let Some(book) = &document.book else {
            return Err(Stop::reject("no-book", "the source gives no book with the document"));
        };
        let mut out = AskedDocument { book: None, ..document.clone() };
        let (kind, other_kind) = self.kind(book, cx)?;
        kind.name().clone_into(&mut out.kind);
        let belongs = Belongs::of(document, book);
        out.evidence = belongs.said(document, book);
        let left_out = match other_kind {
            Some(reason) => {
                Some(LeftOut { reason, model: String::new(), answer: None, decided: false })
            }
            None => self.other_book(document, book, &belongs, cx)?,
        };
        match left_out {
            Some(why) => {
                out.revisions.push(why.row(document));
                out.left_out = Some(why.reason);
            }
            None => without_answers(&mut out),
        }
        out.pass(Self::KIND);
        Ok(out)
    }

    /// What the book is, and why the document is left out for that, if it is.
    fn kind(&self, book: &Book, cx: &mut Cx<'_>) -> Result<(Kind, Option<Reason>), Fault> {
        let verdict = KindVerdict::of(book);
        let mut kind = verdict.kind;
        if sort::doubts(&verdict, &self.kinds, self.doubt) {
            let choice = cx.decide(sort::review(book, &verdict, kind, None))?;
            kind = Kind::ALL.into_iter().find(|one| one.name() == choice).unwrap_or(kind);
        }
        if self.kinds.contains(&kind) {
            return Ok((kind, None));
        }
        let evidence: Vec<String> = verdict.evidence.into_iter().take(3).collect();
        let detail = format!("{}: {}", kind.name(), evidence.join("; "));
        Ok((kind, Some(Reason::new("other-kind", detail))))
    }

    /// Why the document is of another book, if it is.
    fn other_book(
        &self,
        document: &AskedDocument,
        book: &Book,
        belongs: &Belongs,
        cx: &mut Cx<'_>,
    ) -> Result<Option<LeftOut>, Stop> {
        let mut evidence = belongs.said(document, book);
        let (mut model, mut answer) = ("", None);
        let same = match belongs.verdict() {
            Verdict::Belongs => return Ok(None),
            Verdict::Other => false,
            Verdict::Doubt => match self.ask(document, book, cx)? {
                Some(said) => {
                    model = self.model.as_deref().unwrap_or_default();
                    answer = Some(said.digest);
                    evidence.push(format!("the model says: {}", said.reason));
                    said.same
                }
                // Nobody is asked, or nothing that was answered can be used.
                None => belongs.is_likely(),
            },
        };
        let default = if same { "keep" } else { "leave-out" };
        let review = Review {
            item: document.id.clone(),
            code: "other-book".into(),
            about: format!("{} / {}", document.title, book.title),
            question: format!(
                "are title and summary of `{}` those of book {}, `{}`?",
                document.title, document.of, book.title
            ),
            excerpt: excerpt(document, &evidence),
            text: document.summary.clone(),
            choices: vec!["keep".to_owned(), "leave-out".to_owned()],
            default: default.to_owned(),
            passages: sort::glimpses(book),
            ..Review::default()
        };
        let decided = cx.is_decided(&review);
        if cx.decide(review)? == "keep" {
            return Ok(None);
        }
        let reason = Reason::new("other-book", evidence.join("; "));
        Ok(Some(LeftOut { reason, model: model.to_owned(), answer, decided }))
    }

    /// What a model says; none if none is asked, or if none of its answers can be read.
    fn ask(
        &self,
        document: &AskedDocument,
        book: &Book,
        cx: &mut Cx<'_>,
    ) -> Result<Option<Said>, Stop> {
        if self.model.is_none() {
            return Ok(None);
        }
        let asking = self.asking(&[&self.prompt])?;
        let schema = same_book::schema();
        let ask = Ask { schema: Some(&schema), ..asking.with(0) };
        let variables = same_book::variables(document, book);
        match ask.first(cx, 0, &variables, same_book::read) {
            Ok(taken) => {
                let digest = taken.digest();
                let (same, reason) = taken.value;
                Ok(Some(Said { same, reason, digest }))
            }
            Err(Stop::Reject(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }
}

/// What a model says of a document and a book.
struct Said {
    same: bool,
    reason: String,
    digest: Digest,
}

/// Why a document is left out, and who said so.
#[derive(Debug)]
struct LeftOut {
    reason: Reason,
    model: String,
    answer: Option<Digest>,
    decided: bool,
}

impl LeftOut {
    fn row(&self, document: &AskedDocument) -> Revision {
        Revision {
            document: document.id.clone(),
            of: document.of.clone(),
            question: String::new(),
            step: Join::KIND.to_owned(),
            part: "document".to_owned(),
            kind: self.reason.code.to_string(),
            before: document.title.clone(),
            after: String::new(),
            reason: self.reason.detail.clone(),
            model: self.model.clone(),
            reviewer: if self.decided { "people" } else { "" }.to_owned(),
            state: RevisionState::Applied,
            answer: self.answer,
        }
    }
}

/// Leaves out questions that have no answer.
fn without_answers(out: &mut AskedDocument) {
    let (answered, bare): (Vec<_>, Vec<_>) =
        std::mem::take(&mut out.questions).into_iter().partition(|one| !one.answers.is_empty());
    out.questions = answered;
    for question in bare {
        let proposed = Proposed {
            step: Join::KIND,
            part: "question".to_owned(),
            kind: "no-answer",
            before: &question.question,
            reason: "the released file has no answer".to_owned(),
            ..Proposed::default()
        };
        let row = proposed.row(out, &question, RevisionState::Applied, false);
        out.revisions.push(row);
    }
}

fn excerpt(document: &AskedDocument, evidence: &[String]) -> String {
    let summary: String = document.summary.chars().take(400).collect();
    format!("{}\n{summary}", evidence.join("; "))
}

#[cfg(test)]
mod tests;
