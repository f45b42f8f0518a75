//! Published tables, bent: flipped, cut, grown. By bytes every change is found; by rows a table may pass only if each of
//! its rows is read as before.

use std::{collections::BTreeMap, fs, path::Path};

use parquet::file::{
    metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData},
    reader::{FileReader, SerializedFileReader},
};
use serde_json::Value;
use storymill_core::{Seed, Stream};
use storymill_dataset::{Depth, Manifest, Query, Tables, check, inspect, publish};
use tempfile::TempDir;

use crate::support::{TestDisk, small};

/// Everything that is read of a table.
fn rows(path: &Path) -> Vec<Vec<(String, Value)>> {
    let all = Query { rows: 10_000, ..Query::default() };
    let found = inspect(path.to_owned(), &all).unwrap();
    found.tables.into_iter().flat_map(|table| table.sample).map(|row| row.values).collect()
}

/// In what a table differs that has the same rows. Nothing of this is looked at where rows are compared.
fn difference(before: &[u8], after: &[u8]) -> &'static str {
    let read = |bytes: &[u8]| {
        let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).unwrap();
        file.metadata().clone()
    };
    let (before, after) = (read(before), read(after));
    let groups = [&before, &after].map(ParquetMetaData::row_groups);
    let columns = groups.map(|groups| groups.iter().flat_map(RowGroupMetaData::columns));
    let differ = |told: fn(&ColumnChunkMetaData) -> String| {
        let [before, after] = columns.clone().map(|columns| columns.map(told).collect::<Vec<_>>());
        before != after
    };
    let keys =
        |metadata: &ParquetMetaData| format!("{:?}", metadata.file_metadata().key_value_metadata());
    if keys(&before) != keys(&after) {
        "notes of the footer, such as name and canary"
    } else if differ(|column| format!("{:?}", column.statistics())) {
        "smallest and largest values in the footer"
    } else if groups[0] != groups[1] {
        "sizes, counts and places in the footer"
    } else if before.file_metadata() != after.file_metadata() {
        "other words of the footer"
    } else {
        "bytes before the footer"
    }
}

/// Flips a bit, cuts out some bytes, puts some in, or cuts off the end.
fn bend(bytes: &mut Vec<u8>, stream: &mut Stream) {
    let at = stream.index(bytes.len()).unwrap();
    let some = stream.index(40).unwrap() + 1;
    match stream.below(8) {
        0..=4 => bytes[at] ^= 1 << stream.below(8),
        5 => drop(bytes.drain(at..(at + some).min(bytes.len()))),
        6 => drop(bytes.splice(at..at, (0..some).map(|_| stream.below(256).to_le_bytes()[0]))),
        _ => bytes.truncate(at),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the full set of tests is asked for in the environment"
)]
fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

#[test]
fn a_bent_table_is_found_or_has_every_row() {
    let folder = TempDir::new().unwrap();
    let (spec, shelf) = small();
    publish(&spec, &Tables::standard(), &shelf, &TestDisk::sound(), folder.path()).unwrap();
    let manifest = Manifest::of(folder.path()).unwrap();
    let tables: Vec<_> = manifest.files.iter().map(|file| folder.path().join(&file.path)).collect();
    let held: Vec<_> = tables.iter().map(|path| (fs::read(path).unwrap(), rows(path))).collect();
    let (mut passed, mut bent) = (BTreeMap::<&str, u32>::new(), 0);
    for seed in 0..if full() { 500 } else { 25 } {
        let stream = &mut Seed::new(seed).derive("bent", &"b1".parse().unwrap(), "", "table");
        let at = stream.index(tables.len()).unwrap();
        let (path, (whole, rows_before)) = (&tables[at], &held[at]);
        let mut bytes = whole.clone();
        bend(&mut bytes, stream);
        if bytes == *whole {
            continue;
        }
        bent += 1;
        fs::write(path, &bytes).unwrap();
        let found = |depth| check(folder.path(), depth).unwrap();
        assert!(!found(Depth::Both).is_empty() && !found(Depth::Bytes).is_empty(), "seed {seed}");
        if found(Depth::Rows).is_empty() {
            assert_eq!(rows(path), *rows_before, "seed {seed}: other rows pass");
            *passed.entry(difference(whole, &bytes)).or_default() += 1;
        }
        fs::write(path, whole).unwrap();
    }
    println!("of {bent} bent tables these pass by rows: {passed:#?}");
}
