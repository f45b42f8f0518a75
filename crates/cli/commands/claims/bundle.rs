//! Bundles of requests for others to run: a folder in clear, or a sealed file; and their answers.

use std::{
    io::{Read, Write},
    path::Path,
};

use serde_json::json;
use storymill::RequestFile;
use storymill_claims::{answers::Head, request::Bundle};
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Private, Recipient, letter};
use storymill_sources::RequestLines;

use super::{bytes, folder::replace};
use crate::{args::shelf::KeyFile, exit::Failure, secrets};

/// Opens a bundle: what it says of itself, and its requests. All of it is read once, so that what is damaged is
/// found before anything is asked.
pub(super) fn open(path: &Path, key: &KeyFile) -> Result<(Bundle, RequestFile), Failure> {
    let (about, lines) = if path.is_dir() {
        let file = path.join("bundle.json");
        let about = about(&bytes(&file)?, &file)?;
        if let Some(whose) = &about.batch {
            let message = format!("the bundle is written for {whose}'s batches");
            return Err(Fault::new(FaultKind::Input, message)
                .at(path)
                .hint("`storymill claims requests` without `--format` makes one to be asked here")
                .into());
        }
        (about, RequestFile::open(path.join("requests.jsonl"), None)?.0)
    } else {
        secrets::guard()?;
        let mut start = [0; 32];
        let read = storymill_disk::open(path).and_then(|mut file| file.read(&mut start));
        let read = read.map_err(|error| Fault::io("cannot read", path, error).input())?;
        if !letter::is_sealed(&start[..read]) {
            let message = "this is not a bundle: neither a folder nor a sealed file";
            return Err(Fault::new(FaultKind::Input, message).at(path).into());
        }
        let (lines, head) = RequestFile::open(path.to_owned(), Some(secrets::key(key)?))?;
        (about(head.expose(), path)?, lines)
    };
    let message = if ![1, 2].contains(&about.format) {
        "a bundle of a form that this version does not know"
    } else if (lines.count, lines.digest) != (about.requests, about.digest) {
        "the requests are not those that the bundle tells of"
    } else if lines.ids().len() != lines.count {
        "a line of the bundle is not a request, or two have one id"
    } else {
        return Ok((about, lines));
    };
    Err(Fault::new(FaultKind::Input, message).at(path).into())
}

fn about(bytes: &[u8], path: &Path) -> Result<Bundle, Fault> {
    serde_json::from_slice(bytes)
        .map_err(|_| Fault::new(FaultKind::Input, "the bundle does not say what it is").at(path))
}

/// Writes answers to a bundle where nothing is yet: sealed to its maintainers, or in clear.
pub(super) fn write_answers(
    out: &Path,
    head: &Head,
    rows: &Private<Vec<u8>>,
    about: &Bundle,
    private: bool,
) -> Result<(), Failure> {
    let failed = |error| Fault::io("cannot write", out, error);
    if !private {
        let text = [(json!(head).to_string() + "\n").as_bytes(), rows.expose()].concat();
        return Ok(replace(out, &text)?);
    }
    let to: Vec<Recipient> =
        about.answers_to.iter().map(|text| text.parse()).collect::<Result<_, Fault>>()?;
    let mut letter = letter::Sealing::to(&to, Vec::new())?;
    let written =
        writeln!(letter, "{}", json!(head)).and_then(|()| letter.write_all(rows.expose()));
    let sealed = written.and_then(|()| letter.finish()).map_err(failed)?;
    replace(out, &sealed)?;
    Ok(())
}
