//! A proxy before a server, which fails when it is told to. One request to a connection.

use std::{
    io::{self, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

/// What goes wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Half of the body arrives, and the connection ends.
    CutUpload,
    /// The server does it, and its answer is lost.
    LoseAnswer,
    /// The answer comes late.
    Slow(Duration),
    /// The server asks to slow down.
    Busy,
    /// The condition of the request is lost, as on a server that does not know it.
    NoCondition,
    /// The server refuses, and repeats the credentials in what it says.
    Repeat,
}

pub struct Proxy {
    pub address: String,
    next: Arc<Mutex<Option<(&'static str, Fault, u32)>>>,
}

impl Proxy {
    pub fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let next: Arc<Mutex<Option<(&'static str, Fault, u32)>>> = Arc::default();
        let (server, own) = (server.to_owned(), Arc::clone(&next));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (server, next) = (server.clone(), Arc::clone(&own));
                std::thread::spawn(move || drop(pass(client, &server, &next)));
            }
        });
        Self { address, next }
    }

    /// The next requests of a method fail so, that many.
    pub fn fail(&self, method: &'static str, fault: Fault, times: u32) {
        *self.next.lock().unwrap() = Some((method, fault, times));
    }

    /// How many are still to fail.
    pub fn left(&self) -> u32 {
        self.next.lock().unwrap().map_or(0, |(_, _, left)| left)
    }
}

/// Sends a request as it is, and gives the answer.
pub fn ask(server: &str, request: &str) -> Vec<u8> {
    let mut server = TcpStream::connect(server).unwrap();
    server.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).unwrap();
    answer
}

fn pass(
    mut client: TcpStream,
    server: &str,
    next: &Mutex<Option<(&'static str, Fault, u32)>>,
) -> io::Result<()> {
    let (mut request, mut piece) = (Vec::new(), [0; 4096]);
    let head = loop {
        if let Some(at) = request.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        match client.read(&mut piece)? {
            0 => return Ok(()),
            read => request.extend_from_slice(&piece[..read]),
        }
    };
    let text = String::from_utf8_lossy(&request[..head]).into_owned();
    let header = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length: usize = header("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let fault = {
        let mut next = next.lock().unwrap();
        match &mut *next {
            Some((method, fault, left)) if *left > 0 && text.starts_with(*method) => {
                *left -= u32::from(*left < u32::MAX);
                Some(*fault)
            }
            _ => None,
        }
    };
    if fault == Some(Fault::Busy) {
        let body = "<Error><Code>SlowDown</Code><Message>slow down</Message></Error>";
        let answer = format!(
            "HTTP/1.1 503 Slow Down\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        read_body(&mut client, &mut request, head + length)?;
        return client.write_all(answer.as_bytes());
    }
    if fault == Some(Fault::Repeat) {
        let body = "<Error><Code>AccessDenied</Code><Message>no: planted-id, planted/secret+key</Message><AWSAccessKeyId>planted-id</AWSAccessKeyId></Error>";
        let answer = format!(
            "HTTP/1.1 403 Forbidden\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        read_body(&mut client, &mut request, head + length)?;
        return client.write_all(answer.as_bytes());
    }
    if fault == Some(Fault::CutUpload) {
        read_body(&mut client, &mut request, head + length / 2)?;
        let mut server = TcpStream::connect(server)?;
        server.write_all(&request[..head + length / 2])?;
        return Ok(());
    }
    read_body(&mut client, &mut request, head + length)?;
    let dropped = fault == Some(Fault::NoCondition);
    let lines = text.trim_end().split("\r\n").filter(|line| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        name != "connection" && !(dropped && name == "if-none-match")
    });
    let mut passed = lines.collect::<Vec<_>>().join("\r\n");
    passed.push_str("\r\nConnection: close\r\n\r\n");
    let mut server = TcpStream::connect(server)?;
    server.write_all(passed.as_bytes())?;
    server.write_all(&request[head..])?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    match fault {
        Some(Fault::LoseAnswer) => return Ok(()),
        Some(Fault::Slow(time)) => std::thread::sleep(time),
        _ => {}
    }
    client.write_all(&answer)
}

/// Reads until so much of a request is there.
fn read_body(client: &mut TcpStream, request: &mut Vec<u8>, until: usize) -> io::Result<()> {
    let mut piece = [0; 65_536];
    while request.len() < until {
        match client.read(&mut piece)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => request.extend_from_slice(&piece[..read]),
        }
    }
    Ok(())
}
