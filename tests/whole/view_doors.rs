//! Who knocks at `storymill view` and gets nothing: large posts, slow clients, paths that lead elsewhere, hostile text.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    project::Project,
    view::{show, stories},
};

#[test]
fn a_hundred_megabytes_are_not_taken() {
    let shown = show(stories(), &["view", "out"]);
    let (cookie, base) = shown.enter();
    let mut stream = TcpStream::connect(("127.0.0.1", shown.port)).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = format!(
        "POST {base} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{cookie}Content-Length: 100000000\r\n\r\n",
        shown.port
    );
    stream.write_all(head.as_bytes()).unwrap();
    let block = vec![b'x'; 1_000_000];
    // Nobody reads it: the connection is closed before the end, or all of it is thrown away.
    let taken = (0..100).take_while(|_| stream.write_all(&block).is_ok()).count();
    assert!(taken < 100, "all of it was taken");
    assert!(shown.asks("GET", &base, &cookie).starts_with("HTTP/1.1 200"));
}

#[test]
fn slow_clients_lose_their_place() {
    let shown = show(stories(), &["view", "out"]);
    let (cookie, base) = shown.enter();
    // As many as there are places, each with half a request.
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..64 {
        let mut stream = TcpStream::connect(("127.0.0.1", shown.port)).unwrap();
        stream.write_all(b"GET / HT").unwrap();
        slow.push(stream);
    }
    let begun = Instant::now();
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n{cookie}", shown.port);
    let answered = || {
        let mut stream = TcpStream::connect(("127.0.0.1", shown.port)).unwrap();
        let sent = write!(stream, "GET {base} HTTP/1.1\r\n{host}\r\n");
        let mut answer = String::new();
        sent.is_ok()
            && stream.read_to_string(&mut answer).is_ok()
            && answer.starts_with("HTTP/1.1 200")
    };
    while !answered() {
        assert!(begun.elapsed() < Duration::from_secs(5), "silent clients keep everybody out");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(slow);
}

#[test]
fn a_request_names_one_host() {
    let shown = show(stories(), &["view", "out"]);
    let (cookie, base) = shown.enter();
    let twice = format!("Host: 127.0.0.1:{}\r\n{cookie}", shown.port);
    let answer = shown.asks("GET", &base, &twice);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[test]
fn no_path_leads_out_of_the_dataset() {
    let project = stories();
    fs::write(project.path("secret.txt"), "nobody reads this").unwrap();
    let shown = show(project, &["view", "out"]);
    let (cookie, base) = shown.enter();
    for path in [
        "../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "book/../../secret.txt",
        "book/%2e%2e%2f%2e%2e%2fsecret.txt",
        "c/../secret.txt",
        "c/read-along/../../secret.txt",
        "page/..%2fsecret.txt",
        "answer/..%2f..%2fsecret.txt",
        "left/%2e%2e/secret.txt",
        "cast//etc/passwd",
        "look.css/../../secret.txt",
        "%00",
        "book/%ff%fe",
    ] {
        let answer = shown.asks("GET", &format!("{base}{path}"), &cookie);
        assert!(answer.starts_with("HTTP/1.1 40"), "{path}: {answer}");
        assert!(
            !answer.contains("nobody reads this") && !answer.contains("root:"),
            "{path}: {answer}"
        );
    }
}

const SETS: &str = r#"name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "mit"
canary = "storymill-canary-0123456789abcdef"

[source.sets.question-sets]
path = "sets"

[stage.passages.passages]
from = "sets"

[stage.contexts.mix]
from = "sets"
levels = [400]

[dataset.contexts]
from = "contexts"

[dataset.passages]
from = "passages"
"#;

const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(2)>\" onfocus=\"alert(3)";

/// Whether a page holds anything of it that would run.
#[track_caller]
fn harmless(page: &str) {
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("&lt;script&gt;"), "{page}");
    for code in ["<script>alert", "<img src=x", "\" onfocus=\""] {
        assert!(!page.contains(code), "`{code}` in\n{page}");
    }
}

#[test]
fn hostile_questions_answers_and_claims_are_only_text() {
    let project = Project::new();
    let word = |at: usize| format!("word{}{}", at % 31, if at % 9 == 8 { "." } else { "" });
    let text = |at: usize| (0..30).map(|n| word(at * 7 + n)).collect::<Vec<_>>().join(" ");
    let mut lines = String::new();
    for at in 0..10 {
        let row = json!({
            "id": format!("q{at}"), "question": format!("Where did Ada{at} go? {HOSTILE}"),
            "answers": [format!("to Kell{at} {HOSTILE}")], "documents": [format!("Ada{at} went to Kell{at}. {HOSTILE} {}", text(at))],
            "rules": [{ "from": format!("Kell{at}"), "to": format!("Orm{at}"), "scope": ["context", "answer"] }],
        });
        lines += &format!("{row}\n");
    }
    for at in 0..40 {
        lines += &format!("{}\n", json!({ "id": format!("p{at}"), "documents": [text(at + 99)] }));
    }
    project.write("sets/mine.jsonl", lines).write("my.toml", SETS);
    project.run(&["build", "my.toml"]).exits(0);
    let shown = show(&project, &["view", "my.toml"]);
    let page = shown.pages();
    let list = page("c/contexts");
    harmless(&list);
    let id = list.split("c/contexts/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    harmless(&page(&format!("c/contexts/{id}")));
    harmless(&page("search?says=%3Cscript%3E"));
    harmless(&page("c/contexts?says=%3Cscript%3Ealert(1)%3C/script%3E"));
}

#[test]
fn a_hostile_title_is_only_text() {
    let project = Project::new();
    project.book("b1", 3).book("b2", 3);
    let title = HOSTILE.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let page = project.read("books/b1.html").replace("Title: Book b1", &format!("Title: {title}"));
    project.write("books/b1.html", page).workflow(&[]).run(&["build", "my.toml"]).exits(0);
    let shown = show(&project, &["view", "my.toml"]);
    let page = shown.pages();
    for path in ["", "book/b1", "c/books", "c/books/b1", "page/b1"] {
        harmless(&page(path));
    }
}
