//! In which languages a text is, told from the text alone.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Book, ParagraphKind};
use storymill_text::short_tag;

/// The languages of a book, by share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tongue {
    /// Tags (`en`) with their share of a thousand samples, the largest first.
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

    /// The share of some languages together, of a thousand; each counts once, however often and
    /// under whichever tag it is named.
    pub(super) fn share_pm(&self, wanted: &[String]) -> u32 {
        let wanted: BTreeSet<_> = wanted.iter().filter_map(|tag| short_tag(tag)).collect();
        self.shares.iter().filter(|(tag, _)| wanted.contains(tag)).map(|(_, share)| share).sum()
    }
}

/// Places at which it listens.
const PLACES: usize = 60;

/// Bytes of a sample, at least.
const SAMPLE: usize = 400;

fn hear(sample: &str, tongues: &mut BTreeMap<&'static str, u32>) {
    let Some(info) = whatlang::detect(sample) else { return };
    if info.confidence() > 0.5 {
        *tongues.entry(short_tag(info.lang().code()).unwrap_or_default()).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

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
        let share = |tags: &[&str]| {
            tongue.share_pm(&tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>())
        };
        assert!(share(&["en"]) > 300 && share(&["fr-CA"]) > 300, "{tongue:?}");
        assert_eq!(share(&["eng"]), share(&["en", "en-GB", "en_US", "eng"]));
        assert_eq!((share(&["de", "xx"]), share(&["fre", "en"])), (0, share(&["fr", "eng"])));
    }

    #[test]
    fn every_language_that_is_told_has_tags() {
        for language in whatlang::Lang::all() {
            let tag = short_tag(language.code()).unwrap_or_default();
            assert_eq!((tag.len(), short_tag(tag)), (2, Some(tag)), "{language}");
        }
        assert_eq!((short_tag("xx"), short_tag("")), (None, None));
    }
}
