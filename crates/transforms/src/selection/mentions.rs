//! Where people are named: words with a capital in the middle of a sentence, and in Chinese what
//! stands before a verb of saying.

use super::lists::{KINDS, Lines, lines};
use std::collections::HashMap;

use storymill_core::{Book, ParagraphKind};
use storymill_text::word::is_han;

/// Every mention of a name, with its place.
pub(super) fn mentions(book: &Book) -> Vec<(usize, &str)> {
    let mut low: HashMap<&str, u32> = HashMap::new();
    let mut high: HashMap<&str, u32> = HashMap::new();
    let mut ruled: HashMap<&str, u32> = HashMap::new();
    let (mut inside, mut capitals) = (0_u64, 0_u64);
    let mut found = Vec::new();
    for paragraph in &book.paragraphs {
        if paragraph.kind == ParagraphKind::Heading {
            continue;
        }
        let mut previous = "";
        let start = paragraph.text.start as usize;
        let text = &book.text[start..paragraph.text.end as usize];
        let mut last = '.';
        let mut word: Option<(usize, char)> = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            if c.is_alphabetic() && !is_han(c) {
                if word.is_none() {
                    word = Some((at, last));
                }
                continue;
            }
            if let Some((from, before)) = word.take() {
                let name = &text[from..at];
                let middle = before.is_alphanumeric() || matches!(before, ',' | ';');
                inside += u64::from(middle);
                if name.starts_with(char::is_uppercase) {
                    capitals += u64::from(middle);
                    if name.chars().nth(2).is_some() {
                        found.push((start + from, name));
                        // Only in the middle of a sentence does a capital say anything.
                        if middle {
                            *high.entry(name).or_default() += 1;
                            if RULERS.contains(&previous.to_lowercase().as_str()) {
                                *ruled.entry(name).or_default() += 1;
                            }
                        }
                    }
                } else {
                    *low.entry(name).or_default() += 1;
                }
                previous = name;
                last = 'x';
            }
            if is_han(c) {
                if matches!(c, '曰' | '道' | '說' | '说')
                    && let Some(name) = speaker(&text[..at])
                {
                    found.push((start + at - name.len(), name));
                    *high.entry(name).or_default() += 1;
                }
                last = c;
            } else if !c.is_whitespace()
                && !matches!(
                    c,
                    '"' | '“' | '”' | '‘' | '’' | '\'' | '«' | '»' | '(' | '—' | '-' | '_'
                )
            {
                last = c;
            }
        }
    }
    // Where every noun has a capital, as in German, a name is what stands without an article.
    let nouns = capitals * 8 > inside;
    found.retain(|(_, name)| {
        high.get(name).is_some_and(|times| {
            *times >= 2
                && !ADDRESSES.contains(name)
                && low.get(name.to_lowercase().as_str()).copied().unwrap_or(0) * 3 < *times
                && !(nouns && ruled.get(name).copied().unwrap_or(0) * 6 > *times)
        })
    });
    found
}

/// How people are addressed: in every story there is a Mrs. Somebody.
static ADDRESSES: Lines = Lines::new(|| lines(KINDS, "addresses"));

/// Articles and what takes their place before nouns, where nouns have capitals: in German, in older
/// Danish and in older English.
const RULERS: &[&str] = &[
    "der", "die", "das", "des", "dem", "den", "ein", "eine", "einen", "einem", "einer", "eines",
    "im", "am", "zum", "zur", "vom", "beim", "ins", "ans", "kein", "keine", "keinen", "mein",
    "meine", "meinen", "meinem", "meiner", "meines", "dein", "deine", "deinen", "sein", "seine",
    "seinen", "seinem", "seiner", "seines", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihres",
    "unser", "unsere", "diese", "dieser", "dieses", "diesem", "diesen", "jede", "jeder", "jedes",
    "alle", "aller", "viele", "the", "a", "an", "his", "her", "my", "your", "our", "their", "this",
    "that", "no", "any", "every", "some", "these", "those", "en", "et", "sin", "sit", "sine",
    "hans", "hendes", "min", "mit", "mine", "din", "dit", "vor", "vort", "denne", "dette", "disse",
    "ingen", "al", "det", "de",
];

/// The two Han letters before a verb of saying.
fn speaker(before: &str) -> Option<&str> {
    let (from, _) = before.char_indices().rev().nth(1)?;
    let name = &before[from..];
    (name.chars().all(is_han)
        && !name.contains([
            '知', '笑', '問', '答', '不', '的', '了', '是', '來', '我', '你', '他', '這', '那',
            '一',
        ]))
    .then_some(name)
}
