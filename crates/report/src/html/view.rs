//! The words and numbers of the page, as the template takes them.

mod lead;

use minijinja::Value;
use serde::Serialize;

use super::{decimal, number, thousands};
use crate::{
    cell::Cell,
    charts::{Chart, escape},
    evidence::Shift,
    figures::Table,
    options::Options,
    paired::{Pair, Side},
    report::{Part, Report, System},
};

#[derive(Debug, Serialize)]
pub(super) struct Page {
    title: String,
    style: Value,
    lead: Vec<String>,
    facts: String,
    warnings: Vec<String>,
    notes: String,
    parts: Vec<PartView>,
    baselines: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct PartView {
    title: String,
    about: String,
    /// Which of the endings of answers occur.
    statuses: Vec<&'static str>,
    systems: Vec<SystemView>,
    measures: Vec<String>,
    sections: Vec<Section>,
    pairs: Vec<PairView>,
    right_wrong: bool,
}

#[derive(Debug, Serialize)]
struct SystemView {
    model: String,
    setting: String,
    value: String,
    interval: String,
    questions: String,
    statuses: Vec<String>,
    not_whole: String,
    shown: String,
    written: String,
    dollars: String,
    measures: Vec<String>,
    marks: &'static str,
}

#[derive(Debug, Serialize)]
struct Section {
    id: String,
    title: &'static str,
    about: String,
    /// Whether letters stand in the wide picture too, so that their key must be beside it.
    keyed: bool,
    figures: Vec<Figure>,
    table: Option<TableView>,
}

#[derive(Debug, Serialize)]
struct Figure {
    caption: String,
    wide: Value,
    narrow: Value,
    keys: Vec<KeyView>,
}

#[derive(Debug, Serialize)]
struct KeyView {
    picture: Value,
    words: String,
    quiet: bool,
}

#[derive(Debug, Serialize)]
struct TableView {
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
struct CellView {
    value: String,
    interval: String,
    questions: String,
    marks: &'static str,
    words: &'static str,
}

#[derive(Debug, Serialize)]
struct PairView {
    setting: String,
    sentence: String,
    sides: Vec<SideView>,
    common: String,
    counts: String,
}

#[derive(Debug, Serialize)]
struct SideView {
    model: String,
    all: CellView,
    common: CellView,
    only: usize,
    more: usize,
    ids: Vec<Value>,
}

impl Page {
    pub(super) fn of(report: &Report, options: &Options, style: &str) -> Self {
        let charts = report.charts();
        let unit = report.unit.whole_name();
        let parts = report.parts.iter().enumerate().map(|(at, part)| {
            let own: Vec<&Chart> = charts.iter().filter(|chart| chart.part == at).collect();
            PartView::of(part, &own, report, options)
        });
        Self {
            title: report.title.clone(),
            style: Value::from_safe_string(style.to_owned()),
            lead: lead::lead(report),
            facts: format!(
                "{} of {} by {}; {}. Lengths are counted in {unit}.",
                number(report.questions, "question"),
                number(report.books, "book"),
                number(report.authors, "author"),
                number(report.models.len(), "model"),
            ),
            warnings: report.warnings.clone(),
            notes: format!(
                "Intervals hold the true value in {:.0} of 100 cases ({}; differences: {}). They take authors as independent, or books where there are fewer than 5 authors; of one book or one author there is none. Every question counts, whatever became of it: what was refused, cut off, does not fit or cannot be read is wrong.",
                report.level * 100.0, report.intervals[0], report.intervals[1],
            ),
            parts: parts.collect(),
            baselines: report.baselines.iter().map(|one| {
                let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), decimal);
                let kind = if one.kind.is_empty() { "all" } else { &one.kind };
                let interval = match one.low.zip(one.high) {
                    Some((low, high)) => format!("{} – {}", decimal(low), decimal(high)),
                    None => "–".to_owned(),
                };
                vec![one.measure.clone(), kind.to_owned(), decimal(one.share), interval, cell(one.chance)]
            }).collect(),
        }
    }
}

