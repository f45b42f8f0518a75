//! `storymill book cast`: everybody in a novel, as a file that people read and change.

use std::{fs, io::Write, path::Path, process};

use serde_json::json;
use storymill::taggers;
use storymill_core::{Fault, FaultKind};
use storymill_names::{CastFile, KnownPeople, Policy, Words, decide};

use crate::{
    args::{Format, names},
    exit::{DONE, Exit, Failure},
    novel, report,
    session::Session,
    table::plural,
};

pub(crate) fn run(args: &names::Cast, session: &Session) -> Result<Exit, Failure> {
    let out = args.out.clone().or_else(|| args.edit.then(|| args.book.with_extension("cast.toml")));
    // What people decided is never written over: it is opened again.
    if let Some(out) = out.as_deref().filter(|out| out.exists()) {
        if args.edit {
            return edit(out);
        }
        let fault = Fault::new(
            FaultKind::Input,
            "this file already exists, and was left as it is: somebody may have edited it",
        )
        .at(out);
        return Err(fault.hint("go on with it (`--edit`), or name another file").into());
    }
    let novel = novel::read(&args.book)?;
    let tagger = session.tagger(&args.tagger)?;
    let words = Words::new(&novel.text);
    let odds = tagger.tag_by(&words, args.tagger.occurrences)?;
    let found = decide(&words, &odds, tagger.weights());
    let known = if args.replace_known { KnownPeople::Replace } else { KnownPeople::Keep };
    let policy = Policy { places: args.places, known };
    let mut cast = CastFile::new(novel.id.as_str(), &words, &found, policy);
    cast.tagger = Some(taggers::called(&*tagger, args.tagger.occurrences));
    if cast.characters.is_empty() {
        report::warn("no names of persons were found; the taggers read English");
    }
    let as_json = args.format == Format::Json;
    let Some(out) = out else {
        if as_json {
            return super::super::json(&cast);
        }
        write!(crate::screen::out(), "{}", cast.to_toml())?;
        return Ok(DONE);
    };
    fs::write(&out, cast.to_toml()).map_err(|error| Fault::io("cannot write", &out, error))?;
    let [characters, places] = [cast.characters.len(), cast.places.len()].map(|count| count as u64);
    if as_json {
        super::super::json(&json!({
            "file": out, "characters": characters, "places": places, "tagger": tagger.name(),
        }))?;
        return if args.edit { edit(&out) } else { Ok(DONE) };
    }
    report::say(format!(
        "{}: {}, {}, by the tagger `{}`",
        out.display(),
        plural(characters, "character"),
        plural(places, "place"),
        tagger.name()
    ));
    if args.edit { edit(&out) } else { Ok(DONE) }
}

/// Opens the file in the user's editor, then reads it.
fn edit(path: &Path) -> Result<Exit, Failure> {
    #[expect(clippy::disallowed_methods, reason = "the binary reads the environment")]
    let editor = std::env::var("VISUAL")
        .or_else(|_| std::env::var("EDITOR"))
        .unwrap_or_else(|_| "vi".to_owned());
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status =
        process::Command::new(program).args(words).arg(path).status().map_err(|error| {
            Fault::io(format!("cannot start the editor `{program}`"), path, error)
                .input()
                .hint("set `EDITOR`")
        })?;
    if !status.success() {
        return Err(Fault::new(FaultKind::Input, format!("the editor `{program}` failed"))
            .at(path)
            .into());
    }
    CastFile::parse(&novel::text(path)?).map_err(|fault| fault.at(path))?;
    Ok(DONE)
}
