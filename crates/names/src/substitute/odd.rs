//! Names in odd print: letter-spaced (*L i l y*, *J O H N*), behind a drop capital that a cleaner left apart (*E LIZABETH*),
//! cut by a hyphen at the end of a line or by a soft one. Each is replaced like the plain form, and is printed as it was.

use std::ops::Range;

use storymill_text::word::fold;

use super::shape::like;

/// A name in odd print, and what stands for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Odd {
    pub(super) bytes: Range<usize>,
    pub(super) pair: usize,
    pub(super) written: String,
}

/// Which part a folded word is, and what stands for it.
type Names<'k, 'p> = &'k dyn Fn(&str) -> Option<(usize, &'p str)>;

/// A letter-spaced name has as many letters at least: fewer are initials.
const SPACED: usize = 3;
/// On either side of a hyphen there are as many letters at least.
const SIDE: usize = 2;
/// The mark that shows only at the end of a line.
const SOFT: char = '\u{ad}';

/// Names in odd print in a text, in order; none lies over another one. `known` says of a folded word which part it is,
/// and what stands for it.
pub(super) fn find<'p>(text: &str, known: impl Fn(&str) -> Option<(usize, &'p str)>) -> Vec<Odd> {
    let mut found: Vec<Odd> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skip) = bytes[at..].iter().position(|byte| MAY_BEGIN[usize::from(*byte)]) {
        at += skip;
        let odd = match bytes[at] {
            b'-' | 0xC2 => cut(text, at, &known),
            // Most capitals go on as a word.
            byte if byte.is_ascii_uppercase()
                && !bytes.get(at + 1).is_some_and(|next| is_gap_byte(*next)) =>
            {
                None
            }
            _ => alone(text, at, &known),
        };
        match odd {
            Some(odd) if found.last().is_none_or(|last| last.bytes.end <= odd.bytes.start) => {
                at = odd.bytes.end;
                found.push(odd);
            }
            _ => at += 1,
        }
    }
    found
}

/// The bytes at which odd print may show: a hyphen, a soft one, and what a capital begins with in UTF-8.
const MAY_BEGIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0xC2;
    while byte < 256 {
        table[byte] = true;
        byte += 1;
    }
    let mut byte = b'A';
    while byte <= b'Z' {
        table[byte as usize] = true;
        byte += 1;
    }
    table[b'-' as usize] = true;
    table
};

/// Whether a gap may begin with a byte.
fn is_gap_byte(byte: u8) -> bool {
    matches!(byte, b' ' | 0xC2 | 0xE2)
}

/// The name that begins with one letter that stands alone.
fn alone(text: &str, at: usize, known: Names<'_, '_>) -> Option<Odd> {
    if !text.is_char_boundary(at)
        || text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
    {
        return None;
    }
    let first = text[at..].chars().next().filter(|c| c.is_uppercase())?;
    let gap_at = at + first.len_utf8();
    let gap = text[gap_at..].chars().next().filter(|c| is_gap(*c))?;
    let behind = &text[gap_at + gap.len_utf8()..];
    let word: usize = behind.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum();
    if behind[..word].chars().nth(1).is_some() {
        dropped(text, at, gap_at + gap.len_utf8() + word, known)
    } else {
        spaced(text, at, gap, known)
    }
}

/// *L i l y*: letters with one gap between any two.
fn spaced(text: &str, at: usize, gap: char, known: Names<'_, '_>) -> Option<Odd> {
    // Letters and where each ends.
    let mut letters: Vec<(char, usize)> = Vec::new();
    let mut end = at;
    loop {
        let mut behind = text[end..].chars();
        let letter = behind.next().filter(|c| c.is_alphabetic());
        let next = behind.next();
        let Some(letter) = letter.filter(|_| !next.is_some_and(char::is_alphanumeric)) else {
            break;
        };
        // Behind small letters a capital begins another word.
        if letter.is_uppercase() && letters.last().is_some_and(|(last, _)| last.is_lowercase()) {
            break;
        }
        end += letter.len_utf8();
        letters.push((letter, end));
        if next != Some(gap) {
            break;
        }
        end += gap.len_utf8();
    }
    let join = |letters: &[(char, usize)]| letters.iter().map(|(letter, _)| *letter).collect();
    let mut joined: String = join(&letters);
    // A word of one letter may follow.
    if known(&fold(&joined)).is_none() && joined.ends_with(['a', 'A', 'I', 'O']) {
        letters.pop();
        joined = join(&letters);
    }
    let (_, end) = *letters.last()?;
    // A part of a longer run of capitals is no word.
    let mut before = text[..at].chars().rev();
    let inside = is_caps(&joined)
        && before.next() == Some(gap)
        && before.next().is_some_and(char::is_uppercase)
        && !before.next().is_some_and(char::is_alphanumeric);
    if inside || joined.chars().count() < SPACED || !is_cased(&joined) {
        return None;
    }
    let (pair, substitute) = known(&fold(&joined))?;
    let mut written = String::new();
    for letter in like(substitute, &joined).chars() {
        if !written.is_empty() {
            written.push(gap);
        }
        written.push(letter);
    }
    Some(Odd { bytes: at..end, pair, written })
}

