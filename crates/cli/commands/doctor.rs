//! `storymill doctor`: what the endpoints of a workflow's models can do.

use std::{collections::BTreeMap, io::Write, time::Duration};

use serde_json::json;
use storymill::{Surroundings, configs};
use storymill_core::did_you_mean;
use storymill_llm::{
    Described, ModelConfig,
    doctor::{self, Verdict},
};

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, MODEL},
    novel,
    session::Session,
    table::Table,
};

pub(crate) fn run(args: &args::Doctor, session: &Session) -> Result<Exit, Failure> {
    session.stop_on_signals()?;
    let mut models = models(args, session)?;
    let Surroundings { environment, stop, .. } = &session.surroundings;
    let wires = session.registry.wires();
    if let Some(wanted) = &args.model {
        let known: Vec<_> = models.keys().cloned().collect();
        models.retain(|name, _| name == wanted);
        if models.is_empty() {
            let hint = did_you_mean(wanted, known.iter().map(String::as_str)).unwrap_or_default();
            let message = format!("the file has no model `{wanted}`; {hint}");
            return Err(Failure::Usage(message));
        }
    }
    if models.is_empty() {
        return Err(Failure::Usage("the file has no models: there is nothing to check".to_owned()));
    }
    let mut works = true;
    let mut found = Vec::new();
    for (name, config) in &models {
        if let Some(seconds) = args.wait_ready {
            doctor::wait_ready(config, wires, &**environment, Duration::from_secs(seconds), stop)?;
        }
        let diagnosis = doctor::doctor(config, wires, &**environment, args.overflow, stop)?;
        works &= diagnosis.works();
        found.push((name, diagnosis));
    }
    if args.format == Format::Json {
        let rows: Vec<_> = found
            .iter()
            .map(|(name, diagnosis)| json!({ "model": name, "endpoint": diagnosis.endpoint, "works": diagnosis.works(), "checks": diagnosis.checks }))
            .collect();
        super::json(&rows)?;
    } else {
        let mut out = crate::screen::out();
        for (name, diagnosis) in &found {
            writeln!(out, "{name} at {}", diagnosis.endpoint)?;
            let mut table = Table::new(&["check", "", "what was found"]);
            for check in &diagnosis.checks {
                let verdict = match check.verdict {
                    Verdict::Good => "good",
                    Verdict::Odd => "odd",
                    Verdict::Bad => "bad",
                };
                table.row([check.name.to_owned(), verdict.to_owned(), check.detail.clone()]);
            }
            write!(out, "{table}")?;
        }
    }
    Ok(if works { DONE } else { MODEL })
}

/// The models of a workflow, or of a file that only describes models.
fn models(
    args: &args::Doctor,
    session: &Session,
) -> Result<BTreeMap<String, ModelConfig>, Failure> {
    let file = &args.workflow;
    let text = novel::text(file)?;
    let has_sources = text.lines().any(|line| line.trim_start().starts_with("[source"));
    if has_sources {
        return Ok(configs(session.project(file)?.workflow())?);
    }
    let described = Described::parse(&text, session.registry.wires(), args.model.as_deref());
    Ok(described.map_err(|fault| fault.at(file))?.model)
}
