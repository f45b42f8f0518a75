//! What kind of book it is, told by counting.
//!
//! Each thing counted gives points to kinds, ten of which make a kind ten times as likely
//! (decibans). No single one decides; the sum says the kind, and how sure it is.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::Book;

use super::{
    cast::Cast, letters::Letters, lexis::Lexis, says, shape::Shape, speakers::Speakers,
    titles::Titles, tongue::Tongue,
};
use crate::Language;

/// What a book is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One long story in prose.
    Novel,
    /// Several stories in prose, or a single short one.
    Stories,
    /// A play, in prose or in verse.
    Play,
    /// Poems, or one long poem.
    Poetry,
    /// Letters or a diary that somebody really wrote.
    Letters,
    /// Anything else: lives, travels, essays, treatises, works of reference.
    Nonfiction,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Novel, Self::Stories, Self::Play, Self::Poetry, Self::Letters, Self::Nonfiction];

    /// The kind as it is published: `novel`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Novel => "novel",
            Self::Stories => "stories",
            Self::Play => "play",
            Self::Poetry => "poetry",
            Self::Letters => "letters",
            Self::Nonfiction => "nonfiction",
        }
    }
}

/// What a book was judged to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The likeliest kind.
    pub kind: Kind,
    /// How sure that is, of a thousand.
    pub sure_pm: u16,
    /// The next kind.
    pub second: Kind,
    /// What spoke for and against, the weightiest first.
    pub evidence: Vec<String>,
}

impl Verdict {
    /// Judges a book by its text, its title and what the catalog says, `Book::kind` left out.
    pub fn of(book: &Book) -> Self {
        let features = Features::of(book);
        let mut verdict = features.points(book).verdict();
        if features.shape.words < TOO_FEW {
            verdict.sure_pm = verdict.sure_pm.min(500);
        }
        verdict
    }
}

/// Of fewer words nothing is sure.
const TOO_FEW: u32 = 300;

/// Points for each kind, and why.
#[derive(Debug, Default)]
pub(super) struct Points {
    kinds: [i32; 6],
    /// For a story and against an account of facts.
    telling: i32,
    /// For several stories and against one.
    parts: i32,
    whys: Vec<(i32, String)>,
}

impl Points {
    pub(super) fn add(&mut self, kind: Kind, points: i32, why: String) {
        self.kinds[kind as usize] += points;
        self.why(points, why);
    }

    pub(super) fn telling(&mut self, points: i32, why: String) {
        self.telling += points;
        self.why(points, why);
    }

    pub(super) fn parts(&mut self, points: i32, why: String) {
        self.parts += points;
        self.why(points, why);
    }

    fn why(&mut self, points: i32, why: String) {
        if points != 0 && !why.is_empty() {
            self.whys.push((points.abs(), why));
        }
    }

    fn verdict(mut self) -> Verdict {
        let mut kinds = self.kinds;
        kinds[Kind::Novel as usize] += self.telling - self.parts.max(0);
        kinds[Kind::Stories as usize] += self.telling - (-self.parts).max(0);
        kinds[Kind::Nonfiction as usize] -= self.telling;
        let mut order = Kind::ALL;
        // On a tie the kind that is left out more often comes first: nothing passes by chance.
        order.sort_by_key(|kind| (-kinds[*kind as usize], std::cmp::Reverse(*kind)));
        let best = kinds[order[0] as usize];
        let sum: u64 = kinds.iter().map(|points| likely(best - points)).sum();
        self.whys.sort_by_key(|(points, _)| -points);
        Verdict {
            kind: order[0],
            sure_pm: u16::try_from(1_000_000 * 1000 / sum.max(1)).unwrap_or(1000).min(999),
            second: order[1],
            evidence: self.whys.into_iter().map(|(_, why)| why).collect(),
        }
    }
}

/// How likely a kind is that lies some decibans behind, of a million.
fn likely(behind: i32) -> u64 {
    const TENTH: [u64; 10] = [
        1_000_000, 794_328, 630_957, 501_187, 398_107, 316_228, 251_189, 199_526, 158_489, 125_893,
    ];
    let behind = usize::try_from(behind.max(0)).unwrap_or(0);
    if behind >= 60 {
        0
    } else {
        TENTH[behind % 10] / 10_u64.pow(u32::try_from(behind / 10).unwrap_or(6))
    }
}

/// Everything that is counted of a book.
#[derive(Debug)]
pub(super) struct Features {
    pub(super) speakers: Speakers,
    pub(super) shape: Shape,
    pub(super) letters: Letters,
    pub(super) cast: Cast,
    pub(super) lexis: Lexis,
    pub(super) titles: Titles,
    /// The tag of the language of most of it; none where nothing is heard.
    pub(super) tongue: Option<&'static str>,
}

impl Features {
    pub(super) fn of(book: &Book) -> Self {
        let tongue = Tongue::of(book).main();
        // Where nothing is heard, no list of words may count.
        let language = tongue.map_or(Language::Other, Language::of_tag);
        Self {
            speakers: Speakers::of(book),
            shape: Shape::of(book),
            letters: Letters::of(book),
            cast: Cast::of(book),
            lexis: Lexis::of(book, language),
            titles: Titles::of(book),
            tongue,
        }
    }

