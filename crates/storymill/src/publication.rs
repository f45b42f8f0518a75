//! What is published of a run: its configs, and what the card and the manifest say of how it was made.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Changes, Fault, Judgement, Parts, Record, Split};
use storymill_dataset::{Asked, Config, Publication, RejectCount, Step};
use storymill_pipeline::{Finished, Lock, StepReject, StepReport, Workflow};

use crate::{audit::texts, models::Models, taggers, votes::Votes};

/// What is to be published of a run.
pub(crate) fn publication(
    workflow: &Workflow,
    run: &Finished<'_>,
    lock: &Lock,
    models: &Models,
    votes: &Votes,
) -> Result<Publication, Fault> {
    let outcome = &run.outcome;
    let publish = &workflow.publish;
    let mut splits = BTreeMap::new();
    for part in publish.split.iter().flat_map(|step| &outcome.parts[step]) {
        let rows = (run as &dyn Parts).rows::<Split>(part)?;
        splits.extend(rows.iter().map(|row| (row.unit.clone(), row.split.clone())));
    }
    // Labelled retellings that measure a judge are of no book, and so of no split: nobody trains on them.
    let has_splits = !splits.is_empty();
    let judged = workflow.configs.iter().filter(|config| config.record == Judgement::NAME);
    for part in judged.filter(|_| has_splits).flat_map(|one| &outcome.parts[&one.from]) {
        splits.entry(part.unit.clone()).or_insert_with(|| "test".to_owned());
    }
    let config = |config: &storymill_pipeline::Config| Config {
        name: config.name.clone(),
        record: config.record.to_owned(),
        encodings: workflow.encodings(&config.from).into_iter().collect(),
        parts: outcome.parts[&config.from].clone(),
    };
    let step = |step: &storymill_pipeline::Step| Step {
        name: step.name.clone(),
        kind: step.kind().to_owned(),
        version: step.version(),
        tagger: taggers::of(step),
    };
    let asked = |(step, report): (&storymill_pipeline::Step, &StepReport)| Asked {
        step: step.name.clone(),
        models: models.ids([step]),
        prompts: step.text_digests(),
        answers: report.answers,
        changes: changes(lock, &step.name),
    };
    let steps = workflow.steps.iter().zip(&outcome.steps);
    let asking = steps.filter(|(step, _)| !step.models().is_empty());
    let authors = asked_by(lock, |kind| !JUDGING.contains(&kind));
    Ok(Publication {
        name: workflow.name.clone(),
        title: publish.title.clone(),
        version: workflow.version.clone(),
        license: publish.license.clone(),
        description: publish.description.clone(),
        authors: publish.authors.clone(),
        url: publish.url.clone(),
        canary: publish.canary.clone(),
        seed: workflow.seed,
        lock: lock.to_text().into_bytes(),
        models: authors.clone(),
        judges: asked_by(lock, |kind| JUDGING.contains(&kind))
            .into_iter()
            .filter(|judge| !authors.contains(judge))
            .collect(),
        configs: workflow.configs.iter().map(config).chain(votes.config()).collect(),
        splits,
        steps: workflow.steps.iter().map(step).collect(),
        rejects: counts(&outcome.rejects),
        left_out: counts(&outcome.left_out),
        reviews: outcome.reviews.len() as u64,
        asked: asking.clone().map(asked).collect(),
        prompts: asking.flat_map(|(step, _)| step.texts()).collect(),
        people: votes.people(),
        from: workflow.configs.iter().map(|one| (one.name.clone(), one.from.clone())).collect(),
        texts: texts(lock),
    })
}

/// The kinds of stages whose models say what they think of texts, and write none that is published as a text of the dataset.
const JUDGING: [&str; 9] = [
    "ambiguity",
    "answer",
    "closed-book",
    "false-check",
    "faithful",
    "join",
    "judge-answers",
    "propose",
    "recognise",
];

/// What endpoints refused of the requests of a step, whichever model it was for.
fn changes(lock: &Lock, step: &str) -> Changes {
    let models = lock.steps.get(step).into_iter().flat_map(|step| step.models.values());
    let all = models.flat_map(|model| &model.changes);
    all.map(|(field, name)| (field.clone(), name.clone())).collect()
}

/// The models that were asked by steps of some kinds which anything published was made from, by the names that providers have for them.
fn asked_by(lock: &Lock, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let behind: BTreeSet<&str> =
        lock.configs.keys().flat_map(|config| lock.steps_behind(config)).collect();
    let steps = behind.into_iter().filter_map(|name| lock.steps.get(name));
    let asked =
        steps.filter(|step| wanted(&step.kind) && step.asked.values().any(|count| *count > 0));
    let models: BTreeSet<&String> =
        asked.flat_map(|step| step.models.values()).map(|model| &model.id).collect();
    models.into_iter().filter(|id| !id.is_empty()).cloned().collect()
}

/// Items by step and reason.
fn counts(items: &[StepReject]) -> Vec<RejectCount> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry((item.step.clone(), item.reject.reason.code.to_string())).or_default() += 1;
    }
    let count = |((step, reason), count)| RejectCount { step, reason, count };
    counts.into_iter().map(count).collect()
}
