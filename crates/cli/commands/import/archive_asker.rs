//! Answers requests from an archive: what it says goes into the log under the keys that a build
//! looks for.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use storymill::configs;
use storymill_core::{
    Answer, Archive, Asked, Asker, Decisions, Env, Fault, FaultKind, Known, OpenSource, Request,
    RequestKey, Reviews, Source, SourceUnit, Stop, UnitId,
};
use storymill_llm::{AnswerLog, AskerOptions, Mode, ModelAsker, Note, Record, Ticket};
use storymill_pipeline::Workflow;
use storymill_sources::NarrativeXl;
use storymill_transforms::recorded::Recorded;

use crate::exit::Failure;

/// The books of an archive, read one at a time.
pub(super) struct OpenArchive {
    source: Box<dyn OpenSource<Archive>>,
    units: BTreeMap<UnitId, SourceUnit>,
}

impl OpenArchive {
    /// The archive that lies at `source`, seen from `root`.
    pub(super) fn open(root: &Path, source: &NarrativeXl) -> Result<Self, Fault> {
        let source = source.open(&Env::at(root))?;
        let listing = source.units(&Known::default())?;
        let units = listing.units.into_iter().map(|unit| (unit.unit.clone(), unit)).collect();
        Ok(Self { source, units })
    }

    /// The units.
    pub(super) fn units(&self) -> impl Iterator<Item = &UnitId> {
        self.units.keys()
    }

    /// A book, if it can be read.
    pub(super) fn read(&self, unit: &UnitId) -> Result<Option<Archive>, Fault> {
        let listed = self.units.get(unit).filter(|listed| listed.spoiled.is_none());
        let Some(listed) = listed else { return Ok(None) };
        match self.source.read(listed, &mut Reviews::new(Decisions::NONE)) {
            Ok(mut rows) => Ok(rows.pop()),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(_) => Ok(None),
        }
    }
}

/// Answers from an archive; keys are those of a real asker.
pub(super) struct ArchiveAsker<'s> {
    shelf: &'s OpenArchive,
    asker: ModelAsker,
    log: Arc<AnswerLog>,
}

impl<'s> ArchiveAsker<'s> {
    pub(super) fn new(
        workflow: &Workflow,
        shelf: &'s OpenArchive,
        log: Arc<AnswerLog>,
    ) -> Result<Self, Failure> {
        let asker = ModelAsker::new(
            Arc::clone(&log),
            configs(workflow)?,
            AskerOptions { mode: Mode::Frozen, ..AskerOptions::default() },
            Box::new(|_| None),
            Arc::new(()),
            Arc::new(AtomicBool::new(false)),
        )?;
        Ok(Self { shelf, asker, log })
    }

    fn record(&self, archive: &Recorded<'_>, asked: &Asked) -> Result<Record, Fault> {
        let origin = archive.origin(asked).map_or_else(
            || "not in the archive".to_owned(),
            |from| {
                let (file, row, column, nth) = (from.file, from.row, from.column, from.nth);
                format!("archive/{}.{file}, row {row}, {column} {nth}", asked.unit)
            },
        );
        let note = Note {
            unit: asked.unit.to_string(),
            item: asked.item.clone().unwrap_or_default(),
            stage: asked.stage.to_owned(),
            model: asked.request.model.clone(),
            model_id: self.asker.model_id(&asked.request.model)?,
            sample: asked.sample,
            attempt: asked.attempt,
            // What the original asked is not known.
            request: String::new(),
            origin,
            ..Note::default()
        };
        Ok(Record { key: asked.key, answer: archive.answer(asked), note: Some(note) })
    }
}

impl Asker for ArchiveAsker<'_> {
    fn key(
        &self,
        unit: &UnitId,
        request: &Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        self.asker.key(unit, request, sample, attempt)
    }

    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        self.log.get(key)
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        let units: BTreeSet<&UnitId> = wave.iter().map(|asked| &asked.unit).collect();
        let mut last = None;
        for unit in units {
            let archive = self.shelf.read(unit)?.ok_or_else(|| {
                let message = format!("book {unit} can no longer be read");
                Fault::new(FaultKind::Input, message)
            })?;
            let recorded = Recorded::of(&archive);
            for asked in wave.iter().filter(|asked| asked.unit == *unit) {
                last = Some(self.log.append(self.record(&recorded, asked)?)?);
            }
        }
        // Answers become safe in the order in which they came.
        last.map_or(Ok(()), Ticket::wait)
    }
}
