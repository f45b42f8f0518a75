//! StorySumm's table: how well automatic judges find unfaithful summaries.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use storymill_metrics::{Variant, classify::Confusion, score::FileError, threshold};

use crate::{
    count,
    dataset::{Dataset, dataset},
    entries::Entries,
    file::{Labelled, Placed, read},
};

const VARIANT: Variant = Variant::new("storysumm-table", 1);

/// The labels' counts and a table of judges.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Faithfulness {
    /// What the numbers are.
    pub variant: Variant,
    /// Counts of the labels.
    pub dataset: Dataset,
    /// The judges, in the order given.
    pub evaluators: Vec<Evaluator>,
}

/// One judge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluator {
    /// Its name, as given.
    pub name: String,
    /// The threshold found on `val`, if the judge gives scores and not labels.
    pub threshold: Option<f64>,
    /// Over all summaries, then over each split.
    pub parts: Vec<Part>,
    /// Summaries that the judge says nothing of. They count as judged wrongly, but where missing ones are allowed.
    pub unjudged: Vec<String>,
    /// Ids that the judge has and the labels have not.
    pub unknown: Vec<String>,
    /// Ids whose own label is not what its claims or sentences add up to.
    pub contradictions: Vec<String>,
}

/// One row of the table. "Faithful" is the positive class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// `all` or the name of a split.
    pub split: String,
    /// Summaries counted.
    pub n: usize,
    /// The four counts.
    pub counts: Confusion,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// Per cent of summaries said to be faithful.
    pub pct_faithful: Option<f64>,
    /// Precision of "faithful".
    pub precision: Option<f64>,
    /// Recall of "faithful".
    pub recall: Option<f64>,
    /// Per cent of easy unfaithful summaries found.
    pub easy_detected: Option<f64>,
    /// Per cent of hard unfaithful summaries found.
    pub hard_detected: Option<f64>,
    /// Balanced accuracy in per cent.
    pub bal_acc: Option<f64>,
}

/// Scores judges against the labels of StorySumm: contents of the label file, then name and
/// contents of each file of predictions.
///
/// A prediction is `{"label": 0 or 1}` or `{"probs": number}`; where every entry has a label, that
/// counts, else the threshold is tuned on the split `val` ([`threshold`]). A summary without a prediction counts as judged
/// wrongly, unless `allow_missing` leaves it out. The error of a file of predictions comes with its name.
pub fn faithfulness(
    labels: &str,
    predictions: &[(&str, &str)],
    allow_missing: bool,
) -> Result<Faithfulness, (Option<String>, FileError)> {
    let items = read(labels).map_err(|fault| (None, fault))?;
    let judged = |(name, json): &(&str, &str)| {
        evaluator(&items, name, json, allow_missing)
            .map_err(|fault| (Some((*name).to_owned()), fault))
    };
    let evaluators = predictions.iter().map(judged).collect::<Result<_, _>>()?;
    Ok(Faithfulness { variant: VARIANT, dataset: dataset(&items), evaluators })
}

#[derive(Deserialize)]
struct Prediction {
    label: Option<u8>,
    #[serde(default, deserialize_with = "given")]
    probs: Option<Value>,
    claim_labels: Option<Vec<u8>>,
    sentence_labels: Option<Vec<u8>>,
}

/// Tells a null from a field that is not there.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Prediction {
    fn contradicts_itself(&self) -> bool {
        let parts = [&self.claim_labels, &self.sentence_labels];
        parts.into_iter().flatten().any(|labels| {
            let all = labels.iter().all(|label| *label == 1);
            self.label.is_some_and(|label| (label == 1) != all)
        })
    }
}

