//! `storymill substitute`: a novel with other names.

use std::fs;

use serde_json::json;
use storymill_core::{Fault, Seed};
use storymill_names::{CastFile, Substitutes, Sure, Words};

use crate::{
    args::Format,
    args::names,
    exit::{DONE, Exit, Failure},
    novel, report,
    table::plural,
};

pub(crate) fn run(args: &names::Substitute) -> Result<Exit, Failure> {
    let cast = CastFile::parse(&novel::text(&args.cast)?).map_err(|fault| fault.at(&args.cast))?;
    let novel = novel::read(&args.book)?;
    let words = Words::new(&novel.text);
    let substitutes = Substitutes::draw(&cast, &words, Seed::new(args.seed))
        .map_err(|fault| fault.at(&args.cast))?;
    let places = cast.places_in(&novel.text);
    if places.is_none() && !cast.careful.is_empty() {
        report::warn(
            "the cast is of another text: parts under `careful` are replaced beside titles and names only",
        );
    }
    let sure = places.as_deref().map_or(Sure::Beside, Sure::At);
    let new = substitutes.apply(&novel.text, sure);
    fs::write(&args.out, &new.text).map_err(|error| Fault::io("cannot write", &args.out, error))?;
    if args.format == Format::Json {
        let pairs = substitutes.pairs().iter();
        let pairs = pairs.map(|pair| json!({ "part": pair.part, "substitute": pair.substitute, "careful": pair.careful }));
        let edits = new.edits.iter();
        let edits =
            edits.map(|edit| json!([edit.old.start, edit.old.end, edit.new.start, edit.new.end]));
        let [pairs, edits]: [Vec<_>; 2] = [pairs.collect(), edits.collect()];
        return super::json(&json!({ "pairs": pairs, "edits": edits }));
    }
    let [edits, parts] = [new.edits.len(), substitutes.pairs().len()].map(|count| count as u64);
    report::say(format!(
        "{}: {} of {} replaced",
        args.out.display(),
        plural(edits, "place"),
        plural(parts, "name part")
    ));
    Ok(DONE)
}
