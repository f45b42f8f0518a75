//! `storymill export`: recipes of long contexts written out.

use std::io::Write;

use serde_json::json;
use storymill::Dataset;
use storymill_core::Question;
use storymill_dataset::materialize::{
    Format, Shown, Wanted, WithContexts, Written, holds_questions, materialize,
    questions_with_contexts,
};
use storymill_disk::RealDisk;
use storymill_transforms::prompt_of;

use crate::{
    args::{Format as Printed, export as args},
    exit::{DONE, Exit, Failure},
    table::{plain, plural},
    tokenizer::Tokens,
};

pub(crate) fn run(args: &args::Export) -> Result<Exit, Failure> {
    if let Some(config) = &args.config
        && holds_questions(&args.folder, config)?
    {
        return questions(args, config);
    }
    if args.split.is_some() || args.limit.is_some() || args.ask {
        let message = "`--split`, `--limit` and `--ask` are for tables of questions about books";
        return Err(Failure::Usage(message.to_owned()));
    }
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
    tell(&written, args)
}

/// Questions about books, each with what is read before it is asked.
fn questions(args: &args::Export, config: &str) -> Result<Exit, Failure> {
    if args.parquet || args.set.is_some() || args.level.is_some() || args.cut.shown.is_some() {
        let message = "questions about books are written whole, as JSON lines";
        return Err(Failure::Usage(message.to_owned()));
    }
    let dataset = Dataset::open(&args.folder)?;
    let texts = dataset.lock().map(|lock| lock.configs_behind(config)).unwrap_or_default();
    // What `inspect ID --ask` prints.
    let prompt = |question: &Question, context: &str| Ok(prompt_of(question, context)? + "\n");
    let wanted = WithContexts {
        split: args.split.as_deref(),
        limit: args.limit,
        prompt: if args.ask { Some(&prompt) } else { None },
        texts: &texts,
    };
    let written = questions_with_contexts(dataset.site(), config, &wanted, &RealDisk, &args.out)?;
    tell(&[written], args)
}

fn tell(written: &[Written], args: &args::Export) -> Result<Exit, Failure> {
    if args.format == Printed::Json {
        let one = |one: &Written| json!({ "path": one.path, "contexts": one.contexts, "bytes_of_text": one.text_bytes });
        return super::json(&written.iter().map(one).collect::<Vec<_>>());
    }
    let mut out = crate::screen::out();
    for one in written {
        let contexts = plural(one.contexts, "context");
        let path = plain(&one.path.display().to_string());
        writeln!(out, "{path}: {contexts}, {} bytes of text", one.text_bytes)?;
    }
    Ok(DONE)
}
