//! The source `claim-set`: the claims of a set, in a folder or on a shelf, to be put to models.
//!
//! A unit is a book with both claims of every pair on it. Its text lies in the set already, so the store keeps none of it.

mod exposures;
mod pages;
mod reading;
mod table;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_claims::{
    exposure,
    facets::facets,
    pair::{BookFacts, Half, Pair, is_date, is_past},
    set::{Set, lines},
    standing::words_of,
};
use storymill_core::{
    BookId, Digest, Env, Exam, ExamQuestion, Facet, Fault, FaultKind, Known, Listing, OpenSource,
    Options, Reviews, Source, SourceUnit, Stop, did_you_mean,
};
use storymill_shelf::{Private, Shelf, sets::Sets};
use storymill_sources::FolderPath;

pub use exposures::{Exposures, LOCAL, exposures};
pub use pages::{pages_of_set, text_of_page};
pub use reading::{file_of_set, must_hold_a_set, retired_pairs, set_in_folder, set_on_shelf, wipe};
pub use table::ClaimTable;
use table::question;

use crate::workspace::decided_book;

/// The claims of a set: a folder with `pairs.jsonl`, `books.jsonl` and `books/ID.txt` (or a page), or with an open shelf
/// the set of this name on it. Retired pairs are not asked.
///
/// ```
/// use storymill::ClaimSet;
/// let source: ClaimSet = serde_json::from_str(r#"{ "path": "my-set" }"#).unwrap();
/// assert!(source.pairs.is_none());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimSet {
    /// The set's folder, relative to the workflow file; its name where it is on a shelf.
    pub path: FolderPath,
    /// So many pairs, drawn by their ids: a trial whose answers a longer run finds in the log. Default: all.
    #[serde(default, skip_serializing)]
    pub pairs: Option<u32>,
    /// Leave out pairs that the set's ledger says this provider has seen; `PROVIDER:DATE` for what it saw before a day.
    /// Default: none.
    #[serde(default, skip_serializing)]
    pub unexposed: Option<String>,
}

impl Options for ClaimSet {
    fn check(&self) -> Vec<(&'static str, String)> {
        if self.path.as_path().as_os_str().is_empty() {
            return vec![("path", "is empty; name a set of claims".to_owned())];
        }
        if self.pairs == Some(0) {
            return vec![("pairs", "must be at least 1; leave it out to ask all".to_owned())];
        }
        Vec::new()
    }
}

impl Source for ClaimSet {
    const KIND: &'static str = "claim-set";
    const VERSION: u32 = 2;
    const KEPT: bool = false;
    type Out = Exam;

    fn open(&self, env: &Env<'_>) -> Result<Box<dyn OpenSource<Exam>>, Fault> {
        let (set, lent) = (self.path.as_path(), env.lent.get::<Arc<Exposures>>());
        let mut claims = match lent {
            Some(lent) => Claims::on_shelf(&lent.shelf, &set.to_string_lossy())?,
            None => Claims::in_folder(&env.root.join(set))?,
        };
        claims.choose(self.unexposed.as_deref(), self.pairs)?;
        if let Some(lent) = lent {
            lent.hear(claims.books(), &set.to_string_lossy());
        }
        Ok(Box::new(claims))
    }
}

/// A set that is open: its pairs, and where the texts of its books lie.
#[expect(missing_debug_implementations, reason = "it may be private")]
pub struct Claims {
    /// The pairs that are asked, and what is known of their books.
    set: Set,
    /// The ledger of exposures.
    ledger: Private<Vec<u8>>,
    texts: Texts,
}

impl Drop for Claims {
    fn drop(&mut self) {
        wipe(&mut self.set);
    }
}

/// Where texts lie.
enum Texts {
    /// In pages, by book.
    Pages(BTreeMap<String, PathBuf>),
    Shelf(Arc<Shelf>),
}

impl Claims {
    /// Whether a folder holds a set.
    pub fn are_in(folder: &Path) -> bool {
        folder.join("pairs.jsonl").is_file()
    }