impl PartView {
    fn of(part: &Part, charts: &[&Chart], report: &Report, options: &Options) -> Self {
        let accuracy = part.name == crate::report::ACCURACY;
        let ends = storymill_core::Status::ALL.into_iter().map(storymill_core::Status::name);
        let statuses: Vec<&'static str> = ends
            .filter(|name| *name != "answered")
            .filter(|name| part.systems.iter().any(|system| system.statuses[name] > 0))
            .collect();
        let mut measures: Vec<String> =
            part.systems.iter().flat_map(|system| system.measures.keys().cloned()).collect();
        measures.sort();
        measures.dedup();
        let chance = part.chance.map_or_else(String::new, |chance| format!(" Guessing gets {} right.", decimal(chance)));
        Self {
            title: if accuracy { "Accuracy".into() } else { format!("{}: {}", part.name, part.measure) },
            about: format!(
                "{} of {}.{chance}",
                number(part.questions, "question"), number(part.books, "book")
            ),
            systems: part.systems.iter().map(|system| system_view(system, &statuses, &measures)).collect(),
            sections: sections(part, charts, report),
            pairs: part.pairs.iter().map(|pair| pair_view(pair, accuracy, options)).collect(),
            right_wrong: accuracy,
            statuses,
            measures,
        }
    }
}

