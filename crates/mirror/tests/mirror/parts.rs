//! Pages that come in parts or packed, and journals that were cut off.

use std::fs;

use proptest::prelude::*;
use storymill_mirror::Family;

use crate::{
    Books, bytes,
    faults::{PATH, comes, main_only, only},
    page,
    places::{gz, zip},
    server::{Reply, Server, World},
};

/// A server with ranges, as Apache and nginx have them.
fn ranged(asked: &crate::server::Asked, whole: &[u8], mark: (&'static str, &str)) -> Reply {
    let same = asked.header("if-range") == Some(mark.1);
    let from = asked
        .header("range")
        .filter(|_| same)
        .map(|range| range["bytes=".len()..].trim_end_matches('-').parse::<usize>().unwrap());
    match from {
        Some(from) => {
            let range = format!("bytes {from}-{}/{}", whole.len() - 1, whole.len());
            Reply { status: 206, ..Reply::ok(&whole[from..]) }
                .with("content-range", range)
                .with(mark.0, mark.1)
        }
        None => Reply::ok(whole).with(mark.0, mark.1).with("date", "Sun, 06 Nov 1994 09:49:37 GMT"),
    }
}

/// The rest of page 100 from byte 300 on, as a server would send it.
fn rest(range: &str) -> Reply {
    Reply { status: 206, ..Reply::ok(&bytes("100")[300..]) }.with("content-range", range)
}

#[test]
fn a_part_that_is_not_the_rest_is_not_joined() {
    let size = bytes("100").len();
    let good = format!("bytes 300-{}/{size}", size - 1);
    let cases: [(Reply, bool); 10] = [
        (rest(&good), true),
        (rest(&good).with("etag", "\"a\""), true),
        (rest(&good).with("etag", "\"b\""), false),
        (rest(&good).with("content-encoding", "gzip"), false),
        (rest(&format!("bytes 300-{}/{}", size, size + 1)), false),
        (rest(&format!("bytes 300-{}/{size}", size - 2)), false),
        (rest(&format!("bytes 300-{}/*", size - 1)), false),
        (rest(&format!("bytes 200-{}/{size}", size - 1)), false),
        (rest("lines 3-4/5"), false),
        (Reply { body: bytes("100")[300..size - 9].to_vec(), ..rest(&good) }, false),
    ];
    for (part, joins) in cases {
        let told = part.headers.clone();
        let server = only(move |asked, before| match before {
            0 => ranged(asked, &bytes("100"), ("etag", "\"a\"")).cut(300),
            1 => part.clone(),
            _ => ranged(asked, &bytes("100"), ("etag", "\"a\"")),
        });
        let (_, paths) = comes(&server);
        assert_eq!(paths.len(), if joins { 3 } else { 4 }, "{told:?}");
        let last = server.asked().last().unwrap().header("range").map(str::to_owned);
        assert_eq!(last.is_some(), joins, "begun anew: {told:?}");
    }
    // A part that nobody asked for is no page.
    let (_, paths) = comes(&only(move |_, before| match before {
        0 => Reply { status: 206, ..Reply::ok(&bytes("100")[..700]) }
            .with("content-range", format!("bytes 0-699/{size}")),
        _ => Reply::ok(bytes("100")),
    }));
    assert_eq!(paths.len(), 3);
    // A day does not tell bytes apart where the page was changed just before.
    let fresh = only(|_, before| {
        let reply = Reply::ok(bytes("100"))
            .with("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            .with("date", "Sun, 06 Nov 1994 08:49:40 GMT");
        if before == 0 { reply.cut(200) } else { reply }
    });
    comes(&fresh);
    assert!(fresh.asked().iter().all(|asked| asked.header("range").is_none()));
}

#[test]
fn parts_are_together_no_larger_than_a_page() {
    let whole = vec![b'x'; 3 << 19];
    let server = only(move |asked, before| {
        let reply = ranged(asked, &whole, ("etag", "\"a\""));
        // Without a length, as in chunks, nobody knows how much will come.
        if before == 0 { Reply { status: 200, ..reply.cut(1 << 19) } } else { reply }
    });
    let world = World::default();
    let mut books = main_only(&server, &world);
    books.client().caps.bytes = 1 << 20;
    let report = books.run(&world).unwrap();
    assert!(report.missing[0].why.contains("nothing of use"), "{report:?}");
}

#[test]
fn a_page_that_breaks_off_is_taken_up_where_it_ended() {
    for mark in [("etag", "\"a1\""), ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")] {
        let server = only(move |asked, before| {
            let reply = ranged(asked, &bytes("100"), mark);
            if before < 2 { reply.cut(200) } else { reply }
        });
        comes(&server);
        let asked = server.asked();
        let ranges: Vec<_> = asked.iter().filter_map(|asked| asked.header("range")).collect();
        assert_eq!(ranges, ["bytes=200-", "bytes=400-"]);
        assert_eq!(asked[2].header("if-range"), Some(mark.1));
    }
    // Without a mark that tells bytes apart the page is begun anew, and so it is where it changed.
    let weak = only(|asked, before| {
        let reply = ranged(asked, &bytes("100"), ("etag", "W/\"a\""));
        if before == 0 { reply.cut(200) } else { reply }
    });
    comes(&weak);
    assert!(weak.asked().iter().all(|asked| asked.header("range").is_none()));
    let moved = only(|asked, before| {
        if before == 0 {
            ranged(asked, page("100").replace("100th", "99th").as_bytes(), ("etag", "\"a\""))
                .cut(300)
        } else {
            ranged(asked, &bytes("100"), ("etag", "\"b\""))
        }
    });
    comes(&moved);
    // A server that ignores what was asked sends another range: all is asked for anew.
    let wrong = only(|asked, before| match before {
        0 => ranged(asked, &bytes("100"), ("etag", "\"a\"")).cut(300),
        1 => Reply { status: 206, ..Reply::ok("x") }.with("content-range", "bytes 7-7/8"),
        _ => Reply::ok(bytes("100")),
    });
    comes(&wrong);
}

#[test]
fn a_part_is_of_use_to_the_next_run() {
    let server = only(|asked, before| {
        let reply = ranged(asked, &bytes("100"), ("etag", "\"a\""));
        if before < 5 { reply.cut(100) } else { reply }
    });
    let world = World::default();
    let books = main_only(&server, &world);
    let first = books.run(&world).unwrap();
    assert!(first.missing[0].passing && first.missing[0].why.contains("broke off"), "{first:?}");
    let before = server.paths().len();
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
    let asked = server.asked();
    assert_eq!(asked.len(), before + 1, "robots.txt is not asked again");
    assert_eq!(asked.last().unwrap().header("range"), Some("bytes=500-"));
    assert_eq!(books.read("100.html"), bytes("100"));
    assert!(fs::read_dir(books.path(".fetch/part")).unwrap().next().is_none(), "no part is left");
}

#[test]
fn a_part_behind_a_redirect_is_of_use_to_the_next_run() {
    let far = "/cache/epub/100/pg100-images.html";
    let server = Server::new(move |asked, before| match asked.path.as_str() {
        PATH => Reply::to(far),
        path if path == far => {
            let reply = ranged(asked, &bytes("100"), ("etag", "\"a\""));
            if before < 5 { reply.cut(100) } else { reply }
        }
        _ => Reply::status(404),
    });
    let world = World::default();
    let books = main_only(&server, &world);
    assert!(books.run(&world).unwrap().missing[0].passing);
    let report = books.run(&world).unwrap();
    assert_eq!((report.fetched.len(), report.requests), (1, 2));
    assert_eq!(server.asked().last().unwrap().header("range"), Some("bytes=500-"));
    assert_eq!(report.bytes, bytes("100").len() as u64 - 500);
    assert_eq!(books.read("100.html"), bytes("100"));
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
