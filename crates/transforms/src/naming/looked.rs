//! Rows that are looked through for names: every text that is published of them, and the search that knows no cast.

use storymill_core::{
    Book, BookId, Distortion, EdgeSet, EdgeSpec, Fault, FaultKind, Form, Found, Inputs, Parts,
    Question, ReadAlongQuestion, Reconstruction, Record, Scene, Summary,
};
use storymill_names::NamesLeft;

use super::told::Told;

/// Edges of which some are left out.
#[derive(Debug)]
pub struct Listed(pub(super) Vec<EdgeSpec>);

impl EdgeSet for Listed {
    fn specs(&self) -> Vec<EdgeSpec> {
        self.0.clone()
    }
}

/// Rows in canonical bytes, in the order of the edges.
#[derive(Debug)]
pub struct Undecoded(pub(super) Vec<Vec<u8>>);

#[cfg(test)]
impl Undecoded {
    /// Rows that are at hand.
    pub(super) fn of(parts: Vec<Vec<u8>>) -> Self {
        Self(parts)
    }
}

impl Inputs for Undecoded {
    type Edges = Listed;

    fn load(edges: &Listed, found: &mut Found<'_>, from: &dyn Parts) -> Result<Self, Fault> {
        let read = |_| from.read(&found.next_edge()[0]);
        edges.0.iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

/// The specs of edges that may be left out, in this order.
macro_rules! specs {
    ($stage:ident, $($edge:ident),+) => {{
        let mut specs = Vec::new();
        $(specs.extend(storymill_core::EdgeSet::specs(&$stage.$edge));)+
        specs
    }};
}
pub(super) use specs;

/// A text of a row.
pub(super) struct Text {
    pub(super) text: String,
    /// Whether it tells of another book.
    pub(super) other_book: bool,
}

/// The rows of one record, each as its id and its texts.
pub(super) struct Looked {
    pub(super) record: &'static str,
    pub(super) rows: Vec<(String, Vec<Text>)>,
}

pub(super) fn rows<R: Record>(bytes: &[u8]) -> Result<Vec<R>, Fault> {
    R::decode(bytes).map_err(|error| {
        Fault::new(FaultKind::Internal, format!("these are not {} rows", R::NAME)).because(error)
    })
}

impl Looked {
    /// Every row of a record of this unit.
    pub(super) fn read(record: &'static str, bytes: &[u8], unit: &BookId) -> Result<Self, Fault> {
        let rows = match record {
            Book::NAME => rows::<Book>(bytes)?.into_iter().map(book).collect(),
            Scene::NAME => {
                let id = |scene: &Scene| Scene::id_of(&scene.book, scene.scene);
                rows::<Scene>(bytes)?.into_iter().map(|row| (id(&row), own([row.text]))).collect()
            }
            Summary::NAME => told::<Summary>(bytes)?,
            Distortion::NAME => told::<Distortion>(bytes)?,
            ReadAlongQuestion::NAME => {
                let rows = rows::<ReadAlongQuestion>(bytes)?;
                rows.into_iter().map(|row| question(row.0, unit)).collect()
            }
            _ => {
                let rows = rows::<Reconstruction>(bytes)?;
                rows.into_iter().map(|row| question(row.0, unit)).collect()
            }
        };
        Ok(Self { record, rows })
    }
}

fn own(texts: impl IntoIterator<Item = String>) -> Vec<Text> {
    texts.into_iter().map(|text| Text { text, other_book: false }).collect()
}

fn told<R: Told>(bytes: &[u8]) -> Result<Vec<(String, Vec<Text>)>, Fault> {
    let texts = |mut row: R| (row.item_id(), own(row.texts().into_iter().map(std::mem::take)));
    Ok(rows::<R>(bytes)?.into_iter().map(texts).collect())
}

fn book(row: Book) -> (String, Vec<Text>) {
    let mut texts: Vec<String> = row.chapters.into_iter().map(|chapter| chapter.title).collect();
    texts.extend(row.authors.into_iter().map(|author| author.name));
    texts.extend([row.title, row.text, row.source_url]);
    texts.extend([row.subjects, row.bookshelves, row.kind_evidence, row.flags].concat());
    (row.id.to_string(), own(texts))
}

/// The task, and all that tells of a book; an option may tell of another one.
fn question(row: Question, unit: &BookId) -> (String, Vec<Text>) {
    let mut texts = own([row.task]);
    match row.form {
        Form::Options { given, options, .. } => {
            texts.extend(own(given.into_iter().map(|given| given.text)));
            texts.extend(options.into_iter().map(|option| Text {
                text: option.text,
                other_book: option.book.is_some_and(|book| book != *unit),
            }));
        }
        Form::FreeText { given, references, keywords } => {
            texts.extend(own(given.map(|given| given.text).into_iter().chain(references)));
            texts.extend(own([keywords]));
        }
        Form::Verdict { claim, .. } => texts.extend(own([claim])),
    }
    (row.id, texts)
}

/// The search for names that are left, from the books with their own names, and from those with other names or
/// their scenes if they are among what is looked through.
pub(super) fn search(originals: &[Book], looked: &[Looked]) -> NamesLeft {
    let all = |texts: &mut dyn Iterator<Item = &str>| texts.collect::<Vec<_>>().concat();
    let own = all(&mut originals.iter().map(|book| book.text.as_str()));
    let of = |record: &str| looked.iter().find(|one| one.record == record);
    let new = of(Book::NAME).or_else(|| of(Scene::NAME)).map(|one| {
        let texts = one.rows.iter().flat_map(|(_, texts)| texts);
        all(&mut texts.map(|text| text.text.as_str()))
    });
    NamesLeft::new(&own, new.as_deref())
}
