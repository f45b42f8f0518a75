//! From a draft to a workflow: edges that lead somewhere, records that fit, no circles.

use std::{collections::BTreeMap, path::Path};

use storymill_core::{Book, BookText, Decisions, Judgement, Lent, Record, Split, did_you_mean};

use super::{
    Config, Publish, Step, StepKind, VOTES, Workflow,
    parse::{Draft, DraftConfig, DraftStep},
};
use crate::{Problem, Registry};

pub(super) fn check(
    draft: Draft,
    root: &Path,
    registry: &Registry,
    problems: &mut Vec<Problem>,
) -> Option<Workflow> {
    let broken = draft.broken;
    check_head(&draft, problems);
    check_names(&draft.steps, problems);
    check_edges(&draft.steps, broken, problems);
    check_options(&draft.steps, problems);
    check_models(&draft, registry, problems);
    let configs = check_configs(&draft, registry, problems);
    let private = draft
        .steps
        .iter()
        .any(|step| matches!(&step.kind, StepKind::Source(source) if source.is_private()));
    // What a private build makes stays sealed: without a word on it nothing can be published.
    let sealed =
        private && draft.publish.is_none() && !draft.keys.iter().any(|key| key == "publish");
    if !draft.unpublished && !sealed {
        check_publish(&draft, problems);
    }
    if draft.unpublished && !configs.is_empty() {
        problems.push(Problem::new("a workflow without a dataset publishes something", None));
    }
    if configs.is_empty() && !draft.unpublished && !broken && problems.is_empty() {
        let hint = "add `[dataset.scenes]` with `from = \"scenes\"`";
        problems.push(Problem::new("the workflow publishes nothing", None).hint(hint.to_owned()));
    }
    let split = draft
        .publish
        .as_ref()
        .and_then(|(publish, places)| Some((publish.split.clone()?, places.key("split"))));
    let steps = order(draft.steps, problems)?;
    check_split_source(split, &configs, &steps, problems);
    Some(Workflow {
        root: root.to_owned(),
        name: draft.name?.into_inner(),
        version: draft.version?.into_inner(),
        seed: draft.seed?.into_inner(),
        base: draft.base.map(|base| root.join(base.into_inner())),
        answers: draft.answers.iter().map(|path| root.join(path)).collect(),
        send_private_to: draft.send_private_to,
        decides_beside: false,
        decided: draft.decisions.iter().map(|path| root.join(path)).collect(),
        decisions: Some(Decisions::default().with_rule(draft.review.clone())),
        review: draft.review,
        models: draft.models,
        asking: draft.asking,
        steps,
        configs,
        publish: match draft.publish {
            None if sealed => Publish::new("private", "other", "nothing-is-published"),
            publish => publish?.0,
        },
        lent: Lent::default(),
    })
}

/// Name, version and seed.
fn check_head(draft: &Draft, problems: &mut Vec<Problem>) {
    for (key, example) in [
        ("name", "name = \"my-dataset\""),
        ("version", "version = \"1.0.0\""),
        ("seed", "seed = 2023"),
    ] {
        // Of a file that is not even TOML nothing more can be said.
        if !draft.keys.iter().any(|there| there == key) && (!draft.broken || !draft.keys.is_empty())
        {
            problems.push(
                Problem::new(format!("`{key}` is missing"), None)
                    .hint(format!("write `{example}` at the top")),
            );
        }
    }
    if let Some(name) = &draft.name
        && name.get_ref().parse::<storymill_core::UnitId>().is_err()
    {
        let message = format!("`{}` cannot be a dataset's name", name.get_ref().escape_debug());
        let hint =
            "use 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot: it becomes a folder's name";
        problems.push(Problem::new(message, name.span()).hint(hint.to_owned()));
    }
    if let Some(version) = &draft.version
        && storymill_core::version(version.get_ref()).is_none()
    {
        let message = format!("`{}` is not a version", version.get_ref().escape_debug());
        problems.push(
            Problem::new(message, version.span()).hint("write three numbers: `1.0.0`".to_owned()),
        );
    }
}

fn check_names(steps: &[DraftStep], problems: &mut Vec<Problem>) {
    for (at, step) in steps.iter().enumerate() {
        if steps[..at].iter().any(|other| other.name == step.name) {
            let message = format!("a source and a stage are both called `{}`", step.name);
            problems.push(
                Problem::new(message, step.span.clone()).hint("rename one of them".to_owned()),
            );
        }
    }
}

