//! Whole runs against a model server of our own on loopback: asked, logged, killed, resumed,
//! frozen, packed, imported.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::project::{Project, full};

const KEY: &str = "sk-planted-7f3a9c51d2";

/// A chat server that tells the same story whatever it is asked, and counts what it sees.
pub struct Server {
    pub port: u16,
    seen: Arc<Mutex<BTreeMap<String, u32>>>,
    fails: Arc<AtomicU64>,
    waits: Duration,
    /// Whether it refuses everything and repeats what it was sent.
    echoes: bool,
    /// Added to the hours of every story.
    pub later: AtomicU64,
    /// Says what is answered to the texts of a request, in place of the story; counted from 0.
    script: Option<Box<Script>>,
}

type Script = dyn Fn(u32, &str) -> String + Send + Sync;

impl Server {
    /// `fails`: how many requests get an error first. `waits`: how long each answer takes.
    pub fn start(fails: u64, waits: Duration) -> Arc<Self> {
        Self::serving(fails, waits, false, None)
    }

    /// A server that refuses everything, and says what it was sent.
    #[cfg(feature = "private")]
    pub fn echoing() -> Arc<Self> {
        Self::serving(0, Duration::ZERO, true, None)
    }

    /// A server that answers by script.
    pub fn scripted(
        waits: Duration,
        script: impl Fn(u32, &str) -> String + Send + Sync + 'static,
    ) -> Arc<Self> {
        Self::serving(0, waits, false, Some(Box::new(script)))
    }

    /// How many requests it has answered.
    pub fn asked(&self) -> u32 {
        self.requests()
    }

    fn serving(
        fails: u64,
        waits: Duration,
        echoes: bool,
        script: Option<Box<Script>>,
    ) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Arc::new(Self {
            port: listener.local_addr().unwrap().port(),
            seen: Arc::default(),
            fails: Arc::new(AtomicU64::new(fails)),
            waits,
            echoes,
            later: AtomicU64::new(0),
            script,
        });
        let answering = Arc::clone(&server);
        answer_on(listener, move |_, body| {
            std::thread::sleep(answering.waits);
            answering.answer(body)
        });
        server
    }

    fn answer(&self, body: &str) -> (&'static str, String) {
        if self
            .fails
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |fails| fails.checked_sub(1))
            .is_ok()
        {
            return (
                "503 Service Unavailable",
                r#"{"error":{"message":"Loading model","code":503}}"#.to_owned(),
            );
        }
        if self.echoes {
            let error = serde_json::json!({ "error": { "message": format!("cannot take {body}"), "code": 400 } });
            return ("400 Bad Request", error.to_string());
        }
        let count = {
            let mut seen = self.seen.lock().unwrap();
            *seen.entry(body.to_owned()).or_default() += 1;
            seen.values().sum::<u32>() - 1
        };
        if let Some(script) = &self.script {
            let body: serde_json::Value = serde_json::from_str(body).unwrap();
            let messages = body["messages"].as_array().unwrap().iter();
            let texts: Vec<_> =
                messages.map(|message| message["content"].as_str().unwrap()).collect();
            return ("200 OK", said(&script(count, &texts.join("\n"))).to_string());
        }
        if body.contains("<claim>") {
            return ("200 OK", judged(body).to_string());
        }
        ("200 OK", told(body, self.later.load(Ordering::SeqCst)).to_string())
    }

    /// Whether no request came twice.
    pub fn once(&self) -> bool {
        self.seen.lock().unwrap().values().all(|times| *times == 1)
    }

    /// How many requests came again.
    pub fn again(&self) -> u32 {
        self.seen.lock().unwrap().values().map(|times| times - 1).sum()
    }

    pub fn requests(&self) -> u32 {
        self.seen.lock().unwrap().values().sum()
    }
}

/// Answers on a port, which it returns: status and body of a response, of head and body of a request.
pub fn listen(
    answer: impl Fn(&str, &str) -> (&'static str, String) + Send + Sync + 'static,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    answer_on(listener, answer);
    port
}

fn answer_on(
    listener: TcpListener,
    answer: impl Fn(&str, &str) -> (&'static str, String) + Send + Sync + 'static,
) {
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || serve(stream, &*answer));
        }
    });
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&str, &str) -> (&'static str, String)) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let (mut length, mut head) = (0, String::new());
        while !head.ends_with("\r\n\r\n") {
            let start = head.len();
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = head[start..].to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let (status, answer) = answer(&head, &String::from_utf8(body).unwrap());
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        if stream.write_all((head + &answer).as_bytes()).is_err() {
            return;
        }
    }
}

