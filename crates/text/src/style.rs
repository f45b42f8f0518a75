//! One style for texts of different books: marks, spaces and spelling that tell which edition a text is from, and
//! who speaks in which tense.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{Language, count::one_line, lists::lines};

/// A text with straight quotation marks, closed dashes, single spaces, and English in one spelling.
///
/// Chinese keeps its marks. Words with a capital keep their spelling: they may be names.
///
/// ```
/// use storymill_text::{Language, in_one_style};
/// let text = "“To whose honour -- ”  he asked, realising it _all_.";
/// let plain = "\"To whose honor—\" he asked, realizing it all.";
/// assert_eq!(in_one_style(text, Language::English), plain);
/// ```
pub fn in_one_style(text: &str, language: Language) -> String {
    let text = one_line(text);
    if language == Language::Chinese {
        return text;
    }
    let speech = is_speech_single(&text);
    let marks: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    for (at, c) in marks.iter().copied().enumerate() {
        let before = at.checked_sub(1).map(|at| marks[at]);
        let behind = marks.get(at + 1).copied();
        mark(&mut plain, c, [before, behind], speech);
    }
    let mut closed = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    // Blanks around dashes and before points go.
    while let Some(at) = rest.find(' ') {
        let (head, tail) = (&rest[..at], &rest[at + 1..]);
        closed += head;
        let open = closed.ends_with('—') || tail.starts_with(['—', ',', ';', ':', '!', '?']);
        let dots = closed.ends_with('.') && tail.starts_with(". ")
            || tail.starts_with("...")
            || tail.starts_with(". .");
        let dots = dots || tail.starts_with('.') && (tail.len() == 1 || closed.ends_with('.'));
        if !open && !dots && !closed.is_empty() {
            closed.push(' ');
        }
        rest = tail;
    }
    closed += rest;
    if language == Language::English { in_one_spelling(&closed) } else { closed }
}

/// Writes a mark as it is written everywhere, or the letter as it is.
fn mark(plain: &mut String, c: char, [before, behind]: [Option<char>; 2], speech: bool) {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' => plain.push('"'),
        '‘' if speech && !letter(before) => plain.push('"'),
        '’' | '\'' if speech && closes(before, behind) => plain.push('"'),
        '\'' if speech && !letter(before) && letter(behind) => plain.push('"'),
        '‘' | '’' | '‚' | '`' | '´' => plain.push('\''),
        '-' | '–' | '—' | '―' | '‒' | '−' => {
            let one = !matches!(c, '—' | '―');
            let double = before == Some('-') || before == Some('—') || before == Some('–');
            let space = before == Some(' ') && behind == Some(' ');
            let range = c == '–' && letter(before) && behind.is_some_and(|c| c.is_ascii_digit());
            if double {
                while plain.ends_with(['-', '—']) {
                    plain.pop();
                }
                plain.push('—');
            } else if range || (one && c != '–' && !space) || c == '‐' {
                plain.push('-');
            } else {
                plain.push('—');
            }
        }
        '‐' | '\u{2011}' => plain.push('-'),
        '…' => *plain += "...",
        '_' if !(letter(before) && letter(behind)) => {}
        '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
        _ => plain.push(c),
    }
}

/// Whether a text puts what is spoken between single marks.
fn is_speech_single(text: &str) -> bool {
    if text.contains(['"', '“', '”', '«', '»']) {
        return false;
    }
    let marks: Vec<char> = text.chars().collect();
    let at = |at: Option<usize>| at.and_then(|at| marks.get(at).copied());
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let single = |c: char| matches!(c, '‘' | '’' | '\'');
    let opens = |place: usize| {
        let before = at(place.checked_sub(1));
        marks[place] != '’' && !letter(before) && letter(at(Some(place + 1)))
    };
    let ends = |place: usize| closes(at(place.checked_sub(1)), at(Some(place + 1)));
    let places = || (0..marks.len()).filter(|place| single(marks[*place]));
    places().any(opens) && places().any(ends)
}

/// Whether a mark with these neighbours closes what is spoken.
fn closes(before: Option<char>, behind: Option<char>) -> bool {
    before.is_some_and(|c| ",.!?;—…".contains(c)) && !behind.is_some_and(char::is_alphanumeric)
}

struct Spelling {
    begins: HashMap<&'static str, &'static str>,
    longest: usize,
}

static SPELLING: LazyLock<Spelling> = LazyLock::new(|| {
    let pairs = lines(include_str!("../data/spelling.txt")).filter_map(|line| line.split_once(' '));
    let begins: HashMap<_, _> = pairs.collect();
    let longest = begins.keys().map(|one| one.len()).max().unwrap_or_default();
    Spelling { begins, longest }
});

