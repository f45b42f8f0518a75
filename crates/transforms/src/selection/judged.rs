//! What kind of book it is, told by counting.
//!
//! Each thing counted gives points to kinds, ten of which make a kind ten times as likely
//! (decibans). No single one decides; the sum says the kind, and how sure it is.

use std::fmt::Write as _;

use storymill_core::Book;
use storymill_text::Language;

use super::{
    cast::{Cast, TOGETHER},
    epistolary::Letters,
    kind::{Kind, Verdict},
    languages::Tongue,
    notice,
    points::{Points, band},
    register_words::Lexis,
    shape::{self, Shape},
    speakers::Speakers,
    title_evidence,
    titles::Titles,
};

impl Verdict {
    /// Judges a book by its text, its title and what the catalog says, `Book::kind` left out.
    pub fn of(book: &Book) -> Self {
        let features = Features::of(book);
        let mut points = features.points();
        title_evidence::subjects(book, &mut points);
        let untitled = points.kind();
        title_evidence::title(book, features.tongue, &mut points);
        let mut verdict = points.verdict(untitled);
        let own = notice::parted(book).0;
        if shape::words(book, &own) < TOO_FEW {
            verdict.doubt("there is too little text of its own to tell");
        } else if features.lexis.telling.is_none() {
            // Of a language without a list of words too little is known to be sure.
            verdict.keep_open();
        }
        verdict
    }
}

/// Of fewer words nothing is sure.
const TOO_FEW: u32 = 300;

/// From so many people with titles in a thousand words on, a book is about people.
const PEOPLED: u32 = 3;

/// Everything that is counted of a book.
#[derive(Debug)]
struct Features {
    speakers: Speakers,
    shape: Shape,
    letters: Letters,
    cast: Cast,
    lexis: Lexis,
    titles: Titles,
    /// The tag of the language of most of it; none where nothing is heard.
    tongue: Option<&'static str>,
}

