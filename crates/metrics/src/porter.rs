//! Porter's stemmer in the variant that nltk uses by default.
//!
//! Rule: M. F. Porter, "An algorithm for suffix stripping", Program 14.3 (1980), with nltk's
//! extensions: a short list of irregular forms, `ies` and `ied` after a single letter, `y` only
//! after a consonant, `alli` before `bli`, `fulli`, `logi`. nltk 3.9's METEOR and Google's
//! rouge-score both stem with it, so neither the original paper's form nor the Snowball project's
//! gives their numbers.
//!
//! The steps work on bytes: endings are ASCII, and to the rules any other letter is just one more
//! consonant, so it stands as one byte that differs from its neighbour if the letters differ.

use std::borrow::Cow;

/// The stem of a word, in lower case.
///
/// Law: what is left of the word is a beginning of it, but for the last letters.
///
/// ```
/// use storymill_metrics::porter::stem;
/// assert_eq!((stem("Happily"), stem("skies"), stem("enjoy")), ("happili".into(), "sky".into(), "enjoy".into()));
/// ```
pub fn stem(word: &str) -> Cow<'_, str> {
    let lower = crate::unicode::lower(word);
    if word.chars().nth(2).is_none() {
        return lower;
    }
    if lower.is_ascii() {
        let mut room = Vec::new();
        let stem = stem_ascii(&lower, &mut room);
        return if stem == lower { lower } else { stem.to_owned().into() };
    }
    let chars: Vec<char> = lower.chars().collect();
    let mut bytes: Vec<u8> = Vec::with_capacity(chars.len());
    for (at, &c) in chars.iter().enumerate() {
        let same = at > 0 && chars[at - 1] == c;
        bytes.push(match bytes.last() {
            _ if c.is_ascii() => c as u8,
            Some(&last) if last >= 0x80 && !same => last ^ 1,
            Some(&last) if same => last,
            _ => 0x80,
        });
    }
    steps(&mut bytes);
    letters(&bytes, &chars).into()
}

/// The stem of a word of more than two letters, all small and of ASCII, in `room`.
pub(crate) fn stem_ascii<'r>(lower: &str, room: &'r mut Vec<u8>) -> &'r str {
    if let Some(known) = irregular(lower) {
        return known;
    }
    room.clear();
    room.extend_from_slice(lower.as_bytes());
    steps(room);
    std::str::from_utf8(room).expect("endings are of ASCII too")
}

/// The text of a stem; letters beyond ASCII stay where they were.
fn letters(bytes: &[u8], chars: &[char]) -> String {
    bytes
        .iter()
        .enumerate()
        .map(|(at, &b)| if b.is_ascii() { char::from(b) } else { chars[at] })
        .collect()
}

fn irregular(word: &str) -> Option<&'static str> {
    // Most words have another last letter.
    if !matches!(word.as_bytes().last(), Some(b'y' | b's' | b'g' | b'e' | b'd')) {
        return None;
    }
    Some(match word {
        "sky" | "skies" => "sky",
        "dying" => "die",
        "lying" => "lie",
        "tying" => "tie",
        "news" => "news",
        "innings" | "inning" => "inning",
        "outings" | "outing" => "outing",
        "cannings" | "canning" => "canning",
        "howe" => "howe",
        "proceed" => "proceed",
        "exceed" => "exceed",
        "succeed" => "succeed",
        _ => return None,
    })
}

fn steps(word: &mut Vec<u8>) {
    plurals(word);
    past_and_ing(word);
    if word.ends_with(b"y") && word.len() > 2 && last_is_consonant(&word[..word.len() - 1]) {
        swap(word, 1, b"i");
    }
    long_endings(word);
    middle_endings(word);
    short_endings(word);
    final_e(word);
    if word.ends_with(b"ll") && measure(&word[..word.len() - 1]) > 1 {
        word.pop();
    }
}

/// Step 1a.
fn plurals(word: &mut Vec<u8>) {
    if word.ends_with(b"sses") || (word.ends_with(b"ies") && word.len() != 4) {
        swap(word, 2, b"");
    } else if word.ends_with(b"ies") || (word.ends_with(b"s") && !word.ends_with(b"ss")) {
        swap(word, 1, b"");
    }
}

/// Step 1b.
fn past_and_ing(word: &mut Vec<u8>) {
    if word.ends_with(b"ied") {
        let cut = if word.len() == 4 { 1 } else { 2 };
        return swap(word, cut, b"");
    }
    if word.ends_with(b"eed") {
        if measure(&word[..word.len() - 3]) > 0 {
            word.pop();
        }
        return;
    }
    let Some(cut) = [&b"ed"[..], b"ing"].into_iter().find_map(|ending| {
        let head = word.strip_suffix(ending)?;
        kinds(head).any(|consonant| !consonant).then_some(ending.len())
    }) else {
        return;
    };
    swap(word, cut, b"");
    if [&b"at"[..], b"bl", b"iz"].iter().any(|ending| word.ends_with(ending)) {
        word.push(b'e');
    } else if ends_double_consonant(word) {
        if !matches!(word.last(), Some(b'l' | b's' | b'z')) {
            word.pop();
        }
    } else if measure(word) == 1 && ends_consonant_vowel_consonant(word) {
        word.push(b'e');
    }
}

type Rule = (&'static [u8], &'static [u8]);

