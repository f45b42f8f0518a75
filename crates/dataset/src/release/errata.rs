//! `ERRATA.csv`: why a row of an earlier release is gone or is another one.
//!
//! Scores on the old row still stand in papers. So whoever meets its id later has to find out what
//! became of it: one row `id,version,reason` for each, kept for good.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use storymill_core::{Fault, FaultKind};
use storymill_disk::most;

/// The file's name.
pub const ERRATA: &str = "ERRATA.csv";

const HEADER: [&str; 3] = ["id", "version", "reason"];

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// The row's id, the first column of its table. Where several tables have it, all are meant. `84/*` stands
    /// for `84` and whatever is in it, `*` for all: of these the ids that are gone or changed.
    pub id: String,
    /// The version in which it is gone or another one.
    pub version: String,
    /// Why, in a sentence; blank only in a draft.
    pub reason: String,
}

impl Erratum {
    /// Whether it speaks of an id.
    fn is_of(&self, id: &str) -> bool {
        match self.id.strip_suffix('*') {
            None => self.id == id,
            Some("") => true,
            Some(above) => {
                let book = above.strip_suffix('/');
                book.is_some_and(|book| id == book || id.starts_with(above))
            }
        }
    }
}

/// All errata of a dataset, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Errata(Vec<Erratum>);

impl Errata {
    /// Reads the file; none if it is not there.
    ///
    /// # Errors
    ///
    /// Other columns, a row without id, version or reason, or two rows for one id and version.
    pub fn read(path: &Path) -> Result<Self, Fault> {
        match storymill_disk::read(path, most::TABLE) {
            Ok(bytes) => Self::parse(&bytes).map_err(|fault| fault.at(path)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Fault::io("cannot read the errata", path, error).input()),
        }
    }

    /// Reads errata from the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let refused = |message: String| {
            Fault::new(FaultKind::Input, message).hint("its columns are `id,version,reason`")
        };
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let mut rows = reader.records();
        let header = rows.next().transpose();
        let header = header.map_err(|error| refused("no table".to_owned()).because(error))?;
        match header {
            None => return Ok(Self::default()),
            Some(header) if header.iter().ne(HEADER) => {
                return Err(refused("the first line is not `id,version,reason`".to_owned()));
            }
            Some(_) => {}
        }
        let mut seen = BTreeMap::new();
        let mut errata = Vec::new();
        for row in rows {
            let row = row.map_err(|error| refused("no table".to_owned()).because(error))?;
            let line = row.position().map_or(0, csv::Position::line);
            let [id, version, reason] = [0, 1, 2].map(|at| row[at].trim().to_owned());
            let blank = [&id, &version, &reason].into_iter().zip(HEADER);
            if let Some((_, column)) = blank.into_iter().find(|(value, _)| value.is_empty()) {
                return Err(refused(format!("line {line} has no {column}")));
            }
            if let Some(first) = seen.insert((id.clone(), version.clone()), line) {
                let id = id.escape_debug();
                let message = format!("lines {first} and {line} are both of `{id}` in {version}");
                return Err(Fault::new(FaultKind::Input, message).hint("keep one of them"));
            }
            errata.push(Erratum { id, version, reason });
        }
        Ok(Self(errata))
    }

    /// The rows.
    pub fn rows(&self) -> &[Erratum] {
        &self.0
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = self.0.iter().map(|row| [&row.id[..], &row.version, &row.reason]);
        for row in std::iter::once(HEADER).chain(rows) {
            writer.write_record(row).expect("memory takes every row of three");
        }
        writer.into_inner().expect("memory can be flushed")
    }

    /// The same, with rows for these ids whose reasons are still to be written: one for a book and all that is
    /// in it, for that is what mostly has one reason.
    pub fn with_drafts<'i>(mut self, ids: impl Iterator<Item = &'i String>, version: &str) -> Self {
        let mut books: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for id in ids {
            let book = id.split_once('/').map_or(id.as_str(), |(book, _)| book);
            books.entry(book).or_default().push(id);
        }
        self.0.extend(books.into_iter().map(|(book, ids)| Erratum {
            id: match ids[..] {
                [id] => id.to_owned(),
                _ => format!("{book}/*"),
            },
            version: version.to_owned(),
            reason: String::new(),
        }));
        self
    }

    /// Holds them against the last release's and against the ids that are gone or changed since.
    pub(super) fn against(
        &self,
        before: &Self,
        version: &str,
        withdrawn: &BTreeSet<String>,
    ) -> Against {
        let lost = before.0.iter().filter(|row| !self.0.contains(row)).cloned().collect();
        let new = || self.0.iter().filter(|row| !before.0.contains(row));
        let known = |row: &&Erratum| {
            row.version == version
                && (withdrawn.contains(&row.id) || withdrawn.iter().any(|id| row.is_of(id)))
        };
        let (told, unknown): (Vec<&Erratum>, Vec<&Erratum>) = new().partition(known);
        let named: BTreeSet<&str> = told.iter().map(|row| row.id.as_str()).collect();
        let of_many: Vec<&Erratum> = told.into_iter().filter(|row| row.id.ends_with('*')).collect();
        let is_told =
            |id: &String| named.contains(id.as_str()) || of_many.iter().any(|row| row.is_of(id));
        Against {
            lost,
            unknown: unknown.into_iter().cloned().collect(),
            missing: withdrawn.iter().filter(|id| !is_told(id)).cloned().collect(),
        }
    }
}