fn evaluator(
    items: &[Placed],
    name: &str,
    json: &str,
    allow_missing: bool,
) -> Result<Evaluator, FileError> {
    let Entries(entries): Entries<Prediction> =
        serde_json::from_str(json).map_err(|source| FileError::json(source, json, 1))?;
    let known: BTreeMap<&str, &Prediction> =
        entries.iter().map(|(id, said)| (id.as_str(), said)).collect();
    let judged: Vec<(&Labelled, &str, &Prediction)> = items
        .iter()
        .filter_map(|Placed { id, labelled, .. }| {
            Some((labelled, id.as_str(), *known.get(id.as_str())?))
        })
        .collect();
    if judged.is_empty() {
        let unknown = |(id, _): &(String, Prediction)| {
            FileError::Entry {
            id: id.clone(),
            what: "the labels have neither this id nor any other of the file; they may be of another version".into(),
        }
        };
        return Err(entries.first().map_or(FileError::Empty, unknown));
    }
    let (threshold, said) = if judged.iter().all(|(_, _, said)| said.label.is_some()) {
        (
            None,
            judged.iter().map(|(_, id, said)| label(id, said)).collect::<Result<Vec<bool>, _>>()?,
        )
    } else {
        let scores =
            judged.iter().map(|(_, id, said)| score(id, said)).collect::<Result<Vec<f64>, _>>()?;
        let threshold = tuned(&judged, &scores)?;
        (Some(threshold), threshold::labels(&scores, threshold))
    };
    let said: BTreeMap<&str, bool> = judged.iter().map(|(_, id, _)| *id).zip(said).collect();
    let counted = |Placed { id, labelled, .. }: &'_ Placed| {
        let wrong = (!allow_missing).then(|| !labelled.faithful());
        said.get(id.as_str()).copied().or(wrong)
    };
    let rows: Vec<(&Labelled, bool)> =
        items.iter().filter_map(|item| Some((&item.labelled, counted(item)?))).collect();
    let mut splits = vec!["all"];
    for (item, _) in &rows {
        if !splits.contains(&item.split.as_str()) {
            splits.push(&item.split);
        }
    }
    let of_split = |split: &&str| {
        let of_it = rows.iter().filter(|(item, _)| *split == "all" || item.split == *split);
        part(split, &of_it.copied().collect::<Vec<_>>())
    };
    let ids: std::collections::BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let names = |ids: &mut dyn Iterator<Item = &String>| ids.cloned().collect();
    Ok(Evaluator {
        name: name.to_owned(),
        threshold,
        parts: splits.iter().map(of_split).collect(),
        unjudged: names(
            &mut items.iter().map(|item| &item.id).filter(|id| !known.contains_key(id.as_str())),
        ),
        unknown: names(
            &mut entries.iter().map(|(id, _)| id).filter(|id| !ids.contains(id.as_str())),
        ),
        contradictions: names(
            &mut entries.iter().filter(|(_, said)| said.contradicts_itself()).map(|(id, _)| id),
        ),
    })
}

fn label(id: &str, said: &Prediction) -> Result<bool, FileError> {
    match said.label {
        Some(label @ (0 | 1)) => Ok(label == 1),
        _ => Err(FileError::Entry { id: id.into(), what: "`label` is 0 or 1".into() }),
    }
}

fn score(id: &str, said: &Prediction) -> Result<f64, FileError> {
    let fault = |what: &str| FileError::Entry { id: id.into(), what: what.into() };
    match &said.probs {
        Some(Value::Number(score)) => score.as_f64().ok_or_else(|| fault("`probs` is too large")),
        Some(Value::Null) => Err(fault("`probs` is null, which is not a score")),
        Some(_) => Err(fault("`probs` is one number where there is no `label`")),
        None => Err(fault("neither `label` nor `probs`, or only some entries have a `label`")),
    }
}

fn tuned(judged: &[(&Labelled, &str, &Prediction)], scores: &[f64]) -> Result<f64, FileError> {
    let rows = judged.iter().zip(scores).filter(|((item, _, _), _)| item.split == "val");
    let (truth, scores): (Vec<bool>, Vec<f64>) =
        rows.map(|((item, _, _), score)| (item.faithful(), *score)).unzip();
    let what = "no summary of the split `val` to tune a threshold on";
    threshold::tune(&truth, &scores)
        .map_err(|_| FileError::Entry { id: "probs".into(), what: what.into() })
}

fn part(split: &str, rows: &[(&Labelled, bool)]) -> Part {
    let (truth, said): (Vec<bool>, Vec<bool>) =
        rows.iter().map(|(item, said)| (item.faithful(), *said)).unzip();
    let counts = Confusion::of(&truth, &said).unwrap_or_default();
    let percent =
        |part: usize, whole: usize| (whole > 0).then(|| 100.0 * (count(part) / count(whole)));
    let detected = |difficulty: &str| {
        let of = rows.iter().filter(|(item, _)| item.difficulty == difficulty);
        percent(of.clone().filter(|(_, said)| !said).count(), of.count())
    };
    Part {
        split: split.to_owned(),
        n: rows.len(),
        counts,
        kappa: counts.kappa(),
        pct_faithful: percent(counts.tp + counts.fp, rows.len()),
        precision: counts.precision(),
        recall: counts.recall(),
        easy_detected: detected("easy"),
        hard_detected: detected("hard"),
        bal_acc: counts.balanced_accuracy().map(|share| 100.0 * share),
    }
}
