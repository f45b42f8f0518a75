//! Templates filled in. Whatever a dataset says is escaped, and letters that turn the reading direction around, or
//! are not seen, are shown by their number.

use minijinja::{
    AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter,
    syntax::SyntaxConfig,
};

use crate::links::Links;

const TEMPLATES: [(&str, &str); 8] = [
    ("base.html", include_str!("files/base.html")),
    ("home.html", include_str!("files/home.html")),
    ("list.html", include_str!("files/list.html")),
    ("book.html", include_str!("files/book.html")),
    ("question.html", include_str!("files/question.html")),
    ("row.html", include_str!("files/row.html")),
    ("search.html", include_str!("files/search.html")),
    ("lost.html", include_str!("files/lost.html")),
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
    let text = if text.chars().any(hides) { visible(text) } else { text.to_owned() };
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            other => out.push(other),
        }
    }
    out
}

/// A letter that is not seen and changes what is.
fn hides(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (letter.is_control() && !matches!(letter, '\n' | '\t' | '\r'))
}

/// The text with hidden letters by their numbers: `⟦202E⟧`.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if hides(letter) {
            out += &format!("⟦{:04X}⟧", u32::from(letter));
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides() {
        assert_eq!(escaped("<a href='/x'>\"&"), "&lt;a href=&#39;/x&#39;&gt;&quot;&amp;");
        assert_eq!(visible("a\u{202e}b\u{0}c\nd"), "a⟦202E⟧b⟦0000⟧c\nd");
    }

    #[test]
    fn every_template_can_be_read() {
        let environment = environment(Links::Served("/".into())).unwrap();
        for (name, _) in TEMPLATES {
            environment.get_template(name).unwrap();
        }
    }
}
