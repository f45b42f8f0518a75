//! Gold texts on disk: a folder of `ID.txt`, or a table that says which text belongs to which page.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use storymill_core::{BookId, Fault, FaultKind};
use storymill_disk::most;

/// Where gold texts are.
#[derive(Debug)]
pub struct GoldTexts {
    /// Of a folder: the folder.
    folder: Option<PathBuf>,
    /// Of a table: the text of each file.
    rows: BTreeMap<String, PathBuf>,
}

impl GoldTexts {
    /// Opens a folder, or a CSV table with columns `file` and `gold`.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let cannot = |error: csv::Error| {
            Fault::new(FaultKind::Input, "cannot read the table of gold texts")
                .at(path)
                .because(error)
                .hint("give a folder of `ID.txt`, or a CSV file with columns `file` and `gold`")
        };
        if path.is_dir() {
            return Ok(Self { folder: Some(path.to_owned()), rows: BTreeMap::new() });
        }
        let mut reader = csv::Reader::from_path(path).map_err(cannot)?;
        let head = reader.headers().map_err(cannot)?;
        let column = |name: &str| {
            head.iter().position(|column| column.trim() == name).ok_or_else(|| {
                let message = format!("the table of gold texts has no column `{name}`");
                Fault::new(FaultKind::Input, message).at(path)
            })
        };
        let (file, gold) = (column("file")?, column("gold")?);
        let beside = path.parent().unwrap_or(Path::new("."));
        let mut rows = BTreeMap::new();
        for record in reader.records() {
            let record = record.map_err(cannot)?;
            if let (Some(file), Some(gold)) = (record.get(file), record.get(gold))
                && !gold.is_empty()
            {
                rows.insert(file.to_owned(), beside.join(gold));
            }
        }
        Ok(Self { folder: None, rows })
    }

    /// The gold text of a page, where there is one.
    pub fn text(&self, name: &str, id: Option<&BookId>) -> Result<Option<String>, Fault> {
        let path = match &self.folder {
            Some(folder) => match id.map(|id| folder.join(format!("{id}.txt"))) {
                Some(path) if path.exists() => path,
                _ => return Ok(None),
            },
            None => match self.rows.get(name) {
                Some(path) => path.clone(),
                None => return Ok(None),
            },
        };
        storymill_disk::read_text(&path, most::BOOK)
            .map(Some)
            .map_err(|error| Fault::io("cannot read the gold text", &path, error))
    }
}
