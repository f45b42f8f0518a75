//! A set where it lies: a folder in clear, or a shelf. What the functions of `storymill-claims` are given is
//! the same either way.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;
use serde_json::json;
use storymill::{decided_book, must_hold_a_set, pages_of_set, set_in_folder, set_on_shelf, wipe};
use storymill_claims::{
    pair::{BookFacts, Pair},
    set::{Set, lines},
};
use storymill_core::{Book, Encoding, Fault, FaultKind, did_you_mean};
use storymill_shelf::{
    Access, Books, Change, Private, Shelf,
    sets::{self, Sets},
};

use super::{folder, measured::Measured, refused, stories};
use crate::{
    args::{
        claims::SetPlace,
        shelf::{InShelf, Place},
    },
    exit::Failure,
    novel, secrets,
};

/// Texts of books by id.
pub(super) type Texts = BTreeMap<String, Private<String>>;

/// A text, its words, and its tokens where they can be counted.
type Counted = (Private<String>, u64, Option<u64>);

/// A set that is open.
pub(super) struct Home {
    pub(super) set: Set,
    pub(super) lies: Lies,
}

/// Where a set lies.
pub(super) enum Lies {
    /// In a folder; the page of each book by id.
    Folder { path: PathBuf, pages: BTreeMap<String, PathBuf> },
    /// On a shelf.
    Shelf(Sealed),
}

/// A private set: its shelf and its name there.
pub(super) struct Sealed {
    pub(super) shelf: Arc<Shelf>,
    pub(super) name: String,
    /// What was counted and is not kept yet.
    counted: Measured,
}

impl Sealed {
    /// Opens the shelf that holds a set.
    pub(super) fn open(set: &Path, place: &Place, access: Access) -> Result<Self, Failure> {
        let name = set.to_string_lossy().into_owned();
        sets::check_name(&name)?;
        Ok(Self::of(secrets::open(place, access)?, &name))
    }

    /// A set of a shelf that is open.
    pub(super) fn of(shelf: Arc<Shelf>, name: &str) -> Self {
        Self { shelf, name: name.to_owned(), counted: Measured::default() }
    }

    /// A set that nobody has made is told so; proposals alone are one.
    pub(super) fn must_be_there(&self) -> Result<(), Fault> {
        if !self.shelf.names(&sets::place(&self.name, "")).is_empty() {
            return Ok(());
        }
        let known = Sets(&self.shelf).names();
        let hint = did_you_mean(&self.name, known.iter().map(String::as_str));
        let makes = "`storymill claims import FILE --into SET --shelf DIR` makes one";
        Err(Fault::new(FaultKind::Input, "there is no set of this name on the shelf")
            .hint(hint.map_or_else(|| makes.to_owned(), |hint| format!("{hint} {makes}"))))
    }

    /// What was counted of the set's books.
    pub(super) fn measured(&self) -> Result<Measured, Fault> {
        Ok(serde_json::from_slice(self.read("measured")?.expose()).unwrap_or_default())
    }

    /// What is kept of the set under a name; nothing where there is no such thing.
    pub(super) fn read(&self, what: &str) -> Result<Private<Vec<u8>>, Fault> {
        let kept = Sets(&self.shelf).file(&self.name, what)?;
        Ok(kept.unwrap_or_else(|| Private::new(Vec::new())))
    }

    /// Keeps something of the set.
    pub(super) fn put(&self, what: &str, bytes: &[u8]) -> Result<(), Fault> {
        self.shelf.change(|change| change.put(&sets::place(&self.name, what), bytes))
    }

    /// Adds to something that is kept of the set.
    pub(super) fn append(&self, what: &str, bytes: &[u8]) -> Result<(), Fault> {
        self.shelf.change(|change| change.append(&sets::place(&self.name, what), bytes))
    }

    fn keep(&self, set: &Set) -> Result<(), Fault> {
        self.keep_with(set, |_| Ok(()))
    }

