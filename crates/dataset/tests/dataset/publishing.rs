//! Same rows, same bytes.

use std::{collections::BTreeMap, fs};

use proptest::prelude::*;
use serde_json::Value;
use storymill_core::{Chapter, Digest};
use storymill_dataset::{
    Config, Depth, Manifest, Publication, Query, Tables, check, inspect, publish,
};
use tempfile::TempDir;

use crate::support::{CANARY, Kept, TestDisk, Work, files, publication, small, with_texts, work};

pub(crate) fn published(spec: &Publication, shelf: &Kept) -> (TempDir, Manifest) {
    let folder = TempDir::new().unwrap();
    let published =
        publish(spec, &Tables::standard(), shelf, &TestDisk::sound(), folder.path()).unwrap();
    assert!(!published.current);
    (folder, published.manifest)
}

#[test]
fn a_folder_holds_what_its_manifest_lists() {
    let (spec, shelf) = small();
    let (folder, manifest) = published(&spec, &shelf);
    let mut names: Vec<_> = manifest.listed().map(|file| file.path.to_owned()).collect();
    names.push("manifest.json".to_owned());
    names.sort();
    assert_eq!(files(folder.path()).into_keys().collect::<Vec<_>>(), names);
    assert_eq!(manifest.files[0].path, "books/train-00000-of-00001.parquet");
    for depth in [Depth::Lengths, Depth::Bytes, Depth::Rows] {
        assert_eq!(check(folder.path(), depth).unwrap(), [], "{depth:?}");
    }
    assert_eq!(Manifest::of(folder.path()).unwrap(), manifest);
}

/// The rows of one book as parts of so many rows each.
fn scenes_in_parts(work: &Work, rows: usize) -> (Publication, Kept) {
    let mut shelf = Kept::default();
    let parts = work.scenes.chunks(rows).map(|rows| shelf.put(&work.book.id, rows)).collect();
    let config = Config {
        name: "scenes".to_owned(),
        record: "scene".to_owned(),
        encodings: Vec::new(),
        parts,
    };
    let (spec, _) = publication(&[]);
    (Publication { configs: vec![config], ..spec }, shelf)
}

#[test]
fn the_size_of_parts_changes_no_byte() {
    let work = work("b1", 1, 6_500, 900);
    let [one, two, three] = [7, 163, 6_000].map(|rows| {
        let (spec, shelf) = scenes_in_parts(&work, rows);
        let (folder, manifest) = published(&spec, &shelf);
        let path = folder.path().join(&manifest.files[0].path);
        (fs::read(path).unwrap(), manifest.files, manifest.digest)
    });
    assert!(one == two && two == three);
}

