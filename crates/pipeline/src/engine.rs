//! One step for one unit: is it current, and if not, making it. Plans and runs share this.

mod corpus;
mod family;
mod listing;
mod mend;

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{
    Asked, Asker, Cx, Decisions, Digest, EdgeSpec, Env, Fault, FaultKind, Judged, PartRef,
    Partners, Parts, Review, Reviews, Said, Seed, SourceUnit, Standing, Stop, Trace, UnitId,
    canonical,
};

use crate::{
    Event, Events, Lock, Step, StepKind, Store, Workflow,
    erased::{AnyOpenSource, Encoded},
    pilot::Chosen,
    run_state::{Answers, Cell, RunState},
    store::{KeyParts, Made, Marker},
};

pub(crate) use corpus::{CorpusStep, FactOf};

use family::{Families, Family};
use listing::Listings;

/// Everything that looking and making need.
pub(crate) struct Engine<'a> {
    pub(crate) workflow: &'a Workflow,
    pub(crate) store: &'a Store,
    pub(crate) asker: &'a dyn Asker,
    pub(crate) state: RunState,
    sources: BTreeMap<String, Box<dyn AnyOpenSource>>,
    /// The units of each source.
    pub(crate) units: BTreeMap<String, BTreeMap<UnitId, SourceUnit>>,
    /// The lock that this version grows from.
    pub(crate) base: Option<Lock>,
    /// What a pilot works on; none where everything is worked on.
    pub(crate) pilot: Option<Chosen>,
    families: BTreeMap<String, Families>,
    /// Whether this run writes down what it finds out of markers.
    pub(crate) keeps_indexes: bool,
}

impl std::fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("store", &self.store).finish_non_exhaustive()
    }
}

/// What looking at a step and a unit finds.
pub(crate) enum Look {
    /// It is there.
    Current(Box<Marker>),
    /// An input was rejected: there is nothing to do.
    Blocked,
    /// An input of these steps is still to be made.
    Pending(String),
    /// It has to be made, from these parts.
    Stale(Box<KeyParts>, Vec<Vec<PartRef>>),
}

/// What making gives.
pub(crate) enum Work {
    /// Rows, and the answers that were judged for them.
    Made(Box<Marker>, Vec<Judged>),
    /// Requests that wait for answers; those that came before, and what became of them.
    Waiting { asked: Vec<Asked>, judged: Vec<Judged>, trace: Box<Trace> },
}

/// What a source or stage came to for a unit, before anything of it is kept.
struct Tried {
    result: Result<Encoded, Stop>,
    trace: Trace,
    /// Requests that it waits for.
    asked: Vec<Asked>,
    judged: Vec<Judged>,
}

impl<'a> Engine<'a> {
    /// Opens all sources, lists their units and reads the base lock.
    pub(crate) fn new(
        workflow: &'a Workflow,
        store: &'a Store,
        asker: &'a dyn Asker,
        events: &dyn Events,
    ) -> Result<Self, Fault> {
        let env = Env { root: &workflow.root, lent: &workflow.lent };
        let mut listings = Listings::open(store)?;
        let (mut sources, mut units) = (BTreeMap::new(), BTreeMap::new());
        for step in &workflow.steps {
            let StepKind::Source(source) = &step.kind else { continue };
            let source = source.open(&env)?;
            let listing = listings.list(workflow, step, &*source)?;
            for message in listing.notes {
                events.emit(Event::Note { step: step.name.clone(), message });
            }
            events
                .emit(Event::SourceListed { step: step.name.clone(), units: listing.units.len() });
            if listing.units.is_empty() {
                let message = format!("the source `{}` holds nothing to build from", step.name);
                return Err(Fault::new(FaultKind::Input, message)
                    .hint("is its `path` right, and do its other options leave anything?"));
            }
            for (other, theirs) in &units {
                let theirs: &BTreeMap<UnitId, SourceUnit> = theirs;
                if let Some(shared) =
                    listing.units.iter().find(|unit| theirs.contains_key(&unit.unit))
                {
                    let message = format!(
                        "the sources `{other}` and `{}` both have a unit {}",
                        step.name, shared.unit
                    );
                    let hint = "ids must differ over all sources: rename a file, or take fewer with `ids` or `files`";
                    return Err(Fault::new(FaultKind::Input, message).hint(hint));
                }
            }
            let listed: BTreeMap<_, _> =
                listing.units.into_iter().map(|unit| (unit.unit.clone(), unit)).collect();
            units.insert(step.name.clone(), listed);
            sources.insert(step.name.clone(), source);
        }
        listings.keep();
        let base = workflow.base.as_deref().map(Lock::read).transpose()?;
        let state = RunState::new(workflow);
        let families =
            workflow.steps.iter().map(|step| (step.name.clone(), Families::default())).collect();
        Ok(Self {
            workflow,
            store,
            asker,
            state,
            sources,
            units,
            base,
            pilot: None,
            families,
            keeps_indexes: false,
        })
    }

