//! Words of one sentence as nltk 3.9's `word_tokenize` cuts them (Penn Treebank style).
//!
//! METEOR's published numbers depend on this cut, down to its oddities: it is a chain of
//! rewritings, each over the result of the one before, and only then a split at spaces. Each
//! function below is one link. nltk first cuts a text into sentences with a trained model, which
//! is data we do not carry; here the whole text is one sentence (nltk's `preserve_line=True`).
//! The difference is full stops inside the text: they stay with their word. Hand in one sentence
//! at a time where that matters.

use crate::unicode::{is_digit, is_space, is_word};

/// Cuts one sentence into words.
///
/// ```
/// use storymill_metrics::treebank::words;
/// assert_eq!(words("He can't pay $5."), ["He", "ca", "n't", "pay", "$", "5", "."]);
/// ```
pub fn words(sentence: &str) -> Vec<String> {
    let text: Vec<char> = sentence.chars().collect();
    let text = closing_quotes(&brackets_and_dashes(&punctuation(&opening_quotes(&text))));
    let text: String = contractions(&text).into_iter().collect();
    text.split(is_space).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Rewrites a text from left to right: where `rule` takes some letters it says how many, and has
/// written what stands for them; elsewhere one letter is copied.
fn rewrite(text: &[char], rule: impl Fn(usize, &mut Vec<char>) -> Option<usize>) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut at = 0;
    while at < text.len() {
        if let Some(taken) = rule(at, &mut out) {
            at += taken;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// Puts spaces around every run that `run` measures.
fn pad(text: &[char], run: impl Fn(&[char]) -> usize) -> Vec<char> {
    rewrite(text, |at, out| {
        let n = run(&text[at..]);
        (n > 0).then(|| {
            put(out, &[&[' '], &text[at..at + n], &[' ']]);
            n
        })
    })
}

fn pad_each(text: &[char], these: &str) -> Vec<char> {
    pad(text, |rest| usize::from(these.contains(rest[0])))
}

fn put(out: &mut Vec<char>, parts: &[&[char]]) {
    for part in parts {
        out.extend_from_slice(part);
    }
}

fn run_of(rest: &[char], c: char) -> usize {
    rest.iter().take_while(|&&d| d == c).count()
}

/// Quotes that open; a straight double quote opens at the start and after space or bracket.
fn opening_quotes(text: &[char]) -> Vec<char> {
    let text = pad(text, |rest| match rest[0] {
        '«' | '“' | '‘' | '„' => 1,
        c => run_of(rest, '`').min(if c == '`' { usize::MAX } else { 0 }),
    });
    let text = rewrite(&text, |at, out| {
        (at == 0 && text[0] == '"').then(|| {
            put(out, &[&['`', '`']]);
            1
        })
    });
    let text = pad(&text, |rest| if rest.starts_with(&['`', '`']) { 2 } else { 0 });
    let text = rewrite(&text, |at, out| {
        let quote = match text.get(at + 1)? {
            '"' => 1,
            '\'' if text.get(at + 2) == Some(&'\'') => 2,
            _ => return None,
        };
        " ([{<".contains(text[at]).then(|| {
            put(out, &[&[text[at], ' ', '`', '`', ' ']]);
            1 + quote
        })
    });
    // An apostrophe before a single letter that is no contraction: a quoted letter.
    rewrite(&text, |at, out| {
        let letter = *text.get(at + 1)?;
        let alone = text.get(at + 2).is_none_or(|&c| !is_word(c));
        (text[at] == '\'' && is_word(letter) && alone && !"mtsdnMTSDNſ".contains(letter)).then(
            || {
                put(out, &[&['\'', ' ', letter]]);
                2
            },
        )
    })
}

fn punctuation(text: &[char]) -> Vec<char> {
    let text = final_stop(text);
    let text = rewrite(&text, |at, out| {
        let next = *text.get(at + 1)?;
        (matches!(text[at], ':' | ',') && !is_digit(next)).then(|| {
            put(out, &[&[' ', text[at], ' ', next]]);
            2
        })
    });
    let end = text.len() - usize::from(text.last() == Some(&'\n'));
    let text = rewrite(&text, |at, out| {
        let last = at + 1 == end || at + 1 == text.len();
        (last && matches!(text[at], ':' | ',')).then(|| {
            put(out, &[&[' ', text[at], ' ']]);
            1
        })
    });
    let text = pad(&text, |rest| Some(run_of(rest, '.')).filter(|&n| n > 1).unwrap_or(0));
    let text = pad_each(&text, ";@#$%&");
    let text = pad_each(&final_stop(&text), "?!");
    let text = rewrite(&text, |at, out| {
        (text[at] != '\'' && text[at + 1..].starts_with(&['\'', ' '])).then(|| {
            put(out, &[&[text[at], ' ', '\'', ' ']]);
            3
        })
    });
    pad_each(&text, "*")
}

/// A full stop that ends the text, but for closing quotes and brackets behind it.
fn final_stop(text: &[char]) -> Vec<char> {
    let closes = |c: &char| "])}>\"'»”’ ".contains(*c);
    let inked = text.iter().rposition(|&c| !is_space(c)).map_or(0, |at| at + 1);
    let closers = text[..inked].iter().rev().take_while(|c| closes(c)).count();
    let (head, tail) = text.split_at(inked - closers);
    match head {
        [before @ .., last, '.'] if *last != '.' => {
            let tail: Vec<char> = tail.iter().copied().take_while(closes).collect();
            [before, &[*last, ' ', '.', ' '], &tail, &[' ']].concat()
        }
        _ => text.to_vec(),
    }
}

fn brackets_and_dashes(text: &[char]) -> Vec<char> {
    let text = pad_each(text, "[](){}<>");
    pad(&text, |rest| if rest.starts_with(&['-', '-']) { 2 } else { 0 })
}

const SHORT: &[&str] = &["'s", "'S", "'m", "'M", "'d", "'D", "'"];
const LONG: &[&str] = &["'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"];

/// Quotes that close, single spaces, and the endings that contractions leave.
fn closing_quotes(text: &[char]) -> Vec<char> {
    let text = pad_each(&[&[' '], text, &[' ']].concat(), "»”’");
    let text = pad(&text, |rest| if rest.starts_with(&['\'', '\'']) { 2 } else { 0 });
    let mut text = rewrite(&text, |at, out| {
        (text[at] == '"').then(|| {
            put(out, &[&[' ', '\'', '\'', ' ']]);
            1
        })
    });
    for c in &mut text {
        *c = if is_space(*c) { ' ' } else { *c };
    }
    text.dedup_by(|a, b| *a == ' ' && *b == ' ');
    let text = split_off(&text, SHORT);
    split_off(&text, LONG)
}

/// Puts a space before an ending that a space follows and neither space nor apostrophe precedes.
fn split_off(text: &[char], endings: &[&str]) -> Vec<char> {
    rewrite(text, |at, out| {
        if matches!(text[at], '\'' | ' ') {
            return None;
        }
        let rest = &text[at + 1..];
        let ending = endings.iter().find(|ending| {
            let n = ending.chars().count();
            rest.len() > n && ending.chars().eq(rest[..n].iter().copied()) && rest[n] == ' '
        })?;
        let n = ending.chars().count();
        put(out, &[&[text[at], ' '], &rest[..n], &[' ']]);
        Some(n + 2)
    })
}

/// Words that are two: `cannot`, `gonna`, `'tis`.
fn contractions(text: &[char]) -> Vec<char> {
    const TWO: &[(&str, &str)] = &[
        ("can", "not"),
        ("d", "'ye"),
        ("gim", "me"),
        ("gon", "na"),
        ("got", "ta"),
        ("lem", "me"),
        ("more", "'n"),
        ("wan", "na"),
    ];
    let mut text = text.to_vec();
    for (head, tail) in TWO {
        let whole: Vec<char> = head.chars().chain(tail.chars()).collect();
        text = rewrite(&text, |at, out| {
            let starts = at == 0 || !is_word(text[at - 1]);
            let after = text.get(at + whole.len());
            let ends = if *head == "wan" {
                after.is_some_and(|&c| is_space(c))
            } else {
                after.is_none_or(|&c| !is_word(c))
            };
            (starts && ends && same_letters(&text[at..], &whole)).then(|| {
                let cut = at + head.len();
                put(out, &[&[' '], &text[at..cut], &[' '], &text[cut..at + whole.len()], &[' ']]);
                whole.len()
            })
        });
    }
    for whole in [" 'tis", " 'twas"] {
        let whole: Vec<char> = whole.chars().collect();
        text = rewrite(&text, |at, out| {
            let ends = text.get(at + whole.len()).is_none_or(|&c| !is_word(c));
            (ends && same_letters(&text[at..], &whole)).then(|| {
                put(out, &[&text[at..at + 3], &[' '], &text[at + 3..at + whole.len()], &[' ']]);
                whole.len()
            })
        });
    }
    text
}

fn same_letters(rest: &[char], whole: &[char]) -> bool {
    rest.len() >= whole.len() && whole.iter().zip(rest).all(|(a, b)| *a == fold(*b))
}

/// Small letters as a pattern without case sees them: the long s counts as an s.
fn fold(c: char) -> char {
    if c == 'ſ' { 's' } else { c.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::words;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(words(text), expect, "{text:?}");
    }

    #[test]
    fn table() {
        check("", &[]);
        check("Hello, world.", &["Hello", ",", "world", "."]);
        check("York. Please wait", &["York.", "Please", "wait"]);
        check("\"Good,\" he said.", &["``", "Good", ",", "''", "he", "said", "."]);
        check("It cost 3,000: cheap, no?", &["It", "cost", "3,000", ":", "cheap", ",", "no", "?"]);
        check("I cannot; I'm gonna.", &["I", "can", "not", ";", "I", "'m", "gon", "na", "."]);
        check("the dogs' bone", &["the", "dogs", "'", "bone"]);
        check("wait... (what)--no", &["wait", "...", "(", "what", ")", "--", "no"]);
        check("'Tis don't", &["'T", "is", "do", "n't"]);
        check("He said 'a b'", &["He", "said", "'", "a", "b", "'"]);
        check("done.\")", &["done", ".", "''", ")"]);
    }

    proptest! {
        #[test]
        fn letters_survive(text in "[a-zA-Z .,'\"()]{0,40}") {
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            prop_assert_eq!(letters(&words(&text).concat()), letters(&text));
        }
    }
}
