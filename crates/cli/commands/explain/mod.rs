//! `storymill explain`: commands, exit codes, the kinds of sources and stages with their options, measures of the audit, why items have
//! no row, and where an item of a dataset comes from.

mod reasons;

use std::io::Write;

use clap::CommandFactory as _;
use serde_json::{Value, json};
use storymill::Origin;
use storymill_core::{UnitId, nearest};
use storymill_dataset::audit::Measure;

use crate::{
    args::{self, Args, Format, groups::GROUPS, shared},
    exit::{self, DONE, Exit, Failure},
    session::Session,
    table::{Table, plain, prose},
};

/// What lists every command.
const COMMANDS: &str = "commands";
/// What lists every exit code.
const EXIT_CODES: &str = "exit-codes";

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
    if topic == COMMANDS {
        return commands(args.format);
    }
    if topic == EXIT_CODES {
        return exits(&exit::ALL.iter().collect::<Vec<_>>(), args.format);
    }
    if let Some(meaning) = reasons::of(topic) {
        return reason(topic, meaning, args.format);
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
        ("reasons why an item has no row", sorted(reasons::all().map(|(code, _)| code).collect())),
        ("exit codes", exit::ALL.iter().map(|exit| exit.code.to_string()).collect()),
        ("lists", [COMMANDS, shared::TOPIC, EXIT_CODES].map(str::to_owned).to_vec()),
    ];
    if format == Format::Json {
        let all = all.map(|(what, names)| json!({ "what": what, "topics": names }));
        return super::json(&all);
    }
    let mut out = crate::screen::out();
    for (what, names) in all {
        writeln!(out, "{what}\n{}\n", prose(&format!("  {}", names.join(", "))))?;
    }
    let items = "and each item of a dataset: `storymill explain ID --workflow WORKFLOW`";
    writeln!(out, "{}", prose(items))?;
    Ok(DONE)
}

/// Why items have no row.
fn reason(code: &str, meaning: &str, format: Format) -> Result<Exit, Failure> {
    if format == Format::Json {
        return super::json(&json!({ "reason": code, "meaning": meaning }));
    }
    let line = format!("{code}: why an item has no row: {meaning}");
    writeln!(crate::screen::out(), "{}", prose(&line))?;
    Ok(DONE)
}

/// Every command, by what it is for.
fn commands(format: Format) -> Result<Exit, Failure> {
    let program = Args::command();
    let of = |names: &'static str| {
        let names = names.split(' ').filter_map(|name| program.find_subcommand(name));
        let about = |one: &clap::Command| one.get_about().map(ToString::to_string);
        names.map(move |one| (one.get_name(), about(one).unwrap_or_default())).collect::<Vec<_>>()
    };
    let groups = GROUPS.iter().map(|(group, names)| (group, of(names)));
    if format == Format::Json {
        let one = |group: &str, (name, about): (&str, String)| json!({ "group": group, "command": name, "about": about });
        let all =
            groups.flat_map(|(group, all)| all.into_iter().map(move |found| one(group, found)));
        return super::json(&all.collect::<Vec<_>>());
    }
    let mut table = Table::new(&["group", "command", "what it does"]);
    for (group, all) in groups {
        for (at, (name, about)) in all.into_iter().enumerate() {
            let group = if at == 0 { *group } else { "" };
            table.row([group.to_owned(), name.to_owned(), about]);
        }
    }
    write!(crate::screen::out(), "{table}")?;
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
        let measures = Measure::ALL.map(Measure::name);
        let known = registry.source_kinds().chain(registry.stage_kinds()).chain(measures);
        let known = known.chain(reasons::all().map(|(code, _)| code));
        let known = known.chain([EXIT_CODES, COMMANDS, shared::TOPIC]);
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
            Some(Value::Object(_)) => "a table".to_owned(),
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
