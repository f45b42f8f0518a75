//! `storymill quickstart`: the sample project written into a folder, and built.

use std::{fs, path::Path};

use storymill_core::{Fault, FaultKind};
use storymill_data::SAMPLE;

use super::build;
use crate::{
    args::{self, Args, Command},
    exit::{Exit, Failure},
    session::Session,
    table::typed,
};

/// As it lies in the repository, where the data is one folder further up.
const WORKFLOW: &str = include_str!("../../../workflows/quickstart.toml");

pub(crate) fn run(args: &args::Quickstart, session: &Session) -> Result<Exit, Failure> {
    let folder = &args.folder;
    let workflow = folder.join("quickstart.toml");
    // Whoever stopped it goes on: the workflow is written last.
    let is_begun = fs::read(&workflow).is_ok_and(|text| text == here(WORKFLOW).as_bytes());
    let taken = if folder.is_file() {
        Some("this is a file, and the sample needs a folder")
    } else if is_begun {
        None
    } else {
        let is_full = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        is_full.then_some("this folder is not empty, and was left as it is")
    };
    if let Some(taken) = taken {
        let hint = "name another folder: `storymill quickstart other`";
        return Err(Fault::new(FaultKind::Input, taken).at(folder).hint(hint).into());
    }
    if !is_begun {
        for (path, bytes) in SAMPLE {
            write(&folder.join(path), bytes)?;
        }
        write(&workflow, here(WORKFLOW).as_bytes())?;
    }
    let out = folder.join("out/quickstart");
    let typed_out = typed(&out);
    let words = ["storymill".as_ref(), "build".as_ref(), workflow.as_os_str()];
    let places = ["--out".as_ref(), out.as_os_str(), "--store".as_ref()];
    let store = folder.join(".storymill");
    let words: Vec<_> = words.into_iter().chain(places).chain([store.as_os_str()]).collect();
    let Ok(Args { command: Command::Build(mut build), .. }) = Args::read(&words) else {
        unreachable!("it says so")
    };
    build.format = args.format;
    let next = [
        format!("storymill view {typed_out}        # read it in the browser"),
        format!("storymill inspect {typed_out}     # on one screen"),
        format!("storymill evaluate {typed_out} --baselines --config read-along"),
    ];
    build::run_before(&build, &next, session)
}

/// The workflow with its data beside it. The schema is not there.
fn here(workflow: &str) -> String {
    let lines = workflow.lines().filter(|line| !line.starts_with("#:schema"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let text = text.replace("../data/", "").replace("data/answers/", "answers/");
    text.replace("storymill build workflows/", "storymill build ")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let failed = |error| Fault::io("cannot write the sample", path, error);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, bytes).map_err(failed)
}
