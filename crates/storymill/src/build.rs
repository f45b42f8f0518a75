//! Building: the workflow is run, and what it made is published.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{self, Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use storymill_core::{Decisions, Fault, FaultKind, Lent, Parts, UnitId};
use storymill_dataset::{
    Damage, Depth, Publication, Published, Site, looks, may_publish, publish_on,
};
use storymill_pipeline::{
    Claim, Finished, Lock, LockChange, Outcome, RunOptions, Shard, Store, Workflow, run, run_pilot,
    run_steps,
};

use crate::{
    Dataset, Project,
    damage::Watched,
    events::{Asked, Notice, tell},
    job::Job,
    lapsed,
    models::ModelOptions,
    partners,
    plan::{Bill, bill},
    publication::publication,
    redact::redact,
    settle::By,
    votes::Votes,
    words::plural,
};

/// How a build goes.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// The folder to publish into; [`Project::default_out`] where none is named.
    pub out: Option<PathBuf>,
    /// Whether a dataset of another name there is published over, and its files removed.
    pub replace: bool,
    /// Threads; 0 for as many as there are cores.
    pub threads: usize,
    /// The shard of the units that is worked on. Nothing is published then.
    pub shard: Option<Shard>,
    /// These steps only, by name or number: `scenes`, `3-5`, `3,7`. Nothing is published then, and what they read has
    /// to be there.
    pub steps: Option<String>,
    /// Makes nothing, and publishes if everything is there.
    pub finalize: bool,
    /// The lock that the build has to come to: else nothing is published.
    pub locked: Option<PathBuf>,
    /// Tries so many scenes only, spread over the books, as a dataset of its own.
    pub pilot: Option<u32>,
    /// Where answers come from, and what they may cost.
    pub models: ModelOptions,
}

/// What a build came to.
#[derive(Debug)]
pub struct Built {
    /// The workflow as it was run: what its steps left open is chosen, and a pilot has a name of its own.
    pub workflow: Workflow,
    /// What became of each step; of a private build without its words.
    pub outcome: Outcome,
    /// How it ended.
    pub end: End,
    /// The published folder, if there is one; of a private build it lies in the shelf.
    pub dataset: Option<Dataset>,
    /// Files of the dataset before that are gone.
    pub removed: Vec<String>,
    /// What answers most questions of a set without the book, and what searching it answers, a line each, where that was
    /// looked at in this run.
    pub shortcuts: Vec<String>,
    /// How long the shortest and the longest context of each level are, by LV-Eval's rule, where contexts were written.
    pub lengths: BTreeMap<i32, [u64; 2]>,
    /// How long publishing took, and how long of it the audit of what was written.
    pub publishing: [Duration; 2],
    /// How many units each split has, where there are splits.
    pub books: BTreeMap<String, usize>,
    /// What was asked, if the workflow asks models.
    pub asked: Option<Asked>,
    /// What all would cost, where this was a pilot.
    pub bill: Option<Bill>,
}

/// How a build ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All is built, and published unless it is private.
    Published,
    /// The same, and every file of the dataset was there already.
    Unchanged,
    /// All is built, and lies in a shelf.
    Sealed,
    /// A shard did all that it can, and some of it waits for others.
    Waits,
    /// A shard found all of it built; the build of the whole publishes it.
    Ready,
    /// The steps that were wanted are done, for the shard that was wanted.
    StepsDone,
    /// Something has to be there that is not, and nothing was made: [`Outcome::missing`] names it.
    Misses,
    /// All is built and no table has a row: what was published before stands.
    Empty,
}

impl Built {
    /// How many rejects are more than the workflow expects.
    pub fn unexpected_rejects(&self) -> u64 {
        self.outcome.surprises(self.workflow.publish.expected_rejects)
    }
}

