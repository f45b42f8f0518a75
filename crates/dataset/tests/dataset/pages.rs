//! No page of a published file is without values, however long its rows are.

use std::{fs, path::Path};

use parquet::{
    arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder},
    basic::{Compression, ZstdLevel},
    file::properties::{CdcOptions, WriterProperties},
};
use storymill_dataset::{Depth, Manifest, Tables, Wrong, check, publish};
use tempfile::TempDir;

use crate::{
    long::{orders, publish_long},
    support::{TestDisk, publication, work},
};

#[test]
fn long_rows_make_no_page_without_values() {
    for (name, lengths) in orders() {
        let folder = TempDir::new().unwrap();
        let published = publish_long(&lengths, folder.path());
        assert_eq!(published.manifest.files[0].rows, lengths.len() as u64);
        assert_eq!(check(folder.path(), Depth::Rows).unwrap(), [], "{name}");
    }
}

/// Scenes of which the first is longer than a page.
fn scenes(out: &Path) -> Manifest {
    let mut work = work("b1", 1, 3, 600);
    work.scenes[0].text = "It rained on the mill. ".repeat(60_000);
    let (mut spec, shelf) = publication(&[work]);
    spec.configs.drain(2..);
    spec.configs.remove(0);
    publish(&spec, &Tables::standard(), &shelf, &TestDisk::sound(), out).unwrap().manifest
}

/// Writes the rows of a file as another program does: the Rust library, which ends pages by content.
/// Version 60.1 begins a column of long texts with a page without values. Once a later one does not,
/// keep a file of this one here.
fn written_by_another(file: &Path) -> Vec<u8> {
    let rows = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(file).unwrap()).unwrap();
    let properties = WriterProperties::builder()
        .set_content_defined_chunking(Some(CdcOptions::default()))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), rows.schema().clone(), Some(properties)).unwrap();
    for batch in rows.build().unwrap() {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn a_page_without_values_is_found_in_files_of_other_writers_too() {
    let folder = TempDir::new().unwrap();
    let manifest = scenes(folder.path());
    let path = folder.path().join(&manifest.files[0].path);
    assert_eq!(check(folder.path(), Depth::Both).unwrap(), []);
    fs::write(&path, written_by_another(&path)).unwrap();
    let [damage] = &check(folder.path(), Depth::Rows).unwrap()[..] else { panic!("one") };
    assert_eq!(damage.path, path);
    assert_eq!(damage.wrong, Wrong::EmptyPage { column: "text".to_owned() });
}
