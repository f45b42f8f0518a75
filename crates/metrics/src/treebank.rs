//! Words of one sentence as nltk 3.9's `word_tokenize` cuts them (Penn Treebank style).
//!
//! METEOR's published numbers depend on this cut, down to its oddities: it is a chain of
//! rewritings, each over the result of the one before, and only then a split at spaces. Each
//! function below is one link. nltk first cuts a text into sentences with a trained model, which
//! is data we do not carry; here the whole text is one sentence (nltk's `preserve_line=True`).
//! The difference is full stops inside the text: they stay with their word. Hand in one sentence
//! at a time where that matters.

use std::borrow::Cow;

use crate::unicode::{is_digit, is_space, is_word};

/// Cuts one sentence into words.
///
/// No link sees further than the space beside a word, but for the end of the sentence. Words of plain letters are cut here;
/// the others go through the chain, each by itself.
///
/// ```
/// use storymill_metrics::treebank::words;
/// assert_eq!(words("He can't pay $5."), ["He", "ca", "n't", "pay", "$", "5", "."]);
/// ```
pub fn words(sentence: &str) -> Vec<Cow<'_, str>> {
    let mut words = Vec::with_capacity(sentence.len() / 5);
    let start = |word: &str| word.as_ptr() as usize - sentence.as_ptr() as usize;
    let with_space =
        |from: usize| sentence[..from].char_indices().next_back().map_or(0, |(at, _)| at);
    // From the last word on that is more than closing marks everything has to do with the end.
    let last = sentence.rsplit(is_space).find(|word| !word.chars().all(closes));
    let end = last.map_or(0, start);
    for word in sentence[..end].split(is_space).filter(|word| !word.is_empty()) {
        // A mark that ends a word stands by itself.
        let marked = word.ends_with([',', ':', ';', '?', '!']);
        let (head, mark) = word.split_at(word.len() - usize::from(marked));
        if is_plain(head) {
            words.extend([head, mark].into_iter().filter(|word| !word.is_empty()).map(Cow::from));
        } else {
            let behind = sentence[start(word) + word.len()..].chars().next();
            let to = start(word) + word.len() + behind.map_or(0, char::len_utf8);
            links(&sentence[with_space(start(word))..to], false, &mut words);
        }
    }
    links(&sentence[with_space(end)..], true, &mut words);
    words
}

/// Whether no link changes a word between spaces that does not end a sentence.
fn is_plain(word: &str) -> bool {
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let one = |part: &str| !TWO.iter().any(|(whole, _)| part.eq_ignore_ascii_case(whole));
    if letters(word) {
        return one(word);
    }
    let marked = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'.';
    !word.bytes().any(marked) && word.split('.').all(one) && !word.contains("..")
}

/// The words that all links of the chain make of a piece of a sentence, or `to_end` of it.
fn links(piece: &str, to_end: bool, words: &mut Vec<Cow<'_, str>>) {
    let text: String = chain(Piece::of(piece.chars().collect()), to_end).into_iter().collect();
    words.extend(
        text.split(is_space).filter(|word| !word.is_empty()).map(|word| word.to_owned().into()),
    );
}

fn chain(piece: Piece, to_end: bool) -> Vec<char> {
    let text = punctuation(opening_quotes(piece), to_end);
    contractions(closing_quotes(brackets_and_dashes(text))).symbols
}

/// A piece of a sentence, with what may stand in it: most links find that their marks do not.
struct Piece {
    symbols: Vec<char>,
    /// The bits of all symbols.
    seen: u64,
}

impl Piece {
    fn of(symbols: Vec<char>) -> Self {
        let seen = symbols.iter().fold(0, |seen, symbol| seen | bit(*symbol));
        Self { symbols, seen }
    }

    fn may_have(&self, marks: &[char]) -> bool {
        marks.iter().fold(0, |bits, mark| bits | bit(*mark)) & self.seen != 0
    }

