//! `storymill materialize`: recipes of long contexts written out.

use std::io::Write;

use storymill_dataset::materialize::{Format, Shown, Wanted, materialize};
use storymill_disk::RealDisk;

use crate::{
    args::materialize as args,
    exit::{DONE, Exit, Failure},
    table::{plain, plural},
    tokenizer::Tokens,
};

pub(crate) fn run(args: &args::Materialize) -> Result<Exit, Failure> {
    let tokens = Tokens::of(args.cut.tokenizer.as_deref())?;
    let ends = |text: &str| tokens.ends(text);
    let wanted = Wanted {
        config: args.config.clone(),
        set: args.set.clone(),
        level: args.level,
        format: if args.parquet { Format::Parquet } else { Format::Jsonl },
        shown: args.cut.shown.map(|tokens| Shown { tokens: tokens as usize, ends: &ends }),
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
