//! What stands behind a chapter's number in one paragraph: its text, its title, or an argument that says what it
//! holds (`In which the lamp goes out—A letter`).

use super::{
    blocks::{Leaves, is_blank},
    lists::PEOPLE,
};

/// More letters than this are no argument.
const LONGEST_ARGUMENT: usize = 600;

/// How an argument begins.
const BEGINS: [&str; 12] = [
    "in which ",
    "how ",
    "of ",
    "wherein ",
    "containing ",
    "treats ",
    "treating ",
    "showing ",
    "shows ",
    "which ",
    "concerning ",
    "being ",
];

/// Words of a sentence in which something happens or is said, beside those for people.
const HAPPENS: [&str; 16] = [
    "was", "were", "had", "said", "could", "would", "did", "been", "war", "hatte", "sagte",
    "était", "avait", "dit", "era", "había",
];

/// Leaves out headings with which their blocks begin where most of what follows is arguments.
pub(super) fn leave<T>(
    leaves: &Leaves,
    found: &mut Vec<T>,
    place: impl Fn(&T) -> (usize, u32, bool),
) {
    let (mut told, mut all) = (0_usize, 0_usize);
    for (block, upto, opens) in found.iter().map(&place) {
        if opens {
            let end = leaves.blocks[block].text.end;
            told += usize::from(tells(&leaves.scroll[upto as usize..end as usize]));
            all += 1;
        }
    }
    if told * 2 <= all {
        found.retain(|one| !place(one).2);
    }
}

/// Whether a text tells something, as the first paragraph of a chapter does.
fn tells(text: &str) -> bool {
    let text = text.trim_matches(|c: char| is_blank(c) || "—–-.:".contains(c));
    if text.len() > LONGEST_ARGUMENT {
        return true;
    }
    let small = text.to_lowercase();
    if BEGINS.iter().any(|begin| small.starts_with(begin)) {
        return false;
    }
    let parts = text.matches(['—', '–', ';']).count()
        + text.matches(" - ").count()
        + text.matches("--").count();
    let words = small.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let happens = words
        .filter(|word| HAPPENS.contains(word) || PEOPLE.contains(word) || *word == "i")
        .count();
    text.starts_with(['“', '"', '«', '„']) || happens > parts.max(1)
}

/// Where a title in capitals ends that stands behind a place of a line: `THE LATCH.—The lamp`; but not where the
/// text itself begins in capitals, as `THE LAMP had`.
pub(super) fn title_of(line: &str, from: usize) -> Option<usize> {
    let mut end = from;
    let mut letters = false;
    for word in line[from..].split_inclusive(is_blank) {
        let bare = word.trim_end_matches(is_blank);
        let upto = bare.find(['—', '–']).unwrap_or(bare.len());
        let part = &bare[..upto];
        if part.contains(char::is_lowercase) {
            return None;
        }
        letters |= part.chars().filter(|c| c.is_alphabetic()).count() > 1;
        let stop = upto < bare.len() || part.ends_with(['.', ':', '!', '?']) && part.len() > 4;
        if stop && letters {
            return Some(end + upto);
        }
        end += word.len();
    }
    None
}
