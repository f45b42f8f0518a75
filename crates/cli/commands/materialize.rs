//! `storymill materialize`: recipes of long contexts written out.

use std::io::Write;

use storymill_dataset::materialize::{Format, Wanted, materialize};
use storymill_pipeline::store::RealDisk;

use crate::{
    args::materialize as args,
    exit::{DONE, Exit, Failure},
    table::{plain, plural},
};

pub(crate) fn run(args: &args::Materialize) -> Result<Exit, Failure> {
    let wanted = Wanted {
        config: args.config.clone(),
        set: args.set.clone(),
        level: args.level,
        format: if args.parquet { Format::Parquet } else { Format::Jsonl },
    };
    let written = materialize(&args.folder, &wanted, &RealDisk, &args.out)?;
    let mut out = std::io::stdout().lock();
    for one in &written {
        let contexts = plural(one.contexts, "context");
        let path = plain(&one.path.display().to_string());
        writeln!(out, "{path}: {contexts}, {} bytes of text", one.text_bytes)?;
    }
    Ok(DONE)
}
