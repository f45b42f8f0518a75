//! Where an item of a dataset comes from, back to the bytes of its page.

use serde::Serialize;
use storymill_core::{
    Asks, Book, ByteSpan, Digest, Distortion, Fault, FaultKind, Item, ReadAlongQuestion,
    Reconstruction, Record, Rows, Scene, Span, StateDraft, Stretch, Summary, UnitId,
};

use crate::inventory::Inventory;

/// One thing that an item comes from, and what that comes from.
#[derive(Clone, Debug, Serialize)]
pub struct Origin {
    /// What it is: `question`, `summary`, `scene`, `page`.
    pub what: &'static str,
    /// Its id.
    pub id: String,
    /// The step that made it.
    pub step: String,
    /// The kind and the version of that step.
    pub kind: String,
    /// More that there is to say, as names and values.
    pub facts: Vec<(&'static str, String)>,
    /// Of a page: the first and the last byte of it, decoded, that the item comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<ByteSpan>,
    /// What it comes from in turn.
    pub from: Vec<Origin>,
}

impl Inventory {
    /// Where an item comes from, such as `84/0040/lookahead`: everything of this id that the workflow makes, for
    /// several steps may make the same.
    ///
    /// # Errors
    ///
    /// No step makes such an item, or rows cannot be read.
    pub fn origins(&self, item: &str) -> Result<Vec<Origin>, Fault> {
        let unit = item.split('/').next().unwrap_or_default().parse::<UnitId>();
        let unit = unit.map_err(|error| Fault::new(FaultKind::Input, error.to_string()))?;
        let origins = Lineage { built: self, unit }.find(item)?;
        if origins.is_empty() {
            let message =
                format!("`{item}` is not a question, retelling or scene of this workflow");
            let hint = format!("`storymill inspect out/{}` shows ids", self.workflow.name);
            return Err(Fault::new(FaultKind::Input, message).hint(hint));
        }
        Ok(origins)
    }
}

struct Lineage<'b> {
    built: &'b Inventory,
    unit: UnitId,
}

