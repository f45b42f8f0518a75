//! `storymill books` and `storymill fetch`: what a filter finds, what is said about mistakes, and pages
//! that are fetched, pinned and watched.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    process::Command,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crate::project::{Project, page};

const CATALOG: &str = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n\
    7,Text,2001-01-01,\"The Mill\nA Tale\",en,\"Writer, Ann, 1801-1850; Ink, P., 1830- [Illustrator]\",Fiction,PR,\n\
    8,Text,2001-01-01,Die Mühle,de,\"Schreiber, Jörg, 43 BCE-18?\",Fiction,PT,\n\
    9,Sound,2001-01-01,Readings,en,,,,\n";

fn project() -> Project {
    let project = Project::new();
    project.write("pg_catalog.csv", CATALOG);
    project
}

#[test]
fn books_are_found_and_printed_in_every_form() {
    let project = project();
    let books =
        |args: &[&str]| project.run(&[&["books", "pg_catalog.csv"], args].concat()).exits(0);
    let table = books(&[]);
    assert!(table.out().contains("7   The Mill A Tale  Writer, Ann, 1801-1850"), "{}", table.out());
    assert!(table.err().contains("2 books of 3; 1 more left out as no texts"), "{}", table.err());
    assert_eq!(books(&["--where", "title ~ muhle", "--format", "ids"]).out(), "8\n");
    assert_eq!(books(&["--where", "type = sound", "--format", "ids"]).out(), "9\n");
    let json = books(&["--where", "id = 7", "--format", "json"]).out();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value[0]["contributors"][0]["role"], "illustrator");
    assert_eq!(value[0]["authors"][0]["death"], 1850);
    let csv = books(&["--format", "csv"]).out();
    project.write("again.csv", &csv);
    assert_eq!(project.run(&["books", "again.csv", "--format", "csv"]).exits(0).out(), csv);
}

#[test]
fn a_chosen_catalog_serves_a_build() {
    let project = project();
    project.book("7", 3);
    let csv =
        project.run(&["books", "pg_catalog.csv", "--where", "id = 7", "--format", "csv"]).exits(0);
    project.write("mine.csv", csv.out());
    project.write("list.txt", "# PG-19\n7, 70\n");
    let flagged = project
        .run(&["books", "mine.csv", "--flag", "pg19=list.txt", "--format", "csv"])
        .exits(0)
        .says("1 id of 2 in `list.txt` not in the catalog, `70` for one");
    project.write("mine.csv", flagged.out());
    project.workflow(&[("path = \"books\"", "path = \"books\"\ncatalog = \"mine.csv\"")]);
    project.run(&["build", "my.toml"]).exits(0);
    project
        .run(&["inspect", "out/mine", "--config", "books", "--full"])
        .says("The Mill A Tale")
        .says("pg19");
}

#[test]
fn every_mistake_of_a_filter_has_its_place() {
    let project = project();
    let ran =
        project.run(&["books", "pg_catalog.csv", "--where", "langauge = en and issued > soon"]);
    let ran = ran.exits(2).says("did you mean `language`?").says("2 mistakes in --where");
    assert!(ran.err().contains("--where:1:28") && ran.out().is_empty(), "{}", ran.err());
    let ran = project.run(&["books", "none.csv"]).exits(4);
    ran.says("cannot read the catalog: none.csv").says("such as pg_catalog.csv");
    project.write("bad.csv", "a,b\n1,2\n");
    project.run(&["books", "bad.csv"]).exits(4).says("no column `id`");
    let old = "locc in (PR, PS)";
    let ran = project.run(&["books", "pg_catalog.csv", "--where", old]).exits(2);
    ran.says("filters have no `in`").says("`X in (A, B)` is `X = A, B`");
    project.write("pg7.rdf", "<rdf:RDF></rdf:RDF>");
    let ran = project.run(&["books", "pg7.rdf"]).exits(4).says("the catalog is RDF, not CSV");
    ran.says("take `pg_catalog.csv`");
}

