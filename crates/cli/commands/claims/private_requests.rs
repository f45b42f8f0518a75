//! The requests of a private set: kept in the shelf, handed out sealed, and in clear only where somebody
//! says so.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use storymill::{Frame, ShelfRequests};
use storymill_claims::{
    answers,
    exposure::{self, Exposure},
    import::Set,
    request::{self, Bundle, KeyLine, Plan, Shown},
    set::lines,
};
use storymill_core::{Digest, Fault, FaultKind};
use storymill_shelf::{
    Private, Recipient, Shelf,
    letter::Sealing,
    sets::{self, Sets},
};
use storymill_sources::RequestLines;

use super::{
    batch_files::{Files, Whose},
    measured::BookTokens,
    refused,
    requests::{Stopped, about, must_fit, told},
    set_store::{Sealed, Texts, borrowed},
};
use crate::{
    args::claims::ClaimsRequests,
    exit::{DONE, Exit, Failure},
    next::on_shelf,
};

/// What was handed out, to whom and when.
const HANDED: &str = "handed";

/// Who gets requests, and how.
pub(super) struct Handed<'a> {
    to: Vec<Recipient>,
    out: Option<&'a Path>,
    clear: Option<&'a Path>,
    /// The arguments, which say for whose batches it is written in clear.
    args: &'a ClaimsRequests,
    send_private_to: &'a [String],
    provider: Option<&'a str>,
    date: &'a str,
}

impl<'a> Handed<'a> {
    /// What the arguments ask for, refused before anything is made.
    pub(super) fn check(args: &'a ClaimsRequests, date: &'a str) -> Result<Self, Failure> {
        if let Some(path) = &args.clear
            && let Some(repository) = crate::private::repository(path)?
        {
            let message = "this is inside a repository, and the requests are private";
            let hint = format!(
                "write them outside of {}: best into memory, such as /dev/shm",
                repository.display()
            );
            return Err(Fault::new(FaultKind::Input, message).at(path).hint(hint).into());
        }
        if args.at.on.shelf.is_some() && args.out.is_some() && args.to.is_empty() {
            let message = "`--out` takes what is sealed with `--to`; `--clear` writes in clear";
            return Err(Failure::Usage(message.to_owned()));
        }
        if args.at.on.shelf.is_some() && args.format.is_some() && args.clear.is_none() {
            let message = "`--format` says how requests are written in clear: `--clear FILE`";
            return Err(Failure::Usage(message.to_owned()));
        }
        storymill_llm::check_addresses(&args.send_private_to)?;
        let to = args.to.iter().map(|text| text.parse()).collect::<Result<_, Fault>>()?;
        Ok(Self {
            to,
            out: args.out.as_deref(),
            clear: args.clear.as_deref(),
            args,
            send_private_to: &args.send_private_to,
            provider: args.provider.as_deref(),
            date,
        })
    }
}

/// Where something of some requests is kept.
fn place(id: &str, what: &str) -> String {
    format!("requests/{id}/{what}")
}

/// Makes requests and keeps them in the shelf; their id.
pub(super) fn make(
    sealed: &Sealed,
    set: &Set,
    texts: &Texts,
    plan: &Plan<'_>,
) -> Result<String, Failure> {
    let id = Digest::of_parts("storymill 2026 claim requests v1", [&plan.secret[..]]).short();
    let inside = |what: &str| sets::place(&sealed.name, &place(&id, what));
    let (mut hasher, mut count, mut mistakes) = (blake3::Hasher::new(), 0, None);
    let known = sealed.measured()?.tokens(&sealed.shelf, texts);
    let tokens = BookTokens::of(texts, &known, plan.shown == Shown::Book);
    let counting = |text: &str, encoding| tokens.count(text, encoding);
    let made = sealed.shelf.change(|change| {
        let (mut texts_kept, mut frames) = (BTreeSet::new(), Private::new(Vec::new()));
        let key = request::requests(set, &borrowed(texts), plan, &counting, &mut |line| {
            for part in [line.head, line.shown, line.tail, "\n"] {
                hasher.update(part.as_bytes());
            }
            count += 1;
            let Some(text) = line.text else {
                let name = inside(&format!("r/{}", line.custom_id));
                return change.put(&name, line.head.as_bytes()).map_err(Stopped::Fault);
            };
            // A book that many claims are on is kept once.
            if texts_kept.insert(text) {
                change.put(&inside(&format!("texts/{text}")), line.shown.as_bytes())?;
            }
            let frame = Frame {
                id: line.custom_id.to_owned(),
                text,
                head: line.head.to_owned(),
                tail: line.tail.to_owned(),
            };
            let frame = Private::new(frame.line());
            frames.expose_mut().extend_from_slice(frame.expose().as_bytes());
            Ok(())
        });
        let key = key.map_err(|stopped| match stopped {
            Stopped::Fault(fault) => fault,
            told @ Stopped::Mistakes(_) => {
                mistakes = Some(told);
                Fault::new(FaultKind::Input, "no requests were made")
            }
        })?;
        must_fit(&key, plan.window)?;
        let mut about = about(plan, count, Digest::from(*hasher.finalize().as_bytes()));
        about.id = Some(id.clone());
        if !frames.expose().is_empty() {
            change.put(&inside("frames"), frames.expose())?;
        }
        change.put(&inside("about"), json!(about).to_string().as_bytes())?;
        change.put(&inside("key"), lines(&key).as_bytes())
    });
    match (made, mistakes) {
        (Ok(()), _) => Ok(id),
        (Err(_), Some(stopped)) => Err(stopped.failure(sealed.shelf.root())),
        (Err(fault), None) => Err(fault.into()),
    }
}