    /// Opens a set in a folder.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be read.
    pub fn in_folder(folder: &Path) -> Result<Self, Fault> {
        must_hold_a_set(folder)?;
        let set = set_in_folder(folder)?;
        let ledger = Private::new(file_of_set(folder, "exposures.jsonl")?);
        Ok(Self { set, ledger, texts: Texts::Pages(pages_of_set(&folder.join("books"))?) })
    }

    /// Opens a set on a shelf, without the pairs that are retired.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be read.
    pub fn on_shelf(shelf: &Arc<Shelf>, name: &str) -> Result<Self, Fault> {
        let mut set = set_on_shelf(shelf, name)?;
        if set.pairs.is_empty() {
            return Err(Sets(shelf).unknown(name));
        }
        let retired = retired_pairs(shelf, name)?;
        set.pairs.retain(|pair| !retired.contains(&pair.id));
        let ledger = reading::kept(shelf, name, "exposures")?;
        Ok(Self { set, ledger, texts: Texts::Shelf(Arc::clone(shelf)) })
    }

    /// The ids of the pairs that are asked.
    pub fn pairs(&self) -> impl Iterator<Item = &str> {
        self.set.pairs.iter().map(|pair| pair.id.as_str())
    }

    /// The ids of those whose last day of use has passed, today being a day such as 2026-11-28.
    pub fn past(&self, today: &str) -> Vec<&str> {
        let is_past =
            |pair: &&Pair| pair.retire_after.as_ref().is_some_and(|last| is_past(last, today));
        self.set.pairs.iter().filter(is_past).map(|pair| pair.id.as_str()).collect()
    }

    /// A digest of the claims that are asked: results are of them as long as it stays.
    pub fn digest(&self) -> Digest {
        let mut words: Vec<String> = Vec::new();
        for pair in &self.set.pairs {
            let own = Half::BOTH.map(|half| words_of(pair.claim(half)).to_string());
            words.push(format!("{} {}", pair.id, own.join(" ")));
        }
        words.sort_unstable();
        let parts = words.iter().map(String::as_bytes);
        Digest::of_parts("storymill 2026 claims that are asked v1", parts)
    }

    /// Leaves out what a provider has seen, then keeps so many pairs.
    ///
    /// # Errors
    ///
    /// The ledger cannot be read.
    pub(crate) fn choose(
        &mut self,
        unexposed: Option<&str>,
        pairs: Option<u32>,
    ) -> Result<(), Fault> {
        if let Some(provider) = unexposed {
            let (provider, before) = match provider.rsplit_once(':') {
                Some((provider, day)) if is_date(day) => (provider, Some(day)),
                _ => (provider, None),
            };
            let ledger = exposure::read(self.ledger.expose()).map_err(|_| {
                Fault::new(FaultKind::Input, "the ledger of exposures cannot be read")
            })?;
            let seen = exposure::exposed(&ledger, provider, before);
            self.set.pairs.retain(|pair| !seen.contains(&pair.id));
        }
        if let Some(pairs) = pairs {
            self.draw(pairs);
        }
        Ok(())
    }

    /// Keeps so many pairs, those whose ids have the smallest digests: fewer are among more.
    fn draw(&mut self, most: u32) {
        let key =
            |pair: &Pair| Digest::of_parts("storymill 2026 drawn pair v1", [pair.id.as_bytes()]);
        let mut keys: Vec<Digest> = self.set.pairs.iter().map(key).collect();
        keys.sort_unstable();
        keys.truncate(most as usize);
        self.set.pairs.retain(|pair| keys.binary_search(&key(pair)).is_ok());
    }

    /// The text of a book, its title and its author.
    fn book(&self, id: &BookId) -> Result<(String, String, String), Fault> {
        match &self.texts {
            Texts::Shelf(shelf) => {
                let book = decided_book(shelf, id)?;
                Ok((
                    book.text,
                    book.title,
                    book.authors.first().map(|one| one.name.clone()).unwrap_or_default(),
                ))
            }
            Texts::Pages(pages) => {
                let page = pages.get(id.as_str()).ok_or_else(|| {
                    let known = did_you_mean(id.as_str(), pages.keys().map(String::as_str));
                    Fault::new(FaultKind::Input, format!("the set has no text of the book `{id}`"))
                        .hint(
                            known.unwrap_or_else(|| {
                                format!("put it into the set as `books/{id}.txt`")
                            }),
                        )
                })?;
                Ok((text_of_page(page)?, String::new(), String::new()))
            }
        }
    }

