//! Pages that change after they were pinned, on the mirror or in the folder.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use storymill_mirror::{Changed, Family, Lock};

use crate::{
    Books, bytes, page,
    server::{Reply, Server, World},
};

/// A mirror whose page can be changed, with marks.
fn changing() -> (Server, Arc<Mutex<String>>) {
    let text = Arc::new(Mutex::new(page("100")));
    let served = text.clone();
    let server = Server::new(move |asked, _| {
        let text = served.lock().unwrap().clone();
        let mark = format!("\"{}\"", text.len());
        match asked.path.as_str() {
            "/1/0/100/100-h/100-h.htm" if asked.header("if-none-match") == Some(&mark) => {
                Reply { body: Vec::new(), ..Reply::status(304) }
            }
            "/1/0/100/100-h/100-h.htm" => Reply::ok(text).with("etag", mark),
            _ => Reply::status(404),
        }
    });
    (server, text)
}

#[test]
fn a_page_that_changed_on_the_mirror_is_told_and_not_taken() {
    let (server, text) = changing();
    let world = World::default();
    let mut books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&["100"]);
    books.run(&world).unwrap();
    let lock = books.lock();
    books.order.refresh = true;
    let same = books.run(&world).unwrap();
    assert_eq!((same.there, same.requests), (1, 1), "asked only for what is new");
    assert_eq!(server.asked().last().unwrap().header("if-none-match").map(str::len), Some(5));

    *text.lock().unwrap() = page("100").replace("slow river", "swift river");
    let report = books.run(&world).unwrap();
    let change = &report.changed[0];
    assert_eq!(
        (change.paragraphs, change.aside.as_str()),
        (Some((2, 2)), ".fetch/changed/100.html")
    );
    assert!(
        change.diff.contains("-The miller of the slow river")
            && change.diff.contains("+The miller of the swift river")
    );
    assert_eq!(books.read("100.html"), bytes("100"));
    assert_eq!(books.lock(), lock, "the pin stays");

    // It is told again from what lies aside, without asking.
    books.order.refresh = false;
    let asked = server.paths().len();
    let again = books.run(&world).unwrap();
    assert_eq!(again.changed[0].diff, change.diff);
    books.order.changed = Changed::Accept;
    let taken = books.run(&world).unwrap();
    assert_eq!((taken.fetched.len(), taken.changed.len()), (1, 0));
    assert_eq!(server.paths().len(), asked);
    assert!(String::from_utf8(books.read("100.html")).unwrap().contains("swift river"));
    assert!(books.lock().contains(&change.is) && !books.path(".fetch/changed/100.html").exists());
    books.order.changed = Changed::Report;
    assert_eq!(books.run(&world).unwrap().there, 1);
}

#[test]
fn a_change_can_be_thrown_away() {
    let (server, text) = changing();
    let world = World::default();
    let mut books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&["100"]);
    books.run(&world).unwrap();
    *text.lock().unwrap() = page("100").replace("[eBook #100]", "[eBook #100] posted anew");
    books.order.refresh = true;
    let change = books.run(&world).unwrap().changed.remove(0);
    assert_eq!(
        (change.paragraphs, change.diff.as_str()),
        (Some((0, 0)), ""),
        "the text is the same"
    );
    (books.order.refresh, books.order.changed) = (false, Changed::Keep);
    let report = books.run(&world).unwrap();
    assert_eq!((report.there, report.changed.len()), (1, 0));
    assert!(!books.path(".fetch/changed/100.html").exists());
    assert_eq!(books.read("100.html"), bytes("100"));
}

#[test]
fn a_changed_page_is_not_kept_out_where_there_is_no_old_one() {
    let (server, text) = changing();
    let world = World::default();
    let mut books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&["100"]);
    books.run(&world).unwrap();
    let lock = books.lock();
    fs::remove_file(books.path("100.html")).unwrap();
    *text.lock().unwrap() = page("100").replace("slow river", "swift river");
    books.order.changed = Changed::Keep;
    let report = books.run(&world).unwrap();
    assert_eq!((report.fetched.len(), report.missing.len()), (0, 1));
    assert!(!report.missing[0].passing && report.missing[0].why.contains("--changed accept"));
    assert_eq!(books.lock(), lock, "the pin stays");
    books.order.changed = Changed::Accept;
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
}

#[test]
fn a_lock_alone_brings_the_pages_back_or_tells() {
    let (server, text) = changing();
    let world = World::default();
    let books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&["100"]);
    books.run(&world).unwrap();
    let lock = books.lock();
    let elsewhere = Books::of(&server.base(), &world).want(&["100"]);
    fs::create_dir_all(&elsewhere.order.out).unwrap();
    fs::write(&elsewhere.order.lock, &lock).unwrap();
    server.forget();
    assert_eq!(elsewhere.run(&world).unwrap().fetched.len(), 1);
    assert_eq!(
        server.paths(),
        ["/robots.txt", "/1/0/100/100-h/100-h.htm"],
        "the pinned address comes first"
    );
    assert_eq!(elsewhere.lock(), lock);

    *text.lock().unwrap() = page("100").replace("slow", "swift");
    let third = Books::of(&server.base(), &world).want(&["100"]);
    fs::create_dir_all(&third.order.out).unwrap();
    fs::write(&third.order.lock, &lock).unwrap();
    let report = third.run(&world).unwrap();
    assert_eq!((report.changed.len(), report.changed[0].paragraphs), (1, None));
    assert!(!third.path("100.html").exists());
    assert_eq!(third.lock(), lock);
}

#[test]
fn files_that_were_there_are_pinned_and_watched() {
    let (server, _) = changing();
    let world = World::default();
    let mut books = Books::of(&server.base(), &world).want(&["100"]);
    fs::create_dir_all(&books.order.out).unwrap();
    fs::write(books.path("pg100-images.html"), page("100")).unwrap();
    let report = books.run(&world).unwrap();
    assert_eq!((report.adopted, report.requests), (1, 0));
    assert!(books.lock().contains("file = \"pg100-images.html\""));
    fs::write(books.path("pg100-images.html"), page("100").replace("slow", "fast")).unwrap();
    let report = books.run(&world).unwrap();
    assert_eq!((report.changed[0].aside.as_str(), report.requests), ("", 0));
    books.order.changed = Changed::Accept;
    books.run(&world).unwrap();
    books.order.changed = Changed::Report;
    assert_eq!(books.run(&world).unwrap().there, 1);
}

#[test]
fn a_lock_that_is_none_is_refused() {
    let (server, _) = changing();
    let world = World::default();
    let books = Books::of(&server.base(), &world).want(&["100"]);
    fs::create_dir_all(books.top().join("books")).unwrap();
    let pin = |file: &str| {
        format!(
            "version = 1\n[[page]]\nid = \"100\"\nfile = \"{file}\"\nsha256 = \"{}\"\nbytes = 1\n",
            "0".repeat(64)
        )
    };
    for text in [
        "version = 9",
        "hello",
        &pin("../100.html"),
        &pin("x"),
        &(pin("100.html") + &pin("100.html")[12..]),
    ] {
        fs::write(&books.order.lock, text).unwrap();
        let fault = books.run(&world).unwrap_err();
        assert_eq!(fault.kind, storymill_core::FaultKind::Lock, "{text}: {fault}");
        assert_eq!(fs::read_to_string(&books.order.lock).unwrap(), *text, "it is left as it is");
    }
    fs::write(&books.order.lock, pin("100.html")).unwrap();
    assert_eq!(Lock::open(&books.order.lock).unwrap().pins.len(), 1);
}