/// The ids of all requests of a set, sorted.
pub(super) fn ids(sealed: &Sealed) -> Vec<String> {
    let names = Sets(&sealed.shelf).files(&sealed.name, "requests/");
    names.iter().filter_map(|name| name.strip_suffix("/about")).map(str::to_owned).collect()
}

/// What some requests say of themselves.
pub(super) fn bundle(sealed: &Sealed, id: &str) -> Result<Bundle, Fault> {
    let ids = ids(sealed);
    if !ids.iter().any(|known| known == id) {
        let hint = match &ids[..] {
            [] => "`storymill claims requests SET --shelf DIR --model NAME` makes some".to_owned(),
            ids => format!("there are {}", ids.join(", ")),
        };
        let message = "the set has no requests of this id";
        return Err(Fault::new(FaultKind::Input, message).hint(hint));
    }
    serde_json::from_slice(sealed.read(&place(id, "about"))?.expose()).map_err(|_| {
        Fault::new(FaultKind::Store, "the requests on the shelf are of another version")
    })
}

/// The key of some requests.
pub(super) fn key(sealed: &Sealed, id: &str) -> Result<Vec<KeyLine>, Failure> {
    answers::key(sealed.read(&place(id, "key"))?.expose()).map_err(|mistakes| {
        refused(sealed.shelf.root(), "the key on the shelf cannot be read", &mistakes)
    })
}

/// The requests of an id that are asked at all.
pub(super) fn made(sealed: &Sealed, id: &str, key: &[KeyLine]) -> ShelfRequests {
    let (shelf, folder) = (Arc::clone(&sealed.shelf), sets::place(&sealed.name, &place(id, "")));
    let asked = key.iter().filter(|line| line.skipped.is_none());
    ShelfRequests::new(shelf, folder, asked.map(|line| line.custom_id.clone()).collect())
}

/// Forgets requests. What they are and their key stay, so that answers to them can be scored.
pub(super) fn forget(sealed: &Sealed, id: &str) -> Result<Exit, Failure> {
    bundle(sealed, id)?;
    let folder = place(id, "");
    let names = Sets(&sealed.shelf).files(&sealed.name, &folder);
    let gone = names.iter().filter(|name| !["about", "key"].contains(&name.as_str()));
    sealed.shelf.change(|change| {
        for name in gone {
            change.remove(&sets::place(&sealed.name, &place(id, name)));
        }
        Ok(())
    })?;
    writeln!(crate::screen::out(), "the requests {id} are gone; answers to them are still scored")?;
    Ok(DONE)
}

/// Hands requests out as it was asked for, and says what there is.
pub(super) fn hand_out(sealed: &Sealed, id: &str, handed: &Handed<'_>) -> Result<Exit, Failure> {
    let (about, key) = (bundle(sealed, id)?, key(sealed, id)?);
    let mut said = format!("set `{}`, requests {id}: {}\n", sealed.name, told(&key, &about.prompt));
    let note = |what: &str, path: &Path| {
        let to: Vec<String> = handed.to.iter().map(ToString::to_string).collect();
        let answers_to: Vec<String> =
            sealed.shelf.recipients()?.iter().map(ToString::to_string).collect();
        let line = json!({ "requests": id, "what": what, "path": path, "to": to, "date": handed.date, "provider": handed.provider, "answers_to": answers_to });
        sealed.append(HANDED, format!("{line}\n").as_bytes())
    };
    if let Some(provider) = handed.provider {
        expose(sealed, &exposure::of_key(&key, provider, &about.model, handed.date))?;
    }
    if let (Some(path), false) = (handed.out, handed.to.is_empty()) {
        sealed.shelf.note_endpoints(handed.send_private_to)?;
        note("sealed", path)?;
        seal(sealed, id, about, &key, handed, path)?;
        said += &format!("sealed to {} in {}\n", handed.to.len(), path.display());
    } else if let Some(path) = handed.clear {
        // What cannot be taken back is recorded before it is done.
        note("clear", path)?;
        let whose = Whose::of(handed.args, &about.model);
        let files = clear(sealed, id, &key, path, whose.as_ref())?;
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        said += &format!("in clear in {}; this is recorded\n", names.join(", "));
    } else {
        let on = &handed.args.at.on;
        said += &format!(
            "kept in the shelf; `storymill claims ask {} --requests {id}{}` asks them, `--made {id} --to age1...` hands them out\n",
            sealed.name,
            on_shelf(on.shelf.as_deref(), on.key.key.as_deref())
        );
    }
    write!(crate::screen::out(), "{said}")?;
    Ok(DONE)
}

