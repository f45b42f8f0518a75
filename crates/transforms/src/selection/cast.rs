//! Whether the same people go through a whole book: the names of neighbouring chapters compared.
//!
//! The chapters of a novel share their people; the stories of a collection share at most a hero.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Book, Chapter};

use super::{mentions::mentions, shape::ratio};

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
    /// Of the ten most named people after the two heroes, how many of a thousand come again
    /// throughout: in three chapters at least, and less than two thirds of the time in one of them.
    /// None where too few are named, or in too few chapters.
    pub(super) core_pm: Option<u32>,
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
        let counts = counts(sections);
        let counts = counts.get(HEROES..).unwrap_or_default();
        let core_pm = core(counts, sections.len());
        // Without neighbours to compare, only that the same people come again says anything.
        if pairs < 2 && core_pm.is_none_or(|core| core < TOGETHER) {
            return Self { sparse, ..Self::default() };
        }
        let sum = counts.iter().map(|one| one.sum).sum();
        Self {
            sections: u32::try_from(sections.len()).unwrap_or(u32::MAX),
            shared_pm: ratio(shared, pairs.max(1), 1),
            home_pm: ratio(counts.iter().map(|one| one.most).sum(), sum, 1000),
            core_pm,
            sparse,
        }
    }
}

/// From this share of people who come again on, of a thousand, it is one story.
pub(super) const TOGETHER: u32 = 700;

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

/// A detective and his friend go through all of their stories.
const HEROES: usize = 2;

/// How often a name stands in a book.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    sum: u64,
    /// In the section in which it stands most.
    most: u64,
    /// In how many sections.
    sections: u64,
}

/// All names that stand five times at least, those that stand most first.
fn counts(sections: &[BTreeMap<&str, u64>]) -> Vec<Count> {
    let mut all: BTreeMap<&str, Count> = BTreeMap::new();
    for (name, times) in sections.iter().flatten() {
        let count = all.entry(name).or_default();
        count.sum += times;
        count.most = count.most.max(*times);
        count.sections += 1;
    }
    let mut counts: Vec<Count> = all.into_values().filter(|count| count.sum >= 5).collect();
    counts.sort_unstable_by(|one, two| two.cmp(one));
    counts
}

/// How many of the people that are named most come again throughout, of a thousand.
fn core(counts: &[Count], sections: usize) -> Option<u32> {
    let first = &counts[..counts.len().min(10)];
    let spread = |one: &&Count| one.sections >= 3 && one.most * 3 < one.sum * 2;
    (sections >= 5 && first.len() >= 4)
        .then(|| ratio(first.iter().filter(spread).count() as u64, first.len() as u64, 1000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

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
    fn nouns_with_capitals_are_nobody() {
        let chapter = |[a, b, c]: [&str; 3]| {
            let scene = format!(
                "Da sah {a} durch das Fenster, wie {b} mit der Lampe in das Zimmer trat, und {c} nahm die Lampe, \
                 weil {a} und {c} das Fenster und das Zimmer für {b} suchten. "
            );
            format!("# Kapitel\n\n{}\n\n", scene.repeat(20))
        };
        let casts =
            [["Anna", "Boris", "Clara"], ["Doris", "Emil", "Franz"], ["Gustav", "Hanna", "Ida"]];
        let text: String = casts.into_iter().map(chapter).collect();
        let tales = Cast::of(&book(text.trim_end()));
        assert_eq!((tales.sections, tales.shared_pm, tales.home_pm), (3, 0, 1000));
    }

    #[test]
    fn people_who_come_again_are_told_from_those_of_one_story() {
        let name = |at: usize| format!("N{}", ["ab", "ec", "id", "of", "ug", "am", "en"][at % 7]);
        let of = |cast: fn(usize, usize) -> usize| {
            let scene = |at: usize| {
                let [a, b, c] = [0, 1, 2].map(|who| {
                    format!("{}{}", name(cast(at, who)), "o".repeat(1 + cast(at, who) / 7))
                });
                format!(
                    "There, {a} met {b}, and {c} saw that {a} left with {b} while old {c} stayed. "
                )
            };
            let chapter = |at: usize| format!("# Chapter\n\n{}\n\n", scene(at).repeat(24));
            Cast::of(&book((0..12).map(chapter).collect::<String>().trim_end())).core_pm
        };
        assert_eq!(of(|at, who| (at + who * who) % 12), Some(1000), "everybody comes again");
        assert_eq!(of(|at, who| at * 3 + who), Some(0), "nobody does");
    }

    #[test]
    fn nothing_is_said_of_one_chapter() {
        assert_eq!(told(&[["Anna", "Boris", "Clara"]]), Cast::default());
        assert_eq!(Cast::of(&book("")), Cast::default());
    }
}
