//! The audit: what was planted is found, what is not there is not, and no figure depends on threads.

use std::{collections::BTreeMap, fs};

use storymill_core::{
    Author, Book, BookText, Choice, Demand, Form, Length, OptionKind, PartRef, Question,
    QuestionType, ReadAlongQuestion, Recipe, Record, Stretch, UnitId,
};
use storymill_dataset::{
    Config, Publication,
    audit::{AuditFigures, AuditedSet, Limits, Measure, Wanted, audit},
};
use tempfile::TempDir;

use crate::{
    publishing::published,
    support::{Kept, small, work},
};

const WORDS: [&str; 24] = [
    "gate", "mill", "river", "letter", "lamp", "rain", "bread", "horse", "door", "road", "field",
    "song", "stone", "night", "window", "garden", "boat", "winter", "candle", "ferry", "orchard",
    "bridge", "kettle", "lantern",
];

/// Numbers that look drawn.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn sentence(&mut self) -> String {
        let words: Vec<&str> = (0..12).map(|_| WORDS[self.below(WORDS.len())]).collect();
        format!("The {}.", words.join(" "))
    }
}

/// A made-up set: books, each with the number of its author, and questions of each.
struct Made {
    authors: Vec<usize>,
    questions: usize,
    /// A word that stands in right options alone.
    cue: &'static str,
    /// Whether right options are sentences that were read, and wrong ones come later.
    from_the_book: bool,
}

impl Made {
    fn publication(&self) -> (Publication, Kept) {
        let mut shelf = Kept::default();
        let (mut books, mut questions): (Vec<PartRef>, Vec<PartRef>) = (Vec::new(), Vec::new());
        for (at, author) in self.authors.iter().enumerate() {
            let unit: UnitId = format!("b{at}").parse().unwrap();
            let mut drawn = Drawn(at as u64 + 1);
            let sentences: Vec<String> = (0..80).map(|_| drawn.sentence()).collect();
            let text = sentences.join(" ");
            let author = Author {
                agent_id: format!("author {author}"),
                name: format!("Author {author}"),
                birth_year: None,
                death_year: None,
            };
            let book = Book { text, authors: vec![author], ..work(unit.as_str(), 1, 1, 10).book };
            books.push(shelf.put(&unit, &[book]));
            let asked: Vec<_> = (0..self.questions)
                .map(|one| self.question(&unit, one, &sentences, &mut drawn))
                .collect();
            questions.push(shelf.put(&unit, &asked));
        }
        let config = |name: &str, record: &str, parts| Config {
            name: name.to_owned(),
            record: record.to_owned(),
            encodings: Vec::new(),
            parts,
        };
        let configs = vec![
            config("books", Book::NAME, books.clone()),
            config("books-text", BookText::NAME, books),
            config("read-along", ReadAlongQuestion::NAME, questions),
        ];
        let (spec, _) = small();
        (Publication { configs, splits: BTreeMap::new(), ..spec }, shelf)
    }

    fn question(
        &self,
        unit: &UnitId,
        at: usize,
        sentences: &[String],
        drawn: &mut Drawn,
    ) -> ReadAlongQuestion {
        let read = 40 + drawn.below(20);
        let context = sentences[..read].join(" ");
        let right = drawn.below(6);
        let text = |place: usize, drawn: &mut Drawn| match (place, self.from_the_book) {
            (5, _) => "None of the above.".to_owned(),
            (_, true) if place == right => sentences[drawn.below(read)].clone(),
            (_, true) => sentences[60 + drawn.below(20)].clone(),
            // Without a cue nothing is added, no space either: characters would find it.
            (_, false) if place == right => {
                format!("{} {}", drawn.sentence(), self.cue).trim_end().to_owned()
            }
            (_, false) => drawn.sentence(),
        };
        let kind = QuestionType::Lookahead;
        let choice = |place: usize, drawn: &mut Drawn| Choice {
            kind: match place {
                5 => OptionKind::None,
                _ if place == right => OptionKind::True,
                _ => OptionKind::Decoy(kind),
            },
            text: text(place, drawn),
            from: String::new(),
            book: Some(unit.clone()),
            scene: None,
            demand: None,
            names: Vec::new(),
        };
        let length = |text: &str| Length {
            symbols: u32::try_from(text.chars().count()).unwrap(),
            words: u32::try_from(text.split_whitespace().count()).unwrap(),
            scenes: 1,
            tokens: Vec::new(),
        };
        ReadAlongQuestion(Question {
            id: format!("{unit}/{at:04}/lookahead"),
            of: unit.clone(),
            kind: kind.name().to_owned(),
            task: "Which?".to_owned(),
            form: Form::Options {
                given: Vec::new(),
                options: (0..6).map(|place| choice(place, drawn)).collect(),
                right: u8::try_from(right).unwrap(),
            },
            about: vec![Stretch::scene(0)],
            evidence: Vec::new(),
            demands: Vec::new(),
            demand: Demand { to_start: length(&context), to_end_symbols: 0 },
            context: Recipe::Read(length(&context)),
            made_by: None,
        })
    }

    /// The folder, and the one set in it.
    fn audited(&self) -> (TempDir, AuditFigures) {
        let (spec, shelf) = self.publication();
        let (folder, _) = published(&spec, &shelf);
        let figures = audit(folder.path(), &Wanted::default()).unwrap();
        (folder, figures)
    }
}

fn value(set: &AuditedSet, measure: Measure) -> f64 {
    set.share(measure).unwrap().value
}

