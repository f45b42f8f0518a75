//! Publishing: parts to a folder of Parquet files, a card, a lock and a manifest.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use parquet::file::properties::DEFAULT_CREATED_BY;
use storymill_core::{Digest, Disk, Fault, FaultKind, Parts};

use crate::{
    audit::{
        AuditedFile, AuditedSet, Wanted,
        curve::{self, CURVE, Marked},
        sets,
    },
    card::{self, Pictures},
    facts::Facts,
    figure::{self, FIGURE},
    file_parts::FileParts,
    folder::Folder,
    folder_lock::GoOn,
    hashed::sha256,
    manifest::{Document, Manifest, SCHEMA_VERSION, TOOL_VERSION, TableEntry, Tool, Writer},
    publication::{Config, Publication},
    shape::WRITER_FORMAT,
    site::Site,
    table::{Added, Tables},
    writer::Limits,
};

/// What publishing came to.
#[derive(Clone, Debug)]
pub struct Published {
    /// The manifest of the folder as it is now.
    pub manifest: Manifest,
    /// Whether all was there already, so that nothing was written.
    pub current: bool,
    /// Files of an earlier version that are no longer produced and were removed.
    pub removed: Vec<String>,
    /// What answers most questions of a set without the book, and what searching it answers, a line each; none where
    /// nothing beats chance, or nothing was written.
    pub shortcuts: Vec<String>,
    /// How long the shortest and the longest context of each level are, by LV-Eval's rule, where there are contexts.
    pub lengths: BTreeMap<i32, [u64; 2]>,
    /// How long what was written was audited.
    pub audited_in: Duration,
}

/// Says whether a dataset may be published into a folder, before anything is built for it. `name` is
/// the one that a dataset there must have; none if any may be replaced. Waits for a build that publishes there, as
/// long as `go_on` says so.
///
/// # Errors
///
/// The folder holds something else, a dataset of another name, or one by a newer version.
pub fn may_publish(
    disk: &dyn Disk,
    out: &Path,
    name: Option<&str>,
    go_on: GoOn<'_>,
) -> Result<(), Fault> {
    let folder = Folder::look(disk, out, go_on)?;
    match (&folder.name, name) {
        (Some(there), Some(ours)) if there != ours => {
            let message = format!(
                "the output folder holds the dataset `{}`, and this one is `{ours}`",
                there.escape_debug()
            );
            Err(Fault::new(FaultKind::Store, message)
                .at(out)
                .hint("nothing was changed: name another folder with `--out`, or replace what is there with `--replace`"))
        }
        _ => Ok(()),
    }
}

/// Publishes a dataset into a folder.
///
/// Files are written beside those of an earlier version and put in their place at the end, the
/// manifest last; files that are not ours stay. A run that is cut off leaves a folder that the
/// next run finishes, to the same bytes.
pub fn publish(
    spec: &Publication,
    tables: &Tables,
    parts: &dyn Parts,
    disk: &dyn Disk,
    out: &Path,
) -> Result<Published, Fault> {
    publish_within(Limits::STANDARD, spec, tables, parts, (disk, &out.into()), &|| Ok(()))
}

/// Publishes a dataset into a folder of the disk that it is on, and reads it back from there; as long as `go_on` says
/// so.
///
/// # Errors
///
/// As of [`publish`].
pub fn publish_on(
    spec: &Publication,
    tables: &Tables,
    parts: &dyn Parts,
    disk: &Arc<dyn Disk>,
    out: &Path,
    go_on: GoOn<'_>,
) -> Result<Published, Fault> {
    let site = Site::on(Arc::clone(disk), out);
    publish_within(Limits::STANDARD, spec, tables, parts, (&**disk, &site), go_on)
}