    /// What became of it by a link: links write spaces, and quotes for quotes.
    fn rewritten(self, symbols: Vec<char>) -> Self {
        let quotes = if self.may_have(&['"', '\'', '`']) { bit('\'') | bit('`') } else { 0 };
        Self { symbols, seen: self.seen | bit(' ') | quotes }
    }
}

/// A bit for each mark and letter of ASCII, in any case; one for digits and controls, and one for all beyond ASCII.
fn bit(symbol: char) -> u64 {
    BITS.get(symbol as usize).copied().unwrap_or(BEYOND)
}

const BEYOND: u64 = 1 << 63;

const BITS: [u64; 128] = {
    let (mut bits, mut symbol, mut marks) = ([1 << 62; 128], 0_u8, 26);
    while symbol < 128 {
        if symbol.is_ascii_alphabetic() {
            bits[symbol as usize] = 1 << (symbol.to_ascii_lowercase() - b'a');
        } else if symbol == b' ' || symbol.is_ascii_punctuation() {
            bits[symbol as usize] = 1 << marks;
            marks += 1;
        }
        symbol += 1;
    }
    bits
};

/// Rewrites a text from left to right: where `rule` takes some letters it says how many, and has
/// written what stands for them; elsewhere one letter is copied. Every rule takes one of `marks`.
fn rewrite(
    text: Piece,
    marks: &[char],
    rule: impl Fn(&[char], usize, &mut Vec<char>) -> Option<usize>,
) -> Piece {
    if !text.may_have(marks) {
        return text;
    }
    let symbols = &text.symbols;
    let mut out = Vec::with_capacity(symbols.len() + 16);
    let mut at = 0;
    while at < symbols.len() {
        if let Some(taken) = rule(symbols, at, &mut out) {
            at += taken;
        } else {
            out.push(symbols[at]);
            at += 1;
        }
    }
    text.rewritten(out)
}

/// Puts spaces around every run of `marks` that `run` measures.
fn pad(text: Piece, marks: &[char], run: impl Fn(&[char]) -> usize) -> Piece {
    rewrite(text, marks, |text, at, out| {
        let n = if marks.contains(&text[at]) { run(&text[at..]) } else { 0 };
        (n > 0).then(|| {
            put(out, &[&[' '], &text[at..at + n], &[' ']]);
            n
        })
    })
}

fn pad_each(text: Piece, marks: &[char]) -> Piece {
    pad(text, marks, |_| 1)
}

