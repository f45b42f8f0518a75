//! How much a reading of bytes looks like text: letters and words of one language, marks where marks stand.
//!
//! Points are given for what stands beyond ASCII: words that a language has, letters that it has, quotes that
//! open and close; and taken for letters of other languages, capitals inside words, two scripts in one
//! word, and signs where no text has them. The letters count as those of the language that they fit best.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Points for a letter or mark in its place; out of it, as many are taken.
pub(crate) const FINE: i32 = 2;
const BAD: i32 = -2 * FINE;
/// Points for a word that the language has.
const KNOWN: i32 = 2 * FINE;
/// No text has such a sign.
const NEVER: i32 = 2 * BAD;

/// The letters beyond ASCII that a language has, and words with them.
struct Language {
    tag: &'static str,
    letters: HashSet<char>,
    words: HashSet<&'static str>,
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let mut languages: Vec<Language> = Vec::new();
    for line in include_str!("../data/accents.txt").lines().filter(|line| !line.starts_with('#')) {
        let words = match (line.strip_suffix(':'), languages.last_mut()) {
            (None, Some(language)) => &mut language.words,
            (head, _) => {
                let (tag, letters) = head.and_then(|head| head.split_once(' ')).unwrap_or_default();
                let letters = letters.chars().collect();
                languages.push(Language { tag, letters, words: HashSet::new() });
                continue;
            }
        };
        words.extend(line.split_whitespace());
    }
    languages
});

/// Points of a reading: those of any language, and those of each.
#[derive(Debug)]
pub(crate) struct Points {
    any: i64,
    /// Points for a word that a language has, beside those for its letters.
    known: i32,
    each: Vec<i64>,
    /// Letters beyond ASCII in words that were judged before, by word: each language's points.
    words: HashMap<String, (i32, Vec<i32>)>,
}

impl Points {
    /// No points yet. For a good word counts more than its letters, or it counts as they do.
    pub(crate) fn new(words: bool) -> Self {
        Self {
            any: 0,
            known: if words { KNOWN } else { 0 },
            each: vec![0; LANGUAGES.len()],
            words: HashMap::new(),
        }
    }

    /// All points, in the language that the text is in. Another one counts half.
    pub(crate) fn sum(&self, language: Option<&str>) -> i64 {
        let fits = self.each.iter().max().copied().unwrap_or(0);
        let known = LANGUAGES.iter().position(|one| Some(one.tag) == language);
        self.any + known.map_or(fits, |at| self.each[at].max(fits / 2))
    }

    /// Adds a stretch that stands so many times in the text. Its first and last symbols are what is around it.
    pub(crate) fn add(&mut self, text: &str, times: i64) {
        let symbols: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < symbols.len() {
            let from = at;
            while symbols.get(at).is_some_and(|c| is_letter(*c)) {
                at += 1;
            }
            if at > from {
                let word = &symbols[from..at];
                if !word.iter().all(char::is_ascii) {
                    self.word(word.iter().collect(), times);
                }
                continue;
            }
            if !symbols[at].is_ascii() {
                self.any += i64::from(mark(&symbols, at)) * times;
            }
            at += 1;
        }
    }

    fn word(&mut self, word: String, times: i64) {
        let (any, each) =
            self.words.entry(word).or_insert_with_key(|word| judged(word, self.known));
        self.any += i64::from(*any) * times;
        for (sum, points) in self.each.iter_mut().zip(each) {
            *sum += i64::from(*points) * times;
        }
    }
}

/// Ordinals are letters to Unicode and signs to us.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'ª' | 'º' | 'ƒ' | 'ˆ' | '˜' | 'ˇ')
}

/// What a word with letters beyond ASCII says, whatever the language, and in each.
fn judged(word: &str, known: i32) -> (i32, Vec<i32>) {
    let small = word.to_lowercase();
    let symbols: Vec<char> = word.chars().collect();
    let mut any = 0;
    // A capital amid small letters, but for names (`McÉwen`); a small letter amid capitals.
    for (at, pair) in symbols.windows(2).enumerate() {
        let turns = pair[0].is_lowercase() && pair[1].is_uppercase()
            || at > 0 && pair[0].is_uppercase() && pair[1].is_lowercase() && pair[1] != 'ß';
        any += if turns && !pair.iter().all(char::is_ascii) { BAD } else { 0 };
    }
    let scripts: HashSet<Script> = symbols.iter().map(|c| script(*c)).collect();
    if scripts.len() > 1 {
        any += 2 * BAD;
    } else if scripts.contains(&Script::Other) {
        any += 2 * FINE * counted(symbols.len());
    }
    let is_latin = scripts.contains(&Script::Latin);
    // All words in Latin letters but the shortest have some of ASCII.
    let is_bare =
        if is_latin { !word.bytes().any(|byte| byte.is_ascii()) } else { symbols.len() == 1 };
    let beyond = counted(symbols.iter().filter(|c| !c.is_ascii()).count());
    let mut each: Vec<i32> = LANGUAGES
        .iter()
        .map(|language| {
            if language.words.contains(small.as_str()) {
                // A letter alone may be a dash that is read as Cyrillic.
                return if is_bare && !is_latin { FINE / 2 } else { known + FINE * beyond };
            }
            if is_bare { BAD } else { letters(&small, &language.letters) }
        })
        .collect();
    if !is_latin {
        // Whatever language is around it.
        any += each.iter().max().copied().unwrap_or(0);
        each.fill(0);
    }
    (any, each)
}

