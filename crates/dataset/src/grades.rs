//! The grades of a results folder, read back row by row.

use std::path::Path;

use arrow_array::{
    Array, ArrayRef, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
    cast::AsArray,
    types::{Int32Type, Int64Type},
};
use parquet::arrow::ProjectionMask;
use storymill_core::{
    Demand, Encoding, Fault, FaultKind, Grade, Length, Spent, Status, Tokens, UnitId,
};

use crate::{
    manifest::Manifest,
    reading::{each_batch, open},
    site::Site,
};

/// The columns that a table of grades is known by.
const KNOWN_BY: [&str; 3] = ["grade_id", "status", "score_ppm"];

/// The measures of free text, by the names that columns have them under; the one that counts comes first.
const MEASURES: [&str; 7] =
    ["rouge-l", "copy-rouge-l", "meteor", "copy-meteor", "em", "f1", "keyword-f1"];

/// Hands over every grade of a results folder, file by file, and says how many there were.
///
/// # Errors
///
/// The folder has no manifest or no table of grades, a file cannot be read, or a row is none that this version wrote.
pub fn each_grade(
    folder: impl Into<Site>,
    mut each: impl FnMut(Grade) -> Result<(), Fault>,
) -> Result<u64, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let mut count = 0;
    let mut tables = 0;
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let reader = open(&path)?;
        let schema = reader.schema().clone();
        if !KNOWN_BY.iter().all(|name| schema.column_with_name(name).is_some()) {
            continue;
        }
        tables += 1;
        let unread = ["grade_id", "canary"];
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let wanted = names.filter(|name| !unread.contains(name));
        let mask = ProjectionMask::columns(reader.parquet_schema(), wanted);
        let reader = reader.with_projection(mask).with_batch_size(8_192);
        each_batch(reader, &path, |batch| {
            let columns = Columns::of(batch).map_err(|why| fault(&path, &why))?;
            for row in 0..batch.num_rows() {
                let grade = columns
                    .grade(row)
                    .map_err(|why| fault(&path, &format!("row {}: {why}", count + 1)))?;
                count += 1;
                each(grade)?;
            }
            Ok(())
        })?;
    }
    if tables == 0 {
        return Err(Fault::new(FaultKind::Input, "no grades are published here")
            .at(folder)
            .hint("a results folder is what `storymill evaluate` writes"));
    }
    Ok(count)
}

fn fault(path: &Path, why: &str) -> Fault {
    Fault::new(FaultKind::Input, format!("not grades that this version can read: {why}"))
        .at(path)
        .hint("it was written by another version or another tool, or was changed since")
}

/// The columns of a batch.
struct Columns<'b> {
    words: Words<'b>,
    flags: &'b ListArray,
    /// None in results of earlier versions.
    written_by: Option<&'b ListArray>,
    numbers: Counts<'b>,
    /// Measures that there are columns for.
    measures: Vec<(&'static str, Numbers<'b>)>,
    /// None in results of earlier versions.
    place: Option<Numbers<'b>>,
    demand: Lengths<'b>,
    context: Lengths<'b>,
}

