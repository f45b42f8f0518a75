//! `storymill answers export-batch` and `import-batch`: a workflow's next requests as files for a
//! provider's batch interface, and the results back into the log.

mod private;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use storymill::{ModelOptions, Requests};
use storymill_core::Disk;
use storymill_disk::RealDisk;
use storymill_llm::{
    Forecast,
    batch::{self, Exported, Imported, Outstanding},
};

use super::answers::tell;
use crate::{
    args::{self, BatchPlace, prices},
    exit::{DONE, Exit, Failure, INPUT, MODEL},
    next::on_shelf,
    progress::Aloud,
    report,
    session::Session,
    table::{Table, plural, typed},
};

/// Lines that were not taken, and reasons, of which so many are shown.
const SHOWN: usize = 10;

pub(crate) fn export(args: &args::ExportBatch, session: &Session) -> Result<Exit, Failure> {
    let wire = session.registry.wires().of(&args.format);
    let wire = wire.map_err(|why| Failure::Usage(format!("`--format` {why}")))?;
    let private = private::Private::open(&args.at.on)?;
    if private.is_some() {
        private::Private::check(args)?;
    }
    let Place { requests, disk, mut out } =
        Place::open(&args.workflow, &args.at, args.ask_again, private.as_ref(), session)?;
    let asker = requests.asker();
    let mut wave = requests.elsewhere()?;
    let (gone, mut batches) = (wave.len(), BTreeSet::new());
    if !args.again {
        wave.retain(|asked| {
            let batch = out.batch_of(&asked.key);
            batches.extend(batch.map(str::to_owned));
            batch.is_none()
        });
    }
    let gone = gone - wave.len();
    if gone > 0 {
        report::warn(&format!(
            "{} not written: out in another batch ({}); `--again` writes what was lost",
            plural(gone as u64, "request"),
            Vec::from_iter(batches).join(", ")
        ));
    }
    if wave.is_empty() {
        report::say("no model is asked next: nothing is written");
        requests.close()?;
        return Ok(DONE);
    }
    let mut limits = wire.limits();
    limits.requests = args.max_requests.unwrap_or(limits.requests);
    let exported = match &private {
        None => batch::export(asker, &wave, (wire, limits), &args.out, &RealDisk)?,
        Some(private) => private.export(args, &requests, &wave, (wire, limits))?,
    };
    out.add(exported.keys.iter().copied(), &args.out.display().to_string());
    out.write(&*disk)?;
    requests.close()?;
    tell(&exported, args::Format::Text, || told(&exported, &asker.forecast(&wave)))?;
    report::hint(&format!(
        "have the files answered, put the result files beside them, then `storymill answers import-batch {} {}{}`",
        typed(&args.workflow),
        typed(&args.out),
        on_shelf(args.at.on.shelf.as_deref(), args.at.on.key.key.as_deref())
    ));
    Ok(DONE)
}

fn told(exported: &Exported, forecasts: &BTreeMap<(String, String), Forecast>) -> String {
    let mut table = Table::new(&["file", "model", ">requests", ">bytes"]);
    for file in &exported.files {
        table.row([
            file.file.clone(),
            file.model.clone(),
            file.requests.to_string(),
            file.bytes.to_string(),
        ]);
    }
    let mut text = table.to_string();
    for ((stage, model), forecast) in forecasts {
        text += &format!("{stage} asks `{model}`: {forecast}\n");
    }
    text
}

pub(crate) fn import(args: &args::ImportBatch, session: &Session) -> Result<Exit, Failure> {
    let private = private::Private::open(&args.at.on)?;
    let Place { requests, disk, mut out } =
        Place::open(&args.workflow, &args.at, false, private.as_ref(), session)?;
    let wave = requests.elsewhere()?;
    let open = |path: &Path| match &private {
        Some(private) => private.unsealed(path),
        None => private::plain(path),
    };
    let mut imported = batch::import(requests.asker(), &wave, &args.results, &mut out, &open)?;
    if private.is_some() {
        private::hush(&mut imported);
    }
    out.write(&*disk)?;
    requests.close()?;
    tell(&imported, args.format, || counted(&imported))?;
    if imported.come_again() > 0 {
        let requests = plural(imported.come_again(), "request");
        report::hint(&format!(
            "{requests} without an answer come again in the next `export-batch`"
        ));
    }
    Ok(if !imported.untaken.is_empty() {
        INPUT
    } else if imported.refused > 0 {
        MODEL
    } else {
        DONE
    })
}

fn counted(imported: &Imported) -> String {
    let mut text = plural(imported.added, "answer") + " added";
    for (count, what) in [
        (imported.there, "in the log already"),
        (imported.duplicates, "given twice"),
        (imported.mended, "with U+FFFD in place of what is not Unicode"),
        (imported.expired, "expired"),
        (imported.canceled, "canceled"),
        (imported.failed, "failed"),
        (imported.refused, "refused for good"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    text.push('\n');
    for (reason, count) in imported.reasons.iter().take(SHOWN) {
        text += &format!("{count} times: {reason}\n");
    }
    for line in imported.untaken.iter().take(SHOWN) {
        text += &format!("not taken: {}:{}: {}\n", line.path.display(), line.at, line.why);
    }
    for (all, what) in
        [(imported.reasons.len(), "reasons"), (imported.untaken.len(), "lines not taken")]
    {
        if all > SHOWN {
            text += &format!("and {} more {what}\n", all - SHOWN);
        }
    }
    if !imported.spent.is_empty() {
        let rows = imported.spent.iter().map(|((stage, model), cost)| {
            ([stage.clone(), model.clone(), cost.answers.to_string()], *cost)
        });
        text += &Table::of_costs(["stage", "model", ">answers"], false, rows).to_string();
    }
    text
}

/// Where a workflow is built that asks in batches.
struct Place {
    /// What its models are asked next.
    requests: Requests,
    disk: Arc<dyn Disk>,
    out: Outstanding,
}

impl Place {
    fn open(
        workflow: &Path,
        at: &BatchPlace,
        ask_again: bool,
        private: Option<&private::Private<'_>>,
        session: &Session,
    ) -> Result<Self, Failure> {
        let (project, disk, store) = if let Some(private) = private {
            private.project(workflow, session)?
        } else {
            let project = session.project(workflow)?.in_store(&at.store)?;
            (project, session.disk(&at.store)?, at.store.clone())
        };
        let project = project.told_to(Arc::new(Aloud));
        let requests = project.requests(&ModelOptions {
            answers: at.answers.clone(),
            // Requests in batches have prices of their own.
            prices: prices(at.prices.as_deref())?.in_batches(),
            ask_again,
            taggers: at.taggers.clone(),
            ..ModelOptions::default()
        })?;
        let requests = requests.ok_or_else(|| {
            let name = &project.workflow().name;
            Failure::Usage(format!("the workflow `{name}` has no models"))
        })?;
        let out = Outstanding::open(&store.join("batches.json"), &*disk)?;
        Ok(Self { requests, disk, out })
    }
}
