//! The passages of a set, each text once.

use std::collections::HashMap;

use storymill_core::{Digest, Document, Passage, SetQuestion, UnitId};
use storymill_text::Language;

use crate::{length, long::pieces};

/// The passages of a set, and which of them may distract.
#[derive(Debug)]
pub struct Pool {
    set: UnitId,
    language: Language,
    pub(crate) passages: Vec<Passage>,
    pub(crate) facts: Vec<Fact>,
    documents: Vec<Vec<u32>>,
    /// Passages by the first bytes of their digest.
    numbers: HashMap<u64, Vec<u32>>,
}

/// What is asked of a passage again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub(crate) symbols: u64,
    /// Eight bytes of the digest of its text: choices hang on the text, not on its number.
    pub(crate) hash: u64,
    pub(crate) distracts: bool,
}

/// What a document is to the rows of a set.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Whether it may distract.
    pub distracts: bool,
    /// Whether it holds evidence of a question, so that it is wanted whole.
    pub whole: bool,
}

impl Pool {
    /// The passages of a set, numbered as they first stand in its rows. `chosen` are the rows that
    /// contexts are mixed for: their documents distract nobody (LV-Eval takes the documents of the
    /// questions that it did not select).
    pub fn new(
        set: &UnitId,
        rows: &[SetQuestion],
        language: Language,
        chosen: impl Fn(usize) -> bool,
    ) -> Self {
        let mut pool = Self::empty(set, language);
        for (at, row) in rows.iter().enumerate() {
            let whole =
                |document: usize| row.supporting.iter().any(|own| *own as usize == document);
            pool.add(&row.documents, &|document| Use {
                distracts: !chosen(at),
                whole: whole(document),
            });
        }
        pool
    }

    /// A pool without passages, to be filled row by row: then the rows need not be in memory too.
    pub fn empty(set: &UnitId, language: Language) -> Self {
        Self {
            set: set.clone(),
            language,
            passages: Vec::new(),
            facts: Vec::new(),
            documents: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Adds the documents of the next row; `used` says what each is to it. A long document is cut into passages of
    /// their own, and stands whole beside them where it holds evidence: so an answer is never cut from its document.
    pub fn add(&mut self, documents: &[Document], used: &dyn Fn(usize) -> Use) {
        let mut own = Vec::with_capacity(documents.len());
        for (at, document) in documents.iter().enumerate() {
            let (text, Use { distracts, whole }) = (text_of(document), used(at));
            let pieces = pieces(&text, self.language);
            let mut first = None;
            for piece in &pieces {
                let number = self.passage(&document.title, piece);
                self.facts[number as usize].distracts &= distracts;
                first = first.or(Some(number));
            }
            let mut number = first.unwrap_or_else(|| self.passage(&document.title, &text));
            if pieces.len() > 1 && whole {
                number = self.passage(&document.title, &text);
                self.facts[number as usize].distracts = false;
            }
            own.push(number);
        }
        self.documents.push(own);
    }

    /// The number of a text, which is a passage from now on.
    fn passage(&mut self, title: &str, text: &str) -> u32 {
        let hash = hash(text.as_bytes());
        let same = self.numbers.get(&hash).map_or(&[][..], Vec::as_slice);
        if let Some(number) = same.iter().find(|number| self.text(**number) == text) {
            return *number;
        }
        let number = u32::try_from(self.passages.len()).expect("a set fits memory");
        self.numbers.entry(hash).or_default().push(number);
        let symbols = text.chars().count() as u64;
        self.facts.push(Fact { symbols, hash, distracts: true });
        let (set, title) = (self.set.clone(), title.trim().to_owned());
        let (text, length) = (text.to_owned(), length(text, self.language));
        self.passages.push(Passage { set, number, title, text, length });
        number
    }

    /// All passages, by number.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The passages without the rest.
    pub fn into_passages(self) -> Vec<Passage> {
        self.passages
    }

    /// The text of a passage.
    ///
    /// # Panics
    ///
    /// If the pool has no such number.
    pub fn text(&self, number: u32) -> &str {
        &self.passages[number as usize].text
    }

    /// The passages of a row's documents, in their order: of a long one it whole where it holds evidence, else its
    /// first piece.
    pub fn documents(&self, row: usize) -> &[u32] {
        &self.documents[row]
    }
}

/// A document as it stands in contexts: its title, if it has one, is the first line.
fn text_of(document: &Document) -> String {
    let (title, text) = (document.title.trim(), document.text.trim());
    if title.is_empty() { text.to_owned() } else { format!("{title}\n{text}") }
}

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let digest = Digest::of(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&digest.as_bytes()[..8]);
    u64::from_le_bytes(first)
}
