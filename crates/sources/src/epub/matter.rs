//! What a document says of itself in `epub:type`: a chapter, or what stands before and behind the story.

use crate::cut::Why;

/// Why a document is no part of the story, by what its body and its first section say; nothing where they are
/// silent, or name a part of the story.
pub(super) fn apart(text: &str) -> Option<Why> {
    let body = text.find("<body")?;
    let mut tags = text[body..].split('<').skip(1);
    let body = kinds(tags.next()?);
    let section = tags
        .find(|tag| !tag.starts_with(['!', '?']))
        .filter(|tag| {
            ["section", "div", "article", "nav", "aside"].iter().any(|name| tag.starts_with(name))
        })
        .map_or("", kinds);
    let kinds = || section.split_ascii_whitespace().chain(body.split_ascii_whitespace());
    if kinds().any(|kind| {
        matches!(kind, "chapter" | "part" | "volume" | "prologue" | "epilogue" | "bodymatter")
    }) {
        return None;
    }
    kinds().find_map(|kind| {
        Some(match kind {
            "cover" | "titlepage" | "halftitlepage" | "halftitle" | "copyright-page"
            | "imprint" | "imprimatur" | "dedication" | "colophon" => Why::TitlePage,
            "toc" | "loi" | "lot" | "landmarks" => Why::Contents,
            "footnotes" | "endnotes" | "rearnotes" => Why::Footnote,
            "preface" | "foreword" | "introduction" | "preamble" | "frontmatter" => Why::Preface,
            "index" | "glossary" | "bibliography" | "appendix" | "backmatter" => Why::BackMatter,
            _ => return None,
        })
    })
}

/// The value of `epub:type` in a tag.
fn kinds(tag: &str) -> &str {
    let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
    let value =
        tag.split_once("epub:type").and_then(|(_, rest)| rest.trim_start().strip_prefix('='));
    let Some(value) = value.map(str::trim_start) else { return "" };
    let quote = value.starts_with(['"', '\'']).then(|| &value[..1]);
    quote.and_then(|quote| value[1..].split_once(quote)).map_or("", |(kinds, _)| kinds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_say_what_they_are() {
        for (text, expected) in [
            ("<html><body><p>x</p>", None),
            ("<body epub:type=\"frontmatter\"><p>x</p>", Some(Why::Preface)),
            (
                "<body epub:type='frontmatter z3998:fiction'>\n<section id='d' epub:type='dedication'>",
                Some(Why::TitlePage),
            ),
            ("<body epub:type=\"bodymatter\"><section epub:type=\"dedication\">", None),
            (
                "<body epub:type=\"backmatter\"><section epub:type=\"endnotes rearnotes\">",
                Some(Why::Footnote),
            ),
            ("<body epub:type=\"frontmatter\"><section epub:type=\"prologue\">", None),
            ("<body class=\"x\"><!-- c --><section epub:type=\"titlepage\">", Some(Why::TitlePage)),
            ("<p>no body</p>", None),
        ] {
            assert_eq!(apart(text), expected, "{text}");
        }
    }
}
