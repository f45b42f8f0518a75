//! What `epub:type` says of an element, in the terms of the marks.

use std::ops::BitOr;

use super::{marks::Marks, tags::Tag};

impl Marks {
    /// What `epub:type` says, word by word.
    pub(crate) fn of_kind(kinds: &str, tag: Tag) -> Self {
        let inline = !tag.parts_blocks();
        let of = |kind: &str| match kind {
            "toc" | "loi" | "lot" => Self::CONTENTS,
            "footnote" | "footnotes" | "endnote" | "endnotes" | "rearnote" | "rearnotes"
                if !inline =>
            {
                Self::FOOTNOTE
            }
            "noteref" => Self::NOTE_MARK,
            "pagebreak" => Self::PAGE,
            "titlepage" | "halftitlepage" | "copyright-page" | "imprint" | "colophon"
            | "imprimatur" | "cover" => Self::TITLE_PAGE,
            _ => Self::NONE,
        };
        kinds.split_ascii_whitespace().map(of).fold(Self::NONE, BitOr::bitor)
    }
}
