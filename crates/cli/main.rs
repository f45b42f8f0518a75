//! The storymill command. No logic lives here: arguments become calls, results become text.

mod args;
mod commands;
mod exit;
mod kinds;
mod models;
mod progress;
mod report;
mod table;

use std::process::ExitCode;

use clap::Parser;

use crate::{args::Args, exit::Failure};

fn main() -> ExitCode {
    let args = Args::parse();
    report::choose_colour(args.colour);
    match commands::run(args) {
        Ok(exit) => exit.into(),
        // A reader that has seen enough (`| head`) is no failure.
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(failure) => {
            report::failure(&failure);
            failure.exit().into()
        }
    }
}
