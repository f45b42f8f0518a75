//! `storymill answers export-batch` and `import-batch`: a workflow's next requests as files for a
//! provider's batch interface, and the results back into the log.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use storymill_core::{Asked, Fault, FaultKind};
use storymill_llm::{
    ModelAsker, WireFormat,
    batch::{self, Exported, Imported, Outstanding},
    dollars,
    forecast::Forecast,
};
use storymill_pipeline::{Claim, Step, Store, Visitor, Workflow, plan, store::RealDisk};

use super::answers::tell;
use crate::{
    args::{self, BatchFormat, BatchPlace},
    damage::Watched,
    exit::{DONE, Exit, Failure, INPUT, MODEL},
    ground::Ground,
    kinds,
    models::Models,
    report,
    settled::{self, By},
    table::{Table, plural},
};

/// Lines that were not taken, and reasons, of which so many are shown.
const SHOWN: usize = 10;

pub(crate) fn export(args: &args::ExportBatch) -> Result<Exit, Failure> {
    let desk = Desk::open(&args.workflow, &args.at, args.ask_again)?;
    let asker = desk.asker()?;
    let mut out = desk.outstanding()?;
    let mut wave = desk.wave()?;
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
        desk.models.close();
        return Ok(DONE);
    }
    let format = match args.format {
        BatchFormat::Openai => WireFormat::OpenAi,
        BatchFormat::Anthropic => WireFormat::Anthropic,
    };
    let mut limits = format.limits();
    limits.bytes = args.max_bytes.unwrap_or(limits.bytes);
    limits.requests = args.max_requests.unwrap_or(limits.requests);
    let exported = batch::export(asker, &wave, (format, limits), &args.out, &RealDisk)?;
    out.add(exported.keys.iter().copied(), &args.out.display().to_string());
    out.write(&RealDisk)?;
    desk.models.close();
    tell(&exported, args::Format::Text, || told(&exported, &asker.forecast(&wave)))?;
    report::hint(&format!(
        "have the files answered, put the result files beside them, then `storymill answers import-batch {} {}`",
        args.workflow.display(),
        args.out.display()
    ));
    Ok(DONE)
}

fn told(exported: &Exported, forecasts: &[Forecast]) -> String {
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
    for forecast in forecasts {
        text += &format!("{} asks `{}`: {}\n", forecast.stage, forecast.model, forecast.shown());
    }
    text
}

pub(crate) fn import(args: &args::ImportBatch) -> Result<Exit, Failure> {
    let desk = Desk::open(&args.workflow, &args.at, false)?;
    let asker = desk.asker()?;
    let mut out = desk.outstanding()?;
    let wave = desk.wave()?;
    let imported = batch::import(asker, &wave, &args.results, &mut out)?;
    out.write(&RealDisk)?;
    desk.models.close();
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
    let mut table =
        Table::new(&["stage", "model", ">answers", ">tokens in", ">tokens out", ">cost"]);
    for spent in &imported.spent {
        let cost = spent.micro_usd.map(|micro| dollars(micro.saturating_mul(1000)));
        table.row([
            spent.stage.clone(),
            spent.model.clone(),
            spent.answers.to_string(),
            spent.usage.prompt.to_string(),
            spent.usage.completion.to_string(),
            cost.unwrap_or_else(|| "no price".to_owned()),
        ]);
    }
    if !imported.spent.is_empty() {
        text += &table.to_string();
    }
    text
}

/// A workflow whose models are asked in batches.
struct Desk<'a> {
    workflow: Workflow,
    models: Models,
    store: Watched,
    at: &'a BatchPlace,
}

impl<'a> Desk<'a> {
    fn open(workflow: &Path, at: &'a BatchPlace, ask_again: bool) -> Result<Self, Failure> {
        let mut workflow = Workflow::read(workflow, &kinds::registry())?;
        settled::settle(&mut workflow, &By::Models(at.taggers.as_deref()));
        let models = args::Models {
            answers: at.answers.clone(),
            mode: args::Mode::Prefer,
            frozen: false,
            prices: at.prices.clone(),
            batches: true,
            max_usd: None,
            max_requests: None,
            ask_again,
            wait_ready: None,
            taggers: at.taggers.clone(),
        };
        let models = Models::open(&workflow, &Ground::folder(&at.store), &models, Arc::new(()))?;
        let store = Watched(Store::open(&at.store, Arc::new(RealDisk), Claim::Whole)?);
        Ok(Self { workflow, models, store, at })
    }

    fn asker(&self) -> Result<&ModelAsker, Failure> {
        self.models.model_asker().ok_or_else(|| {
            let message = format!("the workflow `{}` has no models", self.workflow.name);
            Failure::Usage(message)
        })
    }

    fn outstanding(&self) -> Result<Outstanding, Fault> {
        Outstanding::open(&self.at.store.join("batches.json"), &RealDisk)
    }

    /// What would be asked next of models elsewhere. What this machine answers it answers at once.
    fn wave(&self) -> Result<Vec<Asked>, Failure> {
        let asker = self.asker()?;
        loop {
            let mut gather = Gather(Vec::new());
            plan(&self.workflow, &self.store, self.models.asker(), &(), &mut gather)?;
            let is_here = |asked: &Asked| asker.answers_here(&asked.request.model);
            let (here, elsewhere): (Vec<_>, Vec<_>) = gather.0.into_iter().partition(is_here);
            if here.is_empty() {
                return Ok(elsewhere);
            }
            storymill_core::Asker::ask(asker, &here)?;
            if here.iter().any(|asked| self.models.log().is_none_or(|log| !log.has(&asked.key))) {
                let message = "a model on this machine left requests without an answer";
                return Err(Fault::new(FaultKind::Internal, message).into());
            }
        }
    }
}

/// Gathers what would be asked.
struct Gather(Vec<Asked>);

impl Visitor for Gather {
    const ASKS: bool = true;

    fn asks(&mut self, _: &Step, wave: Vec<Asked>) {
        self.0.extend(wave);
    }
}
