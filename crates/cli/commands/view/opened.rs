//! What is looked at: a folder, what a workflow published, or what lies in a shelf.

use std::{collections::BTreeMap, sync::Arc};

use storymill::{Dataset, Fault, FaultKind, Project, SEALED_DATASETS, Site, Workspace};
use storymill_dataset::{each_grade, look::Look};
use storymill_shelf::Access;
use storymill_view::{LeftCount, Results};

use super::built::Built;
use crate::{
    args::view::View,
    exit::Failure,
    private::{Sealed, inside},
    session::Session,
};

/// A folder that is open, and what else there is to show.
pub(super) struct Opened {
    pub(super) look: Look,
    pub(super) behind: BTreeMap<String, Vec<String>>,
    pub(super) counts: Vec<LeftCount>,
    pub(super) results: Results,
    pub(super) built: Option<Built>,
}

/// Opens what was named.
pub(super) fn opened(args: &View, session: &Session) -> Result<Opened, Failure> {
    if args.on.shelf.is_some() && !args.texts {
        let message = "this shows words of private books";
        let hint = "`--texts` shows them, in one browser on this machine";
        return Err(Fault::new(FaultKind::Input, message).hint(hint).into());
    }
    let is_workflow = args.what.is_file();
    // What a workflow makes of private books is looked up as a build would.
    let access = if is_workflow { Access::Change } else { Access::Look };
    let sealed = Sealed::named(&args.on, access)?;
    let project = if is_workflow { Some(project(args, session, sealed.as_ref())?) } else { None };
    let folder = match (&sealed, &project) {
        (None, None) => folder(args)?,
        (Some(sealed), None) => sealed.find(&args.what)?,
        (_, Some(project)) => published(args, project, sealed.as_ref())?,
    };
    let mut results = Results::default();
    for name in &args.results {
        let site = sealed.as_ref().map(|sealed| sealed.find(name)).transpose()?;
        each_grade(site.unwrap_or_else(|| name.into()), |grade| {
            results.add(&grade);
            Ok(())
        })?;
    }
    let look = Look::open(&folder)?;
    let lock = Dataset::open(&folder).and_then(|dataset| dataset.lock()).ok();
    let names = look.configs().iter().map(|config| config.name.clone());
    // Without a lock nobody knows which configs one was made from.
    let behind = lock
        .iter()
        .flat_map(|lock| names.clone().map(|name| (name.clone(), lock.configs_behind(&name))));
    let behind = behind.collect();
    let mut counts = Vec::new();
    for (step, locked) in lock.iter().flat_map(|lock| &lock.steps) {
        for (all, on_purpose) in [(&locked.rejects, false), (&locked.left_out, true)] {
            counts.extend(all.iter().map(|(code, items)| LeftCount {
                step: step.clone(),
                code: code.clone(),
                items: *items,
                on_purpose,
            }));
        }
    }
    let out = is_workflow.then(|| folder.path());
    let built = project
        .map(|project| project.inventory(args.answers.as_deref(), out))
        .transpose()?
        .map(Built);
    Ok(Opened { look, behind, counts, results, built })
}

fn folder(args: &View) -> Result<Site, Failure> {
    if args.what.is_dir() {
        return Ok(args.what.as_path().into());
    }
    let fault = Fault::new(FaultKind::Input, "there is no such folder or workflow");
    Err(fault.at(&args.what).hint("`storymill build` publishes into `out/NAME`").into())
}

fn project(args: &View, session: &Session, sealed: Option<&Sealed>) -> Result<Project, Failure> {
    let project = session.project(&args.what)?;
    Ok(match sealed {
        Some(sealed) => project.in_workspace(Workspace::shelf(Arc::clone(&sealed.shelf)))?,
        None => project.in_folder(&args.store),
    })
}

/// Where a workflow published.
fn published(args: &View, project: &Project, sealed: Option<&Sealed>) -> Result<Site, Failure> {
    let site = match (sealed, &args.out) {
        (Some(sealed), _) => {
            let folder = inside(SEALED_DATASETS).join(&project.workflow().name);
            Site::on(Arc::clone(&sealed.disk), folder)
        }
        (None, Some(out)) => out.as_path().into(),
        (None, None) => project.default_out().into(),
    };
    if site.join("manifest.json").read().is_ok() {
        return Ok(site);
    }
    let fault = Fault::new(FaultKind::Input, "this workflow has published nothing yet");
    let hint = format!("build it first: `storymill build {}`", args.what.display());
    Err(fault.at(site.path()).hint(hint).into())
}
