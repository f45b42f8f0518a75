//! What lies in a shelf: a sealed record, whose seal says whether it is whole; the inside of an index, sealed to the
//! reader by somebody else; a key file.
#![no_main]

use std::{
    io::{Read, Write},
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use storymill_disk::RealDisk;
use storymill_fuzz::{KEY, afresh, scratch};
use storymill_shelf::{Access, Key, Private, Shelf, letter};

static HELD: LazyLock<(Key, PathBuf, Vec<u8>)> = LazyLock::new(|| {
    let key = Key::from_file(KEY.as_bytes(), || Ok(Private::new(String::new()))).expect("a key");
    let record = opened(include_bytes!("../seeds/shelf_record/record"), &key).expect("the record");
    (key, scratch().join("shelf"), record)
});

fn opened(sealed: &[u8], key: &Key) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    letter::open(sealed, key).ok()?.read_to_end(&mut text).ok().map(|_| text)
}

fn sealed(text: &[u8], key: &Key) -> Vec<u8> {
    let mut letter = letter::Sealing::to(&[key.recipient()], Vec::new()).expect("a letter");
    letter.write_all(text).expect("a letter");
    letter.finish().expect("a letter")
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (key, folder, record) = &*HELD;
    if letter::is_sealed(bytes) {
        // A bent record is refused, or is still what was sealed.
        assert!(opened(bytes, key).is_none_or(|text| text == *record), "a forged record opens");
        return;
    }
    let _ = Key::from_file(bytes, || unreachable!("it is not protected"));
    let index = sealed(bytes, key);
    let files = [("FORMAT", &b"storymill shelf 2\n"[..]), ("index", &index), ("lock", b"")];
    afresh(folder, files);
    if let Ok(shelf) = Shelf::open(folder, Arc::new(RealDisk), key, Access::Look) {
        for name in shelf.names("") {
            // No record lies there, so only what needs none can be read.
            let read = shelf.read(&name);
            assert!(
                read.is_err() || shelf.len_of(&name) == Some(0),
                "`{name}` was read from nothing"
            );
        }
        let _ = (shelf.recipients(), shelf.signers(), shelf.canary(), shelf.check());
    }
});