    pub(super) fn points(&self, book: &Book) -> Points {
        // Before anything is counted: what most books are.
        let mut points =
            Points { kinds: [0, 0, -10, -8, -10, 0], telling: 2, parts: -2, ..Points::default() };
        self.form(&mut points);
        self.story(&mut points);
        self.unity(&mut points);
        says::weigh(book, self.tongue, &mut points);
        points
    }

    /// Plays, poems, letters: what is seen without reading.
    fn form(&self, points: &mut Points) {
        let play = self.speakers.share_pm();
        let speeches = format!(
            "{} % of the paragraphs begin with one of {} speakers' names",
            play / 10,
            self.speakers.names
        );
        points.add(Kind::Play, band(play, &[(100, 4), (200, 12), (350, 24), (500, 34)]), speeches);
        if play < 200 {
            let verse = self.shape.verse_pm;
            let mut weight = band(verse, &[(80, 3), (130, 6), (200, 13), (350, 20), (600, 34)]);
            if verse >= 130 && self.titles.poems {
                weight += 6;
            }
            points.add(Kind::Poetry, weight, format!("{} % of the text is verse", verse / 10));
        }
        let letters = self.letters;
        let by_chapter = if letters.openings >= 5 {
            band(letters.chapters_pm, &[(300, 6), (500, 14)])
        } else {
            0
        };
        let by_count = if letters.openings >= 20 {
            band(letters.often, &[(8, 6), (14, 12), (30, 16)])
        } else {
            0
        };
        let weight = by_chapter.max(by_count);
        if weight > 0 {
            let why = format!("{} letters or entries of a day", letters.openings);
            points.add(Kind::Letters, weight, why);
            if self.shape.quoted_pm >= 180 && self.cast.shared_pm >= 450 {
                points.add(
                    Kind::Letters,
                    -8,
                    "they tell scenes with the same people throughout".into(),
                );
            }
        }
    }

    /// Story or account of facts.
    fn story(&self, points: &mut Points) {
        if let Some(telling) = self.lexis.telling {
            let weight = band(
                telling,
                &[(0, -16), (90, -8), (130, -3), (148, 0), (220, 3), (300, 6), (450, 10)],
            );
            let mut why = String::from("the words are ");
            let _ = match weight {
                ..0 => write!(why, "rather those of explaining ({telling} of telling for 100)"),
                _ => write!(why, "rather those of telling ({telling} for 100 of explaining)"),
            };
            points.telling(weight, why);
        }
        let quoted = self.shape.quoted_pm;
        let weight = band(quoted, &[(0, -8), (50, -3), (100, 2), (180, 5), (250, 8)]);
        points.telling(weight, format!("{} % of the prose is speech", quoted / 10));
        if self.lexis.first_pm >= 25 && quoted < 60 {
            points.telling(-4, "somebody tells of himself and hardly anybody speaks".into());
        }
        let years = self.shape.years;
        let why = format!("{years} years are named in 100,000 words");
        points.telling(band(years, &[(40, -3), (100, -6), (200, -10)]), why);
        let asks = self.shape.asking_pm;
        let why = format!("{asks} questions and exclamations in 1,000 words");
        points.telling(band(asks, &[(0, -3), (2, 0), (8, 3)]), why);
        if self.cast.sections >= 5 && self.cast.shared_pm >= 550 {
            points.telling(3, "the same people go through it".into());
        }
        let numbered = self.shape.numbered_pm;
        let why = format!("{} % of the paragraphs are numbered", numbered / 10);
        points.telling(band(numbered, &[(150, -6), (300, -12)]), why);
    }

    /// One story or several.
    fn unity(&self, points: &mut Points) {
        let Cast { sections, shared_pm, home_pm, sparse } = self.cast;
        let why = format!("neighbouring chapters share {} % of their people", shared_pm / 10);
        let weight = match (sections, shared_pm, home_pm) {
            (3..=4, ..250, 700..) => 4,
            (3..=4, 380.., _) => -4,
            (0..=4, ..) => 0,
            (_, ..200, 600..) => 15,
            (_, ..340, 650..) => 12,
            (_, ..300, _) => 5,
            (_, ..380, 650..) => 3,
            (_, ..380, _) => -1,
            (8.., _, ..420) => -9,
            (_, ..450, _) => -4,
            _ => -9,
        };
        points.parts(weight, why);
        if self.titles.chapters >= 4 {
            let numbered = self.titles.numbered_pm;
            let why = format!("{} % of the chapters are numbered", numbered / 10);
            points.parts(band(numbered, &[(0, 4), (300, 0), (700, -3)]), why);
        }
        if sparse && self.titles.chapters >= 6 {
            points.parts(4, "hardly any name comes again in a later chapter".into());
        }
        let restarts = self.titles.restarts;
        points.parts(band(restarts, &[(2, 5)]), format!("its numbers begin anew {restarts} times"));
        let words = self.shape.words;
        let short = if sections < 3 { 12_000 } else { 8_000 };
        let weight = band(short.max(words) - words, &[(1, 5), (2_500, 17)]);
        points.parts(weight, format!("it has {words} words"));
    }
}

/// The points of the last band whose floor is reached; none below the first.
fn band(value: u32, bands: &[(u32, i32)]) -> i32 {
    bands.iter().rev().find(|(floor, _)| value >= *floor).map_or(0, |(_, points)| *points)
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;
