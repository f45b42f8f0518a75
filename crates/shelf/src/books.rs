//! Private books: the clean text, the page it was made from, and a few facts.

use serde::{Deserialize, Serialize};
use storymill_core::{Book, BookId, Fault, FaultKind, Record, Reviews, Stop, nearest};
use zeroize::Zeroize;

use crate::{Private, Shelf};

/// The rights of a book that is everybody's.
pub const PUBLIC: &str = "public-domain";

/// What is told of a private book where its text is not.
#[derive(Clone, Serialize, Deserialize)]
#[expect(missing_debug_implementations, reason = "a title is private too")]
pub struct BookFacts {
    /// Its title.
    pub title: String,
    /// Its authors, as the page names them.
    pub authors: Vec<String>,
    /// `public-domain`, or what the maintainers know of its rights.
    pub rights: String,
    /// Words, by white space.
    pub words: u64,
    /// Symbols.
    pub symbols: u64,
    /// The name of the file that it was made from, which tells what kind of page it is.
    #[serde(default)]
    pub page: String,
}

/// Makes a book of its page, with what people decided on doubts about it. The shelf knows no pages, so
/// whoever knows them lends this.
pub type Cleaner = fn(&[u8], &str, &BookId, &mut Reviews<'_>) -> Result<Book, Stop>;

impl Zeroize for BookFacts {
    fn zeroize(&mut self) {
        self.title.zeroize();
        self.authors.zeroize();
        self.rights.zeroize();
        self.page.zeroize();
    }
}

impl BookFacts {
    /// The facts of a book.
    pub fn of(book: &Book) -> Self {
        Self {
            title: book.title.clone(),
            authors: book.authors.iter().map(|author| author.name.clone()).collect(),
            rights: book.rights.clone(),
            words: book.text.split_whitespace().count() as u64,
            symbols: book.text.chars().count() as u64,
            page: String::new(),
        }
    }

    /// Whether everybody may have its text.
    pub fn is_public(&self) -> bool {
        self.rights == PUBLIC
    }
}

/// The books of a shelf.
#[derive(Clone, Copy, Debug)]
pub struct Books<'s>(pub &'s Shelf);

impl Books<'_> {
    /// Puts a book on the shelf, with the page that it was made from and that page's name.
    ///
    /// # Errors
    ///
    /// There is a book of this id and `replace` does not say that it may go; or the disk fails.
    pub fn add(
        &self,
        book: Book,
        file: &str,
        page: &[u8],
        replace: bool,
    ) -> Result<Private<BookFacts>, Fault> {
        let id = book.id.clone();
        if !replace && self.0.len_of(&name(&id, "book")).is_some() {
            return Err(Fault::new(
                FaultKind::Input,
                format!("there is a book `{id}` on the shelf already"),
            )
            .hint("give the new one another id (`--id`), or say `--replace`"));
        }
        let facts = Private::new(BookFacts { page: file.to_owned(), ..BookFacts::of(&book) });
        let told = Private::new(serde_json::to_vec(facts.expose()).map_err(unwritable)?);
        let rows = Private::new(Book::encode(&[book]).map_err(unwritable)?);
        self.0.change(|change| {
            change.put(&name(&id, "book"), rows.expose())?;
            change.put(&name(&id, "page"), page)?;
            change.put(&name(&id, "facts"), told.expose())
        })?;
        Ok(facts)
    }

    /// The ids of all books, sorted.
    pub fn ids(&self) -> Vec<BookId> {
        let names = self.0.names("books/");
        let ids =
            names.iter().filter_map(|name| name.strip_suffix("/book")?.strip_prefix("books/"));
        ids.filter_map(|id| id.parse().ok()).collect()
    }

    /// What is told of a book.
    pub fn facts(&self, id: &BookId) -> Result<Private<BookFacts>, Fault> {
        let bytes = self.0.read(&name(id, "facts"))?.ok_or_else(|| self.unknown(id))?;
        serde_json::from_slice(bytes.expose()).map(Private::new).map_err(|_| foreign(id))
    }

    /// The rows of a book, in canonical bytes.
    pub fn rows(&self, id: &BookId) -> Result<Private<Vec<u8>>, Fault> {
        self.0.read(&name(id, "book"))?.ok_or_else(|| self.unknown(id))
    }

    /// A book.
    pub fn book(&self, id: &BookId) -> Result<Book, Fault> {
        let rows = Book::decode(self.rows(id)?.expose()).map_err(|_| foreign(id))?;
        rows.into_iter().next().ok_or_else(|| foreign(id))
    }

    /// A book as people decided: made of its page anew, with the rights that were told of it.
    pub fn decided(
        &self,
        id: &BookId,
        clean: Cleaner,
        reviews: &mut Reviews<'_>,
    ) -> Result<Book, Stop> {
        let (book, facts) = (self.book(id)?, self.facts(id)?);
        let page = self.0.read(&name(id, "page"))?.ok_or_else(|| self.unknown(id))?;
        if facts.expose().page.is_empty() {
            return Ok(book);
        }
        Ok(Book { rights: book.rights, ..clean(page.expose(), &facts.expose().page, id, reviews)? })
    }

    /// The page that a book was made from, and its name; none where the book was put there without.
    pub fn page(&self, id: &BookId) -> Result<Option<NamedPage>, Fault> {
        let facts = self.facts(id)?;
        let file = facts.expose().page.clone();
        if file.is_empty() {
            return Ok(None);
        }
        Ok(self.0.read(&name(id, "page"))?.map(|page| (page, file)))
    }

    /// Takes a book off the shelf.
    pub fn remove(&self, id: &BookId) -> Result<(), Fault> {
        let names = self.0.names(&format!("books/{id}/"));
        if names.is_empty() {
            return Err(self.unknown(id));
        }
        self.0.change(|change| {
            for name in &names {
                change.remove(name);
            }
            Ok(())
        })
    }

    /// The fault of a book that nobody has added, most likely because its id is misspelt.
    fn unknown(self, id: &BookId) -> Fault {
        let ids = self.ids();
        let hint = match nearest(id.as_str(), ids.iter().map(BookId::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`storymill shelf list` shows what there is".to_owned(),
        };
        Fault::new(FaultKind::Input, format!("there is no book `{id}` on the shelf")).hint(hint)
    }
}

/// A page, and its name.
type NamedPage = (Private<Vec<u8>>, String);

fn name(id: &BookId, what: &str) -> String {
    format!("books/{id}/{what}")
}

fn foreign(id: &BookId) -> Fault {
    Fault::new(FaultKind::Store, format!("the book `{id}` was put on the shelf by another version"))
        .hint("add it again with `--replace`")
}

fn unwritable(_: impl std::error::Error) -> Fault {
    Fault::new(FaultKind::Internal, "cannot write the records of a book")
}