macro_rules! columns {
    ($(#[$doc:meta])* $group:ident of $kind:ty: $make:ident, $($name:ident),*) => {
        $(#[$doc])*
        struct $group<'b> {
            $($name: $kind),*
        }

        impl<'b> $group<'b> {
            fn of(batch: &'b RecordBatch) -> Result<Self, String> {
                Ok(Self { $($name: $make(batch, stringify!($name))?),* })
            }
        }
    };
}

columns! {
    /// Columns of text.
    Words of &'b StringArray: text, question_id, config, of, title, author, split, model, setting, form, kind, status, pair, cut
}

columns! {
    /// Columns of numbers.
    Counts of Numbers<'b>: number, right, none_of_the_above, choices, score_ppm, demand_end_symbols, offered_tokens,
    shown_tokens, output_tokens, thinking_tokens, limit_tokens
}

/// A length in every unit.
struct Lengths<'b> {
    scenes: Numbers<'b>,
    words: Numbers<'b>,
    symbols: Numbers<'b>,
    tokens: Vec<(Encoding, Numbers<'b>)>,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b RecordBatch) -> Result<Self, String> {
        let measured = MEASURES.into_iter().filter_map(|name| {
            let column = format!("{}_ppm", name.replace('-', "_"));
            Some((name, number(batch, &column).ok()?))
        });
        let flags = column(batch, "flags")?.as_list_opt::<i32>();
        Ok(Self {
            words: Words::of(batch)?,
            written_by: column(batch, "written_by").ok().and_then(|all| all.as_list_opt::<i32>()),
            flags: flags.ok_or("column `flags` is not a list")?,
            numbers: Counts::of(batch)?,
            measures: measured.collect(),
            place: number(batch, "request_place").ok(),
            demand: Lengths::of(batch, "demand")?,
            context: Lengths::of(batch, "context")?,
        })
    }

    fn grade(&self, row: usize) -> Result<Grade, String> {
        let Words { question_id, config, of, title, author, split, model, .. } = &self.words;
        let Words { setting, form, kind, status, pair, cut, .. } = &self.words;
        let text = |column: &StringArray| column.value(row).to_owned();
        let numbers = &self.numbers;
        let small = |column: &Numbers<'_>| u8::try_from(column.value(row)).unwrap_or(0);
        let unit: UnitId =
            of.value(row).parse().map_err(|_| format!("`{}` is not an id", of.value(row)))?;
        let status = Status::of_name(status.value(row))
            .ok_or_else(|| format!("`{}` is not a status", status.value(row)))?;
        let measures = self
            .measures
            .iter()
            .filter_map(|(name, values)| Some(((*name).to_owned(), values.count(row)?)));
        Ok(Grade {
            question: text(question_id),
            config: text(config),
            of: unit,
            title: text(title),
            author: text(author),
            split: text(split),
            flags: list(self.flags, row)?,
            written_by: self.written_by.map_or(Ok(Vec::new()), |all| list(all, row))?,
            model: text(model),
            setting: text(setting),
            form: text(form),
            kind: text(kind),
            status,
            right: match numbers.right.value(row) {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            },
            none_of_the_above: numbers.none_of_the_above.value(row) == 1,
            choices: small(&numbers.choices),
            pair: text(pair),
            score_ppm: numbers.score_ppm.count(row).ok_or("`score_ppm` is below 0")?,
            measures: measures.collect(),
            demand: Demand {
                to_start: self.demand.at(row),
                to_end_symbols: numbers.demand_end_symbols.count(row).unwrap_or(0),
            },
            context: self.context.at(row),
            spent: Spent {
                offered: numbers.offered_tokens.count(row),
                shown: numbers.shown_tokens.count(row),
                cut: text(cut),
                output: numbers.output_tokens.count(row),
                thinking: numbers.thinking_tokens.count(row),
                limit: numbers.limit_tokens.count(row),
                place: self.place.as_ref().map_or(0, small),
            },
        })
    }
}

/// A cell that lists texts.
fn list(column: &ListArray, row: usize) -> Result<Vec<String>, String> {
    let cell = column.value(row);
    let texts = cell.as_string_opt::<i32>().ok_or("a column of lists holds no text")?;
    Ok(texts.iter().flatten().map(str::to_owned).collect())
}

impl<'b> Lengths<'b> {
    fn of(batch: &'b RecordBatch, of: &str) -> Result<Self, String> {
        let count = |unit: &str| number(batch, &format!("{of}_{unit}"));
        let tokens = Encoding::ALL
            .into_iter()
            .filter_map(|encoding| Some((encoding, count(&format!("tokens_{encoding}")).ok()?)));
        Ok(Self {
            scenes: count("scenes")?,
            words: count("words")?,
            symbols: count("symbols")?,
            tokens: tokens.collect(),
        })
    }

    fn at(&self, row: usize) -> Length {
        let tokens = self.tokens.iter().filter_map(|(encoding, counts)| {
            Some(Tokens { encoding: *encoding, count: counts.count(row)? })
        });
        Length {
            scenes: self.scenes.count(row).unwrap_or(0),
            words: self.words.count(row).unwrap_or(0),
            symbols: self.symbols.count(row).unwrap_or(0),
            tokens: tokens.collect(),
        }
    }
}

/// A column of numbers.
enum Numbers<'b> {
    Ints(&'b Int32Array),
    Longs(&'b Int64Array),
}

impl Numbers<'_> {
    fn value(&self, row: usize) -> i64 {
        match self {
            Self::Ints(all) => i64::from(all.value(row)),
            Self::Longs(all) => all.value(row),
        }
    }

    /// A count; -1 is what nobody counted.
    fn count(&self, row: usize) -> Option<u32> {
        u32::try_from(self.value(row)).ok()
    }
}

fn column<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b ArrayRef, String> {
    let column =
        batch.column_by_name(name).ok_or_else(|| format!("there is no column `{name}`"))?;
    if column.null_count() > 0 {
        return Err(format!("column `{name}` has empty cells"));
    }
    Ok(column)
}

fn text<'b>(batch: &'b RecordBatch, name: &str) -> Result<&'b StringArray, String> {
    column(batch, name)?
        .as_string_opt::<i32>()
        .ok_or_else(|| format!("column `{name}` is not text"))
}

fn number<'b>(batch: &'b RecordBatch, name: &str) -> Result<Numbers<'b>, String> {
    let column = column(batch, name)?;
    let ints = column.as_primitive_opt::<Int32Type>().map(Numbers::Ints);
    let longs = || column.as_primitive_opt::<Int64Type>().map(Numbers::Longs);
    ints.or_else(longs).ok_or_else(|| format!("column `{name}` holds no numbers"))
}
