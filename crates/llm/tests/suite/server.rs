//! A server that misbehaves on request: raw sockets, so that it can send what no library would.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// What the server does with one request.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Sends a status, headers and a body.
    Send(u16, Vec<(&'static str, String)>, String),
    /// Sends a body that need not be text.
    Bytes(&'static [u8]),
    /// Waits, then goes on with the next act.
    Wait(Duration, Box<Act>),
    /// Closes the connection without a word.
    Drop,
    /// Announces more than it sends.
    Truncate,
    /// Sends a body of so many bytes.
    Huge(usize),
    /// Sends an answer that never ends, until the client goes away.
    Endless,
    /// Sends a byte now and then, so many of them, then nothing more.
    Drip(usize, Duration),
}

/// A request as it was received.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

type Script = dyn Fn(usize, &Heard) -> Act + Send + Sync;

/// A running server.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) heard: Arc<Mutex<Vec<Heard>>>,
    pub(crate) most_in_flight: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    address: std::net::SocketAddr,
}

/// An answer as servers send it.
pub(crate) fn answer(text: &str) -> Act {
    let body = json!({
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "content": text } }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 },
    });
    ok(&body.to_string())
}

pub(crate) fn ok(body: &str) -> Act {
    Act::Send(200, Vec::new(), body.to_owned())
}

pub(crate) fn error(status: u16, headers: &[(&'static str, &str)], body: &str) -> Act {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Act::Send(status, headers, body.to_owned())
}

impl Server {
    /// Starts a server that asks the script what to do with each request, counted from 0.
    pub(crate) fn start(script: impl Fn(usize, &Heard) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (stop, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let server = Self {
            url: format!("http://{address}/v1"),
            heard: Arc::clone(&heard),
            most_in_flight: Arc::clone(&most),
            stop: Arc::clone(&stop),
            address,
        };
        let script: Arc<Script> = Arc::new(script);
        let flying = Arc::new(AtomicUsize::new(0));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let (script, heard) = (Arc::clone(&script), Arc::clone(&heard));
                let (flying, most) = (Arc::clone(&flying), Arc::clone(&most));
                thread::spawn(move || serve(stream, &script, &heard, &flying, &most));
            }
        });
        server
    }

    /// How many requests have come.
    pub(crate) fn count(&self) -> usize {
        self.heard.lock().unwrap().len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(
    stream: TcpStream,
    script: &Arc<Script>,
    heard: &Mutex<Vec<Heard>>,
    flying: &AtomicUsize,
    most: &AtomicUsize,
) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(request) = receive(&mut reader) {
        let number = {
            let mut heard = heard.lock().unwrap();
            heard.push(request.clone());
            heard.len() - 1
        };
        most.fetch_max(flying.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let goes_on = act(&mut stream, script(number, &request), flying);
        if !goes_on {
            break;
        }
    }
}

fn receive(reader: &mut impl BufRead) -> Option<Heard> {
    let mut headers = BTreeMap::new();
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Heard { path, headers, body: serde_json::from_slice(&body).unwrap_or(Value::Null) })
}

/// Does it; whether the connection can go on.
fn act(stream: &mut TcpStream, act: Act, flying: &AtomicUsize) -> bool {
    if let Act::Wait(wait, then) = act {
        thread::sleep(wait);
        return self::act(stream, *then, flying);
    }
    flying.fetch_sub(1, Ordering::SeqCst);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    let start = "{\"choices\":[{\"message\":{\"content\":\"";
    match act {
        Act::Wait(..) => unreachable!("done above"),
        Act::Send(status, headers, body) => {
            let mut text =
                format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n", body.len());
            for (name, value) in headers {
                text.push_str(&[name, ": ", &value, "\r\n"].concat());
            }
            text += "\r\n";
            text += &body;
            stream.write_all(text.as_bytes()).is_ok()
        }
        Act::Bytes(body) => {
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n", body.len());
            stream.write_all(body).is_ok()
        }
        Act::Drop => false,
        Act::Truncate => {
            let _ = write!(stream, "{head}Content-Length: 1000\r\n\r\n{start}");
            false
        }
        Act::Huge(size) => {
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{start}", size + start.len());
            flood(stream, size)
        }
        Act::Endless => {
            let _ = write!(stream, "{head}\r\n{start}");
            flood(stream, usize::MAX);
            false
        }
        Act::Drip(count, pause) => {
            let _ = write!(stream, "{head}Content-Length: 100000\r\n\r\n{start}");
            for _ in 0..count {
                thread::sleep(pause);
                if stream.write_all(b"x").is_err() {
                    break;
                }
            }
            thread::sleep(Duration::from_secs(3));
            false
        }
    }
}

fn flood(stream: &mut TcpStream, mut size: usize) -> bool {
    let chunk = vec![b'x'; 65536];
    while size > 0 {
        let part = size.min(chunk.len());
        if stream.write_all(&chunk[..part]).is_err() {
            return false;
        }
        size -= part;
    }
    true
}
