//! `storymill explain`: exit codes, the kinds of sources and stages with their options, and where an
//! item of a dataset comes from.

use std::io::Write;

use clap::CommandFactory as _;
use serde_json::{Value, json};
use storymill::Origin;
use storymill_core::{UnitId, nearest};
use storymill_dataset::audit::Measure;

use crate::{
    args::{self, Args, Format, shared},
    exit::{self, DONE, Exit, Failure},
    session::Session,
    table::{Table, plain, prose},
};

pub(crate) fn run(args: &args::Explain, session: &Session) -> Result<Exit, Failure> {
    let Some(topic) = args.topic.as_deref() else { return topics(args.format, session) };
    if let Ok(code) = topic.parse::<u8>() {
        let known = exit::ALL.iter().filter(|exit| exit.code == code).collect::<Vec<_>>();
        if known.is_empty() {
            return Err(Failure::Usage(format!(
                "storymill never exits with {code}; see `storymill explain exit-codes`"
            )));
        }
        return exits(&known, args.format);
    }
    if topic.contains('/') {
        return item(topic, args, session);
    }
    if topic == shared::TOPIC {
        return options(args.format);
    }
    if topic == "exit-codes" {
        return exits(&exit::ALL.iter().collect::<Vec<_>>(), args.format);
    }
    match Measure::ALL.into_iter().find(|measure| measure.name() == topic) {
        Some(measure) => explained(measure, args.format),
        None => kind(topic, args.format, session),
    }
}

