//! Releasing a published folder: what has to hold first, and what is written then.
//!
//! [`examine`] says everything that speaks against a release at once; [`Examined::write`] makes
//! the folder, whole or not at all. A release is never written to again.

mod changelog;
mod citation;
mod croissant;
mod errata;
mod history;
mod hub;
mod responsible;
mod write;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use storymill_core::{Fault, FaultKind, plural};
use storymill_disk::most;

pub use changelog::CHANGELOG;
pub use errata::{ERRATA, Errata, Erratum};
pub use hub::{Benchmark, Prompts};
pub(crate) use hub::{ONE_FILE, config};

pub use crate::card::hub_id;
pub use write::may_release;

use crate::{
    check::{Checked, Depth, check_all},
    diff::Step,
    manifest::{Manifest, Previous},
};

/// What is said about a dataset as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// What people call it.
    pub title: String,
    /// What it is; may be blank.
    pub description: String,
    /// The licence of what is new in it.
    pub license: String,
    /// Who made it: `Family, Given`, or the name of a group.
    pub authors: Vec<String>,
    /// Where it can be found.
    pub url: String,
    /// The models that wrote any of it.
    pub models: Vec<String>,
}

/// What is to be released.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// The folder that a build published.
    pub folder: &'a Path,
    /// What is said about it.
    pub words: Words,
    /// The record of each config.
    pub records: BTreeMap<String, String>,
    /// The release that it follows.
    pub before: Before<'a>,
    /// What whole prompts are made with.
    pub prompts: Prompts<'a>,
    /// The changelog.
    pub changelog: &'a Path,
    /// The errata; the file may be missing if there are none.
    pub errata: &'a Path,
}

/// The release before.
#[derive(Clone, Debug)]
pub enum Before<'a> {
    /// There is none.
    None,
    /// Its folder.
    Folder(&'a Path),
    /// Its lock alone, which tells no ids.
    Lock {
        /// Its version.
        version: String,
        /// The least step by which the version has to go up.
        step: Step,
        /// Whether any published row may be gone or changed.
        withdrawn: bool,
    },
}

/// Something that speaks against a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A candidate that was looked at.
#[derive(Debug)]
pub struct Examined<'a> {
    /// All that speaks against it. If there is anything, nothing is written.
    pub objections: Vec<Objection>,
    /// Ids that are gone or changed, and have no row in the errata.
    pub without_erratum: Vec<String>,
    /// The errata as they are.
    pub errata: Errata,
    /// How many ids of the release before are gone or changed.
    pub withdrawn: usize,
    candidate: Candidate<'a>,
    manifest: Manifest,
    changelog: String,
    date: String,
    previous: Option<Previous>,
}

/// A release that was written.
#[derive(Clone, Debug)]
pub struct Released {
    /// Its folder.
    pub folder: PathBuf,
    /// Its lock, to be kept with the code.
    pub lock: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
    /// Responsible-AI fields of Croissant for which nothing is known.
    pub missing: Vec<&'static str>,
}

/// Looks at a candidate: the folder itself, what is said of it, changelog, version and errata.
///
/// # Errors
///
/// A file that cannot be read, or is not what it should be.
pub fn examine(candidate: Candidate<'_>) -> Result<Examined<'_>, Fault> {
    let manifest = Manifest::of(candidate.folder)?;
    if manifest.release.is_some() {
        return Err(Fault::new(FaultKind::Input, "this folder is a release already")
            .at(candidate.folder)
            .hint("name the workflow, or a folder that `storymill build` published"));
    }
    let mut it = Examined {
        objections: Vec::new(),
        without_erratum: Vec::new(),
        errata: Errata::read(candidate.errata)?,
        withdrawn: 0,
        changelog: String::new(),
        date: String::new(),
        previous: None,
        manifest,
        candidate,
    };
    it.look_at_the_folder()?;
    it.look_at_the_words();
    it.look_at_the_changelog()?;
    // Rows that are not those of the manifest would only lead to more that is not so.
    if !it.is_damaged() {
        it.look_back()?;
    }
    Ok(it)
}

const BUILD_AGAIN: &str = "build it again";

impl Examined<'_> {
    /// Whether the folder is not what its manifest says.
    pub fn is_damaged(&self) -> bool {
        self.objections.iter().any(|objection| objection.hint.as_deref() == Some(BUILD_AGAIN))
    }

    fn object(&mut self, what: impl Into<String>, hint: &str) {
        let hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.objections.push(Objection { what: what.into(), hint });
    }

    fn look_at_the_folder(&mut self) -> Result<(), Fault> {
        let folder = self.candidate.folder;
        let Checked { damage, findings } = check_all(folder, Depth::Both)?;
        for one in &damage {
            self.object(format!("{}: {}", one.path.display(), one.wrong), BUILD_AGAIN);
        }
        for finding in findings {
            let (about, place) = (finding.gate.about(), &finding.place);
            let (rows, example) = (plural(finding.rows, "row"), &finding.example);
            self.object(format!("not so in {place}: {about} ({rows}, {example})"), "");
        }
        Ok(())
    }

    fn look_at_the_words(&mut self) {
        let Words { license, authors, url, .. } = &self.candidate.words;
        // What a hint shows is no name and no address.
        let blank = |name: &String| matches!(name.trim(), "" | "Family, Given");
        let none = authors.is_empty() || authors.iter().any(blank);
        let no_url = !crate::escape::is_plain_url(url) || url.ends_with("//...");
        let no_license = license.trim().is_empty();
        if none {
            self.object(
                "no `authors` are named",
                "add `authors = [\"Family, Given\"]` under `[publish]`, and build again",
            );
        }
        if no_url {
            self.object(
                "no `url` says where it can be found",
                "add `url = \"https://...\"` under `[publish]`, and build again",
            );
        }
        if no_license {
            self.object("no licence is named", "name one under `[publish]`");
        }
    }

    fn look_at_the_changelog(&mut self) -> Result<(), Fault> {
        let path = self.candidate.changelog;
        let bytes =
            storymill_disk::read(path, most::RECORD).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(Vec::new()),
                _ => Err(Fault::io("cannot read the changelog", path, error).input()),
            })?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(Fault::new(FaultKind::Input, "the changelog is not UTF-8 text").at(path));
        };
        match changelog::entry(&text, &self.manifest.version) {
            Ok(entry) => self.date = entry.date,
            Err(fault) => {
                let what = format!("{}: {}", path.display(), fault.message);
                self.object(what, fault.hint.as_deref().unwrap_or_default());
            }
        }
        self.changelog = text;
        Ok(())
    }
}
