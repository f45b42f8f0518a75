//! The storymill command as a function: arguments become calls of the library, results become text.
//!
//! A crate with stages of its own has the whole program, with `plan`, `build` and `diff`, in one line:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use storymill::Registry;
//!
//! fn main() -> ExitCode {
//!     storymill_cli::run(Registry::standard()) // .with_stage::<MyStage>().with_table::<MyRow>()
//! }
//! ```

mod args;
mod calendar;
mod commands;
mod complete;
mod exit;
#[cfg(test)]
mod failing_disk_tests;
#[cfg(feature = "mirror")]
mod fetching;
mod near;
mod novel;
mod private;
mod progress;
mod question;
mod report;
mod screen;
mod secrets;
#[cfg(feature = "app")]
mod serve;
mod session;
mod table;
mod tokenizer;
mod whole_file;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;
use storymill::Registry;

use crate::{args::Args, exit::Failure, session::Session};

/// Does what the arguments of this process ask for, with what this registry knows, and says how it ended.
pub fn run(registry: Registry) -> ExitCode {
    // The shell asks what completes a word: that is answered, and nothing else is done.
    CompleteEnv::with_factory(Args::command).complete();
    let args = Args::parse();
    report::choose_colour(args.colour);
    // A panic is a mistake in storymill, and has its exit code like every other end.
    let run = std::panic::AssertUnwindSafe(|| commands::run(args, &Session::new(registry)));
    let Ok(result) = std::panic::catch_unwind(run) else {
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