impl Lineage<'_> {
    /// Everything of this id that the workflow makes: several steps may make the same.
    fn find(&self, id: &str) -> Result<Vec<Origin>, Fault> {
        let mut origins = Vec::new();
        for step in &self.built.workflow.steps {
            let name = step.name.as_str();
            let origin = match step.record() {
                ReadAlongQuestion::NAME => self.question::<ReadAlongQuestion>(name, id)?,
                Reconstruction::NAME => self.question::<Reconstruction>(name, id)?,
                Distortion::NAME => self.distortion(name, id)?,
                StateDraft::NAME => self.draft(name, id)?,
                // A step that passes retellings on has those of the step before.
                Summary::NAME if self.reads(name, Summary::NAME).is_none() => {
                    self.summary(name, id)?
                }
                Summary::NAME if id.contains("/L") => self.summary(name, id)?,
                Scene::NAME => self.scene_of_id(name, id)?,
                _ => None,
            };
            origins.extend(origin);
        }
        Ok(origins)
    }

    /// The rows of a step for the unit.
    fn rows<R: Record>(&self, step: &str) -> Result<Option<Rows<R>>, Fault> {
        let found = self.built.found.iter().find(|one| one.step == step && one.unit == self.unit);
        let part = found.and_then(|found| found.part.as_ref());
        part.map(|part| self.built.rows::<R>(part)).transpose()
    }

    fn row<R: Record>(&self, step: &str, is: impl Fn(&R) -> bool) -> Result<Option<R>, Fault> {
        Ok(self.rows::<R>(step)?.and_then(|rows| rows.iter().find(|row| is(row)).cloned()))
    }

    /// The step from which a step reads rows of a record.
    fn reads(&self, step: &str, record: &str) -> Option<String> {
        self.all_read(step, record).into_iter().next()
    }

    /// All of them.
    fn all_read(&self, step: &str, record: &str) -> Vec<String> {
        let step = self.built.workflow.step(step);
        let edges = step.map(storymill_pipeline::Step::edges).unwrap_or_default();
        edges.into_iter().filter(|edge| edge.record == record).map(|edge| edge.step).collect()
    }

    fn origin(&self, what: &'static str, id: String, step: &str) -> Origin {
        let kind = self.built.workflow.step(step);
        let kind = kind.map(|step| format!("{} {}", step.kind(), step.version()));
        Origin {
            what,
            id,
            step: step.to_owned(),
            kind: kind.unwrap_or_default(),
            facts: Vec::new(),
            bytes: None,
            from: Vec::new(),
        }
    }

    fn question<Q: Asks + Clone>(&self, step: &str, id: &str) -> Result<Option<Origin>, Fault> {
        let Some(row) = self.row::<Q>(step, |one| one.as_ref().id == id)? else {
            return Ok(None);
        };
        let question = row.as_ref();
        let mut origin = self.origin("question", id.to_owned(), step);
        let asked = match question.right() {
            Some(_) => format!("after scene {}", question.asked_at()),
            None => "when the whole book is read".to_owned(),
        };
        origin.facts.push(("asked", asked));
        if let Some(right) = question.right() {
            let right = format!("option {} of {}", u32::from(right) + 1, question.options().len());
            origin.facts.push(("right", right));
        }
        for source in question.sources() {
            // A decoy may tell of another book.
            let unit = source.book.cloned().unwrap_or_else(|| self.unit.clone());
            let of = Lineage { built: self.built, unit };
            let last = source.id.rsplit('/').next().unwrap_or_default();
            let told = if last.starts_with(['d', 'v']) {
                let steps = self.all_read(step, Distortion::NAME).into_iter();
                let mut found = steps.map(|lies| of.distortion(&lies, source.id));
                found.find_map(Result::transpose).transpose()?
            } else if last == "q" {
                self.reads(step, StateDraft::NAME)
                    .map_or(Ok(None), |drafts| of.draft(&drafts, source.id))?
            } else {
                let truths = self.reads(step, Summary::NAME);
                truths.map_or(Ok(None), |truths| of.summary(&truths, source.id))?
            };
            if let Some(mut told) = told {
                let place = source
                    .option
                    .map(|(at, kind)| ("option", format!("{}, {}", at + 1, kind.name())));
                told.facts.splice(0..0, place);
                origin.from.push(told);
            }
        }
        if origin.from.is_empty() {
            let scenes = |about: &Stretch| ("scenes", span_of(about.first_scene, about.last_scene));
            origin.facts.extend(question.about.iter().map(scenes));
        }
        Ok(Some(origin))
    }

    fn distortion(&self, step: &str, id: &str) -> Result<Option<Origin>, Fault> {
        let Some(lie) = self.row::<Distortion>(step, |one| one.id() == id)? else {
            return Ok(None);
        };
        let mut origin = self.origin("distortion", id.to_owned(), step);
        origin.facts.push(("protocol", lie.protocol.clone()));
        origin.facts.extend(
            lie.edits
                .iter()
                .map(|edit| ("edit", format!("{} -> {}", edit.true_event, edit.false_event))),
        );
        origin.facts.extend(answers(&lie.answers));
        if let Some(truths) = self.reads(step, Summary::NAME) {
            origin.from.extend(self.summary(&truths, &lie.summary)?);
        }
        Ok(Some(origin))
    }

    /// A draft, with the retellings that it is made of.
    fn draft(&self, step: &str, id: &str) -> Result<Option<Origin>, Fault> {
        let Some(draft) = self.row::<StateDraft>(step, |one| one.item_id() == id)? else {
            return Ok(None);
        };
        let mut origin = self.origin("draft", id.to_owned(), step);
        origin.facts.push(("speaks of", draft.things.join(", ")));
        origin.facts.extend(draft.evidence.iter().map(|words| ("evidence", words.clone())));
        origin.facts.extend(answers(&draft.answers));
        if let Some(truths) = self.reads(step, Summary::NAME) {
            for scene in &draft.scenes {
                let id = format!("{}/{scene:04}/s0", draft.book);
                origin.from.extend(self.summary(&truths, &id)?);
            }
        }
        Ok(Some(origin))
    }

    fn summary(&self, step: &str, id: &str) -> Result<Option<Origin>, Fault> {
        let Some(truth) = self.row::<Summary>(step, |one| one.id() == id)? else {
            return Ok(None);
        };
        // A step that adds levels passes on what it read.
        if let Some(before) = self.reads(step, Summary::NAME)
            && let Some(origin) = self.summary(&before, id)?
        {
            return Ok(Some(origin));
        }
        let mut origin = self.origin("summary", id.to_owned(), step);
        origin.facts.push(("protocol", truth.protocol.clone()));
        origin.facts.extend(answers(&truth.answers));
        let below = self.reads(step, Summary::NAME);
        match (truth.level, below, self.reads(step, Scene::NAME)) {
            (0, _, Some(scenes)) => {
                origin.from.extend(self.scene(&scenes, truth.first_scene)?);
            }
            (level, ..) if level > 0 => {
                origin.facts.push(("scenes", span_of(truth.first_scene, truth.last_scene)));
                let below = |one: &&Summary| {
                    one.level + 1 == level
                        && one.first_scene >= truth.first_scene
                        && one.last_scene <= truth.last_scene
                };
                if let Some(rows) = self.rows::<Summary>(step)? {
                    let ids: Vec<String> = rows.iter().filter(below).map(Summary::id).collect();
                    origin.facts.push(("from", ids.join(", ")));
                }
            }
            _ => {}
        }
        Ok(Some(origin))
    }

    fn scene_of_id(&self, step: &str, id: &str) -> Result<Option<Origin>, Fault> {
        let scene = self.row::<Scene>(step, |scene| scene.item_id() == id)?;
        scene.map_or(Ok(None), |scene| self.scene(step, scene.scene))
    }

    fn scene(&self, step: &str, at: u32) -> Result<Option<Origin>, Fault> {
        let Some(scene) = self.row::<Scene>(step, |scene| scene.scene == at)? else {
            return Ok(None);
        };
        let mut origin = self.origin("scene", scene.item_id(), step);
        let Span { start, end } = scene.span;
        origin.facts.push(("symbols of the book", format!("{} to {}", start.symbol, end.symbol)));
        origin.facts.push(("bytes of the book", format!("{} to {}", start.byte, end.byte)));
        let Some(books) = self.reads(step, Book::NAME) else { return Ok(Some(origin)) };
        let Some(book) = self.row::<Book>(&books, |book| book.id == scene.book)? else {
            return Ok(Some(origin));
        };
        let mut page = self.origin("page", book.id.to_string(), &books);
        page.facts.push(("title", book.title.clone()));
        page.facts.push(("sha256", book.page.sha256.clone()));
        if !book.source_url.is_empty() {
            page.facts.push(("source", book.source_url.clone()));
        }
        let touched = book
            .paragraphs
            .iter()
            .filter(|paragraph| paragraph.text.start < end.byte && paragraph.text.end > start.byte);
        let bytes = touched
            .map(|paragraph| paragraph.page)
            .reduce(|a, b| ByteSpan { start: a.start.min(b.start), end: a.end.max(b.end) });
        if let Some(bytes) = bytes {
            let place = format!("{} to {}, read as {}", bytes.start, bytes.end, book.page.encoding);
            page.facts.push(("bytes of the decoded page", place));
            page.bytes = Some(bytes);
        }
        origin.from.push(page);
        Ok(Some(origin))
    }
}

fn answers(answers: &[Digest]) -> Vec<(&'static str, String)> {
    if answers.is_empty() {
        return vec![("made", "by rule, no model was asked".to_owned())];
    }
    answers.iter().map(|answer| ("answer", answer.to_string())).collect()
}

fn span_of(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}