pub(crate) fn publish_within(
    limits: Limits,
    spec: &Publication,
    tables: &Tables,
    parts: &dyn Parts,
    (disk, site): (&dyn Disk, &Site),
    go_on: GoOn<'_>,
) -> Result<Published, Fault> {
    let out = site.path();
    spec.check(tables)?;
    let made_from = spec.digest(tables, &(card::VERSION, figure::VERSION, card::TEMPLATE))?;
    let current = |folder: &Folder<'_>| {
        let Some(manifest) = &folder.previous else { return Ok(None) };
        let is_current = manifest.made_from == made_from && folder.is_whole(manifest)?;
        let current = || Published {
            manifest: manifest.clone(),
            current: true,
            removed: Vec::new(),
            shortcuts: Vec::new(),
            lengths: BTreeMap::new(),
            audited_in: Duration::ZERO,
        };
        Ok(is_current.then(current))
    };
    let folder = Folder::look(disk, out, go_on)?;
    if let Some(current) = current(&folder)?
        && !folder.has_scratch()?
    {
        return Ok(current);
    }
    for config in &spec.configs {
        folder.refuse_links_to(&format!("{}/table", config.name))?;
    }
    let _lock = Folder::lock(disk, out, go_on)?;
    let mut folder = Folder::open(disk, out)?;
    if let Some(current) = current(&folder)? {
        folder.sweep()?;
        return Ok(current);
    }
    folder.begin(&spec.name)?;
    let mut run = Run {
        spec,
        tables,
        parts,
        go_on,
        disk,
        site,
        folder,
        limits,
        facts: Facts::default(),
        moves: Vec::new(),
        shortcuts: Vec::new(),
        lengths: BTreeMap::new(),
        audited_in: Duration::ZERO,
    };
    let files = run.tables()?;
    let manifest = run.documents(files, made_from)?;
    let removed = run.folder.switch(&run.moves, &manifest)?;
    let Run { shortcuts, lengths, audited_in, .. } = run;
    Ok(Published { manifest, current: false, removed, shortcuts, lengths, audited_in })
}

/// One publishing that has something to write.
struct Run<'a> {
    spec: &'a Publication,
    tables: &'a Tables,
    parts: &'a dyn Parts,
    go_on: GoOn<'a>,
    disk: &'a dyn Disk,
    site: &'a Site,
    folder: Folder<'a>,
    limits: Limits,
    facts: Facts,
    /// Temporary file and its place in the folder, in the order of writing.
    moves: Vec<(PathBuf, String)>,
    shortcuts: Vec<String>,
    lengths: BTreeMap<i32, [u64; 2]>,
    audited_in: Duration,
}

