//! Where pages are looked for: layouts and harvests; and that nothing is asked twice.

use std::{fs, io::Write, time::Duration};

use flate2::write::GzEncoder;
use storymill_mirror::{Client, Family, mirror};
use storymill_sources::unpack::unpack;

use crate::{
    Books, bytes,
    server::{Reply, Server, World},
};

pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn every_layout_is_tried_in_order_and_gives_its_page() {
    let plain = "Title: A Tale\n\nCHAPTER I\n\n".to_owned()
        + &"The miller told the river a story about grain and gulls. ".repeat(30);
    let html = bytes("12345");
    let packed = zip(&[("12345-h/images/a.txt", b"x"), ("12345-h/12345-h.htm", &html)]);
    let cases: [(&str, Vec<u8>, &str, usize); 12] = [
        ("/1/2/3/4/12345/12345-h/12345-h.htm", html.clone(), "12345.html", 0),
        ("/cache/epub/12345/pg12345-images.html", html.clone(), "12345.html", 1),
        ("/cache/epub/12345/pg12345.html", html.clone(), "12345.html", 2),
        ("/12345/pg12345-images.html", html.clone(), "12345.html", 3),
        ("/files/12345/12345-h/12345-h.htm", html.clone(), "12345.html", 5),
        ("/ebooks/12345.html.images", html.clone(), "12345.html", 6),
        ("/1/2/3/4/12345/12345-h.zip", packed, "12345.html", 7),
        ("/1/2/3/4/12345/12345-0.txt", plain.clone().into(), "12345.txt", 11),
        ("/1/2/3/4/12345/12345-8.txt", plain.clone().into(), "12345.txt", 12),
        ("/1/2/3/4/12345/12345.txt", plain.clone().into(), "12345.txt", 13),
        ("/cache/epub/12345/pg12345.txt", plain.clone().into(), "12345.txt", 14),
        ("/1/2/3/4/12345/12345-0.zip", zip(&[("12345-0.txt", plain.as_bytes())]), "12345.txt", 20),
    ];
    for (path, served, file, before) in cases {
        let server = Server::with(vec![(path.to_owned(), served)]);
        let world = World::default();
        let books = Books::of(&server.base(), &world).want(&["12345"]);
        let report = books.run(&world).unwrap();
        assert_eq!(report.fetched[0].file, file, "{path}");
        assert_eq!(report.fetched[0].from, format!("{}{}", server.base(), &path[1..]));
        let asked = server.paths();
        assert_eq!(asked[0], "/robots.txt");
        assert_eq!((asked.len() - 2, asked.last().unwrap().as_str()), (before, path), "{asked:?}");
        let kept = books.read(file);
        assert!(if file.ends_with("html") { kept == html } else { kept == plain.as_bytes() });
        assert_eq!(world.least_gap(), Duration::from_secs(2));
        assert_eq!(server.at_once(), 1);
    }
}

#[test]
fn what_a_mirror_has_is_learned() {
    let files = (100..106).map(|id| (format!("/{id}/pg{id}-images.html"), bytes(&id.to_string())));
    let server = Server::with(files.collect());
    let world = World::default();
    let books = Books::of(&server.base(), &world).want(&["100", "101", "102", "103", "104", "105"]);
    books.run(&world).unwrap();
    // Robots, four paths for the first book, one for each other.
    assert_eq!(server.paths().len(), 1 + 4 + 5, "{:?}", server.paths());
}

#[test]
fn nothing_is_asked_twice_after_a_restart() {
    let server = Server::with(vec![
        ("/1/0/100/100-h/100-h.htm".to_owned(), bytes("100")),
        ("/1/0/101/101-h.zip".to_owned(), zip(&[("101-h.htm", &bytes("101"))])),
        ("/1/0/103/103-h/103-h.htm".to_owned(), bytes("103")),
    ]);
    let whole = {
        let world = World::default();
        let books = Books::of(&server.base(), &world)
            .layouts(&[Family::Main])
            .want(&["100", "101", "102", "103"]);
        books.run(&world).unwrap();
        (server.paths(), books.lock())
    };
    server.forget();
    // The same, stopped after every single request.
    let mut books = Books::of(&server.base(), &World::default());
    let mut done = false;
    for _ in 0..20 {
        let mut world = World::default();
        world.stop_after = Some(1);
        let lookup = world.lookup();
        books.client().lookup = lookup;
        books = books.layouts(&[Family::Main]).want(&["100", "101", "102", "103"]);
        match books.run(&world) {
            Ok(report) if report.requests > 0 => assert_eq!(report.requests, 1),
            Ok(report) => {
                assert_eq!((report.there, report.missing.len()), (3, 1));
                done = true;
                break;
            }
            Err(fault) => assert!(fault.to_string().contains("stopped"), "{fault}"),
        }
    }
    assert!(done);
    assert_eq!(server.paths(), whole.0);
    assert_eq!(books.lock(), whole.1);
}

