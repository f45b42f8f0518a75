//! A small made-up dataset, parts in memory, and a disk that can be made to fail.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub, missing_docs)]

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use storymill_core::{
    Author, Book, BookText, Chapter, Demand, Digest, Disk, DiskFile, DiskReader, Distortion, Edit,
    Encoding, Fault, FaultKind, Form, Given, Held, Hold, Length, MadeBy, PageFacts, PartRef, Parts,
    Question, Recipe, Reconstruction, Record, Scene, SceneTokens, Span, Stretch, Summary,
    SymbolIndex, Tokens, UnitId,
};
use storymill_dataset::{Config, Publication, RejectCount, Step};
use storymill_disk::RealDisk;

pub const CANARY: &str = "storymill-test-canary-7b0e4d1c";

/// Parts kept in memory.
#[derive(Debug, Default)]
pub struct Kept(BTreeMap<Digest, Vec<u8>>);

impl Kept {
    pub fn put<R: Record>(&mut self, unit: &UnitId, rows: &[R]) -> PartRef {
        let bytes = R::encode(rows).unwrap();
        let digest = Digest::of(&bytes);
        self.0.insert(digest, bytes);
        PartRef { unit: unit.clone(), digest, rows: u32::try_from(rows.len()).unwrap() }
    }
}

impl Parts for Kept {
    fn read(&self, part: &PartRef) -> Result<Vec<u8>, Fault> {
        let lost = || Fault::new(FaultKind::Store, "no such part");
        self.0.get(&part.digest).cloned().ok_or_else(lost)
    }
}

/// The rows of one made-up book.
pub struct Work {
    pub book: Book,
    pub scenes: Vec<Scene>,
    pub summaries: Vec<Summary>,
    pub distortions: Vec<Distortion>,
    pub questions: Vec<Reconstruction>,
}

const WORDS: [&str; 16] = [
    "the", "miller", "Éloïse", "said", "and", "under", "rain", "letter", "house", "never", "of",
    "came", "老", "a", "window", "again",
];

/// Sentences that no one would read twice, the same for the same seed.
pub fn prose(seed: u64, bytes: usize) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut text = String::with_capacity(bytes + 64);
    while text.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text.push_str(WORDS[usize::try_from(state >> 60).unwrap()]);
        text.push_str(if state & 0xF0 == 0 { ".\n\n" } else { " " });
    }
    text
}

pub fn work(id: &str, seed: u64, scenes: u32, scene_bytes: usize) -> Work {
    let id: UnitId = id.parse().unwrap();
    let texts: Vec<_> =
        (0..scenes).map(|at| prose(seed * 1_000 + u64::from(at), scene_bytes)).collect();
    let text = texts.concat();
    let index = SymbolIndex::new(&text);
    let mut start = 0;
    let spans: Vec<Span> = texts
        .iter()
        .map(|scene| {
            let span = index.span(start..start + scene.len());
            start += scene.len();
            span
        })
        .collect();
    let words = |text: &str| u32::try_from(text.split_whitespace().count()).unwrap();
    let symbols = index.place(text.len()).symbol;
    let tokens = vec![Tokens { encoding: Encoding::O200kBase, count: words(&text) }];
    let whole = Length { scenes, words: words(&text), symbols, tokens };
    let scenes: Vec<_> = (0_u32..)
        .zip(texts.iter().zip(&spans))
        .map(|(at, (text, span))| Scene {
            tokens: vec![SceneTokens {
                encoding: Encoding::O200kBase,
                count: words(text),
                seam: 0,
            }],
            book: id.clone(),
            scene: at,
            chapter: (at > 0).then_some(0),
            span: *span,
            words: words(text),
            text: text.clone(),
        })
        .collect();
    let summaries: Vec<_> = scenes.iter().map(summary).collect();
    let distortions: Vec<_> = summaries.iter().map(distortion).collect();
    let questions = distortions
        .iter()
        .zip(&spans)
        .map(|(distortion, span)| question(distortion, *span, whole.clone()))
        .collect();
    Work { book: book(&id, &text, &spans), scenes, summaries, distortions, questions }
}