/// How often requests of a set were handed out in clear.
pub(crate) fn in_clear(shelf: &Shelf, set: &str) -> Result<u64, Fault> {
    let Some(handed) = Sets(shelf).file(set, HANDED)? else { return Ok(0) };
    let lines = handed.expose().split(|byte| *byte == b'\n');
    let clear = |line: &&[u8]| {
        let line: Value = serde_json::from_slice(line).unwrap_or_default();
        line["what"] == "clear"
    };
    Ok(lines.filter(clear).count() as u64)
}

/// Bundles that were handed out sealed, whose answers these people could read; a line for each.
pub(crate) fn out_to(shelf: &Shelf, set: &str, people: &[Recipient]) -> Result<Vec<String>, Fault> {
    let Some(handed) = Sets(shelf).file(set, HANDED)? else { return Ok(Vec::new()) };
    let text = String::from_utf8_lossy(handed.expose());
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let readable = |line: &Value| {
        // Before this was noted everybody's answers went to all who were maintainers then.
        let Some(to) = line["answers_to"].as_array() else { return true };
        people.iter().any(|one| to.iter().any(|to| *to == *one.to_string()))
    };
    let said = |line: Value| {
        let id = line["requests"].as_str().unwrap_or_default();
        let answered = !Sets(shelf).files(set, &format!("answers/{id}/")).is_empty();
        let path = line["path"].as_str().unwrap_or_default();
        let state = if answered { "answered once" } else { "not answered yet" };
        format!(
            "requests {id}, handed out on {} in {path}, {state}",
            line["date"].as_str().unwrap_or_default()
        )
    };
    Ok(lines.filter(|line| line["what"] == "sealed" && readable(line)).map(said).collect())
}

/// Adds to the ledger of exposures what it does not hold yet.
pub(super) fn expose(sealed: &Sealed, exposures: &[Exposure]) -> Result<(), Failure> {
    let known = exposure::read(sealed.read("exposures")?.expose())
        .map_err(|mistakes| refused(sealed.shelf.root(), "the ledger cannot be read", &mistakes))?;
    let new: Vec<Exposure> =
        exposures.iter().filter(|line| !known.contains(line)).cloned().collect();
    if !new.is_empty() {
        sealed.append("exposures", lines(&new).as_bytes())?;
    }
    Ok(())
}

fn seal(
    sealed: &Sealed,
    id: &str,
    about: Bundle,
    key: &[KeyLine],
    handed: &Handed<'_>,
    path: &Path,
) -> Result<(), Fault> {
    let answers_to = sealed.shelf.recipients()?.iter().map(ToString::to_string).collect();
    let about = Bundle { answers_to, send_private_to: handed.send_private_to.to_vec(), ..about };
    let requests = made(sealed, id, key);
    let mut hasher = blake3::Hasher::new();
    requests.each_part(|part| {
        hasher.update(part).update(b"\n");
        Ok(())
    })?;
    // The form in which a book that many claims are on stands once.
    let digest = Digest::from(*hasher.finalize().as_bytes());
    let about = Bundle { format: 2, digest, ..about };
    let mut scratch = path.as_os_str().to_owned();
    scratch.push(".new");
    let scratch = PathBuf::from(scratch);
    let failed = |error| Fault::io("cannot write", path, error);
    let write = || {
        let file = fs::File::create(&scratch).map_err(failed)?;
        let mut letter = Sealing::to(&handed.to, BufWriter::new(file))?;
        writeln!(letter, "{}", json!(about)).map_err(failed)?;
        requests.each_part(|part| {
            letter.write_all(part).and_then(|()| letter.write_all(b"\n")).map_err(failed)
        })?;
        let file = letter.finish().and_then(|out| out.into_inner().map_err(Into::into));
        file.and_then(|file| file.sync_all()).map_err(failed)?;
        fs::rename(&scratch, path).map_err(failed)
    };
    write().inspect_err(|_| drop(fs::remove_file(&scratch)))
}

/// The one way out in clear: new files that their owner alone may read.
fn clear(
    sealed: &Sealed,
    id: &str,
    key: &[KeyLine],
    path: &Path,
    whose: Option<&Whose>,
) -> Result<Vec<PathBuf>, Fault> {
    let requests = made(sealed, id, key);
    let mut files = Files::begin(path, whose, |path| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)
    })?;
    let asked = key.iter().filter(|one| one.skipped.is_none());
    let written = asked.map(|one| {
        let line = Private::new(requests.line(&one.custom_id)?);
        files.put(line.expose())
    });
    let written = written.collect::<Result<(), Fault>>();
    Ok(files.end(written)?.0)
}
