//! `storymill evaluate`: writes the workflow that puts a published dataset to a model, shows what it asks, runs it,
//! says what came of it.

mod gate;
mod private;
mod readers;
mod shown;

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use storymill::{
    BuildOptions, Built, Claims, Dataset, Evaluation, FORM, FaultKind, Project, Subject, Took,
};
use storymill_core::{Encoding, Fault, did_you_mean};
use storymill_dataset::exams::Wanted;
use storymill_llm::{Described, ModelConfig, wire::Wires};
use storymill_report::Options;
use storymill_shelf::{Access, sets::Sets};

use gate::Verdict;

use super::{books, claims::warn_of_past, plan, report_page};
use crate::{
    args::{Format, evaluate::Evaluate},
    calendar::today,
    exit::{DONE, EMPTY, Exit, Failure, REJECTS},
    next::Next,
    novel,
    private::Sealed,
    progress::Progress,
    report,
    session::{STORE, Session},
    table::{prose, typed},
    tokenizer, whole_file,
};

/// The model that is asked if nobody names one.
const DEFAULT: &str = "default";

/// Where results go if nobody says.
const RESULTS: &str = "results";

pub(crate) fn run(args: &Evaluate, session: &Session) -> Result<Exit, Failure> {
    let readers = readers::named(args)?;
    let reads = !readers.is_empty();
    let asks = !args.baselines && args.responses.is_none() && !reads;
    let model = asks.then(|| model(args, session.registry.wires())).transpose()?;
    let sealed = Sealed::named(&args.on, Access::Change)?;
    let of = subject(&args.dataset, sealed.as_ref())?;
    let store = Session::store(&args.dataset, &args.store);
    let wanted = wanted(args, &of)?;
    let form = args.form.clone().or_else(|| of.is_claims().then(|| FORM.to_owned()));
    let encoding = encoding(&args.tokenizer)?;
    let evaluation = Evaluation {
        of,
        readers,
        responses: args.responses.clone(),
        form: form.filter(|_| asks),
        unexposed: args.unexposed.clone(),
        story: args.story,
        book_order: args.book_order,
        wanted,
        model,
        model_name: Some(args.model.clone()).filter(|name| name != DEFAULT),
        settings: settings(args),
        window: args.window,
        too_long: args.window.map(|_| args.too_long.word().to_owned()),
        tokens: encoding,
        tokenizer: Some(PathBuf::from(&args.tokenizer)).filter(|_| encoding.is_none()),
        per_request: args.per_request,
        max_tokens: args.max_tokens,
        prompt: args.prompt.clone(),
        wordnet: args.wordnet.clone(),
        send_private_to: args.send_private_to.clone(),
        answers: Vec::new(),
        store: Some(store.clone()).filter(|store| store != Path::new(STORE)),
    };
    if let Some(claims) = evaluation.claims()? {
        warn_of_past(&claims.past(&today()));
    }
    if let Some(sealed) = &sealed {
        return private::run(args, &evaluation, sealed, session);
    }
    let out = |name: &str| args.out.clone().unwrap_or_else(|| Path::new(RESULTS).join(name));
    let written = evaluation.written(out)?;
    let out = out(&written.name);
    let beside = whole_file::folder(&out);
    let file = beside.join(file_name(&out, "toml"));
    write(&file, &written.text)?;
    if (asks || reads) && (args.plan || args.format == Format::Text) {
        let next = Next::of(&file, &store).with_out(Some(&out));
        plan::show(next, true, None, &args.models, args.format, session)?;
    }
    if args.plan || args.window.is_some() {
        shown::unasked(&evaluation, args.format)?;
    }
    if args.plan {
        report::say(format!("the workflow is {}", file.display()));
        return Ok(DONE);
    }
    session.stop_on_signals()?;
    let project = session.project(&file)?.in_store(&store)?;
    let progress = Arc::new(Progress::new(args.message_format));
    let project = project.told_to(Arc::clone(&progress) as _);
    let before = answers_in(&out);
    let built = project.build(&BuildOptions {
        out: Some(out.clone()),
        models: readers::options(args)?,
        ..BuildOptions::default()
    });
    progress.finish();
    let built = built?;
    let Some(dataset) = &built.dataset else {
        report::say(match &args.responses {
            Some(_) => "nothing is published: no answer is to a pair that the set has",
            None => "nothing is published: no question of these was answered",
        });
        report::say(shown::left_out(&built).unwrap_or_default());
        return Ok(EMPTY);
    };
    let grades = dataset.rows("grades")?;
    let page = beside.join(file_name(&out, "html"));
    let times = times(&project, args, &grades)?;
    let path = report_page::beside(dataset.site(), report_page::TIMES);
    report_page::write(path.path(), times.as_bytes())?;
    let results = std::slice::from_ref(dataset.site());
    let prices = report_page::priced(args.models.prices.as_deref())?;
    let untitled = Options { title: String::new(), prices, ..Options::default() };
    let (figures, html) = report_page::page(results, &[], untitled)?;
    report_page::write(&page, html.as_bytes())?;
    let gate = Verdict::of(args, &figures, &grades);
    if reads {
        readers::failures(&dataset.rows("answers")?);
    }
    let now = answers_in(&out);
    let gone = before.difference(&now).count();
    if gone > 0 {
        report::say(format!(
            "note: {} held {} answers and now holds {}; {gone} of before are not among them. All are in the log: what asked them \
             brings them back and asks nobody; `--out` keeps results apart",
            out.display(),
            before.len(),
            now.len()
        ));
    }
    let rest = shown::Rest::of(&evaluation, &project, args.models.answers.as_deref())?;
    let mut screen = crate::screen::out();
    if args.format == Format::Json {
        let mut all = shown::json(&grades, &built);
        if let Some(rest) = &rest {
            rest.add(&mut all);
        }
        for (name, path) in [("results", &out), ("workflow", &file), ("report", &page)] {
            all[name] = path.display().to_string().into();
        }
        if let Some(gate) = &gate {
            gate.add(&mut all);
        }
        super::json(&all)?;
    } else {
        shown::head(&grades, written.units, args, &mut screen)?;
        shown::show(&grades, &built, args.wordnet.is_some(), &mut screen)?;
        rest.iter().try_for_each(|rest| rest.say(&mut screen))?;
        let (out, file) = (out.display(), file.display());
        let place = format!("{out} holds answers and grades; {file} is the workflow");
        writeln!(screen, "\n{}", prose(&place))?;
        let report =
            format!("{} is the report; `storymill report` joins several results", typed(&page));
        writeln!(screen, "{}", prose(&report))?;
    }
    ended(gate.as_ref(), args.format, &built)
}

