//! Releases: whole or not at all, whenever the disk fails; and the same bytes every time.

use std::{collections::BTreeMap, fs, path::Path};

use storymill_core::Fault;
use storymill_dataset::{
    Depth, Manifest, Tables, check, publish,
    release::{Before, Candidate, ERRATA, Examined, Prompts, Released, Words, examine},
};
use tempfile::TempDir;

use crate::support::{Kept, TestDisk, files, publication, small, work};

/// A published folder with a changelog beside it.
struct Shop(TempDir);

impl Shop {
    fn new((spec, shelf): &(storymill_dataset::Publication, Kept)) -> Self {
        let shop = Self(TempDir::new().unwrap());
        publish(spec, &Tables::standard(), shelf, &TestDisk::sound(), &shop.at("out")).unwrap();
        let log = format!("## {} (2026-11-21)\n- What is new.\n", spec.version);
        fs::write(shop.at("CHANGELOG.md"), log).unwrap();
        shop
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn examined<T>(&self, before: Before<'_>, f: impl FnOnce(Examined<'_>) -> T) -> T {
        let words = Words {
            title: "The Mill".to_owned(),
            license: "CC-BY-4.0".to_owned(),
            authors: vec!["Brook: \"Ann\", née}".to_owned()],
            url: "https://example.org/mill".to_owned(),
            ..Words::default()
        };
        f(examine(Candidate {
            folder: &self.at("out"),
            words,
            records: BTreeMap::from([("scenes".to_owned(), "scene".to_owned())]),
            before,
            prompts: Prompts { prompt: &|_, shown| Ok(shown.to_owned()), texts: &|_| Vec::new() },
            changelog: &self.at("CHANGELOG.md"),
            errata: &self.at(ERRATA),
        })
        .unwrap())
    }

    fn release(&self, disk: &TestDisk, before: Before<'_>) -> Result<Released, Fault> {
        self.examined(before, |examined| {
            assert_eq!(examined.objections, []);
            examined.write(&Tables::standard(), disk, &self.at("releases"))
        })
    }
}

#[test]
fn a_disk_that_fails_leaves_no_half_release() {
    let shop = Shop::new(&small());
    let disk = TestDisk::sound();
    shop.release(&disk, Before::None).unwrap();
    let whole = files(&shop.at("releases"));
    let changes = disk.changes();
    assert!(changes > 20);
    for fails_at in 0..changes {
        fs::remove_dir_all(shop.at("releases")).unwrap();
        let release = shop.at("releases/mill-1.0.0");
        if shop.release(&TestDisk::failing_at(fails_at), Before::None).is_err() && release.exists()
        {
            // Only the folder above was still to be synced.
            assert_eq!(check(&release, Depth::Both).unwrap(), [], "at {fails_at}");
        }
        if !release.exists() {
            shop.release(&TestDisk::sound(), Before::None).unwrap();
        }
        assert_eq!(files(&shop.at("releases")), whole, "at {fails_at}");
    }
    let again = shop.release(&TestDisk::sound(), Before::None).unwrap_err();
    assert!(again.message.contains("released before"), "{again}");
}

#[test]
fn every_id_that_changed_wants_an_erratum() {
    let first = Shop::new(&small());
    let first = first.release(&TestDisk::sound(), Before::None).map(|done| (first, done));
    let (_first, done) = first.unwrap();
    let works = [work("b1", 1, 4, 600), work("b2", 9, 3, 500), work("b3", 3, 2, 700)];
    let (mut spec, shelf) = publication(&works);
    "2.0.0".clone_into(&mut spec.version);
    let second = Shop::new(&(spec, shelf));
    let (missing, what) = second.examined(Before::Folder(&done.folder), |examined| {
        (examined.without_erratum, examined.objections)
    });
    // Whatever is of book two, and nothing else.
    assert!(missing.len() > 3 && missing.iter().all(|id| id.starts_with("b2")), "{missing:?}");
    assert!(matches!(&what[..], [one] if one.what.contains("has no row")), "{what:?}");
    let rows: Vec<_> = missing.iter().map(|id| format!("{id},2.0.0,another text")).collect();
    let rows = rows.join("\n");
    fs::write(second.at(ERRATA), format!("id,version,reason\n{rows}")).unwrap();
    let done = second.release(&TestDisk::sound(), Before::Folder(&done.folder)).unwrap();
    let manifest = Manifest::of(&done.folder).unwrap();
    assert_eq!(manifest.release.unwrap().previous.unwrap().version, "1.0.0");
    assert_eq!(check(&done.folder, Depth::Both).unwrap(), []);
}

#[test]
fn names_mean_nothing_in_the_files_that_hold_them() {
    let shop = Shop::new(&small());
    let done = shop.release(&TestDisk::sound(), Before::None).unwrap();
    let read = |name: &str| fs::read_to_string(done.folder.join(Path::new(name))).unwrap();
    let citation = read("CITATION.cff");
    let names = "  - family-names: \"Brook: \\\"Ann\\\"\"\n    given-names: \"née}\"\n";
    assert!(citation.contains(names), "{citation}");
    let croissant: serde_json::Value = serde_json::from_str(&read("croissant.json")).unwrap();
    let cite = croissant["citeAs"].as_str().unwrap();
    assert_eq!(cite.matches('{').count(), cite.matches('}').count(), "{cite}");
    assert_eq!(croissant["creator"][0]["name"], "née} Brook: \"Ann\"");
    let scenes = croissant["recordSet"].as_array().unwrap();
    let scenes = scenes.iter().find(|set| set["@id"] == "scenes").unwrap();
    assert_eq!(scenes["key"]["@id"], "scenes/scene_id");
    assert_eq!(scenes["field"][0]["description"], "the scene: `84/0012`");
}
