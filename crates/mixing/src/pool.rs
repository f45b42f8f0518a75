//! The passages of a set, each text once.

use std::collections::HashMap;

use storymill_core::{Digest, Document, Passage, SetQuestion, UnitId};
use storymill_text::Language;

use crate::length;

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
        rows.iter().enumerate().for_each(|(at, row)| pool.add(&row.documents, !chosen(at)));
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

    /// Adds the documents of the next row, and says whether they may distract.
    pub fn add(&mut self, documents: &[Document], distracts: bool) {
        let mut own = Vec::with_capacity(documents.len());
        for document in documents {
            let text = text_of(document);
            let hash = hash(text.as_bytes());
            let same = self.numbers.get(&hash).map_or(&[][..], Vec::as_slice);
            let known = same.iter().find(|number| self.text(**number) == text).copied();
            let number = known.unwrap_or_else(|| {
                let number = u32::try_from(self.passages.len()).expect("a set fits memory");
                self.numbers.entry(hash).or_default().push(number);
                let symbols = text.chars().count() as u64;
                self.facts.push(Fact { symbols, hash, distracts: true });
                let length = length(&text, self.language);
                let (set, title) = (self.set.clone(), document.title.trim().to_owned());
                self.passages.push(Passage { set, number, title, text, length });
                number
            });
            self.facts[number as usize].distracts &= distracts;
            own.push(number);
        }
        self.documents.push(own);
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

    /// The passages of a row's documents, in their order.
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