/// What the letters beyond ASCII of a word say in a language that has these.
fn letters(word: &str, known: &HashSet<char>) -> i32 {
    let beyond = word.char_indices().filter(|(_, c)| !c.is_ascii());
    let fits = |(at, c): (usize, char)| {
        let next = word[at + c.len_utf8()..].chars().next();
        let before = word[..at].chars().next_back();
        match c {
            _ if !known.contains(&c) => -FINE,
            // Graves but that of `e` end words.
            'à' | 'ì' | 'ò' | 'ù' if next.is_some() => -FINE,
            'ß' if at == 0 => -FINE,
            'ñ' if !next.is_some_and(|next| "aeiouáéíóú".contains(next)) => -FINE,
            'ä' | 'ü' if next.is_none() => 0,
            // Two dots part a vowel from the one before.
            'ë' | 'ï' if !before.is_some_and(|before| "aeiouyé".contains(before)) => -FINE,
            _ => FINE,
        }
    };
    beyond.map(fits).sum()
}

fn counted(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 8)
}

#[derive(PartialEq, Eq, Hash)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Other,
}

fn script(c: char) -> Script {
    match c {
        '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | 'ﬁ' | 'ﬂ' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        _ => Script::Other,
    }
}

/// What a sign says by what stands beside it.
fn mark(symbols: &[char], at: usize) -> i32 {
    let side = |at: Option<usize>| at.and_then(|at| symbols.get(at)).copied().unwrap_or(' ');
    let (before, c, behind) = (side(at.checked_sub(1)), symbols[at], side(Some(at + 1)));
    let fine = |holds: bool| if holds { FINE } else { BAD };
    let letters = before.is_alphabetic() && behind.is_alphabetic();
    let opens = "“‘„‚«‹”»¿¡";
    let closes = "”’»›“‘«";
    let begins =
        (before.is_whitespace() || "([{<>-—–―=_*/'\"".contains(before) || opens.contains(before))
            && (behind.is_alphanumeric()
                || "_*'\".….[(".contains(behind)
                || opens.contains(behind)
                || behind == '’');
    let ends = (before.is_alphanumeric()
        || ".,!?;:…-—–_*)]'\">".contains(before)
        || closes.contains(before))
        && (behind.is_whitespace()
            || ".,!?;:…)]}<>-—–_*'\"&".contains(behind)
            || closes.contains(behind));
    let french = before.is_whitespace() || behind.is_whitespace();
    match c {
        '’' if letters => apostrophe(symbols, at),
        '’' => fine(begins || ends || before.is_ascii_digit()),
        '“' | '”' | '‘' => fine(begins || ends),
        '«' | '»' | '‹' | '›' => fine(begins || ends || french && !before.is_alphabetic()),
        '„' | '‚' | '¿' | '¡' => fine(begins),
        '—' | '―' | '–' => {
            let alone = before.is_whitespace() == behind.is_whitespace();
            if alone && (c != '–' || !letters) { FINE } else { 0 }
        }
        '…' => {
            if letters {
                0
            } else {
                FINE
            }
        }
        '£' | '¢' | '¥' | '€' | '½' | '¼' | '¾' | '°' | 'º' | 'ª' | '¹' | '²' | '³' => {
            fine(
                before.is_ascii_digit()
                    || behind.is_ascii_digit()
                    || c == '°' && !behind.is_alphabetic(),
            )
        }
        '§' | '¶' | '†' | '‡' | '©' | '®' | '™' | '•' | '·' | '×' | '÷' | '±' => {
            if behind.is_alphabetic() || letters {
                BAD
            } else {
                0
            }
        }
        '\u{a0}' | '\u{202f}' => {
            if letters {
                -FINE
            } else {
                FINE / 2
            }
        }
        '\u{ad}' => {
            if letters {
                0
            } else {
                BAD
            }
        }
        _ if c.is_control() || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..) => NEVER,
        '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => {
            if letters {
                BAD
            } else {
                FINE
            }
        }
        _ => BAD,
    }
}

/// Whether an apostrophe stands where languages leave letters out: `don’t`, `l’homme`.
fn apostrophe(symbols: &[char], at: usize) -> i32 {
    let ascii = |c: &&char| c.is_ascii_alphabetic();
    let behind: String = symbols[at + 1..].iter().take_while(|c| c.is_alphabetic()).collect();
    let before: String = symbols[..at].iter().rev().take_while(ascii).collect();
    let english = ["s", "t", "d", "m", "ll", "re", "ve", "em", "er"];
    let french = ["l", "d", "j", "c", "n", "s", "m", "t", "uq", "o"];
    let before = before.to_ascii_lowercase();
    let known =
        english.contains(&behind.to_lowercase().as_str()) || french.contains(&before.as_str());
    // Italian leaves out the end of articles: `dell’acqua`.
    if known || before.starts_with("ll") { 2 * FINE } else { -FINE }
}
