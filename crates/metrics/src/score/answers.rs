//! Files of predictions with their references: every metric per row, and the means.

use serde::Serialize;

use super::{
    FileError,
    row::{self, Given, Language},
};
use crate::{
    Undefined, Variant, best,
    bootstrap::{self, Interval, Plan},
    exact, f1,
    keyword::{Keyword, Rule},
    mean,
    meteor::Meteor,
    normalize::Words,
    rouge, rouge_unique, treebank,
    wordlists::WordLists,
    wordnet::WordNet,
};

/// What the scores need beside the file.
#[derive(Clone, Copy, Debug)]
pub struct Resources<'r> {
    /// For METEOR's synonyms; without it METEOR runs without, and its variant says so.
    pub wordnet: Option<&'r WordNet>,
    /// For the keyword-gated F1.
    pub lists: &'r WordLists,
    /// For Chinese rows whose words are not in the file.
    pub cutter: Option<Cutter<'r>>,
    /// For the intervals of means, where rows name their cluster.
    pub plan: Plan,
}

/// What cuts Chinese into words.
#[derive(Clone, Copy)]
pub struct Cutter<'r> {
    /// The name of its dictionary, for the result.
    pub dictionary: &'r str,
    /// The words of a text.
    pub words: &'r dyn Fn(&str) -> Vec<String>,
}

impl std::fmt::Debug for Cutter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cutter").field("dictionary", &self.dictionary).finish_non_exhaustive()
    }
}

/// The scores of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The metrics, in the order of each row's scores.
    pub columns: Vec<Column>,
    /// The rows that were scored.
    pub rows: Vec<Row>,
    /// The rows that were not, and why.
    pub rejects: Vec<Reject>,
    /// What cut Chinese rows into words, if anything did.
    pub dictionary: Option<String>,
}

/// One metric over all rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Short name.
    pub name: &'static str,
    /// What exactly it is.
    pub variant: Variant,
    /// How many rows have it.
    pub rows: usize,
    /// The mean over those.
    pub mean: Option<f64>,
    /// Its interval over clusters, if every row with this metric names its cluster.
    pub interval: Option<Interval>,
    /// Why there is none, where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<&'static str>,
}

/// The scores of one row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Line in the file, from 1.
    pub line: usize,
    /// The row's own id, if it has one.
    pub id: Option<String>,
    /// The row's cluster, if it names one.
    pub cluster: Option<String>,
    /// A score for each column; none where the metric does not apply to the row.
    pub scores: Vec<Option<f64>>,
}

/// A row without scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reject {
    /// Line in the file, from 1.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// Scores predictions against one reference each.
///
/// Rows are JSON lines with `prediction` and `reference`, as in [`answers`].
pub fn pairs(jsonl: &str, resources: Resources<'_>) -> Result<Table, FileError> {
    let rows = row::read(jsonl)?;
    if let Some(row) = rows.iter().find(|row| row.references.len() > 1) {
        let what = format!("a pair has one reference, not {}", row.references.len());
        return Err(FileError::Row { line: row.line, what });
    }
    Ok(table(rows, resources))
}

/// Scores answers against one or several references, the best of which counts.
///
/// Rows are JSON lines: `prediction`; `reference` or `references`; optional `keywords`, `language`
/// (`en` or `zh`), `id`, `cluster`, and for Chinese `tokens_prediction`, `tokens_answer`,
/// `tokens_keywords`. The names that LV-Eval's files use (`answer`, `answer_keywords`, `lang`) are
/// understood; other fields are not looked at.
///
/// ```
/// use storymill_metrics::{bootstrap::Plan, score::{Resources, answers}, wordlists::WordLists};
/// let lists = WordLists::ours();
/// let resources = Resources { wordnet: None, lists: &lists, cutter: None, plan: Plan::default() };
/// let table = answers(r#"{"prediction":"a cat","references":["dog","the cat"]}"#, resources)?;
/// assert_eq!((table.columns[1].name, table.columns[1].mean), ("f1", Some(1.0)));
/// # Ok::<(), storymill_metrics::score::FileError>(())
/// ```
pub fn answers(jsonl: &str, resources: Resources<'_>) -> Result<Table, FileError> {
    Ok(table(row::read(jsonl)?, resources))
}

