//! The desk of a workflow or of a set of claims: what people are asked of it, and the files with what they said.

use std::{path::PathBuf, sync::Arc};

use storymill_core::{Decision, Fault, FaultKind, ReviewRule};
use storymill_review::{
    Desk, Item,
    file::{File, News},
    queue::of,
};

use crate::{Inventory, Project};

/// What people are asked of a workflow as far as it is built, or of a set of claims, and what they said.
#[derive(Debug)]
pub struct OpenDesk {
    /// Items, votes, and what each person may see.
    pub desk: Desk,
    /// The name of the workflow or the set.
    pub name: String,
    /// How many units some step is still to be built for: there may be more items then.
    pub to_build: usize,
    /// Whether the books are private: then nothing of it is shown unless somebody asks for it.
    pub is_private: bool,
    /// What was said before there was a file of decisions.
    before: Vec<Decision>,
    /// The files of decisions. What is said is written into the first.
    files: Vec<File>,
}

impl Project {
    /// Opens the desk of the workflow, or of one queue of it. Answers lie in the folder that is named, else in the store.
    ///
    /// # Errors
    ///
    /// What was built cannot be read, or a file of decisions.
    pub fn desk(&self, inventory: &Inventory, queue: Option<&str>) -> Result<OpenDesk, Fault> {
        let workflow = self.lent()?;
        let disk = &self.workspace.disk;
        let open = |path: &PathBuf| File::new(Arc::clone(disk), path.clone());
        let files = workflow.decided.iter().map(open).collect();
        let items = inventory.found.iter().flat_map(|found| {
            found.trace.reviews.iter().map(move |review| Item {
                step: found.step.clone(),
                unit: found.unit.clone(),
                review: review.clone(),
            })
        });
        let items =
            items.filter(|item| queue.is_none_or(|name| of(&item.review.code).name == name));
        let mut open =
            OpenDesk::new(&workflow.name, items.collect(), workflow.review.clone(), files)?;
        open.to_build = inventory.to_build;
        open.is_private = self.workspace.is_private();
        Ok(open)
    }
}

impl OpenDesk {
    /// A desk of items, with what stands in files of decisions.
    ///
    /// # Errors
    ///
    /// A file of decisions cannot be read.
    pub fn new(
        name: &str,
        items: Vec<Item>,
        rule: ReviewRule,
        mut files: Vec<File>,
    ) -> Result<Self, Fault> {
        let mut lines = Vec::new();
        for file in &mut files {
            lines.extend(file.read()?.added);
        }
        let desk = Desk::new(items, lines, rule);
        let name = name.to_owned();
        Ok(Self { desk, name, to_build: 0, is_private: false, before: Vec::new(), files })
    }

    /// The same with what was said before there was a file of decisions.
    #[must_use]
    pub fn with(mut self, before: Vec<Decision>) -> Self {
        for line in &before {
            self.desk.take(line.clone());
        }
        Self { before, ..self }
    }

    /// Saves what people said, all of it or nothing, and takes in what others have said since. What it returns from
    /// survives a power cut.
    ///
    /// # Errors
    ///
    /// The workflow names no file of decisions, or the disk fails: then nothing was saved.
    pub fn save(&mut self, lines: &[Decision]) -> Result<(), Fault> {
        let file = self.files.first_mut().ok_or_else(no_file)?;
        let news = file.append(lines)?;
        self.take(news);
        self.refresh().map(drop)
    }

    /// Takes in what others have said since. Whether there was anything.
    ///
    /// # Errors
    ///
    /// A file of decisions cannot be read.
    pub fn refresh(&mut self) -> Result<bool, Fault> {
        let mut any = false;
        for at in 0..self.files.len() {
            let news = self.files[at].read()?;
            any |= self.take(news);
        }
        Ok(any)
    }

    fn take(&mut self, news: News) -> bool {
        if news.went_back {
            let lines = self.files.iter().flat_map(File::lines);
            self.desk.stands(self.before.iter().cloned().chain(lines).collect());
            return true;
        }
        let mut any = false;
        for line in news.added {
            any |= self.desk.take(line);
        }
        any
    }

    /// The file that is written.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.files.first().map(File::path)
    }
}

pub(crate) fn no_file() -> Fault {
    let hint = "write `decisions = [\"decisions.jsonl\"]` at the top of it; the file is made with the first decision";
    Fault::new(FaultKind::Input, "the workflow names no file of decisions").hint(hint)
}