    /// Keeps the set, with more that is changed in the same step.
    pub(super) fn keep_with(
        &self,
        set: &Set,
        also: impl FnOnce(&mut Change<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let text = Private::new(lines(&set.pairs).into_bytes());
        let books = Private::new(lines(&set.books).into_bytes());
        let mut pairs = sets::parse(text.expose())?;
        // What was committed to is JSON: a pair that is the same keeps the form that it has.
        let old = sets::parse(self.read("pairs")?.expose())?;
        let old: BTreeMap<&String, _> = old.expose().0.iter().map(|(id, it)| (id, it)).collect();
        for (id, pair) in &mut pairs.expose_mut().0 {
            let as_pair = |value| serde_json::from_value::<Pair>(value).ok();
            if let Some(old) = old.get(id)
                && as_pair((*old).clone()) == as_pair(pair.clone())
            {
                *pair = (*old).clone();
            }
        }
        let place = sets::place(&self.name, "books");
        let mut measured = self.measured()?;
        measured.extend(&self.counted);
        let more = |change: &mut Change<'_>| {
            change.put(&place, books.expose())?;
            if !measured.books.is_empty() {
                let place = sets::place(&self.name, "measured");
                change.put(&place, json!(measured).to_string().as_bytes())?;
            }
            also(change)
        };
        Sets(&self.shelf).keep_with(&self.name, &pairs, more)
    }
}

impl Home {
    /// Opens a set that must be there.
    pub(super) fn open(at: &SetPlace, access: Access) -> Result<Self, Failure> {
        let home = Self::open_or_new(&at.set, &at.on, access)?;
        match &home.lies {
            Lies::Folder { path, .. } => must_hold_a_set(path)?,
            Lies::Shelf(sealed) => sealed.must_be_there()?,
        }
        Ok(home)
    }

    /// Opens a set, or begins one.
    pub(super) fn open_or_new(set: &Path, on: &InShelf, access: Access) -> Result<Self, Failure> {
        let Some(place) = on.place() else {
            let pages = pages_of_set(&set.join("books"))?;
            let lies = Lies::Folder { path: set.to_owned(), pages };
            return Ok(Self { set: set_in_folder(set)?, lies });
        };
        Self::sealed(Sealed::open(set, &place, access)?)
    }

    /// A private set, perhaps a new one.
    pub(super) fn sealed(sealed: Sealed) -> Result<Self, Failure> {
        let set = set_on_shelf(&sealed.shelf, &sealed.name)?;
        let mut home = Self { set, lies: Lies::Shelf(sealed) };
        home.measure_again()?;
        Ok(home)
    }

    /// Counts anew what was counted of private books that have another text by now.
    fn measure_again(&mut self) -> Result<(), Failure> {
        let Lies::Shelf(sealed) = &mut self.lies else { return Ok(()) };
        let measured = sealed.measured()?;
        let mut others = Vec::new();
        for (id, counts) in &measured.books {
            if measured.is_sure_of(&sealed.shelf, id)? {
                continue;
            }
            let Some(book) = private_book(&sealed.shelf, id)? else { continue };
            let text = Private::new(book.text);
            if measured.is_of(&sealed.shelf, id, text.expose()) {
                sealed.counted.note(&sealed.shelf, id, text.expose(), *counts)?;
            } else {
                others.push((id, *counts));
            }
        }
        for (id, (words, tokens)) in &others {
            let Some(book) = self.set.books.iter_mut().find(|book| book.id == **id) else {
                continue;
            };
            book.stories.clear();
            // What a table has said of a book stays as it is.
            book.words = book.words.filter(|count| Some(*count) != *words);
            book.tokens = book.tokens.filter(|count| Some(*count) != *tokens);
        }
        if others.is_empty() { Ok(()) } else { self.measure() }
    }

    /// What people call the place of the set.
    pub(super) fn name(&self) -> String {
        match &self.lies {
            Lies::Folder { path, .. } => path.display().to_string(),
            Lies::Shelf(sealed) => format!("set `{}`", sealed.name),
        }
    }

    /// The file or folder that messages name.
    pub(super) fn path(&self) -> &Path {
        match &self.lies {
            Lies::Folder { path, .. } => path,
            Lies::Shelf(sealed) => sealed.shelf.root(),
        }
    }

