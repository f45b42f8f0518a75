//! `storymill view`: a published dataset as pages, served on this machine or written into files.

mod written;

use std::{collections::BTreeMap, io::Write, path::Path};

use storymill::{Dataset, Fault, FaultKind, Inventory, Origin};
use storymill_dataset::{each_grade, look::Look};
use storymill_view::{Came, Lineage, Links, Results, Site};

use crate::{
    args::view::View,
    exit::{DONE, Exit, Failure},
    serve::Server,
    session::Session,
};

pub(crate) fn run(args: &View, session: &Session) -> Result<Exit, Failure> {
    let (folder, lineage) = opened(args, session)?;
    let look = Look::open(&folder)?;
    let behind = behind(&folder, &look);
    let mut results = Results::default();
    for results_folder in &args.results {
        each_grade(results_folder, |grade| {
            results.add(&grade);
            Ok(())
        })?;
    }
    let site = |look, links| -> Result<Site, Fault> {
        let site = Site::new(look, behind.clone(), links)?.with_results(results.clone());
        Ok(match lineage {
            Some(lineage) => site.with_lineage(Box::new(lineage)),
            None => site,
        })
    };
    if let Some(out) = &args.html {
        return written::run(out, args.sample, look, site);
    }
    let server = Server::bind(args.port)?;
    let site = site(look, Links::Served(server.base().to_owned()))?;
    // Who reads the address alone, and then no more, still wants the pages.
    let words = "this address works once, in one browser on this machine; Ctrl-C ends it";
    let said = format!("{}\n{words}\n", server.first_address());
    std::io::stdout().lock().write_all(said.as_bytes())?;
    session.stop_on_signals()?;
    server.serve(&session.surroundings.stop, move |path, query| {
        let reply = site.page(path, query);
        (reply.status, reply.kind, reply.body.into_bytes())
    })?;
    Ok(DONE)
}

/// The folder that is looked at, and what tells where items come from.
fn opened(
    args: &View,
    session: &Session,
) -> Result<(std::path::PathBuf, Option<Origins>), Failure> {
    if args.what.is_dir() {
        return Ok((args.what.clone(), None));
    }
    if !args.what.exists() {
        let fault = Fault::new(FaultKind::Input, "there is no such folder or workflow");
        return Err(fault
            .at(&args.what)
            .hint("`storymill build` publishes into `out/NAME`")
            .into());
    }
    let project = session.project(&args.what)?.in_folder(&args.store);
    let folder = project.default_out();
    if !folder.is_dir() {
        let fault = Fault::new(FaultKind::Input, "this workflow has published nothing yet");
        let hint = format!("build it first: `storymill build {}`", args.what.display());
        return Err(fault.at(&folder).hint(hint).into());
    }
    Ok((folder, Some(Origins(project.inventory(None, None)?))))
}

/// For each config, those that it was made from; without a lock nobody knows.
fn behind(folder: &Path, look: &Look) -> BTreeMap<String, Vec<String>> {
    let Ok(lock) = Dataset::open(folder).and_then(|dataset| dataset.lock()) else {
        return BTreeMap::new();
    };
    let names = look.configs().iter().map(|config| config.name.clone());
    names.map(|name| (name.clone(), lock.configs_behind(&name))).collect()
}

/// What was built, asked where items come from.
struct Origins(Inventory);

impl Lineage for Origins {
    fn of(&self, id: &str) -> Result<Vec<Came>, Fault> {
        Ok(self.0.origins(id)?.into_iter().map(came).collect())
    }
}

fn came(origin: Origin) -> Came {
    let Origin { what, id, step, kind, facts, from } = origin;
    Came {
        what: what.to_owned(),
        id,
        step: format!("{step}, {kind}"),
        facts: facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        from: from.into_iter().map(came).collect(),
    }
}
