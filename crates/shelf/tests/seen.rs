//! Attacks on a shelf's folder by somebody who can write it, one by one: each is refused with who and what, or set aside,
//! and nothing is deleted.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

#[path = "seen/copies.rs"]
mod copies;
mod memory;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use memory::MemoryDisk;
use storymill_core::{Fault, FaultKind};
use storymill_shelf::{Access, Key, Pins, Recipient, Shelf, letter};

/// A folder, and what its owner has seen of it.
struct Place {
    disk: MemoryDisk,
    folder: &'static str,
    key: Key,
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

impl Place {
    fn pins(&self) -> Pins {
        let folder = PathBuf::from(self.folder);
        let path = folder.with_file_name("key.seen");
        Pins::new(Arc::new(self.disk.clone()), path, &[folder])
    }

    fn make(folder: &'static str, key: &Key, others: &[Recipient]) -> Self {
        let place = Self { disk: MemoryDisk::default(), folder, key: key.clone() };
        let disk = Arc::new(place.disk.clone());
        let mut shelf = Shelf::make(Path::new(folder), disk, key, others).unwrap();
        shelf.remember(place.pins()).unwrap();
        drop(shelf);
        place.put("one", "1");
        place
    }

    /// Another person with a copy of the folder, who has not opened it yet.
    fn unseen(&self, folder: &'static str, key: &Key) -> Self {
        let place = Self { disk: MemoryDisk::default(), folder, key: key.clone() };
        place.take(&self.files(), self.folder);
        place
    }

    /// Another person, who has taken a copy of the folder as it lies.
    fn copy(&self, folder: &'static str, key: &Key) -> Self {
        let place = self.unseen(folder, key);
        place.trust();
        place
    }

    fn take(&self, files: &Files, from: &str) {
        let moved = files.iter().map(|(path, bytes)| {
            (Path::new(self.folder).join(path.strip_prefix(from).unwrap()), bytes.clone())
        });
        self.disk.put_all(moved.collect());
    }

    fn files(&self) -> Files {
        self.disk.below(Path::new(self.folder))
    }

    fn open(&self, access: Access) -> Result<Shelf, Fault> {
        let disk = Arc::new(self.disk.clone());
        Shelf::open_seen(Path::new(self.folder), disk, &self.key, access, self.pins())
    }

    fn put(&self, name: &str, text: &str) {
        let shelf = self.open(Access::Change).unwrap();
        shelf.change(|change| change.put(name, text.as_bytes())).unwrap();
    }

    #[track_caller]
    fn reads(&self, name: &str, text: &str) {
        let shelf = self.open(Access::Change).unwrap();
        assert_eq!(shelf.read(name).unwrap().unwrap().expose(), text.as_bytes());
    }

    fn rekey(&self, to: &[Recipient]) {
        self.open(Access::Change).unwrap().rekey(to).unwrap();
    }

    /// Opening it, to look and to change it, is refused; nothing in the folder moves.
    #[track_caller]
    fn refuses(&self, says: &[&str]) {
        let before = self.files();
        for access in [Access::Look, Access::Change] {
            let fault = self.open(access).unwrap_err();
            assert_eq!(fault.kind, FaultKind::Store, "{fault}");
            let told = format!("{fault} {:?}", fault.hint);
            for part in says {
                assert!(told.contains(part), "`{part}` is not in: {told}");
            }
        }
        assert_eq!(self.files(), before);
    }

    /// Puts files over those that lie there.
    fn put_over(&self, files: &Files, which: impl Fn(&Path) -> bool) {
        let mut files = files.clone();
        files.retain(|path, _| which(path));
        self.disk.put_all(files);
    }

    /// Puts files in the place of those that lie there.
    fn put_back(&self, files: &Files, which: impl Fn(&Path) -> bool) {
        for path in self.files().into_keys().filter(|path| which(path)) {
            storymill_core::Disk::remove(&self.disk, &path).unwrap();
        }
        self.put_over(files, which);
    }

    /// What is open, by item.
    fn open_items(&self) -> Vec<String> {
        let shelf = self.open(Access::Look).unwrap();
        shelf
            .conflicts()
            .unwrap()
            .into_iter()
            .map(|one| format!("{} {}", one.item, one.what))
            .collect()
    }

