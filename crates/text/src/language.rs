//! Which language a text is in: by its tag, or by its script and the small words that every sentence
//! has.
//!
//! Crude on purpose. It has to choose rules for a text that comes without a tag, and to hear that a
//! page is French where a catalog says English; for that it says nothing where it is not sure.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use crate::{lists::lines, word::is_han};

/// A language with rules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English, and the default where nothing else is known.
    English,
    /// French.
    French,
    /// German.
    German,
    /// Chinese.
    Chinese,
    /// Any other language.
    Other,
}

impl Language {
    /// The language of a tag, `de` or `zh-Hant`; of several the first, as catalogs list the main
    /// one first.
    ///
    /// ```
    /// use storymill_text::Language;
    /// assert_eq!(Language::of_tag("fr; en"), Language::French);
    /// assert_eq!(Language::of_tag(""), Language::English);
    /// assert_eq!(Language::of_tag("fi"), Language::Other);
    /// ```
    pub fn of_tag(tag: &str) -> Self {
        let first = tag.split([';', ',', '-', '_', ' ']).next().unwrap_or_default();
        match short_tag(&first.to_ascii_lowercase()) {
            Some("en") => Self::English,
            Some("fr") => Self::French,
            Some("de") => Self::German,
            Some("zh") => Self::Chinese,
            _ if first.is_empty() => Self::English,
            _ => Self::Other,
        }
    }

    /// Its tag; `und` for any other language.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::German => "de",
            Self::Chinese => "zh",
            Self::Other => "und",
        }
    }

    /// The language of a text, English of a blank one; for stages that see scenes and no catalog. A
    /// thousand words are plenty.
    ///
    /// ```
    /// use storymill_text::Language;
    /// assert_eq!(Language::of_text("Er ging in den Wald und die Tür war zu."), Language::German);
    /// ```
    pub fn of_text(text: &str) -> Self {
        let mut seen = Seen::default();
        seen.add(text, usize::MAX);
        if seen.words == 0 {
            return Self::English;
        }
        // In running prose every fourth word is one of these, in talk far fewer; one in twenty is
        // proof enough, if no language without rules is far ahead.
        let tag = seen.foreign(0).or_else(|| {
            let ranks = seen.ranks();
            let ruled = |tag| matches!(tag, "en" | "fr" | "de");
            let (hits, tag) = *ranks.iter().find(|(_, tag)| ruled(*tag))?;
            (hits * 20 >= seen.words && ranks[0].0 * 2 <= hits * 3).then_some(tag)
        });
        tag.map_or(Self::Other, Self::of_tag)
    }
}

/// The tag of two letters that a language has under any of its tags: `en` for `eng` and `en-GB`;
/// none where no text tells it.
pub fn short_tag(tag: &str) -> Option<&'static str> {
    static TAGS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let rows =
            languages().flat_map(|(tags, _)| tags.split(' ').map(move |tag| (tag, &tags[..2])));
        rows.collect()
    });
    TAGS.get(tag.split(['-', '_']).next()?).copied()
}

/// The tags of each language, and its small words.
fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(include_str!("../data/languages.txt")).filter_map(|line| line.split_once(':'))
}

/// The tags of the languages of each small word.
static SMALL: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut small: HashMap<&str, Vec<&str>> = HashMap::new();
    for (tags, words) in languages() {
        for word in words.split_whitespace() {
            small.entry(word).or_default().push(&tags[..2]);
        }
    }
    small
});

/// Small words are no longer than this, in bytes.
const LONGEST: usize = 8;

/// Words looked at, from three places of the text.
const SAMPLE: usize = 3_000;

/// Fewer words than this say nothing.
const FEWEST: usize = 150;

/// Fewer letters than this of another script than Latin say nothing.
const FEWEST_LETTERS: u32 = 300;

/// The tag of the language that a text looks like.
pub fn looks<'t>(lines: &(impl Iterator<Item = &'t str> + Clone)) -> Option<&'static str> {
    let size: usize = lines.clone().map(str::len).sum();
    let mut seen = Seen::default();
    for third in 0..3 {
        let from = size / 3 * third;
        let mut at = 0;
        let mut left = SAMPLE / 3;
        for line in lines.clone() {
            at += line.len();
            if at > from {
                left = seen.add(line, left);
            }
            if left == 0 {
                break;
            }
        }
    }
    seen.says()
}

/// Languages that share most small words, or that have one name for several.
const KIN: &[&[&str]] = &[
    &["da", "no", "nb", "nn", "sv"],
    &["es", "ca", "gl", "pt", "an", "ast"],
    &["nl", "af", "fy"],
    &["fr", "oc", "frp"],
    &["it", "nap", "la", "fur"],
    &["zh", "lzh", "yue", "ja"],
    &["ru", "uk", "bg", "sr", "be"],
    &["en", "sco", "ang", "enm"],
    &["de", "nds", "lb"],
];