#[test]
fn what_a_catalog_does_not_hold_is_no_answer_of_nothing() {
    let project = project();
    project.write("mine.csv", "id,title,langauge\n1,One,en\n");
    let ran = project.run(&["books", "mine.csv", "--where", "title ~ one and language = en"]);
    let ran = ran.exits(2).says("the catalog has no column `language`").says("--where:1:17");
    let ran = ran.says("did you mean your column `langauge`? It has to be called `language`");
    assert!(ran.says("its columns are `id`,").out().is_empty());
    let fetch = ["fetch", "--catalog", "mine.csv", "--where", "subject ~ a", "--contact", "a@b.c"];
    let ran = project.run(&[&fetch[..], &["--mirror", "http://127.0.0.1:9/"]].concat());
    ran.exits(2).says("no column `subjects`");
    project.write("open.csv", "id,title\n1,One\n2,\"Two\n3,Three\n4,Four\n");
    let ran = project.run(&["books", "open.csv"]).exits(4).says("open.csv").says("line 3: ");
    assert!(ran.says("hint: close it where the field ends").out().is_empty());
}

/// Answers so many requests as a mirror; what was asked, and when.
fn serve(
    requests: usize,
    answer: impl Fn(&str) -> (u16, String) + Send + 'static,
) -> (String, JoinHandle<Vec<(Instant, String)>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/gutenberg", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut asked = Vec::new();
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        while asked.len() < requests {
            let head: Vec<_> =
                lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let Some(first) = head.first() else { break };
            let (status, body) = answer(first);
            asked.push((Instant::now(), head.join("\n")));
            write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: {}\r\n\r\n{body}", body.len())
                .unwrap();
        }
        asked
    });
    (base, server)
}

#[test]
fn pages_of_a_copy_are_pinned_and_built() {
    let project = project();
    project.write("copy/cache/epub/7/pg7-images.html", page("7", 3));
    project.write("copy/cache/epub/8/pg8-images.html", page("8", 2));
    let chosen = ["books", "pg_catalog.csv", "--where", "subject = fiction", "--format", "ids"];
    project.write("ids.txt", project.run(&chosen).exits(0).out());
    // What the page says to type.
    let docs = include_str!("../../docs/books.md");
    let copy = docs.lines().find_map(|line| line.strip_prefix("mkdir books && xargs ")).unwrap();
    let copy = format!("mkdir books && xargs {}", copy.replace("/data/gutenberg", "copy"));
    let copied = Command::new("sh").args(["-c", &copy]).current_dir(project.path("")).status();
    assert!(copied.unwrap().success(), "{copy}");

    let nowhere = ["--mirror", "http://127.0.0.1:9/", "--contact", "a@b.c"];
    let fetch = |args: &[&str]| project.run(&[&["fetch"], &nowhere[..], args].concat());
    let all = ["--catalog", "pg_catalog.csv", "--where", "subject = fiction"];
    let ran = fetch(&all).exits(0).says("0 pages fetched (0 requests)").says("2 pinned that lay");
    assert!(ran.err().contains("2 books of 3"), "{}", ran.err());
    let lock = project.read("books/books.lock");
    assert!(lock.contains("file = \"pg7-images.html\""), "{lock}");
    project.workflow(&[("path = \"books\"", "path = \"books\"\ncatalog = \"pg_catalog.csv\"")]);
    let built = project.run(&["build", "my.toml"]).exits(0);
    assert!(!built.err().contains("books.lock"), "{}", built.err());
    fetch(&[]).exits(0).says("0 pages fetched (0 requests), 2 as pinned");
    fetch(&["9", "--catalog", "pg_catalog.csv"]).says("1 book left out");
    // A catalog without a filter counts for the books of the lock too.
    project.write("no7.csv", "id,title,rights\n7,Seven,Copyrighted.\n8,Eight,\n");
    fetch(&["--catalog", "no7.csv"]).exits(0).says("1 book left out").says("1 as pinned");
    let harvest = ["fetch", "--harvest", "http://127.0.0.1:9/robot/harvest", "--contact", "a@b.c"];
    project
        .run(&[&harvest[..], &["--catalog", "no7.csv"]].concat())
        .exits(2)
        .says("which books of the catalog?");

    let (base, server) = serve(2, |first| match first.contains("robots") {
        true => (404, String::new()),
        false => (200, page("7", 3).replace("late", "early")),
    });
    let ran =
        project.run(&["fetch", "7", "--mirror", &base, "--contact", "a@b.c", "--refresh"]).exits(6);
    server.join().unwrap();
    assert!(
        ran.out().contains("pg7-images.html: changed; paragraphs: ") && ran.out().contains("+"),
        "{}",
        ran.out()
    );
    assert_eq!(project.read("books/pg7-images.html"), page("7", 3));
    assert_eq!(project.read("books/books.lock"), lock);
    let json = fetch(&["7", "--format", "json"]).exits(6).out();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(value["changed"][0]["diff"].as_str().unwrap().contains("early"));
    fetch(&["7", "--changed", "accept"]).exits(0);
    assert!(project.read("books/pg7-images.html").contains("early"));
    assert_ne!(project.read("books/books.lock"), lock);
}