    fn trust(&self) {
        Shelf::trust(Path::new(self.folder), &self.disk, &self.key, &self.pins()).unwrap();
    }
}

fn is_log(path: &Path) -> bool {
    path.parent().unwrap().ends_with("log")
}

#[test]
fn a_forged_operation_is_named_and_does_not_count() {
    let (ann, mallory) = (Key::mint().unwrap(), Key::mint().unwrap());
    let place = Place::make("/ann/shelf", &ann, &[]);
    let sound = place.files();
    // A shelf of the forger's own, sealed to Ann as well, in the place of hers and beside it.
    let forged = Place::make("/ann/shelf", &mallory, &[ann.recipient()]).files();
    place.put_back(&forged, is_log);
    place.refuses(&["another shelf", "shelf rekey --trust"]);
    place.put_back(&sound, is_log);
    place.put_over(&forged, is_log);
    let file = forged.keys().find(|path| is_log(path)).unwrap().file_name().unwrap();
    let shelf = place.open(Access::Look).unwrap();
    assert!(shelf.notes()[0].contains(file.to_str().unwrap()), "{:?}", shelf.notes());
    drop(shelf);
    place.reads("one", "1");
    // An operation under another name.
    let bytes = sound.iter().find(|(path, _)| is_log(path)).unwrap().1.clone();
    place.put_back(&sound, is_log);
    place.disk.put_all([(Path::new("/ann/shelf/log").join("0".repeat(64)), bytes)].into());
    place.refuses(&["is damaged, cut off or not of the log"]);
    let to_others = Place::make("/ann/shelf", &mallory, &[]);
    place.put_back(&to_others.files(), is_log);
    assert!(place.open(Access::Look).unwrap_err().to_string().contains("does not open"));
}

#[test]
fn who_was_let_out_cannot_come_back() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let place = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    let bobs = place.copy("/bob/shelf", &bob);
    let before = place.files();
    place.rekey(&[ann.recipient()]);
    place.put("two", "2");
    let own = place.files();
    // Bob puts the folder of before back.
    place.put_back(&before, |path| !path.ends_with("lock"));
    place.refuses(&["went back", "2 changes by", &ann.recipient().to_string()]);
    place.put_back(&own, |path| !path.ends_with("lock"));
    // He goes on from it with his own key, lets himself in, and Ann and the one file out.
    bobs.put("three", "3");
    bobs.open(Access::Change).unwrap().change(|change| Ok(change.remove("one"))).unwrap();
    bobs.rekey(&[bob.recipient()]);
    bobs.rekey(&[bob.recipient(), ann.recipient()]);
    let his: Files = bobs.files();
    place.take(&his, "/bob/shelf");
    place.reads("one", "1");
    place.reads("two", "2");
    let shelf = place.open(Access::Change).unwrap();
    assert_eq!(shelf.recipients().unwrap(), [ann.recipient()]);
    assert!(shelf.read("three").unwrap().is_none());
    let open = shelf.conflicts().unwrap();
    let late = open.iter().find(|one| one.item == bob.recipient().to_string()).unwrap();
    assert!(late.what.contains("was let out before anybody had these changes"), "{}", late.what);
    assert!(late.what.ends_with("do not count: three"), "{}", late.what);
    // Ann takes over what he did, and not whom he let in.
    shelf.settle(&late.item, 2).unwrap();
    assert_eq!(shelf.recipients().unwrap(), [ann.recipient()]);
    assert_eq!(shelf.read("three").unwrap().unwrap().expose(), b"3");
    assert!(shelf.conflicts().unwrap().iter().all(|one| one.item != late.item));
}

#[test]
fn others_let_in_by_somebody_else_are_told_and_trusted_once() {
    let (ann, bob, cat) = (Key::mint().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
    let place = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    let bobs = place.copy("/bob/shelf", &bob);
    bobs.rekey(&[ann.recipient(), bob.recipient(), cat.recipient()]);
    place.take(&bobs.files(), "/bob/shelf");
    let (cat, bob) = (cat.recipient().to_string(), bob.recipient().to_string());
    place.refuses(&[
        "who opens the shelf was changed",
        &format!("signed by {bob}"),
        &format!("{cat} came"),
    ]);
    place.trust();
    place.reads("one", "1");
    // What Ann asks for herself is not asked for again.
    place.rekey(&[ann.recipient()]);
    place.reads("one", "1");
}

#[test]
fn an_operation_a_record_and_a_folder_that_went_back() {
    let ann = Key::mint().unwrap();
    let place = Place::make("/ann/shelf", &ann, &[]);
    let old = place.files();
    place.put("one", "1, corrected");
    place.put("two", "2");
    let new = place.files();
    // The operations alone.
    place.put_back(&old, is_log);
    place.refuses(&["went back: of the 4 changes that you have seen 2 changes by"]);
    place.put_back(&new, is_log);
    place.reads("two", "2");
    // A record: an older one under the name of a newer one, and two that change places.
    let records: Vec<_> =
        new.keys().filter(|path| path.parent().unwrap().ends_with("records")).collect();
    let older = old.iter().find(|(path, _)| path.parent().unwrap().ends_with("records")).unwrap();
    for (to, bytes) in [(records[0], older.1), (records[0], &new[records[1]])] {
        place.disk.put_all([(to.clone(), bytes.clone())].into());
        let fault = place.open(Access::Look).unwrap().check(|_| true).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store, "{fault}");
        place.put_over(&new, |_| true);
    }
    // The whole folder, which is trusted in the end; the newer operation comes after all, and finds its records.
    place.put_back(&old, |path| !path.ends_with("lock"));
    place.trust();
    place.reads("one", "1");
    place.put("three", "3");
    place.put_over(&new, |_| true);
    place.reads("one", "1, corrected");
    place.reads("two", "2");
    place.reads("three", "3");
}

