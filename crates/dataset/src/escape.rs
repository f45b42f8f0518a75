//! Texts from books made harmless in Markdown and YAML.

use storymill_core::turns;

/// A text as Markdown that shows it in one line and means nothing else.
pub(crate) fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for symbol in one_line(text).chars() {
        match symbol {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '!' | '~' | '$' => {
                safe.push('\\');
                safe.push(symbol);
            }
            plain => safe.push(plain),
        }
    }
    safe
}

/// A text as a quoted YAML scalar.
pub(crate) fn yaml(text: &str) -> String {
    serde_json::Value::from(one_line(text)).to_string()
}

/// Whether a text is a web address that may stand between angle brackets.
pub(crate) fn is_plain_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%".contains(&byte);
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(fits))
}

/// Controls, line ends and marks that turn the writing direction become blanks.
fn one_line(text: &str) -> String {
    let hides =
        |c: char| c.is_control() || turns(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}');
    let plain: String = text.chars().map(|c| if hides(c) { ' ' } else { c }).collect();
    storymill_text::one_line(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_mean_nothing_in_markdown() {
        let check = |text: &str, expected: &str| assert_eq!(markdown(text), expected);
        check("A | B\n# C", r"A \| B \# C");
        check("<script>*x*</script>", r"&lt;script&gt;\*x\*&lt;/script&gt;");
        check("[a](javascript:b)\u{202E}\u{1B}[31m", r"\[a\](javascript:b) \[31m");
        check("Éloïse", "Éloïse");
    }

    #[test]
    fn texts_are_quoted_in_yaml() {
        assert_eq!(yaml("a: \"b\"\n- c\u{85}"), r#""a: \"b\" - c""#);
    }

    #[test]
    fn only_plain_addresses_are_links() {
        assert!(is_plain_url("https://www.example.org/ebooks/84?x=1"));
        assert!(!is_plain_url("javascript:alert(1)"));
        assert!(!is_plain_url("https://example.org/> <b>"));
    }
}
