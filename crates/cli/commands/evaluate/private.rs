//! A private dataset put to a model: workflow, answers, grades and report stay in its shelf.

use std::{path::PathBuf, sync::Arc};

use storymill::{BuildOptions, Evaluation, Project, SEALED_RESULTS, Workspace};
use storymill_report::Options;

use super::{ended, gate::Verdict, shown, times};
use crate::{
    args::{Format, evaluate::Evaluate},
    commands::{bill, report_page},
    exit::{DONE, EMPTY, Exit, Failure},
    next::on_shelf,
    private::{Sealed, inside},
    progress::Progress,
    report,
    session::Session,
};

pub(super) fn run(
    args: &Evaluate,
    evaluation: &Evaluation,
    sealed: &Sealed,
    session: &Session,
) -> Result<Exit, Failure> {
    // The workflow is in no folder, so its paths count from here.
    let written = evaluation.written(|name| PathBuf::from(name))?;
    let name = &written.name;
    let file = sealed.keep(&format!("{name}.toml"), written.text.as_bytes())?;
    let project =
        Project::of_text(&file, &written.text, Arc::clone(&session.registry), &*sealed.disk)?
            .with_surroundings(session.surroundings.clone())
            .in_workspace(Workspace::shelf(Arc::clone(&sealed.shelf)))?;
    let models = args.models.options()?;
    if evaluation.model.is_some() {
        let asked = project.ready(&models)?.bill()?;
        bill::show(&asked, &mut crate::screen::out(), None)?;
        bill::warn_unpriced(&asked, &args.models);
    }
    if args.plan || args.window.is_some() {
        shown::unasked(evaluation, args.format)?;
    }
    if args.plan {
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
    let times = times(&project, args, &grades)?;
    sealed.keep(&format!("{name}{}", report_page::TIMES), times.as_bytes())?;
    let results = std::slice::from_ref(dataset.site());
    let prices = report_page::priced(args.models.prices.as_deref())?;
    let untitled = Options { title: String::new(), prices, ..Options::default() };
    let (figures, html) = report_page::page(results, &[], untitled)?;
    sealed.keep(&format!("{name}.html"), html.as_bytes())?;
    let gate = Verdict::of(args, &figures, &grades);
    let rest = shown::Rest::of(evaluation, &project, args.models.answers.as_deref())?;
    if args.format == Format::Json {
        let mut all = shown::json(&grades, &built);
        if let Some(rest) = &rest {
            rest.add(&mut all);
        }
        if let Some(gate) = &gate {
            gate.add(&mut all);
        }
        super::super::json(&all)?;
    } else {
        shown::head(&grades, written.units, args, &mut screen)?;
        shown::show(&grades, &built, args.wordnet.is_some(), &mut screen)?;
        rest.iter().try_for_each(|rest| rest.say(&mut screen))?;
    }
    report::say(format!(
        "`{name}` in the shelf holds answers, grades and a report; `storymill report {name} --clear FILE{}` writes the report into a file",
        on_shelf(args.on.shelf.as_deref(), args.on.key.key.as_deref())
    ));
    ended(gate.as_ref(), args.format, &built)
}
