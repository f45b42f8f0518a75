//! The storymill command. No logic lives here: arguments become calls, results become text.

mod args;
mod built;
mod calendar;
mod commands;
mod damage;
mod data;
mod decided;
mod exit;
#[cfg(feature = "mirror")]
mod fetching;
mod ground;
mod kinds;
mod leaks;
mod models;
mod novel;
mod progress;
mod question;
mod report;
mod rust_bert;
mod secrets;
mod settled;
mod table;
mod taggers;
mod tokenizer;

use std::process::ExitCode;

use clap::Parser;

use crate::{args::Args, exit::Failure};

fn main() -> ExitCode {
    let args = Args::parse();
    report::choose_colour(args.colour);
    // A panic is a mistake in storymill, and has its exit code like every other end.
    let Ok(result) = std::panic::catch_unwind(|| commands::run(args)) else {
        return exit::INTERNAL.into();
    };
    match result {
        Ok(exit) => exit.into(),
        // A reader that has seen enough (`| head`) is no failure.
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(failure) => {
            report::failure(&failure);
            failure.exit().into()
        }
    }
}