impl Project {
    /// Runs the workflow and publishes what it made. What was made before and still holds is not made again;
    /// a build that is stopped goes on where it was.
    ///
    /// # Errors
    ///
    /// Of kind `Lock`: it is not the build of the lock that it has to come to. `Model`: a model did not answer,
    /// or a limit is reached. `Refused`: a model's answers pass no check. `Interrupted`: it was stopped. `Again`:
    /// another build has the store. Others as files and disks have them.
    pub fn build(&self, options: &BuildOptions) -> Result<Built, Fault> {
        let (workspace, events) = (&self.workspace, &self.events);
        let is_private = workspace.is_private();
        check(options, is_private)?;
        let steps = self.wanted(options)?;
        let name = if options.pilot.is_some() {
            pilot_name(&self.workflow)?
        } else {
            self.workflow.name.clone()
        };
        let out = workspace.out(options.out.as_deref(), &name);
        if options.shard.is_none() && options.steps.is_none() {
            // What would be refused at the end is refused before anything is built or paid for.
            let name = Some(&*name).filter(|_| !options.replace);
            may_publish(&*workspace.disk, &out, name, &|| self.publishes_on())?;
        }
        let locked = options.locked.as_deref().map(Lock::read).transpose()?;
        let mut workflow = self.settled_as(options, locked.as_ref(), &out, name)?;
        let job = options.steps.as_ref().map(|_| Job::of(&workflow, &steps, options));
        let claim = match &job {
            Some(job) => job.claim(),
            None => options.shard.map_or(Claim::Whole, Claim::Shard),
        };
        let store = workspace.claim(claim)?;
        let store = Watched::new(store, events);
        tell(&**events, partners::foretell(&workflow));
        tell(&**events, lapsed::misnamed(&workflow));
        let listener = workspace.listener(events);
        let models = self.models(&workflow, &options.models, &listener);
        if let (Some(job), Err(fault)) = (&job, &models) {
            // Over before it began; without a word it would count as lost.
            job.ended(&store, Err(fault), None, &**events);
        }
        let models = models?;
        let run_options = RunOptions {
            threads: options.threads,
            shard: options.shard,
            stop: &self.surroundings.stop,
        };
        let (asker, listener) = (models.asker(), &*listener);
        let run = match options.pilot {
            Some(scenes) => run_pilot(&workflow, &store, asker, listener, &run_options, scenes),
            None if job.is_some() || options.finalize => {
                run_steps(&workflow, &store, asker, listener, &run_options, &steps)
            }
            None => run(&workflow, &store, asker, listener, &run_options),
        };
        events.run_ended();
        let run = run.inspect_err(|fault| models.look_after(fault, &**events));
        let asked = models.asked();
        if let Some(asked) = asked.as_ref().filter(|_| !is_private) {
            events.asked(asked);
        }
        if let Some(job) = &job {
            let result = run.as_ref().map(|run| run.outcome.missing.is_empty());
            job.ended(&store, result, asked.as_ref(), &**events);
        }
        let mut run = workspace.told(run)?;
        let votes = Votes::of(&workflow, &run.outcome)?;
        self.tell_lapsed(&workflow, &mut run.outcome, is_private);
        let bill = options.pilot.map(|_| bill(&workflow, &store, &models, &())).transpose();
        let bill = workspace.told(bill)?;
        models.close(&**events)?;
        if let Some((locked, lock)) = locked.as_ref().zip(run.outcome.lock.as_ref()) {
            came_to(options.locked.as_deref(), locked, lock)?;
        }
        let (mut published, mut books, start) = (None, BTreeMap::new(), Instant::now());
        let end = match &run.outcome.lock {
            _ if !run.outcome.missing.is_empty() => End::Misses,
            _ if job.is_some() => End::StepsDone,
            None => End::Waits,
            Some(_) if options.shard.is_none() && is_empty(&workflow, &run.outcome) => End::Empty,
            // What a shard leaves is published by the build of the whole.
            Some(_) if options.shard.is_some() => End::Ready,
            Some(lock) => {
                let publication = publication(&workflow, &run, lock, &models, &votes)?;
                self.tell_splits(&workflow, &run, &publication, is_private)?;
                for split in publication.splits.values() {
                    *books.entry(split.clone()).or_default() += 1;
                }
                let done = self.publish(&publication, &votes.beside(&run), &out, &store)?;
                let end = if done.current { End::Unchanged } else { End::Published };
                published = Some(done);
                if is_private { End::Sealed } else { end }
            }
        };
        let lengths = published.as_ref().map_or_else(BTreeMap::new, |done| done.lengths.clone());
        let audit = published.as_ref().map_or(Duration::ZERO, |done| done.audited_in);
        let publishing = [start.elapsed(), audit];
        let outcome = run.outcome;
        let (dataset, removed, shortcuts) = match published {
            Some(done) => {
                let site = Site::on(Arc::clone(&workspace.disk), out);
                // It may quote the names of private tables.
                let shortcuts = if is_private { Vec::new() } else { done.shortcuts };
                (Some(Dataset::new(site, done.manifest)), done.removed, shortcuts)
            }
            None => (None, Vec::new(), Vec::new()),
        };
        let bill = bill.map(|(_, bill)| bill);
        if is_private {
            (workflow.decisions, workflow.lent) = (None, Lent::default());
        }
        Ok(Built {
            workflow,
            outcome,
            end,
            dataset,
            removed,
            shortcuts,
            lengths,
            publishing,
            books,
            asked,
            bill,
        })
    }

