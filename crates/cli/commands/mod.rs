//! One file for each command.

mod answers;
mod audit;
mod batches;
mod bill;
mod book;
mod books;
mod build;
pub(crate) mod claims;
mod compare;
mod diff;
mod doctor;
mod evaluate;
mod explain;
mod export;
#[cfg(feature = "mirror")]
mod fetch;
mod import;
mod init;
mod inspect;
mod labels;
mod plan;
mod quickstart;
mod release;
mod report_page;
mod review;
mod score;
mod scores;
mod shelf;
mod statement;
mod steps;
mod store;
mod verify;
#[cfg(feature = "app")]
mod view;

use std::{io::Write, path::PathBuf};

use clap_complete::env::Shells;

use crate::{
    args::{self, Args, Command, Format, ScoreWhat, claims::ClaimsWhat},
    exit::{DONE, Exit, Failure},
    session::Session,
};

/// Does what was typed.
pub(crate) fn run(mut args: Args, session: &Session) -> Result<Exit, Failure> {
    for place in datasets_of(&mut args.command) {
        published_by(place, session)?;
    }
    done(args, session)
}

/// The datasets that a command is about.
fn datasets_of(command: &mut Command) -> Vec<&mut PathBuf> {
    match command {
        Command::Inspect(inspect) => vec![&mut inspect.path],
        Command::Audit(audit) => vec![&mut audit.folder],
        Command::Verify(verify) => verify.folder.iter_mut().collect(),
        Command::Export(export) => vec![&mut export.folder],
        Command::Evaluate(evaluate) => vec![&mut evaluate.dataset],
        Command::Diff(diff) => vec![&mut diff.old, &mut diff.new],
        Command::Claims(args::claims::Claims { what: ClaimsWhat::Draft(draft) })
            if draft.on.shelf.is_none() =>
        {
            vec![&mut draft.dataset]
        }
        Command::Score(args::Score { what: ScoreWhat::Lveval(score) }) => {
            score.dataset.iter_mut().collect()
        }
        _ => Vec::new(),
    }
}

/// A workflow stands for the folder that its build publishes into: where we are, else beside it; one that `evaluate` wrote for the
/// results beside it.
fn published_by(place: &mut PathBuf, session: &Session) -> Result<(), Failure> {
    if !place.is_file() || place.extension().is_none_or(|end| end != "toml") {
        return Ok(());
    }
    let out = session.project(place)?.default_out();
    let others = [place.with_file_name(&out), place.with_extension("")];
    let there = others.into_iter().find(|other| !out.exists() && other.exists());
    *place = there.unwrap_or(out);
    Ok(())
}

fn done(args: Args, session: &Session) -> Result<Exit, Failure> {
    match args.command {
        Command::Build(build) => build::run(&build, session),
        Command::Plan(plan) => plan::run(&plan, session),
        Command::Inspect(inspect) => inspect::run(&inspect),
        Command::Audit(audit) => audit::run(&audit),
        #[cfg(feature = "app")]
        Command::View(view) => view::run(&view, session),
        Command::Books(books) => books::run(&books),
        Command::Book(book) => book::run(&book, session),
        #[cfg(feature = "mirror")]
        Command::Fetch(fetch) => fetch::run(&fetch, session),
        Command::Export(export) => export::run(&export),
        Command::Claims(claims) => claims::run(&claims, session),
        Command::Labels(labels) => labels::run(&labels),
        Command::Diff(diff) => diff::run(&diff),
        Command::Verify(verify) => verify::run(&verify, session),
        Command::Release(release) => release::run(&release, session),
        Command::Init(init) => init::run(&init),
        Command::Quickstart(quickstart) => quickstart::run(&quickstart, session),
        Command::Import(import) => import::run(&import, session),
        Command::Explain(explain) => explain::run(&explain, session),
        Command::Doctor(doctor) => doctor::run(&doctor, session),
        Command::Answers(answers) => answers::run(&answers, session),
        Command::Review(review) => review::run(&review, session),
        Command::Reviews(review) => {
            let list = review.list.or(Some(args::review::Listed::All));
            review::run(&args::Review { list, ..review }, session)
        }
        Command::Score(score) => score::run(&score, session),
        Command::Evaluate(evaluate) => evaluate::run(&evaluate, session),
        Command::Report(report) => report_page::run(&report, session),
        Command::Shelf(shelf) => shelf::run(&shelf, session),
        Command::Store(store) => store::run(&store, session),
        Command::Schema => json(&session.registry.kinds().schema()),
        Command::Completions { shell } => {
            let shells = Shells::builtins();
            let shell = shells.completer(&shell.to_string()).expect("each of `Shell` is built in");
            let mut text = Vec::new();
            shell.write_registration(
                "COMPLETE",
                "storymill",
                "storymill",
                "storymill",
                &mut text,
            )?;
            crate::screen::out().write_all(&text)?;
            Ok(DONE)
        }
    }
}

/// Prints what was done: as JSON, or in lines.
pub(crate) fn tell(
    format: Format,
    value: &serde_json::Value,
    lines: impl std::fmt::Display,
) -> Result<Exit, Failure> {
    if format == Format::Json {
        return json(value);
    }
    writeln!(crate::screen::out(), "{lines}")?;
    Ok(DONE)
}

/// Prints a value as JSON that people can read too.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<Exit, Failure> {
    let mut out = crate::screen::out();
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(DONE)
}