/// The answer to a request, which hangs on nothing but its body.
pub fn told(body: &str, later: u64) -> serde_json::Value {
    let mark = u64::from(blake3::hash(body.as_bytes()).as_bytes()[0] % 40 + 2) + later;
    let told = format!(
        "### BEGIN ANSWER ###\nOn a quiet morning the people of the place meet and speak of what is missing. One of them hides \
         something that belongs to another, a visitor pays for it without asking, and by the end of that day, after {mark} hours of \
         waiting, everybody has gone home and nothing more is said about the matter."
    );
    said(&told)
}

fn said(text: &str) -> serde_json::Value {
    serde_json::json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 60 }
    })
}

/// The answer to a claim: a verdict that hangs on the request, with words of the book in its reasons.
fn judged(body: &str) -> serde_json::Value {
    let verdict = if blake3::hash(body.as_bytes()).as_bytes()[0].is_multiple_of(2) {
        "TRUE"
    } else {
        "FALSE"
    };
    let words: Vec<&str> = body.split_whitespace().skip(60).take(12).collect();
    said(&format!(
        "<explanation>It says \"{}\".</explanation><answer>{verdict}</answer>",
        words.join(" ")
    ))
}

pub fn project(server: &Server, books: usize) -> Project {
    let project = Project::new();
    for book in 0..books {
        project.book(&format!("b{book}"), 4);
    }
    let model = format!(
        "[model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\napi_key_env = \"TELLER_KEY\"\nconcurrency = 4\n\n[source.books.folder]",
        server.port
    );
    let text = format!(
        "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\ncanary = \"storymill-canary-0123456789\"\nexpected_rejects = 999\n\n\
         {model}\npath = \"books\"\n\n[stage.scenes.chunk]\nfrom = \"books\"\nmax = 600\n\n\
         [stage.summaries.summarize]\nfrom = \"scenes\"\ntries = 2\nneighbours = 100\n\n[dataset.summaries]\nfrom = \"summaries\"\n"
    );
    project.write("my.toml", text);
    project
}

pub fn build(project: &Project, args: &[&str]) -> (i32, String) {
    let all: Vec<&str> = ["build", "my.toml"].into_iter().chain(args.iter().copied()).collect();
    // Nobody listens there, and nobody is to be asked the way to this machine.
    let proxy = [("HTTP_PROXY", "http://127.0.0.1:9"), ("http_proxy", "http://127.0.0.1:9")];
    let output = project.command(&all).env("TELLER_KEY", KEY).envs(proxy).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), text)
}

#[test]
fn a_model_is_asked_once_and_never_again() {
    let server = Server::start(2, Duration::ZERO);
    let project = project(&server, 2);
    let cost =
        project.command(&["plan", "my.toml", "--cost"]).env("TELLER_KEY", KEY).output().unwrap();
    assert!(String::from_utf8_lossy(&cost.stdout).contains("asks `default` next:"), "{cost:?}");
    assert_eq!(server.requests(), 0, "a plan asks nothing");

    let (code, text) = build(&project, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("stage asked"), "the ledger is shown: {text}");
    let (requests, manifest) = (server.requests(), project.manifest("out/mine"));
    assert!(requests >= 10, "{requests}");
    assert!(
        server.seen.lock().unwrap().values().all(|times| *times == 1),
        "no request is sent twice"
    );

    // A store that is lost is made again from the log.
    fs::rename(project.path(".storymill/answers"), project.path("answers")).unwrap();
    fs::remove_dir_all(project.path(".storymill")).unwrap();
    let (code, text) = build(&project, &["--frozen", "--answers", "answers"]);
    assert_eq!((code, server.requests()), (0, requests), "{text}");
    assert_eq!(project.manifest("out/mine"), manifest);
}

