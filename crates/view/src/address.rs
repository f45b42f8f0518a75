//! Paths and what stands behind their question mark, in percent and back.

/// A text in percent but for letters, digits, `-._~` and these.
pub(crate) fn encoded(text: &str, also: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain || (byte.is_ascii() && also.contains(char::from(byte))) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

/// The text behind the percents; what is no text there becomes U+FFFD.
pub(crate) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match (bytes[at], hex.and_then(|two| u8::from_str_radix(two, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
                continue;
            }
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// What a query asks: `split=test&says=a+bell`. Of a name that comes twice the last one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn of(query: &str) -> Self {
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(&value.replace('+', " ")))
        };
        Self(query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect())
    }

    /// A value that is not blank.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find(|(own, _)| own == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The same with another value of a name.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        let others = self.0.iter().filter(|(own, value)| own != name && !value.is_empty());
        let mut pairs: Vec<String> = others
            .map(|(own, value)| format!("{}={}", encoded(own, ""), encoded(value, "")))
            .collect();
        if !value.is_empty() {
            pairs.push(format!("{}={}", encoded(name, ""), encoded(value, "")));
        }
        pairs.join("&")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn queries() {
        let query = Query::of("split=test&says=a+bell%20rang&empty=&twice=1&twice=2");
        assert_eq!(query.get("says"), Some("a bell rang"));
        assert_eq!(
            (query.get("empty"), query.get("twice"), query.get("no")),
            (None, Some("2"), None)
        );
        assert_eq!(Query::of("a=1&b=2").with("a", "ä"), "b=2&a=%C3%A4");
    }

    #[test]
    fn half_percents_stay() {
        assert_eq!(decoded("50%"), "50%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }

    proptest! {
        #[test]
        fn what_is_encoded_comes_back(text in any::<String>()) {
            prop_assert_eq!(decoded(&encoded(&text, "/")), text.clone());
            let query = Query::default().with("says", &text);
            let read = Query::of(&query);
            prop_assert_eq!(read.get("says").unwrap_or_default(), text.trim());
        }
    }
}
