//! What a line says of the file that it stands in: who made it, how its text was edited.

use crate::cut::Why;

/// What a line says of the file, if it does.
pub(super) fn judge(line: &str, near_edge: bool) -> Option<Why> {
    if is_note(line) || near_edge && (is_editing(line) || is_spoken(line)) {
        return Some(Why::TranscriberNote);
    }
    let credit = line.contains("project gutenberg") || near_edge && is_credit(line);
    credit.then_some(Why::Credits)
}

/// The words of a transcriber's note.
fn is_note(line: &str) -> bool {
    line.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with("transcriber")
        || line.contains("transcriber's note")
        || line.contains("transcriber’s note")
}

/// A note on what was transcribed.
fn is_spoken(line: &str) -> bool {
    let spoken = [
        "note",
        "correct",
        "typographical",
        "spelling",
        "punctuation",
        "public domain",
        "cover",
        "hyphen",
    ];
    line.len() < 1500
        && line.contains("transcri")
        && line.contains("text")
        && spoken.iter().any(|word| line.contains(word))
}

/// A note on how the text was edited, without the word.
fn is_editing(line: &str) -> bool {
    let things = [
        "typographical error",
        "spelling",
        "hyphenation",
        "punctuation",
        "printer's error",
        "printer’s error",
        "inconsisten",
        "misprint",
        "obvious error",
        "original text",
        "accents",
    ];
    let doings = [
        "have been",
        "has been",
        "were corrected",
        "was corrected",
        "corrected",
        "retained",
        "normalized",
        "normalised",
        "standardized",
        "changed to",
        "amended",
        "as in the original",
        "silently",
        "preserved",
        "left as",
    ];
    let count = |words: &[&str]| words.iter().filter(|word| line.contains(**word)).count();
    line.len() < 1200
        && count(&things) > 0
        && count(&doings) > 0
        && count(&things) + count(&doings) >= 3
        || line.len() < 120 && line.starts_with("spelling") && count(&doings) > 0
}

/// The words of credits.
fn is_credit(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let start = start.get(..start.floor_char_boundary(120)).unwrap_or(start);
    let opens = [
        "produced by",
        "this etext was",
        "this ebook was",
        "this e-text",
        "e-text prepared",
        "etext prepared",
        "ebook prepared",
        "transcribed",
        "prepared by",
        "scanned by",
        "scanned and",
        "scanned from",
        "html version",
        "this html",
        "digitized",
        "text prepared",
        "proofread",
        "credits",
        "etext",
        "e-text",
        "ebook",
        "updated",
        "this file was produced",
    ];
    opens.iter().any(|open| start.starts_with(open))
        || line.contains("distributed proofread")
        || line.contains("pgdp.net")
        || line.contains("pglaf")
        || line.contains("internet archive") && line.contains("http")
        || line.contains("ebook #")
        || line.contains("etext #")
}
