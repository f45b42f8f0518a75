//! What a document says of itself in `epub:type`: a chapter, or what stands before and behind the story.

use crate::cut::Why;

/// Why a document is no part of the story, by what its body and the sections in it say; nothing where they are
/// silent, or name a part of the story. Sections speak for a document only where nothing shows beside them.
pub(super) fn apart(text: &str) -> Option<Why> {
    let body = &text[text.find("<body")? + 1..];
    let body = &body[..body.find("</body").unwrap_or(body.len())];
    let (tag, inside) = body.split_once('>')?;
    let (sections, alone) = sections(inside);
    let body = kinds(tag);
    if sections.iter().chain([&body]).any(|kinds| is_story(kinds)) {
        return None;
    }
    let all = sections.iter().map(|kinds| said(kinds)).collect::<Option<Vec<_>>>();
    let first = all.filter(|_| alone).and_then(|all| all.first().copied());
    first.or_else(|| said(body))
}

fn is_story(kinds: &str) -> bool {
    kinds.split_ascii_whitespace().any(|kind| {
        matches!(kind, "chapter" | "part" | "volume" | "prologue" | "epilogue" | "bodymatter")
    })
}

fn said(kinds: &str) -> Option<Why> {
    kinds.split_ascii_whitespace().find_map(|kind| {
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

/// What the sections right inside a body say, and whether nothing shows beside them.
fn sections(inside: &str) -> (Vec<&str>, bool) {
    let (mut sections, mut alone) = (Vec::new(), true);
    let mut rest = inside;
    while let Some((text, tag)) = rest.split_once('<') {
        alone &= text.trim().is_empty();
        rest = behind(tag);
        let (name, empty) = (name(tag), tag[..tag.len() - rest.len()].ends_with("/>"));
        if !empty && ["section", "div", "article", "nav", "aside"].contains(&name) {
            sections.push(kinds(tag));
            rest = behind_element(rest, name);
        }
    }
    (sections, alone && rest.trim().is_empty())
}

/// What stands behind a tag or a comment, from behind its `<` on.
fn behind(tag: &str) -> &str {
    let end = if tag.starts_with("!--") { "-->" } else { ">" };
    tag.split_once(end).map_or("", |(_, rest)| rest)
}

/// What stands behind the end of an element, from behind its first tag on.
fn behind_element<'t>(mut rest: &'t str, element: &str) -> &'t str {
    let mut open = 1;
    while open > 0
        && let Some((_, tag)) = rest.split_once('<')
    {
        rest = behind(tag);
        let inner = &tag[..tag.len() - rest.len()];
        if let Some(tag) = inner.strip_prefix('/') {
            open -= u32::from(name(tag) == element);
        } else {
            open += u32::from(name(inner) == element && !inner.ends_with("/>"));
        }
    }
    if open > 0 { "" } else { rest }
}

/// The name that a tag begins with.
fn name(tag: &str) -> &str {
    tag.split(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').next().unwrap_or("")
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
            (
                "<body><section epub:type='dedication'><p>To A.</p></section></body>",
                Some(Why::TitlePage),
            ),
            ("<body><section epub:type='dedication'/><h2>I</h2></body>", None),
            ("<body><nav epub:type='toc'><nav>I</nav></nav><p>He went.</p></body>", None),
            ("<body><div epub:type='titlepage'><div/></div><div><p>He went.</p></div>", None),
            (
                "<body><!-- <p> --><div epub:type='titlepage'><div>The Mill</div></div>\n<section epub:type='imprint'>",
                Some(Why::TitlePage),
            ),
            (
                "<body epub:type='frontmatter'><div epub:type='titlepage'>A</div><p>B</p>",
                Some(Why::Preface),
            ),
            (
                "<body epub:type='frontmatter'><div epub:type='preface'>A</div><div epub:type='chapter'>",
                None,
            ),
        ] {
            assert_eq!(apart(text), expected, "{text}");
        }
    }
}
