//! Rows written as a catalog that can be read again.

use storymill_core::{Fault, FaultKind};

use super::{Row, agents};

const HEAD: [&str; 14] = [
    "id",
    "type",
    "issued",
    "title",
    "language",
    "authors",
    "subjects",
    "locc",
    "bookshelves",
    "flags",
    "rights",
    "kind",
    "file",
    "source_url",
];

/// Writes rows as CSV that is read again as the same rows.
pub fn csv<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Result<Vec<u8>, Fault> {
    let broken =
        |error| Fault::new(FaultKind::Internal, "cannot write the rows as CSV").because(error);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEAD).map_err(broken)?;
    for row in rows {
        let authors = row.authors.iter().map(|author| agents::entry(author, ""));
        let others = row.others.iter().map(|other| agents::entry(&other.agent, &other.role));
        let record = [
            row.id.as_str(),
            &row.medium,
            &row.issued,
            &row.title,
            &row.language,
            &authors.chain(others).collect::<Vec<_>>().join("; "),
            &row.subjects.join("; "),
            &row.locc.join("; "),
            &row.bookshelves.join("; "),
            &row.flags.join("; "),
            &row.rights,
            &row.kind,
            row.file.as_deref().unwrap_or_default(),
            &row.source_url,
        ];
        writer.write_record(record).map_err(broken)?;
    }
    writer
        .into_inner()
        .map_err(|error| broken(csv::Error::from(std::io::Error::other(error.to_string()))))
}