    /// The workflow as it runs, held against the lock that it has to come to.
    fn settled_as(
        &self,
        options: &BuildOptions,
        locked: Option<&Lock>,
        out: &Path,
        name: String,
    ) -> Result<Workflow, Fault> {
        let by = By::of(&options.models, locked, &self.workspace, Some(out));
        let mut workflow = self.settled(&by)?;
        if options.pilot.is_some() {
            workflow.name = name;
            workflow.publish.title += " (pilot)";
        }
        if let (Some(lock), Some(path)) = (locked, &options.locked) {
            let disagreements = lock.disagreements(&workflow);
            if !disagreements.is_empty() {
                return Err(not_as_locked(path, &disagreements, "nothing was run"));
            }
        }
        Ok(workflow)
    }

    /// Tells which decisions found no item; of a private run what is private goes from the outcome.
    fn tell_lapsed(&self, workflow: &Workflow, outcome: &mut Outcome, is_private: bool) {
        if is_private {
            tell(&*self.events, lapsed::lapsed_privately(&outcome.lapsed));
            return redact(outcome);
        }
        let decisions = workflow.decisions.as_ref().unwrap_or(Decisions::NONE);
        let items = outcome.reviews.iter().map(|one| &one.review);
        tell(&*self.events, lapsed::lapsed(&outcome.lapsed, items, decisions, &self.file));
    }

    /// Tells what is odd about the splits.
    fn tell_splits(
        &self,
        workflow: &Workflow,
        run: &Finished<'_>,
        publication: &Publication,
        is_private: bool,
    ) -> Result<(), Fault> {
        if !is_private {
            tell(&*self.events, empty_splits(workflow, publication));
            tell(&*self.events, partners::strangers(workflow, run, &publication.splits)?);
        }
        Ok(())
    }

    /// The steps that are wanted; none where all are.
    fn wanted(&self, options: &BuildOptions) -> Result<BTreeSet<String>, Fault> {
        let Some(named) = &options.steps else { return Ok(BTreeSet::new()) };
        let steps = self.workflow.steps_named(named)?;
        let ruling = steps.iter().filter_map(|name| self.workflow.step(name));
        if let (Some(step), Some(shard)) =
            (ruling.into_iter().find(|step| step.is_corpus_stage()), options.shard)
        {
            let message =
                format!("`{}` rules on all units at once, and has no shard {shard}", step.name);
            return Err(Fault::new(FaultKind::Input, message).hint("leave `--shard` out"));
        }
        Ok(steps)
    }

    /// A fault once somebody wants a stop.
    fn publishes_on(&self) -> Result<(), Fault> {
        let hint = "what is built is kept; run the same command again to publish it";
        self.surroundings.go_on("publishing", hint)
    }

    /// Publishes; where all of it seems to be there already, looks whether it is whole. What was whole and looks as
    /// it did is not read again.
    fn publish(
        &self,
        publication: &Publication,
        parts: &dyn Parts,
        out: &Path,
        store: &Store,
    ) -> Result<Published, Fault> {
        let warn = |message: String| self.events.notice(Notice::warning(message));
        let disk = &self.workspace.disk;
        let site = Site::on(Arc::clone(disk), out);
        let tables = self.registry.tables();
        let publish = || publish_on(publication, tables, parts, disk, out, &|| self.publishes_on());
        let published = publish()?;
        if !published.current {
            return Ok(published);
        }
        let there = path::absolute(out).unwrap_or_else(|_| out.to_owned());
        // Taken before the files are read: a change meanwhile shows the next time.
        let looks = looks(&there, &published.manifest).filter(|_| !self.workspace.is_private());
        if looks.is_some_and(|looks| store.knows_as_whole(&there, &looks)) {
            return Ok(published);
        }
        let damage = storymill_dataset::check(&site, Depth::Bytes)?;
        if damage.is_empty() {
            if let Some(looks) = looks {
                store.remember_as_whole(&there, &looks);
            }
            return Ok(published);
        }
        for Damage { path, wrong } in &damage {
            warn(format!("{}: {wrong}; it is written anew", path.display()));
            // A file that is missing is written anew by the publisher.
            disk.remove(path).or_else(|error| match error.kind() {
                std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(Fault::io("cannot remove", path, error)),
            })?;
        }
        publish()
    }
}

