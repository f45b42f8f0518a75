//! One book in many layouts: how pages of all ages set the same headings and paragraphs.

/// What stands in a book, in order.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Heading(String),
    Paragraph(String),
    /// A short line of the title page or a list.
    Line(String),
}

impl Part {
    fn text(&self) -> String {
        let (Self::Heading(text) | Self::Paragraph(text) | Self::Line(text)) = self;
        text.replace('&', "&amp;").replace('<', "&lt;")
    }

    fn is_heading(&self) -> bool {
        matches!(self, Self::Heading(_))
    }
}

/// A layout's name, and how it sets the parts of a page.
pub(crate) type Layout = (&'static str, fn(&[Part]) -> String);

pub(crate) const LAYOUTS: &[Layout] = &[
    ("headings", |parts| tagged(parts, "<h2>", "</h2>", "<p>", "</p>")),
    ("upper case, nothing closed", |parts| tagged(parts, "<H3>", "</H3>", "<P>", "")),
    ("bold paragraphs", |parts| tagged(parts, "<P><B>", "</B>", "<P>", "")),
    ("centred paragraphs", |parts| tagged(parts, "<P ALIGN=CENTER>", "", "<P>", "")),
    ("large type", |parts| tagged(parts, "<p><font size=5>", "</font></p>", "<p>", "</p>")),
    ("one paragraph, empty lines", |parts| format!("<p>{}</p>", joined(parts, "<br>\n<br>\n"))),
    ("one paragraph, line breaks", |parts| format!("<p>{}</p>", joined(parts, "<br>\n"))),
    ("one paragraph, source lines", |parts| format!("<p>\n{}</p>", joined(parts, "\n\n"))),
    ("no paragraph, line breaks", |parts| joined(parts, "<BR><BR>\n")),
    ("as typed", |parts| format!("<pre>\n{}\n</pre>", typed(parts))),
    ("a table of one cell", |parts| {
        let inner = tagged(parts, "<h3>", "</h3>", "<p>", "</p>");
        format!("<table width=500><tr><td>{inner}</td></tr></table>")
    }),
    ("a cell with line breaks", |parts| {
        format!("<table><tr><td>{}</td></tr></table>", joined(parts, "<br><br>"))
    }),
    ("all centred", |parts| {
        format!("<center>{}</center>", tagged(parts, "<h2>", "</h2>", "<p>", "</p>"))
    }),
    ("a picture's frame that is not closed", |parts| open(parts, "<div class=figcenter>")),
    ("a footnote's frame that is not closed", |parts| open(parts, "<div class=footnote>")),
    ("a note's frame that is not closed", |parts| open(parts, "<div class=tnote>")),
    ("contents that are not closed", |parts| open(parts, "<div class=toc>")),
    ("a class of page numbers around chapters", |parts| open(parts, "<div class=pagebreak>")),
];

fn tagged(parts: &[Part], open: &str, close: &str, from: &str, to: &str) -> String {
    let set = |part: &Part| {
        let (open, close) = if part.is_heading() { (open, close) } else { (from, to) };
        format!("{open}{}{close}\n", part.text())
    };
    parts.iter().map(set).collect()
}

fn joined(parts: &[Part], with: &str) -> String {
    parts.iter().map(Part::text).collect::<Vec<_>>().join(with)
}

/// Lines of at most 72 symbols, as a typewriter sets them.
fn typed(parts: &[Part]) -> String {
    let mut page = String::new();
    for part in parts {
        let mut width = 0;
        page += if part.is_heading() { "\n\n\n" } else { "\n" };
        for word in part.text().split(' ') {
            if width > 0 && width + word.len() > 72 {
                page.push('\n');
                width = 0;
            } else if width > 0 {
                page.push(' ');
            }
            page += word;
            width += word.len() + 1;
        }
        page.push('\n');
    }
    page
}

/// A frame that opens behind the first tenth of the page, and never closes.
fn open(parts: &[Part], frame: &str) -> String {
    let (before, behind) = parts.split_at(parts.len() / 10);
    let set = |parts| tagged(parts, "<h2>", "</h2>", "<p>", "</p>");
    format!("{}{frame}{}", set(before), set(behind))
}