fn book(id: &UnitId, text: &str, spans: &[Span]) -> Book {
    let author = |name: &str, birth_year| Author {
        agent_id: name.to_lowercase(),
        name: name.to_owned(),
        birth_year,
        death_year: None,
    };
    let chapters = spans.iter().skip(1).take(1).map(|span| Chapter {
        title: "CHAPTER I. The | Letter".to_owned(),
        level: 1,
        span: *span,
    });
    Book {
        id: id.clone(),
        title: format!("The *Mill* <of> {id}: a \"story\" | with\nall [marks](x)"),
        authors: vec![author("Miller, Éloïse", Some(-42)), author("Nobody", None)],
        language: "en; fr".to_owned(),
        kind: "novel".to_owned(),
        kind_sure_pm: 0,
        kind_evidence: Vec::new(),
        subjects: Vec::new(),
        locc: Vec::new(),
        bookshelves: Vec::new(),
        rights: "Public domain in the USA.".to_owned(),
        source_url: format!("https://example.org/ebooks/{id}"),
        page: PageFacts { sha256: "ab".repeat(32), ..PageFacts::default() },
        text: text.to_owned(),
        chapters: chapters.collect(),
        paragraphs: Vec::new(),
        flags: if id.as_str() == "b1" { vec!["pg19".to_owned()] } else { Vec::new() },
    }
}

fn summary(scene: &Scene) -> Summary {
    Summary {
        book: scene.book.clone(),
        level: 0,
        at: scene.scene,
        first_scene: scene.scene,
        last_scene: scene.scene,
        protocol: "extract".to_owned(),
        text: scene.text.chars().take(80).collect(),
        answers: (0..scene.scene % 3).map(|n| Digest::of(&[u8::try_from(n).unwrap()])).collect(),
    }
}

fn distortion(summary: &Summary) -> Distortion {
    Distortion {
        book: summary.book.clone(),
        summary: summary.id(),
        level: 0,
        first_scene: summary.first_scene,
        last_scene: summary.last_scene,
        sample: 0,
        protocol: "swap-facts".to_owned(),
        text: summary.text.replace("rain", "snow"),
        twin: summary.text.clone(),
        edits: vec![Edit { true_event: "rain".to_owned(), false_event: "snow".to_owned() }],
        similarity_pm: 970,
        answers: Vec::new(),
    }
}

fn question(distortion: &Distortion, evidence: Span, context: Length) -> Reconstruction {
    let (first_scene, last_scene) = (distortion.first_scene, distortion.last_scene);
    Reconstruction(Question {
        id: format!("{}/reconstruct", distortion.id()),
        of: distortion.book.clone(),
        kind: "reconstruction".to_owned(),
        about: vec![Stretch { level: 0, first_scene, last_scene }],
        task: "Rewrite the retelling so that it fits the book.".to_owned(),
        form: Form::FreeText {
            given: Some(Given { text: distortion.text.clone(), from: distortion.id() }),
            references: vec![distortion.twin.clone()],
            keywords: String::new(),
        },
        evidence: vec![evidence],
        demands: Vec::new(),
        demand: Demand {
            to_start: Length {
                scenes: context.scenes - distortion.first_scene,
                words: context.words / (distortion.first_scene + 1),
                symbols: context.symbols - evidence.start.symbol,
                tokens: context.tokens.clone(),
            },
            to_end_symbols: context.symbols - evidence.end.symbol,
        },
        context: Recipe::Read(context),
        made_by: Some(MadeBy::of(&distortion.answers)),
    })
}

/// The text that is to be put right, and the right one.
pub fn texts(question: &mut Reconstruction) -> [&mut String; 2] {
    question.0.texts_mut().try_into().expect("two texts")
}

