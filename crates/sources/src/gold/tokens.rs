//! Texts as streams of tokens, with what is optional and where paragraphs and chapters begin.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text as tokens.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) tokens: Vec<String>,
    /// Tokens that cost nothing, kept or not.
    pub(super) optional: Vec<bool>,
    /// First tokens of paragraphs.
    pub(super) paragraphs: Vec<usize>,
    /// First tokens of the body of chapters.
    pub(super) chapters: Vec<usize>,
}

impl Stream {
    /// The tokens of a text of one paragraph a line.
    pub(super) fn of(text: &str, is_gold: bool) -> Self {
        let mut stream = Self::default();
        let mut headed = false;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let heading = line.strip_prefix("# ");
            let optional = line.strip_prefix("? ").filter(|_| is_gold);
            let from = stream.tokens.len();
            tokens(heading.or(optional).unwrap_or(line), &mut stream.tokens);
            stream.optional.resize(stream.tokens.len(), heading.or(optional).is_some());
            if heading.is_some() {
                headed = true;
            } else if optional.is_none() && stream.tokens.len() > from {
                if std::mem::take(&mut headed) {
                    stream.chapters.push(from);
                }
                stream.paragraphs.push(from);
            }
        }
        stream
    }

    /// Some tokens as one word.
    pub(super) fn joined(&self, range: Range<usize>) -> String {
        self.tokens[range].concat()
    }
}

/// Words in small letters without accents, apostrophes inside words left out.
fn tokens(line: &str, out: &mut Vec<String>) {
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            out.push(std::mem::take(word));
        }
    };
    let mut last_is_word = false;
    let mut symbols = line.chars().flat_map(char::to_lowercase).nfkd().peekable();
    while let Some(c) = symbols.next() {
        if is_combining_mark(c) || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}') {
            continue;
        }
        let inner = "'‘’ʼ´`".contains(c)
            && last_is_word
            && symbols.peek().is_some_and(|next| next.is_alphanumeric());
        if inner {
            continue;
        }
        last_is_word = c.is_alphanumeric();
        match c {
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => {
                flush(&mut word);
                word.push(c);
                flush(&mut word);
            }
            'æ' => word.push_str("ae"),
            'œ' => word.push_str("oe"),
            'ß' => word.push_str("ss"),
            'ø' => word.push('o'),
            'ð' => word.push('d'),
            'þ' => word.push_str("th"),
            'ł' => word.push('l'),
            '&' => {
                flush(&mut word);
                word.push_str("and");
                flush(&mut word);
            }
            c if c.is_alphanumeric() => word.push(c),
            _ => flush(&mut word),
        }
    }
    flush(&mut word);
}

/// Phrases of the file's makers, and lines of front and back matter, that a text holds.
pub fn traces(text: &str) -> Vec<&'static str> {
    const INSIDE: [&str; 9] = [
        "project gutenberg",
        "gutenberg.org",
        "pglaf",
        "transcriber",
        "pgdp.net",
        "proofread",
        "[illustration",
        "[footnote",
        "all rights reserved",
    ];
    const WHOLE: [&str; 6] =
        ["contents", "illustrations", "footnotes", "the end", "finis", "list of illustrations"];
    let text = text.to_lowercase();
    let mut found: Vec<_> = INSIDE.into_iter().filter(|phrase| text.contains(*phrase)).collect();
    let words = |word: &&str| matches!(*word, "etext" | "e-text" | "ebook" | "e-book");
    let parted = |c: char| !c.is_alphanumeric() && c != '-';
    if text.split(parted).any(|word| words(&word.trim_end_matches('s'))) {
        found.push("ebook");
    }
    let bare = |line: &str| line.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    if text.lines().any(|line| line.starts_with("produced by")) {
        found.push("produced by");
    }
    for line in text.lines() {
        if let Some(whole) = WHOLE.into_iter().find(|whole| bare(line) == *whole) {
            found.push(whole);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