const NAMES: [&str; 15] = [
    "em",
    "f1",
    "f1_hotpot",
    "rouge1",
    "rouge2",
    "rougeL",
    "rouge1_stem",
    "rouge2_stem",
    "rougeL_stem",
    "rougeL_unique",
    "meteor",
    "keyword_f1_as_released",
    "keyword_f1_as_in_paper",
    "precision",
    "recall",
];

fn table(rows: Vec<Given>, resources: Resources<'_>) -> Table {
    let mut scorer = Scorer::new(resources);
    let mut table =
        Table { columns: Vec::new(), rows: Vec::new(), rejects: Vec::new(), dictionary: None };
    for row in rows {
        match scorer.row(&row) {
            Ok(scores) => {
                table.rows.push(Row {
                    line: row.line,
                    id: row.id,
                    cluster: row.cluster,
                    scores: scores.to_vec(),
                });
            }
            Err(reason) => table.rejects.push(Reject { line: row.line, reason }),
        }
    }
    table.columns = NAMES
        .iter()
        .zip(scorer.variants())
        .enumerate()
        .map(|(at, (name, variant))| {
            let values = || {
                table.rows.iter().filter_map(|row| Some((row.cluster.as_deref(), row.scores[at]?)))
            };
            let clustered: Option<Vec<(&str, f64)>> =
                values().map(|(cluster, value)| Some((cluster?, value))).collect();
            let drawn = clustered.map(|rows| bootstrap::mean(&rows, resources.plan));
            let too_few = matches!(drawn, Some(Err(Undefined::FewClusters { .. })));
            Column {
                name,
                variant,
                rows: values().count(),
                mean: mean(values().map(|(_, value)| value)),
                interval: drawn.and_then(Result::ok),
                no_interval: too_few.then_some(bootstrap::TOO_FEW),
            }
        })
        .collect();
    table.dictionary = scorer.dictionary;
    table
}

type Scores = [Option<f64>; NAMES.len()];

struct Scorer<'r> {
    resources: Resources<'r>,
    meteor: Meteor<'r>,
    keyword: [Keyword<'r>; 2],
    dictionary: Option<String>,
}

impl<'r> Scorer<'r> {
    fn new(resources: Resources<'r>) -> Self {
        let keyword = [Rule::AsReleased, Rule::AsInPaper]
            .map(|rule| Keyword { rule, lists: resources.lists });
        Self { resources, meteor: Meteor::new(resources.wordnet), keyword, dictionary: None }
    }

    fn variants(&self) -> [Variant; NAMES.len()] {
        let [released, paper] = self.keyword.map(|keyword| keyword.variant());
        [
            exact::VARIANT,
            f1::PLAIN,
            f1::HOTPOT,
            rouge::PLAIN,
            rouge::PLAIN,
            rouge::PLAIN,
            rouge::STEMMED,
            rouge::STEMMED,
            rouge::STEMMED,
            rouge_unique::VARIANT,
            self.meteor.variant(),
            released,
            paper,
            // The two that the F1 is made of.
            f1::PLAIN,
            f1::PLAIN,
        ]
    }

    fn row(&mut self, row: &Given) -> Result<Scores, String> {
        if row.references.iter().any(|reference| reference.trim().is_empty()) {
            return Err("a reference is empty".into());
        }
        match row.language {
            Language::English => Ok(self.english(row)),
            Language::Chinese => self.chinese(row),
        }
    }

