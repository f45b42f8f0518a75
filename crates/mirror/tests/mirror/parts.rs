//! Pages that break off or come packed, and journals that were cut off.

use std::fs;

use proptest::prelude::*;
use storymill_mirror::Family;

use crate::{
    Books, bytes,
    faults::{PATH, comes, main_only, only},
    places::{gz, zip},
    server::{Reply, Server, World},
};

#[test]
fn a_page_that_breaks_off_is_asked_for_again_whole() {
    let server = only(|_, before| {
        let reply = Reply::ok(bytes("100")).with("etag", "\"a\"");
        if before < 2 { reply.cut(200) } else { reply }
    });
    let (waits, paths) = comes(&server);
    assert_eq!(paths, ["/robots.txt", PATH, PATH, PATH]);
    assert!(server.asked().iter().all(|asked| asked.header("range").is_none()));
    assert_eq!(waits.iter().map(|wait| wait.0).collect::<Vec<_>>(), [4, 8]);
    assert!(waits[0].1.contains("broke off"), "{waits:?}");
}

#[test]
fn a_page_that_broke_off_each_time_is_asked_for_by_the_next_run() {
    let far = "/cache/epub/100/pg100-images.html";
    let server = Server::new(move |asked, before| match asked.path.as_str() {
        PATH => Reply::to(far),
        path if path == far && before < 5 => Reply::ok(bytes("100")).cut(100),
        path if path == far => Reply::ok(bytes("100")),
        _ => Reply::status(404),
    });
    let world = World::default();
    let books = main_only(&server, &world);
    let first = books.run(&world).unwrap();
    assert!(first.missing[0].passing && first.missing[0].why.contains("broke off"), "{first:?}");
    assert_eq!(first.bytes, 5 * 100);
    assert!(fs::read_dir(books.path(".fetch/part")).unwrap().next().is_none(), "no part is kept");
    let report = books.run(&world).unwrap();
    assert_eq!((report.fetched.len(), report.requests), (1, 2), "robots.txt is not asked again");
    assert_eq!(report.bytes, bytes("100").len() as u64);
    assert_eq!(books.read("100.html"), bytes("100"));
}

#[test]
fn a_part_that_nobody_asked_for_is_no_page() {
    let size = bytes("100").len();
    let server = only(move |_, before| match before {
        0 => Reply { status: 206, ..Reply::ok(bytes("100")) }
            .with("content-range", format!("bytes 0-{}/{size}", size - 1)),
        _ => Reply::ok(bytes("100")),
    });
    let world = World::default();
    let books = main_only(&server, &world);
    assert!(books.run(&world).unwrap().missing[0].why.contains("answers 206"));
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1, "another run asks again");
}

#[test]
fn packed_bodies_are_unpacked() {
    let server = only(|asked, _| {
        assert_eq!(asked.header("accept-encoding"), Some("gzip"));
        Reply::ok(gz(&bytes("100"))).with("content-encoding", "gzip")
    });
    comes(&server);
    comes(&only(|_, _| Reply::ok(gz(&bytes("100"))).with("content-type", "application/gzip")));
    comes(&only(|_, _| Reply::ok(zip(&[("100-h.htm", &bytes("100"))]))));
    // Damaged on the way, or packed as nobody asked for.
    let odd = only(|_, _| Reply::ok(bytes("100")).with("content-encoding", "br"));
    let world = World::default();
    assert_eq!(main_only(&odd, &world).run(&world).unwrap().missing.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_journal_that_was_cut_anywhere_costs_no_page(cut in 0_usize..4000) {
        let server = Server::with(vec![(PATH.to_owned(), bytes("100")), ("/1/0/101/101-h/101-h.htm".to_owned(), bytes("101"))]);
        let world = World::default();
        let books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&["100", "101"]);
        books.run(&world).unwrap();
        let lock = books.lock();
        let journal = books.path(".fetch/journal.jsonl");
        let mut text = fs::read(&journal).unwrap();
        text.truncate(cut % (text.len() + 1));
        fs::write(&journal, text).unwrap();
        let report = books.run(&world).unwrap();
        prop_assert_eq!((report.there, report.requests), (2, 0));
        prop_assert_eq!(books.lock(), lock);
    }
}