    /// The books that pairs are on, in order.
    pub fn books(&self) -> Vec<BookId> {
        let ids = self.set.pairs.iter().filter_map(|pair| pair.book.parse().ok());
        ids.collect::<BTreeSet<BookId>>().into_iter().collect()
    }

    /// The pairs on a book.
    fn pairs_on<'s>(&'s self, book: &'s str) -> impl Iterator<Item = &'s Pair> {
        self.set.pairs.iter().filter(move |pair| pair.book == book)
    }

    /// The claims on a book, with its text.
    ///
    /// # Errors
    ///
    /// The set has no text of the book, or evidence or a story ends behind its end.
    pub fn exam(&self, of: &BookId) -> Result<Exam, Fault> {
        let (text, title, author) = self.book(of)?;
        let unknown = BookFacts::default();
        let facts = self.set.book(of.as_str()).unwrap_or(&unknown);
        let mut questions = Vec::new();
        for pair in self.pairs_on(of.as_str()) {
            let story = story(pair, facts)?;
            for half in Half::BOTH {
                let mut facets = facets(pair, facts);
                facets.push(Facet::new("claim", half.name()));
                questions.push(ExamQuestion {
                    config: "claims".to_owned(),
                    split: "test".to_owned(),
                    flags: Vec::new(),
                    written_by: Vec::new(),
                    facets,
                    story: story.clone(),
                    question: question(pair, half, of, &text)?,
                });
            }
        }
        // Neither the order of requests nor that of rows says which claims are twins, or which of two is true.
        questions.sort_by_cached_key(|asked| words_of(asked.question.given()));
        Ok(Exam {
            of: of.clone(),
            title: facts.title.clone().unwrap_or(title),
            author: facts.author.clone().unwrap_or(author),
            language: "en".to_owned(),
            text,
            scenes: Vec::new(),
            retellings: Vec::new(),
            questions,
        })
    }
}

/// Where the story of a pair stands in its book, if the pair names one.
fn story(pair: &Pair, facts: &BookFacts) -> Result<Option<std::ops::Range<u32>>, Fault> {
    let Some(name) = &pair.story else { return Ok(None) };
    let found = facts.stories.iter().find(|story| story.name == *name);
    let found = found.ok_or_else(|| {
        let message = format!("pair {}: its story is not among the stories of its book", pair.id);
        Fault::new(FaultKind::Input, message)
    })?;
    Ok(Some(found.start..found.end))
}

impl OpenSource<Exam> for Claims {
    fn units(&self, _: &Known) -> Result<Listing, Fault> {
        let mut units = Vec::new();
        for unit in self.books() {
            let id = unit.as_str();
            let pairs: Vec<Pair> = self.pairs_on(id).cloned().collect();
            let pairs = Private::new(lines(&pairs));
            let facts = lines(&Vec::from_iter(self.set.book(id)));
            let text = Private::new(self.book(&unit)?.0);
            let parts = [pairs.expose().as_bytes(), facts.as_bytes(), text.expose().as_bytes()];
            let digest = match &self.texts {
                Texts::Pages(_) => Digest::of_parts("storymill 2026 claim set unit v1", parts),
                // What anybody could guess at is digested under the shelf's own key.
                Texts::Shelf(shelf) => {
                    shelf.digest("claim set unit v1", Private::new(parts.concat()).expose())
                }
            };
            units.push(SourceUnit {
                unit,
                path: PathBuf::new(),
                digest,
                spoiled: None,
                stamp: None,
            });
        }
        Ok(Listing { units, notes: Vec::new() })
    }

    fn read(&self, unit: &SourceUnit, _: &mut Reviews<'_>) -> Result<Vec<Exam>, Stop> {
        Ok(vec![self.exam(&unit.unit)?])
    }
}
