//! Documents that are too long to be one passage: a novel in a set would fill a context by itself.

use storymill_text::{Language, sentence};

use crate::length;

/// The most that a passage has, by LV-Eval's rule: so a context is longer than its level by less than this. A
/// document that holds evidence stays whole, however long it is.
pub const LONGEST: u32 = 1_000;

/// The text of a document in pieces of at most [`LONGEST`], without the blanks between them: at chapters and
/// paragraphs, where a paragraph is longer at sentences, where a sentence is longer at words.
///
/// Law: the pieces hold every word of the text, in order; a text that is short enough is one piece.
pub(crate) fn pieces(text: &str, language: Language) -> Vec<&str> {
    if length(text, language) <= LONGEST {
        return vec![text];
    }
    let mut atoms = Vec::new();
    for paragraph in parted(text, &paragraphs(text)) {
        split(paragraph, language, &[&|text| sentence::ends(text, language), &words], &mut atoms);
    }
    let (mut pieces, mut start, mut end, mut own) = (Vec::new(), 0, 0, 0);
    for atom in atoms {
        let at = atom.as_ptr() as usize - text.as_ptr() as usize;
        let more = length(atom, language);
        let chapter = own > LONGEST / 4 && is_heading(atom);
        if own > 0 && (own + more > LONGEST || chapter) {
            pieces.push(text[start..end].trim());
            (start, own) = (at, 0);
        }
        (end, own) = (at + atom.len(), own + more);
    }
    pieces.push(text[start..end].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Where a text may be cut, in bytes.
type Way<'w> = &'w dyn Fn(&str) -> Vec<usize>;

/// A text whole if it is short enough, else cut as the first of some ways says, and what is still too long as the
/// next one does.
fn split<'t>(text: &'t str, language: Language, ways: &[Way<'_>], atoms: &mut Vec<&'t str>) {
    let [way, others @ ..] = ways else { return atoms.push(text) };
    if length(text, language) <= LONGEST {
        return atoms.push(text);
    }
    for part in parted(text, &way(text)) {
        split(part, language, others, atoms);
    }
}

/// A text cut at some bytes.
fn parted<'t>(text: &'t str, ends: &[usize]) -> impl Iterator<Item = &'t str> {
    let all = ends.iter().copied().filter(|end| *end < text.len()).chain([text.len()]);
    all.scan(0, |from, end| Some(&text[std::mem::replace(from, end)..end]))
        .filter(|part| !part.is_empty())
}

/// The ends of paragraphs: behind blank lines; of lines, where none is blank.
fn paragraphs(text: &str) -> Vec<usize> {
    let behind =
        |blank: &'static str| text.match_indices(blank).map(move |(at, _)| at + blank.len());
    let blank: Vec<usize> = behind("\n\n").chain(behind("\n\r\n")).collect();
    if blank.is_empty() { behind("\n").collect() } else { sorted(blank) }
}

fn sorted(mut ends: Vec<usize>) -> Vec<usize> {
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The ends of words; where there are no blanks, of so many characters.
fn words(text: &str) -> Vec<usize> {
    const AT_ONCE: usize = 100;
    let ends = text.match_indices(char::is_whitespace).map(|(at, blank)| at + blank.len());
    let ends: Vec<usize> = ends.collect();
    if ends.is_empty() {
        text.char_indices().step_by(AT_ONCE).skip(1).map(|(at, _)| at).collect()
    } else {
        ends
    }
}

/// Whether a paragraph is the heading of a chapter.
fn is_heading(paragraph: &str) -> bool {
    let line = paragraph.trim();
    if line.contains('\n') || line.chars().count() > 60 {
        return false;
    }
    let low = line.to_lowercase();
    let first = low.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let numeral =
        !line.is_empty() && line.trim_end_matches('.').chars().all(|c| "IVXLC".contains(c));
    let chinese = line.strip_prefix('第').is_some_and(|rest| {
        let number = |c: char| c.is_ascii_digit() || "一二三四五六七八九十百零〇".contains(c);
        let rest = rest.trim_start_matches(number);
        rest.starts_with(['章', '回', '节', '節', '卷'])
    });
    matches!(first, "chapter" | "book" | "part" | "act" | "letter") || numeral || chinese
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// No word is lost, added or moved, and no piece is too long.
        #[test]
        fn pieces_are_the_text(
            parts in prop::collection::vec(("[a-z山]{1,6}|CHAPTER I|第三回", "[ \n]|\n\n|[.] |[。]"), 1..2_500),
            chinese: bool,
        ) {
            let language = if chinese { Language::Chinese } else { Language::English };
            let text: String = parts.iter().flat_map(|(word, gap)| [word.as_str(), gap]).collect();
            let text = text.trim();
            let pieces = pieces(text, language);
            prop_assert!(pieces.iter().all(|piece| length(piece, language) <= LONGEST));
            let signs = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(signs(&pieces.concat()), signs(text));
            prop_assert!(length(text, language) > LONGEST || pieces.len() == 1);
        }
    }

    #[test]
    fn a_piece_begins_at_a_chapter() {
        let chapter = |name: &str| format!("{name}\n\n{}\n\n", "It rained. ".repeat(300));
        let text = [chapter("CHAPTER I"), chapter("II."), chapter("Chapter Three: Rain")].concat();
        let found = pieces(&text, Language::English);
        let heads: Vec<_> = found.iter().map(|piece| piece.lines().next().unwrap()).collect();
        assert_eq!(heads, ["CHAPTER I", "II.", "Chapter Three: Rain"]);
        let one = "山".repeat(2_300);
        let lengths = pieces(&one, Language::Chinese).into_iter().map(|one| one.chars().count());
        assert_eq!(lengths.collect::<Vec<_>>(), [1_000, 1_000, 300]);
    }
}