#[test]
fn who_reads_and_is_not_known_to_sign_does_not_write() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let bare: Recipient = bob.recipient().to_string().parse().unwrap();
    let anns = Place::make("/ann/shelf", &ann, std::slice::from_ref(&bare));
    let bobs = anns.copy("/bob/shelf", &bob);
    assert_eq!(bobs.open(Access::Look).unwrap().check(|_| true).unwrap(), 1);
    let fault = bobs.open(Access::Change).unwrap_err();
    assert!(fault.to_string().contains("does not know its signatures"), "{fault}");
    anns.rekey(&[ann.recipient(), bob.recipient()]);
    bobs.take(&anns.files(), "/ann/shelf");
    bobs.refuses(&["signs with another key"]);
    bobs.trust();
    bobs.put("two", "2");
    // The key stays known to a seal that does not name it.
    bobs.rekey(&[ann.recipient(), bare]);
    bobs.put("three", "3");
}

#[test]
fn a_first_sight_is_told_and_nothing_is_sealed_by_it() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    assert_eq!(anns.open(Access::Look).unwrap().notes(), [""; 0]);
    let bobs = anns.unseen("/bob/shelf", &bob);
    let before = bobs.files();
    // To change it he says first that it is the right one, whether he has looked at it or not.
    for so_far in ["for the first time", "has only looked"] {
        let fault = bobs.open(Access::Change).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store);
        let told = format!("{fault} {:?}", fault.hint);
        for part in
            [so_far, &ann.recipient().to_string(), "what is in it is signed", "shelf rekey --trust"]
        {
            assert!(told.contains(part), "`{part}` is not in: {told}");
        }
        let shelf = bobs.open(Access::Look).unwrap();
        let notes = shelf.notes().len();
        assert_eq!(notes, usize::from(so_far == "for the first time"), "{:?}", shelf.notes());
    }
    assert_eq!(bobs.files(), before);
    bobs.trust();
    bobs.put("two", "2");
    assert_eq!(bobs.open(Access::Look).unwrap().notes(), [""; 0]);
}

#[test]
fn a_memory_that_is_gone_is_told_where_the_last_change_is_ones_own() {
    let ann = Key::mint().unwrap();
    let place = Place::make("/ann/shelf", &ann, &[]);
    let old = place.files();
    place.put("two", "2");
    place.put_back(&old, |_| true);
    place.refuses(&["went back"]);
    // Whoever puts back an older copy takes away the memory too.
    let robbed = place.unseen("/ann/shelf", &ann);
    let shelf = robbed.open(Access::Change).unwrap();
    let told = "nothing is remembered of this shelf; its last change, 2, is yours";
    assert!(shelf.notes()[0].contains(told), "{:?}", shelf.notes());
    drop(shelf);
    assert_eq!(robbed.open(Access::Change).unwrap().notes(), [""; 0]);
}

#[test]
fn who_left_does_not_come_back_by_an_older_copy_that_was_seen() {
    let (ann, bob, cat) = (Key::mint().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient(), cat.recipient()]);
    let bobs = anns.copy("/bob/shelf", &bob);
    let old = bobs.files();
    anns.rekey(&[ann.recipient(), bob.recipient()]);
    bobs.take(&anns.files(), "/ann/shelf");
    let cats = cat.recipient().to_string();
    bobs.refuses(&["who opens the shelf was changed", &format!("{cats} went")]);
    // Bob has not taken it yet. Cat puts back what he saw before she went.
    bobs.put_back(&old, |_| true);
    bobs.refuses(&["went back: of the 3 changes"]);
    bobs.take(&anns.files(), "/ann/shelf");
    bobs.trust();
    bobs.put("two", "2");
    bobs.reads("two", "2");
}