fn in_one_spelling(text: &str) -> String {
    let mut spelt = String::with_capacity(text.len());
    let mut rest = text;
    let inside = |c: char| c.is_alphabetic() || c == '-';
    while let Some(start) = rest.find(inside) {
        let word = &rest[start..];
        let end = word.find(|c| !inside(c)).unwrap_or(word.len());
        spelt += &rest[..start];
        spell(&word[..end], &mut spelt);
        rest = &word[end..];
    }
    spelt + rest
}

/// Adds a word as it is spelt here.
fn spell(word: &str, spelt: &mut String) {
    let lengths = (3..=word.len().min(SPELLING.longest)).rev();
    for length in lengths.filter(|length| word.is_char_boundary(*length)) {
        if let Some(other) = SPELLING.begins.get(&word[..length]) {
            *spelt += other;
            *spelt += &word[length..];
            return;
        }
        // realis-ing as realis-e
        let stem = &word[..length];
        let tail = &word[length..];
        if (stem.ends_with("is") || stem.ends_with("ys"))
            && (tail.starts_with("ing") || tail.starts_with("ation"))
            && let Some(other) = SPELLING.begins.get(format!("{stem}e").as_str())
        {
            *spelt += other.trim_end_matches('e');
            *spelt += tail;
            return;
        }
    }
    *spelt += word;
}

static FIRST_PERSON: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    lines(include_str!("../data/first-person.txt")).flat_map(str::split_whitespace).collect()
});

static TENSES: LazyLock<[HashSet<&'static str>; 2]> = LazyLock::new(|| {
    let text = include_str!("../data/tenses.txt");
    let past = lines(text).take_while(|line| *line != "=");
    let present = lines(text).skip_while(|line| *line != "=").skip(1);
    [
        past.flat_map(str::split_whitespace).collect(),
        present.flat_map(str::split_whitespace).collect(),
    ]
});

/// How often a text speaks as somebody in the story, and in which tense it is told, by a few common words outside of
/// double quotation marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Voice {
    /// Words.
    pub words: u32,
    /// Words of the first person.
    pub first_person: u32,
    /// Verbs of the past.
    pub past: u32,
    /// Verbs of the present.
    pub present: u32,
}

impl Voice {
    /// Counts in a text in one style ([`in_one_style`]).
    pub fn of(text: &str) -> Self {
        let mut voice = Self::default();
        // What stands between the marks is every second piece.
        for told in text.split(['"', '“', '”']).step_by(2) {
            for word in told.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                let low = word.to_lowercase();
                voice.words += 1;
                voice.first_person += u32::from(FIRST_PERSON.contains(low.as_str()));
                voice.past += u32::from(TENSES[0].contains(low.as_str()));
                voice.present += u32::from(TENSES[1].contains(low.as_str()));
            }
        }
        voice
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(in_one_style(text, Language::English), expected);
    }

    #[test]
    fn editions_look_alike() {
        check("“Go!” he cried – to-day — or never.", "\"Go!\" he cried—today—or never.");
        check(
            "‘Go!’ he cried. ‘Don’t wait,’ said Sam.",
            "\"Go!\" he cried. \"Don't wait,\" said Sam.",
        );
        check("'Go!' he cried.", "\"Go!\" he cried.");
        check("The dogs’ tails ’tis said.", "The dogs' tails 'tis said.");
        check("In 1914–18 a well-known man -- he.", "In 1914-18 a well-known man—he.");
        check("Wait . . . he said ...", "Wait... he said...");
        check("the _Rosa_ sailed", "the Rosa sailed");
        check(
            "realising, organisation, realism, coloured, Mr. Grey",
            "realizing, organization, realism, colored, Mr. Grey",
        );
    }

    #[test]
    fn chinese_keeps_its_marks() {
        assert_eq!(in_one_style("「好」——他說。", Language::Chinese), "「好」——他說。");
    }

    #[test]
    fn voices_are_told_apart() {
        let voice = Voice::of("I was there. \"I am,\" he says.");
        assert_eq!((voice.words, voice.first_person, voice.past, voice.present), (5, 1, 1, 1));
    }

    proptest! {
        #[test]
        fn no_mark_of_an_edition_is_left(text in "[a-zA-Z’‘“”'\"—–. ,!?_-]{0,60}") {
            let once = in_one_style(&text, Language::English);
            prop_assert!(!once.contains(['“', '”', '’', '‘', '–']), "{}", once);
            let letters = |text: &str| text.chars().filter(char::is_ascii_uppercase).collect::<String>();
            prop_assert_eq!(letters(&once), letters(&text));
        }
    }
}
