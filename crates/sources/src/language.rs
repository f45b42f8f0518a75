//! Which language a text looks like: its script, or the small words that every sentence has.
//!
//! Crude on purpose. It only has to hear that a page is French where a catalog says English, and
//! says nothing where it is not sure.

use std::{collections::HashMap, sync::LazyLock};

/// Words looked at, from three places of the text.
const SAMPLE: usize = 3_000;

/// Fewer words than this say nothing.
const FEWEST: usize = 150;

/// Small words, each of one language here or of few.
const WORDS: &[(&str, &str)] = &[
    ("en", "the and of to that was he his with had which not but from for they she you were this"),
    ("fr", "le les des et que qui dans une est pas pour il elle du vous ce avec sur était plus"),
    ("de", "der und die das nicht ich ein zu den mit sie auf dem ist von sich war auch daß er"),
    ("es", "el los que y la las una por con para su como pero más lo del muy cuando todo había"),
    ("it", "il che di non un per è con gli della una del era più sono nel come anche alla le"),
    ("pt", "o os que não uma com do da em para seu mais como mas ao dos elle nos pelo disse"),
    ("nl", "de het een en van dat niet ik zijn met op hij was voor te maar aan ook haar had"),
    ("fi", "ja on ei hän oli se että niin kuin mutta minä sitä hänen ovat nyt sen kun joka olen"),
    ("sv", "och att det en som han på är inte jag var med för den till hade av sig men hon"),
    ("da", "og at det en som han på er ikke jeg var med for den til havde af sig men hun de"),
    ("hu", "a az és nem hogy egy is volt ez de csak meg mint már még ha én azt el van"),
    ("pl", "i nie w na się że z to do jest jak ale co tak był po za mnie go jego"),
    ("la", "et in est non ad cum quod ut qui sed ex esse quae si ab quam autem per sunt enim"),
    ("eo", "la kaj de en estas al ne li mi ke por kun sed kiu ĝi tio pli estis sur vi"),
];

/// The languages of each small word, as bits in the order of [`WORDS`].
static SMALL: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
    let mut small = HashMap::new();
    for (at, (_, words)) in WORDS.iter().enumerate() {
        for word in words.split(' ') {
            *small.entry(word).or_default() |= 1 << at;
        }
    }
    small
});

/// Small words are no longer than this, in bytes.
const LONGEST: usize = 8;

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

/// The tag of the language that a text looks like.
pub(crate) fn looks<'t>(lines: &(impl Iterator<Item = &'t str> + Clone)) -> Option<&'static str> {
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

/// Whether a text that looks like one language is what its catalog calls it.
pub(crate) fn fits(looks: &str, said: &str) -> bool {
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
    hits: [u32; WORDS.len()],
    words: usize,
    scripts: [u32; 6],
}

impl Seen {
    /// Adds a line, up to `left` words; says how many are left.
    fn add(&mut self, line: &str, left: usize) -> usize {
        let mut left = left;
        for word in line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            if left == 0 {
                break;
            }
            if let Some(script) = word.chars().next().and_then(script) {
                let letters = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
                self.scripts[script] = self.scripts[script].saturating_add(letters);
            }
            if word.len() <= LONGEST {
                let word = word.to_lowercase();
                let tongues = SMALL.get(word.as_str()).copied().unwrap_or(0);
                for (at, hits) in self.hits.iter_mut().enumerate() {
                    *hits += u32::from(tongues >> at & 1);
                }
            }
            self.words += 1;
            left -= 1;
        }
        left
    }

    fn says(&self) -> Option<&'static str> {
        let foreign: u32 = self.scripts[1..].iter().sum();
        if foreign >= 300 && foreign > self.scripts[0] {
            let most = (1..6).max_by_key(|at| self.scripts[*at])?;
            let kana = most == 1 && self.scripts[2] * 10 > foreign;
            return Some(if kana { "ja" } else { ["", "zh", "ja", "ru", "el", "he"][most] });
        }
        if self.words < FEWEST {
            return None;
        }
        let mut ranks: Vec<(u32, &str)> =
            self.hits.iter().zip(WORDS).map(|(hits, (tag, _))| (*hits, *tag)).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        let [(first, tag), (second, next), ..] = ranks[..] else { return None };
        let clear = first as usize * 100 > self.words * 15;
        (clear && (first * 2 > second * 3 || fits(tag, next))).then_some(tag)
    }
}

/// Latin, Han, kana, Cyrillic, Greek, Hebrew.
fn script(c: char) -> Option<usize> {
    Some(match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => 0,
        '\u{3400}'..='\u{9fff}' => 1,
        '\u{3040}'..='\u{30ff}' => 2,
        '\u{400}'..='\u{52f}' => 3,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => 4,
        '\u{590}'..='\u{5ff}' => 5,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{fits, looks};

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
}
