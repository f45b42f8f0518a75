//! One table over many pages: what was kept, and how it fits the gold texts.

use std::io::Write;

use serde_json::{Value, json};
use storymill_core::{Fault, FaultKind};
use storymill_sources::{
    gold::{GoldTexts, Score, score, traces},
    page_id,
};

use super::Page;
use crate::{args::Format, exit::Failure, table::Table};

/// The table in the making.
#[derive(Default)]
pub(super) struct Rows(Vec<Row>);

struct Row {
    file: String,
    kept_pm: u16,
    chapters: usize,
    score: Option<Score>,
    traces: Vec<&'static str>,
}

impl Rows {
    pub(super) fn add(&mut self, page: &Page<'_>, shelf: &GoldTexts) -> Result<(), Fault> {
        let file = page.name();
        let lines = page.cleaned.lines();
        let gold = shelf.text(&file, page_id(&file).as_ref())?;
        let mut found = traces(&lines);
        if let Some(gold) = &gold {
            let own = traces(gold);
            found.retain(|trace| !own.contains(trace));
        }
        let heads = page.cleaned.paragraphs.iter();
        self.0.push(Row {
            chapters: heads.filter(|paragraph| paragraph.level == Some(1)).count(),
            kept_pm: page.cleaned.kept_pm,
            score: gold.map(|gold| score(&lines, &gold)),
            traces: found,
            file,
        });
        Ok(())
    }

    pub(super) fn print(&self, format: Format) -> Result<(), Failure> {
        let scored: Vec<Score> = self.0.iter().filter_map(|row| row.score).collect();
        if scored.is_empty() {
            return Err(Fault::new(FaultKind::Input, "none of these pages has a gold text")
                .hint("gold texts are `ID.txt` in the folder, or the column `gold` of the table")
                .into());
        }
        let mean = mean(&scored);
        if format == Format::Json {
            let rows: Vec<_> = self.0.iter().map(as_json).collect();
            super::super::super::json(&json!({ "pages": rows, "mean": object(mean) }))?;
            return Ok(());
        }
        let mut table = Table::new(&[
            "file",
            ">kept %",
            ">chapters",
            ">F1",
            ">P",
            ">R",
            ">leak front",
            ">inside",
            ">back",
            ">lost",
            ">chapter F1",
            ">paragraph F1",
            "traces",
        ]);
        for row in &self.0 {
            let mut cells = vec![row.file.clone()];
            cells.push(format!("{}.{}", row.kept_pm / 10, row.kept_pm % 10));
            cells.push(row.chapters.to_string());
            let scores = row.score.as_ref().map(figures).map(cells_of);
            cells.extend(scores.unwrap_or_else(|| vec!["-".to_owned(); 9]));
            cells.push(row.traces.join(", "));
            table.row(cells);
        }
        let mut cells = vec![format!("mean of {}", scored.len()), String::new(), String::new()];
        cells.extend(cells_of(mean));
        cells.push(String::new());
        table.row(cells);
        write!(crate::screen::out(), "{table}")?;
        Ok(())
    }
}

/// The figures of a score, by name, in the order of the table.
fn figures(score: &Score) -> [(&'static str, f64); 9] {
    let [front, inside, back] = score.leak;
    [
        ("f1", score.f1()),
        ("precision", score.precision),
        ("recall", score.recall),
        ("leak_front", front),
        ("leak_inside", inside),
        ("leak_back", back),
        ("lost", score.lost),
        ("chapter_f1", score.chapters),
        ("paragraph_f1", score.paragraphs),
    ]
}

/// The mean of each figure.
#[expect(clippy::cast_precision_loss, reason = "pages are few")]
fn mean(scores: &[Score]) -> [(&'static str, f64); 9] {
    let mut mean = figures(&Score::default());
    for score in scores {
        for (sum, (_, figure)) in mean.iter_mut().zip(figures(score)) {
            sum.1 += figure / scores.len() as f64;
        }
    }
    mean
}

fn cells_of(figures: [(&'static str, f64); 9]) -> Vec<String> {
    figures.into_iter().map(|(_, figure)| format!("{figure:.3}")).collect()
}

fn object(figures: [(&'static str, f64); 9]) -> Value {
    figures.into_iter().map(|(name, figure)| (name.to_owned(), json!(figure))).collect()
}

fn as_json(row: &Row) -> Value {
    json!({
        "file": row.file,
        "kept_per_mille": row.kept_pm,
        "chapters": row.chapters,
        "score": row.score.as_ref().map(|score| object(figures(score))),
        "traces": row.traces,
    })
}