    /// The units that a step works on.
    pub(crate) fn units_of(&self, step: &Step) -> impl Iterator<Item = &UnitId> {
        self.units[&step.source].keys()
    }

    /// The scenes of a unit that a pilot has a step work on; none where it works on all.
    fn only(&self, step: &Step, unit: &UnitId) -> Option<&BTreeSet<u32>> {
        let chosen = self.pilot.as_ref().filter(|_| step.asks_outside(self.workflow))?;
        chosen.of(unit)
    }

    /// Looks at a source or stage for a unit.
    pub(crate) fn look(&self, step: &Step, unit: &UnitId) -> Result<Look, Fault> {
        let family = self.family(step)?;
        if let StepKind::Source(_) = &step.kind {
            let digest = self.units[&step.source][unit].digest;
            return self.look_by_key(family, unit, family.from(vec![digest]), Vec::new());
        }
        let edges = step.edges();
        match self.find(&edges, unit)? {
            Ok(found) => {
                let inputs = inputs(&edges, &found);
                let pilot = self.only(step, unit).map(Chosen::digest);
                let from = KeyParts { pilot, ..family.from(inputs) };
                self.look_by_key(family, unit, from, found)
            }
            Err(look) => Ok(look),
        }
    }

    /// The parts that edges lead to, edge by edge; else what stands in the way.
    fn find(
        &self,
        edges: &[EdgeSpec],
        unit: &UnitId,
    ) -> Result<Result<Vec<Vec<PartRef>>, Look>, Fault> {
        let mut found = Vec::with_capacity(edges.len());
        let mut pending = None;
        for edge in edges {
            let mut parts = Vec::new();
            match &edge.by {
                None => match self.state.get(&edge.step, unit) {
                    Some(Cell::Part(part)) => parts.push(part),
                    Some(Cell::Rejected) => return Ok(Err(Look::Blocked)),
                    Some(Cell::Pending) | None => pending = pending.or(Some(edge.step.clone())),
                },
                Some(corpus_stage) => {
                    for partner in self.partners(corpus_stage, unit)? {
                        match self.state.get(&edge.step, &partner) {
                            Some(Cell::Part(part)) => parts.push(part),
                            Some(Cell::Rejected) => {}
                            Some(Cell::Pending) | None => {
                                pending = pending.or(Some(edge.step.clone()));
                            }
                        }
                    }
                }
            }
            found.push(parts);
        }
        Ok(match pending {
            Some(step) => Err(Look::Pending(step)),
            None => Ok(found),
        })
    }

    /// The units that a corpus stage makes a unit's partners, each once, in order. None while it has not ruled: its own
    /// edge tells of that.
    fn partners(&self, corpus_stage: &str, unit: &UnitId) -> Result<BTreeSet<UnitId>, Fault> {
        let Some(Cell::Part(part)) = self.state.get(corpus_stage, unit) else {
            return Ok(BTreeSet::new());
        };
        let parts: &dyn Parts = self;
        let rows = parts.rows::<Partners>(&part)?;
        Ok(rows.iter().flat_map(|row| row.places.iter().cloned()).collect())
    }

    fn look_by_key(
        &self,
        family: &Family,
        unit: &UnitId,
        from: KeyParts,
        found: Vec<Vec<PartRef>>,
    ) -> Result<Look, Fault> {
        match self.current(family, unit, &from)? {
            Some(marker) => Ok(Look::Current(Box::new(marker))),
            None if !from.models.is_empty() => {
                // What was made before under other options has read answers too: they stay the
                // ones that count.
                for marker in self.store.markers(&from.kind, unit)? {
                    self.asker.favour(&marker.trace.reads);
                }
                Ok(Look::Stale(Box::new(from), found))
            }
            None => Ok(Look::Stale(Box::new(from), found)),
        }
    }

    /// The marker of a key if it holds: as the index has it, else from its file.
    fn current(
        &self,
        family: &Family,
        unit: &UnitId,
        from: &KeyParts,
    ) -> Result<Option<Marker>, Fault> {
        if let Some(marker) = family.index.find(self.store, unit, from)
            && self.is_current(&marker)?
        {
            return Ok(Some(marker));
        }
        let Some(marker) = self.store.marker(&from.kind, unit, &from.key())? else {
            return Ok(None);
        };
        if !self.is_current(&marker)? {
            return Ok(None);
        }
        self.index(family, unit, &marker);
        Ok(Some(marker))
    }

    fn index(&self, family: &Family, unit: &UnitId, marker: &Marker) {
        if self.keeps_indexes {
            family.index.note(self.store, unit, marker);
        }
    }

