//! A candidate held against the release before: version, day, errata.

use std::path::Path;

use storymill_core::{Fault, few};

use super::{Before, ERRATA, Errata, Erratum, Examined, errata};
use crate::{
    check::{Depth, check},
    diff::{Step, diff},
    manifest::{Manifest, Previous},
};

/// How many of one kind are named in full.
const NAMED: usize = 5;

impl Examined<'_> {
    /// Holds it against the release before.
    pub(super) fn look_back(&mut self) -> Result<(), Fault> {
        if Step::None.from(&self.manifest.version).is_none() {
            let what = format!("the version {} is not of the form `1.2.3`", self.manifest.version);
            self.object(what, "releases are told apart by semantic versions");
            return Ok(());
        }
        match self.candidate.before.clone() {
            Before::None => {
                let errata = self.errata.clone();
                let found = errata.against(&Errata::default(), "", &[].into());
                self.errata_hold(&found, "");
            }
            Before::Folder(folder) => self.look_back_at(folder)?,
            Before::Lock { version, step, withdrawn } => {
                self.goes_up(&version, step);
                if withdrawn {
                    self.object(
                        "the lock says that published rows are gone or changed, and cannot say which",
                        "name the folder of the last release: `--previous DIR`",
                    );
                }
                self.previous = Some(Previous { version, digest: None });
            }
        }
        Ok(())
    }

    fn look_back_at(&mut self, folder: &Path) -> Result<(), Fault> {
        let before = Manifest::of(folder)?;
        if let Some(one) = check(folder, Depth::Bytes)?.first() {
            let what =
                format!("the release before is damaged: {}: {}", one.path.display(), one.wrong);
            self.object(what, "fetch it again from where it was released");
            return Ok(());
        }
        if before.name != self.manifest.name {
            let what = format!("{} was released there, not {}", before.name, self.manifest.name);
            self.object(what, "`--previous` names the last release of the same dataset");
            return Ok(());
        }
        if before.canary != self.manifest.canary {
            self.object(
                "the canary differs from the last release's",
                "all versions have one canary: put the old one back",
            );
        }
        if let Some(release) = before.release.as_ref().filter(|release| release.date > self.date)
            && !self.date.is_empty()
        {
            let (own, version, date) = (&self.date, &before.version, &release.date);
            let what = format!("the changelog dates it {own}, before {version} ({date})");
            self.object(what, "correct the day in the changelog's heading");
        }
        let difference = diff(folder, self.candidate.folder)?;
        self.goes_up(&before.version, difference.step);
        let withdrawn = difference.withdrawn(folder)?;
        self.withdrawn = withdrawn.len();
        let known = match before.release {
            Some(_) => Errata::read(&folder.join(ERRATA))?,
            None => Errata::default(),
        };
        let found = self.errata.against(&known, &self.manifest.version, &withdrawn);
        self.errata_hold(&found, &before.version);
        self.without_erratum = found.missing;
        self.previous =
            Some(Previous { version: before.version.clone(), digest: Some(before.digest) });
        Ok(())
    }

    fn goes_up(&mut self, before: &str, step: Step) {
        let version = self.manifest.version.clone();
        let step = step.max(Step::Patch);
        match (step.is_taken(before, &version), step.from(before)) {
            (Some(true), _) => {}
            (_, Some(least)) => self.object(
                format!("after what changed since {before} the version must be at least {least}; this is {version}"),
                "raise `version` in the workflow and build again; `storymill diff` tells what changed",
            ),
            (_, None) => {
                self.object(format!("the release before is {before}, which is not of the form `1.2.3`"), "");
            }
        }
    }

    fn errata_hold(&mut self, found: &errata::Against, before: &str) {
        let named = |rows: &[Erratum]| {
            let named = rows.iter().map(|row| format!("{} in {}", row.id, row.version));
            few(named.collect::<Vec<_>>(), NAMED)
        };
        let path = self.candidate.errata.display().to_string();
        if !found.lost.is_empty() {
            let what = format!(
                "{path} lacks rows of {before}, or gives other reasons: {}",
                named(&found.lost)
            );
            self.object(what, "errata are kept for good: put them back as they were");
        }
        if !found.unknown.is_empty() {
            let what = format!(
                "{path} has rows of ids that are neither gone nor changed in this version: {}",
                named(&found.unknown)
            );
            self.object(what, "look for a mistyped id or version");
        }
        if !found.missing.is_empty() {
            let what = format!(
                "{path} has no row for {} of {before} that {} gone or changed: {}",
                match found.missing.len() {
                    1 => "an id".to_owned(),
                    many => format!("{many} ids"),
                },
                if found.missing.len() == 1 { "is" } else { "are" },
                few(&found.missing, NAMED)
            );
            self.object(what, "`--draft-errata FILE` writes the rows; add the reasons. One row may speak for many: `84/*` for a book and all that is in it, `*` for all of them");
        }
    }
}