/// Refuses what goes together with nothing.
fn check(options: &BuildOptions, is_private: bool) -> Result<(), Fault> {
    let message = match options {
        BuildOptions { pilot: Some(0), .. } => "a pilot takes at least 1 scene",
        BuildOptions { pilot: Some(_), shard: Some(_), .. } => {
            "a pilot goes through all units, so it has no shards"
        }
        BuildOptions { pilot: Some(_), steps: Some(_), .. }
        | BuildOptions { pilot: Some(_), finalize: true, .. } => {
            "a pilot does all its steps at once"
        }
        BuildOptions { finalize: true, shard: Some(_), .. }
        | BuildOptions { finalize: true, steps: Some(_), .. } => {
            "what publishes does no steps and has no shards"
        }
        BuildOptions { steps: Some(_), .. } if is_private => {
            "a project in a shelf is built by one run, and not step by step"
        }
        BuildOptions { steps: Some(_), locked: Some(_), .. } => {
            "a lock is held against what is published, and steps publish nothing"
        }
        BuildOptions { models: ModelOptions { answers: Some(_), .. }, .. } if is_private => {
            "what models say of private books is kept in the shelf, and in no other folder"
        }
        _ => return Ok(()),
    };
    Err(Fault::new(FaultKind::Input, message))
}

/// The name of a pilot: whatever comes of it is not the dataset, and is not called so.
fn pilot_name(workflow: &Workflow) -> Result<String, Fault> {
    let name = format!("{}-pilot", workflow.name);
    match name.parse::<UnitId>() {
        Ok(_) => Ok(name),
        Err(error) => {
            let message = format!("a pilot of this workflow would be named `{name}`");
            let fault = Fault::new(FaultKind::Input, message).because(error);
            Err(fault
                .hint("nothing was asked; a `name` of at most 58 letters leaves room for `-pilot`"))
        }
    }
}

/// Whether no table has a row: nothing is published then.
fn is_empty(workflow: &Workflow, outcome: &Outcome) -> bool {
    let mut parts = workflow.configs.iter().flat_map(|config| &outcome.parts[&config.from]);
    parts.all(|part| part.rows == 0)
}

/// The fault of a build that is not the one its lock describes.
/// Whether a build came to the lock that it had to come to.
fn came_to(path: Option<&Path>, locked: &Lock, lock: &Lock) -> Result<(), Fault> {
    let Some(path) = path.filter(|_| locked != lock) else { return Ok(()) };
    let causes = LockChange::between(locked, lock).causes;
    let causes: Vec<_> = causes.iter().map(ToString::to_string).collect();
    Err(not_as_locked(path, &causes, "nothing was published"))
}

fn not_as_locked(lock: &Path, why: &[String], so: &str) -> Fault {
    const SHOWN: usize = 5;
    let more = why.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let why = why[..why.len().min(SHOWN)].join("; ");
    let message = format!("the build is not the one that the lock describes, and {so}");
    let message = if why.is_empty() { message } else { format!("{message} ({why}{more})") };
    Fault::new(FaultKind::Lock, message).at(lock).hint(
        "build without `--locked`, compare with `storymill diff OLD.lock NEW.lock`, and keep the new one if it is meant",
    )
}

/// A share that was asked for and got no book is easily overlooked.
fn empty_splits(workflow: &Workflow, publication: &Publication) -> Vec<Notice> {
    let Some(step) = workflow.publish.split.as_ref().and_then(|name| workflow.step(name)) else {
        return Vec::new();
    };
    let options: serde_json::Value = serde_json::from_str(&step.options()).unwrap_or_default();
    let wanted = ["validation", "test"].into_iter().filter(|split| {
        options[*split].as_f64().unwrap_or(0.0) > 0.0
            && !publication.splits.values().any(|own| own == split)
    });
    let notice = |split: &str| {
        let books = plural(publication.splits.len() as u64, "book");
        Notice::warning(format!(
            "the split `{split}` is empty: none of {books} went there; with at least as many authors as splits each split gets one, unless a base lock has placed them all"
        ))
    };
    wanted.map(notice).collect()
}
