//! What the writer of tables costs by itself.
//!
//! Questions with six long options are made up book by book and published. The summaries of a book
//! stand in many of its questions, some of those of other books do too, as in read-along questions.
//! The CPU time of making them up is told apart from that of publishing them; then the rows are read
//! again and checked. Linux only: the times and the peak of memory are read from `/proc/self`.

use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use serde::{Deserialize, Serialize};
use storymill_core::{Digest, Fault, PartRef, Parts, Record, UnitId, record};
use storymill_dataset::{Config, Depth, Publication, Tables, check, publish, table};
use storymill_disk::RealDisk;

use crate::{
    Done,
    measure::{Dice, cpu_seconds, memory},
};

/// Publishes made-up questions with six long options and prints what that costs
#[derive(clap::Args)]
pub(crate) struct Args {
    out: PathBuf,
    #[arg(default_value_t = 1_500)]
    books: u32,
    /// Questions of a book
    #[arg(default_value_t = 300)]
    questions: u32,
    /// The length of an option
    #[arg(default_value_t = 600)]
    symbols: u32,
}

/// Scenes of a book, each with one true retelling and one false.
const SCENES: u64 = 150;
const WORDS: u64 = 12_000;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Wide {
    id: String,
    book: UnitId,
    kind: String,
    asked_at: u32,
    question: String,
    options: Vec<String>,
    answer: u8,
    scenes: Vec<i32>,
    numbers: [u32; 8],
}

record!(Wide, "wide", 1);

const NUMBER: &str = "a number";

table! { Wide, "a made-up question", evaluation, |wide, added| {
        let [scenes, words, symbols, end, context, context_words, context_symbols, pool] = wide.numbers;
    }
    "question_id": Line => wide.id, "the question";
    "book_id": Word => wide.book, "the book";
    "split": Word => added.split, "the split";
    "type": Word => wide.kind, "the type";
    "asked_at_scene": Int => wide.asked_at, NUMBER;
    "question": Word => wide.question, "the question in words";
    "options": list(Text) => wide.options, "the options";
    "answer": Int => wide.answer, NUMBER;
    "option_scenes": list(Int) => wide.scenes, "their scenes";
    "demand_scenes": Int => scenes, NUMBER;
    "demand_words": Int => words, NUMBER;
    "demand_symbols": Int => symbols, NUMBER;
    "demand_end_symbols": Int => end, NUMBER;
    "context_scenes": Int => context, NUMBER;
    "context_words": Int => context_words, NUMBER;
    "context_symbols": Int => context_symbols, NUMBER;
    "pool_version": Int => pool, NUMBER;
}

/// A word of one to four syllables: rare ones are longer.
fn word(rank: u64, text: &mut String) {
    const ONSETS: [&str; 12] = ["b", "d", "f", "gr", "h", "l", "m", "n", "st", "t", "v", "w"];
    const RHYMES: [&str; 10] = ["a", "ea", "en", "er", "i", "ing", "o", "ou", "all", "et"];
    let mut left = rank;
    loop {
        text.push_str(ONSETS[usize::try_from(left % 12).unwrap()]);
        text.push_str(RHYMES[usize::try_from(left / 12 % 10).unwrap()]);
        left /= 120;
        if left == 0 {
            return;
        }
    }
}

/// Small numbers far more often than great ones, as words are used.
fn rank(dice: &mut Dice) -> u64 {
    let bound = 1 + dice.below(WORDS);
    let bound = 1 + dice.below(bound);
    dice.below(bound)
}

#[derive(Debug)]
struct Made {
    books: u64,
    questions: u64,
    symbols: usize,
    /// CPU time and bytes of options so far.
    nanos: AtomicU64,
    bytes: AtomicU64,
}

impl Made {
    /// The retelling of a scene; the false one differs in some words.
    fn retelling(&self, book: u64, scene: u64, is_false: bool) -> String {
        let mut dice = Dice(book * 1_000 + scene);
        let mut text = String::with_capacity(self.symbols + 16);
        while text.len() < self.symbols {
            let (rank, other) = (rank(&mut dice), rank(&mut dice));
            word(if is_false && other % 9 == 0 { other } else { rank }, &mut text);
            text.push_str(if rank % 23 == 1 { ". " } else { " " });
        }
        text
    }