#[test]
fn a_key_is_not_sent_unencrypted_to_another_machine() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let workflow = project.read("my.toml");
    // Nobody answers at an address for documents; the refusal comes before anybody is asked for.
    let elsewhere = workflow.replace("http://127.0.0.1:", "http://192.0.2.7:");
    project.write("my.toml", &elsewhere);
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("`allow_http = true`") && text.contains("TELLER_KEY"), "{text}");
    assert!(!text.contains(KEY), "{text}");
    // Where it is allowed, the proxy is asked, at which nobody listens.
    let table = "concurrency = 4\nallow_http = true\nretries = 0";
    project.write("my.toml", elsewhere.replace("concurrency = 4", table));
    let (code, text) = build(&project, &[]);
    assert!(code != 4 && text.contains("cannot connect"), "{code}: {text}");
    assert_eq!(server.requests(), 0);
}

#[test]
fn limits_and_frozen_runs_stop_and_keep_what_is_paid() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let (code, text) = build(&project, &["--frozen"]);
    assert_eq!(code, 6, "{text}");
    assert!(text.contains("the run is frozen, and") && text.contains("tokens in"), "{text}");
    assert!(!text.contains("asking:"), "nobody is asked: {text}");
    let (code, text) = build(&project, &["--max-requests", "3"]);
    assert_eq!((code, server.requests()), (8, 3), "{text}");
    let (code, text) = build(&project, &["--max-usd", "1"]);
    assert_eq!(code, 4, "a model without a price cannot be limited: {text}");
    project.write("prices.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\n");
    let (code, text) = build(&project, &["--prices", "prices.toml", "--max-usd", "5"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        server.seen.lock().unwrap().values().all(|times| *times == 1),
        "the three that were paid are not asked again"
    );
    project.run(&["build", "my.toml", "--max-usd", "-1"]).exits(2);
}

#[test]
fn a_killed_build_asks_again_at_most_what_was_in_flight() {
    let server = Server::start(0, Duration::from_millis(15));
    let project = project(&server, 6);
    let kills = if full() { 20 } else { 6 };
    for kill in 0..kills {
        let mut child = project
            .command(&["build", "my.toml"])
            .env("TELLER_KEY", KEY)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + 7 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 0, "{text}");
    let again: u32 = server.seen.lock().unwrap().values().map(|times| times - 1).sum();
    assert!(u64::from(again) <= 4 * kills, "{again} requests were sent again");
}

#[test]
fn answers_are_counted_packed_and_taken_elsewhere() {
    let server = Server::start(0, Duration::ZERO);
    let there = project(&server, 1);
    there.run(&["answers", "pack", "my.toml", "--to", "pack"]).exits(4).says("not built");
    let (code, text) = build(&there, &[]);
    assert_eq!(code, 0, "{text}");
    there.run(&["answers", "stats"]).exits(0).says("summarize");
    there.run(&["answers", "verify"]).exits(0).says("checked ");
    there
        .run(&["answers", "pack", "my.toml", "--to", "pack", "--lock", "out/mine/dataset.lock"])
        .exits(0)
        .says("key and answer");
    there.run(&["answers", "gc", "my.toml"]).exits(0).says("0 would be removed");

    let here = project(&server, 1);
    here.write("my.toml", there.read("my.toml"));
    let requests = server.requests();
    here.run(&["answers", "import", there.path("pack").to_str().unwrap(), "--origin", "a friend"])
        .exits(0)
        .says("answers added");
    let (code, text) = build(&here, &["--frozen"]);
    assert_eq!((code, server.requests()), (0, requests), "{text}");
    assert_eq!(here.manifest("out/mine"), there.manifest("out/mine"));

    // Another temperature is another request: what differs is shown.
    let changed =
        there.read("my.toml").replace("concurrency = 4", "concurrency = 4\ntemperature = 0.5");
    here.write("my.toml", changed);
    here.run(&["plan", "my.toml"]).exits(0).says("what model `default` is sent changed");
    let explained = here.run(&["answers", "explain", "my.toml", "b0/0000"]).exits(0);
    explained.says("summarize asks for b0/0000");
}

