//! The storymill command.

use std::process::ExitCode;

fn main() -> ExitCode {
    storymill_cli::run(storymill::Registry::standard())
}
