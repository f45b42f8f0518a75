//! Catalogs in CSV: which column holds what, and what is wrong where.

use std::collections::BTreeMap;

use storymill_core::{BookId, Fault, FaultKind};

use super::{Catalog, Row, agents, fold::one_line};

/// Reads a catalog in CSV.
pub(super) fn catalog(bytes: &[u8]) -> Result<Catalog, Fault> {
    let text = crate::encoding::decode(bytes).text;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(broken)?.clone();
    let columns = Columns::of(&header)?;
    let mut catalog = Catalog::default();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(broken)? {
        let line = record.position().map_or(0, csv::Position::line);
        let row = columns.row(&record, line)?;
        catalog.add(row, line)?;
    }
    Ok(catalog)
}

fn broken(error: csv::Error) -> Fault {
    let place = error.position().map(|at| format!("line {}: ", at.line())).unwrap_or_default();
    Fault::new(FaultKind::Input, format!("{place}the catalog is no valid CSV"))
        .because(error)
        .hint("fields with commas or line breaks stand in double quotes")
}

/// Which column holds what.
struct Columns {
    id: usize,
    title: usize,
    gutenberg: bool,
    optional: BTreeMap<&'static str, usize>,
}

const OPTIONAL: &[&str] = &[
    "file",
    "author",
    "authors",
    "author_birth",
    "author_death",
    "language",
    "kind",
    "rights",
    "source_url",
    "subjects",
    "locc",
    "bookshelves",
    "flags",
    "type",
    "issued",
    "downloads",
];

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, Fault> {
        let find = |name: &str| {
            header.iter().position(|column| {
                column.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(name)
            })
        };
        let missing = |name: &str| {
            let have: Vec<_> = header.iter().take(12).map(|column| format!("`{column}`")).collect();
            let message =
                format!("line 1: the catalog has no column `{name}` among {}", have.join(", "));
            Fault::new(FaultKind::Input, message).hint(
                "a catalog has at least the columns `id` and `title`, or is Project Gutenberg's pg_catalog.csv or RDF",
            )
        };
        let gutenberg = find("Text#").is_some();
        let id = find("Text#").or_else(|| find("id")).ok_or_else(|| missing("id"))?;
        let title = find("title").ok_or_else(|| missing("title"))?;
        let optional = OPTIONAL.iter().filter_map(|name| Some((*name, find(name)?))).collect();
        Ok(Self { id, title, gutenberg, optional })
    }

    fn row(&self, record: &csv::StringRecord, line: u64) -> Result<Row, Fault> {
        let cell = |at: usize| record.get(at).unwrap_or("").trim();
        let column = |name: &str| self.optional.get(name).map_or("", |at| cell(*at));
        let fault = |name: &str, what: String| {
            Fault::new(FaultKind::Input, format!("line {line}, column `{name}`: {what}"))
        };
        let id = cell(self.id).parse::<BookId>().map_err(|error| {
            fault(if self.gutenberg { "Text#" } else { "id" }, error.to_string())
        })?;
        let year = |name: &str| -> Result<Option<i32>, Fault> {
            let cell = column(name);
            if cell.is_empty() || cell == "?" {
                return Ok(None);
            }
            agents::year(cell).map(Some).ok_or_else(|| fault(name, format!("`{cell}` is no year")))
        };
        let (authors, others) = if self.gutenberg || self.optional.contains_key("authors") {
            agents::list(column("authors"))
        } else {
            let (mut authors, others) = agents::list(column("author"));
            if let [one] = &mut authors[..] {
                let (birth, death) = (year("author_birth")?, year("author_death")?);
                *one = agents::named(&one.name, birth.or(one.birth_year), death.or(one.death_year));
            }
            (authors, others)
        };
        let file = Some(column("file")).filter(|file| !file.is_empty()).map(str::to_owned);
        let list = |name: &str| parts(column(name)).map(|part| one_line(part).into()).collect();
        Ok(Row {
            file,
            title: one_line(cell(self.title)).into(),
            authors,
            others,
            language: column("language").to_owned(),
            kind: column("kind").to_owned(),
            rights: column("rights").to_owned(),
            source_url: column("source_url").to_owned(),
            subjects: list("subjects"),
            locc: list("locc"),
            bookshelves: list("bookshelves"),
            flags: list("flags"),
            medium: column("type").to_owned(),
            issued: column("issued").to_owned(),
            downloads: column("downloads").parse().ok(),
            ..Row::of(id)
        })
    }
}

/// The parts of a cell.
fn parts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(';').map(str::trim).filter(|part| !part.is_empty())
}
