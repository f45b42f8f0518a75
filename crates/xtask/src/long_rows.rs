//! Publishes tables with very long rows, for the readers' test (`tests/readers/long_rows.py`): a
//! dataset for each order of rows, `OUT/ORDER`, and the same texts as contexts that are written out,
//! `OUT/ORDER.parquet`.

#[path = "../../dataset/tests/dataset/long.rs"]
mod long;
#[path = "../../dataset/tests/dataset/support.rs"]
mod support;

use std::{fs::File, path::PathBuf};

use storymill_dataset::materialize::{Record, Sheet};

use crate::Done;
use long::{letters, orders, publish_long};

/// Publishes tables with very long rows
#[derive(clap::Args)]
pub(crate) struct Args {
    out: PathBuf,
}

impl Args {
    pub(crate) fn run(self) -> Done {
        for (name, lengths) in orders() {
            publish_long(&lengths, &self.out.join(name));
            let mut sheet = Sheet::new(File::create(self.out.join(format!("{name}.parquet")))?)?;
            for (at, bytes) in (0..).zip(&lengths) {
                sheet.push(&context(at, *bytes, &letters(at, *bytes)))?;
            }
            sheet.finish()?;
            println!("{name}: {} rows", lengths.len());
        }
        Ok(())
    }
}

fn context(at: u32, bytes: u32, text: &str) -> Record<'_> {
    Record {
        input: "Where?",
        context: text,
        answers: &[],
        length: bytes,
        dataset: "long_16k".to_owned(),
        language: "en",
        all_classes: None,
        answer_keywords: None,
        confusing_facts: &[],
        id: "long/q",
        level: at,
        ablation: "none",
        evidence: Vec::new(),
        cut: (0, 0),
        canary: "c",
    }
}
