//! Credentials: which variables hold them, and no text of ours does.

use std::fmt;

/// What no message may show.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

impl Secrets {
    #[cfg(feature = "http")]
    pub(crate) fn add(&mut self, value: &str) {
        // A word of a few letters is no secret, and stands in many messages.
        if value.trim().len() >= 4 {
            self.0.push(value.trim().to_owned());
        }
    }

    /// An error and what lies beneath it in one line: without credentials, without what follows a `?` in an
    /// address, and of what a server said only its code and its message.
    pub(crate) fn tell(&self, error: &dyn std::error::Error) -> String {
        let mut text = error.to_string();
        let mut beneath = error.source();
        while let Some(error) = beneath {
            let more = error.to_string();
            if !text.contains(&more) {
                text += ": ";
                text += &more;
            }
            beneath = error.source();
        }
        let mut text = without_body(&without_queries(&text));
        for secret in &self.0 {
            text = text.replace(secret, "[credentials]");
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Addresses without what follows their path: signatures may stand there.
fn without_queries(text: &str) -> String {
    let word = |word: &str| match word.split_once('?') {
        Some((address, _)) if address.contains("://") => format!("{address}?[left out]"),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A message with the code and the message of an answer in XML, in place of the answer.
fn without_body(text: &str) -> String {
    let Some(start) = text.find("<?xml").or_else(|| text.find("<Error")) else {
        return text.to_owned();
    };
    let (told, body) = text.split_at(start);
    let inside = |tag: &str| {
        let (_, rest) = body.split_once(&format!("<{tag}>"))?;
        Some(rest.split_once(&format!("</{tag}>"))?.0.to_owned())
    };
    let said: Vec<String> = ["Code", "Message"].into_iter().filter_map(inside).collect();
    format!("{told}{}", said.join(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_holds_no_credentials() {
        let secrets = Secrets(vec!["planted-secret".to_owned()]);
        let error = std::io::Error::other(
            "PUT https://a.example/b?sig=abc failed: planted-secret: <?xml version='1'?><Error><Code>Denied</Code><Message>no</Message><AWSAccessKeyId>AKIA123</AWSAccessKeyId></Error>",
        );
        let told = secrets.tell(&error);
        assert_eq!(told, "PUT https://a.example/b?[left out] failed: [credentials]: Denied: no");
        assert_eq!(format!("{secrets:?}"), "Secrets(1)");
    }
}
