//! A published folder in which the manifest or one of the tables is bent. `verify` ends; by bytes it finds every change of
//! a table; by rows it passes a table only if every row is read as before.
#![no_main]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde_json::Value;
use storymill_dataset::{Depth, Manifest, Query, check, inspect};
use storymill_fuzz::scratch;

/// A table of the folder: where it lies, its bytes and its rows.
struct Table {
    path: PathBuf,
    bytes: Vec<u8>,
    rows: Vec<Vec<(String, Value)>>,
}

/// A copy of the seed folder, and its tables.
static COPY: LazyLock<(PathBuf, Vec<Table>)> = LazyLock::new(|| {
    let (copy, from) = (scratch(), Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/verify"));
    copy_folder(&from, &copy);
    let manifest = Manifest::of(copy.clone()).expect("a manifest");
    let table = |path: PathBuf| Table {
        bytes: fs::read(&path).expect("a table"),
        rows: rows(&path).expect("rows"),
        path,
    };
    let tables = manifest.files.iter().map(|file| table(copy.join(&file.path))).collect();
    assert_eq!(check(copy.clone(), Depth::Both).expect("a manifest"), []);
    (copy, tables)
});

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the seed folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file");
        }
    }
}

fn rows(path: &Path) -> Option<Vec<Vec<(String, Value)>>> {
    let found = inspect(path.to_owned(), &Query { rows: 1_000, ..Query::default() }).ok()?;
    let rows = found.tables.into_iter().flat_map(|table| table.sample);
    Some(rows.map(|row| row.values).collect())
}

/// How many bytes two files share at both ends.
fn alike(a: &[u8], b: &[u8]) -> usize {
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    front + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Puts bytes in place of a file while something is done.
fn with<T>(path: &Path, bytes: &[u8], run: impl FnOnce() -> T) -> T {
    let before = fs::read(path).expect("a file");
    fs::write(path, bytes).expect("a file");
    let done = run();
    fs::write(path, before).expect("a file");
    done
}

fn manifest(folder: &Path, bytes: &[u8]) {
    if let Ok(manifest) = Manifest::read(bytes) {
        let written = serde_json::to_vec(&manifest).expect("a manifest is JSON");
        assert_eq!(
            Manifest::read(&written).expect("a manifest that was written is read"),
            manifest
        );
    }
    with(&folder.join("manifest.json"), bytes, || {
        for depth in [Depth::Lengths, Depth::Rows, Depth::Both] {
            let _ = check(folder.to_owned(), depth);
        }
    });
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (copy, tables) = &*COPY;
    if !bytes.starts_with(b"PAR1") {
        return manifest(copy, bytes);
    }
    // In place of the table that it was made from.
    let table = tables.iter().max_by_key(|table| alike(&table.bytes, bytes)).expect("a table");
    with(&table.path, bytes, || {
        let by_bytes = check(copy.clone(), Depth::Both).expect("the manifest is whole");
        assert_eq!(by_bytes.is_empty(), bytes == table.bytes, "other bytes pass");
        let by_rows = check(copy.clone(), Depth::Rows).expect("the manifest is whole");
        if by_rows.is_empty() {
            assert_eq!(rows(&table.path).as_ref(), Some(&table.rows), "other rows pass");
        }
    });
});
