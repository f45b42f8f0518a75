//! Templates filled in. Whatever a dataset says is escaped, and letters that turn the reading direction around, or
//! are not seen, are shown by their number.

use minijinja::{
    AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter,
    syntax::SyntaxConfig,
};

use crate::links::Links;

const TEMPLATES: [(&str, &str); 15] = [
    ("base.html", include_str!("files/base.html")),
    ("home.html", include_str!("files/home.html")),
    ("list.html", include_str!("files/list.html")),
    ("book.html", include_str!("files/book.html")),
    ("question.html", include_str!("files/question.html")),
    ("row.html", include_str!("files/row.html")),
    ("search.html", include_str!("files/search.html")),
    ("lost.html", include_str!("files/lost.html")),
    ("parts.html", include_str!("files/parts.html")),
    ("left.html", include_str!("files/left.html")),
    ("left_item.html", include_str!("files/left_item.html")),
    ("answer.html", include_str!("files/answer.html")),
    ("page.html", include_str!("files/page.html")),
    ("cast.html", include_str!("files/cast.html")),
    ("casts.html", include_str!("files/casts.html")),
];

/// The templates, with links as they are called where the pages lie.
pub(crate) fn environment(links: Links) -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(shown);
    environment.add_function("link", move |path: String| links.to(&path));
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

/// Writes a value; text that is not ours is shown whole. Slashes stay as they are, so that links can be read.
fn shown(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) if !value.is_safe() => Ok(out.write_str(&escaped(text))?),
        _ => escape_formatter(out, state, value),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    escape_into(text, &mut out);
    out
}

/// Adds a text to a page; letters that mean nothing there are copied many at a time.
fn escape_into(text: &str, out: &mut String) {
    let mut done = 0;
    for (at, letter) in text.char_indices() {
        let instead = match letter {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            other if hides(other) => {
                out.push_str(&text[done..at]);
                *out += &numbered(other);
                done = at + other.len_utf8();
                continue;
            }
            _ => continue,
        };
        out.push_str(&text[done..at]);
        *out += instead;
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

/// The paragraphs of a text as they stand on a page: a whole book is a few megabytes, too many for a template.
pub(crate) fn paragraphs(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for paragraph in text.split("\n\n").map(|paragraph| paragraph.trim_matches('\n')) {
        if !paragraph.is_empty() {
            out += "<p>";
            escape_into(paragraph, &mut out);
            out += "</p>\n";
        }
    }
    out
}

fn numbered(letter: char) -> String {
    format!("⟦{:04X}⟧", u32::from(letter))
}

/// A letter that is not seen and changes what is.
pub(crate) fn hides(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides() {
        assert_eq!(escaped("<a href='/x'>\"&"), "&lt;a href=&#39;/x&#39;&gt;&quot;&amp;");
        assert_eq!(escaped("a\u{202e}b\u{0}c\nd"), "a⟦202E⟧b⟦0000⟧c\nd");
        let text = "\nOne <b>\nmore.\n\n\n\nTwo\u{202e}.\n\n";
        assert_eq!(paragraphs(text), "<p>One &lt;b&gt;\nmore.</p>\n<p>Two⟦202E⟧.</p>\n");
    }

    #[test]
    fn every_template_can_be_read() {
        let environment = environment(Links::Served("/".into())).unwrap();
        for (name, _) in TEMPLATES {
            environment.get_template(name).unwrap();
        }
    }
}
