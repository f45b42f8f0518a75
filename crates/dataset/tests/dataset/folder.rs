//! What an output folder may hold, and what is left of it when the disk fails.

use std::{fs, path::Path};

use storymill_core::{Fault, FaultKind};
use storymill_dataset::{
    Depth, Manifest, Publication, Published, Tables, check, may_publish, publish,
};
use tempfile::TempDir;

use crate::support::{Kept, TestDisk, files, publication, small, work};

fn publish_with(
    disk: &TestDisk,
    (spec, shelf): &(Publication, Kept),
    out: &Path,
) -> Result<Published, Fault> {
    publish(spec, &Tables::standard(), shelf, disk, out)
}

/// Another version with other rows, fewer tables and one book more.
fn second() -> (Publication, Kept) {
    let works = [work("b1", 1, 4, 600), work("b2", 9, 3, 500), work("b4", 4, 2, 700)];
    let (mut spec, shelf) = publication(&works);
    "2.0.0".clone_into(&mut spec.version);
    spec.configs.remove(3);
    (spec, shelf)
}

#[test]
fn nothing_is_written_twice() {
    let folder = TempDir::new().unwrap();
    let first = publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    let disk = TestDisk::sound();
    let again = publish_with(&disk, &small(), folder.path()).unwrap();
    assert!(again.current && disk.changes() == 0);
    assert_eq!(first.manifest, again.manifest);

    // A file that is gone comes back.
    let before = files(folder.path());
    fs::remove_file(folder.path().join("scenes/train-00000-of-00001.parquet")).unwrap();
    assert!(!publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap().current);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn another_version_replaces_ours_and_leaves_the_users() {
    let folder = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    fs::write(folder.path().join("NOTES.md"), "mine").unwrap();
    let published = publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap();
    let removed = ["train", "validation", "test"];
    let mut removed = removed.map(|split| format!("distortions/{split}-00000-of-00001.parquet"));
    removed.sort();
    assert_eq!(published.removed, removed);
    assert_eq!(fs::read_to_string(folder.path().join("NOTES.md")).unwrap(), "mine");

    let fresh = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &second(), fresh.path()).unwrap();
    fs::remove_file(folder.path().join("NOTES.md")).unwrap();
    assert_eq!(files(folder.path()), files(fresh.path()));
}

#[test]
fn what_is_not_ours_is_refused() {
    let refuse = |name: &str, content: &str| {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), content).unwrap();
        let before = files(folder.path());
        let fault = publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store);
        assert!(fault.hint.is_some());
        assert_eq!(files(folder.path()), before);
        fault.message
    };
    assert_eq!(refuse("thesis.tex", "x"), "the output folder holds `thesis.tex` and no dataset");
    assert_eq!(refuse("manifest.json", "{}"), "this manifest was not written by storymill");
    assert_eq!(refuse("manifest.json", "{"), "the manifest is damaged");
    let newer = r#"{ "format": "storymill-dataset/999", "moon": 1 }"#;
    assert_eq!(refuse("manifest.json", newer), "the dataset was written by a newer storymill");
}

#[test]
fn a_folder_that_other_tools_only_marked_is_taken() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(".gitattributes"), "*.parquet filter=lfs\n").unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    assert!(folder.path().join(".gitattributes").exists());
}

#[test]
fn a_manifest_never_reaches_out_of_its_folder() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    publish_with(&TestDisk::sound(), &small(), &out).unwrap();
    fs::write(folder.path().join("precious"), "x").unwrap();
    let manifest = out.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("scenes/train-00000-of-00001.parquet", "../precious"))
        .unwrap();
    let fault = publish_with(&TestDisk::sound(), &second(), &out).unwrap_err();
    assert!(fault.message.contains("no file of its folder"), "{fault}");
    assert!(folder.path().join("precious").exists());
}

#[test]
fn bad_names_are_found_before_anything_is_written() {
    let refuse = |change: &dyn Fn(&mut Publication)| {
        let folder = TempDir::new().unwrap();
        let (mut spec, shelf) = small();
        change(&mut spec);
        let disk = TestDisk::sound();
        let fault = publish_with(&disk, &(spec, shelf), folder.path()).unwrap_err();
        assert_eq!(disk.changes(), 0);
        fault.to_string()
    };
    assert_eq!(refuse(&|spec| spec.configs[0].name = "../x".to_owned()), "bad name of a config");
    assert_eq!(
        refuse(&|spec| spec.configs[1].name = "BOOKS".to_owned()),
        "two configs are named `BOOKS`"
    );
    assert_eq!(
        refuse(&|spec| spec.configs[0].record = "poem".to_owned()),
        "`poem` rows cannot be published"
    );
    assert_eq!(refuse(&|spec| _ = spec.splits.pop_first()), "unit b1 belongs to no split");
    assert_eq!(refuse(&|spec| spec.canary.clear()), "the canary of the dataset is not one word");
}

/// Fails at every single change of the disk, on a fresh folder and over an earlier version.
#[test]
fn a_failing_disk_leaves_a_folder_that_the_next_run_finishes() {
    let fresh = TempDir::new().unwrap();
    let disk = TestDisk::sound();
    publish_with(&disk, &second(), fresh.path()).unwrap();
    let expected = files(fresh.path());
    for over in [false, true] {
        for at in 0.. {
            let folder = TempDir::new().unwrap();
            if over {
                publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
            }
            match publish_with(&TestDisk::failing_at(at), &second(), folder.path()) {
                Ok(_) => break,
                Err(fault) => {
                    assert_eq!(fault.kind, FaultKind::Io, "change {at}: {fault}");
                    assert!(fault.hint.is_some_and(|hint| hint.contains("free some space")));
                }
            }
            if folder.path().join("manifest.json").exists() {
                let version = Manifest::of(folder.path()).unwrap().version;
                let damage = check(folder.path(), Depth::Rows).unwrap();
                assert_eq!(damage, [], "change {at}, version {version}");
            }
            publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap();
            assert_eq!(files(folder.path()), expected, "change {at}");
        }
    }
    assert!(disk.changes() > 50);
}

