//! Everything that mirrors do wrong, and what is not to be asked.

use std::{fs, time::Duration};

use proptest::prelude::*;
use storymill_core::FaultKind;
use storymill_sources::{
    clean,
    mirror::{Client, Family, mirror},
};

use crate::{
    Books, bytes, page,
    places::{gz, zip},
    server::{Reply, Server, World},
};

const PATH: &str = "/1/0/100/100-h/100-h.htm";

fn only(answer: impl Fn(&crate::server::Asked, usize) -> Reply + Send + Sync + 'static) -> Server {
    Server::new(
        move |asked, before| {
            if asked.path == PATH { answer(asked, before) } else { Reply::status(404) }
        },
    )
}

fn main_only(server: &Server, world: &World) -> Books {
    Books::of(&server.base(), world).layouts(&[Family::Main]).want(&["100"])
}

/// Fetches book 100 from a mirror that gives it in the end; what was waited, and what was asked.
fn comes(server: &Server) -> (Vec<(u64, String)>, Vec<String>) {
    let world = World::default();
    let books = main_only(server, &world);
    let report = books.run(&world).unwrap();
    assert_eq!(report.fetched.len(), 1, "{report:?}");
    assert_eq!(books.read("100.html"), bytes("100"));
    assert!(world.least_gap() >= Duration::from_secs(2));
    let waits = world.waits.lock().unwrap().clone();
    (waits, server.paths())
}

#[test]
fn a_redirect_to_the_cache_form_is_followed_on_the_same_host() {
    let server = Server::new(|asked, _| match asked.path.as_str() {
        PATH => Reply::to("/cache/epub/100/pg100-images.html"),
        "/cache/epub/100/pg100-images.html" => Reply::ok(bytes("100")),
        _ => Reply::status(404),
    });
    let (_, paths) = comes(&server);
    assert_eq!(paths, ["/robots.txt", PATH, "/cache/epub/100/pg100-images.html"]);
    let round = only(|_, _| Reply::to(PATH));
    let world = World::default();
    let report = main_only(&round, &world).run(&world).unwrap();
    assert!(
        report.missing[0].why.contains("it is not there"),
        "the other paths were tried: {report:?}"
    );
}

#[test]
fn the_main_site_is_never_asked_for_nor_its_name_looked_up() {
    for host in [
        "www.gutenberg.org",
        "gutenberg.org",
        "WWW.GUTENBERG.ORG.",
        "m.gutenberg.org",
        "gutenberg.net",
    ] {
        let fault = mirror(&format!("https://{host}/"), false).unwrap_err();
        assert!(fault.to_string().contains("main site"), "{fault}");
        let world = World::default();
        let mut books = Books::of(&format!("http://{host}/"), &world).want(&["100"]);
        let fault = books.run(&world).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Input);
        assert!(fault.hint.unwrap().contains("MIRRORS.ALL"));
        assert!(world.names.lock().unwrap().is_empty());
        // Nor when a mirror leads there, even if somebody lists it among the allowed hosts.
        let target = format!("http://{host}/x.htm");
        let server = Server::new(move |asked, _| {
            if asked.path.ends_with("100-h.htm") { Reply::to(&target) } else { Reply::status(404) }
        });
        books = main_only(&server, &world);
        books.client().hosts.push(host.to_owned());
        let report = books.run(&world).unwrap();
        assert_eq!((report.fetched.len(), report.missing.len()), (0, 1));
        assert_eq!(*world.names.lock().unwrap(), ["mirror.test"]);
    }
}

#[test]
fn other_hosts_are_asked_only_if_allowed() {
    let server = Server::new(|asked, _| {
        let host = asked.header("host").unwrap();
        let (name, port) = host.split_once(':').unwrap();
        match (name, asked.path.as_str()) {
            ("mirror.test", PATH) => Reply::to(&format!("http://other.test:{port}{PATH}")),
            ("other.test", PATH) => Reply::ok(bytes("100")),
            _ => Reply::status(404),
        }
    });
    let world = World::default();
    let mut books = main_only(&server, &world);
    assert_eq!(books.run(&world).unwrap().missing.len(), 1);
    assert_eq!(*world.names.lock().unwrap(), ["mirror.test"]);
    books.client().hosts.push("other.test".to_owned());
    let report = books.run(&world).unwrap();
    assert!(report.fetched[0].from.starts_with("http://other.test"));
}

#[test]
fn servers_that_are_busy_are_waited_for() {
    let (waits, paths) = comes(&only(|_, before| match before {
        0 => Reply::status(429).with("retry-after", "7"),
        1 => Reply::status(503),
        _ => Reply::ok(bytes("100")),
    }));
    assert_eq!(
        waits,
        [(7, "the server answers 429".to_owned()), (8, "the server answers 503".to_owned())]
    );
    assert_eq!(paths, ["/robots.txt", PATH, PATH, PATH]);
    let (waits, _) = comes(&only(|_, before| match before {
        0 => Reply::status(503)
            .with("date", "Sun, 06 Nov 1994 08:49:37 GMT")
            .with("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"),
        _ => Reply::ok(bytes("100")),
    }));
    assert_eq!(waits[0].0, 60);
    // Too long a wait, and no answer at all, end the run; another one may have more luck.
    let server = only(|_, _| Reply::status(429).with("retry-after", "86400"));
    let world = World::default();
    let fault = main_only(&server, &world).run(&world).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Again);
    assert!(fault.to_string().contains("86400 s"), "{fault}");
    let server = Server::new(|asked, _| {
        if asked.path == "/robots.txt" { Reply::status(404) } else { Reply::status(500) }
    });
    let world = World::default();
    let books = main_only(&server, &world).want(&["100", "101", "102", "103"]);
    let fault = books.run(&world).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Again);
    assert_eq!(server.paths().len(), 1 + 3 * 5);
    let pauses: Vec<_> = world.waits.lock().unwrap().iter().take(4).map(|wait| wait.0).collect();
    assert_eq!(pauses, [4, 8, 16, 32]);
}

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
        None => Reply::ok(whole).with(mark.0, mark.1),
    }
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