/// What is wrong with errata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Against {
    /// Rows of the last release that are no longer there, or say something else.
    pub(super) lost: Vec<Erratum>,
    /// New rows that are of another version, or of an id that is not gone or changed.
    pub(super) unknown: Vec<Erratum>,
    /// Ids that are gone or changed and have no row.
    pub(super) missing: Vec<String>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_errata_is_refused() {
        let check = |text: &str, says: &str| {
            let fault = Errata::parse(text.as_bytes()).unwrap_err();
            assert!(fault.message.contains(says), "{}", fault.message);
        };
        check("id,reason\n", "the first line");
        check("id,version,reason\n84/0001,1.1.0\n", "no table");
        check("id,version,reason\n84/0001,1.1.0, \n", "line 2 has no reason");
        check("id,version,reason\na,1.1.0,x\nb,1.1.0,x\na,1.1.0,y\n", "lines 2 and 4");
        assert_eq!(Errata::parse(b"").unwrap(), Errata::default());
        assert_eq!(Errata::parse(b"\xEF\xBB\xBFid,version,reason\r\n").unwrap(), Errata::default());
    }

    #[test]
    fn every_id_that_is_gone_wants_a_row_and_no_other_may_have_one() {
        let of =
            |text: &str| Errata::parse(format!("id,version,reason\n{text}").as_bytes()).unwrap();
        let before = of("a,1.1.0,typo\n");
        let gone: BTreeSet<String> = ["b", "c"].map(str::to_owned).into();
        let found = of("a,1.1.0,typo\nb,1.2.0,wrong\nz,1.2.0,x\nc,1.1.0,x\n");
        let found = found.against(&before, "1.2.0", &gone);
        assert!(found.lost.is_empty());
        assert_eq!(found.missing, ["c"]);
        let unknown: Vec<_> = found.unknown.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(unknown, ["z", "c"]);
        let other = of("a,1.1.0,another reason\n").against(&before, "1.2.0", &BTreeSet::new());
        assert_eq!((other.lost.len(), other.unknown.len()), (1, 1));
    }

    fn gone() -> BTreeSet<String> {
        ["84", "84/0001", "84/0001/d0", "845/0001", "9/0001"].map(str::to_owned).into()
    }

    #[test]
    fn one_row_may_speak_for_many_ids() {
        let of = |text: &str| {
            Errata::parse(format!("id,version,reason\n{text}").as_bytes()).unwrap().against(
                &Errata::default(),
                "1.1.0",
                &gone(),
            )
        };
        assert_eq!(of("*,1.1.0,seed\n"), Against::default());
        assert_eq!(of("84/*,1.1.0,typo\n").missing, ["845/0001", "9/0001"]);
        assert_eq!(of("84/0001/*,1.1.0,typo\n84,1.1.0,x\n8*,1.1.0,y\n").missing.len(), 2);
        let found = of("84/*,1.1.0,typo\n7/*,1.1.0,x\n8*,1.1.0,x\n*,1.0.0,x\n");
        let unknown: Vec<_> = found.unknown.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(unknown, ["7/*", "8*", "*"]);
        let drafts = Errata::default().with_drafts(gone().iter(), "1.1.0");
        let ids: Vec<_> = drafts.rows().iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["84/*", "845/0001", "9/0001"]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(rows in proptest::collection::btree_map(
            "[^\\s\\p{C}][^\\p{C}]{0,8}[^\\s\\p{C}]", "[\\p{L}\",;' ]{0,9}[^\\s\\p{C}]", 0..6,
        )) {
            let rows = rows.into_iter().map(|(id, reason)| Erratum {
                id: id.trim().to_owned(),
                version: "1.0.1".to_owned(),
                reason: reason.trim().to_owned(),
            });
            let errata = Errata(rows.collect());
            prop_assert_eq!(Errata::parse(&errata.to_bytes()).unwrap(), errata);
        }
    }
}