    /// Whether a marker still holds: its part is there, every answer it read is unchanged, and people
    /// have decided no other way.
    fn is_current(&self, marker: &Marker) -> Result<bool, Fault> {
        self.asker.favour(&marker.trace.reads);
        for (key, digest) in &marker.trace.reads {
            if self.asker.get(key)?.map(|answer| answer.digest()) != Some(*digest) {
                return Ok(false);
            }
        }
        if !self.is_decided(&marker.trace) {
            return Ok(false);
        }
        match &marker.made {
            Made::Rows(digest, _) => self.store.has_part(digest),
            Made::Unkept(..) | Made::Rejected(_) | Made::LeftOut(_) => Ok(true),
        }
    }

    pub(crate) fn decisions(&self) -> &Decisions {
        self.workflow.decisions.as_ref().unwrap_or(Decisions::NONE)
    }

    /// Whether people still say of each item what they said when it was made.
    fn is_decided(&self, trace: &Trace) -> bool {
        let Some(decisions) = &self.workflow.decisions else { return true };
        let before: BTreeMap<_, _> =
            trace.decided.iter().map(|(review, choice)| (review, choice.as_str())).collect();
        if before.is_empty() && trace.votes.is_empty() && decisions.is_empty() {
            return true;
        }
        let said: BTreeMap<_, _> = trace.said.iter().map(|(review, said)| (review, said)).collect();
        let votes: BTreeMap<_, _> = trace.votes.iter().copied().collect();
        // An item from which nothing follows cannot be decided.
        let mut open = trace.reviews.iter().filter(|review| review.choices.len() > 1);
        open.all(|review| {
            let ids = [review.id(), review.former_id()];
            let was = ids.iter().find_map(|id| before.get(id).copied());
            let was_said = ids.iter().find_map(|id| said.get(id).copied());
            let read = votes.get(&ids[0]);
            let same = match decisions.standing_of(&ids) {
                Standing::Decided { choice, said, .. } => {
                    was == Some(choice) && *was_said.unwrap_or(&Said::Nothing) == *said
                }
                Standing::Open(_) | Standing::Disputed(_) => was.is_none(),
            };
            same && read.is_none_or(|read| *read == decisions.votes_digest(review))
        })
    }

    /// What people decided on a unit when a kind of step was made for it before.
    pub(crate) fn followed(&self, kind: &str, unit: &UnitId) -> Result<BTreeSet<Digest>, Fault> {
        if self.decisions().is_empty() {
            return Ok(BTreeSet::new());
        }
        let markers = self.store.markers(kind, unit)?;
        let decided = markers.iter().flat_map(|marker| &marker.trace.decided);
        Ok(decided.map(|(review, _)| *review).collect())
    }

    /// The items that making a unit would put before people, if that needs no answer; nothing is kept.
    pub(crate) fn items(
        &self,
        step: &Step,
        unit: &UnitId,
        found: &[Vec<PartRef>],
    ) -> Option<Vec<Review>> {
        let tried = self.work(step, unit, found);
        let stopped = matches!(tried.result, Err(Stop::Fault(_) | Stop::Waiting));
        (tried.asked.is_empty() && !stopped).then_some(tried.trace.reviews)
    }

    /// The answers that a stage holds against its checks for a unit; nothing is kept.
    pub(crate) fn judged(&self, step: &Step, unit: &UnitId) -> Result<Vec<Judged>, Fault> {
        if !matches!(step.kind, StepKind::Stage(_)) {
            return Ok(Vec::new());
        }
        let found = self.find(&step.kind.options().edges(), unit)?;
        Ok(found.map_or_else(|_| Vec::new(), |found| self.work(step, unit, &found).judged))
    }

    /// Makes a source's or stage's rows for a unit, and keeps them.
    pub(crate) fn make(
        &self,
        step: &Step,
        unit: &UnitId,
        from: KeyParts,
        found: &[Vec<PartRef>],
    ) -> Result<Work, Fault> {
        let Tried { result, trace, asked, judged } = self.work(step, unit, found);
        match result {
            Err(Stop::Fault(fault)) => {
                if matches!(step.kind, StepKind::Source(_)) {
                    self.store.forget(listing::FILE.as_ref());
                }
                Err(named(fault, &step.name, unit))
            }
            // Whatever a stage made while it waits is not final, even if it says so.
            _ if !asked.is_empty() => Ok(Work::Waiting { asked, judged, trace: Box::new(trace) }),
            result => self
                .keep(self.family(step)?, unit, from, (result, trace), step.is_kept())
                .map(|marker| Work::Made(Box::new(marker), judged))
                .map_err(|fault| named(fault, &step.name, unit)),
        }
    }

