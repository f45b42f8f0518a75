//! What can be answered without understanding: the audit of a dataset.
//!
//! [`audit`] reads a published folder, a build audits the files that it is about to publish; both go the same way and
//! find the same figures. Rows are read one after another and counted; what costs more looks at a sample of the questions of
//! each config that follows from their ids. No figure depends on threads.

mod book;
pub(crate) mod curve;
mod figures;
mod groups;
mod known;
mod limits;
mod options;
mod placed;
mod row;
mod sample;
mod scene;
mod searching;
mod share;
mod tally;
mod texts;

use std::collections::BTreeMap;

use storymill_core::{Fault, FaultKind, QuestionType, did_you_mean};

pub use figures::{
    AuditFigures, AuditedSet, Coverage, FORMAT, Figure, Flagged, IntervalOf, Measure, Share,
};
pub use limits::{Exceeded, Limits, SEARCHED};
pub use sample::MOST as SAMPLE;

use self::{
    curve::Marked,
    groups::Shelf,
    options::{Counted, copies},
    row::each_row,
    sample::{Sampled, share},
    searching::{Asked, LookedAt, Sought, search_all},
    share::four_digits,
    tally::Tally,
    texts::has_texts,
};
use crate::{manifest::Manifest, site::Site};

/// What is audited of a folder.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only this config.
    pub config: Option<String>,
    /// Leave out what searches the books.
    pub without_book: bool,
    /// Measures that look at a sample look at no more than so many questions of a config; none for [`SAMPLE`].
    pub sample: Option<usize>,
    /// The configs whose texts the questions of each config were asked about, the nearest first. Where a config is
    /// not named, every text is tried.
    pub texts: BTreeMap<String, Vec<String>>,
}

/// A file of a table.
#[derive(Clone, Debug)]
pub(crate) struct AuditedFile {
    pub(crate) config: String,
    pub(crate) path: Site,
}

/// Audits a published folder.
///
/// # Errors
///
/// There is no dataset, or no such config; a file cannot be read.
pub fn audit(folder: impl Into<Site>, wanted: &Wanted) -> Result<AuditFigures, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let files = manifest
        .files
        .iter()
        .map(|file| AuditedFile { config: file.config.clone(), path: folder.join(&file.path) });
    let files: Vec<_> = files.collect();
    if let Some(config) = &wanted.config
        && !files.iter().any(|file| file.config == *config)
    {
        let mut known: Vec<_> = files.iter().map(|file| file.config.as_str()).collect();
        known.dedup();
        let message = format!("no config `{}` here", config.escape_debug());
        return Err(Fault::new(FaultKind::Input, message)
            .at(folder)
            .hint(did_you_mean(config, known).unwrap_or_default()));
    }
    Ok(AuditFigures {
        format: FORMAT.to_owned(),
        name: manifest.name.clone(),
        version: manifest.version.clone(),
        digest: manifest.digest.to_string(),
        sets: sets(&files, wanted, &mut Vec::new())?,
    })
}

/// The figures of every set of some files. What searching earned for each question goes into `marks`.
pub(crate) fn sets(
    files: &[AuditedFile],
    wanted: &Wanted,
    marks: &mut Vec<Marked>,
) -> Result<Vec<AuditedSet>, Fault> {
    let shelf = Shelf::read(files)?;
    let mut configs: Vec<&str> = files.iter().map(|file| file.config.as_str()).collect();
    configs.dedup();
    let (mut sets, mut asked) = (Vec::new(), Vec::new());
    for config in &configs {
        if wanted.config.as_ref().is_some_and(|only| only != config) {
            continue;
        }
        let of = of_config(config, files, wanted.sample.unwrap_or(SAMPLE), &shelf)?;
        sets.push(of.0);
        asked.push(of.1);
    }
    if !wanted.without_book {
        search(&mut sets, &asked, files, wanted, &shelf, marks)?;
    }
    let mut sets = sets.concat();
    for set in &mut sets {
        set.figures.sort_by_key(|figure| figure.measure);
    }
    Ok(sets)
}

/// Which questions of a config tell of each other which options are wrong: those of all kinds, but for types whose wrong
/// options happened too. Such an option is no worse elsewhere.
fn held_against(kind: &str) -> &'static str {
    let of = QuestionType::of_name(kind).filter(|of| of.decoys_happened());
    of.map_or("", QuestionType::name)
}

