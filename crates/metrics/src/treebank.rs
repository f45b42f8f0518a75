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
    let text = closing_quotes(&brackets_and_dashes(punctuation(opening_quotes(text))));
    let text: String = contractions(text).into_iter().collect();
    text.split(is_space).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Rewrites a text from left to right: where `rule` takes some letters it says how many, and has
/// written what stands for them; elsewhere one letter is copied. Every rule takes one of `marks`,
/// and most sentences have none of them: these are handed back as they are.
fn rewrite(
    text: Vec<char>,
    marks: &[char],
    rule: impl Fn(&[char], usize, &mut Vec<char>) -> Option<usize>,
) -> Vec<char> {
    if !text.iter().any(|c| marks.contains(c)) {
        return text;
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut at = 0;
    while at < text.len() {
        if let Some(taken) = rule(&text, at, &mut out) {
            at += taken;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// Puts spaces around every run of `marks` that `run` measures.
fn pad(text: Vec<char>, marks: &[char], run: impl Fn(&[char]) -> usize) -> Vec<char> {
    rewrite(text, marks, |text, at, out| {
        let n = if marks.contains(&text[at]) { run(&text[at..]) } else { 0 };
        (n > 0).then(|| {
            put(out, &[&[' '], &text[at..at + n], &[' ']]);
            n
        })
    })
}

fn pad_each(text: Vec<char>, marks: &[char]) -> Vec<char> {
    pad(text, marks, |_| 1)
}

/// Puts spaces around every two of a mark.
fn pad_double(text: Vec<char>, mark: char) -> Vec<char> {
    pad(text, &[mark], |rest| if rest.starts_with(&[mark, mark]) { 2 } else { 0 })
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
fn opening_quotes(text: Vec<char>) -> Vec<char> {
    let text = pad(text, &['«', '“', '‘', '„', '`'], |rest| run_of(rest, '`').max(1));
    let text = rewrite(text, &['"'], |text, at, out| {
        (at == 0 && text[0] == '"').then(|| {
            put(out, &[&['`', '`']]);
            1
        })
    });
    let text = pad_double(text, '`');
    let text = rewrite(text, &['"', '\''], |text, at, out| {
        let quote = match text.get(at + 1)? {
            '"' => 1,
            '\'' if text.get(at + 2) == Some(&'\'') => 2,
            _ => return None,
        };
        [' ', '(', '[', '{', '<'].contains(&text[at]).then(|| {
            put(out, &[&[text[at], ' ', '`', '`', ' ']]);
            1 + quote
        })
    });
    // An apostrophe before a single letter that is no contraction: a quoted letter.
    rewrite(text, &['\''], |text, at, out| {
        let letter = *text.get(at + 1).filter(|_| text[at] == '\'')?;
        let alone = text.get(at + 2).is_none_or(|&c| !is_word(c));
        (is_word(letter) && alone && !"mtsdnMTSDNſ".contains(letter)).then(|| {
            put(out, &[&['\'', ' ', letter]]);
            2
        })
    })
}

fn punctuation(text: Vec<char>) -> Vec<char> {
    let text = rewrite(final_stop(text), &[':', ','], |text, at, out| {
        let next = *text.get(at + 1).filter(|_| matches!(text[at], ':' | ','))?;
        (!is_digit(next)).then(|| {
            put(out, &[&[' ', text[at], ' ', next]]);
            2
        })
    });
    let end = text.len() - usize::from(text.last() == Some(&'\n'));
    let text = rewrite(text, &[':', ','], |text, at, out| {
        let last = at + 1 == end || at + 1 == text.len();
        (last && matches!(text[at], ':' | ',')).then(|| {
            put(out, &[&[' ', text[at], ' ']]);
            1
        })
    });
    let text = pad(text, &['.'], |rest| Some(run_of(rest, '.')).filter(|&n| n > 1).unwrap_or(0));
    let text = pad_each(text, &[';', '@', '#', '$', '%', '&']);
    let text = pad_each(final_stop(text), &['?', '!']);
    let text = rewrite(text, &['\''], |text, at, out| {
        (text[at] != '\'' && text[at + 1..].starts_with(&['\'', ' '])).then(|| {
            put(out, &[&[text[at], ' ', '\'', ' ']]);
            3
        })
    });
    pad_each(text, &['*'])
}

/// A full stop that ends the text, but for closing quotes and brackets behind it.
fn final_stop(text: Vec<char>) -> Vec<char> {
    let closes = |c: &char| "])}>\"'»”’ ".contains(*c);
    let inked = text.iter().rposition(|&c| !is_space(c)).map_or(0, |at| at + 1);
    let closers = text[..inked].iter().rev().take_while(|c| closes(c)).count();
    let (head, tail) = text.split_at(inked - closers);
    match head {
        [before @ .., last, '.'] if *last != '.' => {
            let tail: Vec<char> = tail.iter().copied().take_while(closes).collect();
            [before, &[*last, ' ', '.', ' '], &tail, &[' ']].concat()
        }
        _ => text,
    }
}

fn brackets_and_dashes(text: Vec<char>) -> Vec<char> {
    pad_double(pad_each(text, &['[', ']', '(', ')', '{', '}', '<', '>']), '-')
}

const SHORT: &[&[char]] =
    &[&['\'', 's'], &['\'', 'S'], &['\'', 'm'], &['\'', 'M'], &['\'', 'd'], &['\'', 'D'], &['\'']];
const LONG: &[&[char]] = &[
    &['\'', 'l', 'l'],
    &['\'', 'L', 'L'],
    &['\'', 'r', 'e'],
    &['\'', 'R', 'E'],
    &['\'', 'v', 'e'],
    &['\'', 'V', 'E'],
    &['n', '\'', 't'],
    &['N', '\'', 'T'],
];

/// Quotes that close, single spaces, and the endings that contractions leave.
fn closing_quotes(text: &[char]) -> Vec<char> {
    let text = pad_each([&[' '], text, &[' ']].concat(), &['»', '”', '’']);
    let text = pad_double(text, '\'');
    let mut text = rewrite(text, &['"'], |text, at, out| {
        (text[at] == '"').then(|| {
            put(out, &[&[' ', '\'', '\'', ' ']]);
            1
        })
    });
    for c in &mut text {
        *c = if is_space(*c) { ' ' } else { *c };
    }
    text.dedup_by(|a, b| *a == ' ' && *b == ' ');
    split_off(split_off(text, SHORT), LONG)
}

/// Puts a space before an ending that a space follows and neither space nor apostrophe precedes.
fn split_off(text: Vec<char>, endings: &[&[char]]) -> Vec<char> {
    rewrite(text, &['\''], |text, at, out| {
        if matches!(text[at], '\'' | ' ') {
            return None;
        }
        let rest = &text[at + 1..];
        let ends =
            |ending: &&&[char]| rest.starts_with(ending) && rest.get(ending.len()) == Some(&' ');
        let ending = endings.iter().find(ends)?;
        put(out, &[&[text[at], ' '], ending, &[' ']]);
        Some(ending.len() + 2)
    })
}

/// Words that are two: `cannot`, `gonna`, `'tis`.
fn contractions(mut text: Vec<char>) -> Vec<char> {
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
    for (head, tail) in TWO {
        text = split_words(text, &format!("{head}{tail}"), |text, at, end| {
            let starts = at == 0 || !is_word(text[at - 1]);
            let after = text.get(end);
            let ends = if *head == "wan" {
                after.is_some_and(|&c| is_space(c))
            } else {
                after.is_none_or(|&c| !is_word(c))
            };
            let cut = at + head.len();
            (starts && ends).then(|| vec![&[' '], &text[at..cut], &[' '], &text[cut..end], &[' ']])
        });
    }
    for whole in [" 'tis", " 'twas"] {
        text = split_words(text, whole, |text, at, end| {
            let ends = text.get(end).is_none_or(|&c| !is_word(c));
            ends.then(|| vec![&text[at..at + 3], &[' '], &text[at + 3..end], &[' ']])
        });
    }
    text
}

/// Writes what `parts` makes of some letters, in any case, wherever they stand.
fn split_words(
    text: Vec<char>,
    whole: &str,
    parts: impl Fn(&[char], usize, usize) -> Option<Vec<&[char]>>,
) -> Vec<char> {
    let whole: Vec<char> = whole.chars().collect();
    // Most sentences have none of them.
    if !text.windows(whole.len()).any(|rest| same_letters(rest, &whole)) {
        return text;
    }
    let all = [whole[0], whole[0].to_ascii_uppercase()];
    rewrite(text, &all, |text, at, out| {
        let parts = same_letters(&text[at..], &whole).then(|| parts(text, at, at + whole.len()));
        put(out, &parts??);
        Some(whole.len())
    })
}

fn same_letters(rest: &[char], whole: &[char]) -> bool {
    // The first letter says no nearly always.
    rest.len() >= whole.len()
        && fold(rest[0]) == whole[0]
        && whole.iter().zip(rest).all(|(a, b)| *a == fold(*b))
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
