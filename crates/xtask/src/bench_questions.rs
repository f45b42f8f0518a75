//! How long it takes to ask: from retellings to read-along questions in Parquet, in CPU seconds.
//!
//! A line of the file is a book: `{"book": "b1", "scenes": [{"true": "...", "false": ["...", ...]}]}`.
//! Reading it, drawing with every check, and writing Parquet are all inside the timing.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use storymill_core::{
    Answer, Asked, Asker, Cx, Digest, Distortion, Fault, PartRef, Parts, Place, ReadAlongQuestion,
    Record, RequestKey, Scene, Seed, Span, Stage, Summary, UnitId,
};
use storymill_dataset::{Config, Publication, Tables, publish};
use storymill_disk::RealDisk;
use storymill_transforms::ReadAlong;

use crate::{
    Done,
    measure::{cpu_seconds, memory},
};

/// Prints what drawing read-along questions and publishing them costs
#[derive(clap::Args)]
pub(crate) struct Args {
    summaries: PathBuf,
    /// The folder to publish into; without it questions are drawn and encoded alone
    out: Option<PathBuf>,
}

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

    fn questions(&self, unit: &UnitId) -> Vec<ReadAlongQuestion> {
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
            .run(
                ((scenes.into(), summaries.into(), distortions.into()), None, None, None, None),
                &mut cx,
            )
            .unwrap()
    }
}

impl Parts for Corpus {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        Ok(ReadAlongQuestion::encode(&self.questions(&part.unit)).unwrap())
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

impl Args {
    pub(crate) fn run(self) -> Done {
        let corpus = Corpus::open(&self.summaries);
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
                record: ReadAlongQuestion::NAME.to_owned(),
                encodings: Vec::new(),
                parts: corpus.lines.keys().map(part).collect(),
            }],
            ..Publication::default()
        };
        let Some(out) = self.out else {
            let bytes: usize =
                spec.configs[0].parts.iter().map(|p| corpus.read(p).unwrap().len()).sum();
            let (cpu, peak) = (cpu_seconds()?, memory("VmHWM")? >> 20);
            println!("drawn alone: {bytes} bytes, {cpu:.2} CPU s, peak {peak} MB");
            return Ok(());
        };
        let published = publish(&spec, &Tables::standard(), &corpus, &RealDisk, &out).unwrap();
        let rows: u64 = published.manifest.files.iter().map(|file| file.rows).sum();
        let bytes: u64 = published.manifest.files.iter().map(|file| file.bytes).sum();
        let (cpu, peak) = (cpu_seconds()?, memory("VmHWM")? >> 20);
        println!("{rows} questions, {bytes} bytes of Parquet, {cpu:.2} CPU s, peak {peak} MB");
        Ok(())
    }
}
