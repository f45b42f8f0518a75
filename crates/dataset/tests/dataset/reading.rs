//! Looking into what was published, and into what was damaged since.

use std::fs;

use storymill_dataset::{
    Depth, Query, Sample, Tables, Wrong, check, inspect, publish, scan::ColumnFacts,
};
use tempfile::TempDir;

use crate::support::{TestDisk, small};

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (spec, shelf) = small();
    publish(&spec, &Tables::standard(), &shelf, &TestDisk::sound(), folder.path()).unwrap();
    folder
}

fn query(config: &str, split: &str) -> Query {
    Query {
        config: Some(config.to_owned()),
        split: Some(split.to_owned()),
        rows: 2,
        sample: Sample::First,
    }
}

#[test]
fn a_table_is_shown_with_its_columns_and_rows() {
    let folder = folder();
    let found = inspect(folder.path(), &query("reconstruction", "train")).unwrap();
    let [table] = &found.tables[..] else { panic!("one table") };
    assert_eq!((table.rows, table.files.len(), table.files[0].row_groups), (4, 1, 1));
    let column = |name: &str| table.columns.iter().find(|column| column.name == name).unwrap();
    assert_eq!(column("evidence").kind, "list<struct<start_symbols: int32, end_symbols: int32>>");
    let ColumnFacts::Numbers { min, max, mean } = column("demand_scenes").facts else { panic!() };
    assert_eq!((min, max), (1, 4));
    assert!((mean - 2.5).abs() < 1e-9);
    let ColumnFacts::Words(words) = &column("book_id").facts else { panic!() };
    assert_eq!(words["b1"], 4);
    assert_eq!(
        column("question").facts,
        ColumnFacts::Words(
            [("Rewrite the retelling so that it fits the book.".to_owned(), 4,)].into()
        )
    );
    let row = &table.sample[1];
    assert_eq!(row.at, 1);
    assert_eq!(row.values[0].0, "question_id");
    assert_eq!(row.values[0].1, "b1/0001/d0/reconstruct");
    assert!(row.values[9].1[0]["start_symbols"].as_u64().unwrap() > 0);
}

#[test]
fn unknown_years_are_null_and_known_ones_may_be_negative() {
    let folder = folder();
    let found = inspect(folder.path(), &query("books", "train")).unwrap();
    let authors = &found.tables[0].sample[0].values[2].1;
    assert_eq!(authors[0]["birth_year"], -42);
    assert!(authors[1]["birth_year"].is_null() && authors[1].get("birth_year").is_some());
}

#[test]
fn a_seed_chooses_rows_for_good() {
    let folder = folder();
    let choose = |seed| {
        let query = Query { sample: Sample::Seeded(seed), ..query("scenes", "train") };
        inspect(folder.path(), &query).unwrap().tables[0].sample.clone()
    };
    assert_eq!(choose(1), choose(1));
    assert_eq!(choose(1).len(), 2);
    assert!((0..20).any(|seed| choose(seed) != choose(1)));
    assert!(choose(1)[0].at < choose(1)[1].at);
}

#[test]
fn single_files_and_folders_without_a_manifest_are_read_too() {
    let folder = folder();
    let file = folder.path().join("scenes/train-00000-of-00001.parquet");
    let alone = inspect(&file, &Query::default()).unwrap();
    assert_eq!(
        (alone.tables[0].config.as_str(), alone.tables[0].split.as_str()),
        ("scenes", "train")
    );
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    assert_eq!(inspect(folder.path(), &Query::default()).unwrap().tables.len(), 15);
}

#[test]
fn faults_name_the_file() {
    let folder = folder();
    let fault = inspect(folder.path(), &query("poems", "train")).unwrap_err();
    assert_eq!(fault.message, "no config `poems`");
    assert!(fault.hint.unwrap().contains("`scenes`"));
    let fault = inspect(folder.path(), &query("scenes", "trian")).unwrap_err();
    assert_eq!(fault.hint.unwrap(), "did you mean `train`?");
    let fault = inspect(folder.path().join("README.md"), &Query::default()).unwrap_err();
    assert_eq!(fault.message, "not a whole Parquet file");
    assert!(fault.path.unwrap().ends_with("README.md"));

    let path = folder.path().join("scenes/train-00000-of-00001.parquet");
    let whole = fs::read(&path).unwrap();
    for cut in [0, 3, 11, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..cut]).unwrap();
        let fault = inspect(folder.path(), &query("scenes", "train")).unwrap_err();
        assert_eq!(fault.path.as_deref(), Some(&*path), "cut at {cut}");
    }
    let fault = inspect(folder.path().join("nowhere"), &Query::default()).unwrap_err();
    assert_eq!(fault.message, "no such folder or file");
}

#[test]
fn damage_is_found_and_named() {
    let folder = folder();
    let path = folder.path().join("scenes/train-00000-of-00001.parquet");
    let whole = fs::read(&path).unwrap();
    let damage = |bytes: Option<&[u8]>, depth| {
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let [damage] = &check(folder.path(), depth).unwrap()[..] else { panic!("one") };
        assert_eq!(damage.path, path);
        damage.wrong.clone()
    };
    let listed = whole.len() as u64;
    assert_eq!(damage(Some(&whole[..99]), Depth::Lengths), Wrong::Length { listed, found: 99 });
    let mut turned = whole.clone();
    turned[whole.len() / 3] ^= 1;
    assert_eq!(damage(Some(&turned), Depth::Bytes), Wrong::Bytes);
    assert!(matches!(damage(Some(&whole[..99]), Depth::Rows), Wrong::Unreadable(_)));
    let other = fs::read(folder.path().join("scenes/test-00000-of-00001.parquet")).unwrap();
    assert_eq!(damage(Some(&other), Depth::Rows), Wrong::Rows);
    assert_eq!(damage(None, Depth::Lengths), Wrong::Missing);
}
