//! `storymill context`: what is read before a question is asked.

use std::io::Write;

use serde_json::json;
use storymill::Dataset;

use crate::{
    args::Format,
    args::context as args,
    exit::{DONE, Exit, Failure},
    question::{self, Telling},
};

pub(crate) fn run(args: &args::Context) -> Result<Exit, Failure> {
    let asked = Dataset::open(&args.folder)?.question(&args.question, args.config.as_deref())?;
    if args.format == Format::Json {
        return super::json(
            &json!({ "config": asked.config, "question": asked.row, "context": asked.context }),
        );
    }
    let telling = Telling { answer: args.answer, types: args.types };
    let mut out = std::io::stdout().lock();
    if !args.question_only {
        // The book's own symbols, whatever they are: this is data, and may be piped on.
        out.write_all(asked.context.as_bytes())?;
    }
    if args.ask || args.question_only || args.answer || args.types {
        let gap = if args.question_only { "" } else { "\n\n" };
        let words = question::words((&asked.row, &asked.question), Some(&asked), telling);
        writeln!(out, "{gap}{}", words.trim_end())?;
    }
    Ok(DONE)
}
