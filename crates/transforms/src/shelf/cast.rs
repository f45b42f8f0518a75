//! Whether the same people go through a whole book: the names of neighbouring chapters compared.
//!
//! The chapters of a novel share their people; the stories of a collection share at most a hero.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use storymill_core::{Book, Chapter, ParagraphKind};

use super::shape::{is_han, ratio};

/// How the names of a book are spread over its chapters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cast {
    /// Chapters that were compared; 0 where nothing can be said.
    pub(super) sections: u32,
    /// Names that neighbouring chapters share, of a thousand of the smaller set; the mean.
    pub(super) shared_pm: u32,
    /// Of a thousand mentions of names (the two heroes left out), how many stand in the chapter
    /// in which that name stands most.
    pub(super) home_pm: u32,
    /// Whether most neighbouring chapters have too few names to be compared.
    pub(super) sparse: bool,
}

impl Cast {
    /// Compares the chapters of a level; the level with the most comparable chapters decides.
    pub(super) fn of(book: &Book) -> Self {
        let mentions = mentions(book);
        let level = |level| Self::of_level(book, &mentions, |chapter| chapter.level == level);
        let best = [level(2), level(0), level(1)].into_iter().max_by_key(|cast| cast.sections);
        best.filter(|cast| cast.sections >= FEWEST).unwrap_or_else(|| {
            let stretched = Self::of_sections(&stretches(book, &mentions));
            Self { sparse: best.is_some_and(|cast| cast.sparse), ..stretched }
        })
    }

    /// Compares the chapters that `wanted` picks.
    fn of_level(
        book: &Book,
        mentions: &[(usize, &str)],
        wanted: impl Fn(&Chapter) -> bool,
    ) -> Self {
        let sections: Vec<_> = book
            .chapters
            .iter()
            .filter(|chapter| wanted(chapter))
            .filter(|chapter| chapter.span.end.byte - chapter.span.start.byte > SHORTEST)
            .map(|chapter| {
                between(mentions, chapter.span.start.byte as usize, chapter.span.end.byte as usize)
            })
            .collect();
        Self::of_sections(&sections)
    }

    fn of_sections(sections: &[BTreeMap<&str, u64>]) -> Self {
        let known = |names: &BTreeMap<&str, u64>| -> BTreeSet<String> {
            names
                .iter()
                .filter(|(_, times)| **times >= 3)
                .map(|(name, _)| (*name).to_owned())
                .collect()
        };
        let sets: Vec<_> = sections.iter().map(known).collect();
        let (mut pairs, mut shared) = (0_u64, 0_u64);
        for pair in sets.windows(2) {
            let smaller = pair[0].len().min(pair[1].len());
            if smaller >= 2 {
                pairs += 1;
                shared += u64::from(ratio(
                    pair[0].intersection(&pair[1]).count() as u64,
                    smaller as u64,
                    1000,
                ));
            }
        }
        let sparse = sections.len() >= 6 && pairs * 2 < sections.len() as u64;
        if pairs < 2 {
            return Self { sparse, ..Self::default() };
        }
        Self {
            sections: u32::try_from(sections.len()).unwrap_or(u32::MAX),
            shared_pm: ratio(shared, pairs, 1),
            home_pm: home(sections),
            sparse,
        }
    }
}

/// A shorter section, in bytes, says nothing of its people.
const SHORTEST: u32 = 1500;

/// Fewer chapters than this are not compared; the text is then cut into stretches.
const FEWEST: u32 = 3;

/// Stretches of equal length, for a book whose chapters are not marked.
const STRETCHES: usize = 12;

fn stretches<'b>(book: &Book, mentions: &[(usize, &'b str)]) -> Vec<BTreeMap<&'b str, u64>> {
    let size = book.text.len();
    if size < STRETCHES * 2 * SHORTEST as usize {
        return Vec::new();
    }
    (0..STRETCHES)
        .map(|at| between(mentions, size * at / STRETCHES, size * (at + 1) / STRETCHES))
        .collect()
}

/// How often each name stands between two places.
fn between<'b>(mentions: &[(usize, &'b str)], start: usize, end: usize) -> BTreeMap<&'b str, u64> {
    let from = mentions.partition_point(|(at, _)| *at < start);
    let to = mentions.partition_point(|(at, _)| *at < end);
    let mut names = BTreeMap::new();
    for (_, name) in &mentions[from..to.max(from)] {
        *names.entry(*name).or_default() += 1;
    }
    names
}