impl Run<'_> {
    fn tables(&mut self) -> Result<Vec<TableEntry>, Fault> {
        let mut files = Vec::new();
        for config in &self.spec.configs {
            let splits = self.spec.by_split(config)?;
            for (split, parts) in splits {
                self.split(config, split, &parts, false, &mut files)?;
            }
            // A table without rows still tells its columns.
            if !files.iter().any(|file: &TableEntry| file.config == config.name) {
                self.split(config, self.spec.first_split(), &[], true, &mut files)?;
            }
        }
        Ok(files)
    }

    fn split(
        &mut self,
        config: &Config,
        split: &str,
        parts: &[&storymill_core::PartRef],
        even_if_empty: bool,
        files: &mut Vec<TableEntry>,
    ) -> Result<(), Fault> {
        let table = self.tables.get(&config.record)?;
        let entries = self.entries(config, split);
        self.facts.begin(&config.name, &config.record, split);
        let stem = self.folder.scratch(&format!("{}.{split}", config.name));
        let mut file_parts = FileParts::new(
            self.disk,
            &stem,
            &table.columns(&config.encodings),
            &entries,
            self.limits,
            &mut self.facts,
        )?;
        for part in parts {
            let (canary, encodings) = (self.spec.canary.as_str(), &config.encodings[..]);
            let people = &self.spec.people;
            let added = Added { unit: &part.unit, split, canary, encodings, people };
            (self.go_on)()?;
            table.write_rows(&self.parts.read(part)?, &added, &mut file_parts)?;
        }
        let file_parts = file_parts.finish(even_if_empty)?;
        let of = file_parts.len();
        for (at, file_part) in file_parts.into_iter().enumerate() {
            let path = format!("{}/{split}-{at:05}-of-{of:05}.parquet", config.name);
            self.moves.push((file_part.path, path.clone()));
            files.push(TableEntry {
                path,
                config: config.name.clone(),
                split: split.to_owned(),
                rows: file_part.size.rows,
                bytes: file_part.bytes,
                row_bytes: file_part.size.bytes,
                sha256: file_part.sha256,
                rows_digest: file_part.rows_digest,
            });
        }
        Ok(())
    }

    /// What every file says of itself, in this order.
    fn entries(&self, config: &Config, split: &str) -> Vec<(String, String)> {
        let spec = self.spec;
        [
            ("storymill.canary", spec.canary.clone()),
            ("storymill.schema_version", SCHEMA_VERSION.to_string()),
            ("storymill.dataset_name", spec.name.clone()),
            ("storymill.dataset_version", spec.version.clone()),
            ("storymill.lock_sha256", sha256(&spec.lock)),
            ("storymill.config", config.name.clone()),
            ("storymill.split", split.to_owned()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }

    fn documents(&mut self, files: Vec<TableEntry>, made_from: Digest) -> Result<Manifest, Fault> {
        let digest = Manifest::digest_of(&files);
        let facts = std::mem::take(&mut self.facts);
        self.lengths = facts.lengths_of_levels();
        let figure = figure::draw(&facts.tables);
        let start = Instant::now();
        let (audited, marks) = self.audited(&files)?;
        self.audited_in = start.elapsed();
        self.shortcuts = card::worst(&audited);
        let curve = curve::draw(&marks, &audited);
        let pictures = Pictures { demand: figure.is_some(), baselines: curve.is_some() };
        drop(marks);
        let card = card::render(self.spec, self.tables, &files, digest, facts, &audited, pictures)?;
        let card = self.document("README.md", card.as_bytes())?;
        let figures = [(FIGURE, figure), (CURVE, curve)].into_iter();
        let figures = figures.filter_map(|(name, svg)| Some((name, svg?)));
        let figures = figures.map(|(name, svg)| self.document(name, svg.as_bytes()));
        let figures = figures.collect::<Result<_, _>>()?;
        let prompts = self.prompts()?;
        let lock = self.document("dataset.lock", &self.spec.lock)?;
        Ok(Manifest {
            format: Manifest::current_format(),
            name: self.spec.name.clone(),
            version: self.spec.version.clone(),
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: "storymill".to_owned(), version: TOOL_VERSION.to_owned() },
            writer: Writer { format: WRITER_FORMAT, library: DEFAULT_CREATED_BY.to_owned() },
            made_from,
            digest,
            canary: self.spec.canary.clone(),
            seed: self.spec.seed,
            lock,
            card,
            figures,
            prompts,
            release: None,
            files,
        })
    }

    /// What can be answered of it without understanding, from the files as they were written.
    fn audited(&self, files: &[TableEntry]) -> Result<(Vec<AuditedSet>, Vec<Marked>), Fault> {
        let tables = self.moves.iter().zip(files).map(|((path, _), file)| AuditedFile {
            config: file.config.clone(),
            path: self.site.beside(path),
        });
        let texts = self.spec.texts.clone();
        let (wanted, mut marks) = (Wanted { texts, ..Wanted::default() }, Vec::new());
        let audited = sets(&tables.collect::<Vec<_>>(), &wanted, &mut marks)?;
        Ok((audited, marks))
    }

    /// The prompts, each once, under the first digits of its digest as the card tells them.
    fn prompts(&mut self) -> Result<Vec<Document>, Fault> {
        let prompts: BTreeMap<String, &Vec<u8>> = self
            .spec
            .prompts
            .iter()
            .map(|text| (Digest::of(text).to_string()[..16].to_owned(), text))
            .collect();
        let named = prompts.into_iter();
        named.map(|(digits, text)| self.document(&format!("prompts/{digits}.txt"), text)).collect()
    }

    fn document(&mut self, path: &str, bytes: &[u8]) -> Result<Document, Fault> {
        let scratch = self.folder.write(&path.replace('/', "."), bytes)?;
        self.moves.push((scratch, path.to_owned()));
        Ok(Document::of(path, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::{Depth, check},
        support::{TestDisk, small},
        writer::Size,
    };

    #[test]
    fn a_long_table_goes_to_several_files() {
        let (spec, shelf) = small();
        let folder = tempfile::TempDir::new().unwrap();
        let limits = Limits { file: Size { rows: u64::MAX, bytes: 1_800 }, ..Limits::STANDARD };
        let (tables, disk) = (Tables::standard(), TestDisk::sound());
        let published =
            publish_within(limits, &spec, &tables, &shelf, (&disk, &folder.path().into()), &|| {
                Ok(())
            })
            .unwrap();
        let scenes = published.manifest.files.iter().filter(|file| file.config == "scenes");
        let train: Vec<_> = scenes
            .filter(|file| file.split == "train")
            .map(|file| (file.path.as_str(), file.rows))
            .collect();
        assert_eq!(
            train,
            [
                ("scenes/train-00000-of-00002.parquet", 2),
                ("scenes/train-00001-of-00002.parquet", 2)
            ]
        );
        assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);
    }
}
