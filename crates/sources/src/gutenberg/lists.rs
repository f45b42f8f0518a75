//! The words by which headings are known, in the languages that Project Gutenberg has most of: `data/headings.txt`.
//! All are in small letters, as [`fold`](super::words::fold) makes them.

use std::sync::LazyLock;

/// A group of entries.
pub(super) type List = LazyLock<Vec<&'static str>>;

macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident = $group:literal;)*) => {
        $($(#[$doc])* pub(super) static $name: List = LazyLock::new(|| entries($group));)*
    };
}

lists! {
    CHAPTERS = "[chapters]";
    PARTS = "[parts]";
    ALONE = "[alone]";
    CONTENTS = "[contents]";
    FRONT = "[front]";
    /// Words of front matter with which the title of a story may as well begin.
    LOOSE_FRONT = "[loose-front]";
    /// The same of back matter.
    LOOSE_BACK = "[loose-back]";
    /// Words with which a title of these two is none of a story.
    EDITION = "[edition]";
    /// Whom a sketch or a note is about or by, where it belongs to an edition.
    MAKER = "[maker]";
    /// What such a thing is called.
    SKETCH = "[sketch]";
    BACK = "[back]";
    NOTES = "[notes]";
    TRANSCRIBER = "[transcriber]";
    ADVERTS = "[adverts]";
    ENDS = "[ends]";
    /// What only announcements speak of.
    SELLS = "[sells]";
    /// What they speak of more often than a story.
    MAY_SELL = "[may-sell]";
    /// What is done to a text by its makers, and to what of it.
    CORRECTS = "[corrects]";
    CORRECTED = "[corrected]";
    /// People of whom somebody tells.
    PEOPLE = "[people]";
    /// Words with which one speaks of books.
    BOOKS = "[books]";
    /// What the line of a printer says.
    PRINTERS = "[printers]";
    /// What a title page says.
    IMPRINTS = "[imprints]";
    /// Of what a note of the transcriber speaks.
    SPOKEN = "[spoken]";
    /// What is edited.
    EDITED = "[edited]";
    /// How it is edited.
    EDITING = "[editing]";
    /// With these words credits begin.
    CREDITS = "[credits]";
    /// With these words lines of a header begin.
    HEADER_BEGINS = "[header-begins]";
    /// What lines of a header have.
    HEADER_HAS = "[header-has]";
    /// What a novel as good as never has, and boilerplate as good as always.
    TRACES_OF_MAKERS = "[traces]";
    /// Words in which an initial is described.
    DESCRIBES = "[describes]";
    /// The labels of fields; a line that begins with one ends the field above it.
    LABELS = "[labels]";
    /// Links back to the contents.
    WAYS_BACK = "[ways-back]";
}

/// The entries of a group.
fn entries(group: &str) -> Vec<&'static str> {
    let files = [include_str!("../../data/headings.txt"), include_str!("../../data/lines.txt")];
    let lines = files.into_iter().flat_map(str::lines);
    let of_group = lines.skip_while(|line| *line != group).skip(1);
    let of_group = of_group.take_while(|line| !line.starts_with('['));
    let entries = of_group.flat_map(|line| line.split(',')).map(str::trim);
    entries.filter(|entry| !entry.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_its_entries() {
        let all = [
            &CHAPTERS,
            &PARTS,
            &ALONE,
            &CONTENTS,
            &FRONT,
            &LOOSE_FRONT,
            &LOOSE_BACK,
            &EDITION,
            &MAKER,
            &SKETCH,
            &BACK,
            &NOTES,
            &TRANSCRIBER,
            &ADVERTS,
            &ENDS,
            &SELLS,
            &MAY_SELL,
            &CORRECTS,
            &CORRECTED,
        ];
        let lengths: Vec<usize> = all.iter().map(|list| list.len()).collect();
        assert_eq!(
            lengths,
            [38, 31, 24, 46, 69, 36, 5, 17, 11, 12, 36, 12, 28, 81, 39, 45, 33, 21, 16]
        );
        assert!(CHAPTERS.contains(&"chapter") && ENDS.contains(&"the end"));
    }
}
