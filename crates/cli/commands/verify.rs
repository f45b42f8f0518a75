//! `storymill verify`: is a published folder what its manifest says?

use std::io::Write;

use serde_json::json;
use storymill_dataset::{Depth, Manifest, check, gates};

use crate::{
    args::{self, Format},
    exit::{DONE, Exit, Failure, VERIFY},
    table::{plain, plural},
};

pub(crate) fn run(args: &args::Verify) -> Result<Exit, Failure> {
    let manifest = Manifest::of(&args.folder)?;
    let depth = if args.rows { Depth::Rows } else { Depth::Bytes };
    let damage = check(&args.folder, depth)?;
    let files = manifest.listed().count();
    // What rows must hold to can be asked only of rows that are those of the manifest.
    let findings = if args.rows && damage.is_empty() { gates(&args.folder)? } else { Vec::new() };
    if args.format == Format::Json {
        let damage: Vec<_> = damage
            .iter()
            .map(|one| json!({ "path": one.path, "wrong": one.wrong.to_string() }))
            .collect();
        super::json(
            &json!({ "digest": manifest.digest, "files": files, "damage": damage, "findings": findings }),
        )?;
    } else {
        let mut out = std::io::stdout().lock();
        for one in &damage {
            writeln!(
                out,
                "{}: {}",
                plain(&one.path.display().to_string()),
                plain(&one.wrong.to_string())
            )?;
        }
        for one in &findings {
            let rows = plural(one.rows, "row");
            let told =
                format!("{}: not so: {} ({rows}, {})", one.place, one.gate.about(), one.example);
            writeln!(out, "{}", plain(&told))?;
        }
        match damage.len() {
            0 => writeln!(
                out,
                "{} as the manifest says; digest {}",
                plural(files as u64, "file"),
                manifest.digest
            )?,
            bad => {
                writeln!(
                    out,
                    "{bad} of {} not as the manifest says",
                    plural(files as u64, "file")
                )?;
            }
        }
    }
    Ok(if damage.is_empty() && findings.is_empty() { DONE } else { VERIFY })
}
