//! What a catalog file is, by its bytes, and what is packed in it: CSV, RDF, or an archive of
//! RDF; inside gzip, bzip2 or zip or not.
//!
//! Archives are read as a stream, a few hundred files at a time: unpacked, the RDF of all books is
//! over a gigabyte.

use std::io::{Cursor, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use storymill_core::{Fault, FaultKind, plural};
use zip::ZipArchive;

use super::{Catalog, Row, columns, rdf};
use crate::{files, unpack::LARGEST};

/// How many RDF files are read at a time, and how many bytes of them: one is some kilobytes long.
const BATCH: (usize, usize) = (512, 64 << 20);

/// Bad files that are named.
const NAMED: usize = 3;

/// The most that may come out of an archive.
const WHOLE: u64 = 16 << 30;

/// How deep archives may lie in each other: the RDF comes as a tar inside a zip.
const DEEPEST: u8 = 2;

/// Reads a catalog of any form.
pub(super) fn catalog(bytes: &[u8]) -> Result<Catalog, Fault> {
    let mut reader = Reading::default();
    if bytes.starts_with(b"PK\x03\x04") {
        reader.zip(bytes)?;
    } else {
        reader.stream(Box::new(bytes), "", DEEPEST)?;
    }
    reader.finish()
}

fn input(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Input, message)
}

#[derive(Default)]
struct Reading {
    /// A catalog that came whole, as CSV.
    whole: Option<Catalog>,
    catalog: Catalog,
    batch: Vec<(String, Vec<u8>)>,
    /// Bytes of the batch.
    size: usize,
    documents: usize,
    /// Files that say nothing, and the first few of them.
    bad: (usize, Vec<String>),
}

impl Reading {
    /// Reads what a stream turns out to be.
    fn stream(
        &mut self,
        mut source: Box<dyn Read + '_>,
        name: &str,
        depth: u8,
    ) -> Result<(), Fault> {
        let mut head = vec![0; 512];
        let mut filled = 0;
        while filled < head.len() {
            match source.read(&mut head[filled..]).map_err(|error| damaged(&error))? {
                0 => break,
                more => filled += more,
            }
        }
        head.truncate(filled);
        let packed = head.starts_with(b"\x1f\x8b") || head.starts_with(b"BZh");
        if packed && depth == 0 {
            return Err(input("the catalog is packed more than twice"));
        }
        let tar = head.get(257..262) == Some(b"ustar");
        let gzip = head.starts_with(b"\x1f\x8b");
        let all: Box<dyn Read + '_> = Box::new(Cursor::new(head).chain(source).take(WHOLE));
        match (packed, gzip, tar) {
            (true, true, _) => self.stream(Box::new(MultiGzDecoder::new(all)), name, depth - 1),
            (true, false, _) => self.stream(Box::new(MultiBzDecoder::new(all)), name, depth - 1),
            (_, _, true) => self.tar(all),
            _ => {
                let bytes = whole(all)?;
                self.document(name, bytes)
            }
        }
    }

    fn zip(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let broken = |error| input("the catalog's zip archive is damaged").because(error);
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
        let mut left = WHOLE;
        for at in 0..zip.len() {
            let entry = zip.by_index(at).map_err(broken)?;
            let name = entry.name().map(std::borrow::Cow::into_owned).unwrap_or_default();
            if entry.is_dir() || !(is_rdf(&name) || ends(&name, ".csv") || ends(&name, ".tar")) {
                continue;
            }
            left = left.checked_sub(entry.size()).ok_or_else(too_large)?;
            self.stream(Box::new(entry), &name, 0)?;
        }
        Ok(())
    }

    fn tar(&mut self, source: impl Read) -> Result<(), Fault> {
        let mut tar = tar::Archive::new(source);
        for entry in tar.entries().map_err(|error| damaged(&error))? {
            let entry = entry.map_err(|error| damaged(&error))?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if entry.header().entry_type().is_file() && is_rdf(&name) {
                let bytes = whole(entry)?;
                self.document(&name, bytes)?;
            }
        }
        Ok(())
    }

    /// One document: RDF is kept for the next batch, a CSV is the catalog.
    fn document(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), Fault> {
        if rdf::is_rdf(&bytes) || is_rdf(name) {
            self.documents += 1;
            self.size += bytes.len();
            self.batch.push((name.to_owned(), bytes));
            if self.batch.len() >= BATCH.0 || self.size >= BATCH.1 {
                self.rows();
            }
            return Ok(());
        }
        if self.whole.is_some() {
            return Err(input("the archive holds several catalogs in CSV").hint("name one of them"));
        }
        let bytes = crate::unpack::unpack(&bytes)
            .map_err(|reason| input(format!("cannot read the catalog: {}", reason.detail)))?;
        self.whole = Some(columns::catalog(&bytes)?);
        Ok(())
    }

    fn rows(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        self.size = 0;
        let read: Vec<Result<Vec<Row>, String>> =
            batch.par_iter().map(|(name, bytes)| rdf::rows(name, bytes)).collect();
        for rows in read {
            match rows {
                Ok(rows) => rows.into_iter().for_each(|row| self.catalog.add_first(row)),
                Err(why) => {
                    self.bad.0 += 1;
                    if self.bad.1.len() <= NAMED {
                        self.bad.1.push(why);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Result<Catalog, Fault> {
        self.rows();
        if let Some(catalog) = self.whole {
            return Ok(catalog);
        }
        if self.catalog.rows.is_empty() {
            let hint = "a catalog is pg_catalog.csv, a CSV with columns `id` and `title`, RDF, or an archive of RDF";
            return Err(match self.bad.1.into_iter().next() {
                Some(why) => input(format!("the catalog names no book: {why}")).hint(hint),
                None => input("the catalog names no book").hint(hint),
            });
        }
        let (bad, first) = self.bad;
        if bad > 0 {
            let names: Vec<_> = first.iter().map(String::as_str).collect();
            self.catalog.notes.push(format!(
                "{} of {} in the catalog left out: {}",
                plural(bad as u64, "file"),
                self.documents,
                files::some(&names, NAMED)
            ));
        }
        Ok(self.catalog)
    }
}

/// Reads to the end, up to the largest page.
fn whole(source: impl Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    source.take(LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
    if bytes.len() > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// Stale copies lie in folders of this name in the published archive.
fn is_rdf(name: &str) -> bool {
    ends(name, ".rdf") && !name.split('/').any(|part| part.starts_with("DELETE"))
}

fn ends(name: &str, ending: &str) -> bool {
    name.len() >= ending.len()
        && name.as_bytes()[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}

fn damaged(error: &std::io::Error) -> Fault {
    input(format!("cannot read the catalog: what it is packed in is damaged: {error}"))
        .hint("fetch it again: it may have come only in part")
}

fn too_large() -> Fault {
    input("the catalog is larger than a catalog may be")
}
