//! What `epub:type` and the numbered classes of converters say of an element, in the terms of the marks.

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
            // The number and the title of a chapter in one `<hgroup>`.
            "title" | "ordinal" | "label" if tag == Tag::P => Self::HEADING,
            "noteref" => Self::NOTE_MARK,
            "pagebreak" => Self::PAGE,
            "titlepage" | "halftitlepage" | "copyright-page" | "imprint" | "colophon"
            | "imprimatur" | "cover" => Self::TITLE_PAGE,
            _ => Self::NONE,
        };
        kinds.split_ascii_whitespace().map(of).fold(Self::NONE, BitOr::bitor)
    }

    /// What classes say that a converter numbered: `caption2`, `pagenum1`.
    pub(crate) fn of_numbered_class(classes: &str, tag: Tag) -> Self {
        let plain = |class: &'_ str| class.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        classes
            .split_ascii_whitespace()
            .filter(|class| plain(class) < class.len() && plain(class) > 2)
            .map(|class| Self::of_word(&class[..plain(class)], tag))
            .fold(Self::NONE, BitOr::bitor)
    }
}