    fn english(&mut self, row: &Given) -> Scores {
        let (prediction, references) = (row.prediction.as_str(), &row.references);
        // Normal forms, which many scores read.
        let [said, keywords] = [prediction, row.keywords.as_deref().unwrap_or("")].map(Words::of);
        let expected: Vec<Words> = references.iter().map(|one| Words::of(one)).collect();
        // Of the reference that the F1 counts.
        let f1s: Vec<_> = expected.iter().map(|one| f1::both(&said, one)).collect();
        let [plain, hotpot] = [0, 1].map(|rule| best(&f1s, |f1s| f1s[rule]));
        let unique = best(references, |one| rouge_unique::l(prediction, one));
        let both: Vec<_> = references.iter().map(|one| rouge::both(prediction, one)).collect();
        let rouge = [0, 1].map(|stem| {
            [
                best(&both, |scores| scores[stem].one),
                best(&both, |scores| scores[stem].two),
                best(&both, |scores| scores[stem].l),
            ]
            .map(|prf| prf.map(|prf| prf.f1))
        });
        let words: Vec<Vec<_>> =
            references.iter().map(|reference| treebank::words(reference)).collect();
        let gated = self.keyword.map(|keyword| {
            let scored = expected.iter().zip(&f1s);
            let gated = scored.map(|(one, f1s)| keyword.beside(&said, one, &keywords, f1s[0]));
            gated.map(|gated| gated.score).reduce(f64::max)
        });
        [
            Some(f64::from(u8::from(expected.contains(&said)))),
            plain.map(|prf| prf.f1),
            hotpot.map(|prf| prf.f1),
            rouge[0][0],
            rouge[0][1],
            rouge[0][2],
            rouge[1][0],
            rouge[1][1],
            rouge[1][2],
            unique.map(|prf| prf.f1),
            self.meteor.best(&treebank::words(prediction), &words),
            gated[0],
            gated[1],
            plain.map(|prf| prf.precision),
            plain.map(|prf| prf.recall),
        ]
    }

    /// Of the metrics made for English words only those are given that LV-Eval has for Chinese.
    fn chinese(&mut self, row: &Given) -> Result<Scores, String> {
        let [prediction, reference, keywords] = &row.words;
        let mut cut = |given: Option<&Vec<String>>, text: &str| match (given, self.resources.cutter)
        {
            (Some(words), _) => Ok(words.clone()),
            (None, Some(cutter)) => {
                self.dictionary = Some(cutter.dictionary.to_owned());
                Ok((cutter.words)(text))
            }
            (None, None) => {
                Err("a Chinese row without its words, and nothing to cut it with".to_owned())
            }
        };
        let prediction = cut(prediction.as_ref(), &row.prediction)?;
        let keywords =
            row.keywords.as_deref().map(|text| cut(keywords.as_ref(), text)).transpose()?;
        let references: Vec<Vec<String>> = row
            .references
            .iter()
            .map(|text| cut(reference.as_ref(), text))
            .collect::<Result<_, _>>()?;
        let (prediction, keywords) = (views(&prediction), keywords.as_deref().map(views));
        let references: Vec<Vec<&str>> = references.iter().map(|words| views(words)).collect();
        let top = |score: &dyn Fn(&[&str]) -> f64| {
            references.iter().map(|words| score(words)).reduce(f64::max)
        };
        let [released, paper] = self.keyword;
        let mut scores = [None; NAMES.len()];
        scores[0] = top(&|words| f64::from(u8::from(released.chinese_match(&prediction, words))));
        scores[9] = top(&|words| rouge_unique::l(&prediction.join(" "), &words.join(" ")).f1);
        scores[11] = top(&|words| released.chinese(&prediction, words, keywords.as_deref()).score);
        let plain = best(&references, |words| released.chinese_f1(&prediction, words));
        scores[1] = plain.map(|prf| prf.f1);
        scores[13] = plain.map(|prf| prf.precision);
        scores[14] = plain.map(|prf| prf.recall);
        scores[12] = top(&|words| paper.chinese(&prediction, words, keywords.as_deref()).score);
        Ok(scores)
    }
}

fn views(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
