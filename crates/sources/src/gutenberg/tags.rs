//! The tags that the walk tells apart: which part blocks, which are headings, which are never shown.

/// A tag that the walk tells from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Tag {
    /// Plain text, before or outside any element.
    Body,
    Div,
    P,
    H1,
    H2,
    H3,
    H4,
    H5,
    H6,
    Pre,
    Quote,
    Center,
    Table,
    Row,
    Cell,
    List,
    Item,
    Term,
    Figure,
    Caption,
    Hr,
    Br,
    Img,
    A,
    Bold,
    Italic,
    Sup,
    Span,
    /// Its content is never shown.
    Unseen,
    Title,
    /// Any other tag, taken as inline.
    Other,
}

/// How many tags there are, for tables by tag.
pub(crate) const TAGS: usize = Tag::Other as usize + 1;

impl Tag {
    /// The tag of a name in small letters.
    pub(crate) fn of(name: &[u8]) -> Self {
        match name {
            b"p" | b"address" => Self::P,
            b"div" | b"section" | b"article" | b"header" | b"footer" | b"nav" | b"main"
            | b"aside" | b"form" | b"fieldset" | b"hgroup" | b"details" | b"summary"
            | b"legend" | b"dl" => Self::Div,
            b"span" | b"font" => Self::Span,
            b"a" => Self::A,
            b"br" => Self::Br,
            b"i" | b"em" | b"cite" => Self::Italic,
            b"b" | b"strong" => Self::Bold,
            b"img" | b"image" => Self::Img,
            b"h1" => Self::H1,
            b"h2" => Self::H2,
            b"h3" => Self::H3,
            b"h4" => Self::H4,
            b"h5" => Self::H5,
            b"h6" => Self::H6,
            b"pre" | b"listing" | b"xmp" | b"plaintext" => Self::Pre,
            b"blockquote" => Self::Quote,
            b"center" => Self::Center,
            b"table" | b"tbody" | b"thead" | b"tfoot" => Self::Table,
            b"tr" => Self::Row,
            b"td" | b"th" => Self::Cell,
            b"ul" | b"ol" | b"menu" | b"dir" => Self::List,
            b"li" => Self::Item,
            b"dt" | b"dd" => Self::Term,
            b"figure" => Self::Figure,
            b"figcaption" | b"caption" => Self::Caption,
            b"hr" => Self::Hr,
            b"sup" => Self::Sup,
            b"body" | b"html" | b"head" => Self::Body,
            b"title" => Self::Title,
            b"style" | b"script" | b"template" | b"noscript" | b"noframes" | b"noembed"
            | b"iframe" | b"svg" | b"math" | b"object" | b"textarea" | b"select" => Self::Unseen,
            _ => Self::Other,
        }
    }

    /// Whether text before and after it belongs to different paragraphs.
    pub(crate) fn parts_blocks(self) -> bool {
        (self as u8) <= Self::Hr as u8
    }

    /// The heading tag of a level.
    pub(crate) fn of_rank(rank: u8) -> Self {
        [Self::H1, Self::H2, Self::H3, Self::H4, Self::H5, Self::H6]
            [usize::from(rank.clamp(1, 6) - 1)]
    }

    /// The level of a heading tag.
    pub(crate) fn heading(self) -> Option<u8> {
        let level = (self as u8).checked_sub(Self::H1 as u8)? + 1;
        (level <= 6).then_some(level)
    }
}
