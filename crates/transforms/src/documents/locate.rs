//! `locate`: people say where in a book the answer to a question stands.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cx, Demand, Digest, Edge, Fault, Form, Length, LiteraryQuestion, Located, Options,
    Review, ReviewForm, ReviewPassage, Rows, Said, Span, Stage, Stop, SymbolIndex, stage,
};
use storymill_metrics::bm25::{Cut, Index, Parameters};
use storymill_text::{Language, word_count};

/// Puts questions about whole books before people, who mark the sentences that bear the answer out. From these follows how
/// far back the answer lies, which no released file says.
///
/// ```
/// use storymill_transforms::Locate;
/// let stage: Locate = toml::from_str("from = 'questions'\nbooks = 'books'").unwrap();
/// assert_eq!(stage.passages, 3);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Locate {
    /// The questions: the stage `literary-questions`.
    pub from: Edge<LiteraryQuestion>,
    /// The step that gives their books: `asked-book`.
    pub books: Edge<Book>,
    /// How many passages of the book are shown, those that have the words of question and answers. Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub passages: u32,
}

impl Options for Locate {
    fn check(&self) -> Vec<(&'static str, String)> {
        if (1..=20).contains(&self.passages) {
            return Vec::new();
        }
        vec![("passages", "must be from 1 to 20".to_owned())]
    }
}

/// The choice that takes evidence, the one that says that there is none, and the one while nobody decides.
const MARKED: &str = ReviewForm::MARKED;
const NOWHERE: &str = "nowhere";
const OPEN: &str = "open";

/// About how long a passage is, in bytes: whole paragraphs.
const PASSAGE: usize = 1_500;

impl Stage for Locate {
    stage!("locate", 1, (Rows<LiteraryQuestion>, Rows<Book>) => Located, from, books);

    fn run(&self, (asked, books): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Located>, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "there is no book to look into"));
        };
        let whole = Whole::new(book);
        let located = asked.iter().map(|one| self.located(one, &whole, cx));
        Ok(located.collect::<Result<_, Fault>>()?)
    }
}

/// A book that is looked into.
struct Whole<'b> {
    book: &'b Book,
    places: SymbolIndex<'b>,
    digest: Digest,
    /// Passages in order, in bytes, and what finds them; none where the book has no words.
    passages: Vec<std::ops::Range<usize>>,
    index: Option<Index>,
}

impl<'b> Whole<'b> {
    fn new(book: &'b Book) -> Self {
        let passages = passages(&book.text);
        let chinese = Language::of_text(&book.text) == Language::Chinese;
        let cut = if chinese { Cut::HanPairs } else { Cut::Words };
        let texts = passages.iter().map(|bytes| &book.text[bytes.clone()]);
        Self {
            book,
            places: SymbolIndex::new(&book.text),
            digest: Digest::of(book.text.as_bytes()),
            index: Index::new(texts, cut, Parameters::default()).ok(),
            passages,
        }
    }

    /// The passages that have most of the words, in the order of the book; the first ones where none has any.
    fn near(&self, words: &str, count: usize) -> Vec<ReviewPassage> {
        let hits = self.index.iter().flat_map(|index| index.top(words, count));
        let mut near: Vec<usize> = hits.map(|hit| hit.passage).collect();
        if near.is_empty() {
            near.extend(0..count.min(self.passages.len()));
        }
        near.sort_unstable();
        let passage = |at: usize| ReviewPassage {
            book: self.book.id.to_string(),
            span: self.places.span(self.passages[at].clone()),
            role: String::new(),
        };
        near.into_iter().map(passage).collect()
    }

    /// The spans that somebody marked, those of them that are spans of this book, in order; what touches is one.
    fn marked(&self, said: &[ReviewPassage]) -> Vec<Span> {
        let text = &self.book.text;
        let own = said.iter().filter(|one| one.book == self.book.id.as_str());
        let is_span = |span: &Span| {
            let bytes = span.bytes();
            bytes.start < bytes.end
                && text.get(bytes.clone()).is_some()
                && self.places.span(bytes) == *span
        };
        let mut spans: Vec<Span> = own.map(|one| one.span).filter(is_span).collect();
        spans.sort_unstable_by_key(|span| (span.start.byte, span.end.byte));
        spans.dedup_by(|next, last| {
            let touches = next.start.byte <= last.end.byte;
            if touches && next.end.byte > last.end.byte {
                last.end = next.end;
            }
            touches
        });
        spans
    }

    fn demand(&self, evidence: &[Span]) -> Demand {
        let (Some(first), Some(last)) = (evidence.first(), evidence.last()) else {
            return Demand::default();
        };
        let end = self.places.place(self.book.text.len()).symbol;
        let to_start = Length {
            symbols: end - first.start.symbol,
            words: word_count(&self.book.text[first.start.byte as usize..]),
            ..Length::default()
        };
        Demand { to_start, to_end_symbols: end - last.end.symbol }
    }
}

/// The text in pieces of whole paragraphs.
fn passages(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut all = Vec::new();
    let (mut first, mut at) = (0, 0);
    for paragraph in text.split_inclusive("\n\n") {
        if at > first && at + paragraph.len() - first > PASSAGE {
            all.push(first..at);
            first = at;
        }
        at += paragraph.len();
    }
    if at > first {
        all.push(first..at);
    }
    all.retain(|bytes| !text[bytes.clone()].trim().is_empty());
    all
}

