//! What an archive answers where a stage asks a model: so that summaries which were paid for once
//! become recorded answers.
//!
//! The original asked in other words, but for the same things in the same order: a summary of each
//! chunk, false summaries of it, summaries of packs of summaries. A pack is answered only if it
//! holds exactly the summaries that the original's packing gives it.

use std::collections::BTreeMap;

use storymill_core::{Answer, Archive, ArchivedChunk, Asked, Reason, Request, Stage, UnitId};

use super::questions::{ArchivedQuestions, item_id};
use crate::{
    Distort, Hierarchy, Preset, Summarize,
    retelling::{
        BEGIN, END,
        answer::Protocol,
        hierarchy::{entry, grouped},
        retelling,
    },
};

/// A cell of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Which of the book's files, by its ending.
    pub file: &'static str,
    /// Which row, from 1 below the header.
    pub row: u32,
    /// The column.
    pub column: &'static str,
    /// Which value of the cell, from 1.
    pub nth: u32,
}

/// What becomes of a cell: the kind of stage that makes a row of it, and the item's id there.
pub type Use = (&'static str, String);

/// What an archive has to say of one book.
#[derive(Debug)]
pub struct Recorded<'a> {
    cells: BTreeMap<Use, Cell<'a>>,
    /// Cells that no stage has a use for, and why.
    pub loose: Vec<(Origin, Reason)>,
}

#[derive(Debug)]
struct Cell<'a> {
    origin: Origin,
    text: &'a str,
    refused: Option<Reason>,
    /// The summaries that a summary of summaries was made from.
    pack: Option<Vec<&'a str>>,
}

const SUMMARIES: &str = "tagseparated";
const LADDER: &str = "tagseparated_hierarch_sum";
const QUESTIONS: &str = "questions_shortform";

/// How many symbols the original packed (NarrativeXL, section 3).
const PACK: usize = 10_000;

/// What an answer ends by where the archive has none. Such answers are blank, and the stage that
/// asks rejects the item.
pub const NOT_IN_ARCHIVE: &str = "not-in-archive";

impl<'a> Recorded<'a> {
    /// What an archive has to say.
    pub fn of(archive: &'a Archive) -> Self {
        let mut recorded = Self { cells: BTreeMap::new(), loose: Vec::new() };
        for (at, chunk) in (0..).zip(&archive.chunks) {
            recorded.add_chunk(&archive.book, at, chunk);
        }
        recorded.add_ladder(archive);
        for question in &archive.questions {
            let (row, nth) = (question.row, question.nth);
            let origin = Origin { file: QUESTIONS, row, column: "QUESTIONS", nth };
            let cell = Cell { origin, text: &question.text, refused: None, pack: None };
            recorded.cells.insert((ArchivedQuestions::KIND, item_id(archive, question)), cell);
        }
        recorded
    }

    fn add_chunk(&mut self, book: &UnitId, at: u32, chunk: &'a ArchivedChunk) {
        let failed = chunk.failure.eq_ignore_ascii_case("fail");
        let refused = (failed || chunk.summary.is_empty()).then(|| {
            let comment = Some(&chunk.comment[..]).filter(|comment| !comment.is_empty());
            let detail = comment.unwrap_or("the original has no summary of this chunk");
            Reason::new("failed-in-original", detail)
        });
        let origin = |column, nth| Origin { file: SUMMARIES, row: at + 1, column, nth };
        let id = format!("{book}/{at:04}");
        let cell =
            Cell { origin: origin("Summaries", 1), text: &chunk.summary, refused, pack: None };
        self.cells.insert((Summarize::KIND, id.clone()), cell);
        for (sample, lie) in (0..).zip(&chunk.distortions) {
            let origin = origin("FakeSummaries", sample + 1);
            let cell = Cell { origin, text: lie, refused: blank(lie), pack: None };
            self.cells.insert((Distort::KIND, format!("{id}/d{sample}")), cell);
        }
    }