impl Features {
    fn of(book: &Book) -> Self {
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

    /// What the text says.
    fn points(&self) -> Points {
        // Before anything is counted: what most books are.
        let mut points = Points::new([0, 0, -10, -8, -10, 0], 2, -2);
        self.form(&mut points);
        self.story(&mut points);
        self.unity(&mut points);
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
        let by_chapter = if letters.openings >= 3 {
            band(letters.chapters_pm, &[(300, 6), (500, 14)])
        } else {
            0
        };
        let by_count = if letters.openings >= 20 || letters.are_most() {
            band(letters.often, &[(8, 6), (14, 12), (30, 16)])
        } else {
            0
        };
        let weight = by_chapter.max(by_count);
        if weight > 0 {
            let why = format!("{} letters or entries of a day", letters.openings);
            points.add(Kind::Letters, weight, why);
            self.invented(points);
        }
    }

    /// Whether letters and diaries were never sent nor kept: novels in letters.
    fn invented(&self, points: &mut Points) {
        let Letters { dated, with_year_pm, blank_year, between, .. } = self.letters;
        let quoted = self.shape.quoted_pm;
        let why = format!("{} % of them is speech", quoted / 10);
        points.add(Kind::Letters, band(quoted, &[(60, -3), (120, -6), (180, -8)]), why);
        if self.cast.shared_pm >= 450 {
            points.add(Kind::Letters, -3, "they tell of the same people throughout".into());
        }
        if between >= 3 {
            let why = format!("{between} lines say who writes to whom, as novels do");
            points.add(Kind::Letters, -12, why);
            points.telling(4, String::new());
        }
        if blank_year {
            points.add(Kind::Letters, -8, "their year is left blank".into());
        } else if dated >= 5 {
            let why = format!("{} % of their dates name the year", with_year_pm / 10);
            points.add(Kind::Letters, band(with_year_pm, &[(0, -4), (100, 0), (400, 5)]), why);
        }
    }

    /// Whether somebody tells of himself and of people: in letters, or where no years are named. How such a
    /// book explains itself, and that nobody speaks in it, says little.
    fn told_by_one(&self) -> bool {
        let peopled = self.letters.titled_pm >= PEOPLED && self.lexis.first_pm >= 12;
        let letters = self.letters;
        // Real letters lack years too; lines that say who writes to whom are of novels.
        let invented = letters.are_most() && (letters.between >= 3 || letters.blank_year);
        let memoir = !letters.are_most() && self.shape.years < 40 && self.lexis.first_pm >= 25;
        peopled && (invented || memoir)
    }

    /// Story or account of facts.
    fn story(&self, points: &mut Points) {
        let by_one = self.told_by_one();
        if by_one {
            points.telling(4, "somebody tells of himself and of people by their names".into());
        }
        if let Some(telling) = self.lexis.telling {
            let weight = band(
                telling,
                &[(0, -16), (90, -8), (130, -3), (148, 0), (220, 3), (300, 6), (450, 10)],
            );
            // The other lists are shorter, and were weighed on fewer books.
            let most = if self.tongue == Some("en") { 16 } else { 6 };
            let weight = weight.clamp(if by_one { -4 } else { -most }, most);
            let mut why = String::from("the words are ");
            let _ = match weight {
                ..0 => write!(why, "rather those of explaining ({telling} of telling for 100)"),
                _ => write!(why, "rather those of telling ({telling} for 100 of explaining)"),
            };
            points.telling(weight, why);
        }
        let quoted = self.shape.quoted_pm;
        let weight = band(quoted, &[(0, -6), (50, -3), (100, 2), (180, 5), (250, 8)]);
        let weight = if by_one { weight.max(0) } else { weight };
        points.telling(weight, format!("{} % of the prose is speech", quoted / 10));
        if self.lexis.first_pm >= 25 && quoted < 60 && !by_one {
            points.telling(-2, "somebody tells of himself and hardly anybody speaks".into());
        }
        let years = self.shape.years;
        let why = format!("{years} years are named in 100,000 words");
        if !by_one {
            points.telling(band(years, &[(40, -3), (100, -6), (200, -10)]), why);
        }
        let asks = self.shape.asking_pm;
        let why = format!("{asks} questions and exclamations in 1,000 words");
        // Where nobody speaks nobody asks either: that is counted once.
        let none = if weight < 0 || by_one { 0 } else { -3 };
        points.telling(band(asks, &[(0, none), (2, 0), (8, 3)]), why);
        if self.cast.sections >= 5 && self.cast.shared_pm >= 550 {
            points.telling(3, "the same people go through it".into());
        }
        let numbered = self.shape.numbered_pm;
        let why = format!("{} % of the paragraphs are numbered", numbered / 10);
        points.telling(band(numbered, &[(150, -6), (300, -12)]), why);
    }

    /// One story or several.
    fn unity(&self, points: &mut Points) {
        let Cast { sections, shared_pm, home_pm, core_pm, sparse } = self.cast;
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
        // Between the chapters of a story may stand essays, letters, another thread. Where the same
        // people come again and again all the same, it is one story.
        let core = core_pm.unwrap_or(0);
        let together = band(core, &[(0, 99), (TOGETHER, -8)]);
        points.parts(weight.min(together), why);
        if let Some(core) = core_pm {
            let why = format!("{} % of those named most come again throughout", core / 10);
            points.parts(band(core, &[(0, 3), (450, 0), (TOGETHER, -2)]), why);
        }
        // A detective's friend tells many stories; letters and entries of days are one.
        if self.told_by_one() && self.letters.are_most() {
            points.parts(-10, "one person tells it".into());
        }
        if self.titles.chapters >= 4 && !self.letters.are_most() {
            let numbered = self.titles.numbered_pm;
            let why = format!("{} % of the chapters are numbered", numbered / 10);
            points.parts(band(numbered, &[(0, 4), (300, 0), (700, -3)]), why);
        }
        if sparse && core < TOGETHER && self.titles.chapters >= 6 {
            points.parts(4, "hardly any name comes again in a later chapter".into());
        }
        let restarts = self.titles.restarts;
        points.parts(band(restarts, &[(2, 5)]), format!("its numbers begin anew {restarts} times"));
        let words = self.shape.words;
        let short = if sections < 3 { 12_000 } else { 8_000 };
        let weight = band(short.max(words) - words, &[(1, 5), (2_500, 17)]);
        // Letters, entries of days and a memoir are one story, however short they are.
        let weight = if self.told_by_one() { 0 } else { weight };
        points.parts(weight, format!("it has {words} words"));
    }
}
