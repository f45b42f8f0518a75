//! `storymill inspect ID`: what is read before a question is asked.

use std::io::Write;

use serde_json::json;
use storymill::Dataset;
use storymill_dataset::context::Asked;
use storymill_shelf::Access;
use storymill_transforms::prompt_of;

use crate::{
    args::{Format, Inspect},
    exit::{DONE, Exit, Failure},
    private::{Sealed, hidden},
    question::{self, Telling},
};

pub(super) fn run(args: &Inspect, id: &str) -> Result<Exit, Failure> {
    let access = if args.clear.is_some() { Access::Change } else { Access::Look };
    let sealed = Sealed::named(&args.on, access)?;
    if sealed.is_some() && !args.texts && args.clear.is_none() {
        return Err(hidden());
    }
    let site = sealed.as_ref().map(|sealed| sealed.find(&args.path)).transpose()?;
    let site = site.unwrap_or_else(|| (&args.path).into());
    let asked = Dataset::open(site)?.question(id, args.config.as_deref())?;
    let mut out = Vec::new();
    if args.format == Format::Json {
        let value =
            json!({ "config": asked.config, "question": asked.row, "context": asked.context });
        serde_json::to_writer_pretty(&mut out, &value).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        as_text(&asked, args, &mut out)?;
    }
    match (&sealed, &args.clear) {
        (Some(sealed), Some(path)) => sealed.clear(&args.path, path, &out)?,
        _ => crate::screen::out().write_all(&out)?,
    }
    Ok(DONE)
}

fn as_text(asked: &Asked, args: &Inspect, out: &mut Vec<u8>) -> Result<(), Failure> {
    let telling = Telling::of(&args.show, false);
    if args.ask {
        writeln!(out, "{}", prompt_of(&asked.question, &asked.context)?)?;
    } else if args.show.is_empty() {
        // The book's own symbols, whatever they are: this is data, and may be piped on.
        out.write_all(asked.context.as_bytes())?;
    }
    if !args.show.is_empty() {
        let gap = if args.ask { "\n\n" } else { "" };
        let words = question::words((&asked.row, &asked.question), Some(asked), telling);
        writeln!(out, "{gap}{}", words.trim_end())?;
    }
    Ok(())
}
