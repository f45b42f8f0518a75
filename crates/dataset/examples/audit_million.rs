//! How long the audit of a large dataset takes, and how much memory.
//!
//! ```sh
//! cargo run --release -p storymill-dataset --example audit_million -- pour 1000000 /tmp/million
//! /usr/bin/time -v cargo run --release -p storymill-dataset --example audit_million -- audit /tmp/million
//! ```
//!
//! `pour` publishes made-up questions of 1,000 books of 500 authors, six options of about 300 symbols each, and the
//! books with them where a third argument names their length in bytes. `audit` prints the figures and the seconds.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::{path::Path, time::Instant};

use storymill_core::{
    Author, Book, Choice, Demand, Digest, Fault, Form, Length, OptionKind, PageFacts, PartRef,
    Parts, Question, QuestionType, ReadAlongQuestion, Recipe, Record, Stretch, UnitId,
};
use storymill_dataset::{
    Config, Publication, Tables,
    audit::{Wanted, audit},
    publish,
};
use storymill_disk::RealDisk;

const BOOKS: u32 = 1_000;
const WORDS: &str = "the miller said and under rain letter house never of came a window again gate river lamp \
                     bread horse door road field song stone night she he they walked told old young";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["pour", questions, folder] => pour(questions.parse().unwrap(), 0, Path::new(folder)),
        ["pour", questions, folder, bytes] => {
            pour(questions.parse().unwrap(), bytes.parse().unwrap(), Path::new(folder));
        }
        ["audit", folder] => {
            let begun = Instant::now();
            let figures = audit(Path::new(folder), &Wanted::default()).unwrap();
            println!("{}", serde_json::to_string_pretty(&figures).unwrap());
            println!("{:.1} s", begun.elapsed().as_secs_f64());
        }
        _ => println!("say `pour QUESTIONS FOLDER [BYTES]` or `audit FOLDER`"),
    }
}

/// Rows that are made when they are read.
struct Poured {
    each: u32,
    bytes: usize,
}

impl Parts for Poured {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        let book: u32 = part.unit.as_str()[1..].parse().unwrap();
        if part.rows == 1 {
            return Ok(Book::encode(&[text_of(book, self.bytes)]).unwrap());
        }
        let rows: Vec<_> = (0..self.each).map(|at| question(book, at)).collect();
        Ok(ReadAlongQuestion::encode(&rows).unwrap())
    }
}

fn pour(questions: u32, bytes: usize, folder: &Path) {
    let each = (questions / BOOKS).max(2);
    let parts = |rows: u32| {
        let digest = |at: u32| Digest::of(format!("{rows} {at} {questions} {bytes}").as_bytes());
        (0..BOOKS).map(|at| PartRef { unit: unit(at), digest: digest(at), rows }).collect()
    };
    let config = |name: &str, record: &str, parts: Vec<PartRef>| Config {
        name: name.to_owned(),
        record: record.to_owned(),
        encodings: Vec::new(),
        parts,
    };
    let spec = Publication {
        name: "million".to_owned(),
        version: "1.0.0".to_owned(),
        license: "mit".to_owned(),
        canary: "storymill-canary-of-a-bench-only".to_owned(),
        configs: vec![
            config("books", Book::NAME, parts(1)),
            config("read-along", ReadAlongQuestion::NAME, parts(each)),
        ],
        ..Publication::default()
    };
    let begun = Instant::now();
    publish(&spec, &Tables::standard(), &Poured { each, bytes }, &RealDisk, folder).unwrap();
    println!("poured, with its audit, in {:.1} s", begun.elapsed().as_secs_f64());
}

fn unit(book: u32) -> UnitId {
    format!("b{book}").parse().unwrap()
}

fn text_of(book: u32, bytes: usize) -> Book {
    let author = format!("author {}", book / 2);
    Book {
        id: unit(book),
        title: String::new(),
        authors: vec![Author {
            agent_id: author.clone(),
            name: author,
            birth_year: None,
            death_year: None,
        }],
        language: "en".to_owned(),
        kind: String::new(),
        kind_sure_pm: 0,
        kind_evidence: Vec::new(),
        subjects: Vec::new(),
        locc: Vec::new(),
        bookshelves: Vec::new(),
        rights: String::new(),
        page: PageFacts::default(),
        text: prose(u64::from(book) << 40, bytes),
        chapters: Vec::new(),
        paragraphs: Vec::new(),
        source_url: String::new(),
        flags: Vec::new(),
    }
}

fn question(book: u32, at: u32) -> ReadAlongQuestion {
    let kind = QuestionType::ALL[at as usize % 3];
    let seed = u64::from(book) * 1_000_000 + u64::from(at);
    let right = u8::try_from(mixed(seed) % 6).unwrap();
    let choice = |place: u8| {
        let kind = match place {
            5 => OptionKind::None,
            _ if place == right => OptionKind::True,
            _ => OptionKind::Decoy(kind),
        };
        // Retellings of a book come again and again.
        let of = (u64::from(book) << 20) + mixed(seed * 7 + u64::from(place)) % 3_000;
        let text = if place == 5 { "None of the above.".to_owned() } else { prose(of, 300) };
        Choice {
            kind,
            text,
            from: String::new(),
            book: Some(unit(book)),
            scene: None,
            demand: None,
            names: Vec::new(),
        }
    };
    let length = |symbols| Length { symbols, scenes: 1 + at, words: 0, tokens: Vec::new() };
    let context = 3_000 + at * 40;
    ReadAlongQuestion(Question {
        id: format!("b{book}/{at:06}/{}", kind.name()),
        of: unit(book),
        kind: kind.name().to_owned(),
        task: "Which of these was in what you have read so far?".to_owned(),
        form: Form::Options { given: Vec::new(), options: (0..6).map(choice).collect(), right },
        about: vec![Stretch::scene(0)],
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: Demand { to_start: length(context / 2), to_end_symbols: 0 },
        context: Recipe::Read(length(context)),
        made_by: None,
    })
}

fn prose(seed: u64, bytes: usize) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut text = String::with_capacity(bytes + 20);
    let mut state = mixed(seed);
    while text.len() < bytes {
        state = mixed(state);
        text.push_str(words[usize::try_from(state >> 32).unwrap() % words.len()]);
        text.push_str(if state.is_multiple_of(12) { ". " } else { " " });
    }
    text
}

fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
