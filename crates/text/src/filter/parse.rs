//! From the text of a filter to its tests. What breaks the grammar ends the reading; a test that makes
//! no sense is told, and the next is looked at.

use std::ops::{Range, RangeInclusive};

use storymill_core::nearest;

use super::{
    Kind, Mistake, Mistakes, Test, Wanted,
    dates::{day, year},
};
use crate::word::fold;

/// Signs of more than one letter; all others stand for themselves.
const SIGNS: [&str; 9] = ["!=", "!~", "<=", ">=", "==", "<>", "=~", "&&", "||"];

const OPERATORS: [&str; 8] = ["=", "!=", "~", "!~", "<", "<=", ">", ">="];

/// Words and signs of other languages, and what is written here.
const FOREIGN: [(&str, &str); 11] = [
    ("or", "several values of one field are a list, as `language = en, fr`; else run it twice"),
    ("||", "several values of one field are a list, as `language = en, fr`; else run it twice"),
    ("not", "`not X = Y` is `X != Y`, `not X ~ Y` is `X !~ Y`, `X not in (A, B)` is `X != A, B`"),
    ("!", "`not X = Y` is `X != Y`, `not X ~ Y` is `X !~ Y`"),
    ("in", "`X in (A, B)` is `X = A, B`"),
    ("(", "tests are joined by `and` alone, and `X in (A, B)` is `X = A, B`"),
    (")", "tests are joined by `and` alone, and `X in (A, B)` is `X = A, B`"),
    ("==", "write `=`"),
    ("<>", "write `!=`"),
    ("=~", "write `~`"),
    ("&&", "write `and`"),
];

const QUOTES: &str =
    "values with anything but letters, digits and `. - _ : ? '` in them stand in quotes";

/// Reads the tests of a filter over fields, each a name and what its values are; or tells what is wrong with it.
///
/// # Errors
///
/// Every mistake, in the order of places.
pub fn tests(text: &str, fields: &[(&str, Kind)]) -> Result<Vec<Test>, Mistakes> {
    let tokens = tokens(text).map_err(|mistake| Mistakes { all: vec![mistake] })?;
    let (tests, mistakes) = (Vec::new(), Vec::new());
    let mut parser = Parser { tokens: &tokens, next: 0, fields, tests, mistakes };
    let end = parser.all();
    let Parser { tests, mistakes: mut all, .. } = parser;
    all.extend(end.err());
    if all.is_empty() { Ok(tests) } else { Err(Mistakes { all }) }
}

/// A piece of a filter.
struct Token {
    at: Range<usize>,
    shape: Shape,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A field, a value or `and`.
    Word,
    /// A value in quotes.
    Quoted,
    Sign,
    /// Behind the last piece.
    End,
}

fn mistake(at: &Range<usize>, message: String, hint: &str) -> Mistake {
    let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
    Mistake { at: at.clone(), message, hint }
}

/// Cuts a text into pieces; the last is the end.
fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (shape, value, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(value) = single_quoted(rest) {
            (Shape::Quoted, value.to_owned(), value.len() + 2)
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Shape::Word, rest[..length].to_owned(), length)
        } else if "\"“`".contains(first) {
            let (value, length) = quoted(rest).ok_or_else(|| {
                let message = "the quotes are not closed".to_owned();
                mistake(&(at..text.len()), message, "inside of quotes, `\\\"` is a quote")
            })?;
            (Shape::Quoted, value, length)
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let length = sign.map_or(first.len_utf8(), str::len);
            (Shape::Sign, rest[..length].to_owned(), length)
        };
        tokens.push(Token { at: at..at + length, shape, text: value });
        at += length;
    }
    tokens.push(Token { at: at..at, shape: Shape::End, text: String::new() });
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || ".-_:?'".contains(c) || unicode_normalization::char::is_combining_mark(c)
}

