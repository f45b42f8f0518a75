//! What a build knows beside what it published: where items come from, what has no row, casts, pages.

use serde::Serialize;
use storymill_core::Fault;

/// One thing that an item comes from, and what that comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Came {
    /// What it is: `question`, `retelling`, `scene`, `page`.
    pub what: String,
    /// Its id.
    pub id: String,
    /// The step that made it, with kind and version.
    pub step: String,
    /// More that there is to say.
    pub facts: Vec<Fact>,
    /// What it comes from in turn.
    pub from: Vec<Came>,
}

/// A fact about something, and the page of this site that has more of it.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The path of the page with more of it; blank if there is none.
    pub path: String,
}

/// An item that has no row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Left {
    /// The step that made none.
    pub step: String,
    /// The unit: a book, a question set.
    pub unit: String,
    /// The item; the unit where nothing came of all of it.
    pub item: String,
    /// The reason in a short word, by which it is counted.
    pub code: String,
    /// The reason for people.
    pub detail: String,
    /// The symbols of the book where it stands.
    pub symbols: Option<(u32, u32)>,
    /// Whether it was left out on purpose; else it failed.
    pub on_purpose: bool,
}

/// How many items of a step have no row for one reason: what a published folder says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftCount {
    /// The step.
    pub step: String,
    /// The reason in a short word.
    pub code: String,
    /// How many.
    pub items: u64,
    /// Whether they were left out on purpose.
    pub on_purpose: bool,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Raw {
    /// What it was asked for.
    pub item: String,
    /// Which try it was, from 1; 0 where nobody knows.
    pub attempt: u32,
    /// Why it was refused; blank if it was taken.
    pub refused: String,
    /// Every symbol of it.
    pub text: String,
    /// Why it ended, in the server's word.
    pub ended: String,
}

/// The page that a book was made from: what was kept and what was cut, in the page's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The whole page, decoded.
    pub text: String,
    /// The encoding that it was read in.
    pub encoding: String,
    /// Per mille of its visible letters that was kept.
    pub kept_pm: u16,
    /// Paragraphs that were kept.
    pub kept: Vec<Kept>,
    /// Pieces that were cut.
    pub cut: Vec<Cut>,
}

/// A paragraph that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its first byte in the decoded page and the first behind it.
    pub bytes: (u32, u32),
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Its text.
    pub text: String,
}

/// A piece that was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its first byte in the decoded page and the first behind it.
    pub bytes: (u32, u32),
    /// Why, in a word: `footnote`.
    pub why: String,
    /// Its text.
    pub text: String,
}

/// Who is who in a book, and what their names became.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CastList {
    /// People, the most named first.
    pub people: Vec<Person>,
    /// Places, the most named first.
    pub places: Vec<Person>,
    /// Names of nobody, and why they are left.
    pub nobody: Vec<(String, String)>,
    /// Each part of a name and what stands for it.
    pub names: Vec<Renamed>,
    /// The text with its own names.
    pub text: String,
    /// Where names stand in it: first byte, the first behind it, the part.
    pub at: Vec<(usize, usize, usize)>,
}

/// Somebody, or somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The fullest name.
    pub name: String,
    /// As far as the book says; blank for places.
    pub gender: String,
    /// The parts of the name.
    pub parts: Vec<String>,
    /// How often the book names them.
    pub seen: u32,
    /// Whether the name stays as it is.
    pub keeps: bool,
}

/// A part of a name and what stands for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renamed {
    /// The part.
    pub part: String,
    /// Its substitute.
    pub substitute: String,
    /// What it names: `female`, `family`.
    pub role: String,
    /// Places of the text where it is replaced.
    pub count: u32,
}

/// What a build knows beside what it published.
pub trait Build: Send + Sync {
    /// Where everything of this id comes from.
    ///
    /// # Errors
    ///
    /// There is no such item, or what is kept of it cannot be read.
    fn origins(&self, id: &str) -> Result<Vec<Came>, Fault>;

    /// Everything that has no row, in the order of steps.
    fn left(&self) -> Vec<Left>;

    /// What models answered to something that has no row.
    ///
    /// # Errors
    ///
    /// What is kept cannot be read.
    fn answers_to(&self, left: &Left) -> Result<Vec<Raw>, Fault>;

    /// An answer by its key, that making a unit has read.
    ///
    /// # Errors
    ///
    /// What is kept cannot be read.
    fn answer(&self, unit: &str, key: &str) -> Result<Option<Raw>, Fault>;

    /// The page that a book was made from.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is another one by now.
    fn page(&self, book: &str) -> Result<Option<Page>, Fault>;

    /// Whether there is a page to show of a book, without reading it.
    fn has_page(&self, book: &str) -> bool;

    /// The cast of a book.
    ///
    /// # Errors
    ///
    /// What is kept of it cannot be read.
    fn cast(&self, book: &str) -> Result<Option<CastList>, Fault>;

    /// The books that have a cast.
    fn casts(&self) -> Vec<String>;
}
