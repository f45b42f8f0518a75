//! `.eval_results/*.yaml`: what models scored in a benchmark of the Hugging Face Hub, as their repositories there show it.
//!
//! A number stands on the benchmark's board only if it is of exactly its questions, so it is counted anew over those that
//! the release's `eval.yaml` asks, each shown whole.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Fault, FaultKind, Setting};
use storymill_dataset::{
    Manifest, Site, each_grade,
    release::{Benchmark, hub_id},
};

use crate::{Dataset, Evaluation};

/// The results of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalResults {
    /// The model.
    pub model: String,
    /// The name of the file in the folder `.eval_results`.
    pub file: String,
    /// The file.
    pub yaml: String,
}

/// What models are found to be right in.
type Right = BTreeMap<String, BTreeMap<String, bool>>;

impl EvalResults {
    /// The results that a folder of results has for the release that was asked, which its workflow names; `source` is what the
    /// numbers are from, for people.
    ///
    /// # Errors
    ///
    /// The release is not there any more, is none, or is not on the Hub; not all of its questions were asked.
    pub fn of(results: &Site, workflow: &str, source: &str) -> Result<Vec<Self>, Fault> {
        let above = results.beside(results.parent().unwrap_or(std::path::Path::new("")));
        let input = |message: &str, hint: &str| {
            Fault::new(FaultKind::Input, message.to_owned()).at(results).hint(hint)
        };
        let site = Evaluation::dataset_of(workflow, &above)
            .filter(|site| Manifest::of(site).is_ok())
            .ok_or_else(|| {
                let hint = "the workflow beside the results names the folder; put it there again";
                input("the dataset that was asked is not there", hint)
            })?;
        let benchmark = Benchmark::of(&site)?.ok_or_else(|| {
            let hint = "release it (`storymill release`), and evaluate the folder of the release";
            input("what was asked is no release with an `eval.yaml`", hint)
        })?;
        let dataset = Dataset::open(site)?;
        let url = dataset.lock()?.publish.map(|publish| publish.url).unwrap_or_default();
        let id = hub_id(&url).ok_or_else(|| {
            let hint = "`url` under `[publish]` is https://huggingface.co/datasets/OWNER/NAME";
            input("the release's address is not one of the Hugging Face Hub", hint)
        })?;
        let right = right(results, &benchmark.questions)?;
        if right.is_empty() {
            let Benchmark { config, split, .. } = &benchmark;
            let hint = format!("evaluate with `--config {config} --split {split} --setting full`");
            return Err(input("no model was asked the benchmark's questions, shown whole", &hint));
        }
        let one = |(model, own): (&String, &BTreeMap<String, bool>)| {
            let missing = benchmark.questions.len() - own.len();
            if missing > 0 {
                let of = benchmark.questions.len();
                let message =
                    format!("`{model}` was not asked {missing} of the benchmark's {of} questions");
                let hint = format!(
                    "evaluate with `--config {} --split {}`",
                    benchmark.config, benchmark.split
                );
                return Err(Fault::new(FaultKind::Input, message).at(results).hint(hint));
            }
            Ok(Self::entry(&dataset, &benchmark, (id, &url), (model, own), source))
        };
        right.iter().map(one).collect()
    }

    fn entry(
        dataset: &Dataset,
        benchmark: &Benchmark,
        (id, url): (&str, &str),
        (model, own): (&str, &BTreeMap<String, bool>),
        source: &str,
    ) -> Self {
        let manifest = dataset.manifest();
        let (count, of) = (own.values().filter(|right| **right).count(), own.len());
        // In per cent, to two places.
        let hundredths = (count * 20_000 + of) / (2 * of);
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let revision = benchmark.revision.as_ref();
        let revision =
            revision.map_or(String::new(), |hash| format!("    revision: {}\n", quoted(hash)));
        let notes = format!(
            "{} {}, digest {}; {count} of {of} right; whole contexts, storymill {}",
            manifest.name,
            manifest.version,
            manifest.digest.short(),
            manifest.tool.version
        );
        let yaml = format!(
            "- dataset:\n    id: {}\n    task_id: {}\n{revision}  value: {}.{:02}\n  source:\n    url: {}\n    name: {}\n  notes: {}\n",
            quoted(id),
            quoted(&benchmark.task),
            hundredths / 100,
            hundredths % 100,
            quoted(url),
            quoted(source),
            quoted(&notes)
        );
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let file: String = format!("{}-{model}", manifest.name).chars().map(plain).collect();
        Self { model: model.to_owned(), file: format!("{file}.yaml"), yaml }
    }
}

/// Whether each model was right in each of these questions, shown whole. What rules answer is no model's.
fn right(results: &Site, questions: &BTreeSet<String>) -> Result<Right, Fault> {
    let mut all = Right::new();
    let full = Setting::Full.to_string();
    each_grade(results, |grade| {
        let counts = grade.setting == full && questions.contains(&grade.question);
        if counts && !grade.model.starts_with("baseline:") {
            let own = all.entry(grade.model).or_default();
            own.insert(grade.question, grade.right == Some(true));
        }
        Ok(())
    })?;
    Ok(all)
}
