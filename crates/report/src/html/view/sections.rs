//! Sections of a part: what they are by, their pictures, their table.

use minijinja::Value;
use serde::Serialize;

use super::tables::{TableView, against_table, table_view};
use crate::{
    cell::{MIN_BOOKS, MIN_QUESTIONS},
    charts::Chart,
    figures::Table,
    report::{Part, Report},
    words::number,
};

#[derive(Debug, Serialize)]
pub(super) struct Section {
    id: String,
    title: String,
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

pub(super) fn sections(part: &Part, charts: &[&Chart], report: &Report) -> Vec<Section> {
    let unit = report.unit.name();
    let left_out = |table: &Table| match table.left_out {
        0 => String::new(),
        count => {
            format!(" {} without evidence in a text are in no bin.", number(count, "question"))
        }
    };
    let all = [
        ("demand", "By retention demand", &part.demand, format!(
            "How far back the evidence is from the moment of asking, in {unit}. Bins double in width; those with fewer than {MIN_QUESTIONS} questions or {MIN_BOOKS} books are joined with their neighbours.{}",
            left_out(&part.demand),
        )),
        ("against", "Against reading the evidence alone", &part.demand, "Each model less itself on the same questions where it was shown nothing but the evidence: what distance costs, whatever the model reads well or badly. At 0 nothing was lost.".to_owned()),
        ("context", "By length of the context", &part.context, format!("How much was to be read, in {unit}.")),
        ("types", "By type of question", &part.types, String::new()),
        ("right-option", "By right option", &part.right_option, "Where none of the above is right, demand is all that was read.".to_owned()),
        ("facets", "By kind of question", &part.facets, "By what the dataset says of a question and its book.".to_owned()),
        ("flags", "By flag of the book", &part.flags, "`pg19`: the book is in the PG-19 collection, which many models were trained on.".replace('`', "")),
        ("books", "By book", &part.by_book, "A single book has no interval.".to_owned()),
    ];
    let mut sections = Vec::new();
    for (section, title, table, about) in all {
        // Of pairs all of it is said of pairs.
        let [title, about] = [title, &about].map(|text| text.replace("question", part.noun()));
        let own: Vec<&&Chart> = charts.iter().filter(|chart| chart.section == section).collect();
        let table = match section {
            "against" if part.against_evidence.is_empty() => None,
            "against" => Some(against_table(part)),
            _ if table.groups.is_empty() || (section != "demand" && table.groups.len() < 2) => None,
            _ => Some(table_view(table, &title, part.noun())),
        };
        if own.is_empty() && table.is_none() {
            continue;
        }
        let figures = own.iter().map(|chart| Figure {
            caption: chart.title.clone(),
            wide: Value::from_safe_string(chart.wide.clone()),
            narrow: Value::from_safe_string(chart.narrow.clone()),
            keys: chart
                .keys
                .iter()
                .map(|key| KeyView {
                    picture: Value::from_safe_string(key.picture.clone()),
                    words: key.words.clone(),
                    quiet: key.quiet,
                })
                .collect(),
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
