//! Everything that mirrors do wrong, and what is not to be asked.

use std::time::Duration;

use storymill_core::FaultKind;
use storymill_mirror::{Client, Family, mirror};
use storymill_sources::clean;

use crate::{
    Books, bytes, page,
    places::gz,
    server::{Reply, Server, World},
};

pub const PATH: &str = "/1/0/100/100-h/100-h.htm";

/// A mirror with one page.
pub fn only(
    answer: impl Fn(&crate::server::Asked, usize) -> Reply + Send + Sync + 'static,
) -> Server {
    Server::new(
        move |asked, before| {
            if asked.path == PATH { answer(asked, before) } else { Reply::status(404) }
        },
    )
}

pub fn main_only(server: &Server, world: &World) -> Books {
    Books::of(&server.base(), world).layouts(&[Family::Main]).want(&["100"])
}

/// Fetches book 100 from a mirror that gives it in the end; what was waited, and what was asked.
pub fn comes(server: &Server) -> (Vec<(u64, String)>, Vec<String>) {
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
    let why = &report.missing[0].why;
    assert!(
        why.contains("nothing of use at 8 addresses"),
        "the other paths were tried: {report:?}"
    );
    assert!(why.contains("it leads on and on"), "{report:?}");
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

#[test]
fn a_wait_asked_for_at_the_last_try_holds_for_the_next_book() {
    let server = Server::new(|asked, _| match asked.path.as_str() {
        PATH => Reply::status(503).with("retry-after", "90"),
        "/1/0/101/101-h/101-h.htm" => Reply::ok(bytes("101")),
        _ => Reply::status(404),
    });
    let world = World::default();
    let report = main_only(&server, &world).want(&["100", "101"]).run(&world).unwrap();
    assert_eq!((report.fetched.len(), report.missing.len()), (1, 1));
    let asked = world.asked.lock().unwrap();
    let [.., last, next] = asked.as_slice() else { panic!("{asked:?}") };
    assert!(next.0 - last.0 >= Duration::from_secs(90), "{asked:?}");
    assert_eq!(world.waits.lock().unwrap().last().unwrap().1, "the server asked for it");
}

#[test]
fn nothing_new_is_no_answer_to_who_has_nothing() {
    let (waits, paths) = comes(&only(|asked, before| {
        assert!(asked.header("if-none-match").is_none());
        if before == 0 {
            Reply { body: Vec::new(), ..Reply::status(304) }
        } else {
            Reply::ok(bytes("100"))
        }
    }));
    assert_eq!((waits[0].1.as_str(), paths.len()), ("the server answers 304", 3));
}

#[test]
fn only_what_is_certain_is_not_asked_again() {
    // Too large for one run, not for the next; refused once; no verdict hangs on either.
    let large = only(|_, _| Reply::ok(bytes("100")));
    let world = World::default();
    let mut books = main_only(&large, &world);
    books.client().caps.bytes = 700;
    assert!(!books.run(&world).unwrap().missing[0].passing);
    let asked = large.paths().len();
    let again = books.run(&world).unwrap();
    assert_eq!(
        (again.missing.len(), large.paths().len()),
        (1, asked),
        "with the same limit it is known"
    );
    books.client().caps.bytes = 1 << 20;
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
    let shy =
        only(|_, before| if before == 0 { Reply::status(403) } else { Reply::ok(bytes("100")) });
    let world = World::default();
    let books = main_only(&shy, &world);
    assert_eq!(books.run(&world).unwrap().missing.len(), 1);
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
    // What an older version could make no book of, a newer one may.
    let server = only(|_, _| Reply::ok(bytes("100")));
    let world = World::default();
    let books = main_only(&server, &world);
    let note = |by: &str| {
        let url = format!("{}{}", server.base(), &PATH[1..]);
        let line = format!(
            "{{\"what\":\"nothing\",\"url\":\"{url}\",\"most\":1048576,\"by\":\"{by}\"}}\n"
        );
        std::fs::create_dir_all(books.path(".fetch")).unwrap();
        std::fs::write(books.path(".fetch/journal.jsonl"), line).unwrap();
    };
    note(env!("CARGO_PKG_VERSION"));
    assert_eq!(books.run(&world).unwrap().missing.len(), 1);
    note("0.0.1");
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
}

#[test]
fn a_robots_txt_that_cannot_be_read_bars_everything() {
    let with = |robots: Reply| {
        let server = Server::new(move |asked, _| match asked.path.as_str() {
            "/robots.txt" => robots.clone(),
            PATH => Reply::ok(bytes("100")),
            _ => Reply::status(404),
        });
        let world = World::default();
        let done = main_only(&server, &world).run(&world);
        (done, server)
    };
    for robots in [
        Reply::ok("User-agent: *\nAllow: /\n").with("content-encoding", "br"),
        Reply::to("http://other.test/robots.txt"),
        Reply::to("/robots.txt"),
        Reply::status(302),
        Reply { body: Vec::new(), ..Reply::status(304) },
        Reply::status(500),
    ] {
        let told = format!("{robots:?}");
        let (done, server) = with(robots);
        let fault = done.unwrap_err();
        assert!(fault.to_string().contains("nothing may be asked"), "{told}: {fault}");
        assert!(server.paths().iter().all(|path| path == "/robots.txt"), "{told}");
    }
    for status in [400, 401, 403, 404, 410] {
        let (done, _) = with(Reply::status(status));
        assert_eq!(done.unwrap().fetched.len(), 1, "{status}: a host without one allows all");
    }
    // Half a rule at the end of what is read would say something else.
    let long = format!(
        "User-agent: *\n{}Allow: /1/\nDisallow: /\n",
        "#".repeat(500 * 1024 - 18) + "\nDis"
    );
    let long = long.replace("Dis", "Disallow: /1/0/200/");
    let (done, _) = with(Reply::ok(long));
    assert_eq!(done.unwrap().fetched.len(), 1);
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
    for told in [None, Some(("connection", "close"))] {
        let reply = Reply::ok(vec![b'x'; 2 << 20]);
        let reply = told.iter().fold(reply, |reply, (name, value)| reply.with(name, *value));
        let flood = missing(&only(move |_, _| reply.clone()));
        assert!(flood.why.contains("larger than 1 MB") && !flood.passing, "{flood:?}");
    }
    let bomb =
        missing(&only(|_, _| Reply::ok(gz(&vec![b' '; 8 << 20])).with("content-encoding", "gzip")));
    assert!(bomb.why.contains("larger than 1 MB") && !bomb.passing, "{bomb:?}");
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
    assert!(books.run(&world).unwrap_err().to_string().contains("`somebody` is not a contact"));
}