#[test]
fn what_an_endpoint_refuses_is_said_once_and_stands_in_lock_and_card_wherever_answers_come_from() {
    let port = listen(|_, body| {
        if body.contains("\"temperature\"") {
            let error =
                r#"{"error":{"message":"Unsupported value: 'temperature'","param":"temperature"}}"#;
            return ("400 Bad Request", error.to_owned());
        }
        ("200 OK", told(body, 0).to_string())
    });
    let server = Server::start(0, Duration::ZERO);
    let there = project(&server, 2);
    there.write(
        "my.toml",
        there.read("my.toml").replace(&server.port.to_string(), &port.to_string()),
    );
    let (code, text) = build(&there, &[]);
    assert_eq!((code, text.matches("without `temperature`").count()), (0, 1), "{text}");
    let lock: serde_json::Value =
        serde_json::from_str(&there.read("out/mine/dataset.lock")).unwrap();
    let changes = &lock["steps"]["summaries"]["models"]["default"]["changes"];
    assert_eq!(*changes, serde_json::json!({ "temperature": null }));
    assert!(there.read("out/mine/README.md").contains("refused `temperature`"));
    there.run(&["answers", "pack", "my.toml", "--to", "pack"]).exits(0);
    let here = project(&server, 2);
    here.write("my.toml", there.read("my.toml"));
    here.run(&["answers", "import", there.path("pack").to_str().unwrap(), "--origin", "a friend"]);
    let (code, text) = build(&here, &["--frozen"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(here.manifest("out/mine"), there.manifest("out/mine"));
}

#[test]
fn a_planted_key_stands_nowhere() {
    let server = Server::start(1, Duration::ZERO);
    let project = project(&server, 1);
    let (_, events) = build(&project, &["--message-format", "json"]);
    let (_, text) = build(&project, &[]);
    assert!(!events.contains(KEY) && !text.contains(KEY));
    let mut folders = vec![project.path("")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                assert!(
                    !bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()),
                    "{}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn doctor_says_what_an_endpoint_can_do() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let output = project.command(&["doctor", "my.toml"]).env("TELLER_KEY", KEY).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("answers"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    project.run(&["doctor", "my.toml", "--model", "other"]).exits(2).says("known here: `default`");
    // A key that is missing keeps no other model from being tried; one that is named is alone.
    let models = format!(
        "[model.a]\nurl = \"http://127.0.0.1:{0}/v1\"\nmodel = \"m\"\napi_key_env = \"NO_SUCH_KEY\"\n\
         [model.b]\nurl = \"http://127.0.0.1:{0}/v1\"\nmodel = \"m\"\n",
        server.port
    );
    project.write("models.toml", &models);
    project
        .run(&["doctor", "models.toml"])
        .exits(8)
        .says("`NO_SUCH_KEY` holds no key")
        .says("it answered");
    project.write("models.toml", models.replacen("http:", "ftp:", 1));
    project.run(&["doctor", "models.toml", "--model", "b"]).exits(0).says("it answered");
    // Nobody listens there.
    let gone = project.read("my.toml").replace(&server.port.to_string(), "9");
    project.write("my.toml", gone);
    let output = project.command(&["doctor", "my.toml"]).env("TELLER_KEY", KEY).output().unwrap();
    assert_eq!(output.status.code(), Some(8), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_word_of_a_model_that_reaches_the_request_is_part_of_the_key() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    let json = project.read("my.toml").replace("tries = 2", "tries = 2\nprotocol = \"json\"");
    project.write("my.toml", &json);
    build(&project, &[]);
    for change in [
        "response_format = \"none\"",
        "temperature = 0.3",
        "top_p = 0.5",
        "max_tokens = 9",
        "seed = 3",
        "omit = [\"seed\"]",
        "model_id = \"x\"",
        "extra = { a = 1 }",
    ] {
        project.write(
            "my.toml",
            json.replace("concurrency = 4", &format!("concurrency = 4\n{change}")),
        );
        project.run(&["plan", "my.toml"]).exits(0).says("what model `default` is sent changed");
    }
    for change in ["retries = 3", "idle_seconds = 9"] {
        project.write(
            "my.toml",
            json.replace("concurrency = 4", &format!("concurrency = 4\n{change}")),
        );
        project.run(&["plan", "my.toml"]).exits(0).says("nothing to build");
    }
}
