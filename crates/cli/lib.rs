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
mod commands;
mod complete;
mod exit;
#[cfg(test)]
mod failing_disk_tests;
#[cfg(feature = "mirror")]
mod fetching;
mod near;
mod next;
mod novel;
mod private;
mod progress;
mod question;
mod renamed;
mod report;
mod screen;
mod secrets;
#[cfg(feature = "app")]
mod serve;
mod session;
mod table;
mod tokenizer;
mod unlocked;
mod whole_file;

use std::{ffi::OsString, io::Write, path::PathBuf, process::ExitCode};

use clap::CommandFactory;
use clap_complete::CompleteEnv;
use storymill::{Registry, calendar};

use crate::{
    args::Args,
    exit::{Exit, Failure, USAGE},
    session::Session,
};

/// Does what the arguments of this process ask for, with what this registry knows, and says how it ended.
pub fn run(registry: Registry) -> ExitCode {
    run_with(registry, std::env::args_os().collect(), None).into()
}

/// The same where another program is the process, as Python is: with these arguments, the command's own name
/// first, and with the folder in which the models of taggers came along. Gives the exit code.
pub fn run_with(registry: Registry, args: Vec<OsString>, data: Option<PathBuf>) -> u8 {
    // The shell asks what completes a word: that is answered, and nothing else is done.
    let folder = std::env::current_dir().ok();
    let completed =
        CompleteEnv::with_factory(Args::command).try_complete(args.clone(), folder.as_deref());
    match completed {
        Ok(false) => {}
        Ok(true) => return exit::DONE.code,
        Err(error) => {
            report::warn(&error.to_string());
            return USAGE.code;
        }
    }
    let args = match renamed::renamed(&args) {
        None => args,
        Some((args, said)) => {
            for line in &said {
                report::hint(line);
            }
            args
        }
    };
    let line = args;
    let args = match Args::read(&line) {
        Ok(args) => args,
        Err(said) => return printed(&said),
    };
    report::choose_colour(args.colour);
    // A panic is a mistake in storymill, and has its exit code like every other end.
    let run = std::panic::AssertUnwindSafe(|| commands::run(args, &Session::new(registry, data)));
    let exit: Exit = match std::panic::catch_unwind(run) {
        Err(_) => exit::INTERNAL,
        Ok(Ok(exit)) => exit,
        // A reader that has seen enough (`| head`) is no failure.
        Ok(Err(Failure::Pipe)) => exit::DONE,
        Ok(Err(failure)) => {
            let failure = next::repeating(failure, &line);
            report::failure(&failure);
            failure.exit()
        }
    };
    // Where Python is the process, nobody else writes what the last line without an end left behind.
    match std::io::stdout().flush().map_err(Failure::from) {
        Err(failure @ Failure::Fault(_)) if exit.code == exit::DONE.code => {
            report::failure(&failure);
            failure.exit().code
        }
        _ => exit.code,
    }
}

/// Prints help, the version, or what was not understood; and how that ends where it cannot be printed.
fn printed(said: &clap::Error) -> u8 {
    let told = said.print().and_then(|()| std::io::stdout().flush());
    match told.map_err(Failure::from) {
        Ok(()) if said.use_stderr() => USAGE.code,
        Ok(()) | Err(Failure::Pipe) => exit::DONE.code,
        Err(failure) => {
            report::failure(&failure);
            failure.exit().code
        }
    }
}