    /// The text of a book, if it is there.
    pub(super) fn text(&self, book: &str) -> Result<Option<Private<String>>, Failure> {
        match &self.lies {
            Lies::Folder { pages, .. } => {
                let page = pages.get(book).map(|page| novel::read(page)).transpose()?;
                Ok(page.map(|novel| Private::new(novel.text)))
            }
            Lies::Shelf(sealed) => {
                let book = private_book(&sealed.shelf, book)?;
                Ok(book.map(|book| Private::new(book.text)))
            }
        }
    }

    /// The texts of the books that the set's pairs are on, as far as they are there.
    pub(super) fn texts(&self) -> Result<Texts, Failure> {
        self.texts_of(&self.set.pairs)
    }

    /// The texts of the books that some pairs are on, as far as they are there.
    pub(super) fn texts_of<'p>(
        &self,
        pairs: impl IntoIterator<Item = &'p Pair>,
    ) -> Result<Texts, Failure> {
        let mut texts = Texts::new();
        for pair in pairs {
            if !texts.contains_key(&pair.book)
                && let Some(text) = self.text(&pair.book)?
            {
                texts.insert(pair.book.clone(), text);
            }
        }
        Ok(texts)
    }

    /// Counts words and tokens of books where nobody has said how many there are.
    pub(super) fn measure(&mut self) -> Result<(), Failure> {
        for pair in &self.set.pairs {
            if !self.set.books.iter().any(|book| book.id == pair.book) {
                self.set.books.push(BookFacts::new(&pair.book));
            }
        }
        let unknown = |book: &&BookFacts| book.words.is_none() || book.tokens.is_none();
        let ids: Vec<String> =
            self.set.books.iter().filter(unknown).map(|book| book.id.clone()).collect();
        // Some at a time: books are long, and all of them need not be in memory at once.
        for ids in ids.chunks(64) {
            let counted: Vec<_> = ids.par_iter().map(|id| self.count(id)).collect();
            for (id, counted) in ids.iter().zip(counted) {
                let Some((text, words, tokens)) = counted? else { continue };
                let books = &mut self.set.books;
                let Some(book) = books.iter_mut().find(|book| book.id == *id) else { continue };
                // What somebody else has said is not ours.
                let ours = (
                    book.words.is_none().then_some(words),
                    tokens.filter(|_| book.tokens.is_none()),
                );
                book.words = book.words.or(Some(words));
                book.tokens = book.tokens.or(tokens);
                if let Lies::Shelf(sealed) = &mut self.lies {
                    sealed.counted.note(&sealed.shelf, id, text.expose(), ours)?;
                }
            }
        }
        let Lies::Shelf(sealed) = &mut self.lies else { return Ok(()) };
        let shelf = Arc::clone(&sealed.shelf);
        let root = shelf.root().to_owned();
        let mistakes = stories::find(&mut self.set, |book| private_book(&shelf, book))?;
        if mistakes.is_empty() {
            return Ok(());
        }
        Err(refused(&root, "the stories of pairs are not found", &mistakes))
    }

    /// The text of a book, its words and its tokens, if it is there and tokens can be counted.
    fn count(&self, book: &str) -> Result<Option<Counted>, Failure> {
        let Some(text) = self.text(book)? else { return Ok(None) };
        let words = text.expose().split_whitespace().count() as u64;
        let tokens = storymill_transforms::tokens(text.expose(), Encoding::Cl100kBase);
        Ok(Some((text, words, tokens)))
    }

    /// Writes the set where it lies.
    pub(super) fn keep(&self) -> Result<(), Fault> {
        match &self.lies {
            Lies::Folder { path, .. } => folder::write(path, &self.set),
            Lies::Shelf(sealed) => sealed.keep(&self.set),
        }
    }
}

/// A book of a shelf, as people decided on it.
fn private_book(shelf: &Shelf, book: &str) -> Result<Option<Book>, Fault> {
    let id = Books(shelf).ids().into_iter().find(|id| id.as_str() == book);
    id.map(|id| decided_book(shelf, &id)).transpose()
}

impl Drop for Home {
    /// What a private set says is overwritten.
    fn drop(&mut self) {
        wipe(&mut self.set);
    }
}

/// Borrowed texts, as the functions take them.
pub(super) fn borrowed(texts: &Texts) -> BTreeMap<String, &str> {
    texts.iter().map(|(id, text)| (id.clone(), text.expose().as_str())).collect()
}
