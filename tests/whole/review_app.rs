//! `storymill review`: queues are emptied in the browser's words, by several people, through kills; and nobody else
//! gets in.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    decisions::doubtful,
    project::{Project, top},
    view::{Shown, show},
};

/// A browser that is in: a server, its cookie, the path that pages lie below, the secret of its forms.
pub(crate) struct Desk {
    shown: Shown,
    cookie: String,
    base: String,
    session: String,
}

/// What came back.
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) body: String,
    pub(crate) location: String,
}

fn page(answer: &str) -> Page {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let header = |name: &str| {
        let line = head.lines().find(|line| line.to_lowercase().starts_with(name));
        line.map_or_else(String::new, |line| line.split_once(": ").unwrap().1.trim().to_owned())
    };
    let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
    Page { status, body: body.to_owned(), location: header("location:") }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    let start = text.find(before)? + before.len();
    text[start..].split(behind).next()
}

impl Desk {
    fn open(project: &Project, args: &[&str]) -> Self {
        Self::of(show(project, &[&["review", "my.toml"], args].concat()))
    }

    /// Lets a browser in.
    pub(crate) fn of(shown: Shown) -> Self {
        let (cookie, base) = shown.enter();
        let home = shown.asks("GET", &base, &cookie);
        let session = between(&home, "name=\"session\" value=\"", "\"").expect(&home).to_owned();
        Self { shown, cookie, base, session }
    }

    /// The same, under a name.
    pub(crate) fn as_person(project: &Project, name: &str) -> Self {
        Self::open(project, &[]).named(name)
    }

    /// The same, once it was said who decides.
    pub(crate) fn named(self, name: &str) -> Self {
        assert!(self.get("").body.contains("Who decides?"));
        assert_eq!(self.post("who", &[("person", name)]).status, 303);
        self
    }

    pub(crate) fn get(&self, path: &str) -> Page {
        let path =
            if path.starts_with('/') { path.to_owned() } else { format!("{}{path}", self.base) };
        page(&self.shown.asks("GET", &path, &self.cookie))
    }

    fn form(&self, fields: &[(&str, &str)]) -> String {
        let session = ("session", self.session.as_str());
        let pair = |(name, value): &(&str, &str)| format!("{name}={}", encoded(value));
        [session].iter().chain(fields).map(pair).collect::<Vec<_>>().join("&")
    }

