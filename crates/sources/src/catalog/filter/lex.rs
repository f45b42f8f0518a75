//! A filter's text as words, signs and quoted values, each with its place.

use std::ops::Range;

use super::Mistake;

/// A piece of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) at: Range<usize>,
    pub(super) kind: Kind,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A field, a value or a word like `and`.
    Word(String),
    /// A value in quotes.
    Quoted(String),
    /// `=`, `!=`, `~`, `!~`, `<`, `<=`, `>`, `>=`, `(`, `)`, `,`.
    Sign(&'static str),
    /// Behind the last piece.
    End,
}

const SIGNS: [&str; 11] = ["!=", "!~", "<=", ">=", "=", "~", "<", ">", "(", ")", ","];

/// Signs of other languages, and what they are called here.
const FOREIGN: [(&str, &str); 6] =
    [("==", "="), ("<>", "!="), ("&&", "and"), ("||", "or"), ("=~", "~"), ("!", "not")];

/// Cuts a text into pieces; the last is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(value) = single_quoted(rest) {
            (Kind::Quoted(value.to_owned()), value.len() + 2)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Kind::Word(rest[..length].to_owned()), length)
        } else if let Some(close) = closing(first) {
            quoted(rest, at, close)?
        } else {
            (Kind::Sign(sign(rest, at)?), sign(rest, at)?.len())
        };
        tokens.push(Token { at: at..at + length, kind });
        at += length;
    }
    tokens.push(Token { at: text.len()..text.len(), kind: Kind::End });
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || ".-_:?'".contains(c) || unicode_normalization::char::is_combining_mark(c)
}

/// A value in single quotes, which are also part of words: `o'brien`, `'tis`.
fn single_quoted(rest: &str) -> Option<&str> {
    let value = rest.strip_prefix('\'')?;
    let end = value.match_indices('\'').find(|(at, _)| {
        let next = value[at + 1..].chars().next();
        next.is_none_or(|next| next.is_whitespace() || "),".contains(next))
    })?;
    Some(&value[..end.0])
}

/// Quotes, also as word processors set them.
fn closing(open: char) -> Option<char> {
    match open {
        '"' => Some('"'),
        '“' => Some('”'),
        '`' => Some('`'),
        _ => None,
    }
}

fn quoted(rest: &str, at: usize, close: char) -> Result<(Kind, usize), Mistake> {
    let mut value = String::new();
    let mut letters = rest.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        if letter == close {
            return Ok((Kind::Quoted(value), place + letter.len_utf8()));
        }
        let next = if letter == '\\' { letters.next().map(|(_, next)| next) } else { None };
        value.push(next.unwrap_or(letter));
    }
    Err(Mistake {
        at: at..at + rest.len(),
        message: "the quotes are not closed".to_owned(),
        hint: Some("inside of quotes, `\\\"` is a quote".to_owned()),
    })
}

fn sign(rest: &str, at: usize) -> Result<&'static str, Mistake> {
    let foreign = FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign));
    let ours = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    match (foreign, ours) {
        (Some((sign, here)), ours) if ours.is_none_or(|ours| ours.len() < sign.len()) => {
            Err(Mistake {
                at: at..at + sign.len(),
                message: format!("`{sign}` is not an operator here"),
                hint: Some(format!("write `{here}`")),
            })
        }
        (_, Some(sign)) => Ok(sign),
        _ => {
            let sign = rest.chars().next().unwrap_or_default();
            Err(Mistake {
                at: at..at + sign.len_utf8(),
                message: format!("`{}` means nothing here", sign.escape_debug()),
                hint: Some("values with other signs than letters, digits and `. - _ : ? '` stand in quotes".to_owned()),
            })
        }
    }
}
