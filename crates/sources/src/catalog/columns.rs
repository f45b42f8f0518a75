//! Catalogs in CSV: which column holds what, and what is wrong where.

use std::{collections::BTreeMap, io::Read};

use flate2::read::MultiGzDecoder;
use storymill_core::{BookId, Fault, FaultKind};
use storymill_text::{filter, one_line};

use super::{Catalog, Row, agents};

/// Reads a catalog in CSV, packed with gzip or not.
pub(super) fn catalog(bytes: &[u8]) -> Result<Catalog, Fault> {
    no_archive(bytes)?;
    let bytes = crate::unpack::unpack(bytes).map_err(|reason| {
        let message = format!("cannot read the catalog: {}", reason.detail);
        Fault::new(FaultKind::Input, message)
    })?;
    let text = crate::encoding::decode(&bytes).text;
    quotes_close(&text)?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(broken)?.clone();
    let columns = Columns::of(&header)?;
    let named = header.iter().map(|name| name.trim_start_matches('\u{feff}').trim().to_owned());
    let mut catalog = Catalog { columns: named.collect(), ..Catalog::default() };
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(broken)? {
        let line = record.position().map_or(0, csv::Position::line);
        no_cell_too_many(&header, &record, line)?;
        let row = columns.row(&record, line)?;
        catalog.add(row, line)?;
    }
    Ok(catalog)
}

/// Refuses RDF and archives, which the same feed has too.
fn no_archive(bytes: &[u8]) -> Result<(), Fault> {
    let mut head = Vec::new();
    // The beginning tells: the RDF of all books is over a gigabyte. What is damaged is told when it is read.
    let _ = match bytes {
        [0x1f, 0x8b, ..] => MultiGzDecoder::new(bytes).take(4096).read_to_end(&mut head),
        _ => bytes.take(4096).read_to_end(&mut head),
    };
    let archive = head.starts_with(b"PK\x03\x04")
        || head.starts_with(b"BZh")
        || head.get(257..262) == Some(b"ustar");
    if !archive && !head.windows(8).any(|window| window == b"<rdf:RDF") {
        return Ok(());
    }
    let message = format!("the catalog is {}, not CSV", if archive { "an archive" } else { "RDF" });
    Err(Fault::new(FaultKind::Input, message).hint(
        "take `pg_catalog.csv` or `pg_catalog.csv.gz` from the same feed; a CSV of your own may be packed with gzip alone",
    ))
}

/// Where a reader of CSV stands.
enum At {
    Start,
    Bare,
    Quoted,
    Closed,
}

/// Looks whether every quote that begins a field is closed where the field ends: one that is not
/// takes the rows behind it into its field, and no reader of CSV says so.
pub(crate) fn quotes_close(text: &str) -> Result<(), Fault> {
    let open = |line: u64| {
        let message = format!("line {line}: a field begins with a double quote that is not closed");
        Fault::new(FaultKind::Input, message)
            .hint("close it where the field ends; a quote inside of quotes is written `\"\"`")
    };
    let (mut at, mut line, mut opened) = (At::Start, 1, 0);
    for byte in text.bytes() {
        at = match (at, byte) {
            (At::Start, b'"') => {
                opened = line;
                At::Quoted
            }
            (At::Quoted, b'"') | (At::Closed, b' ' | b'\t') => At::Closed,
            (At::Closed, b'"') | (At::Quoted, _) => At::Quoted,
            (_, b',' | b'\n' | b'\r') => At::Start,
            // What closed it is the quote that opens a later field.
            (At::Closed, _) => return Err(open(opened)),
            (At::Start | At::Bare, _) => At::Bare,
        };
        line += u64::from(byte == b'\n');
    }
    if matches!(at, At::Quoted) { Err(open(opened)) } else { Ok(()) }
}

/// A comma outside of quotes shifts all cells behind it.
fn no_cell_too_many(
    header: &csv::StringRecord,
    record: &csv::StringRecord,
    line: u64,
) -> Result<(), Fault> {
    if record.iter().skip(header.len()).all(|cell| cell.trim().is_empty()) {
        return Ok(());
    }
    let message = format!(
        "line {line}: the row has {} fields, and the header names {}",
        record.len(),
        header.len()
    );
    Err(Fault::new(FaultKind::Input, message)
        .hint("put a field that has a comma into double quotes, without a blank before them"))
}

fn broken(error: csv::Error) -> Fault {
    let place = error.position().map(|at| format!("line {}: ", at.line())).unwrap_or_default();
    Fault::new(FaultKind::Input, format!("{place}the catalog is not valid CSV"))
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
                "a catalog has at least the columns `id` and `title`, or is Project Gutenberg's pg_catalog.csv",
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
            filter::year(cell)
                .map(Some)
                .ok_or_else(|| fault(name, format!("`{cell}` is not a year")))
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
        let list = |name: &str| parts(column(name)).map(one_line).collect();
        Ok(Row {
            file,
            title: one_line(cell(self.title)),
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
            ..Row::of(id)
        })
    }
}

/// The parts of a cell.
fn parts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(';').map(str::trim).filter(|part| !part.is_empty())
}