/// Which questions are asked.
fn wanted(args: &Evaluate, of: &Subject) -> Result<Wanted, Failure> {
    let wanted = Wanted {
        configs: args.config.clone(),
        splits: args.split.clone(),
        filter: filter(args),
        questions: args.questions.or(args.smoke.then_some(gate::QUESTIONS)),
        stratify: args.stratify.clone(),
    };
    let chosen = [!args.config.is_empty(), !args.split.is_empty()];
    let chosen = chosen.contains(&true) || wanted.filter.is_some() || args.stratify.is_some();
    let Subject::Dataset(dataset) = of else {
        if chosen {
            let message = "a set of claims has no configs, splits or columns to choose by";
            return Err(Failure::Usage(message.to_owned()));
        }
        return Ok(wanted);
    };
    if let (Some(mistakes), Some(text)) = (wanted.mistakes(dataset)?, &wanted.filter) {
        return Err(books::drawn(mistakes, text));
    }
    Ok(wanted)
}

/// How the command ends: with its gate, if it has one that is not passed.
fn ended(gate: Option<&Verdict>, format: Format, built: &Built) -> Result<Exit, Failure> {
    let stopped = gate.map(|gate| gate.say(format)).transpose()?.flatten();
    let built = if built.unexpected_rejects() > 0 { REJECTS } else { DONE };
    Ok(stopped.unwrap_or(built))
}

/// The tests that questions must pass.
fn filter(args: &Evaluate) -> Option<String> {
    match &args.filter {
        Some(typed) if args.smoke => Some(format!("{typed} and {}", gate::EASY)),
        None if args.smoke => Some(gate::EASY.to_owned()),
        typed => typed.clone(),
    }
}

/// What is shown, each in turn.
fn settings(args: &Evaluate) -> Vec<String> {
    if args.smoke {
        return vec![gate::SHOWN.to_owned()];
    }
    args.setting.iter().map(ToString::to_string).collect()
}