fn check_edges(steps: &[DraftStep], broken: bool, problems: &mut Vec<Problem>) {
    for step in steps {
        // What is read of partners is named where the unit's own rows are.
        let mut edges = step.kind.options().edges();
        edges.retain(|edge| edge.by.is_none());
        for (at, edge) in edges.iter().enumerate() {
            let nth = edges[..at].iter().filter(|other| other.step == edge.step).count();
            let place = step.places.text(&edge.step, nth).unwrap_or(step.span.clone());
            match steps.iter().find(|other| other.name == edge.step) {
                None if broken => {}
                None => {
                    let message = format!("there is no step `{}`", edge.step);
                    let hint =
                        did_you_mean(&edge.step, steps.iter().map(|step| step.name.as_str()));
                    problems.push(Problem::new(message, place).hint(hint));
                }
                Some(other) => {
                    let made = other.kind.options().record().0;
                    if made != edge.record {
                        let kind = step.kind.options().kind();
                        let message = format!(
                            "`{kind}` reads {} rows here, and `{}` makes {made} rows",
                            edge.record, edge.step
                        );
                        let fit: Vec<_> = steps
                            .iter()
                            .filter(|step| step.kind.options().record().0 == edge.record)
                            .map(|step| format!("`{}`", step.name))
                            .collect();
                        let hint = match fit.len() {
                            0 => format!("add a step that makes {} rows", edge.record),
                            _ => format!("{} rows come from {}", edge.record, fit.join(", ")),
                        };
                        problems.push(Problem::new(message, place).hint(hint));
                    }
                }
            }
        }
    }
}

fn check_options(steps: &[DraftStep], problems: &mut Vec<Problem>) {
    for step in steps {
        for (option, message) in step.kind.options().check() {
            let place = step.places.key(option).unwrap_or(step.span.clone());
            problems.push(Problem::new(format!("`{option}` {message}"), place));
        }
    }
}

fn check_models(draft: &Draft, registry: &Registry, problems: &mut Vec<Problem>) {
    for name in draft.models.keys().filter(|name| registry.locals.contains(*name)) {
        let message = format!("`{name}` is a model that comes with storymill");
        let hint = "call the model of this table otherwise".to_owned();
        problems.push(Problem::new(message, None).hint(hint));
    }
    for step in &draft.steps {
        for model in step.kind.options().models() {
            if draft.models.contains_key(&model) || registry.locals.contains(&model) {
                continue;
            }
            let place = step.places.text(&model, 0).unwrap_or(step.span.clone());
            let known = draft.models.keys().map(String::as_str);
            let hint = did_you_mean(&model, known)
                .unwrap_or_else(|| format!("describe it in a table `[model.{model}]`"));
            let message =
                format!("`{}` asks the model `{model}`, which is not described", step.name);
            problems.push(Problem::new(message, place).hint(hint));
        }
    }
}

fn check_configs(draft: &Draft, registry: &Registry, problems: &mut Vec<Problem>) -> Vec<Config> {
    let mut configs: Vec<Config> = Vec::new();
    for config in &draft.configs {
        problems.extend(shared(&configs, &config.name, config));
        let from = config.from.get_ref();
        let Some(step) = draft.steps.iter().find(|step| step.name == *from) else {
            if !draft.broken {
                let hint = did_you_mean(from, draft.steps.iter().map(|step| step.name.as_str()));
                problems.push(
                    Problem::new(format!("there is no step `{from}`"), config.from.span())
                        .hint(hint),
                );
            }
            continue;
        };
        let record = step.kind.options().record().0;
        if registry.tables.contains(record) {
            configs.push(Config { name: config.name.clone(), from: from.clone(), record });
            if record == Book::NAME {
                let texts = BookText::beside(&config.name);
                problems.extend(shared(&configs, &texts, config));
                configs.push(Config { name: texts, from: from.clone(), record: BookText::NAME });
            }
        } else {
            let message =
                format!("`{from}` makes {record} rows, which cannot be published as a table");
            let tables: Vec<_> = registry.tables.iter().map(|name| format!("`{name}`")).collect();
            problems.push(
                Problem::new(message, config.from.span())
                    .hint(format!("tables: {}", tables.join(", "))),
            );
        }
    }
    configs
}

/// The problem of a table whose name another one has. Names become folders, and some disks do not tell large letters from
/// small ones.
fn shared(configs: &[Config], name: &str, config: &DraftConfig) -> Option<Problem> {
    let other = configs.iter().find(|other| other.name.eq_ignore_ascii_case(name))?;
    let message = match [other.record == BookText::NAME, name != config.name] {
        [false, false] => format!("`{}` and `{name}` would share a folder", other.name),
        [true, _] => {
            format!("`{}` holds the texts of books, so `{name}` needs another name", other.name)
        }
        [_, true] => format!(
            "`{name}` holds the texts of `{}`, so `{}` needs another name",
            config.name, other.name
        ),
    };
    Some(Problem::new(message, config.span.clone()).hint("rename one of them".to_owned()))
}