    fn add_ladder(&mut self, archive: &'a Archive) {
        let origin = |row, column| Origin { file: LADDER, row, column, nth: 1 };
        let mut levels: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for rung in &archive.ladder {
            if !rung.broken.is_empty() {
                let reason = Reason::new("broken-row", &rung.broken);
                self.loose.push((origin(rung.row, "TRUE_SUMMARY"), reason));
            } else if rung.level == 0 && rung.truth.is_empty() {
                let reason = blank(&rung.truth).expect("it is blank");
                self.loose.push((origin(rung.row, "TRUE_SUMMARY"), reason));
            } else if rung.level == 0 {
                // What is told of scenes stands among the chunks as well.
                let same = |chunk: &&ArchivedChunk| chunk.summary == rung.truth;
                let mut chunks = archive.chunks.iter().filter(same).peekable();
                if chunks.peek().is_none() {
                    let reason = Reason::new("no-such-summary", "no chunk has this summary");
                    self.loose.push((origin(rung.row, "TRUE_SUMMARY"), reason));
                } else if !chunks.any(|chunk| chunk.distortions.contains(&rung.lie)) {
                    let reason =
                        Reason::new("no-such-summary", "the chunk has no such false summary");
                    self.loose.push((origin(rung.row, "FALSE_SUMMARY"), reason));
                }
            } else {
                levels.entry(rung.level).or_default().push(rung);
            }
        }
        let told = archive.chunks.iter().map(|chunk| &chunk.summary[..]);
        let mut below: Vec<&str> = told.filter(|text| !text.is_empty()).collect();
        for (level, rungs) in levels {
            let packs = grouped(&below, PACK, Preset::Paper);
            let differ = (packs.len() != rungs.len()).then(|| {
                let (rungs, packs) = (rungs.len(), packs.len());
                let detail =
                    format!("summaries of level {level}: {rungs}, packs of what is below: {packs}");
                Reason::new("packs-differ", detail)
            });
            for (at, rung) in rungs.iter().enumerate() {
                let id = format!("{}/L{level}/{at:03}", archive.book);
                let refused = differ.clone().or_else(|| blank(&rung.truth));
                let pack = packs.get(at).map(|pack| below[pack.clone()].to_vec());
                let pack = Some(pack.unwrap_or_default());
                let truth = origin(rung.row, "TRUE_SUMMARY");
                let cell = Cell { origin: truth, text: &rung.truth, refused, pack };
                self.cells.insert((Hierarchy::KIND, id.clone()), cell);
                let (lie, refused) = (origin(rung.row, "FALSE_SUMMARY"), blank(&rung.lie));
                let cell = Cell { origin: lie, text: &rung.lie, refused, pack: None };
                self.cells.insert((Distort::KIND, format!("{id}/d0")), cell);
            }
            below = rungs.iter().map(|rung| &rung.truth[..]).collect();
        }
    }

    /// Where the answer to a request stands, if it is there.
    pub fn origin(&self, asked: &Asked) -> Option<&Origin> {
        self.cell(asked).map(|cell| &cell.origin)
    }

    fn cell(&self, asked: &Asked) -> Option<&Cell<'a>> {
        let item = asked.item.clone()?;
        self.cells.get(&(asked.stage, item)).filter(|_| asked.attempt == 0)
    }

    /// The answer to a request: what the archive says, or a blank one that ended by
    /// [`NOT_IN_ARCHIVE`].
    pub fn answer(&self, asked: &Asked) -> Answer {
        let text = self.told(asked).unwrap_or_default();
        let finish_reason = if text.is_empty() { NOT_IN_ARCHIVE } else { "stop" };
        Answer { text, finish_reason: finish_reason.to_owned() }
    }

    /// What the archive says to a request, or why it says nothing.
    pub fn told(&self, asked: &Asked) -> Result<String, Reason> {
        let Some(cell) = self.cell(asked) else {
            return Err(Reason::new("nothing-recorded", "the archive has no answer to this"));
        };
        if let Some(reason) = &cell.refused {
            return Err(reason.clone());
        }
        if let Some(pack) = &cell.pack {
            holds(&asked.request, pack)?;
        }
        Ok(marked(cell.text))
    }

    /// Every cell that a stage has a use for, that use, and why the original has nothing there.
    pub fn cells(&self) -> impl Iterator<Item = (&Use, &Origin, Option<&Reason>)> {
        self.cells.iter().map(|(used, cell)| (used, &cell.origin, cell.refused.as_ref()))
    }
}

/// A text as a model marks it.
fn marked(text: &str) -> String {
    format!("{BEGIN}\n{text}\n{END}")
}

fn blank(text: &str) -> Option<Reason> {
    text.is_empty().then(|| Reason::new("failed-in-original", "the original's cell is blank"))
}

/// Whether a request is about exactly these summaries.
fn holds(request: &Request, pack: &[&str]) -> Result<(), Reason> {
    let text = request.chat().and_then(|chat| chat.texts().last()).unwrap_or("");
    // As the stage has read them from their own answers.
    let read = |told: &&str| {
        let answer = Answer { text: marked(told), finish_reason: "stop".to_owned() };
        retelling(Protocol::Tag, &answer).map_or_else(|_| (*told).to_owned(), |found| found.text)
    };
    let entries = (1..).zip(pack).map(|(place, told)| entry(place, &read(told)));
    let all = !pack.is_empty() && text.contains(entries.collect::<String>().trim_end());
    let more = text.contains(&format!("\n\nSummary {}:\n", pack.len() + 1));
    if all && !more {
        return Ok(());
    }
    Err(packs_differ())
}

/// Why a summary of summaries has no place where its level has the right number of packs.
pub fn packs_differ() -> Reason {
    let detail = "some of the summaries that it was made from are not there, so that it is no summary of these";
    Reason::new("packs-differ", detail)
}
