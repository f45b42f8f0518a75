//! Runs one scoring job over prepared inputs and prints its mean, for comparison with other programs.
//!
//! `CORPUS/pairs.jsonl` holds lines of `kind` (`short` or `long`), `ref`, `pred` and `key`;
//! `CORPUS/txt` texts and `CORPUS/qa.jsonl` questions for BM25.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use serde::Deserialize;
use storymill_metrics::{
    bm25::{Cut, Index, Parameters},
    keyword::{Keyword, Rule},
    mean,
    meteor::Meteor,
    rouge::{self, Stem},
    rouge_unique,
    wordlists::WordLists,
    wordnet::{Files, PartFiles, WordNet},
};

use crate::Done;

/// Runs one scoring job over prepared inputs and prints its mean
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A score with `-short` or `-long`, `bm25-index` or `bm25-query`
    job: String,
    /// Holds `pairs.jsonl`, or `txt` and `qa.jsonl`
    corpus: PathBuf,
    /// How many pairs or texts
    n: usize,
}

#[derive(Deserialize)]
struct Pair<'t> {
    #[serde(borrow)]
    kind: Cow<'t, str>,
    #[serde(borrow, rename = "ref")]
    reference: Cow<'t, str>,
    #[serde(borrow, rename = "pred")]
    prediction: Cow<'t, str>,
    #[serde(borrow)]
    key: Cow<'t, str>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    answer: String,
}

/// The words that the Python program it is compared with leaves out.
const LISTS: &str = r#"{"blacklist_en":["and","to","of","in","was","with","for","it","is","that","he",
"by","she","they","or","at","be","on","are","had","were","this","who","but","have"],
"blacklist_zh":[],"punctuation_zh":""}"#;

impl Args {
    pub(crate) fn run(self) -> Done {
        let Self { job, corpus, n } = self;
        if let Some(job) = job.strip_prefix("bm25-") {
            return bm25(job, &corpus, n);
        }
        let (job, kind) = job.rsplit_once('-').ok_or("a job ends in -short or -long")?;
        let text = fs::read_to_string(corpus.join("pairs.jsonl"))?;
        let mut pairs: Vec<Pair<'_>> = Vec::with_capacity(n);
        let start = format!("{{\"kind\": \"{kind}\"");
        for line in text.lines() {
            // The kind stands first in a line, so lines of the other kind need not be read.
            if pairs.len() < n && line.starts_with(&start) {
                pairs.push(serde_json::from_str(line)?);
            }
        }
        debug_assert!(pairs.iter().all(|pair| pair.kind == kind));
        let start = Instant::now();
        let found = score(job, &pairs)?;
        println!(
            "{job} {kind}: {} pairs, mean {found:.6}, {:.2} ms",
            pairs.len(),
            start.elapsed().as_secs_f64() * 1e3
        );
        Ok(())
    }
}

fn score(job: &str, pairs: &[Pair<'_>]) -> Done<f64> {
    let over =
        |score: &mut dyn FnMut(&Pair<'_>) -> f64| mean(pairs.iter().map(score)).unwrap_or(0.0);
    let stem = if job == "rouge-stem" { Stem::Porter } else { Stem::None };
    let lists = WordLists::parse(LISTS)?;
    let keyword = Keyword { rule: Rule::AsReleased, lists: &lists };
    Ok(match job {
        "rouge" | "rouge-stem" => {
            over(&mut |pair| rouge::text_l(&pair.prediction, &pair.reference, stem).f1)
        }
        "rouge-unique" => over(&mut |pair| rouge_unique::l(&pair.prediction, &pair.reference).f1),
        "keyword" => over(&mut |pair| {
            keyword.english(&pair.prediction, &pair.reference, Some(&pair.key)).score
        }),
        "meteor" | "meteor-plain" => {
            let wordnet = (job == "meteor").then(wordnet).transpose()?;
            let mut meteor = Meteor::new(wordnet.as_ref());
            over(&mut |pair| meteor.score(&words(&pair.prediction), &words(&pair.reference)))
        }
        _ => return Err(format!("no job `{job}`").into()),
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').filter(|word| !word.is_empty()).collect()
}

fn wordnet() -> Done<WordNet> {
    let folder = Path::new("/usr/share/wordnet");
    let part = |name: &str| -> Result<PartFiles, std::io::Error> {
        Ok(PartFiles {
            index: fs::read(folder.join(format!("index.{name}")))?,
            data: fs::read(folder.join(format!("data.{name}")))?,
            exceptions: fs::read(folder.join(format!("{name}.exc")))?,
        })
    };
    Ok(WordNet::parse(Files {
        noun: part("noun")?,
        verb: part("verb")?,
        adj: part("adj")?,
        adv: part("adv")?,
    })?)
}

/// Passages of 3,000 letters, 300 of them shared with the next; `query` asks 500 questions.
fn bm25(job: &str, corpus: &Path, n: usize) -> Done {
    let mut files: Vec<_> = fs::read_dir(corpus.join("txt"))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let texts: Vec<String> =
        files.iter().take(n).map(fs::read_to_string).collect::<Result<_, _>>()?;
    let passages: Vec<&str> = texts.iter().flat_map(|text| passages(text)).collect();
    let start = Instant::now();
    let index = Index::new(&passages, Cut::Words, Parameters::default())?;
    let built = start.elapsed().as_secs_f64();
    let size: usize = passages.iter().map(|passage| passage.len()).sum();
    println!(
        "index: {} passages, {:.1} MB/s, {:.2} ms",
        index.len(),
        1e-6 * f64::from(u32::try_from(size)?) / built,
        built * 1e3
    );
    if job == "query" {
        let text = fs::read_to_string(corpus.join("qa.jsonl"))?;
        let questions: Vec<Question> =
            text.lines().take(50).map(serde_json::from_str).collect::<Result<_, _>>()?;
        let questions: Vec<String> =
            questions.iter().map(|q| format!("{} {}", q.question, q.answer)).collect();
        let start = Instant::now();
        let mut found = 0;
        for question in questions.iter().cycle().take(questions.len() * 10) {
            found += index.top(question, 10).len();
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "query: {found} hits, {:.0} questions/s, {:.2} ms",
            500.0 / seconds,
            seconds * 1e3
        );
    }
    Ok(())
}

fn passages(text: &str) -> Vec<&str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let letters = starts.len() - 1;
    let slice = |from: usize| &text[starts[from]..starts[(from + 3000).min(letters)]];
    (0..letters.saturating_sub(300).max(1)).step_by(2700).map(slice).collect()
}
