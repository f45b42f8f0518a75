//! In which languages a text is, told from the text alone.

use std::collections::BTreeMap;

use storymill_core::{Book, ParagraphKind};

/// The languages of a book, by share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tongue {
    /// Tags (`en`, else three letters) with their share of a thousand samples, the largest first.
    pub(super) shares: Vec<(&'static str, u32)>,
}

impl Tongue {
    /// Listens at up to sixty places that are spread evenly.
    pub(super) fn of(book: &Book) -> Self {
        let prose: Vec<&str> = book
            .paragraphs
            .iter()
            .filter(|one| !matches!(one.kind, ParagraphKind::Heading | ParagraphKind::Break))
            .map(|one| &book.text[one.text.start as usize..one.text.end as usize])
            .collect();
        let size: usize = prose.iter().map(|text| text.len()).sum();
        let step = (size / PLACES).max(SAMPLE);
        let mut tongues: BTreeMap<&'static str, u32> = BTreeMap::new();
        let (mut sample, mut passed) = (String::new(), step);
        for text in prose {
            passed += text.len();
            if passed < step && sample.is_empty() {
                continue;
            }
            sample.push_str(text);
            sample.push(' ');
            if sample.len() >= SAMPLE {
                hear(&sample, &mut tongues);
                sample.clear();
                passed = 0;
            }
        }
        if tongues.is_empty() {
            hear(&sample, &mut tongues);
        }
        let heard: u32 = tongues.values().sum();
        let mut shares: Vec<_> =
            tongues.into_iter().map(|(tag, times)| (tag, times * 1000 / heard)).collect();
        shares.sort_by_key(|(tag, share)| (std::cmp::Reverse(*share), *tag));
        Self { shares }
    }

    /// The language of most of it; none where nothing is sure.
    pub(super) fn main(&self) -> Option<&'static str> {
        self.shares.first().map(|(tag, _)| *tag)
    }

    /// The share of one language, of a thousand.
    pub(super) fn share_pm(&self, wanted: &str) -> u32 {
        let short = wanted.split(['-', '_']).next().unwrap_or("");
        self.shares.iter().find(|(tag, _)| *tag == short).map_or(0, |(_, share)| *share)
    }
}

/// Places at which it listens.
const PLACES: usize = 60;

/// Bytes of a sample, at least.
const SAMPLE: usize = 400;

fn hear(sample: &str, tongues: &mut BTreeMap<&'static str, u32>) {
    let Some(info) = whatlang::detect(sample) else { return };
    if info.confidence() > 0.5 {
        *tongues.entry(tag(info.lang().code())).or_default() += 1;
    }
}

/// The tag of two letters that catalogs use, where there is one.
fn tag(code: &'static str) -> &'static str {
    const TAGS: &[(&str, &str)] = &[
        ("eng", "en"),
        ("fra", "fr"),
        ("deu", "de"),
        ("spa", "es"),
        ("ita", "it"),
        ("por", "pt"),
        ("nld", "nl"),
        ("fin", "fi"),
        ("swe", "sv"),
        ("dan", "da"),
        ("nob", "no"),
        ("hun", "hu"),
        ("pol", "pl"),
        ("ces", "cs"),
        ("lat", "la"),
        ("epo", "eo"),
        ("cmn", "zh"),
        ("jpn", "ja"),
        ("rus", "ru"),
        ("ell", "el"),
        ("heb", "he"),
        ("cat", "ca"),
        ("tgl", "tl"),
        ("ukr", "uk"),
        ("bul", "bg"),
        ("srp", "sr"),
        ("ron", "ro"),
        ("tur", "tr"),
        ("ara", "ar"),
        ("kor", "ko"),
        ("slv", "sl"),
        ("hrv", "hr"),
        ("lit", "lt"),
        ("lav", "lv"),
        ("est", "et"),
        ("afr", "af"),
        ("slk", "sk"),
        ("hin", "hi"),
        ("pes", "fa"),
        ("vie", "vi"),
        ("ind", "id"),
        ("cym", "cy"),
    ];
    TAGS.iter().find(|(three, _)| *three == code).map_or(code, |(_, two)| two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::book;

    const ENGLISH: &str =
        "The miller said that he had ground all of the corn which they gave to him that morning. ";
    const FRENCH: &str =
        "Le meunier disait qu'il avait moulu tout le blé que les gens du village lui donnaient. ";

    #[test]
    fn texts_say_their_language() {
        let main = |text: &str| Tongue::of(&book(text)).main();
        assert_eq!(main(&ENGLISH.repeat(20)), Some("en"));
        assert_eq!(main(&FRENCH.repeat(20)), Some("fr"));
        assert_eq!(main("磨坊主說他磨完了所有的穀子回家去了那時天已經黑了。"), Some("zh"));
        assert_eq!(main(""), None);
    }

    #[test]
    fn mixed_texts_have_shares() {
        let mixed =
            format!("{}\n\n{}", ENGLISH.repeat(30), FRENCH.repeat(30)).replace(". ", ".\n\n");
        let tongue = Tongue::of(&book(&mixed));
        assert!(tongue.share_pm("en") > 300 && tongue.share_pm("fr-CA") > 300, "{tongue:?}");
    }
}
