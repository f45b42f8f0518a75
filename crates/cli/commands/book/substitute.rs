//! `storymill book substitute`: a novel with other names.

use std::{collections::BTreeSet, fs};

use serde_json::json;
use storymill_core::{Fault, Seed, few};
use storymill_names::{CastFile, NamesLeft, Substitutes, Sure, Words};

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
    let kept = cast.characters.iter().filter(|one| one.keep);
    let parts: BTreeSet<String> = kept
        .clone()
        .flat_map(|one| one.given.iter().chain(&one.family))
        .map(|part| part.to_lowercase())
        .collect();
    let new_words = Words::new(&new.text);
    let mut left = NamesLeft::of(&words, Some(&new_words)).forms(&new_words);
    left.retain(|(form, ..)| !parts.contains(&form.to_lowercase()));
    if args.format == Format::Json {
        let pairs = substitutes.pairs().iter();
        let pairs = pairs.map(|pair| json!({ "part": pair.part, "substitute": pair.substitute, "careful": pair.careful }));
        let edits = new.edits.iter();
        let edits =
            edits.map(|edit| json!([edit.old.start, edit.old.end, edit.new.start, edit.new.end]));
        let [pairs, edits]: [Vec<_>; 2] = [pairs.collect(), edits.collect()];
        let left = left.iter().map(|(form, sign, count)| json!([form, sign.name(), count]));
        let left: Vec<_> = left.collect();
        return super::super::json(&json!({ "pairs": pairs, "edits": edits, "left": left }));
    }
    let [edits, parts] = [new.edits.len(), substitutes.pairs().len()].map(|count| count as u64);
    report::say(format!(
        "{}: {} of {} replaced",
        args.out.display(),
        plural(edits, "place"),
        plural(parts, "name part")
    ));
    let left = left.iter().map(|(form, sign, count)| format!("{form} {count} ({})", sign.name()));
    listed("names left, found without the cast", &left.collect::<Vec<_>>());
    let kept = kept.map(|one| format!("{} {}", one.name, one.seen));
    listed("kept, as people whom everybody knows or as the cast says", &kept.collect::<Vec<_>>());
    let nobody = cast.nobody.iter().map(|one| format!("{} {} ({})", one.name, one.seen, one.what));
    listed("kept, as nobody's names", &nobody.collect::<Vec<_>>());
    Ok(DONE)
}

/// How many names are printed of each kind.
const SHOWN: usize = 12;

fn listed(what: &str, all: &[String]) {
    let shown = if all.is_empty() { "none".to_owned() } else { few(all, SHOWN) };
    report::say(format!("{what}: {shown}"));
}