    fn sent(&self, path: &str, headers: &str, body: &str) -> Page {
        let (port, base, cookie) = (self.shown.port, &self.base, &self.cookie);
        let (kind, length) = ("application/x-www-form-urlencoded", body.len());
        page(&self.shown.says(&format!(
            "POST {base}{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{cookie}Content-Type: {kind}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        )))
    }

    fn origin(&self) -> String {
        format!("Origin: http://127.0.0.1:{}\r\n", self.shown.port)
    }

    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.sent(path, &self.origin(), &self.form(fields))
    }

    /// The path of the first item that waits, as the first page links to it.
    fn waiting(&self) -> Option<String> {
        let home = self.get("").body;
        let line = home.lines().find(|line| line.contains("data-key=\"Enter\""))?;
        Some(between(line, "href=\"", "\"")?[self.base.len()..].to_owned())
    }

    /// Decides everything that waits, one after the other, as the pages lead. How often each code was met.
    fn decide_all(
        &self,
        choose: impl Fn(&str, &[String], &str) -> String,
    ) -> BTreeMap<String, usize> {
        let mut met = BTreeMap::new();
        while let Some(mut path) = self.waiting() {
            while !path.contains("/done") {
                let item = self.get(&path).body;
                let choices: Vec<String> = item
                    .split("name=\"choice\" value=\"")
                    .skip(1)
                    .map(|rest| rest.split('"').next().unwrap().to_owned())
                    .collect();
                let code = between(&item, "<span class=\"quiet\">", " · ").unwrap_or_default();
                let code = between(&item, "</span> <span class=\"quiet\">", " · ").unwrap_or(code);
                let lines: Vec<&str> = item
                    .split("taken if nobody decides")
                    .next()
                    .unwrap()
                    .split("value=\"")
                    .collect();
                let default = lines.last().unwrap().split('"').next().unwrap();
                let choice = choose(code, &choices, default);
                let sent = self.post(&path, &[("choice", &choice), ("seconds", "3")]);
                assert_eq!(sent.status, 303, "{path} {choice}: {}\n{item}", sent.body);
                assert!(self.get(&sent.location).body.contains("Saved: "), "{path}");
                *met.entry(code.to_owned()).or_default() += 1;
                path = sent.location[self.base.len()..].split('?').next().unwrap().to_owned();
            }
        }
        assert!(self.get("").body.contains("You have decided everything"));
        met
    }
}

fn lines(project: &Project) -> Vec<Value> {
    project
        .read("decisions.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn items(project: &Project, more: &[&str]) -> Vec<Value> {
    let args = [&["review", "my.toml", "--list", "--format", "json"], more].concat();
    serde_json::from_str(&project.run(&args).exits(0).out()).unwrap()
}

/// A workflow that comes with the program, with a file of decisions.
fn shipped(name: &str) -> Project {
    let project = Project::new();
    let text = std::fs::read_to_string(top().join(format!("workflows/{name}.toml"))).unwrap();
    let data = top().join("data").display().to_string();
    let text = text.replace("\"../data", &format!("\"{data}"));
    let text = text.replacen("\nseed ", "\ndecisions = [\"decisions.jsonl\"]\nseed ", 1);
    project.write("my.toml", text).write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    project
}

/// How many items are open; one that two steps put there is one.
fn open(project: &Project) -> usize {
    let all = items(project, &["--list=open"]);
    all.iter().map(|item| item["id"].as_str().unwrap()).collect::<BTreeSet<_>>().len()
}

fn emptied(name: &str) {
    let project = shipped(name);
    let asked = open(&project);
    let mut decided = 0;
    // What is decided otherwise than by default may raise new doubts.
    for _ in 0..5 {
        let open = open(&project);
        if open == 0 {
            break;
        }
        let desk = Desk::as_person(&project, "ann");
        let met = desk.decide_all(|code, choices, default| {
            let other = choices.iter().find(|choice| *choice != default).unwrap();
            // Of a rule that is dropped a model would be asked anew, and none is here.
            if code == "confusing-fact" { other.clone() } else { default.to_owned() }
        });
        let count: usize = met.values().sum();
        assert_eq!(count, open, "{met:?}");
        decided += count;
        assert_eq!(lines(&project).len(), decided);
        drop(desk);
        project.run(&["build", "my.toml"]).exits(0);
    }
    assert!(decided >= asked, "{decided} of {asked}");
    assert!(items(&project, &["--list=open"]).is_empty());
    let all = items(&project, &[]);
    let can_vote = |item: &&Value| item["review"]["choices"].as_array().unwrap().len() > 1;
    for item in all.iter().filter(can_vote) {
        assert_eq!(item["decisions"][0]["by"], "ann", "{item}");
        assert_eq!(item["decisions"][0]["seconds"], 3);
    }
    // Nothing is left to build: what was decided is what the build took.
    project.run(&["plan", "my.toml"]).exits(0).says("nothing to build");
    println!("{name}: {decided} decided over {asked} items at first");
}

#[test]
fn the_queues_of_the_stories_are_emptied_and_used() {
    emptied("stories");
}

#[test]
fn the_queues_of_the_lv_eval_sample_are_emptied_and_used() {
    emptied("lveval");
}

/// A book with a doubt about its preface, and a rule of two people and an adjudicator.
fn doubt(rule: &str) -> Project {
    let project = Project::new();
    project.write("books/mill.html", doubtful("mill")).book("other", 3);
    project.workflow(&[
        ("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n"),
        ("[publish]", &format!("{rule}\n[publish]")),
    ]);
    project.write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    project
}

fn preface(project: &Project) -> String {
    let all = items(project, &[]);
    let item = all.iter().find(|item| item["review"]["code"] == "preface").unwrap();
    item["id"].as_str().unwrap().to_owned()
}

#[test]
fn two_people_and_an_adjudicator() {
    let project = doubt("[review]\nrule = \"adjudicator\"\nvoters = 2\nadjudicators = [\"eve\"]\n");
    let path = format!("q/cuts/{}", preface(&project));
    let desks = ["ann", "bob", "eve"].map(|name| Desk::as_person(&project, name));
    let vote = |at: usize, choice: &str| {
        let sent = desks[at].post(&path, &[("choice", choice), ("note", &format!("note {at}"))]);
        assert_eq!(sent.status, 303, "{}", sent.body);
    };
    vote(0, "cut");
    assert!(!desks[1].get(&path).body.contains("note 0"));
    vote(1, "keep");
    assert!(desks[1].get(&path).body.contains("note 0"));
    let disputes = desks[2].get("disputes").body;
    assert!(disputes.contains("ann: cut, bob: keep"), "{disputes}");
    let dispute = format!("disputes/{}", preface(&project));
    assert_eq!(desks[0].get(&dispute).status, 422);
    let settled = desks[2].post(&dispute, &[("choice", "cut")]);
    assert_eq!(settled.status, 303, "{}", settled.body);
    assert!(desks[2].get(&settled.location).body.contains("Nothing to settle"));
    assert!(desks[1].get(&path).body.contains("Decided: cut"));
    drop(desks);
    project.run(&["build", "my.toml"]).exits(0);
    let all = items(&project, &["--list=disputed"]);
    assert!(all.is_empty(), "{all:?}");
    assert_eq!(lines(&project).len(), 3);
}

#[test]
fn an_undone_decision_does_not_count() {
    let project = doubt("");
    let path = format!("q/cuts/{}", preface(&project));
    let desk = Desk::as_person(&project, "ann");
    desk.post(&path, &[("choice", "cut")]);
    let undone = desk.post("undo", &[]);
    assert!(
        undone.location.starts_with(&format!("{}{path}?undone=", desk.base)),
        "{}",
        undone.location
    );
    assert!(desk.get(&undone.location).body.contains("open again for you"));
    let open = items(&project, &["--list=open"]);
    assert!(open.iter().any(|item| item["review"]["code"] == "preface"));
    assert_eq!(lines(&project).len(), 2);
    let nothing = desk.post("undo", &[]);
    assert!(nothing.status == 422 && nothing.body.contains("nothing that could be undone"));
}

#[test]
fn what_is_saved_outlives_a_kill_and_another_server() {
    let project = doubt("");
    let path = format!("q/cuts/{}", preface(&project));
    let (mut one, other) = (Desk::as_person(&project, "ann"), Desk::as_person(&project, "bob"));
    let saved = one.post(&path, &[("choice", "cut")]);
    let told = one.get(&saved.location).body;
    assert!(told.contains("Saved: cut (mill)"), "{told}");
    one.shown.kill();
    assert_eq!(lines(&project)[0]["choice"], "cut");
    // The other server has not been told, and looks at the file.
    let seen = other.get("q/cuts").body;
    assert!(seen.contains("1 decided") && seen.contains("decided by others"), "{seen}");
    let again = Desk::as_person(&project, "ann");
    assert!(again.get("q/cuts").body.contains("yours: cut"));
    other.post(&path, &[("choice", "cut")]);
    again.post("undo", &[]);
    assert_eq!(lines(&project).len(), 3);
    assert!(other.get(&path).body.contains("Decided: cut"));
}

#[test]
fn nobody_else_decides_anything() {
    let project = doubt("");
    let path = format!("q/cuts/{}", preface(&project));
    let desk = Desk::as_person(&project, "ann");
    let port = desk.shown.port;
    let form = desk.form(&[("choice", "cut")]);
    let refused = |headers: &str, body: &str, status: u16| {
        let page = desk.sent(&path, headers, body);
        assert_eq!(page.status, status, "{headers}: {}", page.body);
    };
    refused("", &form, 403);
    refused("Origin: null\r\n", &form, 403);
    refused("Origin: http://evil.example\r\n", &form, 403);
    refused(&format!("Origin: https://127.0.0.1:{port}\r\n"), &form, 403);
    refused(&desk.origin(), "choice=cut", 403);
    refused(&desk.origin(), "choice=cut&session=00", 403);
    let raw = |head: &str, body: &str| {
        page(&desk.shown.says(&format!(
            "POST {}{path} HTTP/1.1\r\nConnection: close\r\n{head}\r\n{body}",
            desk.base
        )))
    };
    let (origin, cookie) = (desk.origin(), &desk.cookie);
    let kind = "Content-Type: application/x-www-form-urlencoded\r\n";
    let length = format!("Content-Length: {}\r\n", form.len());
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    // No cookie; a name that was bent to this machine; not a form; 100 MB, of which nothing is waited for.
    assert_eq!(raw(&format!("{own}{origin}{kind}{length}"), &form).status, 403);
    assert_eq!(
        raw(&format!("Host: evil.example\r\n{origin}{cookie}{kind}{length}"), &form).status,
        421
    );
    let json = "Content-Type: application/json\r\n";
    assert_eq!(raw(&format!("{own}{origin}{cookie}{json}{length}"), &form).status, 415);
    let start = Instant::now();
    let large = "Content-Length: 100000000\r\n";
    assert_eq!(raw(&format!("{own}{origin}{cookie}{kind}{large}"), "choice=cut").status, 413);
    assert!(start.elapsed() < Duration::from_secs(5));
    for (method, status) in [("PUT", 405), ("DELETE", 405), ("OPTIONS", 405)] {
        let answer = desk.shown.asks(method, &format!("{}{path}", desk.base), cookie);
        assert_eq!(page(&answer).status, status);
    }
    for path in ["../../etc/passwd", "q/..%2f..%2fetc/passwd", "%2e%2e/x", "q/cuts/../../x"] {
        assert_eq!(desk.get(path).status, 404, "{path}");
    }
    assert!(lines(&project).is_empty());
    let body = desk.get("").body;
    assert!(
        !body.contains("http://") && body.contains("2 items") || body.contains("1 item"),
        "{body}"
    );
}

#[test]
fn a_slow_client_holds_up_nobody_and_is_cut_off() {
    let project = doubt("");
    let desk = Desk::as_person(&project, "ann");
    let head = format!(
        "POST {}undo HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}{}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\nsess",
        desk.base,
        desk.shown.port,
        desk.origin(),
        desk.cookie
    );
    let mut slow = TcpStream::connect(("127.0.0.1", desk.shown.port)).unwrap();
    slow.write_all(head.as_bytes()).unwrap();
    assert_eq!(desk.get("").status, 200);
    slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut answer = Vec::new();
    let _closed = slow.read_to_end(&mut answer);
    assert!(String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 408"), "{answer:?}");
}

#[test]
fn what_a_book_says_is_never_code() {
    let project = Project::new();
    let hostile = "&lt;script&gt;alert(1)&lt;/script&gt;\u{202e}evil";
    let page = doubtful("mill")
        .replace("How the mill was built", &format!("{hostile} built"))
        .replace("Here is how", &format!("{hostile} is how"));
    project.write("books/mill.html", page).book("other", 3);
    project.workflow(&[("seed = 7\n", "seed = 7\ndecisions = [\"decisions.jsonl\"]\n")]);
    project.write("decisions.jsonl", "").run(&["build", "my.toml"]).exits(0);
    let desk = Desk::as_person(&project, "<script>alert(2)</script>");
    let item = desk.get(&format!("q/cuts/{}", preface(&project))).body;
    assert!(item.contains("&lt;script&gt;alert(1)") && !item.contains("<script>alert"), "{item}");
    assert!(item.contains("⟦202E⟧") && !item.contains('\u{202e}'), "{item}");
}

#[test]
fn a_workflow_that_names_no_file_of_decisions_has_one_beside_it() {
    let project = Project::new();
    project
        .write("books/mill.html", doubtful("mill"))
        .workflow(&[])
        .run(&["build", "my.toml"])
        .exits(0);
    let item = preface(&project);
    project.run(&["review", "my.toml", "--decide", &format!("{item}=cut"), "--by", "ann"]).exits(0);
    assert_eq!(project.read("decisions.jsonl").lines().count(), 1);
    // Whoever reviews sees it, and the next build takes it.
    let desk = Desk::as_person(&project, "ann");
    assert!(desk.get("q/cuts").body.contains("decided"));
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["review", "my.toml", "--list"]).exits(0).says("decided by ann: cut");
}

/// What somebody changes in a cast is in the line as it was meant, and in the names that the next build writes.
#[test]
fn a_cast_that_is_changed_on_its_page_is_the_one_that_is_built() {
    let project = Project::new();
    let text = std::fs::read_to_string(top().join("tests/browser/names.toml")).unwrap();
    let data = top().join("data").display().to_string();
    let text = text.replace("../../data", &data);
    let text = text.replacen("\nseed ", "\ndecisions = [\"decisions.jsonl\"]\nseed ", 1);
    let text = text.replacen("[stage.scenes", "ids = [\"sm05\"]\n\n[stage.scenes", 1);
    project.write("my.toml", text).write("decisions.jsonl", "");
    project.run(&["build", "my.toml"]).exits(0);
    let all = items(&project, &[]);
    let item =
        all.iter().find(|item| item["review"]["code"] == "cast").expect("a cast is doubtful");
    let people = item["review"]["form"]["names"]["people"].as_array().unwrap();
    let at = people.iter().position(|one| one["names"].as_array().unwrap().len() == 1).unwrap();
    let (who, name) = (&people[at]["name"], people[at]["names"][0].as_str().unwrap());
    let path = format!("q/casts/{}", item["id"].as_str().unwrap());
    let desk = Desk::as_person(&project, "ann");
    // As a browser sends it: everybody's gender, and blank fields.
    let mut fields = vec![("choice".to_owned(), "changed".to_owned())];
    for (number, one) in people.iter().enumerate() {
        fields.push((format!("gender.{number}"), one["gender"].as_str().unwrap().to_owned()));
        fields.push((format!("into.{number}"), String::new()));
    }
    fields.push((format!("by.{at}.0"), "Zebedee".to_owned()));
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let sent = desk.post(&path, &fields);
    assert_eq!(sent.status, 303, "{}", sent.body);
    let said = &lines(&project)[0]["said"]["names"];
    let wanted = serde_json::json!([{ "substitute": { "name": name, "by": "Zebedee" } }]);
    assert_eq!(*said, wanted, "{who}");
    assert!(desk.get(&path).body.contains("value=\"Zebedee\""));
    drop(desk);
    let books = || {
        let args =
            ["inspect", "out/names", "--config", "renamed-books-text", "--rows", "9", "--full"];
        project.run(&args).exits(0).out()
    };
    assert!(!books().contains("Zebedee"));
    project.run(&["build", "my.toml"]).exits(0);
    let books = books();
    assert!(books.contains("Zebedee") && !books.contains(&format!(" {name} ")), "{name}");
}