#[test]
fn a_planted_word_is_found_and_told_first() {
    let made =
        Made { authors: (0..20).collect(), questions: 15, cue: "forsooth", from_the_book: false };
    let (folder, figures) = made.audited();
    let set = &figures.sets[0];
    assert_eq!(
        (set.kind.as_str(), set.questions, set.books, set.groups),
        ("lookahead", 300, 20, 20)
    );
    // None of the above is right in one of six, and then there is no word to find.
    let findable = 1.0 - f64::from(u32::try_from(set.positions[5]).unwrap()) / 300.0;
    assert!(value(set, Measure::Words) > 0.9 * findable, "{set:?}");
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    let first = card.find("- Without the book: ").unwrap();
    let (title, table) = (card.find("# The Mill").unwrap(), card.find("\n| config ").unwrap());
    assert!(title < first && first < table, "{card}");
    assert!(!card.contains("\n\n\n"), "{card}");
    let limits = Limits { without_book: Some(0.3), ..Limits::default() };
    let exceeded: Vec<_> = limits.exceeded(&figures).iter().map(|one| one.measure).collect();
    assert!(exceeded.contains(&Measure::Words), "{exceeded:?}");
    // What stands on the card is what the audit finds in the folder.
    let at = |line: &str, cell: &str| line.split(" | ").position(|one| one == cell);
    let header =
        card.lines().find(|line| line.starts_with("| config | type | questions |")).unwrap();
    let words = at(header, "`words`").unwrap();
    let row =
        card.lines().find(|line| line.starts_with("| `read-along` | lookahead | 300 |")).unwrap();
    let share = format!("{:.1} (", value(set, Measure::Words) * 100.0);
    assert!(row.split(" | ").nth(words).unwrap().starts_with(&share), "{share}\n{header}\n{row}");
}

#[test]
fn without_a_cue_all_is_chance() {
    let made = Made { authors: (0..20).collect(), questions: 20, cue: "", from_the_book: false };
    let (_folder, figures) = made.audited();
    let set = &figures.sets[0];
    assert_eq!(set.chance, Some(0.1667));
    for measure in [Measure::First, Measure::Style, Measure::Words, Measure::Characters] {
        // Twelve intervals of 95 % would miss now and then, so there is some room.
        let share = set.share(measure).unwrap();
        assert!(share.low - 0.03 < 0.1667 && 0.1667 < share.high + 0.03, "{measure:?} {share:?}");
    }
}

#[test]
fn what_was_read_is_found_by_searching() {
    let made = Made { authors: (0..6).collect(), questions: 20, cue: "", from_the_book: true };
    let (folder, figures) = made.audited();
    let set = &figures.sets[0];
    assert_eq!(set.searched, 120);
    assert!(value(set, Measure::Strings) > 0.95, "{set:?}");
    assert_eq!(Limits::default().exceeded(&figures)[0].measure, Measure::Strings);
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    assert!(card.contains("- With the book, but without reading it: "), "{card}");
    let wanted = Wanted { without_book: true, ..Wanted::default() };
    let without = audit(folder.path(), &wanted).unwrap();
    assert_eq!(without.sets[0].share(Measure::Strings), None);
}

#[test]
fn one_author_leaves_nobody_to_learn_from() {
    let made = Made { authors: vec![7; 6], questions: 5, cue: "forsooth", from_the_book: false };
    let (_folder, figures) = made.audited();
    let set = &figures.sets[0];
    assert_eq!((set.books, set.groups, set.by_author), (6, 1, true));
    assert_eq!(set.share(Measure::Words), None);
    let words = set.figures.iter().find(|figure| figure.measure == Measure::Words).unwrap();
    assert!(words.undefined.contains("one author"), "{words:?}");
}

#[test]
fn no_figure_depends_on_threads() {
    let made = Made {
        authors: (0..12).map(|at| at / 2).collect(),
        questions: 8,
        cue: "forsooth",
        from_the_book: true,
    };
    let (folder, _) = made.audited();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| audit(folder.path(), &Wanted::default()).unwrap())
    };
    let one = with(1);
    assert_eq!(one, with(3));
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<AuditFigures>(&text).unwrap(), one);
}

#[test]
fn folders_that_ask_nothing_or_are_none() {
    let (mut spec, shelf) = small();
    spec.configs.retain(|config| config.name == "books" || config.name == "scenes");
    let (folder, _) = published(&spec, &shelf);
    assert_eq!(audit(folder.path(), &Wanted::default()).unwrap().sets, []);
    let wanted = Wanted { config: Some("read-alnog".to_owned()), ..Wanted::default() };
    let fault = audit(folder.path(), &wanted).unwrap_err();
    assert!(fault.message.contains("read-alnog"), "{fault:?}");
    let fault = audit(TempDir::new().unwrap().path(), &Wanted::default()).unwrap_err();
    assert!(fault.message.contains("no dataset is published"), "{fault:?}");
    let table = folder.path().join("books/train-00000-of-00001.parquet");
    fs::write(&table, b"PAR1 and nothing else").unwrap();
    let fault = audit(folder.path(), &Wanted::default()).unwrap_err();
    assert!(fault.message.contains("not a whole Parquet file"), "{fault:?}");
}

#[test]
fn a_copy_of_free_text_is_scored() {
    let (spec, shelf) = small();
    let (folder, _) = published(&spec, &shelf);
    let figures = audit(folder.path(), &Wanted::default()).unwrap();
    let set = figures.sets.iter().find(|set| set.config == "reconstruction").unwrap();
    assert_eq!(set.chance, None);
    assert!((0.0..=1.0).contains(&value(set, Measure::CopyRougeL)), "{set:?}");
}