    /// Runs a source or stage for a unit.
    fn work(&self, step: &Step, unit: &UnitId, found: &[Vec<PartRef>]) -> Tried {
        let seed = Seed::new(self.workflow.seed);
        match &step.kind {
            StepKind::Source(_) => {
                let listed = &self.units[&step.source][unit];
                let mut reviews = Reviews::new(self.decisions());
                let result = match &listed.spoiled {
                    Some(reason) => Err(Stop::Reject(reason.clone())),
                    None => self.sources[&step.source].read(listed, &mut reviews),
                };
                let trace = Trace::of(reviews.finish());
                Tried { result, trace, asked: Vec::new(), judged: Vec::new() }
            }
            StepKind::Stage(stage) => {
                let cx = Cx::new(stage.kind(), unit, seed, self.asker);
                let mut cx = cx.with(self.decisions()).only(self.only(step, unit));
                let result = stage.run(found, self, &mut cx);
                let judged = cx.judged();
                let (trace, asked) = cx.finish();
                Tried { result, trace, asked, judged }
            }
            StepKind::Corpus(_) => unreachable!("corpus stages are run by `rule`"),
        }
    }

    /// Writes what came of a step, the part first and its marker after it.
    fn keep(
        &self,
        family: &Family,
        unit: &UnitId,
        from: KeyParts,
        (result, trace): (Result<Encoded, Stop>, Trace),
        kept: bool,
    ) -> Result<Marker, Fault> {
        let made = match result {
            Ok(encoded) if !kept => Made::Unkept(Digest::of(&encoded.bytes), encoded.rows),
            Ok(encoded) => Made::Rows(self.store.put_part(&encoded.bytes)?, encoded.rows),
            Err(Stop::Reject(reason)) => Made::Rejected(reason),
            Err(Stop::LeftOut(reason)) => Made::LeftOut(reason),
            Err(Stop::Fault(fault)) => return Err(fault),
            Err(Stop::Waiting) => {
                let message = format!("`{}` waits for an answer where it cannot ask", from.kind);
                return Err(Fault::new(FaultKind::Internal, message));
            }
        };
        let marker = Marker { from, made, trace };
        self.store.put_marker(unit, &marker)?;
        self.index(family, unit, &marker);
        Ok(marker)
    }

    /// Notes what a marker says.
    pub(crate) fn note(&self, step: &Step, unit: &UnitId, marker: &Marker) {
        self.state.set(&step.name, unit, marker.part(unit).map_or(Cell::Rejected, Cell::Part));
        if let Some(digest) = followed(&marker.trace) {
            self.state.note_decisions(&step.name, unit, digest);
        }
        let reads = &marker.trace.reads;
        if !reads.is_empty() {
            let parts =
                reads.iter().flat_map(|(key, digest)| [&key.0.as_bytes()[..], digest.as_bytes()]);
            let digest = Digest::of_parts("storymill 2026 answers read v1", parts);
            let exchanged = marker.trace.exchanged.clone();
            // One answer may have been read twice.
            let read = exchanged.values().map(|model| model.answers).sum();
            let changes = marker.trace.changes.clone();
            let answers = Answers { read, digest, exchanged, changes };
            self.state.note_answers(&step.name, unit, answers);
        }
    }
}

/// A digest of what people decided and a step followed; none where nobody decided anything.
fn followed(trace: &Trace) -> Option<Digest> {
    let Trace { decided, said, votes, .. } = trace;
    let voted = votes.iter().any(|(_, read)| *read != Decisions::no_votes());
    if decided.is_empty() && !voted {
        return None;
    }
    let beyond: Vec<String> = said.iter().map(canonical::json).collect();
    let mut parts: Vec<&[u8]> = Vec::new();
    for (review, choice) in decided {
        parts.extend([&review.as_bytes()[..], choice.as_bytes()]);
    }
    parts.extend(beyond.iter().map(String::as_bytes));
    if voted {
        parts.extend(votes.iter().map(|(_, read)| &read.as_bytes()[..]));
    }
    Some(Digest::of_parts("storymill 2026 decisions read v1", parts))
}

/// What a key holds of each edge: the digest of the unit's rows, or one over the rows of its partners.
fn inputs(edges: &[EdgeSpec], found: &[Vec<PartRef>]) -> Vec<Digest> {
    let input = |(edge, parts): (&EdgeSpec, &Vec<PartRef>)| {
        if edge.by.is_none() {
            return parts[0].digest;
        }
        let parts = parts
            .iter()
            .flat_map(|part| [part.unit.as_str().as_bytes(), &part.digest.as_bytes()[..]]);
        Digest::of_parts("storymill 2026 partners v1", parts)
    };
    edges.iter().zip(found).map(input).collect()
}

/// A fault that names no file says at least which step and unit it came from.
fn named(fault: Fault, step: &str, unit: &UnitId) -> Fault {
    if fault.path.is_some() {
        return fault;
    }
    Fault { message: format!("`{step}`, unit {unit}: {}", fault.message), ..fault }
}