/// Step 2.
fn long_endings(word: &mut Vec<u8>) {
    const RULES: &[Rule] = &[
        (b"ational", b"ate"),
        (b"tional", b"tion"),
        (b"enci", b"ence"),
        (b"anci", b"ance"),
        (b"izer", b"ize"),
        (b"bli", b"ble"),
        (b"alli", b"al"),
        (b"entli", b"ent"),
        (b"eli", b"e"),
        (b"ousli", b"ous"),
        (b"ization", b"ize"),
        (b"ation", b"ate"),
        (b"ator", b"ate"),
        (b"alism", b"al"),
        (b"iveness", b"ive"),
        (b"fulness", b"ful"),
        (b"ousness", b"ous"),
        (b"aliti", b"al"),
        (b"iviti", b"ive"),
        (b"biliti", b"ble"),
        (b"fulli", b"ful"),
    ];
    if word.ends_with(b"alli") && measure(&word[..word.len() - 4]) > 0 {
        swap(word, 2, b"");
    }
    if word.ends_with(b"logi") {
        if measure(&word[..word.len() - 3]) > 0 {
            word.pop();
        }
        return;
    }
    first_rule(word, b"ilmnrs", RULES);
}

/// Step 3.
fn middle_endings(word: &mut Vec<u8>) {
    const RULES: &[Rule] = &[
        (b"icate", b"ic"),
        (b"ative", b""),
        (b"alize", b"al"),
        (b"iciti", b"ic"),
        (b"ical", b"ic"),
        (b"ful", b""),
        (b"ness", b""),
    ];
    first_rule(word, b"eils", RULES);
}

/// The first ending that fits decides, whether or not enough of the word is left. `last` are the last letters of all endings.
fn first_rule(word: &mut Vec<u8>, last: &[u8], rules: &[Rule]) {
    if !word.last().is_some_and(|letter| last.contains(letter)) {
        return;
    }
    let found = rules.iter().find(|(ending, _)| ends(word, ending));
    if let Some((ending, new)) = found
        && measure(&word[..word.len() - ending.len()]) > 0
    {
        swap(word, ending.len(), new);
    }
}

/// Step 4.
fn short_endings(word: &mut Vec<u8>) {
    const ENDINGS: &[&[u8]] = &[
        b"al", b"ance", b"ence", b"er", b"ic", b"able", b"ible", b"ant", b"ement", b"ment", b"ent",
        b"ion", b"ou", b"ism", b"ate", b"iti", b"ous", b"ive", b"ize",
    ];
    if !word.last().is_some_and(|letter| b"lerctnumis".contains(letter)) {
        return;
    }
    let Some(ending) = ENDINGS.iter().find(|ending| ends(word, ending)) else { return };
    let head = &word[..word.len() - ending.len()];
    if measure(head) > 1 && (*ending != b"ion" || matches!(head.last(), Some(b's' | b't'))) {
        swap(word, ending.len(), b"");
    }
}

/// Step 5a.
fn final_e(word: &mut Vec<u8>) {
    if let Some(head) = word.strip_suffix(b"e") {
        let size = measure(head);
        if size > 1 || (size == 1 && !ends_consonant_vowel_consonant(head)) {
            word.pop();
        }
    }
}

/// Whether a word has an ending of two letters or more; its last two say no nearly always.
fn ends(word: &[u8], ending: &[u8]) -> bool {
    word.last_chunk::<2>() == ending.last_chunk() && word.ends_with(ending)
}

fn swap(word: &mut Vec<u8>, cut: usize, new: &[u8]) {
    word.truncate(word.len() - cut);
    word.extend_from_slice(new);
}

/// For each letter, whether it is a consonant: not a vowel, and not a `y` after a consonant.
fn kinds(word: &[u8]) -> impl Iterator<Item = bool> {
    word.iter().scan(false, |after_consonant, b| {
        let consonant = match b {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !*after_consonant,
            _ => true,
        };
        *after_consonant = consonant;
        Some(consonant)
    })
}

/// Porter's m: how often a vowel is followed by a consonant.
fn measure(word: &[u8]) -> usize {
    let mut after_vowel = false;
    let mut m = 0;
    for consonant in kinds(word) {
        m += usize::from(after_vowel && consonant);
        after_vowel = !consonant;
    }
    m
}

fn last_is_consonant(word: &[u8]) -> bool {
    kinds(word).last() == Some(true)
}

fn ends_double_consonant(word: &[u8]) -> bool {
    matches!(word, [.., a, b] if a == b) && last_is_consonant(word)
}

/// Porter's *o, or nltk's addition of a vowel and a consonant that are the whole word.
fn ends_consonant_vowel_consonant(word: &[u8]) -> bool {
    let (mut before, mut middle, mut last) = (false, false, false);
    for consonant in kinds(word) {
        (before, middle, last) = (middle, last, consonant);
    }
    match word {
        [_, _] => !middle && last,
        [.., _, _, end] => before && !middle && last && !matches!(end, b'w' | b'x' | b'y'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::stem;

    #[test]
    fn table() {
        for (word, expect) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "tie"),
            ("flies", "fli"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("died", "die"),
            ("spied", "spi"),
            ("happy", "happi"),
            ("enjoy", "enjoy"),
            ("by", "by"),
            ("relational", "relat"),
            ("geology", "geolog"),
            ("radically", "radic"),
            ("hopefully", "hope"),
            ("adoption", "adopt"),
            ("controlling", "control"),
            ("cafés", "café"),
            ("éée", "éée"),
            ("SKIES", "sky"),
            ("", ""),
        ] {
            assert_eq!(stem(word), expect, "{word}");
        }
    }

    proptest! {
        #[test]
        fn never_longer_by_more_than_a_letter(word in "\\PC{0,12}") {
            prop_assert!(stem(&word).chars().count() <= word.to_lowercase().chars().count() + 1);
        }
    }
}
