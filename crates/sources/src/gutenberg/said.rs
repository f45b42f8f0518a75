//! What a line says of the file that it stands in: who made it, how its text was edited.

use super::lists::{CREDITS, EDITED, EDITING, List, SPOKEN};
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
    line.len() < 1500
        && line.contains("transcri")
        && (line.contains("text") || line.contains("public domain"))
        && SPOKEN.iter().any(|word| line.contains(word))
}

/// A note on how the text was edited, without the word.
fn is_editing(line: &str) -> bool {
    let count = |words: &List| words.iter().filter(|word| line.contains(**word)).count();
    line.len() < 1200
        && count(&EDITED) > 0
        && count(&EDITING) > 0
        && count(&EDITED) + count(&EDITING) >= 3
        || line.len() < 120 && line.starts_with("spelling") && count(&EDITING) > 0
}

/// The words of credits.
fn is_credit(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let start = start.get(..start.floor_char_boundary(120)).unwrap_or(start);
    CREDITS.iter().any(|open| start.starts_with(open))
        || line.contains("distributed proofread")
        || line.contains("pgdp.net")
        || line.contains("pglaf")
        || line.contains("internet archive") && line.contains("http")
        || line.contains("ebook #")
        || line.contains("etext #")
}