/// Whether a text that looks like one language is what its catalog calls it.
pub fn fits(looks: &str, said: &str) -> bool {
    let mut tags = said
        .split([';', ',', ' ', '/'])
        .map(|tag| tag.split(['-', '_']).next().unwrap_or(""))
        .filter(|tag| matches!(tag.len(), 2 | 3))
        .peekable();
    tags.peek().is_none()
        || tags.any(|tag| {
            tag == looks || KIN.iter().any(|kin| kin.contains(&tag) && kin.contains(&looks))
        })
}

/// Words and letters met so far.
#[derive(Default)]
struct Seen {
    hits: BTreeMap<&'static str, usize>,
    words: usize,
    scripts: [u32; 6],
}

impl Seen {
    /// Adds a line, up to `left` words; says how many are left.
    fn add(&mut self, line: &str, mut left: usize) -> usize {
        for word in line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            if left == 0 {
                break;
            }
            if let Some(script) = word.chars().next().and_then(script) {
                let letters = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
                self.scripts[script] = self.scripts[script].saturating_add(letters);
            }
            if word.len() <= LONGEST {
                for tag in SMALL.get(word.to_lowercase().as_str()).into_iter().flatten() {
                    *self.hits.entry(tag).or_default() += 1;
                }
            }
            self.words += 1;
            left -= 1;
        }
        left
    }

    /// The language of a script other than Latin, if most letters are of one and there are enough.
    fn foreign(&self, fewest: u32) -> Option<&'static str> {
        let foreign: u32 = self.scripts[1..].iter().sum();
        if foreign < fewest || foreign <= self.scripts[0] {
            return None;
        }
        let most = (1..6).max_by_key(|at| self.scripts[*at])?;
        let kana = most == 1 && self.scripts[2] * 10 > foreign;
        Some(if kana { "ja" } else { ["", "zh", "ja", "ru", "el", "he"][most] })
    }

    /// The languages by their small words, most first.
    fn ranks(&self) -> Vec<(usize, &'static str)> {
        let mut ranks: Vec<_> = self.hits.iter().map(|(tag, hits)| (*hits, *tag)).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks
    }

    fn says(&self) -> Option<&'static str> {
        if let Some(tag) = self.foreign(FEWEST_LETTERS) {
            return Some(tag);
        }
        if self.words < FEWEST {
            return None;
        }
        let ranks = self.ranks();
        let (first, tag) = *ranks.first()?;
        let (second, next) = *ranks.get(1).unwrap_or(&(0, ""));
        let clear = first * 100 > self.words * 15;
        (clear && (first * 2 > second * 3 || fits(tag, next))).then_some(tag)
    }
}

/// Latin, Han, kana, Cyrillic, Greek, Hebrew.
fn script(c: char) -> Option<usize> {
    Some(match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => 0,
        _ if is_han(c) => 1,
        '\u{3040}'..='\u{30ff}' => 2,
        '\u{400}'..='\u{52f}' => 3,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => 4,
        '\u{590}'..='\u{5ff}' => 5,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expect: Option<&str>) {
        let text = sentence.repeat(20);
        assert_eq!(looks(&std::iter::once(text.as_str())), expect, "{sentence}");
    }

    #[test]
    fn sentences() {
        check(
            "The miller said that he had ground all of the corn which they gave to him. ",
            Some("en"),
        );
        check(
            "Le meunier dit qu'il avait moulu tout le blé que les gens du village, et il était dans une chambre. ",
            Some("fr"),
        );
        check(
            "Der Müller sagte, daß er das Korn nicht mit dem Wagen auf den Hof und die Mühle brachte. ",
            Some("de"),
        );
        check(
            "Mylläri sanoi että hän oli jauhanut viljan, mutta se ei ollut niin kuin ennen. ",
            Some("fi"),
        );
        check("磨坊主說他磨完了所有的穀子回家去了那時天已經黑了。", Some("zh"));
        check("mill corn river wheel stone water sack flour ", None);
    }

    #[test]
    fn what_catalogs_say() {
        assert!(fits("en", "en") && fits("en", "fr; en") && fits("da", "no") && fits("en", ""));
        assert!(fits("en", "en-gb") && fits("zh", "zh-tw"));
        assert!(!fits("fr", "en") && !fits("zh", "en"));
    }

    #[track_caller]
    fn check_text(text: &str, language: Language) {
        assert_eq!(Language::of_text(text), language, "{text}");
    }

    #[test]
    fn texts_tell_their_language() {
        check_text("The carter was late, and she had not waited for him.", Language::English);
        check_text("Il ne pensait pas que la porte était ouverte.", Language::French);
        check_text("Sie hatte den Brief nicht gelesen, und er war froh.", Language::German);
        check_text("她走進房間，看見那封信。他說：「走吧。」", Language::Chinese);
        check_text("Hän kulki metsässä eikä nähnyt ketään.", Language::Other);
        check_text("", Language::English);
    }
}