#[test]
fn a_dataset_of_another_name_is_not_replaced_unasked() {
    let folder = TempDir::new().unwrap();
    let disk = TestDisk::sound();
    publish_with(&disk, &small(), folder.path()).unwrap();
    may_publish(&disk, folder.path(), Some("mill"), &|| Ok(())).unwrap();
    may_publish(&disk, folder.path(), None, &|| Ok(())).unwrap();
    let fault = may_publish(&disk, folder.path(), Some("forge"), &|| Ok(())).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Store);
    assert!(fault.message.contains("`mill`") && fault.message.contains("`forge`"), "{fault}");
    assert!(fault.hint.unwrap().contains("--replace"));

    // Nor one that was cut off while it was put in its place.
    let changes = disk.changes();
    let cut_off = TempDir::new().unwrap();
    publish_with(&TestDisk::failing_at(changes - 5), &small(), cut_off.path()).unwrap_err();
    assert!(!cut_off.path().join("manifest.json").exists());
    may_publish(&disk, cut_off.path(), Some("mill"), &|| Ok(())).unwrap();
    assert!(may_publish(&disk, cut_off.path(), Some("forge"), &|| Ok(())).is_err());
}

#[test]
fn builds_that_publish_into_one_folder_do_so_one_after_the_other() {
    let expected = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &small(), expected.path()).unwrap();
    for round in 0..10 {
        let folder = TempDir::new().unwrap();
        if round % 2 == 0 {
            publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap();
        }
        let publish = || {
            may_publish(&TestDisk::sound(), folder.path(), Some("mill"), &|| Ok(())).unwrap();
            publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap().current
        };
        let current = std::thread::scope(|scope| {
            let all: Vec<_> = (0..4).map(|_| scope.spawn(publish)).collect();
            all.into_iter().filter_map(|one| one.join().unwrap().then_some(())).count()
        });
        assert_eq!(current, 3, "one of them wrote it");
        assert_eq!(files(folder.path()), files(expected.path()));
        assert!(!folder.path().join(".tmp").exists());
    }
}

#[test]
fn nothing_of_the_making_stays_behind() {
    let folder = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    assert!(!folder.path().join(".tmp").exists());
    publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap();
    assert!(!folder.path().join(".tmp").exists());
    assert!(!folder.path().join("distortions").exists(), "its last file is gone");

    // What others laid there stays, and is in nobody's way.
    fs::create_dir(folder.path().join(".tmp")).unwrap();
    fs::write(folder.path().join(".tmp/README.md"), "mine").unwrap();
    fs::create_dir(folder.path().join(".tmp/folder")).unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    let left: Vec<_> = files(&folder.path().join(".tmp")).into_iter().collect();
    assert_eq!(left, [("README.md".to_owned(), b"mine".to_vec())]);
    assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);
}

#[cfg(unix)]
#[test]
fn nothing_is_reached_over_a_link_inside_the_folder() {
    use std::os::unix::fs::symlink;

    let outside = TempDir::new().unwrap();
    let precious = ["README.md.begun", "journal.json.new", "train-00000-of-00001.parquet"];
    for name in precious {
        fs::write(outside.path().join(name), "mine").unwrap();
    }
    let before = files(outside.path());
    for (linked, published_before) in
        [(".tmp", false), (".tmp", true), ("scenes", true), ("books", false)]
    {
        let folder = TempDir::new().unwrap();
        if published_before {
            publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
            let _ = fs::remove_dir_all(folder.path().join(linked));
        } else if linked != ".tmp" {
            // Ours, with a config that is new.
            let (mut spec, shelf) = small();
            spec.configs.remove(0);
            publish_with(&TestDisk::sound(), &(spec, shelf), folder.path()).unwrap();
        }
        symlink(outside.path(), folder.path().join(linked)).unwrap();
        let fault = publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store, "{linked}: {fault}");
        assert_eq!(fault.path, Some(folder.path().join(linked)));
        assert_eq!(files(outside.path()), before);
    }

    // A folder of documents that is new is looked at while the old version still stands.
    let folder = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    symlink(outside.path(), folder.path().join("prompts")).unwrap();
    let (mut spec, shelf) = second();
    spec.prompts = vec![b"Retell it.".to_vec()];
    let fault = publish_with(&TestDisk::sound(), &(spec, shelf), folder.path()).unwrap_err();
    assert_eq!(fault.path, Some(folder.path().join("prompts")));
    assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);

    // A file that is a link is replaced, and what it leads to is not.
    let folder = TempDir::new().unwrap();
    publish_with(&TestDisk::sound(), &small(), folder.path()).unwrap();
    let table = folder.path().join("scenes/train-00000-of-00001.parquet");
    fs::remove_file(&table).unwrap();
    symlink(outside.path().join(precious[2]), &table).unwrap();
    fs::create_dir(folder.path().join(".tmp")).unwrap();
    for name in &precious[..2] {
        symlink(outside.path().join(name), folder.path().join(".tmp").join(name)).unwrap();
    }
    publish_with(&TestDisk::sound(), &second(), folder.path()).unwrap();
    assert_eq!(files(outside.path()), before);
    assert_eq!(check(folder.path(), Depth::Rows).unwrap(), []);

    // The whole folder may be somewhere else.
    let link = outside.path().join("link");
    symlink(folder.path(), &link).unwrap();
    publish_with(&TestDisk::sound(), &small(), &link).unwrap();
}
