//! `asked-book`: the book of a document as a book like any other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{AskedDocument, Book, Cx, Edge, Options, Rows, Stage, Stop, stage};

/// Gives the book that documents are about, unless all of them are left out.
///
/// ```
/// use storymill_transforms::AskedBook;
/// let stage: AskedBook = toml::from_str("from = 'documents'\njoined = 'joined'").unwrap();
/// assert_eq!(stage.from.step(), "documents");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedBook {
    /// The source of the documents: `narrativeqa`.
    pub from: Edge<AskedDocument>,
    /// The step that says which documents belong to their books: `join`. Default: all of them do.
    #[serde(default)]
    pub joined: Option<Edge<AskedDocument>>,
}

impl Options for AskedBook {}

impl Stage for AskedBook {
    stage!("asked-book", 1, (Rows<AskedDocument>, Option<Rows<AskedDocument>>) => Book,
        from, joined);

    fn run(&self, (documents, joined): Self::In, _: &mut Cx<'_>) -> Result<Vec<Book>, Stop> {
        let Some(book) = documents.iter().find_map(|document| document.book.as_ref()) else {
            return Err(Stop::reject("no-book", "the source gives no book with the document"));
        };
        let mut book = book.clone();
        if let Some(joined) = joined {
            let Some(kept) = joined.iter().find(|document| document.left_out.is_none()) else {
                let reason = joined.iter().find_map(|document| document.left_out.clone());
                return Err(reason.map_or_else(
                    || Stop::left_out("no-document", "nothing is asked about it"),
                    Stop::LeftOut,
                ));
            };
            book.kind.clone_from(&kept.kind);
        }
        Ok(vec![book])
    }
}

#[cfg(test)]
mod tests {
    use storymill_core::Reason;

    use super::{super::tests::document, *};
    use crate::tests::{book, run};

    #[test]
    fn a_book_goes_where_its_document_goes() {
        let stage = AskedBook { from: Edge::to("a"), joined: Some(Edge::to("b")) };
        let given = AskedDocument { book: Some(book("Ann came.")), ..document(&["Who came?"]) };
        let joined = document(&["Who came?"]);
        let input = |joined: &AskedDocument| {
            (vec![given.clone()].into(), Some(vec![joined.clone()].into()))
        };
        let (rows, _) = run(&stage, input(&joined));
        assert_eq!(rows.unwrap()[0].kind, "stories");
        let left_out = Some(Reason::new("other-kind", "a play"));
        let (rows, _) = run(&stage, input(&AskedDocument { left_out, ..joined }));
        assert!(matches!(rows, Err(Stop::LeftOut(reason)) if reason.code == "other-kind"));
    }
}
