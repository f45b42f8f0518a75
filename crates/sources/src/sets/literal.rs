//! Lists and dictionaries as Python prints them, for LooGLE: strings, numbers, `True`, `False`, `None`.

use std::{iter::Peekable, str::Chars};

use serde_json::{Map, Value};

/// Reads a literal, or JSON; none if it is neither.
pub(super) fn read(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut chars = text.chars().peekable();
    let found = value(&mut chars, 0)?;
    skip(&mut chars);
    chars.next().is_none().then_some(found)
}

type Rest<'t> = Peekable<Chars<'t>>;

/// How deep lists may lie in lists: theirs are three deep.
const DEEPEST: u32 = 16;

fn skip(chars: &mut Rest<'_>) {
    while chars.next_if(|c| c.is_whitespace()).is_some() {}
}

fn value(chars: &mut Rest<'_>, depth: u32) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    skip(chars);
    match chars.peek()? {
        '[' => list(chars, ']', depth).map(Value::Array),
        '(' => list(chars, ')', depth).map(Value::Array),
        '{' => dictionary(chars, depth).map(Value::Object),
        '\'' | '"' => string(chars).map(Value::String),
        _ => word(chars),
    }
}

fn list(chars: &mut Rest<'_>, close: char, depth: u32) -> Option<Vec<Value>> {
    chars.next();
    let mut items = Vec::new();
    loop {
        skip(chars);
        if chars.next_if_eq(&close).is_some() {
            return Some(items);
        }
        items.push(value(chars, depth + 1)?);
        skip(chars);
        if chars.next_if_eq(&',').is_none() && *chars.peek()? != close {
            return None;
        }
    }
}

fn dictionary(chars: &mut Rest<'_>, depth: u32) -> Option<Map<String, Value>> {
    chars.next();
    let mut items = Map::new();
    loop {
        skip(chars);
        if chars.next_if_eq(&'}').is_some() {
            return Some(items);
        }
        let key = string(chars)?;
        skip(chars);
        chars.next_if_eq(&':')?;
        items.insert(key, value(chars, depth + 1)?);
        skip(chars);
        if chars.next_if_eq(&',').is_none() && *chars.peek()? != '}' {
            return None;
        }
    }
}

fn string(chars: &mut Rest<'_>) -> Option<String> {
    let mark = chars.next_if(|c| matches!(c, '\'' | '"'))?;
    let mut text = String::new();
    loop {
        match chars.next()? {
            c if c == mark => return Some(text),
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'x' => text.push(coded(chars, 2)?),
                'u' => text.push(coded(chars, 4)?),
                'U' => text.push(coded(chars, 8)?),
                c @ ('\\' | '\'' | '"') => text.push(c),
                // Python keeps what it does not know.
                c => text.extend(['\\', c]),
            },
            c => text.push(c),
        }
    }
}

fn coded(chars: &mut Rest<'_>, digits: usize) -> Option<char> {
    let code: String = chars.by_ref().take(digits).collect();
    char::from_u32(u32::from_str_radix(&code, 16).ok()?)
}

fn word(chars: &mut Rest<'_>) -> Option<Value> {
    let mut word = String::new();
    while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '+')) {
        word.push(c);
    }
    match &word[..] {
        "None" => Some(Value::Null),
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        _ => serde_json::from_str(&word).ok().filter(Value::is_number),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_python_prints_is_read() {
        let text = r#"[{'Q': "Who's \"in\"?", 'A': 'It\'s \\ \xe9\u4e2d\n', 'S': ['One.', 2, None, True],}, ]"#;
        let expected =
            json!([{ "Q": "Who's \"in\"?", "A": "It's \\ é中\n", "S": ["One.", 2, null, true] }]);
        assert_eq!(read(text), Some(expected));
        assert_eq!(read("[\"a\"]"), Some(json!(["a"])));
        for wrong in ["[", "['a'", "['a' 'b']", "{'a'}", "[a]", "[] x", "", "['\\ud800']"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None);
    }
}
