//! `storymill store`: whether a place can hold a store.

use std::{io::Write, path::Path};

use serde_json::json;
use storymill::Workspace;

use crate::{
    args::{
        Format,
        store::{Store, StoreWhat},
    },
    exit::{DONE, Exit, Failure, STORE},
    session::Session,
    table::plain,
};

pub(crate) fn run(args: &Store, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        StoreWhat::Check { store, format } => check(store, *format, session),
    }
}

fn check(store: &Path, format: Format, session: &Session) -> Result<Exit, Failure> {
    let workspace = Workspace::open(store, &*session.surroundings.environment)?;
    let found = workspace.check();
    let sound = found.iter().all(|one| one.wrong.is_none());
    if format == Format::Json {
        let rows: Vec<_> =
            found.iter().map(|one| json!({ "what": one.what, "wrong": one.wrong })).collect();
        super::json(&json!({ "store": store, "sound": sound, "found": rows }))?;
    } else {
        let mut out = crate::screen::out();
        for one in &found {
            match &one.wrong {
                None => writeln!(out, "yes  {}", one.what)?,
                Some(wrong) => writeln!(out, "NO   {}: {}", one.what, plain(wrong))?,
            }
        }
        let store = workspace.store.to_string_lossy();
        let can = if sound { "can" } else { "cannot" };
        writeln!(out, "{} {can} hold a store", plain(&store))?;
    }
    Ok(if sound { DONE } else { STORE })
}
