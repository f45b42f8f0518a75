//! The table of evidence that people found for questions about whole books.

use storymill_core::Located;

use super::{row::SPLIT, span::SpanRow};
use crate::table;

table! { Located, "where people say that the answer to a question stands", evaluation, |located, added| {
        let known = |number: u32| if located.evidence.is_empty() { -1 } else { i64::from(number) };
        let demand = &located.demand;
    }
    "evidence_of": Line => located.question, "the question: `541/q003`";
    "book_id": Word => located.book, "the book";
    "split": Word => added.split, SPLIT;
    "found": Int => located.found.map_or(-1, i8::from), "1 if people found evidence, 0 if there is none, -1 if nobody decided";
    "passages": SpanRow::kind() => SpanRow::each(&located.evidence), "the evidence, in the book's text";
    "back_words": Int => known(demand.to_start.words), "words from its first symbol to the end of the book; -1 without any";
    "back_symbols": Int => known(demand.to_start.symbols), "the same in symbols";
    "back_end_symbols": Int => known(demand.to_end_symbols), "symbols from behind its last one to the end of the book";
}