/// A value in single quotes, which are also part of words: `o'brien`, `'tis`.
fn single_quoted(rest: &str) -> Option<&str> {
    let value = rest.strip_prefix('\'')?;
    let (end, _) = value.match_indices('\'').find(|(at, _)| {
        let next = value[at + 1..].chars().next();
        next.is_none_or(|next| next.is_whitespace() || next == ',')
    })?;
    Some(&value[..end])
}

/// A value in double quotes, also as word processors set them, and the bytes that it takes.
fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut letters = rest.char_indices();
    let close = letters.next().map(|(_, open)| if open == '“' { '”' } else { open })?;
    let mut value = String::new();
    loop {
        match letters.next()? {
            (at, letter) if letter == close => return Some((value, at + letter.len_utf8())),
            (_, '\\') => value.push(letters.next()?.1),
            (_, letter) => value.push(letter),
        }
    }
}

struct Parser<'t> {
    tokens: &'t [Token],
    next: usize,
    fields: &'t [(&'t str, Kind)],
    tests: Vec<Test>,
    mistakes: Vec<Mistake>,
}

impl<'t> Parser<'t> {
    /// Takes the next piece if it is of use here.
    fn take(&mut self, is: impl Fn(&Token) -> bool) -> Option<&'t Token> {
        let token = self.tokens.get(self.next).filter(|token| is(token))?;
        self.next += 1;
        Some(token)
    }

    fn unexpected(&self, wanted: &str, hint: &str) -> Mistake {
        let Token { at, shape, text } = &self.tokens[self.next];
        let foreign = FOREIGN.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        let found = match (shape, foreign) {
            (Shape::Quoted, _) => "a value in quotes".to_owned(),
            (Shape::End, _) => "the end".to_owned(),
            (_, Some((_, hint))) => return mistake(at, format!("filters have no `{text}`"), hint),
            _ => format!("`{}`", text.escape_debug()),
        };
        mistake(at, format!("expected {wanted}, found {found}"), hint)
    }

    fn all(&mut self) -> Result<(), Mistake> {
        loop {
            self.test()?;
            if self.take(|token| token.shape == Shape::End).is_some() {
                return Ok(());
            }
            self.take(|token| token.shape == Shape::Word && token.text.eq_ignore_ascii_case("and"))
                .ok_or_else(|| self.unexpected("`and` or the end", QUOTES))?;
        }
    }

    fn test(&mut self) -> Result<(), Mistake> {
        let foreign = |text: &str| FOREIGN.iter().any(|(word, _)| text.eq_ignore_ascii_case(word));
        let name = self
            .take(|token| token.shape == Shape::Word && !foreign(&token.text))
            .ok_or_else(|| self.unexpected("a field", "a test is like `language = en`"))?;
        let field = self.fields.iter().position(|(one, _)| one.eq_ignore_ascii_case(&name.text));
        if field.is_none() {
            self.mistakes.push(no_field(name, self.fields));
        }
        let operator = self
            .take(|token| token.shape == Shape::Sign && OPERATORS.contains(&token.text.as_str()))
            .ok_or_else(|| {
                let hint = format!("a test is like `{} = …`; {QUOTES}", name.text);
                self.unexpected(&format!("an operator, one of {}", OPERATORS.join(" ")), &hint)
            })?;
        let mut values = Vec::new();
        loop {
            let value = self.take(|token| matches!(token.shape, Shape::Word | Shape::Quoted));
            values.push(value.ok_or_else(|| self.unexpected("a value", QUOTES))?);
            if self.take(|token| token.shape == Shape::Sign && token.text == ",").is_none() {
                break;
            }
        }
        match field.map(|field| (field, wanted(self.fields[field], operator, &values))) {
            Some((field, Ok(wanted))) => {
                let not = operator.text.starts_with('!');
                self.tests.push(Test { field, at: name.at.clone(), not, wanted });
            }
            Some((_, Err(mistake))) => self.mistakes.push(mistake),
            None => {}
        }
        Ok(())
    }
}

fn no_field(name: &Token, fields: &[(&str, Kind)]) -> Mistake {
    let known = fields.iter().map(|(field, _)| *field);
    let hint = match nearest(&name.text.to_lowercase(), known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the fields are {}", known.collect::<Vec<_>>().join(", ")),
    };
    mistake(&name.at, format!("there is no field `{}`", name.text), &hint)
}