#[test]
fn a_harvest_is_walked_once() {
    let server = Server::new(move |asked, _| {
        let list = |names: &[&str], next: &str| {
            let links: String = names
                .iter()
                .map(|name| format!("<p><a href=\"http://files.test:PORT/{name}\">x</a></p>"))
                .collect();
            format!("<html><body>{links}{next}</body></html>")
        };
        let port = asked.header("host").unwrap().rsplit(':').next().unwrap().to_owned();
        let text = match asked.path.as_str() {
            "/robot/harvest?filetypes[]=html" => list(
                &["1/0/100/100-h.zip", "1/0/100/100-0.zip"],
                "<a href=\"harvest?offset=2&amp;filetypes[]=html\">Next Page</a>",
            ),
            "/robot/harvest?offset=2&filetypes[]=html" => {
                list(&["1/0/101/101-0.txt", "1/0/101/101-h.zip", "etext98/2ws1910h.zip"], "")
            }
            "/1/0/100/100-h.zip" => return Reply::ok(zip(&[("100-h.htm", &bytes("100"))])),
            "/1/0/101/101-h.zip" => return Reply::ok(zip(&[("101-h.htm", &bytes("101"))])),
            _ => return Reply::status(404),
        };
        Reply::ok(text.replace("PORT", &port))
    });
    let world = World::default();
    let base = format!("{}robot/harvest?filetypes[]=html", server.base());
    let mut client = Client::new(mirror(&base, false).unwrap(), "ann@example.org");
    client.lookup = world.lookup();
    let mut books = Books::from(client, true);
    let fault = books.run(&world).unwrap_err();
    assert!(
        fault.to_string().contains("leads to `files.test`, which is not among the allowed hosts"),
        "{fault}"
    );
    assert!(fault.hint.unwrap().contains("--allow-host"));
    books.client().hosts.push("files.test".to_owned());
    let report = books.run(&world).unwrap();
    assert_eq!((report.fetched.len(), report.nameless), (2, 1));
    let expect = [
        "/robots.txt",
        "/robot/harvest?filetypes[]=html",
        "/robot/harvest?offset=2&filetypes[]=html",
        "/robots.txt",
        "/1/0/100/100-h.zip",
        "/1/0/101/101-h.zip",
    ];
    assert_eq!(server.paths(), expect);
    assert_eq!(*world.names.lock().unwrap(), ["mirror.test", "files.test"]);
    assert_eq!(books.run(&world).unwrap().requests, 0);
}

#[test]
fn an_empty_list_is_no_harvest_and_the_end_of_one() {
    let server = Server::new(|asked, before| match asked.path.as_str() {
        "/robot/harvest" if before == 0 => Reply::ok("<p>We are not well today.</p>"),
        "/robot/harvest" => {
            Reply::ok("<a href='/1/0/100/100-h.htm'>x</a><a href='harvest?offset=1'>Next</a>")
        }
        "/robot/harvest?offset=1" if before == 0 => Reply::ok("<p>We are not well today.</p>"),
        "/robot/harvest?offset=1" => Reply::ok("<a href='/1/0/101/101-h.htm'>x</a>"),
        "/1/0/100/100-h.htm" => Reply::ok(bytes("100")),
        "/1/0/101/101-h.htm" => Reply::ok(bytes("101")),
        _ => Reply::status(404),
    });
    let world = World::default();
    let mut client =
        Client::new(mirror(&format!("{}robot/harvest", server.base()), false).unwrap(), "a@b.c");
    client.lookup = world.lookup();
    let books = Books::from(client, true);
    let fault = books.run(&world).unwrap_err();
    assert!(fault.to_string().contains("lists no files"), "{fault}");
    // Neither is remembered: the list may be there when it is asked for again.
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
    assert_eq!(books.run(&world).unwrap().fetched.len(), 1);
    assert_eq!(books.run(&world).unwrap().requests, 0);
}

/// Every real page of the set comes as it is, packed for the way; of ids that have two files, the first.
#[test]
fn real_pages_come_byte_for_byte() {
    for books in crate::sets::sets("books") {
        come_byte_for_byte(&books);
    }
}

fn come_byte_for_byte(folder: &std::path::Path) {
    let entries = fs::read_dir(folder).unwrap();
    let mut pages = std::collections::BTreeMap::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(id) =
            name.split('.').next().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
        else {
            continue;
        };
        let mut bytes = fs::read(&path).unwrap();
        if name.ends_with(".gz") {
            bytes = unpack(&bytes).unwrap().into_owned();
        }
        pages.insert(id.to_owned(), bytes);
    }
    let served = pages.clone();
    let server = Server::new(move |asked, _| {
        let name = asked.path.rsplit('/').next().unwrap().trim_end_matches("-h.htm");
        served.get(name).map_or_else(
            || Reply::status(404),
            |bytes| Reply::ok(gz(bytes)).with("content-encoding", "gzip"),
        )
    });
    let world = World::default();
    let ids: Vec<_> = pages.keys().map(String::as_str).collect();
    let mut books = Books::of(&server.base(), &world).layouts(&[Family::Main]).want(&ids);
    books.client().caps = storymill_mirror::Caps::default();
    let report = books.run(&world).unwrap();
    assert_eq!(report.missing, []);
    assert_eq!((report.fetched.len(), report.requests), (ids.len(), ids.len() as u64 + 1));
    for (id, bytes) in &pages {
        assert!(books.read(&format!("{id}.html")) == *bytes, "{id}");
    }
}
