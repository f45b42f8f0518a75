//! The source `narrativexl`: files as the original writes them, whole and broken.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail loudly")]

use std::{fs, path::Path};

use proptest::prelude::*;
use storymill_core::{Archive, Decisions, Env, FaultKind, Known, Reviews, Source, Stop};
use storymill_sources::NarrativeXl;

#[path = "../../../tests/golden/sets.rs"]
mod sets;

const COLUMN: &str = "###THISISOURUNIQUECOLUMNSEPARATORUNLIKELYTOBEENCOUNTEREDINANYBOOK###";
const LINE: &str = "###THISISOURUNIQUELINESEPARATORUNLIKELYTOBEENCOUNTEREDINANYBOOK###";

const CHUNKS: &str =
    "ChunkInd|BookChunks|OverlappedBookChunks|Summaries|FakeSummaries|Failure|Comment/";

/// Short for the long separators.
fn table(text: &str) -> String {
    text.replace('|', COLUMN).replace('/', LINE)
}

/// A book's chunks as the original saves them: stripped, with so many symbols of the neighbours.
fn saved(raw: &[&str], overlap: usize, stripped: bool) -> String {
    let end = |text: &str| {
        let skip = text.chars().count().saturating_sub(overlap);
        text.chars().skip(skip).collect::<String>()
    };
    let row = |at: usize| {
        let before = if at > 0 { end(raw[at - 1]) } else { String::new() };
        let behind: String =
            raw.get(at + 1).map_or("", |next| next).chars().take(overlap).collect();
        let mut overlapped = format!("{before}{}{behind}", raw[at]);
        if stripped {
            overlapped = overlapped.trim().to_owned();
        }
        let cells = [&at.to_string(), raw[at].trim(), &overlapped, "", "", "OK", ""];
        cells.join(COLUMN) + LINE
    };
    table(CHUNKS) + &(0..raw.len()).map(row).collect::<String>()
}

fn read(text: &[u8]) -> Result<Archive, String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("84.tagseparated"), text).unwrap();
    let source = NarrativeXl::at(".").open(&Env::at(dir.path())).unwrap();
    let listing = source.units(&Known::default()).unwrap();
    match source.read(&listing.units[0], &mut Reviews::new(Decisions::NONE)) {
        Ok(mut rows) => Ok(rows.remove(0)),
        Err(Stop::Reject(reason)) => Err(format!("{}: {}", reason.code, reason.detail)),
        Err(other) => panic!("{other:?}"),
    }
}

/// The book with the blanks that were found; one space where none were.
fn joined(archive: &Archive) -> (String, usize) {
    let mut text = archive.chunks[0].text.clone();
    for chunk in &archive.chunks[1..] {
        text += chunk.gap.as_deref().unwrap_or(" ");
        text += &chunk.text;
    }
    (text, archive.chunks.iter().filter(|chunk| chunk.gap.is_some()).count())
}

#[test]
fn blanks_between_chunks_are_found_in_the_overlapped_ones() {
    let raw = ["One. Two.", "\n\nThree.", "..", " Four\n"];
    let archive = read(saved(&raw, 5, true).as_bytes()).unwrap();
    assert_eq!(joined(&archive), (raw.concat().trim().to_owned(), 3));
    // Without them the border is unknown, not guessed.
    let archive = read(saved(&raw, 0, true).as_bytes()).unwrap();
    assert_eq!(joined(&archive), ("One. Two. Three. .. Four".to_owned(), 0));
}

#[track_caller]
fn check_broken(text: &[u8], expected: &str) {
    assert_eq!(read(text).unwrap_err(), expected);
}

#[test]
fn what_is_wrong_with_a_book_is_said() {
    let name = "84.tagseparated";
    check_broken(b"", &format!("no-table: {name}: the file is empty"));
    let pickle = b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x04Anna\x94s.";
    let none = "no column separator is in the file, in any encoding that is tried";
    check_broken(pickle, &format!("no-table: {name}: {none}"));
    check_broken(b"ChunkInd,BookChunks\n0,a\n", &format!("no-table: {name}: {none}"));
    let text = table("ChunkInd|Chunks/0|a/");
    let detail = "the header has no column BookChunks among `ChunkInd`, `Chunks`";
    check_broken(text.as_bytes(), &format!("bad-header: {name}: {detail}"));
    check_broken(table(CHUNKS).as_bytes(), &format!("no-chunks: {name}: the table has no rows"));
    // Cut in the middle of a row.
    let whole = saved(&["One.", " Two."], 5, true);
    let cut = &whole[..whole.len() - 160];
    check_broken(
        cut.as_bytes(),
        &format!("broken-row: {name}: row 2, 5 cells, where the header has 7"),
    );
    let text = table(CHUNKS) + &table("1|a|a|s|f|OK|/");
    let detail = "row 1, column ChunkInd: chunk 1 where 0 should be";
    check_broken(text.as_bytes(), &format!("broken-row: {name}: {detail}"));
}

