//! Letters: whole, or an error.

#![allow(missing_docs, clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_shelf::{
    Key, Private,
    letter::{is_sealed, open, seal, under},
    passphrase,
};

fn read(sealed: &[u8], key: &Key) -> Result<Vec<u8>, String> {
    open(sealed, key).map(Private::into_inner).map_err(|fault| fault.message)
}

#[test]
fn a_letter_is_whole_or_none() {
    let (key, text) = (Key::mint().unwrap(), b"Ishmael cannot swim. ".repeat(9_000));
    let letter = seal(&text, &[key.recipient()]).unwrap();
    assert!(seal(&text, &[]).unwrap_err().message.contains("needs a reader"));
    assert!(is_sealed(&letter) && !is_sealed(&text));
    assert_eq!(read(&letter, &key).unwrap(), text);
    assert!(read(&letter, &Key::mint().unwrap()).unwrap_err().contains("does not open"));
    for end in (0..letter.len()).step_by(997).chain([letter.len() - 1]) {
        assert!(read(&letter[..end], &key).is_err(), "cut at {end}");
    }
    for at in (0..letter.len()).step_by(1_999) {
        let mut other = letter.clone();
        other[at] ^= 1;
        assert!(read(&other, &key).is_err(), "changed at {at}");
    }
}

#[test]
fn what_is_under_a_passphrase_opens_with_it_alone() {
    let word = passphrase().unwrap();
    assert_eq!(word.expose().len(), 24);
    assert_ne!(word.expose(), passphrase().unwrap().expose());
    assert!(
        word.expose()
            .split('-')
            .all(|four| four.len() == 4 && !four.contains(['i', 'l', 'o', 'u']))
    );
    // A key file is such a thing too.
    let key = Key::mint().unwrap();
    let text = key.to_file(None).unwrap();
    let packet = under(text.expose(), &word, 4).unwrap();
    assert!(is_sealed(&packet));
    let opened = Key::from_file(&packet, || Ok(Private::new(word.expose().clone()))).unwrap();
    assert_eq!(opened.secret().expose(), key.secret().expose());
    let other = Key::from_file(&packet, passphrase).unwrap_err();
    assert!(other.message.contains("does not open"), "{}", other.message);
}