/// What is asked: a set of claims, else a dataset or release.
fn subject(named: &Path, sealed: Option<&Sealed>) -> Result<Subject, Fault> {
    let Some(sealed) = sealed else {
        return Ok(if Claims::are_in(named) {
            Subject::ClaimFolder(named.to_owned())
        } else {
            Subject::Dataset(named.into())
        });
    };
    let name = named.to_string_lossy().into_owned();
    if Sets(&sealed.shelf).names().contains(&name) {
        return Ok(Subject::ClaimShelf(Arc::clone(&sealed.shelf), name));
    }
    sealed.find(named).map(Subject::Dataset)
}

/// How long answers took, a line each. What the log does not know is left out.
fn times(project: &Project, args: &Evaluate, grades: &[Value]) -> Result<String, Fault> {
    let took = project.took(args.models.answers.as_deref(), grades)?;
    let line = |one: &Took| serde_json::to_string(one).map(|line| line + "\n");
    took.iter()
        .map(line)
        .collect::<Result<_, _>>()
        .map_err(|error| Fault::new(FaultKind::Internal, "the times cannot be JSON").because(error))
}

/// The answers that a folder of results holds, by id.
fn answers_in(out: &Path) -> BTreeSet<String> {
    let rows = Dataset::open(out).and_then(|results| results.rows("answers")).unwrap_or_default();
    rows.iter().filter_map(|row| row["answer_id"].as_str()).map(str::to_owned).collect()
}

/// The encoding of this name; none if it is a file.
fn encoding(named: &str) -> Result<Option<Encoding>, Fault> {
    if let Ok(encoding) = named.parse() {
        return Ok(Some(encoding));
    }
    if Path::new(named).is_file() {
        return Ok(None);
    }
    let fault = Fault::new(FaultKind::Input, "there is no such encoding, and no such file");
    Err(fault.at(named).hint(tokenizer::meant(named)))
}

/// The model that answers.
fn model(args: &Evaluate, wires: &Wires) -> Result<ModelConfig, Failure> {
    let hint_of_table = format!(
        "write a table `[model.{}]` with `url` and `model`, and name its file with `--models`; \
        or `--baselines`, which ask no model",
        args.model
    );
    if !args.models_file.exists() {
        let fault = Fault::new(FaultKind::Input, "no file describes the model");
        let hint = match described_here(&args.model, wires) {
            Some(file) => format!("{} describes it: `--models {}`", file.display(), typed(&file)),
            None => hint_of_table,
        };
        return Err(fault.at(&args.models_file).hint(hint).into());
    }
    let text = novel::text(&args.models_file)?;
    let described = Described::parse(&text, wires, Some(&args.model))
        .map_err(|fault| fault.at(&args.models_file))?;
    described.model.get(&args.model).cloned().ok_or_else(|| {
        let message = format!("no model `{}` is described here", args.model);
        let known = described.model.keys().map(String::as_str);
        let hint = did_you_mean(&args.model, known);
        let hint = hint.map_or(hint_of_table, |known| format!("{known}; `--model` names it"));
        Fault::new(FaultKind::Input, message).at(&args.models_file).hint(hint).into()
    })
}

/// A file where we are, or in a folder below, that describes a model of this name: a workflow does.
fn described_here(name: &str, wires: &Wires) -> Option<PathBuf> {
    let toml = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let here = toml(Path::new("."));
    let below = here.iter().filter(|path| path.is_dir()).flat_map(|path| toml(path));
    let mut files = here
        .iter()
        .cloned()
        .chain(below)
        .filter(|path| path.extension().is_some_and(|end| end == "toml") && path.is_file());
    let found = files.find(|file| {
        let text = storymill_disk::read_text(file, storymill_disk::most::WORKFLOW);
        let text = text.unwrap_or_default();
        Described::parse(&text, wires, Some(name))
            .is_ok_and(|described| described.model.contains_key(name))
    })?;
    Some(found.strip_prefix(".").map_or(found.clone(), Path::to_owned))
}

/// A file beside a folder that has its name: `NAME.toml`.
fn file_name(out: &Path, extension: &str) -> String {
    let name = out.file_name().map_or_else(|| "results".into(), |name| name.to_string_lossy());
    format!("{name}.{extension}")
}

/// Writes a file that is there whole or not at all; one that says the same is left.
fn write(file: &Path, text: &str) -> Result<(), Fault> {
    if std::fs::read_to_string(file).is_ok_and(|there| there == text) {
        return Ok(());
    }
    whole_file::write(file, text.as_bytes())
        .map_err(|error| Fault::io("cannot write the workflow", file, error))
}
