//! What a tag, its classes, id and style say of the text inside it, as bits that a child inherits.
//!
//! So the walk needs no look upwards. What the marks lead to is decided elsewhere.

use std::ops::{BitOr, BitOrAssign};

use super::tags::Tag;

/// What is known of a piece of text from the elements around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marks(u32);

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident = $bit:expr;)*) => {
        impl Marks {
            $($(#[$doc])* pub(crate) const $name: Self = Self(1 << $bit);)*
        }
    };
}

marks! {
    /// The header that newer pages mark by id.
    HEADER = 0;
    /// The footer that newer pages mark by id.
    FOOTER = 1;
    /// A note by the transcriber or about the cover.
    NOTE = 2;
    /// A footnote's text.
    FOOTNOTE = 3;
    /// A footnote's mark in the text.
    NOTE_MARK = 4;
    /// A page number.
    PAGE = 5;
    /// A line number of verse.
    LINE_NUMBER = 6;
    /// A note in the margin.
    SIDENOTE = 7;
    /// A picture's frame.
    FIGURE = 8;
    /// A picture's caption.
    CAPTION = 9;
    /// A table of contents.
    CONTENTS = 10;
    /// A link within the page.
    LINK = 11;
    BOLD = 12;
    ITALIC = 13;
    RAISED = 14;
    CENTER = 15;
    TABLE = 16;
    QUOTE = 17;
    PRE = 18;
    VERSE = 19;
    /// A letter that begins a chapter in large type.
    INITIAL = 20;
    /// Never shown.
    HIDDEN = 21;
    /// The title page, by class.
    TITLE_PAGE = 23;
    /// Advertisements, by class.
    ADVERT = 24;
    /// One line of verse in an element of its own.
    LINE = 25;
    /// A heading by class: `chapter-title`.
    HEADING = 26;
    /// A list.
    LIST = 27;
    /// A link out of the page.
    LINK_OUT = 28;
    /// A thought break by class.
    THOUGHT_BREAK = 29;
    /// A letter, a sign: documents set into the text.
    INSET = 30;
    RIGHT = 31;
}

impl Marks {
    /// All marks.
    pub(crate) const EVERY: Self = Self(u32::MAX);
    /// No mark.
    pub(crate) const NONE: Self = Self(0);

    /// The marks as a number.
    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    /// Whether any of these marks is set.
    pub(crate) fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }

    /// These marks and those, where no operator may stand.
    pub(crate) const fn with(self, those: Self) -> Self {
        Self(self.0 | those.0)
    }

    /// These marks without those.
    pub(crate) fn without(self, those: Self) -> Self {
        Self(self.0 & !those.0)
    }

    /// What the tag alone says.
    pub(crate) fn of_tag(tag: Tag) -> Self {
        match tag {
            Tag::Bold => Self::BOLD,
            Tag::Italic => Self::ITALIC,
            Tag::Sup => Self::RAISED,
            Tag::Center => Self::CENTER,
            Tag::Table | Tag::Row | Tag::Cell => Self::TABLE,
            Tag::List | Tag::Item => Self::LIST,
            Tag::Quote => Self::QUOTE,
            Tag::Pre => Self::PRE,
            Tag::Figure => Self::FIGURE,
            Tag::Caption => Self::CAPTION,
            Tag::Unseen | Tag::Title => Self::HIDDEN,
            _ => Self::NONE,
        }
    }

    /// What a class list says, word by word.
    pub(crate) fn of_class(classes: &str, tag: Tag) -> Self {
        classes
            .split_ascii_whitespace()
            .map(|class| Self::of_word(class, tag))
            .fold(Self::NONE, BitOr::bitor)
    }

    pub(super) fn of_word(class: &str, tag: Tag) -> Self {
        let mut small = [0_u8; 24];
        let Some(small) = small.get_mut(..class.len()) else { return Self::NONE };
        small.copy_from_slice(class.as_bytes());
        small.make_ascii_lowercase();
        let Ok(word) = std::str::from_utf8(small) else { return Self::NONE };
        let inline = !tag.parts_blocks();
        match word {
            "pagenum"
            | "pageno"
            | "pagenumber"
            | "page-number"
            | "page_number"
            | "pgnum"
            | "page-num"
            | "pgno"
            | "pagenr"
            | "folio"
            | "ns"
            | "page-no"
            | "pn"
            | "pagina"
            | "pagnum"
            | "x-ebookmaker-pageno" => Self::PAGE,
            // On a frame it says that a new page begins, on a line that its number stands there.
            "newpage" | "pagebreak" | "page-break" | "pb" => {
                if inline || tag == Tag::P {
                    Self::PAGE
                } else {
                    Self::NONE
                }
            }
            "linenum" | "lineno" | "linenumber" | "line-number" | "ln" | "poemnum" => {
                Self::LINE_NUMBER
            }
            "sidenote" | "sidenotes" | "side-note" | "marginnote" | "margin-note" | "sni" => {
                Self::SIDENOTE
            }
            "footnote" | "footnotes" | "endnote" | "endnotes" | "fnote" | "fn-block"
            | "footnote-text" | "notefoot" | "fntext" | "footnotebody" => {
                if inline {
                    Self::NONE
                } else {
                    Self::FOOTNOTE
                }
            }
            "citation" if !inline => Self::NONE,
            "fnanchor" | "footnoteref" | "noteref" | "citation" | "fnref" | "fnote-ref"
            | "footnote-ref" | "footnote-reference" | "fn-ref" | "note-ref" | "pginternal-fn" => {
                if inline {
                    Self::NOTE_MARK
                } else {
                    Self::FOOTNOTE
                }
            }
            "tnote" | "transnote" | "covernote" | "trans-note" | "tn" | "transnotes" | "trnote"
            | "transcriber" | "tnotes" | "transcribersnote" | "transcriber-note"
            | "transcribers-note" | "transcribernote" | "trans" | "bbox-tn" => Self::NOTE,
            "caption" | "figcaption" | "captions" | "caption1" | "caption2" | "caption3"
            | "illo-caption" | "imgcaption" | "captioncenter" => Self::CAPTION,
            "fig" | "figcenter" | "figleft" | "figright" | "figure" | "illustration" | "image"
            | "illus" | "illo" | "img" | "image-center" | "figcontainer" | "illo-center"
            | "center-block" | "plate" | "frontispiece" | "figflr" | "figsub" | "imgcenter" => {
                Self::FIGURE
            }
            "toc"
            | "contents"
            | "tableofcontents"
            | "table-of-contents"
            | "tocentry"
            | "loi"
            | "tocpg"
            | "tocch"
            | "toclist"
            | "list-of-illustrations" => Self::CONTENTS,
            "titlepage" | "title-page" | "half-title" | "halftitle" | "copyright"
            | "docimprint" | "docauthor" | "title-main" | "byline-title" | "imprint"
            | "publisher" => Self::TITLE_PAGE,
            "ads" | "ad" | "advert" | "adverts" | "advertisement" | "advertisements" => {
                Self::ADVERT
            }
            "poem" | "poetry" | "verse" | "stanza" | "poetry-container" | "lg" | "song"
            | "epigraph" | "linegroup" | "line-group" | "hymn" | "ballad" | "poemctr"
            | "poembox" => Self::VERSE,
            "l" | "line" | "vers" | "verseline" | "v" => {
                if inline {
                    Self::NONE
                } else {
                    Self::LINE
                }
            }
            "center" | "centre" | "centered" | "c" | "cb" | "ctr" | "tac" | "ac" | "h" => {
                Self::CENTER
            }
            "right" | "signature" | "sig" | "r" | "rightalign" | "tar" => Self::RIGHT,
            "dropcap" | "drop-cap" | "drop" | "dc" | "initial" | "letra" | "firstletter"
            | "first-letter" | "dropcap-image" | "capital" | "di" | "floatcap" | "dropcapimage"
            | "versal" | "illcap" | "cap" | "illo-cap" | "drop_cap" | "bigcap" | "fcap"
            | "initcap" | "init" | "lettrine" | "raisedcap" => Self::INITIAL,
            "chapter-title" | "chaptertitle" | "chapterhead" | "chaphead" | "chapter-head"
            | "chapnum" | "chaptitle" | "chapter-number" | "ch" | "chapterheading" | "chap"
            | "ph1" | "ph2" | "ph3" | "ph4" | "subhead" | "heading" | "part-title" => {
                if tag == Tag::Div { Self::NONE } else { Self::HEADING }
            }
            "tb" | "thought-break" | "thoughtbreak" | "asterism" | "scenebreak"
            | "section-break" | "tbrk" | "stars" => Self::THOUGHT_BREAK,
            "letter" | "handbill" | "sign" | "telegram" | "document" | "note" => Self::INSET,
            "bold" | "b" => Self::BOLD,
            "italic" | "i" | "it" => Self::ITALIC,
            "hidden" | "invisible" | "x-ebookmaker-show" | "nodisplay" => Self::HIDDEN,
            _ if word.starts_with("pagenum") => Self::PAGE,
            _ if word.starts_with("fig") && word.len() > 5 => Self::FIGURE,
            _ if word.starts_with("caption") => Self::CAPTION,
            _ if word.starts_with("dropcap") || word.starts_with("drop-cap") => Self::INITIAL,
            _ if word.starts_with("footnote") && !inline => Self::FOOTNOTE,
            _ if word.starts_with("poem") || word.starts_with("stanza") => Self::VERSE,
            _ => Self::NONE,
        }
    }

    /// What an element's id says.
    pub(crate) fn of_id(id: &str) -> Self {
        match id {
            "pg-header" | "pg-machine-header" | "pg-start-separator" => Self::HEADER,
            "pg-footer" | "pg-end-separator" | "project-gutenberg-license" => Self::FOOTER,
            "tnote" | "transnote" | "transcribers-note" | "transcriber-note" => Self::NOTE,
            "toc" | "contents" | "TOC" | "table-of-contents" => Self::CONTENTS,
            "titlepage" | "title-page" => Self::TITLE_PAGE,
            _ => Self::NONE,
        }
    }
}

impl BitOr for Marks {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Marks {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
