//! One file for each command.

mod answers;
mod asking;
mod batches;
mod bill;
mod books;
mod build;
mod cast;
mod claims;
mod clean;
mod compare;
mod context;
mod diff;
mod doctor;
mod eval;
mod explain;
#[cfg(feature = "mirror")]
mod fetch;
mod import;
mod init;
mod inspect;
mod lineage;
mod materialize;
mod plan;
mod rebuild;
mod release;
mod reviews;
mod score;
mod shelf;
mod statement;
mod substitute;
mod verify;

use std::io::Write;

use clap::CommandFactory;

use crate::{
    args::{Args, Command},
    exit::{DONE, Exit, Failure},
    kinds,
};

/// Does what was typed.
pub(crate) fn run(args: Args) -> Result<Exit, Failure> {
    match args.command {
        Command::Build(build) => build::run(&build),
        Command::Plan(plan) => plan::run(&plan),
        Command::Inspect(inspect) => inspect::run(&inspect),
        Command::Context(context) => context::run(&context),
        Command::Books(books) => books::run(&books),
        #[cfg(feature = "mirror")]
        Command::Fetch(fetch) => fetch::run(&fetch),
        Command::Materialize(materialize) => materialize::run(&materialize),
        Command::Claims(claims) => claims::run(&claims),
        Command::Clean(clean) => clean::run(&clean),
        Command::Diff(diff) => diff::run(&diff),
        Command::Verify(verify) => verify::run(&verify),
        Command::Release(release) => release::run(&release),
        Command::Init(init) => init::run(&init),
        Command::Import(import) => import::run(&import),
        Command::Explain(explain) => explain::run(&explain),
        Command::Doctor(doctor) => doctor::run(&doctor),
        Command::Answers(answers) => answers::run(&answers),
        Command::Reviews(built) => reviews::run(&built),
        Command::Score(score) => score::run(&score),
        Command::Eval(eval) => eval::run(&eval),
        Command::Cast(cast) => cast::run(&cast),
        Command::Substitute(substitute) => substitute::run(&substitute),
        Command::Shelf(shelf) => shelf::run(&shelf),
        Command::Schema => json(&kinds::registry().schema()),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "storymill", &mut text);
            std::io::stdout().write_all(&text)?;
            Ok(DONE)
        }
    }
}

/// Prints a value as JSON that people can read too.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(DONE)
}
