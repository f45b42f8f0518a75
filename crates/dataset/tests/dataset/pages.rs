//! No page of a published file is without values, however long its rows are.

use std::{fs, path::Path};

use storymill_dataset::{
    Depth, Manifest, Tables,
    check::{Wrong, check},
    publish,
};
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

/// The same rows as another program wrote them: the Rust library, version 60.1, which ends pages by
/// content. Its first page of texts is without values.
const OTHERS: &[u8] = include_bytes!("page-without-values.parquet");

#[test]
fn a_page_without_values_is_found_in_files_of_other_writers_too() {
    let folder = TempDir::new().unwrap();
    let manifest = scenes(folder.path());
    let path = folder.path().join(&manifest.files[0].path);
    assert_eq!(check(folder.path(), Depth::Both).unwrap(), []);
    fs::write(&path, OTHERS).unwrap();
    let [damage] = &check(folder.path(), Depth::Rows).unwrap()[..] else { panic!("one") };
    assert_eq!(damage.path, path);
    assert_eq!(damage.wrong, Wrong::EmptyPage { column: "text".to_owned() });
}

#[test]
fn zz_make() {
    use parquet::{
        arrow::{ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder},
        basic::{Compression, ZstdLevel},
        file::properties::{CdcOptions, WriterProperties},
    };
    let folder = TempDir::new().unwrap();
    let manifest = scenes(folder.path());
    let path = folder.path().join(&manifest.files[0].path);
    let builder = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(&path).unwrap()).unwrap();
    let schema = builder.schema().clone();
    let kv = builder.metadata().file_metadata().key_value_metadata().cloned();
    let props = WriterProperties::builder()
        .set_content_defined_chunking(Some(CdcOptions::default()))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap()))
        .set_key_value_metadata(kv)
        .build();
    let out = fs::File::create("tests/dataset/page-without-values.parquet").unwrap();
    let mut writer = ArrowWriter::try_new(out, schema, Some(props)).unwrap();
    for batch in builder.with_batch_size(1024).build().unwrap() {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.close().unwrap();
}
