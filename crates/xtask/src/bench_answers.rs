//! The bars of the model client: requests a second and CPU a request against a server that takes
//! 50 ms, and a log of a million records. The server is a process of its own, so that its CPU is not
//! counted.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use storymill_core::{Answer, Asked, Asker, Chat, Content, Digest, Request, RequestKey};
use storymill_disk::RealDisk;
use storymill_llm::{AnswerLog, AskerOptions, ModelAsker, ModelConfig, Note, Record, Usage};

use crate::{
    Done,
    measure::{cpu_seconds, memory},
};

/// Prints what the model client and the log of answers cost
#[derive(clap::Subcommand)]
pub(crate) enum Job {
    /// Requests a second, and CPU a request
    Wave {
        #[arg(default_value_t = 64)]
        concurrency: usize,
        #[arg(default_value_t = 6_400)]
        requests: usize,
    },
    /// How long a log takes to be opened, and an answer to be found
    Log {
        #[arg(default_value_t = 1_000_000)]
        records: usize,
    },
    /// The server of `wave`
    #[command(hide = true)]
    Serve,
    /// Fills the log of `log`
    #[command(hide = true)]
    Fill { records: usize, folder: PathBuf },
}

impl Job {
    pub(crate) fn run(self) -> Done {
        match self {
            Self::Wave { concurrency, requests } => wave(concurrency, requests),
            Self::Log { records } => log(records),
            Self::Serve => serve(),
            Self::Fill { records, folder } => fill(&folder, records),
        }
    }
}

/// Answers every request after 50 ms.
fn serve() -> Done {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let stream = stream?;
        std::thread::Builder::new().stack_size(128 << 10).spawn(move || answer_all(stream))?;
    }
    Ok(())
}

fn answer_all(mut stream: TcpStream) -> std::io::Result<()> {
    let text = "The two brothers quarrel about the inheritance. ".repeat(12);
    let body = serde_json::json!({
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
        "usage": { "prompt_tokens": 700, "completion_tokens": 120, "total_tokens": 820 },
    });
    let body = body.to_string();
    let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    loop {
        let mut length = 0;
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        reader.by_ref().take(length).read_to_end(&mut Vec::new())?;
        std::thread::sleep(Duration::from_millis(50));
        stream.write_all(response.as_bytes())?;
    }
}

/// A wave of scenes of 3,000 symbols.
fn wave(concurrency: usize, count: usize) -> Done {
    let mut server = Command::new(std::env::current_exe()?)
        .args(["bench-answers", "serve"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut address = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut address)?;
    let folder = tempfile::tempdir_in(".")?;
    let text = format!(
        "url = \"http://{}/v1\"\nmodel = \"m\"\nconcurrency = {concurrency}\n",
        address.trim()
    );
    let models = BTreeMap::from([("default".to_owned(), ModelConfig::parse(&text)?)]);
    let log = Arc::new(AnswerLog::open(folder.path(), &[], Arc::new(RealDisk))?);
    let stop = Arc::new(AtomicBool::new(false));
    let options = AskerOptions::default();
    let asker = ModelAsker::new(log, models, options, Box::new(|_| None), Arc::new(()), stop)?;
    let asked = |number: usize| -> Done<Asked> {
        let scene =
            format!("{number} {}", "It was the best of times, it was the worst. ".repeat(68));
        let content = Content::Chat(Chat::new(scene));
        let request = Request { model: "default".to_owned(), content, tries: 1 };
        let unit = "84".parse()?;
        let key = asker.key(&unit, &request, 0, 0)?;
        Ok(Asked { key, stage: "summarize", unit, item: None, request, sample: 0, attempt: 0 })
    };
    let requests = (0..count).map(asked).collect::<Result<Vec<_>, _>>()?;
    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    asker.ask(&requests)?;
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds()? - cpu);
    server.kill()?;
    server.wait()?;
    let (count, ideal) = (count as f64, concurrency as f64 / 0.05);
    println!(
        "{:.0} requests a second ({:.1} % of {ideal:.0}), {:.3} ms CPU a request",
        count / wall,
        100.0 * count / wall / ideal,
        1000.0 * cpu / count
    );
    Ok(())
}

fn key(number: usize) -> RequestKey {
    RequestKey(Digest::of(&number.to_le_bytes()))
}

/// Fills a log in another process, then opens it here.
fn log(count: usize) -> Done {
    let folder = tempfile::tempdir_in(".")?;
    let start = Instant::now();
    let status = Command::new(std::env::current_exe()?)
        .args(["bench-answers", "fill", &count.to_string()])
        .arg(folder.path())
        .status()?;
    if !status.success() {
        return Err("the log could not be filled".into());
    }
    println!("filled and sealed in {:.1} s", start.elapsed().as_secs_f64());
    let before = memory("VmRSS")?;
    let start = Instant::now();
    let log = AnswerLog::open(folder.path(), &[], Arc::new(RealDisk))?;
    let opened = start.elapsed();
    println!(
        "{} records, {} MB in {} packs and {} segments: open {:.0} ms, {} MB in memory (at most {} MB)",
        log.len(),
        log.opened().bytes >> 20,
        log.opened().packs,
        log.opened().segments,
        opened.as_secs_f64() * 1000.0,
        (memory("VmRSS")? - before) >> 20,
        (memory("VmHWM")? - before) >> 20
    );
    let start = Instant::now();
    let looks = 200_000.min(count);
    for look in 0..looks {
        let number = look.wrapping_mul(7_919) % count;
        log.get(&key(number))?.ok_or("a record is lost")?;
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / looks as f64;
    println!("lookup {each:.2} microseconds");
    Ok(())
}

fn fill(folder: &Path, count: usize) -> Done {
    let log = Arc::new(AnswerLog::open(folder, &[], Arc::new(RealDisk))?);
    let mut tickets = Vec::new();
    for number in 0..count {
        let text = format!("{number}: the two brothers quarrel, {:x} and part. ", number * 7919);
        let answer = Answer { text: text.repeat(10), finish_reason: "stop".to_owned() };
        let usage = Some(Usage { prompt: 700, completion: 120, ..Usage::default() });
        let note = Note { unit: (number / 1000).to_string(), usage, ..Note::default() };
        tickets.push(log.append(Record { key: key(number), answer, note: Some(note) })?);
        if tickets.len() == 1000 {
            for ticket in tickets.drain(..) {
                ticket.wait()?;
            }
        }
    }
    for ticket in tickets {
        ticket.wait()?;
    }
    log.seal()?;
    Ok(())
}
