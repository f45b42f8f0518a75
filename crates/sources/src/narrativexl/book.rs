//! From the three files of a book to what they say of it.

use storymill_core::{
    Archive, ArchivedChunk, ArchivedQuestion, ArchivedRung, BookId, ByteSpan, PageFacts, Reason,
};

use super::table::{Cell, Decoded, Row, decode, is_ended, rows};
use crate::{PageSays, catalog, clean::sha256};

/// The bytes of a book's files; blank where there is none.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    pub(super) summaries: Vec<u8>,
    pub(super) ladder: Vec<u8>,
    pub(super) questions: Vec<u8>,
}

/// Reads a book. Its chunks must all be there, or no context would be whole; what else cannot be
/// read is kept with what is wrong with it.
pub(super) fn read(
    id: &BookId,
    files: &Bytes,
    catalog: Option<&catalog::Row>,
) -> Result<Archive, Reason> {
    let name = |ending: &str| format!("{id}.{ending}");
    let summaries = decode(&files.summaries).map_err(|r| at(&name(super::SUMMARIES), r))?;
    let chunks = chunks(&summaries.text).map_err(|r| at(&name(super::SUMMARIES), r))?;
    let ladder = ladder(&files.ladder).map_err(|r| at(&name(super::LADDER), r))?;
    let questions =
        questions(&files.questions, &chunks).map_err(|r| at(&name(super::QUESTIONS), r))?;
    let row = catalog.cloned().unwrap_or_else(|| catalog::Row::of_page(id, &PageSays::default()));
    Ok(Archive {
        book: id.clone(),
        title: row.title,
        authors: row.authors,
        language: row.language,
        kind: row.kind,
        rights: row.rights,
        source_url: row.source_url,
        page: facts(&files.summaries, &summaries),
        chunks,
        ladder,
        questions,
    })
}

/// So many symbols of a file are shown of its end.
const END: usize = 1_000;

/// The last words of the file of an ending.
pub(super) fn end_of(files: &Bytes, ending: &str) -> String {
    let bytes = match ending {
        super::SUMMARIES => &files.summaries,
        super::LADDER => &files.ladder,
        _ => &files.questions,
    };
    let text = decode(bytes).map(|decoded| decoded.text).unwrap_or_default();
    let from = text.char_indices().rev().nth(END).map_or(0, |(at, _)| at);
    text[from..].trim().to_owned()
}

/// The endings of the files that do not end as whole ones do.
pub(super) fn perhaps_cut(files: &Bytes) -> impl Iterator<Item = &'static str> + '_ {
    let files = [
        (super::SUMMARIES, &files.summaries),
        (super::LADDER, &files.ladder),
        (super::QUESTIONS, &files.questions),
    ];
    let cut = |bytes: &[u8]| decode(bytes).is_ok_and(|decoded| !is_ended(&decoded.text));
    files.into_iter().filter(move |(_, bytes)| cut(bytes)).map(|(ending, _)| ending)
}

/// A reason with the file that it is about.
fn at(file: &str, reason: Reason) -> Reason {
    Reason { detail: format!("{file}: {}", reason.detail), ..reason }
}

fn facts(bytes: &[u8], decoded: &Decoded) -> PageFacts {
    PageFacts {
        sha256: sha256(bytes),
        bytes: small(bytes.len()),
        encoding: decoded.encoding.to_owned(),
        encoding_rule: "tried".to_owned(),
        // All of the book that the file has is kept.
        kept_pm: 1000,
    }
}

fn small(number: usize) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

fn chunks(text: &str) -> Result<Vec<ArchivedChunk>, Reason> {
    let columns = [
        "ChunkInd",
        "BookChunks",
        "OverlappedBookChunks",
        "Summaries",
        "FakeSummaries",
        "Failure",
        "Comment",
    ];
    let rows = rows(text, columns)?;
    if rows.is_empty() {
        return Err(Reason::new("no-chunks", "the table has no rows"));
    }
    let mut chunks: Vec<ArchivedChunk> = Vec::with_capacity(rows.len());
    let mut seen = ["", ""];
    for (at, row) in rows.into_iter().enumerate() {
        let (mut chunk, overlapped) = chunk(at, row)?;
        if let Some(before) = chunks.last() {
            chunk.gap = gap([&before.text, &chunk.text], [seen[1], overlapped]);
        }
        seen = [seen[1], overlapped];
        chunks.push(chunk);
    }
    Ok(chunks)
}

