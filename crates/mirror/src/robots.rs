//! robots.txt, as RFC 9309 has it: which paths a host lets us ask for, and how slowly.

use std::time::Duration;

/// The name by which rules may single us out.
const OURS: &str = "storymill";

/// No host is waited for longer than this between requests, whatever its `Crawl-delay`: seconds.
const SLOWEST: f64 = 300.0;

/// What a host's robots.txt says to us.
#[derive(Clone, Debug, Default)]
pub(crate) struct Robots {
    /// Patterns, and whether they allow.
    rules: Vec<(String, bool)>,
    /// The pause it asks for.
    pub(crate) delay: Option<Duration>,
}

impl Robots {
    /// Reads a robots.txt; what is not understood is passed over.
    pub(crate) fn parse(text: &str) -> Self {
        let (mut ours, mut everybody) = (None::<Self>, None::<Self>);
        let (mut agents, mut in_rules) = (Vec::new(), false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if std::mem::take(&mut in_rules) {
                    agents.clear();
                }
                agents.push(value.to_ascii_lowercase());
                continue;
            }
            in_rules = true;
            for agent in &agents {
                let group = match agent.as_str() {
                    "*" => &mut everybody,
                    name if name.split('/').next() == Some(OURS) => &mut ours,
                    _ => continue,
                };
                group.get_or_insert_default().add(&key, value);
            }
        }
        ours.or(everybody).unwrap_or_default()
    }

    fn add(&mut self, key: &str, value: &str) {
        match key {
            "allow" | "disallow" if !value.is_empty() => {
                self.rules.push((value.to_owned(), key == "allow"));
            }
            "crawl-delay" => {
                let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                let delay = seconds.map(|seconds| Duration::from_secs_f64(seconds.min(SLOWEST)));
                self.delay = self.delay.max(delay);
            }
            _ => {}
        }
    }

    /// Whether a path with its query may be asked for: the longest pattern decides, and of two
    /// as long the one that allows.
    pub(crate) fn allow(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(pattern, _)| fits(pattern, path));
        fitting
            .max_by_key(|(pattern, allow)| (pattern.len(), *allow))
            .is_none_or(|(_, allow)| *allow)
    }
}

/// Whether a path begins as a pattern says; `*` stands for anything, `$` at the end for the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    // The last part may also stand further on, at the very end.
    !whole || rest.is_empty() || last.is_some_and(|part| part.is_empty() || rest.ends_with(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_decides() {
        let text = "# x\nUser-agent: *\nUser-agent: other\nDisallow: /ebooks/ # no\nAllow: /ebooks/1\nDisallow: /*.rdf$\nCrawl-delay: 5\n\nUser-agent: bad\nDisallow: /\n";
        let robots = Robots::parse(text);
        for (path, allow) in [
            ("/", true),
            ("/ebooks/2", false),
            ("/ebooks/1342.html", true),
            ("/a/b.rdf", false),
            ("/a.rdf/b", true),
            ("/a.rdf.rdf", false),
        ] {
            assert_eq!(robots.allow(path), allow, "{path}");
        }
        assert_eq!(robots.delay, Some(Duration::from_secs(5)));
        let ours = Robots::parse(&format!("{text}User-Agent: Storymill\nDisallow: /x\n"));
        assert!(ours.allow("/ebooks/2") && !ours.allow("/x") && ours.delay.is_none());
        assert!(!Robots::parse("user-agent:*\ndisallow:/").allow("/1/2.htm"));
        assert!(Robots::parse("<html>User: x</html>").allow("/"));
        assert!(Robots::parse("User-agent: *\nDisallow:\n").allow("/x"));
        assert!(!Robots::parse("\u{feff}User-agent: *\rDisallow: /x\r").allow("/x"));
        let slowest =
            |text: &str| Robots::parse(&format!("User-agent: *\nCrawl-delay: {text}")).delay;
        for (text, seconds) in [("86400", Some(300)), ("inf", Some(300)), ("-1", None), ("x", None)]
        {
            assert_eq!(slowest(text), seconds.map(Duration::from_secs), "{text}");
        }
    }
}