#[test]
fn each_name_of_a_folder_counts() {
    let (ann, mallory) = (Key::mint().unwrap(), Key::mint().unwrap());
    let place = Place::make("/ann/shelf", &ann, &[]);
    let forged = Place::make("/ann/other", &mallory, &[ann.recipient()]);
    let mut files = forged.files();
    files.append(&mut place.disk.below(Path::new("/ann/key.seen")));
    place.disk.put_all(files);
    let pins = |names: &[&str]| {
        let names: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        Pins::new(Arc::new(place.disk.clone()), "/ann/key.seen".into(), &names)
    };
    let open = |names: &[&str], access| {
        let disk = Arc::new(place.disk.clone());
        Shelf::open_seen(Path::new(names[0]), disk, &ann, access, pins(names))
    };
    // `/ann/shelf` is a link to the other folder now.
    for names in [["/ann/other", "/ann/shelf"], ["/ann/other", "/elsewhere"]] {
        let fault = open(&names, Access::Change).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Store);
        assert_eq!(
            fault.to_string().contains("another shelf"),
            names[1] == "/ann/shelf",
            "{fault}"
        );
    }
    // A folder of one's own keeps each of its names.
    open(&["/ann/shelf", "/home/shelf"], Access::Look).map(drop).unwrap();
    let fault = open(&["/ann/other", "/home/shelf"], Access::Look).unwrap_err();
    assert!(fault.to_string().contains("another shelf"), "{fault}");
}

/// A shelf as versions wrote it that did not sign.
fn unsigned(place: &Place, to: &[Recipient]) {
    #[derive(serde::Serialize)]
    struct Extent(String, u64, [u8; 32]);
    let seal = |bytes: &[u8]| storymill_shelf::letter::seal(bytes, to).unwrap();
    let (secret, record) = ([7_u8; 32], seal(b"1"));
    let digest = *blake3::keyed_hash(&secret, &record).as_bytes();
    let name = "0123456789abcdef0123456789abcdef".to_owned();
    let keys: Vec<String> = to.iter().map(ToString::to_string).collect();
    let files = BTreeMap::from([("one", vec![Extent(name.clone(), 1, digest)])]);
    let index = postcard::to_stdvec(&(secret, keys, "storymill-canary-00", files)).unwrap();
    let root = Path::new(place.folder);
    place.disk.put_all(BTreeMap::from([
        (root.join("FORMAT"), b"storymill shelf 1\n".to_vec()),
        (root.join("index"), seal(&index)),
        (root.join("records").join(name), record),
    ]));
}

#[test]
fn a_shelf_from_before_goes_on_and_is_signed_by_the_next_change() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let place = Place { disk: MemoryDisk::default(), folder: "/ann/shelf", key: ann.clone() };
    unsigned(&place, &[ann.recipient(), bob.recipient()]);
    let old = place.files();
    assert_eq!(place.open(Access::Look).unwrap().check(|_| true).unwrap(), 1);
    assert_eq!(place.open(Access::Look).unwrap().notes(), [""; 0]);
    assert_eq!(place.files(), old, "to look changes nothing");
    let fault = place.open(Access::Change).unwrap_err();
    assert!(fault.to_string().contains("nobody has signed it"), "{fault}");
    place.trust();
    let shelf = place.open(Access::Change).unwrap();
    assert!(shelf.notes()[0].contains("nobody has signed this shelf yet"), "{:?}", shelf.notes());
    assert_eq!(shelf.canary(), "storymill-canary-00");
    drop(shelf);
    assert_eq!(place.files(), old, "what changes nothing signs nothing");
    place.put("two", "2");
    assert_eq!(place.files()[Path::new("/ann/shelf/FORMAT")], b"storymill shelf 3\n");
    assert!(!place.files().contains_key(Path::new("/ann/shelf/index")));
    let shelf = place.open(Access::Change).unwrap();
    assert_eq!(shelf.notes(), [""; 0]);
    // Bob's signatures are not known from then on until Ann is told of them.
    assert_eq!(shelf.recipients().unwrap()[1].signer(), None);
    drop(shelf);
    // What was signed is not unsigned any more.
    place.put_over(&old, |_| true);
    place.reads("two", "2");
    place.put_back(&old, |path| !path.ends_with("lock"));
    place.refuses(&["was signed when you saw it last"]);
    place.trust();
    place.reads("one", "1");
}
