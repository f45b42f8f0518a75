//! How long it takes to ask: from retellings to read-along questions in Parquet, in CPU seconds.
//!
//! ```sh
//! cargo run --release --example questions_bench -- SUMMARIES.jsonl OUT
//! ```
//!
//! A line of the file is a book: `{"book": "b1", "scenes": [{"true": "...", "false": ["...", ...]}]}`.
//! Reading it, drawing with every check, and writing Parquet are all inside the timing.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for the people who build it")]

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use storymill_core::{
    Answer, Asked, Asker, Cx, Digest, Disk, Distortion, Fault, PartRef, Parts, Place, Question,
    Record, RequestKey, Scene, Seed, Span, Stage, Summary, UnitId,
};
use storymill_dataset::{Config, Publication, Tables, publish};
use storymill_pipeline::store::RealDisk;
use storymill_transforms::ReadAlong;

#[derive(Deserialize)]
struct Book {
    scenes: Vec<Told>,
}

#[derive(Deserialize)]
struct Told {
    r#true: String,
    r#false: Vec<String>,
}

/// Books by where their line stands in the file; questions are made when they are written.
struct Corpus {
    path: PathBuf,
    lines: BTreeMap<UnitId, (u64, usize)>,
    stage: ReadAlong,
}

impl Corpus {
    fn open(path: &Path) -> Self {
        let mut reader = BufReader::new(File::open(path).unwrap());
        let (mut lines, mut at, mut line) = (BTreeMap::new(), 0, Vec::new());
        while reader.read_until(b'\n', &mut line).unwrap() > 0 {
            let unit = format!("b{:05}", lines.len()).parse().unwrap();
            lines.insert(unit, (at, line.len()));
            at += line.len() as u64;
            line.clear();
        }
        let stage = r#"{ "scenes": "s", "summaries": "t", "distortions": "d" }"#;
        Self { path: path.to_owned(), lines, stage: serde_json::from_str(stage).unwrap() }
    }

    fn questions(&self, unit: &UnitId) -> Vec<Question> {
        let (at, length) = self.lines[unit];
        let mut file = File::open(&self.path).unwrap();
        file.seek(SeekFrom::Start(at)).unwrap();
        let mut line = vec![0; length];
        file.read_exact(&mut line).unwrap();
        let book: Book = serde_json::from_slice(&line).unwrap();
        let (mut scenes, mut summaries, mut distortions) = (Vec::new(), Vec::new(), Vec::new());
        for (at, told) in (0_u32..).zip(book.scenes) {
            // Scenes as long as a book's have nothing in them that this stage looks at but their ends.
            let place = |at: u32| Place { byte: at * 3000, symbol: at * 3000 };
            let span = Span { start: place(at), end: place(at + 1) };
            let text = " ".to_owned();
            let (words, tokens) = (530, Vec::new());
            let book = unit.clone();
            scenes.push(Scene { book, scene: at, chapter: None, span, words, tokens, text });
            let summary = Summary {
                book: unit.clone(),
                level: 0,
                at,
                first_scene: at,
                last_scene: at,
                protocol: "told".to_owned(),
                text: told.r#true,
                answers: Vec::new(),
            };
            for (sample, text) in (0..).zip(told.r#false) {
                distortions.push(Distortion {
                    book: unit.clone(),
                    summary: summary.id(),
                    level: 0,
                    first_scene: at,
                    last_scene: at,
                    sample,
                    protocol: "told".to_owned(),
                    text,
                    twin: summary.text.clone(),
                    edits: Vec::new(),
                    similarity_pm: 900,
                    answers: Vec::new(),
                });
            }
            summaries.push(summary);
        }
        let mut cx = Cx::new(ReadAlong::KIND, unit, Seed::new(2023), &Nobody);
        self.stage
            .run((scenes.into(), summaries.into(), distortions.into(), None), &mut cx)
            .unwrap()
    }
}

impl Parts for Corpus {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        Ok(Question::encode(&self.questions(&part.unit)).unwrap())
    }
}

struct Nobody;

impl Asker for Nobody {
    fn get(&self, _: &RequestKey) -> Result<Option<Answer>, Fault> {
        Ok(None)
    }

    fn ask(&self, _: &[Asked]) -> Result<(), Fault> {
        Ok(())
    }
}

/// CPU seconds of this process so far, and its peak memory in megabytes.
fn used() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let peak: f64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    (ticks / 100.0, peak / 1024.0)
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(out)) = (args.next(), args.next()) else {
        println!("usage: questions_bench SUMMARIES.jsonl OUT");
        return;
    };
    let corpus = Corpus::open(Path::new(&from));
    let part = |unit: &UnitId| PartRef {
        unit: unit.clone(),
        digest: Digest::of(unit.as_str().as_bytes()),
        rows: 0,
    };
    let spec = Publication {
        name: "bench".to_owned(),
        version: "1".to_owned(),
        license: "cc0-1.0".to_owned(),
        canary: "storymill-bench".to_owned(),
        configs: vec![Config {
            name: "read-along".to_owned(),
            record: Question::NAME.to_owned(),
            encodings: Vec::new(),
            parts: corpus.lines.keys().map(part).collect(),
        }],
        ..Publication::default()
    };
    if args.next().is_some() {
        // Any third argument: draw and encode, and write nothing.
        let bytes: usize =
            spec.configs[0].parts.iter().map(|p| corpus.read(p).unwrap().len()).sum();
        let (cpu, peak) = used();
        println!("drawn alone: {bytes} bytes, {cpu:.2} CPU s, peak {peak:.0} MB");
        return;
    }
    let disk: &dyn Disk = &RealDisk;
    let published = publish(&spec, &Tables::standard(), &corpus, disk, Path::new(&out)).unwrap();
    let rows: u64 = published.manifest.files.iter().map(|file| file.rows).sum();
    let bytes: u64 = published.manifest.files.iter().map(|file| file.bytes).sum();
    let (cpu, peak) = used();
    println!("{rows} questions, {bytes} bytes of Parquet, {cpu:.2} CPU s, peak {peak:.0} MB");
}