/// What a test wants, whether turned round or not.
fn wanted(
    (name, kind): (&str, Kind),
    operator: &Token,
    values: &[&Token],
) -> Result<Wanted, Mistake> {
    let sign = operator.text.as_str();
    let ordered = sign.starts_with(['<', '>']);
    let texts = || values.iter().map(|value| fold(&value.text)).collect();
    let number = |value: &&Token| range(Kind::Number, &value.text).is_some();
    let kind = match kind {
        // An id is a number where it is compared with one.
        Kind::Id if ordered || sign.ends_with('=') && values.iter().all(number) => Kind::Number,
        Kind::Id => Kind::Text,
        kind => kind,
    };
    let (message, hint) = match (kind, sign) {
        (Kind::Text, "=" | "!=") => return Ok(Wanted::Same(texts())),
        (Kind::Text, "~" | "!~") => return Ok(Wanted::Has(texts())),
        (Kind::Text, _) => (
            format!("`{name}` is a text, which is neither less nor more than another"),
            "texts are compared by = != ~ !~",
        ),
        (_, "~" | "!~") => (
            format!("`{name}` is a number, and `{sign}` looks for words"),
            "numbers are compared by = != < <= > >=",
        ),
        _ if ordered && values.len() > 1 => {
            (format!("`{sign}` takes one value"), "lists of values stand behind = != ~ !~")
        }
        _ => return numbers(name, kind, sign, values),
    };
    Err(mistake(&operator.at, message, hint))
}

fn numbers(name: &str, kind: Kind, sign: &str, values: &[&Token]) -> Result<Wanted, Mistake> {
    if let [value] = values
        && matches!(sign, "=" | "!=")
        && (value.text.eq_ignore_ascii_case("unknown") || value.text == "?")
    {
        return Ok(Wanted::Unknown);
    }
    let ranges = values.iter().map(|value| {
        let (low, high) =
            range(kind, &value.text).ok_or_else(|| not_one(name, kind, value))?.into_inner();
        Ok(match sign {
            "<" => i64::MIN..=low - 1,
            "<=" => i64::MIN..=high,
            ">" => high + 1..=i64::MAX,
            ">=" => low..=i64::MAX,
            _ => low..=high,
        })
    });
    ranges.collect::<Result<_, _>>().map(Wanted::Within)
}

/// What a value stands for: `1342`, `1..99`, `"43 BCE"`, `2008-06`.
fn range(kind: Kind, value: &str) -> Option<RangeInclusive<i64>> {
    if let Some((from, to)) = value.split_once("..") {
        let (from, to) = (range(kind, from)?, range(kind, to)?);
        return (from.start() <= to.end()).then(|| *from.start()..=*to.end());
    }
    match kind {
        Kind::Date => day(value),
        Kind::Year => {
            let bare = value.strip_prefix('-').unwrap_or(value);
            let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
            let era = bare[digits..].trim().to_ascii_uppercase();
            let fits = digits > 0 && matches!(era.as_str(), "" | "BCE" | "BC" | "CE" | "AD");
            let year = i64::from(year(value).filter(|_| fits)?);
            Some(year..=year)
        }
        _ => value.parse().ok().filter(|n: &i64| n.unsigned_abs() < 1 << 40).map(|n| n..=n),
    }
}

fn not_one(name: &str, kind: Kind, value: &Token) -> Mistake {
    let (what, hint) = match kind {
        Kind::Date => ("day, month or year", "days are written as 2008-06-25, 2008-06 or 2008"),
        Kind::Year => (
            "year",
            "years are written as 1775, -43 or \"43 BCE\"; `unknown` stands alone behind `=`",
        ),
        _ => ("number", "ranges are written as 1..99"),
    };
    let message = format!("`{}` is not a {what}, as `{name}` is", value.text);
    mistake(&value.at, message, hint)
}
