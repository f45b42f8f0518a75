//! A private dataset put to a model: workflow, answers, grades and report stay in its shelf.

use std::{io::Write, path::PathBuf, sync::Arc};

use storymill::{BuildOptions, Evaluation, Project, SEALED_RESULTS, Workspace};

use super::{compared, shown, times};
use crate::{
    args::{Format, evaluate::Evaluate},
    commands::{bill, report_page},
    exit::{DONE, EMPTY, Exit, Failure, REJECTS},
    private::{Sealed, inside},
    progress::Progress,
    report,
    session::Session,
    table::plural,
};

pub(super) fn run(
    args: &Evaluate,
    evaluation: &Evaluation,
    sealed: &Sealed,
    session: &Session,
) -> Result<Exit, Failure> {
    // The workflow is in no folder, so its paths count from here.
    let written = evaluation.written(|_| PathBuf::from("."))?;
    let name = &written.name;
    let file = sealed.keep(&format!("{name}.toml"), written.text.as_bytes())?;
    let project = Project::of_text(&file, &written.text, Arc::clone(&session.registry))?
        .with_surroundings(session.surroundings.clone())
        .in_workspace(Workspace::shelf(Arc::clone(&sealed.shelf)))?;
    let models = args.models.options()?;
    if evaluation.model.is_some() {
        let asked = project.ready(&models)?.bill()?;
        bill::show(&asked, &mut crate::screen::out(), None)?;
        bill::warn_unpriced(&asked, &args.models);
    }
    if args.plan {
        shown::unasked(evaluation, args.format)?;
        return Ok(DONE);
    }
    session.stop_on_signals()?;
    let progress = Arc::new(Progress::new(args.message_format));
    let project = project.told_to(Arc::clone(&progress) as _);
    let out = Some(inside(SEALED_RESULTS).join(name));
    let built = project.build(&BuildOptions { out, models, ..BuildOptions::default() });
    progress.finish();
    let built = built?;
    let Some(dataset) = &built.dataset else {
        report::say("nothing is kept: no question of these was answered");
        report::say(shown::left_out(&built).unwrap_or_default());
        return Ok(EMPTY);
    };
    let mut screen = crate::screen::out();
    let grades = dataset.rows("grades")?;
    if args.format == Format::Json {
        super::super::json(&shown::json(&grades, &built))?;
    } else {
        let units = plural(written.units as u64, "unit");
        writeln!(screen, "\n{units} of {}", args.dataset.display())?;
        shown::show(&grades, &built, args.wordnet.is_some(), &mut screen)?;
    }
    let times = times(&project, args, &grades)?;
    sealed.keep(&format!("{name}{}", report_page::TIMES), times.as_bytes())?;
    let options = compared(&evaluation.dataset, &grades)?;
    let (_, html) = report_page::page(std::slice::from_ref(dataset.site()), options)?;
    sealed.keep(&format!("{name}.html"), html.as_bytes())?;
    report::say(format!(
        "`{name}` in the shelf holds answers, grades and a report; `storymill report {name} --shelf DIR --clear FILE` writes the report into a file"
    ));
    Ok(if built.unexpected_rejects() > 0 { REJECTS } else { DONE })
}
