//! `substitutes`: what each part of a book's names is replaced by, drawn by seed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cast, Cx, Edge, FaultKind, Options, Rows, Stage, Stop, Substitution, SymbolIndex, stage,
};
use storymill_names::{CastFile, LISTS, Substitutes as Drawn, Sure, Words};

/// Draws a substitute for each part of a book's names: never a word of the book, no two alike, of the same gender.
///
/// ```
/// use storymill_transforms::Substitutes;
/// assert!(toml::from_str::<Substitutes>("from = 'casts'\nbooks = 'books'").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Substitutes {
    /// The step that makes the casts.
    pub from: Edge<Cast>,
    /// The step that makes the books.
    pub books: Edge<Book>,
}

impl Options for Substitutes {
    fn embedded(&self) -> Vec<&'static str> {
        LISTS.to_vec()
    }
}

impl Stage for Substitutes {
    stage!("substitutes", 4, (Rows<Cast>, Rows<Book>) => Substitution, from, books);

    fn run(&self, (casts, books): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Substitution>, Stop> {
        let (Some(cast), Some(book)) = (casts.first(), books.first()) else {
            return Err(Stop::reject("no-cast", "there is no cast of this book"));
        };
        let refused = |fault: storymill_core::Fault| match fault.kind {
            FaultKind::Input => Stop::reject("no-substitutes", fault.message),
            _ => Stop::Fault(fault),
        };
        let file = CastFile::parse(&cast.toml).map_err(refused)?;
        let words = Words::new(&book.text);
        let drawn = Drawn::draw(&file, &words, cx.seed()).map_err(refused)?;
        let places = file.places_in(&book.text).unwrap_or_default();
        let replaced = drawn.apply(&book.text, Sure::At(&places));
        let index = SymbolIndex::new(&book.text);
        let mut rows: Vec<Substitution> = drawn
            .pairs()
            .iter()
            .map(|pair| Substitution {
                book: book.id.clone(),
                part: pair.part.clone(),
                substitute: pair.substitute.clone(),
                role: pair.role.clone(),
                written: pair.written.clone(),
                count: 0,
                careful: pair.careful,
                at: Vec::new(),
            })
            .collect();
        for edit in &replaced.edits {
            let row = &mut rows[edit.pair];
            row.count += 1;
            if row.careful {
                row.at.push(index.place(edit.old.start).symbol);
            }
        }
        Ok(rows)
    }
}
