//! The fields of a header: `Title: …`, `Author: …`, with the lines that go on below them.
//!
//! Project Gutenberg sets a subtitle on a line of its own, without a sign between it and the title; in
//! one line it gets the sign that a catalog would write.

use super::{
    blocks::{Block, Leaves, is_blank},
    lists::LABELS,
};

/// A field of the header.
pub(super) struct Field {
    /// Its label in small letters.
    pub(super) label: &'static str,
    /// Its lines, folded.
    pub(super) lines: Vec<String>,
}

/// The fields in the blocks of a header, in order.
pub(super) fn fields<'b>(leaves: &Leaves, blocks: impl Iterator<Item = &'b Block>) -> Vec<Field> {
    let blocks: Vec<Vec<String>> = blocks.map(|block| lines(leaves, block)).collect();
    let names_author = |line: &String| labelled(line).is_some_and(|(label, _)| is_author(label));
    let authored = blocks.iter().flatten().any(names_author);
    let mut fields: Vec<Field> = Vec::new();
    for block in &blocks {
        let mut open = false;
        for line in block {
            for part in parts(line, authored) {
                if let Some((label, value)) = labelled(part) {
                    let lines = Some(value).filter(|value| !value.is_empty());
                    fields.push(Field {
                        label,
                        lines: lines.into_iter().map(str::to_owned).collect(),
                    });
                    open = true;
                } else if part.starts_with(['*', '[']) {
                    open = false;
                } else if let Some(field) = fields.last_mut().filter(|_| open) {
                    field.lines.push(part.to_owned());
                }
            }
        }
    }
    fields
}

/// The lines of a block as they show, blanks folded.
pub(super) fn lines(leaves: &Leaves, block: &Block) -> Vec<String> {
    let folded = |line: &str| {
        line.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    leaves.lines(block).map(folded).filter(|line| !line.is_empty()).collect()
}

fn is_author(label: &str) -> bool {
    matches!(label, "author" | "authors" | "creator")
}

/// A line, parted before each label inside it: oldest headers run on (`Title: Emma Author: Jane Austen`). A
/// title may hold a word that is a label (`Letters to the Editor: A Novel`), so it is parted at such a word
/// only in a header that names its author nowhere else.
fn parts(line: &str, authored: bool) -> Vec<&str> {
    let inside: Vec<(usize, &str)> = LABELS
        .iter()
        .flat_map(|label| {
            let inside = line.char_indices().filter(move |(at, c)| {
                *c == ' ' && labelled_with(&line[at + 1..], label).is_some()
            });
            inside.map(move |(at, _)| (at, *label))
        })
        .collect();
    let first = labelled(line).map(|(label, _)| label);
    let titled = first == Some("title") || inside.iter().any(|(_, label)| *label == "title");
    let runs_on = first.is_some_and(|label| label != "title")
        || !authored && titled && inside.iter().any(|(_, label)| is_author(label));
    // No title holds labels of two words.
    let sure = inside.iter().filter(|(_, label)| runs_on || label.contains(' '));
    let stars = line.match_indices(" ***").map(|(at, _)| at);
    let mut ends: Vec<usize> = sure.map(|(at, _)| *at).chain(stars).collect();
    ends.sort_unstable();
    let mut parts = Vec::new();
    let mut from = 0;
    // `Original publication` holds no label, `Release date` does.
    for end in ends {
        let shorter = labelled(&line[from..]).is_some_and(|(label, _)| from + label.len() >= end);
        if end > from && !shorter {
            parts.push(line[from..end].trim());
            from = end;
        }
    }
    parts.push(line[from..].trim());
    parts
}

/// The label and the value of a line that begins with one.
fn labelled(line: &str) -> Option<(&'static str, &str)> {
    LABELS.iter().find_map(|label| Some((*label, labelled_with(line, label)?)))
}

fn labelled_with<'l>(line: &'l str, label: &str) -> Option<&'l str> {
    let line = line.trim_start();
    let (head, rest) = line.split_at_checked(label.len())?;
    let upper = head.starts_with(|c: char| c.is_ascii_alphabetic());
    let value = rest.trim_start().strip_prefix(':')?;
    (upper && head.eq_ignore_ascii_case(label)).then(|| value.trim())
}

/// A title's lines as one: with `:` before a subtitle, with `;` before another title.
pub(super) fn joined(lines: &[String]) -> String {
    let mut title = String::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).map(|before| &lines[before]) {
            title.push_str(sign(before, line));
            title.push(' ');
        }
        title.push_str(line);
    }
    title
}

/// A line of this length was broken because it was full.
const FULL: usize = 55;

/// The sign that a catalog sets between two lines of a title.
pub(super) fn sign(before: &str, line: &str) -> &'static str {
    let ends =
        before.chars().next_back().is_some_and(|c| !c.is_alphanumeric() && !")\"”’']".contains(c));
    let goes_on = line.starts_with(|c: char| c.is_lowercase() || "([&—–-".contains(c));
    let mut words = line.split(|c: char| c.is_whitespace() || c == ',');
    let other = words.next().is_some_and(|word| {
        ["or", "ou", "oder", "o"].iter().any(|or| word.eq_ignore_ascii_case(or))
    });
    if ends {
        ""
    } else if other {
        ";"
    } else if goes_on || before.chars().count() >= FULL {
        ""
    } else {
        ":"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_title_are_joined_as_catalogs_do() {
        for (lines, expected) in [
            (&["Emma"][..], "Emma"),
            (
                &["Frankenstein", "or The Modern Prometheus"],
                "Frankenstein; or The Modern Prometheus",
            ),
            (&["Candide", "Ou, L'optimisme"], "Candide; Ou, L'optimisme"),
            (&["A Boat", "(to say nothing of the dog)"], "A Boat (to say nothing of the dog)"),
            (&["The Mill", "A Tale of Grain"], "The Mill: A Tale of Grain"),
            (&["The Mill;", "A Tale"], "The Mill; A Tale"),
            (&["Who Goes There?", "A Tale"], "Who Goes There? A Tale"),
        ] {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(joined(&lines), expected);
        }
    }

    #[test]
    fn a_line_may_hold_several_fields() {
        assert_eq!(
            parts("Title: Emma Author: Jane Austen Release Date: May, 1994", false),
            ["Title: Emma", "Author: Jane Austen", "Release Date: May, 1994"]
        );
        assert_eq!(
            parts("Original publication: London, 1813", false),
            ["Original publication: London, 1813"]
        );
        for (title, authored) in
            [("Title: The Author: A Novel", true), ("Title: Letters to the Editor: A Novel", false)]
        {
            assert_eq!(parts(title, authored), [title]);
        }
        assert_eq!(
            parts("Author: Ann Writer Editor: Ben Other", true),
            ["Author: Ann Writer", "Editor: Ben Other"]
        );
        assert_eq!(labelled("Author: "), Some(("author", "")));
        assert_eq!(labelled("Titles: two"), None);
    }
}