/// Everything that has an explanation.
fn topics(format: Format, session: &Session) -> Result<Exit, Failure> {
    let kinds = session.registry.kinds();
    let sorted = |names: Vec<&str>| {
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    let all = [
        ("sources", sorted(kinds.source_kinds().collect())),
        ("stages", sorted(kinds.stage_kinds().collect())),
        ("measures of `audit`", Measure::ALL.map(|measure| measure.name().to_owned()).to_vec()),
        ("exit codes", exit::ALL.iter().map(|exit| exit.code.to_string()).collect()),
        ("shared options", vec![shared::TOPIC.to_owned()]),
    ];
    if format == Format::Json {
        let all = all.map(|(what, names)| json!({ "what": what, "topics": names }));
        return super::json(&all);
    }
    let mut out = crate::screen::out();
    for (what, names) in all {
        writeln!(out, "{what}\n{}\n", prose(&format!("  {}", names.join(", "))))?;
    }
    writeln!(
        out,
        "and each item of a dataset: `storymill explain 84/0040/lookahead --workflow my.toml`"
    )?;
    Ok(DONE)
}

/// The options that many commands take.
fn options(format: Format) -> Result<Exit, Failure> {
    let program = Args::command();
    if format == Format::Json {
        let one =
            |arg: &clap::Arg| json!({ "option": arg.get_long(), "about": shared::meaning(arg) });
        return super::json(&shared::all(&program).into_iter().map(one).collect::<Vec<_>>());
    }
    let mut out = crate::screen::out();
    writeln!(out, "These mean the same in every command whose help names them.\n")?;
    let mut table = Table::new(&["option", "what it does"]);
    for arg in shared::all(&program) {
        table.row([shared::typed(arg), shared::meaning(arg)]);
    }
    write!(out, "{table}")?;
    Ok(DONE)
}

/// What a measure of the audit does.
fn explained(measure: Measure, format: Format) -> Result<Exit, Failure> {
    let without_book = measure.is_without_book();
    if format == Format::Json {
        let (name, about) = (measure.name(), measure.about());
        return super::json(
            &json!({ "measure": name, "about": about, "without_book": without_book }),
        );
    }
    let book = if without_book { ", without the book" } else { "" };
    let line =
        format!("{}: a measure of `storymill audit`{book}: {}", measure.name(), measure.about());
    writeln!(crate::screen::out(), "{}", prose(&line))?;
    Ok(DONE)
}

fn exits(exits: &[&Exit], format: Format) -> Result<Exit, Failure> {
    if format == Format::Json {
        let rows: Vec<_> = exits
            .iter()
            .map(|e| json!({ "code": e.code, "word": e.word, "since": e.since, "meaning": e.meaning }))
            .collect();
        return super::json(&rows);
    }
    let mut table = Table::new(&[">code", "word", "since", "meaning"]);
    for exit in exits {
        table.row([
            exit.code.to_string(),
            exit.word.to_owned(),
            exit.since.to_owned(),
            exit.meaning.to_owned(),
        ]);
    }
    write!(crate::screen::out(), "{table}")?;
    Ok(DONE)
}

/// A kind is explained from the schema of its options, which is made from their docs.
fn kind(topic: &str, format: Format, session: &Session) -> Result<Exit, Failure> {
    let registry = session.registry.kinds();
    let schema = registry.schema();
    let found = ["source", "stage"].into_iter().find_map(|what| {
        let kind = &schema["properties"][what]["additionalProperties"]["properties"][topic];
        (!kind.is_null()).then(|| (what, resolve(&schema, kind)))
    });
    let Some((what, options)) = found else {
        let known = registry.source_kinds().chain(registry.stage_kinds()).chain(["exit-codes"]);
        let hint = match nearest(topic, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`storymill explain` lists what is".to_owned(),
        };
        let message = format!("nothing is called `{topic}`; {hint}");
        return Err(Failure::Usage(message));
    };
    if format == Format::Json {
        return super::json(options);
    }
    let mut out = crate::screen::out();
    writeln!(out, "{topic}: a kind of {what}\n")?;
    if let Some(description) = options["description"].as_str() {
        writeln!(out, "{}\n", prose(description))?;
    }
    writeln!(out, "[{what}.NAME.{topic}]")?;
    let required: Vec<_> =
        options["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut table = Table::new(&["option", "default", "what it is"]);
    for (name, option) in options["properties"].as_object().into_iter().flatten() {
        let default = match option.get("default") {
            Some(Value::Null) | None if required.contains(&name.as_str()) => "required".to_owned(),
            Some(Value::Null) | None => "none".to_owned(),
            Some(default) => default.to_string(),
        };
        let description =
            option["description"].as_str().or(resolve(&schema, option)["description"].as_str());
        table.row([
            name.clone(),
            default,
            description.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
        ]);
    }
    write!(out, "{table}")?;
    Ok(DONE)
}

/// Follows a `$ref` into the schema's definitions.
fn resolve<'s>(schema: &'s Value, value: &'s Value) -> &'s Value {
    let reference = value["$ref"].as_str().or(value["allOf"][0]["$ref"].as_str());
    reference
        .and_then(|reference| schema.pointer(reference.trim_start_matches('#')))
        .unwrap_or(value)
}

/// Where an item comes from, back to the bytes of its page.
fn item(item: &str, args: &args::Explain, session: &Session) -> Result<Exit, Failure> {
    let Some(workflow) = &args.workflow else {
        let message =
            format!("`{item}` is explained from the workflow that made it: add `--workflow FILE`");
        return Err(Failure::Usage(message));
    };
    item.split('/')
        .next()
        .unwrap_or_default()
        .parse::<UnitId>()
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let project = session.project(workflow)?.in_store(&args.store)?;
    let origins = project.inventory(args.answers.as_deref(), None)?.origins(item)?;
    if args.format == Format::Json {
        return super::json(&origins);
    }
    let mut out = crate::screen::out();
    origins.iter().try_for_each(|origin| show(&mut out, origin, 0))?;
    Ok(DONE)
}

fn show(out: &mut impl Write, origin: &Origin, depth: usize) -> std::io::Result<()> {
    let indent = "  ".repeat(depth);
    let Origin { what, id, step, kind, facts, bytes: _, from } = origin;
    writeln!(out, "{indent}{what} {}  (`{step}`, {kind})", plain(id))?;
    for (name, value) in facts {
        writeln!(out, "{indent}    {name}: {}", plain(value))?;
    }
    from.iter().try_for_each(|origin| show(out, origin, depth + 1))
}