fn system_view(system: &System, statuses: &[&'static str], measures: &[String]) -> SystemView {
    let sum = |count: Option<u64>| count.map_or_else(|| "–".to_owned(), thousands);
    let written = match (system.tokens.output, system.tokens.thinking) {
        (None, None) => None,
        (output, thinking) => Some(output.unwrap_or(0) + thinking.unwrap_or(0)),
    };
    let cell = cell_view(&system.cell);
    SystemView {
        model: system.model.clone(),
        setting: system.setting.clone(),
        value: cell.value,
        interval: cell.interval,
        questions: thousands(system.cell.questions as u64),
        statuses: statuses.iter().map(|name| thousands(system.statuses[name] as u64)).collect(),
        not_whole: thousands(system.not_whole as u64),
        shown: sum(system.tokens.shown),
        written: sum(written),
        dollars: system.dollars.map_or_else(|| "–".to_owned(), |dollars| format!("{dollars:.2}")),
        measures: measures
            .iter()
            .map(|name| system.measures.get(name).map_or_else(|| "–".to_owned(), |value| decimal(*value)))
            .collect(),
        marks: cell.marks,
    }
}

fn sections(part: &Part, charts: &[&Chart], report: &Report) -> Vec<Section> {
    let unit = report.unit.name();
    let left_out = |table: &Table| match table.left_out {
        0 => String::new(),
        count => format!(" {} without evidence in a text are in no bin.", number(count, "question")),
    };
    let all = [
        ("demand", "By retention demand", &part.demand, format!(
            "How far back the evidence lies from the moment of asking, in {unit}; each bin is twice as wide as the one before.{}",
            left_out(&part.demand),
        )),
        ("against", "Against reading the evidence alone", &part.demand, "Each model less itself on the same questions where it was shown nothing but the evidence: what distance costs, whatever the model reads well or badly. At 0 nothing was lost.".to_owned()),
        ("context", "By length of the context", &part.context, format!("How much was to be read, in {unit}.")),
        ("types", "By type of question", &part.types, String::new()),
        ("right-option", "By right option", &part.right_option, "Where none of the above is right, demand is all that was read.".to_owned()),
        ("flags", "By flag of the book", &part.flags, "`pg19`: the book is in the PG-19 collection, which many models were trained on.".replace('`', "")),
        ("books", "By book", &part.by_book, "A single book has no interval.".to_owned()),
    ];
    let mut sections = Vec::new();
    for (section, title, table, about) in all {
        let own: Vec<&&Chart> = charts.iter().filter(|chart| chart.section == section).collect();
        let table = match section {
            "against" if part.against_evidence.is_empty() => None,
            "against" => Some(against_table(part)),
            _ if table.groups.is_empty() || (section != "demand" && table.groups.len() < 2) => None,
            _ => Some(table_view(table, title)),
        };
        if own.is_empty() && table.is_none() {
            continue;
        }
        let figures = own.iter().map(|chart| Figure {
            caption: chart.title.clone(),
            wide: Value::from_safe_string(chart.wide.clone()),
            narrow: Value::from_safe_string(chart.narrow.clone()),
            keys: chart.keys.iter().map(|key| KeyView {
                picture: Value::from_safe_string(key.picture.clone()),
                words: key.words.clone(),
                quiet: key.quiet,
            }).collect(),
        });
        sections.push(Section {
            id: format!("{}-{section}", part.name),
            title,
            about,
            keyed: !["demand", "against", "context"].contains(&section),
            figures: figures.collect(),
            table,
        });
    }
    sections
}

fn table_view(table: &Table, title: &str) -> TableView {
    let heads = table.groups.iter().map(|group| {
        let chance = group.chance.map_or_else(String::new, |chance| format!(", chance {}", decimal(chance)));
        format!("{} ({}{chance})", group.label, number(group.questions, "question"))
    });
    let rows = table.lines.iter().map(|line| RowView {
        name: format!("{} · {}", line.model, line.setting),
        cells: line.cells.iter().map(|cell| cell.as_ref().map(cell_view).unwrap_or_default()).collect(),
    });
    TableView { caption: title.to_owned(), heads: heads.collect(), rows: rows.collect() }
}

fn against_table(part: &Part) -> TableView {
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

fn cell_view(cell: &Cell) -> CellView {
    CellView {
        value: cell.value.map_or_else(|| "–".to_owned(), decimal),
        interval: interval(cell.low, cell.high),
        questions: thousands(cell.questions as u64),
        marks: marks(cell.thin, cell.hollow),
        words: match (cell.thin, cell.hollow) {
            (true, true) => "few questions or books; over 5 % not answered",
            (true, false) => "few questions or books",
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
        words: if shift.thin { "few questions or books" } else { "" },
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(|| "–".to_owned(), |(low, high)| format!("{} – {}", decimal(low), decimal(high)))
}

fn marks(thin: bool, hollow: bool) -> &'static str {
    match (thin, hollow) {
        (true, true) => "× ○",
        (true, false) => "×",
        (false, true) => "○",
        (false, false) => "",
    }
}

fn pair_view(pair: &Pair, accuracy: bool, options: &Options) -> PairView {
    let side = |side: &Side| SideView {
        model: side.model.clone(),
        all: cell_view(&side.all),
        common: cell_view(&side.common),
        only: side.only,
        more: side.only.saturating_sub(SHOWN.min(side.only_ids.len())),
        ids: side.only_ids.iter().take(SHOWN).map(|id| question_link(id, options)).collect(),
    };
    PairView {
        setting: pair.setting.clone(),
        sentence: lead::of_pair(pair, accuracy),
        sides: vec![side(&pair.left), side(&pair.right)],
        common: thousands(pair.common as u64),
        counts: format!("Both right: {}; both wrong: {}.", thousands(pair.both_right as u64), thousands(pair.both_wrong as u64)),
    }
}

/// So many questions of a pair are named on the page; the JSON has more.
const SHOWN: usize = 20;

/// An id, as a link if the page was told where questions are shown.
fn question_link(id: &str, options: &Options) -> Value {
    let shown = escape(id);
    let link = options.link.as_ref().filter(|link| !link.trim().to_lowercase().starts_with("javascript:"));
    Value::from_safe_string(match link {
        Some(link) => {
            let target = escape(&link.replace("{id}", &percent(id)));
            format!("<a class=\"id\" href=\"{target}\">{shown}</a>")
        }
        None => format!("<span class=\"id\">{shown}</span>"),
    })
}

/// An id in an address: its slashes stay.
fn percent(id: &str) -> String {
    let mut out = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}
