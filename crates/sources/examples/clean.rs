//! Prints a cleaned page: one paragraph a line, headings behind `# `; with `--cuts`, the cuts.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let cuts = names.iter().position(|name| name == "--cuts").map(|at| names.remove(at)).is_some();
    for name in &names {
        let bytes = match std::fs::read(name) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        match storymill_sources::clean(&bytes, name) {
            Ok(cleaned) if cuts => {
                for cut in &cleaned.cuts {
                    println!(
                        "{}..{} {}: {}",
                        cut.page.start,
                        cut.page.end,
                        cut.why.word(),
                        cut.text
                    );
                }
            }
            Ok(cleaned) => print!("{}", cleaned.lines()),
            Err(reason) => {
                eprintln!("{name}: {}: {}", reason.code, reason.detail);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
