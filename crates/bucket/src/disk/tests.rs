use std::sync::Barrier;

use object_store::{ObjectStore, memory::InMemory};

use super::*;
use crate::secrets::Secrets;

/// A store in memory, and one in a folder: the two ways to write, with marks and without.
fn stores(folder: &Path) -> Vec<BucketDisk> {
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let address = Address::parse(Path::new("s3://b/my/store")).unwrap();
    let backend = Backend { store: memory, secrets: Secrets::default(), has_marks: true };
    let url = format!("file://{}/a folder/s\u{f6}", folder.display());
    vec![
        BucketDisk::of(&address, backend).unwrap(),
        BucketDisk::open(Path::new(&url), &|_| None).unwrap(),
    ]
}

#[test]
fn a_store_is_a_disk() {
    let folder = tempfile::tempdir().unwrap();
    for disk in stores(folder.path()) {
        let at = |name: &str| disk.root().join(name);
        let none = Path::new("no scratch");
        assert_eq!(disk.list(disk.root()).unwrap(), [""; 0]);
        assert_eq!(disk.len(&at("a")).unwrap(), None);
        assert_eq!(disk.read(&at("a")).unwrap_err().kind(), io::ErrorKind::NotFound);
        disk.create_dir_all(&at("parts/4f")).unwrap();
        disk.put(&at("parts/4f/4f3a"), none, b"rows").unwrap();
        disk.put(&at("FORMAT"), none, b"1").unwrap();
        disk.put(&at("FORMAT"), none, b"12").unwrap();
        assert!(!disk.put_new(&at("FORMAT"), none, b"3").unwrap());
        assert!(disk.put_new(&at(".new"), none, b"4").unwrap());
        assert_eq!(disk.list(disk.root()).unwrap(), [".new", "FORMAT", "parts"]);
        assert_eq!(disk.list(&at("parts/4f")).unwrap(), ["4f3a"]);
        assert_eq!(disk.len(&at("FORMAT")).unwrap(), Some(2));
        assert_eq!(disk.len(&at("parts")).unwrap(), None);
        let open = disk.open(&at("parts/4f/4f3a")).unwrap();
        assert_eq!(open.read_at(1, 2).unwrap(), b"ow");
        assert!(open.read_at(1, 4).is_err());
        disk.rename(&at("parts/4f/4f3a"), &at("damaged/x")).unwrap();
        assert_eq!(disk.read(&at("damaged/x")).unwrap(), b"rows");
        assert_eq!(disk.len(&at("parts/4f/4f3a")).unwrap(), None);
        disk.remove(&at("FORMAT")).unwrap();
        assert_eq!(disk.len(&at("FORMAT")).unwrap(), None);
        let mut file = disk.create(&at("grown")).unwrap();
        file.write_all(b"one, ").unwrap();
        file.sync().unwrap();
        file.write_all(b"two").unwrap();
        assert_eq!(disk.read(&at("grown")).unwrap(), b"one, ");
        file.sync().unwrap();
        assert_eq!(disk.read(&at("grown")).unwrap(), b"one, two");
        assert!(disk.has_objects(&at("grown")) && !disk.has_objects(folder.path()));
        assert!(disk.lock(&at("lock"), Hold::TryAlone).unwrap().is_some());
        assert!(disk.lock(&at("lock"), Hold::TryAlone).unwrap().is_some());
    }
}

#[test]
fn of_sixteen_writers_of_one_name_one_wins_though_their_bytes_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    for disk in stores(folder.path()) {
        for round in 0..20 {
            let path = disk.root().join(format!("{round}"));
            let start = Barrier::new(16);
            let wins = std::thread::scope(|scope| {
                let write = || {
                    start.wait();
                    disk.put_new(&path, &path, b"the same").unwrap()
                };
                let all: Vec<_> = (0..16).map(|_| scope.spawn(write)).collect();
                all.into_iter().map(|one| one.join().unwrap()).filter(|won| *won).count()
            });
            assert_eq!(wins, 1);
        }
    }
}

#[test]
fn a_store_is_asked_for_proof_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for disk in stores(folder.path()) {
        let found = disk.probe();
        assert!(found.len() == 4 && found.iter().all(|one| one.wrong.is_none()), "{found:?}");
        assert_eq!(disk.list(&disk.root().join("tmp")).unwrap(), [""; 0]);
    }
}

#[test]
fn a_disk_is_used_from_inside_of_another_runtime() {
    let folder = tempfile::tempdir().unwrap();
    let disk = stores(folder.path()).remove(0);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let path = disk.root().join("a");
        disk.put(&path, &path, b"1").unwrap();
        assert_eq!(disk.read(&path).unwrap(), b"1");
    });
}

#[test]
fn what_lies_elsewhere_is_on_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let disk = stores(folder.path()).remove(0);
    let path = folder.path().join("out");
    disk.put(&path, &folder.path().join("w"), b"1").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"1");
    assert!(disk.rename(&path, &disk.root().join("out")).is_err());
    let lock = folder.path().join("lock");
    let _held = disk.lock(&lock, Hold::TryAlone).unwrap().unwrap();
    assert!(disk.lock(&lock, Hold::TryAlone).unwrap().is_none());
}

#[test]
fn a_long_stretch_is_read_like_a_short_one() {
    let folder = tempfile::tempdir().unwrap();
    for disk in stores(folder.path()) {
        let path = disk.root().join("pack");
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        disk.put(&path, &path, &bytes).unwrap();
        let file = disk.open(&path).unwrap();
        for (at, length) in [(0, 3_000_000), (17, 2_500_000), (1_000_000, 1000)] {
            assert!(file.read_at(at as u64, length).unwrap() == bytes[at..at + length]);
        }
        for (at, length) in [(1, 3_000_000), (3_000_000, 2_000_000), (2_999_999, 2)] {
            file.read_at(at, length).unwrap_err();
        }
        assert_eq!(file.read_at(5, 10).unwrap(), &bytes[5..15]);
    }
}