/// A dataset of these works, and its parts.
pub fn publication(works: &[Work]) -> (Publication, Kept) {
    let mut shelf = Kept::default();
    let mut configs: Vec<_> = ["book", "scene", "summary", "distortion", "reconstruction"]
        .into_iter()
        .zip(["books", "scenes", "summaries", "distortions", "reconstruction"])
        .map(|(record, name)| Config {
            name: name.to_owned(),
            record: record.to_owned(),
            encodings: vec![Encoding::O200kBase],
            parts: Vec::new(),
        })
        .collect();
    let mut splits = BTreeMap::new();
    for (at, work) in works.iter().enumerate() {
        let unit = &work.book.id;
        configs[0].parts.push(shelf.put(unit, std::slice::from_ref(&work.book)));
        configs[1].parts.push(shelf.put(unit, &work.scenes));
        configs[2].parts.push(shelf.put(unit, &work.summaries));
        configs[3].parts.push(shelf.put(unit, &work.distortions));
        configs[4].parts.push(shelf.put(unit, &work.questions));
        splits.insert(unit.clone(), ["train", "test", "validation"][at % 3].to_owned());
    }
    let publication = Publication {
        left_out: Vec::new(),
        reviews: 0,
        asked: Vec::new(),
        prompts: Vec::new(),
        texts: BTreeMap::new(),
        from: BTreeMap::new(),
        people: BTreeMap::new(),
        name: "mill".to_owned(),
        title: "The Mill".to_owned(),
        version: "1.0.0".to_owned(),
        license: "CC-BY-4.0".to_owned(),
        description: "A made-up dataset.".to_owned(),
        authors: vec!["Brook, Ann".to_owned()],
        url: "https://huggingface.co/datasets/me/mill".to_owned(),
        canary: CANARY.to_owned(),
        seed: 2023,
        lock: b"lock = 1\n".to_vec(),
        models: Vec::new(),
        judges: Vec::new(),
        configs,
        splits,
        steps: vec![Step {
            name: "scenes".to_owned(),
            kind: "chunk".to_owned(),
            version: 1,
            tagger: None,
        }],
        rejects: vec![RejectCount {
            step: "summaries".to_owned(),
            reason: "too-short".to_owned(),
            count: 3,
        }],
    };
    (publication, shelf)
}

/// The same with the texts of its books, as a workflow publishes them.
pub fn with_texts(mut spec: Publication) -> Publication {
    let name = BookText::beside(&spec.configs[0].name);
    let texts = Config { name, record: BookText::NAME.to_owned(), ..spec.configs[0].clone() };
    spec.configs.push(texts);
    spec
}

/// Three small works.
pub fn small() -> (Publication, Kept) {
    publication(&[work("b1", 1, 4, 600), work("b2", 2, 3, 500), work("b3", 3, 2, 700)])
}

/// The disk of the machine. It counts what changes something, and fails at a given count and
/// ever after, as for a process that was killed.
#[derive(Debug)]
pub struct TestDisk {
    fails_at: u64,
    done: std::sync::Arc<AtomicU64>,
}

impl TestDisk {
    pub fn sound() -> Self {
        Self::failing_at(u64::MAX)
    }

    pub fn failing_at(fails_at: u64) -> Self {
        Self { fails_at, done: std::sync::Arc::default() }
    }

    pub fn changes(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    fn change(&self) -> io::Result<()> {
        step(&self.done, self.fails_at)
    }
}

fn step(done: &AtomicU64, fails_at: u64) -> io::Result<()> {
    if done.fetch_add(1, Ordering::Relaxed) >= fails_at {
        return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
    }
    Ok(())
}

struct TestFile {
    file: File,
    fails_at: u64,
    done: std::sync::Arc<AtomicU64>,
}

impl Write for TestFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = step(&self.done, self.fails_at) {
            // What a full disk does: some of it is there.
            self.file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl DiskFile for TestFile {
    fn sync(&mut self) -> io::Result<()> {
        step(&self.done, self.fails_at)
    }
}

impl Disk for TestDisk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        RealDisk.open(path)
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        RealDisk.lock(path, hold)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.change()?;
        let (fails_at, done) = (self.fails_at, self.done.clone());
        Ok(Box::new(TestFile { file: File::create(path)?, fails_at, done }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change()?;
        fs::rename(from, to)
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        self.change()
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        fs::create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        fs::remove_file(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        RealDisk.remove_empty_dir(path)
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        RealDisk.is_link(path)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        RealDisk.put_new(path, scratch, bytes)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => Ok(Some(found?.len())),
        }
    }
}

/// Every file below a folder with its bytes, by its path.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

fn collect(root: &Path, folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, into);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            into.insert(name, fs::read(&path).unwrap());
        }
    }
}
