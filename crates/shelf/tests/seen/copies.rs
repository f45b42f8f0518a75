//! Copies that were changed apart.

use super::*;

#[test]
fn what_is_copied_in_parts_is_whole_in_the_end_in_whatever_order() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    let bobs = anns.copy("/bob/shelf", &bob);
    bobs.reads("one", "1");
    anns.put("two", "2");
    anns.put("three", "3");
    let files: Vec<_> = anns
        .files()
        .into_iter()
        .filter(|(path, bytes)| {
            let theirs = Path::new("/bob/shelf").join(path.strip_prefix("/ann/shelf").unwrap());
            bobs.files().get(&theirs) != Some(bytes) && !path.ends_with("lock")
        })
        .collect();
    assert_eq!(files.len(), 3);
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for order in orders {
        let place = anns.unseen("/bob/shelf", &bob);
        place.put_back(&bobs.files(), |path| !path.ends_with("lock"));
        place.trust();
        for at in order {
            let (path, bytes) = &files[at];
            place.take(&[(path.clone(), bytes.clone())].into(), "/ann/shelf");
            // Between two parts Bob opens the shelf to change it, and changes nothing.
            drop(place.open(Access::Change));
        }
        place.reads("two", "2");
        place.reads("three", "3");
        assert_eq!(place.open(Access::Look).unwrap().check(|_| true).unwrap(), 3, "{order:?}");
    }
}

#[test]
fn two_copies_changed_apart_are_joined_and_what_both_changed_is_settled() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    let bobs = anns.copy("/bob/shelf", &bob);
    bobs.put("books/n02/book", "of Bob");
    anns.put("books/n02/book", "of Ann");
    anns.put("books/n03/book", "of Ann");
    bobs.take(&anns.files(), "/ann/shelf");
    bobs.reads("books/n03/book", "of Ann");
    let items = bobs.open_items();
    let [open] = &items[..] else { panic!("{items:?}") };
    for part in [
        "books/n02 was changed apart by",
        &ann.recipient().to_string(),
        &bob.recipient().to_string(),
    ] {
        assert!(open.contains(part), "{open}");
    }
    anns.take(&bobs.files(), "/bob/shelf");
    assert_eq!(anns.open_items(), bobs.open_items());
    let shelf = bobs.open(Access::Change).unwrap();
    let now = shelf.read("books/n02/book").unwrap().unwrap().expose().clone();
    assert_eq!(shelf.settle("books/n02", 3).unwrap_err().kind, FaultKind::Input);
    assert_eq!(shelf.settle("books/n04", 1).unwrap_err().kind, FaultKind::Input);
    shelf.settle("books/n02", 2).unwrap();
    drop(shelf);
    let then = if now == b"of Ann" { "of Bob" } else { "of Ann" };
    bobs.reads("books/n02/book", then);
    assert_eq!(bobs.open_items(), [""; 0]);
    anns.take(&bobs.files(), "/bob/shelf");
    anns.reads("books/n02/book", then);
    assert_eq!(anns.open_items(), [""; 0]);
}

#[test]
fn the_same_key_in_two_copies_is_joined_too() {
    let ann = Key::mint().unwrap();
    let one = Place::make("/ann/shelf", &ann, &[]);
    let two = one.copy("/two/shelf", &ann);
    two.put("two", "there");
    one.put("three", "here");
    two.take(&one.files(), "/ann/shelf");
    two.reads("two", "there");
    two.reads("three", "here");
    two.put("four", "4");
    assert_eq!(two.files().keys().filter(|path| is_log(path)).count(), 1);
}

#[test]
fn what_is_added_by_who_has_not_heard_that_a_reader_left_is_shown_until_it_is_sealed_anew() {
    let (ann, bob, cat) = (Key::mint().unwrap(), Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient(), cat.recipient()]);
    let bobs = anns.copy("/bob/shelf", &bob);
    anns.rekey(&[ann.recipient(), bob.recipient()]);
    bobs.put("two", "2");
    anns.take(&bobs.files(), "/bob/shelf");
    anns.reads("two", "2");
    let told = anns.open_items().join("; ");
    assert!(told.contains(&format!("still sealed to {}", cat.recipient())), "{told}");
    anns.rekey(&[ann.recipient(), bob.recipient()]);
    assert_eq!(anns.open_items(), [""; 0]);
    for (path, bytes) in anns.files() {
        assert!(bytes.len() < 40 || letter::open(&bytes[..], &cat).is_err(), "{}", path.display());
    }
}

#[test]
fn an_operation_that_others_build_on_is_missed() {
    let (ann, bob) = (Key::mint().unwrap(), Key::mint().unwrap());
    let anns = Place::make("/ann/shelf", &ann, &[bob.recipient()]);
    let bobs = anns.copy("/bob/shelf", &bob);
    let before = anns.files();
    anns.put("two", "2");
    bobs.take(&anns.files(), "/ann/shelf");
    bobs.put("three", "3");
    let his: Files = bobs
        .files()
        .into_iter()
        .filter(|(path, _)| {
            !anns.files().contains_key(
                &Path::new("/ann/shelf").join(path.strip_prefix("/bob/shelf").unwrap()),
            )
        })
        .collect();
    let cats = anns.unseen("/ann/other", &ann);
    cats.put_back(&Files::new(), |path| !path.ends_with("lock"));
    cats.take(&before, "/ann/shelf");
    cats.take(&his, "/bob/shelf");
    cats.trust();
    let told = cats.open_items().join("; ");
    assert!(told.contains(&format!("1 change by {} is built upon", ann.recipient())), "{told}");
}