/// *E LIZABETH* where a line begins.
fn dropped(text: &str, at: usize, end: usize, known: Names<'_, '_>) -> Option<Odd> {
    let line = text[..at].trim_end_matches(['“', '‘', '"', '\'', '_', '*']);
    if !(line.is_empty() || line.ends_with('\n')) {
        return None;
    }
    let (first, rest) = text[at..end].split_once(char::is_whitespace)?;
    let joined = format!("{first}{rest}");
    // `A lice` may be an article and a word; in small letters only what is no word alone is joined.
    let small = rest.chars().all(char::is_lowercase) && !matches!(first, "A" | "I" | "O");
    let (pair, substitute) = known(&fold(&joined)).filter(|_| is_caps(rest) || small)?;
    let whole = !text[end..].chars().next().is_some_and(char::is_alphanumeric);
    let gap = &text[at + first.len()..end - rest.len()];
    let substitute = like(substitute, &joined);
    let first = substitute.chars().next().filter(|_| whole)?.len_utf8();
    let written = format!("{}{gap}{}", &substitute[..first], &substitute[first..]);
    Some(Odd { bytes: at..end, pair, written })
}

/// *Eliza-beth*: a hyphen, with or without the end of a line, or a soft one.
fn cut(text: &str, at: usize, known: Names<'_, '_>) -> Option<Odd> {
    let mark = text.get(at..)?.chars().next().filter(|c| *c == '-' || *c == SOFT)?;
    let before = text[..at].chars().rev().take_while(|c| c.is_alphabetic());
    let start = at - before.map(char::len_utf8).sum::<usize>();
    let mut behind = at + mark.len_utf8();
    behind += text[behind..].chars().next().filter(|c| *c == '\n').map_or(0, char::len_utf8);
    let letters = text[behind..].chars().take_while(|c| c.is_alphabetic());
    let end = behind + letters.map(char::len_utf8).sum::<usize>();
    let (left, right) = (&text[start..at], &text[behind..end]);
    let long = |side: &str| side.chars().nth(SIDE - 1).is_some();
    let joined = format!("{left}{right}");
    // `Mary-Anne` are two names, `Mary-\nAnne` too.
    let one = right.chars().all(char::is_lowercase) || is_caps(&joined);
    let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let alone = whole(text[..start].chars().next_back()) && whole(text[end..].chars().next());
    if !(one && alone && long(left) && long(right) && is_cased(&joined)) {
        return None;
    }
    let (pair, substitute) = known(&fold(&joined))?;
    let substitute = like(substitute, &joined);
    let count = substitute.chars().count();
    // Cut about where the name was.
    let keep = (left.chars().count() * count / joined.chars().count()).clamp(1, count.max(2) - 1);
    let middle = substitute.char_indices().nth(keep).map_or(substitute.len(), |(byte, _)| byte);
    let written =
        format!("{}{}{}", &substitute[..middle], &text[at..behind], &substitute[middle..]);
    Some(Odd { bytes: start..end, pair, written })
}

fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}')
}

fn is_caps(word: &str) -> bool {
    word.chars().all(char::is_uppercase)
}

/// Whether a word is written as names are: `John`, `JOHN`.
fn is_cased(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase)
        && (is_caps(chars.as_str()) || chars.all(char::is_lowercase))
}
