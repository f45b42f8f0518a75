//! The stage `claims`: the pairs of a set as rows of a dataset, which models are put to as to any question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_claims::{
    import::Set,
    pair::{Half, Pair},
    set::read_pairs,
};
use storymill_core::{
    Book, BookId, ClaimQuestion, Cx, Edge, Fault, FaultKind, Options, Place, Question, Recipe,
    Resource, Rows, Stage, Stop, stage,
};
use storymill_text::word_count;

/// Makes a question of every claim about a book: both claims of a pair, asked when the whole book is read.
///
/// ```
/// use storymill::ClaimTable;
/// let options = r#"{ "from": "books", "pairs": "my-set/pairs.jsonl" }"#;
/// let stage: ClaimTable = serde_json::from_str(options).unwrap();
/// assert_eq!(stage.from.step(), "books");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimTable {
    /// The books, under the ids that the pairs name.
    pub from: Edge<Book>,
    /// The pairs of a set: its file `pairs.jsonl`, as `claims import` writes it.
    pub pairs: Resource,
}

impl Options for ClaimTable {
    fn resources(&mut self) -> Vec<&mut Resource> {
        vec![&mut self.pairs]
    }
}

impl Stage for ClaimTable {
    stage!("claims", 2, Rows<Book> => ClaimQuestion, from);

    fn run(&self, books: Rows<Book>, _: &mut Cx<'_>) -> Result<Vec<ClaimQuestion>, Stop> {
        let mut set = Set::default();
        read_pairs(self.pairs.content(), &mut set).map_err(|mistakes| {
            // A mistake may quote no claim, so the first of them can be told.
            let why = mistakes.first().map(ToString::to_string).unwrap_or_default();
            let message = format!("the pairs cannot be read: {why}");
            Fault::new(FaultKind::Input, message)
                .at(self.pairs.path())
                .hint("`storymill claims lint` tells all that is wrong")
        })?;
        let mut rows = Vec::new();
        for book in books.iter() {
            for pair in set.pairs.iter().filter(|pair| pair.book == book.id.as_str()) {
                for half in [Half::True, Half::False] {
                    rows.push(ClaimQuestion(question(pair, half, &book.id, &book.text)?));
                }
            }
        }
        Ok(rows)
    }
}

/// One claim, with lengths in words too and places in bytes.
pub(crate) fn question(
    pair: &Pair,
    half: Half,
    of: &BookId,
    text: &str,
) -> Result<Question, Fault> {
    let symbols = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let wrong =
        |why: String| Fault::new(FaultKind::Input, format!("pair {} of {of}: {why}", pair.id));
    let mut question =
        pair.question(half, symbols).map_err(|mistake| wrong(mistake.to_string()))?;
    let byte = |symbol: u32| text.char_indices().nth(symbol as usize).map_or(text.len(), |it| it.0);
    for span in &mut question.evidence {
        if span.end.symbol > symbols {
            return Err(wrong("its evidence lies behind the end of the book".to_owned()));
        }
        let at = |place: Place| Place {
            byte: u32::try_from(byte(place.symbol)).unwrap_or(u32::MAX),
            ..place
        };
        (span.start, span.end) = (at(span.start), at(span.end));
    }
    if let Recipe::Read(length) = &mut question.context {
        length.words = word_count(text);
    }
    let back = symbols - question.demand.to_start.symbols.min(symbols);
    question.demand.to_start.words = word_count(&text[byte(back)..]);
    Ok(question)
}