fn check_publish(draft: &Draft, problems: &mut Vec<Problem>) {
    let Some((publish, places)) = &draft.publish else {
        if !draft.keys.iter().any(|key| key == "publish")
            && (!draft.broken || !draft.keys.is_empty())
        {
            let hint =
                "add `[publish]` with `title`, `license` and `canary`; `storymill init` writes one";
            problems.push(Problem::new("`[publish]` is missing", None).hint(hint.to_owned()));
        }
        return;
    };
    if publish.canary.len() < 16 {
        let message = "`canary` must have at least 16 letters, so that it can be found again";
        problems.push(
            Problem::new(message, places.key("canary"))
                .hint("`storymill init` mints one".to_owned()),
        );
    }
    for (key, value) in [("license", &publish.license), ("canary", &publish.canary)] {
        if value.is_empty() || value.contains(|c: char| c.is_whitespace() || c.is_control()) {
            let hint = "join the words with `-`: `cc-by-4.0`".to_owned();
            problems.push(
                Problem::new(format!("`{key}` must be one word"), places.key(key)).hint(hint),
            );
        }
    }
    let taken = draft.configs.iter().find(|config| config.name.eq_ignore_ascii_case(VOTES));
    if let Some(config) = taken.filter(|_| publish.votes) {
        let message = format!(
            "the table `{VOTES}` holds what people decided, so no config can have its name"
        );
        let hint = "give it another name, or write `votes = false` in `[publish]`".to_owned();
        problems.push(Problem::new(message, config.from.span()).hint(hint));
    }
    let Some(split) = &publish.split else { return };
    let place = places.key("split");
    match draft.steps.iter().find(|step| step.name == *split) {
        None if draft.broken => {}
        None => {
            let hint = did_you_mean(split, draft.steps.iter().map(|step| step.name.as_str()));
            problems.push(Problem::new(format!("there is no step `{split}`"), place).hint(hint));
        }
        Some(step) if step.kind.options().record().0 != Split::NAME => {
            let message = format!(
                "`split` must name a corpus stage on splits, and `{split}` makes {} rows",
                step.kind.options().record().0
            );
            problems
                .push(Problem::new(message, place).hint("add `[stage.splits.split]`".to_owned()));
        }
        Some(_) => {}
    }
}

/// Every published unit has to have a split. Labelled retellings that measure a judge are of no book: these are published
/// as `test`, whatever is ruled on books.
fn check_split_source(
    split: Option<(String, Option<std::ops::Range<usize>>)>,
    configs: &[Config],
    steps: &[Step],
    problems: &mut Vec<Problem>,
) {
    let source =
        |name: &str| steps.iter().find(|step| step.name == name).map(|step| step.source.as_str());
    let Some((split, place)) = split else { return };
    for config in configs.iter().filter(|config| config.record != Judgement::NAME) {
        if source(&config.from) != source(&split) {
            let message = format!(
                "`{split}` rules on the units of another source than `{}` publishes",
                config.name
            );
            let hint = "publish one source with splits, or leave out `split`".to_owned();
            problems.push(Problem::new(message, place.clone()).hint(hint));
        }
    }
}

/// Puts each step after those it reads from, and finds the source it works on.
fn order(drafts: Vec<DraftStep>, problems: &mut Vec<Problem>) -> Option<Vec<Step>> {
    let mut waiting = drafts;
    let mut steps: Vec<Step> = Vec::new();
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    loop {
        let ready = waiting.iter().position(|step| {
            step.kind.options().edges().iter().all(|edge| sources.contains_key(&edge.step))
        });
        let Some(at) = ready else { break };
        let DraftStep { name, span, kind, .. } = waiting.remove(at);
        let read: Vec<_> =
            kind.options().edges().iter().map(|edge| sources[&edge.step].clone()).collect();
        if let Some(other) = read.iter().find(|source| **source != read[0]) {
            let message = format!("`{name}` reads from two sources, `{}` and `{other}`", read[0]);
            problems.push(
                Problem::new(message, span)
                    .hint("a step works on the units of one source".to_owned()),
            );
        }
        let source = match (&kind, read.into_iter().next()) {
            (StepKind::Source(_), _) | (_, None) => name.clone(),
            (_, Some(source)) => source,
        };
        sources.insert(name.clone(), source.clone());
        steps.push(Step { name, kind, source });
    }
    report_circle(&waiting, problems);
    waiting.is_empty().then_some(steps)
}

/// Steps that never become ready wait for each other, or for a step that is not there.
fn report_circle(waiting: &[DraftStep], problems: &mut Vec<Problem>) {
    let Some(first) = waiting.first() else { return };
    let mut path = vec![first];
    loop {
        let last = path[path.len() - 1];
        let edges = last.kind.options().edges();
        let next = edges.iter().find_map(|edge| waiting.iter().find(|step| step.name == edge.step));
        let Some(next) = next else { return };
        if let Some(at) = path.iter().position(|step| step.name == next.name) {
            let names: Vec<_> =
                path[at..].iter().chain([&next]).map(|step| format!("`{}`", step.name)).collect();
            let message =
                format!("these steps read from each other in a circle: {}", names.join(" reads "));
            problems.push(Problem::new(message, next.span.clone()));
            return;
        }
        path.push(next);
    }
}