    fn part(&self, unit: &UnitId, book: u64) -> Vec<u8> {
        let texts: Vec<Vec<String>> = [false, true]
            .map(|kind| (0..SCENES).map(|scene| self.retelling(book, scene, kind)).collect())
            .into();
        let mut dice = Dice(book + 7_000_000);
        let rows: Vec<_> =
            (0..self.questions).map(|at| self.row(unit, at, &texts, &mut dice)).collect();
        let bytes = rows.iter().flat_map(|row| &row.options).map(String::len).sum::<usize>();
        self.bytes.fetch_add(bytes as u64, Relaxed);
        Record::encode(&rows).unwrap()
    }

    fn row(&self, unit: &UnitId, at: u64, texts: &[Vec<String>], dice: &mut Dice) -> Wide {
        let kind =
            ["lookahead", "scene-distortion", "other-book"][usize::try_from(at % 3).unwrap()];
        let scene = |dice: &mut Dice| usize::try_from(dice.below(SCENES)).unwrap();
        let mut options = vec![texts[0][scene(dice)].clone()];
        while options.len() < 5 {
            options.push(match kind {
                "lookahead" => texts[0][scene(dice)].clone(),
                "scene-distortion" => texts[1][scene(dice)].clone(),
                _ => self.retelling(dice.below(self.books), dice.below(SCENES), false),
            });
        }
        options.push("None of the above.".to_owned());
        let mut number = |bound| u32::try_from(dice.below(bound)).unwrap();
        Wide {
            id: format!("{unit}/{at:04}/{kind}"),
            book: unit.clone(),
            kind: kind.to_owned(),
            asked_at: number(SCENES),
            question: "In what you have read so far, was there a scene where ...".to_owned(),
            answer: u8::try_from(number(6)).unwrap(),
            scenes: (0..6).map(|_| i32::try_from(number(SCENES)).unwrap()).collect(),
            options,
            numbers: [150, 90_000, 500_000, 500_000, 150, 90_000, 500_000, 3].map(number),
        }
    }
}

impl Parts for Made {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        let before = thread_nanos();
        let [a, b, c, d, ..] = *part.digest.as_bytes();
        let bytes = self.part(&part.unit, u64::from(u32::from_le_bytes([a, b, c, d])));
        self.nanos.fetch_add(thread_nanos() - before, Relaxed);
        Ok(bytes)
    }
}

/// CPU time of this thread.
fn thread_nanos() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

impl Args {
    pub(crate) fn run(self) -> Done {
        let Self { out, books, questions, symbols } = self;
        let parts = (0..books).map(|book| {
            let mut digest = [0; 32];
            digest[..4].copy_from_slice(&book.to_le_bytes());
            PartRef {
                unit: format!("b{book}").parse().unwrap(),
                digest: Digest::from(digest),
                rows: questions,
            }
        });
        let config = Config {
            name: "wide".to_owned(),
            record: "wide".to_owned(),
            encodings: Vec::new(),
            parts: parts.collect(),
        };
        let spec = Publication {
            name: "bench".to_owned(),
            version: "1".to_owned(),
            license: "cc0-1.0".to_owned(),
            canary: "storymill-bench".to_owned(),
            configs: vec![config],
            ..Publication::default()
        };
        let made = Made {
            books: books.into(),
            questions: questions.into(),
            symbols: symbols as usize,
            nanos: AtomicU64::default(),
            bytes: AtomicU64::default(),
        };
        let tables = Tables::standard().with::<Wide>();
        let published = publish(&spec, &tables, &made, &RealDisk, &out).unwrap();
        assert!(!published.current, "the folder holds this dataset already");
        let (all, making) = (thread_nanos(), made.nanos.load(Relaxed));
        let megabytes = made.bytes.load(Relaxed) / 1_000_000;
        let files = &published.manifest.files;
        let written: u64 = files.iter().map(|file| file.bytes).sum();
        println!(
            "{} rows, {megabytes} MB of options, {} MB of Parquet",
            books * questions,
            written / 1_000_000
        );
        println!("making them up  {:6.2} CPU s", seconds(making));
        println!(
            "publishing      {:6.2} CPU s, {} MB/s",
            seconds(all - making),
            1_000 * megabytes / ((all - making) / 1_000_000)
        );
        println!("peak memory     {} MB", memory("VmHWM")? >> 20);
        let before = cpu_seconds()?;
        let damage = check(&out, Depth::Rows).unwrap();
        assert_eq!(damage, []);
        let reading = cpu_seconds()? - before;
        println!("checking rows   {:6.2} CPU s, {:.0} MB/s", reading, megabytes as f64 / reading);
        Ok(())
    }
}