/// The sets of one config, but for what is searched.
fn of_config(
    config: &str,
    files: &[AuditedFile],
    most: usize,
    shelf: &Shelf,
) -> Result<(Vec<AuditedSet>, LookedAt), Fault> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.config == config) {
        each_row(&file.path, |row| {
            let wrong = wrong.entry(held_against(row.kind)).or_default();
            match tallies.get_mut(row.kind) {
                Some(tally) => tally.add(row, wrong, most),
                None => tallies.entry(row.kind.to_owned()).or_default().add(row, wrong, most),
            }
        })?;
    }
    for wrong in wrong.values_mut() {
        wrong.sort_unstable();
    }
    let most = share(tallies.values().map(|tally| tally.sample.len()), most);
    let drawn = tallies.values_mut().map(|tally| std::mem::take(&mut tally.sample).finish(most));
    let mut samples: Vec<Vec<Sampled>> = drawn.collect();
    // What has no options has nothing to be told apart or searched.
    let asked = |(tally, all)| if Tally::chance(tally).is_some() { all } else { &[][..] };
    let asked: Vec<&[Sampled]> =
        tallies.values().zip(samples.iter().map(Vec::as_slice)).map(asked).collect();
    let mut counted = Counted::of(&asked);
    let (mut sets, mut asked) = (Vec::new(), Vec::new());
    for (at, (kind, mut tally)) in tallies.into_iter().enumerate() {
        let sample = &mut samples[at];
        let groups = shelf.groups(&tally.books);
        let mut figures: Vec<Figure> = Vec::new();
        if tally.chance().is_some() {
            let earned = tally.earned();
            figures.extend(earned.map(|(measure, earned)| earned.figure(measure, &groups)));
            let wrong = wrong.get(held_against(&kind)).map_or(&[][..], Vec::as_slice);
            figures.extend(counted.figures(at, sample, wrong, &groups));
        } else if !sample.is_empty() {
            figures.extend(copies(sample, &groups));
        }
        let mut flags: BTreeMap<&str, u64> = BTreeMap::new();
        for (book, questions) in tally.books.iter().zip(&tally.of_book) {
            shelf.flags(book).iter().for_each(|flag| *flags.entry(flag).or_default() += questions);
        }
        let flagged = |(flag, questions): (&str, u64)| Flagged { flag: flag.to_owned(), questions };
        sets.push(AuditedSet {
            config: config.to_owned(),
            kind,
            questions: tally.questions,
            sampled: sample.len() as u64,
            searched: 0,
            books: tally.books.len() as u64,
            groups: groups.iter().max().map_or(0, |last| *last as u64 + 1),
            by_author: shelf.tells_authors(),
            chance: tally.chance().map(four_digits),
            figures,
            coverage: tally.coverage(),
            positions: std::mem::take(&mut tally.positions),
            none_right: tally.none_right,
            equal_options: tally.equal_options,
            broken: tally.broken,
            flags: flags.into_iter().map(flagged).collect(),
        });
        let questions = if tally.chance().is_some() { std::mem::take(sample) } else { Vec::new() };
        let options = std::mem::take(&mut counted.labelled[at]);
        asked.push(Asked { questions, options, books: tally.books, groups });
    }
    Ok((sets, LookedAt { sets: asked, characters: counted.characters.0 }))
}

/// Searches the books for the questions of all configs: a text that several are about is read and searched once.
fn search(
    sets: &mut [Vec<AuditedSet>],
    asked: &[LookedAt],
    files: &[AuditedFile],
    wanted: &Wanted,
    shelf: &Shelf,
    marks: &mut Vec<Marked>,
) -> Result<(), Fault> {
    let mut tables: Vec<(&str, Vec<&AuditedFile>)> = Vec::new();
    for file in files {
        if !has_texts(&file.path)? {
            continue;
        }
        match tables.last_mut().filter(|(config, _)| *config == file.config) {
            Some((_, files)) => files.push(file),
            None => tables.push((&file.config, vec![file])),
        }
    }
    let place = |name: &String| tables.iter().position(|(config, _)| config == name);
    let texts = |config: &str| match wanted.texts.get(config) {
        Some(texts) => texts.iter().filter_map(place).collect(),
        None => (0..tables.len()).collect(),
    };
    let sought = sets.iter().zip(asked).map(|(sets, of)| {
        let config = sets.first().map_or("", |set| &set.config);
        Sought { of, texts: texts(config) }
    });
    let files: Vec<_> = tables.iter().map(|(_, files)| &files[..]).collect();
    let found = search_all(&sought.collect::<Vec<_>>(), &files)?;
    let all = sets
        .iter_mut()
        .flatten()
        .zip(found.into_iter().flatten())
        .zip(asked.iter().flat_map(|of| &of.sets));
    for ((set, found), Asked { books, groups, .. }) in
        all.filter(|((set, _), _)| set.chance.is_some())
    {
        set.searched = found.questions();
        set.figures.extend(found.figures(groups));
        let mark = |(measure, one, credit): (Measure, &Sampled, f64)| Marked {
            measure,
            question: one.mark,
            book: books[one.book].clone(),
            author: shelf.author(&books[one.book]),
            kind: set.kind.clone(),
            demand_symbols: one.demand_symbols,
            demand_words: one.demand_words,
            choices: one.options.len(),
            credit,
        };
        marks.extend(found.each(groups).map(mark));
    }
    Ok(())
}