impl Locate {
    fn located(
        &self,
        one: &LiteraryQuestion,
        whole: &Whole<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Located, Fault> {
        let question = &one.question;
        let answers = match &question.form {
            Form::FreeText { references, .. } => references.join(" / "),
            Form::Options { .. } | Form::Verdict { .. } => question.reference().to_owned(),
        };
        let words = format!("{}\n{answers}", question.task);
        let review = Review {
            item: question.id.clone(),
            code: Cow::Borrowed("evidence"),
            // Spans hold for this text of the book.
            about: format!("{words}\n{}", whole.digest),
            question: "which sentences of the book bear the answer out?".to_owned(),
            excerpt: format!("{}\nanswer: {answers}", question.task),
            choices: [OPEN, MARKED, NOWHERE].map(str::to_owned).to_vec(),
            default: OPEN.to_owned(),
            passages: whole.near(&words, self.passages as usize),
            form: ReviewForm::Evidence,
            ..Review::default()
        };
        let taken = cx.take(review)?;
        let evidence = match taken.said {
            Said::Spans(said) if taken.choice == MARKED => whole.marked(&said),
            _ => Vec::new(),
        };
        let found = match taken.choice.as_str() {
            MARKED if !evidence.is_empty() => Some(true),
            NOWHERE => Some(false),
            _ => None,
        };
        Ok(Located {
            question: question.id.clone(),
            book: whole.book.id.clone(),
            found,
            demand: whole.demand(&evidence),
            evidence,
        })
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Decision, Question, Recipe, canonical};

    use super::*;
    use crate::tests::{book, run, run_lines};

    const TEXT: &str =
        "Ann came to the weir.\n\nThe keeper, Jos, rang the bell at night.\n\nThen she left.";

    fn question() -> LiteraryQuestion {
        LiteraryQuestion {
            question: Question {
                id: "t/q001".into(),
                of: "t".parse().unwrap(),
                kind: "literary".into(),
                task: "Who rang the bell?".into(),
                form: Form::FreeText {
                    given: None,
                    references: vec!["Jos".into(), "The keeper".into()],
                    keywords: String::new(),
                },
                about: Vec::new(),
                evidence: Vec::new(),
                demands: Vec::new(),
                demand: Demand::default(),
                context: Recipe::Nothing,
                made_by: None,
            },
            document: "d".into(),
            question_modified: false,
            answers_modified: vec![false, false],
        }
    }

    fn input(text: &str) -> (Rows<LiteraryQuestion>, Rows<Book>) {
        (vec![question()].into(), vec![book(text)].into())
    }

    fn stage() -> Locate {
        toml::from_str("from = 'a'\nbooks = 'b'").unwrap()
    }

    fn line(review: &Review, choice: &str, said: Said) -> String {
        let mut line = Decision::blank(review.id());
        (line.choice, line.by, line.said) = (choice.to_owned(), "ann".to_owned(), said);
        canonical::json(&line)
    }

    fn spans(text: &str, found: &[&str]) -> Said {
        let index = SymbolIndex::new(text);
        let passage = |words: &&str| {
            let at = text.find(words).unwrap();
            let span = index.span(at..at + words.len());
            ReviewPassage { book: "t".into(), span, role: "evidence".into() }
        };
        Said::Spans(found.iter().map(passage).collect())
    }

    #[test]
    fn what_people_mark_tells_how_far_back_it_is() {
        let (rows, trace) = run(&stage(), input(TEXT));
        assert_eq!(rows.unwrap()[0].found, None);
        let review = &trace.reviews[0];
        assert_eq!(review.passages.len(), 1, "a short book is one passage");
        let said = spans(TEXT, &["rang the bell", "The keeper, Jos, rang"]);
        let lines = [line(review, MARKED, said)];
        let (rows, _) = run_lines(&stage(), input(TEXT), &lines);
        let row = &rows.unwrap()[0];
        assert_eq!(row.found, Some(true));
        let words: Vec<&str> = row.evidence.iter().map(|span| &TEXT[span.bytes()]).collect();
        assert_eq!(words, ["The keeper, Jos, rang the bell"], "what overlaps is one");
        assert_eq!(row.demand.to_start.words, 11);
        assert_eq!(row.demand.to_end_symbols, 26);
        // Nobody says nowhere and evidence at once, and what is no place of this book marks nothing.
        let (rows, _) = run_lines(&stage(), input(TEXT), &[line(review, NOWHERE, Said::Nothing)]);
        assert_eq!(rows.unwrap()[0].found, Some(false));
        let mut other = spans(TEXT, &["Ann"]);
        if let Said::Spans(all) = &mut other {
            all[0].span.end.symbol += 1;
        }
        let (rows, _) = run_lines(&stage(), input(TEXT), &[line(review, MARKED, other)]);
        assert_eq!(rows.unwrap()[0].found, None);
    }

    #[test]
    fn passages_with_the_words_are_shown_and_another_text_asks_anew() {
        let mut text = String::new();
        for at in 0..40 {
            text += &format!(
                "Paragraph {at} tells of the river and of rain. {}\n\n",
                "It fell. ".repeat(60)
            );
        }
        let text = text + TEXT;
        let (_, trace) = run(&stage(), input(&text));
        let review = &trace.reviews[0];
        let shown = review.passages.iter().map(|one| &text[one.span.bytes()]);
        assert!(
            shown.clone().any(|one| one.contains("rang the bell")),
            "{:?}",
            shown.collect::<Vec<_>>()
        );
        assert!(review.passages.is_sorted_by_key(|one| one.span.start.byte));
        let (_, other) = run(&stage(), input(TEXT));
        assert_ne!(other.reviews[0].id(), review.id());
    }
}
