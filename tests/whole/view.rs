//! `storymill view`: pages of a dataset, behind a server that lets one browser in, and as files.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use serde_json::{Value, json};

use crate::project::{Project, top};

/// The stories, built once for these tests.
pub(crate) fn stories() -> &'static Project {
    static BUILT: OnceLock<Project> = OnceLock::new();
    BUILT.get_or_init(|| {
        let project = Project::new();
        let workflow = top().join("workflows/stories.toml");
        let args = ["build", workflow.to_str().unwrap(), "--out", "out", "--store", "store"];
        project.run(&args).exits(0);
        project
    })
}

/// A server that is running, and the way into it.
pub(crate) struct Shown {
    child: Child,
    pub(crate) port: u16,
    enter: String,
}

impl Drop for Shown {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

pub(crate) fn show(project: &Project, args: &[&str]) -> Shown {
    served(project.command(args))
}

/// A server that a command starts.
pub(crate) fn served(mut command: Command) -> Shown {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://127.0.0.1:").expect("an address").to_owned();
    let (port, path) = address.split_once('/').unwrap();
    Shown { child, port: port.parse().unwrap(), enter: format!("/{path}") }
}

impl Shown {
    /// What comes back for a request in these words.
    pub(crate) fn says(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn asks(&self, method: &str, path: &str, headers: &str) -> String {
        let port = self.port;
        self.says(&format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{headers}\r\n"))
    }

    /// Goes in, and gives what makes pages.
    pub(crate) fn pages(&self) -> impl Fn(&str) -> String + '_ {
        let (cookie, base) = self.enter();
        move |path| self.asks("GET", &format!("{base}{path}"), &cookie)
    }

    /// Goes in: the cookie, and the path that pages lie below.
    pub(crate) fn enter(&self) -> (String, String) {
        let answer = self.asks("GET", &self.enter, "");
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        let header = |name: &str| {
            let line = answer.lines().find(|line| line.to_lowercase().starts_with(name)).unwrap();
            line.split_once(": ").unwrap().1.trim().to_owned()
        };
        let cookie = header("set-cookie:");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        (format!("Cookie: {}\r\n", cookie.split(';').next().unwrap()), header("location:"))
    }

    /// Ends it at once, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_dataset_is_read_in_the_browser() {
    let shown = show(stories(), &["view", "out"]);
    let (cookie, base) = shown.enter();
    let page = |path: &str| shown.asks("GET", &format!("{base}{path}"), &cookie);
    let home = page("");
    assert!(home.starts_with("HTTP/1.1 200"), "{home}");
    for wanted in ["stories 0.1.0", "read-along", "The Sixth Chair", &format!("{base}book/sm03")] {
        assert!(home.contains(wanted), "`{wanted}` in\n{home}");
    }
    let asked = page("c/read-along/sm02/0006/scene-distortion");
    for wanted in [
        "asked here",
        "<mark class=\"evidence\">",
        "<ins>",
        "scene-distortion",
        "words</text>",
        "is-right",
    ] {
        assert!(asked.contains(wanted), "`{wanted}` in\n{asked}");
    }
    let false_one = page("c/distortions/sm03/0000/d0");
    assert!(false_one.contains("<ins>") && false_one.contains("<del>"), "{false_one}");
    assert!(page("book/sm03?in=read-along").contains("id=\"s7\""));
    let some = page("c/read-along?type=lookahead&least=400&most=900");
    assert!(some.contains("/lookahead\"") && !some.contains("/scene-distortion\""), "{some}");
    assert!(page("search?says=Orphanage").contains("sm03"));
    for (path, status) in [
        ("c/nothing", 404),
        ("c/read-along/sm01/9999/x", 404),
        ("../../etc/passwd", 404),
        ("book/%2e%2e%2fx", 404),
    ] {
        let answer = page(path);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
}

#[test]
fn nobody_else_gets_anything() {
    let shown = show(stories(), &["view", "out"]);
    let without = shown.asks("GET", "/", "");
    assert!(without.starts_with("HTTP/1.1 403"), "{without}");
    let (cookie, base) = shown.enter();
    let page = shown.asks("GET", &base, &cookie).to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
    ] {
        assert!(page.contains(header), "{page}");
    }
    // What holds nothing of the dataset may be kept.
    let look = shown.asks("GET", &format!("{base}look.css"), &cookie).to_lowercase();
    assert!(look.contains("cache-control: private, max-age"), "{look}");
    // The address lives as long as the server, for another browser or a tab that was closed.
    let again = shown.asks("GET", &shown.enter, "");
    assert!(again.starts_with("HTTP/1.1 303") && again.contains("HttpOnly"), "{again}");
    for (method, headers, status) in [
        ("GET", String::new(), 403),
        ("GET", "Cookie: storymill=00\r\n".to_owned(), 403),
        ("GET", format!("{cookie}Origin: http://evil.example\r\n"), 403),
        ("POST", format!("{cookie}Content-Length: 100000000\r\n"), 405),
        ("DELETE", cookie.clone(), 405),
    ] {
        let answer = shown.asks(method, &base, &headers);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{method} {headers}: {answer}");
        assert!(!answer.contains("stories 0.1.0"), "{answer}");
    }
    // A name that was bent to this machine.
    let bent = shown.says(&format!(
        "GET {base} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n{cookie}\r\n"
    ));
    assert!(bent.starts_with("HTTP/1.1 421"), "{bent}");
    // A slow client holds up nobody.
    let mut slow = TcpStream::connect(("127.0.0.1", shown.port)).unwrap();
    slow.write_all(b"GET / HT").unwrap();
    assert!(shown.asks("GET", &base, &cookie).starts_with("HTTP/1.1 200"));
}

#[test]
fn what_a_dataset_says_is_never_code() {
    let project = Project::new();
    let hostile = "<script>alert(1)</script>\u{202e}evil";
    project.book("b1", 3).book("b2", 3);
    let page = project.read("books/b1.html").replace(
        "<p>",
        &format!("<p>{}</p><p>", hostile.replace('<', "&lt;").replace('>', "&gt;")),
    );
    project.write("books/b1.html", page).workflow(&[]).run(&["build", "my.toml"]).exits(0);
    let shown = show(&project, &["view", "my.toml"]);
    let (cookie, base) = shown.enter();
    let book = shown.asks("GET", &format!("{base}book/b1"), &cookie);
    assert!(book.contains("&lt;script&gt;") && !book.contains("<script>alert"), "{book}");
    assert!(book.contains("⟦202E⟧"), "{book}");
}

#[test]
fn a_workflow_tells_where_things_come_from() {
    let project = Project::new();
    project.book("b1", 3).workflow(&[]).run(&["build", "my.toml"]).exits(0);
    let shown = show(&project, &["view", "my.toml"]);
    let (cookie, base) = shown.enter();
    let list = shown.asks("GET", &format!("{base}c/distortions"), &cookie);
    let id = list.split("c/distortions/").nth(1).unwrap().split('"').next().unwrap();
    let row = shown.asks("GET", &format!("{base}c/distortions/{id}"), &cookie);
    assert!(row.contains("Where it comes from") && row.contains("swap-facts"), "{row}");
}

#[test]
fn a_sample_is_written_into_files() {
    let project = stories();
    project
        .run(&["view", "out", "--html", "pages", "--sample", "5"])
        .exits(0)
        .says("pages/index.html");
    let folder = project.path("pages");
    let mut links = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for link in text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let file = link.split('#').next().unwrap();
            assert!(file.is_empty() || folder.join(file).is_file(), "{}: {link}", path.display());
            links += usize::from(!file.is_empty());
        }
        assert!(!text.contains("http://") || text.contains("xmlns"), "{}", path.display());
    }
    assert!(links > 40, "{links}");
    let again = ["view", "out", "--html", "pages", "--sample", "5", "--format", "json"];
    let said: Value = serde_json::from_str(&project.run(&again).exits(0).out()).unwrap();
    let pages = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!((&said["files"], &said["index"]), (&json!(pages), &json!("pages/index.html")));
    project.run(&["view", "out", "--html", "store"]).exits(4).says("holds something else");
    project.run(&["view", "nothing"]).says("no such folder or workflow");
}