#[test]
fn rows_stand_by_split_and_unit_whatever_the_order_of_parts() {
    let (spec, shelf) = small();
    let (folder, manifest) = published(&spec, &shelf);
    let mut turned = spec.clone();
    turned.configs.iter_mut().for_each(|config| config.parts.reverse());
    let (other, same) = published(&turned, &shelf);
    assert_eq!(manifest, same);
    assert_eq!(files(folder.path()), files(other.path()));
    let splits: Vec<_> = manifest.files.iter().take(3).map(|file| file.split.as_str()).collect();
    assert_eq!(splits, ["train", "validation", "test"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_digest_of_rows_is_theirs_alone(
        scenes in 1_u32..60, bytes in 1_usize..400, seed in 0_u64..9, a in 1_usize..70, b in 1_usize..70,
    ) {
        let work = work("b1", seed, scenes, bytes);
        let [one, two] = [a, b].map(|rows| {
            let (spec, shelf) = scenes_in_parts(&work, rows);
            published(&spec, &shelf)
        });
        prop_assert_eq!(&one.1.files, &two.1.files);
        prop_assert_eq!(check(one.0.path(), Depth::Rows).unwrap(), vec![]);

        // One row fewer, or the same rows in another order, is another digest.
        let mut fewer = work;
        let last = fewer.scenes.pop();
        let (spec, shelf) = scenes_in_parts(&fewer, a);
        if !fewer.scenes.is_empty() {
            prop_assert_ne!(published(&spec, &shelf).1.digest, one.1.digest);
            fewer.scenes.insert(0, last.unwrap());
            let (spec, shelf) = scenes_in_parts(&fewer, a);
            prop_assert_ne!(published(&spec, &shelf).1.digest, one.1.digest);
        }
    }
}

#[test]
fn the_bytes_are_pinned() {
    let (spec, shelf) = small();
    let (_folder, manifest) = published(&spec, &shelf);
    let file = |config: &str| {
        manifest.files.iter().find(|file| file.config == config && file.split == "train").unwrap()
    };
    let rows: Digest = PINNED_ROWS.parse().unwrap();
    assert_eq!(
        file("reconstruction").rows_digest,
        rows,
        "the published rows changed. That is an Output change: say so in the changelog and raise SCHEMA_VERSION"
    );
    assert_eq!(
        file("reconstruction").sha256,
        PINNED_BYTES,
        "the same rows are other bytes, perhaps by a new release of a library ({}). That is an \
         Output change: say so in the changelog and raise WRITER_FORMAT",
        manifest.writer.library
    );
}

const PINNED_ROWS: &str = "92e966284060ce87e3089e95faf9e8fc8804bc798cd27b0a11cc8285bc41df9b";
const PINNED_BYTES: &str = "6c45c0fec315731e84c97937807e57e6b0429ab6ba0544c2ea357dcfd5221fcb";

/// The texts of books stand beside them: joined they are the text, whose length its row tells.
#[test]
fn the_pieces_of_a_book_are_its_text() {
    let mut works = [work("b1", 1, 40, 900), work("b2", 2, 3, 500)];
    for work in &mut works {
        work.book.chapters.clear();
    }
    for (at, start) in [2, 9, 30].into_iter().enumerate() {
        let span = works[0].scenes[start].span;
        let title = format!("Chapter {at}");
        works[0].book.chapters.push(Chapter { title, level: 1, span });
    }
    let (spec, shelf) = publication(&works);
    let (folder, _) = published(&with_texts(spec), &shelf);
    let rows = |config: &str| -> Vec<BTreeMap<String, Value>> {
        let query = Query { config: Some(config.to_owned()), rows: 99, ..Query::default() };
        let tables = inspect(folder.path(), &query).unwrap().tables.into_iter();
        tables.flat_map(|table| table.sample).map(|row| row.values.into_iter().collect()).collect()
    };
    let pieces = rows("books-text");
    assert_eq!(pieces.len(), 4 + 1);
    assert_eq!(pieces[2]["chapter_title"], "Chapter 1");
    for (book, work) in rows("books").iter().zip(&works) {
        assert!(!book.contains_key("text"));
        let own = pieces.iter().filter(|piece| piece["book_id"] == book["book_id"]);
        let text: String = own.clone().map(|piece| piece["text"].as_str().unwrap()).collect();
        assert_eq!(text, work.book.text);
        assert_eq!(own.clone().next_back().unwrap()["end_symbols"], book["symbols"]);
        assert!(own.clone().all(|piece| piece["split"] == book["split"]));
    }
}

#[test]
fn every_evaluation_file_carries_the_canary() {
    let (spec, shelf) = small();
    let (folder, manifest) = published(&spec, &shelf);
    for file in &manifest.files {
        let bytes = fs::read(folder.path().join(&file.path)).unwrap();
        assert!(bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()));
    }
}

#[test]
fn a_table_without_rows_still_tells_its_columns() {
    let (mut spec, shelf) = small();
    spec.configs[4].parts.clear();
    let (folder, manifest) = published(&spec, &shelf);
    let file = manifest.files.last().unwrap();
    assert_eq!((file.path.as_str(), file.rows), ("reconstruction/train-00000-of-00001.parquet", 0));
    let card = fs::read_to_string(folder.path().join("README.md")).unwrap();
    let front = card.split("---\n").nth(1).unwrap();
    assert!(front.contains("scenes/train-*") && !front.contains("reconstruction"), "{front}");
    assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);
}

#[test]
fn a_manifest_without_figures_is_read() {
    let (spec, shelf) = small();
    let (_folder, manifest) = published(&spec, &shelf);
    let mut older = serde_json::to_value(&manifest).unwrap();
    older["format"] = "storymill-dataset/1".into();
    older.as_object_mut().unwrap().remove("figures").unwrap();
    let read = Manifest::read(older.to_string().as_bytes()).unwrap();
    assert_eq!((read.figures.len(), read.files), (0, manifest.files));
}