#[test]
fn a_mirror_is_asked_slowly_and_under_a_name() {
    let (base, server) = serve(2, |first| match first.contains("robots") {
        true => (404, String::new()),
        false => (200, page("7", 2)),
    });
    let project = Project::new();
    project.run(&["fetch", "7", "--mirror", &base]).exits(2).says("--contact");
    let fetch = ["fetch", "7", "--mirror", &base, "--contact", "ann@example.org"];
    project.run(&fetch).exits(0).says("1 page fetched (2 requests)");
    let asked = server.join().unwrap();
    assert!(asked[0].1.starts_with("GET /robots.txt HTTP/1.1"));
    assert!(asked[1].1.starts_with("GET /gutenberg/0/7/7-h/7-h.htm HTTP/1.1"));
    assert!(asked[1].0.duration_since(asked[0].0) >= Duration::from_secs(2));
    assert!(asked.iter().all(|(_, head)| head.contains("(+mailto:ann@example.org)")));
    // The server is gone, and is not needed.
    project.run(&fetch).exits(0).says("1 as pinned");
}

#[test]
fn what_may_not_be_fetched() {
    let project = Project::new();
    let fetch = |args: &[&str]| project.run(&[&["fetch"], args].concat());
    let main = ["1342", "--mirror", "https://www.gutenberg.org/", "--contact", "ann@example.org"];
    fetch(&main).exits(4).says("main site, not a mirror").says("MIRRORS.ALL");
    fetch(&["1342", "--mirror", "rsync://x/", "--contact", "a@b.c"])
        .exits(4)
        .says("copy with rsync itself");
    fetch(&["1342", "--mirror", "http://127.0.0.1:9/", "--contact", "me"])
        .exits(4)
        .says("`me` is not a contact");
    fetch(&["1342", "--mirror", "http://127.0.0.1:9/", "--contact", "a@b.c", "--wait", "1"])
        .exits(2);
    fetch(&["1342"]).exits(2);
    let nowhere = ["--mirror", "http://127.0.0.1:9/", "--contact", "a@b.c"];
    fetch(&nowhere).exits(2).says("no books are named");
    fetch(&[&["../x"], &nowhere[..]].concat()).exits(2).says("cannot be an id");
    fetch(&["1", "--mirror", "x.org", "--contact", "a@b.c", "--layout", "mian"])
        .exits(2)
        .says("'main'");
    fetch(&["1", "--mirror", "x.org/g", "--contact", "a@b.c"])
        .exits(4)
        .says("did you mean `https://x.org/g`?");
    fetch(&["1", "--mirror", "gutenberg.org", "--contact", "a@b.c"]).exits(4).says("main site");
    assert!(!project.path("books/1342.html").exists());
}
