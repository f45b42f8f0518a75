//! Scores of files, as `storymill score ... --format json` prints them.

use std::path::PathBuf;

use pyo3::prelude::*;
use serde::Serialize;
use storymill_faithfulness::table;
use storymill_metrics::{
    bootstrap::Plan,
    pair_accuracy::{self, Verdict},
    score::{self, Resources},
    wordlists::WordLists,
    wordnet,
};

#[cfg(feature = "full")]
use storymill_metrics::segment;

use crate::refused::{self, ScoreError};

/// A folder of `WordNet` 3.0, read once.
#[pyclass(frozen, module = "storymill")]
#[derive(Debug)]
pub(crate) struct WordNet(wordnet::WordNet);

#[pymethods]
impl WordNet {
    #[new]
    fn new(folder: PathBuf) -> PyResult<Self> {
        let read = storymill::wordnet::read(&folder);
        read.map(Self).map_err(|fault| refused::fault(fault, &folder))
    }
}

/// Scores JSON lines with a prediction and its references.
#[pyfunction]
#[pyo3(signature = (lines, *, one_reference, wordnet, wordlists, seed))]
pub(crate) fn answers(
    py: Python<'_>,
    lines: &str,
    one_reference: bool,
    wordnet: Option<Py<WordNet>>,
    wordlists: Option<&str>,
    seed: u64,
) -> PyResult<String> {
    let lists = wordlists.map_or_else(|| Ok(WordLists::ours()), WordLists::parse);
    let lists = lists.map_err(|error| ScoreError::new_err((None::<usize>, error.to_string())))?;
    let wordnet = wordnet.as_ref().map(|net| &net.get().0);
    py.detach(|| {
        // Its dictionary takes a while to read, so nothing reads it before the first Chinese text comes.
        #[cfg(feature = "full")]
        let segmenter = std::sync::LazyLock::new(segment::Segmenter::new);
        #[cfg(feature = "full")]
        let words = |text: &str| segmenter.words(text).into_iter().map(str::to_owned).collect();
        #[cfg(feature = "full")]
        let cutter = Some(score::Cutter { dictionary: segment::DICTIONARY, words: &words });
        #[cfg(not(feature = "full"))]
        let cutter = None;
        let plan = Plan { seed, ..Plan::default() };
        let resources = Resources { wordnet, lists: &lists, cutter, plan };
        let score = if one_reference { score::pairs } else { score::answers };
        told(&score(lines, resources).map_err(refused::file)?)
    })
}

/// Scores every system in a file as `NoCha`'s.
#[pyfunction]
pub(crate) fn claims(py: Python<'_>, text: &str, common: Vec<String>) -> PyResult<String> {
    py.detach(|| told(&score::claims(text, &common).map_err(refused::file)?))
}

/// Scores files of predictions, each with the name of its judge, against `StorySumm`'s labels.
#[pyfunction]
pub(crate) fn faithfulness(
    py: Python<'_>,
    labels: &str,
    predictions: Vec<(String, String)>,
    allow_missing: bool,
) -> PyResult<String> {
    let files: Vec<_> = predictions.iter().map(|(name, text)| (&**name, &**text)).collect();
    py.detach(|| {
        let scored = table::faithfulness(labels, &files, allow_missing);
        let scored = scored.map_err(|(judge, error)| match judge {
            Some(judge) => ScoreError::new_err((None::<usize>, format!("{judge}: {error}"))),
            None => refused::file(error),
        });
        told(&scored?)
    })
}

/// Reads `true`, `false` or `fail` out of an answer to a claim; none if it was never given.
#[pyfunction]
pub(crate) fn verdict(answer: &str, claim: &str) -> Option<&'static str> {
    Some(match pair_accuracy::verdict(answer, claim)? {
        Verdict::True => "true",
        Verdict::False => "false",
        Verdict::Fail => "fail",
    })
}

fn told(value: &impl Serialize) -> PyResult<String> {
    let told = serde_json::to_string(value);
    told.map_err(|error| ScoreError::new_err((None::<usize>, error.to_string())))
}