#[test]
fn a_wrong_charset_header_changes_nothing() {
    let server =
        only(|_, _| Reply::ok(bytes("100")).with("content-type", "text/html; charset=iso-8859-1"));
    comes(&server);
    let world = World::default();
    let books = main_only(&server, &world);
    books.run(&world).unwrap();
    let text = clean(&books.read("100.html"), "100.html").unwrap().lines();
    assert!(text.contains("100th caf\u{e9}"), "{text}");
}

#[test]
fn a_slow_drip_and_a_flood_have_an_end() {
    let missing = |server: &Server| {
        let world = World::default();
        let report = main_only(server, &world).run(&world).unwrap();
        report.missing[0].clone()
    };
    // Silent longer than a server may be; and never silent for long, but without an end.
    let silent = missing(&only(|_, _| Reply::ok(bytes("100")).drip(2_000)));
    assert!(silent.passing && silent.why.contains("was silent"), "{silent:?}");
    let slow = only(|_, _| Reply::ok(bytes("100")).drip(250));
    let world = World::default();
    let mut books = main_only(&slow, &world);
    books.client().caps.total = Duration::from_millis(900);
    assert!(books.run(&world).unwrap().missing[0].why.contains("not whole within"));
    let flood = missing(&only(|_, _| Reply::ok(vec![b'x'; 2 << 20])));
    assert!(!flood.passing);
    let bomb =
        missing(&only(|_, _| Reply::ok(gz(&vec![b' '; 8 << 20])).with("content-encoding", "gzip")));
    assert!(bomb.why.contains("larger than 1 MB"), "{bomb:?}");
}

#[test]
fn what_is_no_book_is_not_taken() {
    for body in [
        "<html><body><h1>404 - Not Found</h1></body></html>".to_owned(),
        String::new(),
        page("101"),
        page("100")[..700].to_owned() + "<a href=\"x",
    ] {
        let body = body.clone();
        let server = only(move |_, _| Reply::ok(body.clone()));
        let world = World::default();
        let books = main_only(&server, &world);
        let report = books.run(&world).unwrap();
        assert_eq!((report.fetched.len(), report.missing.len()), (0, 1));
        assert!(!books.path("100.html").exists());
    }
}

#[test]
fn robots_are_heard() {
    let server = |robots: &'static str| {
        Server::new(move |asked, _| match asked.path.as_str() {
            "/robots.txt" => Reply::ok(robots),
            PATH => Reply::ok(bytes("100")),
            "/cache/epub/100/pg100-images.html" => Reply::ok(bytes("100")),
            _ => Reply::status(404),
        })
    };
    let barred = server("User-agent: *\nDisallow: /1/\n");
    let world = World::default();
    let books = Books::of(&barred.base(), &world).want(&["100"]);
    books.run(&world).unwrap();
    assert_eq!(barred.paths(), ["/robots.txt", "/cache/epub/100/pg100-images.html"]);
    let slow = server("User-agent: storymill\nCrawl-delay: 10\n");
    let world = World::default();
    Books::of(&slow.base(), &world).want(&["100"]).run(&world).unwrap();
    assert_eq!(world.least_gap(), Duration::from_secs(10));
    let none = server("User-agent: *\nDisallow: /\n");
    let world = World::default();
    let report = Books::of(&none.base(), &world).want(&["100"]).run(&world).unwrap();
    assert!(report.missing[0].why.contains("robots.txt"), "{report:?}");
    assert_eq!(none.paths(), ["/robots.txt"]);
    // A host that cannot say what it allows is not asked for anything.
    let ill = Server::new(|_, _| Reply::status(503));
    let world = World::default();
    let fault = Books::of(&ill.base(), &world).want(&["100"]).run(&world).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Again);
    assert!(ill.paths().iter().all(|path| path == "/robots.txt"));
}

#[test]
fn refusals_end_the_run() {
    let server =
        Server::new(|asked, _| Reply::status(if asked.path == "/robots.txt" { 404 } else { 403 }));
    let world = World::default();
    let fault = main_only(&server, &world).run(&world).unwrap_err();
    assert!(fault.to_string().contains("refuses us (403)"), "{fault}");
    assert_eq!(server.paths().len(), 4);
}

#[test]
fn nobody_asks_without_a_name() {
    let server = only(|asked, _| {
        assert_eq!(
            asked.header("user-agent"),
            Some(concat!("storymill/", env!("CARGO_PKG_VERSION"), " (+mailto:ann@example.org)"))
        );
        Reply::ok(bytes("100"))
    });
    comes(&server);
    let world = World::default();
    let mut books = main_only(&server, &world);
    *books.client() = Client { contact: "somebody".to_owned(), ..books.client().clone() };
    assert!(books.run(&world).unwrap_err().to_string().contains("`somebody` is no contact"));
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