/// Puts spaces around every two of a mark.
fn pad_double(text: Piece, mark: char) -> Piece {
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
fn opening_quotes(text: Piece) -> Piece {
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

fn punctuation(text: Piece, to_end: bool) -> Piece {
    let final_stop = |text| if to_end { final_stop(text) } else { text };
    let text = rewrite(final_stop(text), &[':', ','], |text, at, out| {
        let next = *text.get(at + 1).filter(|_| matches!(text[at], ':' | ','))?;
        (!is_digit(next)).then(|| {
            put(out, &[&[' ', text[at], ' ', next]]);
            2
        })
    });
    let end = text.symbols.len() - usize::from(text.symbols.last() == Some(&'\n'));
    let text = rewrite(text, &[':', ','], |text, at, out| {
        let last = at + 1 == end || at + 1 == text.len();
        (to_end && last && matches!(text[at], ':' | ',')).then(|| {
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
fn final_stop(piece: Piece) -> Piece {
    if !piece.may_have(&['.']) {
        return piece;
    }
    let text = &piece.symbols;
    let inked = text.iter().rposition(|&c| !is_space(c)).map_or(0, |at| at + 1);
    let closers = text[..inked].iter().rev().take_while(|c| closes(**c)).count();
    let (head, tail) = text.split_at(inked - closers);
    match head {
        [before @ .., last, '.'] if *last != '.' => {
            let tail: Vec<char> = tail.iter().copied().take_while(|c| closes(*c)).collect();
            let symbols = [before, &[*last, ' ', '.', ' '], &tail, &[' ']].concat();
            piece.rewritten(symbols)
        }
        _ => piece,
    }
}

fn closes(c: char) -> bool {
    "])}>\"'»”’ ".contains(c)
}

fn brackets_and_dashes(text: Piece) -> Piece {
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
fn closing_quotes(text: Piece) -> Piece {
    let spaced = [&[' '], &text.symbols[..], &[' ']].concat();
    let text = pad_each(text.rewritten(spaced), &['»', '”', '’']);
    let text = pad_double(text, '\'');
    let mut text = rewrite(text, &['"'], |text, at, out| {
        (text[at] == '"').then(|| {
            put(out, &[&[' ', '\'', '\'', ' ']]);
            1
        })
    });
    for c in &mut text.symbols {
        *c = if is_space(*c) { ' ' } else { *c };
    }
    text.symbols.dedup_by(|a, b| *a == ' ' && *b == ' ');
    split_off(split_off(text, SHORT), LONG)
}

/// Puts a space before an ending that a space follows and neither space nor apostrophe precedes.
fn split_off(text: Piece, endings: &[&[char]]) -> Piece {
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

/// Words that are two, and where each is cut.
const TWO: &[(&str, usize)] = &[
    ("cannot", 3),
    ("d'ye", 1),
    ("gimme", 3),
    ("gonna", 3),
    ("gotta", 3),
    ("lemme", 3),
    ("more'n", 4),
    ("wanna", 3),
];

/// Words that are two: `cannot`, `gonna`, `'tis`.
fn contractions(mut text: Piece) -> Piece {
    for (whole, cut) in TWO {
        text = split_words(text, whole, |text, at, end| {
            let starts = at == 0 || !is_word(text[at - 1]);
            let after = text.get(end);
            let ends = if *whole == "wanna" {
                after.is_some_and(|&c| is_space(c))
            } else {
                after.is_none_or(|&c| !is_word(c))
            };
            let cut = at + cut;
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
    text: Piece,
    whole: &str,
    parts: impl Fn(&[char], usize, usize) -> Option<Vec<&[char]>>,
) -> Piece {
    // Most pieces have not all of its letters; the long s is beyond ASCII.
    let long = if text.seen & BEYOND == 0 { 0 } else { bit('s') };
    let all = whole.chars().fold(0, |bits, letter| bits | bit(letter));
    if all & !(text.seen | long) != 0 {
        return text;
    }
    let first = char::from(whole.as_bytes()[0]);
    rewrite(text, &[first, first.to_ascii_uppercase()], |text, at, out| {
        let parts = same_letters(&text[at..], whole).then(|| parts(text, at, at + whole.len()));
        put(out, &parts??);
        Some(whole.len())
    })
}

/// Whether letters begin with those of a word, which are of ASCII; the first one says no nearly always.
fn same_letters(rest: &[char], whole: &str) -> bool {
    rest.len() >= whole.len() && whole.bytes().zip(rest).all(|(a, b)| char::from(a) == fold(*b))
}

/// Small letters as a pattern without case sees them: the long s counts as an s.
fn fold(c: char) -> char {
    if c == 'ſ' { 's' } else { c.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Piece, chain, links, words};

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
        /// Word by word as if the whole sentence went through the chain.
        #[test]
        fn as_the_whole_chain(pieces in prop::collection::vec("[a-zé ]{1,3}|[\\]\\[(){}<>.,:;@#$%&?!*\"'`«»“”‘„’ \n\t0-9-]|[' ]?(cannot|gonna|d'ye|more'n|Wanna|'tis|'twas|n't|'ll|'s|ſ)", 0..14)) {
            let (text, mut whole) = (pieces.concat(), Vec::new());
            links(&text, true, &mut whole);
            prop_assert_eq!(words(&text), whole);
            // No link is left out that would have changed anything.
            let all = Piece { symbols: text.chars().collect(), seen: u64::MAX };
            prop_assert_eq!(chain(Piece::of(text.chars().collect()), true), chain(all, true));
        }

        #[test]
        fn letters_survive(text in "[a-zA-Z .,'\"()]{0,40}") {
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            prop_assert_eq!(letters(&words(&text).concat()), letters(&text));
        }
    }
}