/// The blanks between two chunks. An overlapped chunk has the end of the chunk before and the
/// beginning of the one behind, cut from the book as it was, so it shows the blanks that both
/// chunks have lost.
fn gap([one, other]: [&str; 2], [of_one, of_other]: [&str; 2]) -> Option<String> {
    let before = of_other.match_indices(other).filter(|(_, found)| !found.is_empty());
    let before = before.filter_map(|(at, _)| {
        let head = of_other[..at].trim_end();
        let fits = !head.is_empty() && one.ends_with(head.trim_start());
        fits.then(|| &of_other[head.len()..at])
    });
    let behind = of_one.match_indices(one).filter(|(_, found)| !found.is_empty());
    let behind = behind.filter_map(|(at, _)| {
        let rest = &of_one[at + one.len()..];
        let tail = rest.trim_start();
        let fits = !tail.is_empty() && other.starts_with(tail.trim_end());
        fits.then(|| &rest[..rest.len() - tail.len()])
    });
    before.chain(behind).next().map(str::to_owned)
}

/// A chunk, and the overlapped one.
fn chunk(at: usize, row: Row<'_, 7>) -> Result<(ArchivedChunk, &str), Reason> {
    let broken = |what: String| Reason::new("broken-row", format!("row {}, {what}", row.number));
    let [index, text, overlapped, summary, lies, failure, comment] = row.cells.map_err(broken)?;
    let number: usize = index.number("ChunkInd").map_err(broken)?;
    if number != at {
        return Err(broken(format!("column ChunkInd: chunk {number} where {at} should be")));
    }
    let chunk = ArchivedChunk {
        text: text.text.to_owned(),
        gap: None,
        page: ByteSpan { start: small(text.start), end: small(text.start + text.text.len()) },
        summary: summary.text.to_owned(),
        distortions: lies.values().into_iter().map(str::to_owned).collect(),
        failure: failure.text.to_owned(),
        comment: comment.text.to_owned(),
    };
    Ok((chunk, overlapped.text))
}

fn ladder(bytes: &[u8]) -> Result<Vec<ArchivedRung>, Reason> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let decoded = decode(bytes)?;
    let rows = rows(&decoded.text, ["TRUE_SUMMARY", "FALSE_SUMMARY", "LEVEL"])?;
    let rung = |row: Row<'_, 3>| {
        let read = row.cells.and_then(|[truth, lie, level]| {
            let (truth, lie) = (truth.text.to_owned(), lie.text.to_owned());
            let level = level.number("LEVEL")?;
            Ok(ArchivedRung { row: row.number, level, truth, lie, broken: String::new() })
        });
        let broken = |broken| ArchivedRung { row: row.number, broken, ..ArchivedRung::default() };
        read.unwrap_or_else(broken)
    };
    Ok(rows.into_iter().map(rung).collect())
}

fn questions(bytes: &[u8], chunks: &[ArchivedChunk]) -> Result<Vec<ArchivedQuestion>, Reason> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let decoded = decode(bytes)?;
    let columns =
        ["WHEN_ASKED", "RAW_CHUNK", "QUESTIONS", "QUESTION_ANSWERS", "QUESTION_TYPES", "MEMLOADS"];
    let rows = rows(&decoded.text, columns)?;
    Ok(rows.into_iter().flat_map(|row| asked(&row, chunks)).collect())
}

/// The questions of a row. Where its lists do not agree in length nobody can say what belongs
/// together, so the row is one question that cannot be read.
fn asked(row: &Row<'_, 6>, chunks: &[ArchivedChunk]) -> Vec<ArchivedQuestion> {
    let broken = |broken: String| {
        vec![ArchivedQuestion { row: row.number, nth: 1, broken, ..ArchivedQuestion::default() }]
    };
    let [when, chunk, lists @ ..] = match &row.cells {
        Ok(cells) => *cells,
        Err(what) => return broken(what.clone()),
    };
    let [texts, answers, types, loads] = lists.map(Cell::values);
    let lengths = [texts.len(), answers.len(), types.len(), loads.len()];
    if lengths.iter().any(|length| *length != lengths[0]) {
        let [texts, answers, types, loads] = lengths;
        return broken(format!(
            "{texts} questions, {answers} answers, {types} types and {loads} loads"
        ));
    }
    let same =
        |known: &ArchivedChunk| known.text.split_whitespace().eq(chunk.text.split_whitespace());
    let fits = when.text.parse().ok().and_then(|at: usize| chunks.get(at)).is_some_and(same);
    let question = |at: usize| ArchivedQuestion {
        row: row.number,
        nth: small(at + 1),
        asked_at: when.text.to_owned(),
        fits,
        text: texts[at].to_owned(),
        answer: answers[at].to_owned(),
        of: types[at].to_owned(),
        memload: loads[at].to_owned(),
        broken: String::new(),
    };
    (0..texts.len()).map(question).collect()
}
