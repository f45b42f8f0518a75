//! A mirror on this machine, which can fail in every way that mirrors do; and a clock that tells how
//! long was waited.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use storymill_mirror::{Clock, Event, Events, Lookup};

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    headers: Vec<(String, String)>,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// The connection breaks after so many bytes of the body.
    pub cut: Option<usize>,
    /// A pause before each tenth of the body.
    pub drip: Duration,
}

impl Reply {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            cut: None,
            drip: Duration::ZERO,
        }
    }

    pub fn status(status: u16) -> Self {
        Self { status, ..Self::ok("no page here") }
    }

    pub fn to(address: &str) -> Self {
        Self::status(302).with("location", address)
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub fn cut(mut self, at: usize) -> Self {
        self.cut = Some(at);
        self
    }

    pub fn drip(mut self, pause: u64) -> Self {
        self.drip = Duration::from_millis(pause);
        self
    }
}

type Answer = dyn Fn(&Asked, usize) -> Reply + Send + Sync;

/// The mirror. It is told what is asked and how often the same was asked before.
pub struct Server {
    pub port: u16,
    log: Arc<Mutex<Vec<Asked>>>,
    busy: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    done: Arc<AtomicBool>,
}

impl Server {
    pub fn new(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            log: Arc::default(),
            busy: Arc::default(),
            most: Arc::default(),
            done: Arc::default(),
        };
        let answer: Arc<Answer> = Arc::new(answer);
        let (log, busy, most, done) =
            (server.log.clone(), server.busy.clone(), server.most.clone(), server.done.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                if done.load(Ordering::SeqCst) {
                    return;
                }
                let (answer, log, busy, most) =
                    (answer.clone(), log.clone(), busy.clone(), most.clone());
                thread::spawn(move || talk(stream.unwrap(), &*answer, &log, &busy, &most));
            }
        });
        server
    }

    /// A mirror with these files, and robots.txt that allows all.
    pub fn with(files: Vec<(String, Vec<u8>)>) -> Self {
        Self::new(move |asked, _| {
            let file = files.iter().find(|(path, _)| *path == asked.path);
            file.map_or_else(|| Reply::status(404), |(_, bytes)| Reply::ok(bytes.clone()))
        })
    }

    pub fn base(&self) -> String {
        format!("http://mirror.test:{}/", self.port)
    }

    /// The paths that were asked for, in order.
    pub fn paths(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|asked| asked.path.clone()).collect()
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.log.lock().unwrap().clone()
    }

    pub fn forget(&self) {
        self.log.lock().unwrap().clear();
    }

    /// The most requests that were open at one time.
    pub fn at_once(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn talk(
    stream: TcpStream,
    answer: &Answer,
    log: &Mutex<Vec<Asked>>,
    busy: &AtomicUsize,
    most: &AtomicUsize,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let Some((key, value)) = line.trim_end().split_once(':') else { break };
            headers.push((key.to_lowercase(), value.trim().to_owned()));
        }
        most.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let asked = Asked { path, headers };
        let before = {
            let mut log = log.lock().unwrap();
            log.push(asked.clone());
            log.iter().filter(|other| other.path == asked.path).count() - 1
        };
        let reply = answer(&asked, before);
        let whole = send(&mut stream, &reply);
        busy.fetch_sub(1, Ordering::SeqCst);
        if !whole {
            return;
        }
    }
}

/// Whether all was sent.
fn send(stream: &mut TcpStream, reply: &Reply) -> bool {
    let mut head = format!("HTTP/1.1 {} x\r\n", reply.status);
    // Whoever closes the connection behind its answer need not say how long that is.
    let closes = reply.headers.iter().any(|(name, _)| *name == "connection");
    if !closes {
        head += &format!("content-length: {}\r\n", reply.body.len());
    }
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    if stream.write_all(head.as_bytes()).is_err() {
        return false;
    }
    let end = reply.cut.unwrap_or(reply.body.len()).min(reply.body.len());
    for piece in reply.body[..end].chunks((end / 10).max(1)) {
        thread::sleep(reply.drip);
        if stream.write_all(piece).and_then(|()| stream.flush()).is_err() {
            return false;
        }
    }
    reply.cut.is_none() && !closes
}

/// A world in which time passes only when somebody sleeps.
#[derive(Default)]
pub struct World {
    pub now: Mutex<Duration>,
    /// When each request went out.
    pub asked: Mutex<Vec<(Duration, String)>>,
    /// How long was waited, and why.
    pub waits: Mutex<Vec<(u64, String)>>,
    /// Names that were looked up.
    pub names: Arc<Mutex<Vec<String>>>,
    /// In the first pause after so many requests the user wants to stop.
    pub stop_after: Option<usize>,
    stop: AtomicBool,
}

impl World {
    /// `mirror.test` and its friends are this machine; nothing else is anywhere.
    pub fn lookup(&self) -> Lookup {
        let names = self.names.clone();
        Arc::new(move |name| {
            names.lock().unwrap().push(name.to_owned());
            if name.ends_with(".test") {
                Ok(vec![SocketAddr::from(([127, 0, 0, 1], 0))])
            } else {
                Err(std::io::Error::other("no such name"))
            }
        })
    }

    /// The least time between two requests to one host.
    pub fn least_gap(&self) -> Duration {
        let asked = self.asked.lock().unwrap();
        asked.windows(2).map(|two| two[1].0 - two[0].0).min().unwrap_or(Duration::MAX)
    }
}

impl Clock for World {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn unix(&self) -> u64 {
        1_800_000_000 + self.now().as_secs()
    }

    fn sleep(&self, time: Duration) {
        let asked = self.asked.lock().unwrap().len();
        self.stop.store(self.stop_after.is_some_and(|most| asked >= most), Ordering::SeqCst);
        *self.now.lock().unwrap() += time;
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

impl Events for World {
    fn emit(&self, event: Event<'_>) {
        match event {
            Event::Asking { url } => self.asked.lock().unwrap().push((self.now(), url.to_owned())),
            Event::Waiting { time, why, .. } => {
                self.waits.lock().unwrap().push((time.as_secs(), why.to_owned()));
            }
            _ => {}
        }
    }
}