fn home(sections: &[BTreeMap<&str, u64>]) -> u32 {
    let mut all: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, times) in sections.iter().flatten() {
        let (sum, most) = all.entry(name).or_default();
        *sum += times;
        *most = (*most).max(*times);
    }
    let mut counts: Vec<(u64, u64)> = all.into_values().filter(|(sum, _)| *sum >= 5).collect();
    counts.sort_unstable_by(|one, two| two.cmp(one));
    let rest = counts.get(2..).unwrap_or_default();
    let sum = rest.iter().map(|(sum, _)| sum).sum();
    ratio(rest.iter().map(|(_, most)| most).sum(), sum, 1000)
}

/// Every mention of a name, with its place.
fn mentions(book: &Book) -> Vec<(usize, &str)> {
    let mut low: HashMap<&str, u32> = HashMap::new();
    let mut high: HashMap<&str, u32> = HashMap::new();
    let mut found = Vec::new();
    for paragraph in &book.paragraphs {
        if paragraph.kind == ParagraphKind::Heading {
            continue;
        }
        let start = paragraph.text.start as usize;
        let text = &book.text[start..paragraph.text.end as usize];
        let mut last = '.';
        let mut word: Option<(usize, char)> = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            if c.is_alphabetic() && !is_han(c) {
                if word.is_none() {
                    word = Some((at, last));
                }
                continue;
            }
            if let Some((from, before)) = word.take() {
                let name = &text[from..at];
                if name.starts_with(char::is_uppercase) {
                    if name.chars().nth(2).is_some() {
                        found.push((start + from, name));
                        // Only in the middle of a sentence does a capital say anything.
                        if before.is_alphanumeric() || matches!(before, ',' | ';') {
                            *high.entry(name).or_default() += 1;
                        }
                    }
                } else {
                    *low.entry(name).or_default() += 1;
                }
                last = 'x';
            }
            if is_han(c) {
                if matches!(c, '曰' | '道' | '說' | '说')
                    && let Some(name) = speaker(&text[..at])
                {
                    found.push((start + at - name.len(), name));
                    *high.entry(name).or_default() += 1;
                }
                last = c;
            } else if !c.is_whitespace()
                && !matches!(
                    c,
                    '"' | '“' | '”' | '‘' | '’' | '\'' | '«' | '»' | '(' | '—' | '-' | '_'
                )
            {
                last = c;
            }
        }
    }
    found.retain(|(_, name)| {
        high.get(name).is_some_and(|times| {
            *times >= 2 && low.get(name.to_lowercase().as_str()).copied().unwrap_or(0) * 3 < *times
        })
    });
    found
}

/// The two Han letters before a verb of saying.
fn speaker(before: &str) -> Option<&str> {
    let (from, _) = before.char_indices().rev().nth(1)?;
    let name = &before[from..];
    (name.chars().all(is_han)
        && !name.contains([
            '知', '笑', '問', '答', '不', '的', '了', '是', '來', '我', '你', '他', '這', '那',
            '一',
        ]))
    .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::book;

    /// Chapters in which these people meet, each long enough to count.
    fn told(casts: &[[&str; 3]]) -> Cast {
        let chapter = |[a, b, c]: &[&str; 3]| {
            let scene = format!(
                "There, {a} met {b}, and {c} saw that {a} left with {b} while old {c} stayed behind. "
            );
            format!("# Chapter\n\n{}\n\n", scene.repeat(20))
        };
        let text: String = casts.iter().map(chapter).collect();
        Cast::of(&book(text.trim_end()))
    }

    #[test]
    fn novels_keep_their_people() {
        let novel = told(&[
            ["Anna", "Boris", "Clara"],
            ["Anna", "Boris", "Clara"],
            ["Anna", "Boris", "Clara"],
        ]);
        assert_eq!((novel.sections, novel.shared_pm), (3, 1000));
        let tales = told(&[
            ["Anna", "Boris", "Clara"],
            ["Doris", "Emil", "Franz"],
            ["Gustav", "Hanna", "Ida"],
        ]);
        assert_eq!((tales.sections, tales.shared_pm, tales.home_pm), (3, 0, 1000));
    }

    #[test]
    fn nothing_is_said_of_one_chapter() {
        assert_eq!(told(&[["Anna", "Boris", "Clara"]]), Cast::default());
        assert_eq!(Cast::of(&book("")), Cast::default());
    }
}
