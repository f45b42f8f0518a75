//! Tables beside pictures, as the template takes them.

use serde::Serialize;

use crate::{
    cell::{Cell, Shift},
    figures::Table,
    report::Part,
    words::{decimal, number, thousands},
};

#[derive(Debug, Serialize)]
pub(super) struct TableView {
    caption: String,
    heads: Vec<String>,
    rows: Vec<RowView>,
}

#[derive(Debug, Serialize)]
struct RowView {
    name: String,
    cells: Vec<CellView>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct CellView {
    pub(super) value: String,
    pub(super) interval: String,
    questions: String,
    pub(super) marks: &'static str,
    words: &'static str,
}

pub(super) fn table_view(table: &Table, title: &str, noun: &str) -> TableView {
    let heads = table.groups.iter().map(|group| {
        let chance =
            group.chance.map_or_else(String::new, |chance| format!(", chance {}", decimal(chance)));
        format!("{} ({}{chance})", group.label, number(group.questions, noun))
    });
    let rows = table.lines.iter().map(|line| RowView {
        name: format!("{} · {}", line.model, line.setting),
        cells: line
            .cells
            .iter()
            .map(|cell| cell.as_ref().map(cell_view).unwrap_or_default())
            .collect(),
    });
    TableView { caption: title.to_owned(), heads: heads.collect(), rows: rows.collect() }
}

pub(super) fn against_table(part: &Part) -> TableView {
    let heads = part.demand.groups.iter().map(|group| group.label.clone());
    let rows = part.against_evidence.iter().map(|one| RowView {
        name: format!("{} · {} less evidence", one.model, one.setting),
        cells: std::iter::once(Some(&one.all))
            .chain(one.shifts.iter().map(Option::as_ref))
            .map(|shift| shift.map(shift_view).unwrap_or_default())
            .collect(),
    });
    TableView {
        caption: "Against the evidence alone".to_owned(),
        heads: std::iter::once("all".to_owned()).chain(heads).collect(),
        rows: rows.collect(),
    }
}

pub(super) fn cell_view(cell: &Cell) -> CellView {
    CellView {
        value: cell.value.map_or_else(|| "–".to_owned(), decimal),
        interval: interval(cell.low, cell.high),
        questions: thousands(cell.questions as u64),
        marks: marks(cell.thin, cell.hollow),
        words: match (cell.thin, cell.hollow) {
            (true, true) => "few, or of few books; over 5 % not answered",
            (true, false) => "few, or of few books",
            (false, true) => "over 5 % not answered",
            (false, false) => "",
        },
    }
}

fn shift_view(shift: &Shift) -> CellView {
    CellView {
        value: shift.value.map_or_else(|| "–".to_owned(), decimal),
        interval: interval(shift.low, shift.high),
        questions: thousands(shift.questions as u64),
        marks: marks(shift.thin, false),
        words: if shift.thin { "few, or of few books" } else { "" },
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(
        || "no interval".to_owned(),
        |(low, high)| format!("{} – {}", decimal(low), decimal(high)),
    )
}

fn marks(thin: bool, hollow: bool) -> &'static str {
    match (thin, hollow) {
        (true, true) => "× ○",
        (true, false) => "×",
        (false, true) => "○",
        (false, false) => "",
    }
}