#[test]
fn a_file_without_its_last_separator_is_doubtful() {
    let dir = tempfile::tempdir().unwrap();
    let whole = saved(&["One.", " Two."], 5, true);
    fs::write(dir.path().join("84.tagseparated"), whole.strip_suffix(LINE).unwrap()).unwrap();
    let source = NarrativeXl::at(".").open(&Env::at(dir.path())).unwrap();
    let listing = source.units(&Known::default()).unwrap();
    let mut reviews = Reviews::new(Decisions::NONE);
    source.read(&listing.units[0], &mut reviews).unwrap();
    let reviews = reviews.finish().items;
    let found: Vec<_> = reviews.iter().map(|review| (&review.item[..], &*review.code)).collect();
    assert_eq!(found, [("84.tagseparated", "perhaps-cut")]);
    // What people say of it holds.
    let line = format!("{{\"review\": \"{}\", \"choice\": \"cut\"}}", reviews[0].id());
    let decided = Decisions::parse([(String::new(), line.as_str())]).unwrap();
    let stop = source.read(&listing.units[0], &mut Reviews::new(&decided)).unwrap_err();
    assert!(matches!(stop, Stop::LeftOut(reason) if reason.code == "cut-off"));
}

#[test]
fn folders_that_are_no_archive_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let list = |path: &str| NarrativeXl::at(path).open(&Env::at(dir.path())).err().unwrap();
    assert_eq!(list("nowhere").kind, FaultKind::Input);
    fs::write(dir.path().join("84.html"), "<p>A book.").unwrap();
    let fault = list(".");
    assert_eq!(fault.message, "the folder holds no NarrativeXL archive");
    assert!(fault.hint.unwrap().contains("84.tagseparated"));
    for folder in ["a", "b"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        fs::write(dir.path().join(folder).join("84.tagseparated"), "").unwrap();
    }
    assert!(list(".").message.contains("are the same of one book"), "{}", list(".").message);
}

#[test]
fn a_book_of_which_only_questions_are_there_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("84.questions_shortform"), "").unwrap();
    fs::create_dir(dir.path().join("substituted")).unwrap();
    fs::write(dir.path().join("substituted/84.questions_shortform"), "").unwrap();
    let source = NarrativeXl::at(".").open(&Env::at(dir.path())).unwrap();
    let listing = source.units(&Known::default()).unwrap();
    let reason = listing.units[0].spoiled.as_ref().unwrap();
    assert_eq!(&*reason.code, "no-summaries");
    assert!(listing.notes[0].starts_with("1 file with substituted names left out"));
}

/// The original's own chunks of two novels, and the chunks of two books by its rule: the book comes back without a symbol lost.
#[test]
fn the_books_that_the_original_cut_come_back() {
    for golden in sets::sets("narrativexl") {
        books_come_back(&golden);
    }
}

fn books_come_back(golden: &Path) {
    let expected = fs::read(golden.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    for (name, facts) in expected["chunks"].as_object().unwrap() {
        let text = fs::read_to_string(golden.join(format!("../nocha/books/{name}.txt"))).unwrap();
        let mut rest = &text[..];
        let mut raw = Vec::new();
        for symbols in facts["chunk_chars"].as_array().unwrap() {
            let symbols = usize::try_from(symbols.as_u64().unwrap()).unwrap();
            let end = rest.char_indices().nth(symbols).map_or(rest.len(), |(at, _)| at);
            raw.push(&rest[..end]);
            rest = &rest[end..];
        }
        assert_eq!(rest, "", "{name}");
        for stripped in [true, false] {
            let archive = read(saved(&raw, 300, stripped).as_bytes()).unwrap();
            let (found, gaps) = joined(&archive);
            assert_eq!(gaps + 1, raw.len(), "{name}");
            assert!(found == text.trim().replace("\r\n", "\n"), "{name} is not as it was");
        }
    }
}

proptest! {
    /// Whatever stood between chunks: it is found as it was, or it is said to be unknown.
    #[test]
    fn gaps_are_right_or_unknown(
        raw in prop::collection::vec("[ \n]{0,3}[a-c.]{1,6}[ \n]{0,2}[a-c.]{0,6}[ \n]{0,2}", 1..8),
        overlap in 8..40_usize,
    ) {
        let raw: Vec<&str> = raw.iter().map(String::as_str).collect();
        let archive = read(saved(&raw, overlap, true).as_bytes()).unwrap();
        for (at, chunk) in archive.chunks.iter().enumerate() {
            prop_assert_eq!(&chunk.text[..], raw[at].trim());
            if let Some(gap) = &chunk.gap {
                prop_assert!(gap.trim().is_empty());
            }
        }
        // Chunks are seldom as alike as these; where one stands twice in the overlap, another
        // place may fit as well. With chunks that differ there is one only.
        let marked: Vec<String> =
            raw.iter().enumerate().map(|(at, text)| {
                let kept = text.trim();
                text.replacen(kept, &format!("<{at}{kept}{at}>"), 1)
            }).collect();
        let marked: Vec<&str> = marked.iter().map(String::as_str).collect();
        let archive = read(saved(&marked, overlap, true).as_bytes()).unwrap();
        prop_assert_eq!(joined(&archive), (marked.concat().trim().to_owned(), marked.len() - 1));
    }

    /// No bytes make it panic.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0..900_usize) {
        let _ = read(&bytes);
        let whole = saved(&["One.", " Two é."], 5, true);
        let _ = read(&whole.as_bytes()[..cut.min(whole.len())]);
    }
}
