//! The whole storymill program, with `plan`, `build`, `diff` and all, that knows our stage too.

use std::process::ExitCode;

fn main() -> ExitCode {
    storymill_cli::run(own_stage::registry())
}
