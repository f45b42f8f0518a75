//! Prints a cleaned page: one paragraph a line, headings behind `# `; with `--cuts`, the cuts.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let cuts = names.iter().position(|name| name == "--cuts").map(|at| names.remove(at));
    let mut out = io::BufWriter::new(io::stdout().lock());
    for name in &names {
        let cleaned = storymill_sources::clean(&std::fs::read(name)?, name)
            .map_err(|reason| io::Error::other(format!("{name}: {}", reason.detail)))?;
        if cuts.is_none() {
            out.write_all(cleaned.lines().as_bytes())?;
            continue;
        }
        for cut in &cleaned.cuts {
            let (from, to) = (cut.page.start, cut.page.end);
            writeln!(out, "{from}..{to} {}: {}", cut.why.word(), cut.text)?;
        }
    }
    out.flush()
}
