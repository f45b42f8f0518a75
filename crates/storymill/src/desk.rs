//! The desk of a workflow: what people are asked in it, and the files with what they said.

use std::{path::PathBuf, sync::Arc};

use storymill_core::{Decision, Fault, FaultKind};
use storymill_review::{
    Desk, Item,
    file::{File, News},
};

use crate::{Inventory, Project};

/// What people are asked in a workflow as far as it is built, and what they said.
#[derive(Debug)]
pub struct OpenDesk {
    /// Items, votes, and what each person may see.
    pub desk: Desk,
    /// The workflow's name.
    pub name: String,
    /// How many units some step is still to be built for: there may be more items then.
    pub to_build: usize,
    /// Whether the books are private: then nothing of it is shown unless somebody asks for it.
    pub is_private: bool,
    /// The files of decisions. What is said is written into the first.
    files: Vec<File>,
}

impl Project {
    /// Opens the desk of the workflow. Answers lie in the folder that is named, else in the store.
    ///
    /// # Errors
    ///
    /// What was built cannot be read, or a file of decisions.
    pub fn desk(&self, inventory: &Inventory) -> Result<OpenDesk, Fault> {
        let workflow = self.lent()?;
        let disk = &self.workspace.disk;
        let open = |path: &PathBuf| File::new(Arc::clone(disk), path.clone());
        let mut files: Vec<File> = workflow.decided.iter().map(open).collect();
        let mut lines = Vec::new();
        for file in &mut files {
            lines.extend(file.read()?.added);
        }
        let items = inventory.found.iter().flat_map(|found| {
            found.trace.reviews.iter().map(move |review| Item {
                step: found.step.clone(),
                unit: found.unit.clone(),
                review: review.clone(),
            })
        });
        Ok(OpenDesk {
            desk: Desk::new(items.collect(), lines, workflow.review.clone()),
            name: workflow.name.clone(),
            to_build: inventory.to_build,
            is_private: self.workspace.is_private(),
            files,
        })
    }
}

impl OpenDesk {
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
            let lines = self.files.iter().flat_map(File::lines).collect();
            self.desk.stands(lines);
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
