//! A bucket behind a network that behaves badly: moto's server on loopback, and a proxy before it.
//!
//! `STORYMILL_S3` names the server (`http://127.0.0.1:5000`); without it these tests are skipped with a line.
#![cfg(feature = "s3")]
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::pedantic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::type_complexity
)]

mod proxy;

use std::{
    path::{Path, PathBuf},
    sync::{
        Barrier,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use proxy::{Fault, Proxy};
use storymill_bucket::BucketDisk;
use storymill_core::Disk;

const SECRET: &str = "planted/secret+key";

fn server() -> Option<String> {
    let server = std::env::var("STORYMILL_S3").ok().filter(|server| !server.is_empty());
    if server.is_none() {
        println!("skip: S3 over a bad network: STORYMILL_S3 names no server (moto's, on loopback)");
    }
    server.map(|server| server.trim_start_matches("http://").trim_end_matches('/').to_owned())
}

fn is_full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

/// A bucket of its own for each test, made on first use.
fn bucket(server: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("b{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    proxy::ask(
        server,
        &format!(
            "PUT /{name} HTTP/1.1\r\nHost: {server}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
    name
}

fn open(server: &str, bucket: &str) -> BucketDisk {
    let endpoint = format!("http://{server}");
    let environment = |name: &str| {
        let value = match name {
            "AWS_ENDPOINT_URL" => &endpoint,
            "AWS_ACCESS_KEY_ID" => "planted-id",
            "AWS_SECRET_ACCESS_KEY" => SECRET,
            "AWS_REGION" => "us-east-1",
            "AWS_ALLOW_HTTP" => "true",
            "AWS_TIMEOUT" => "3 s",
            _ => return None,
        };
        Some(value.to_owned())
    };
    BucketDisk::open(Path::new(&format!("s3://{bucket}/a/store")), &environment).unwrap()
}

fn at(disk: &BucketDisk, name: &str) -> PathBuf {
    disk.root().join(name)
}

/// Bytes that no packing and no mistake gives.
fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|at| u8::try_from((at * 31 + at / 251) % 256).unwrap()).collect()
}

#[test]
fn a_bucket_is_asked_for_proof_and_keeps_what_it_is_given() {
    let Some(server) = server() else { return };
    let disk = open(&server, &bucket(&server));
    let found = disk.probe();
    assert!(found.len() == 4 && found.iter().all(|one| one.wrong.is_none()), "{found:?}");
    let path = at(&disk, "parts/4f/4f3a");
    disk.put(&path, &path, &bytes(700_000)).unwrap();
    assert_eq!(disk.read(&path).unwrap(), bytes(700_000));
    assert_eq!(
        disk.open(&path).unwrap().read_at(300_000, 99).unwrap(),
        bytes(700_000)[300_000..300_099]
    );
    assert_eq!(disk.len(&path).unwrap(), Some(700_000));
    disk.rename(&path, &at(&disk, "damaged/x")).unwrap();
    assert_eq!(disk.list(disk.root()).unwrap(), ["damaged"]);
    assert_eq!(disk.read(&path).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn of_sixteen_writers_of_one_key_one_wins() {
    let Some(server) = server() else { return };
    let bucket = bucket(&server);
    // Machines share no client.
    let disks: Vec<_> = (0..16).map(|_| open(&server, &bucket)).collect();
    for round in 0..10 {
        let start = Barrier::new(disks.len());
        let wins: Vec<usize> = std::thread::scope(|scope| {
            let write = |disk: &'_ BucketDisk| {
                start.wait();
                let path = at(disk, &format!("key{round}"));
                disk.put_new(&path, &path, b"equal bytes").unwrap()
            };
            let all: Vec<_> = disks.iter().map(|disk| scope.spawn(move || write(disk))).collect();
            let all = all.into_iter().zip(0..);
            all.filter_map(|(one, number)| one.join().unwrap().then_some(number)).collect()
        });
        assert_eq!(wins.len(), 1, "round {round}: {wins:?}");
    }
}

/// What a fault of the network does to writers: nobody is told something that is not so.
#[test]
fn cut_slow_and_busy_connections_are_tried_again_and_told_truly() {
    let Some(server) = server() else { return };
    for (fault, times) in [
        (Fault::CutUpload, 2),
        (Fault::LoseAnswer, 1),
        (Fault::Slow(Duration::from_secs(5)), 1),
        (Fault::Busy, 4),
    ] {
        let proxy = Proxy::start(&server);
        let disk = open(&proxy.address, &bucket(&server));
        let (path, new) = (at(&disk, "parts/a"), at(&disk, "new"));
        proxy.fail("PUT", fault, times);
        disk.put(&path, &path, &bytes(300_000)).unwrap();
        assert_eq!(disk.read(&path).unwrap(), bytes(300_000), "{fault:?}");
        proxy.fail("PUT", fault, times);
        assert!(disk.put_new(&new, &new, b"first").unwrap(), "{fault:?}: ours, though cut");
        // One cut is enough to look, and there stands what another has written.
        proxy.fail("PUT", fault, if fault == Fault::CutUpload { 1 } else { times });
        assert!(!disk.put_new(&new, &new, b"first").unwrap(), "{fault:?}: another's, though equal");
        if fault != Fault::CutUpload {
            proxy.fail("GET", fault, times);
            assert_eq!(disk.read(&path).unwrap(), bytes(300_000), "{fault:?}");
        }
        assert_eq!(proxy.left(), 0, "{fault:?} was not met");
    }
}

#[test]
fn an_upload_that_is_cut_leaves_nothing() {
    let Some(server) = server() else { return };
    let proxy = Proxy::start(&server);
    let bucket = bucket(&server);
    let disk = open(&proxy.address, &bucket);
    proxy.fail("PUT", Fault::CutUpload, u32::MAX);
    let path = at(&disk, "parts/a");
    assert!(disk.put(&path, &path, &bytes(300_000)).is_err());
    assert_eq!(open(&server, &bucket).len(&path).unwrap(), None);
}

#[test]
fn a_bucket_without_conditional_put_is_refused_by_name() {
    let Some(server) = server() else { return };
    let proxy = Proxy::start(&server);
    proxy.fail("PUT", Fault::NoCondition, u32::MAX);
    let disk = open(&proxy.address, &bucket(&server));
    let found = disk.probe();
    let last = found.last().unwrap();
    assert_eq!(last.what, "of two writers of one name the second is refused");
    assert!(last.wrong.as_ref().unwrap().contains("If-None-Match"), "{last:?}");
    assert_eq!(disk.list(&at(&disk, "tmp")).unwrap(), [""; 0]);
}

#[test]
fn no_message_holds_credentials() {
    let Some(server) = server() else { return };
    let proxy = Proxy::start(&server);
    let disk = open(&proxy.address, "no-such-bucket-here");
    let path = at(&disk, "x");
    let mut told = vec![format!("{disk:?}")];
    told.push(disk.put(&path, &path, b"1").unwrap_err().to_string());
    proxy.fail("PUT", Fault::Repeat, u32::MAX);
    told.push(disk.put(&path, &path, b"1").unwrap_err().to_string());
    told.push(format!("{:?}", disk.probe()));
    for told in &told {
        assert!(!told.contains("planted"), "{told}");
    }
    assert!(told[2].contains("AccessDenied"), "{}", told[2]);
}

#[test]
fn a_server_that_is_not_there_is_told_soon() {
    let disk = open("127.0.0.1:1", "b");
    let start = Instant::now();
    let found = disk.probe();
    assert!(found[0].wrong.is_some());
    assert!(start.elapsed() < Duration::from_secs(200), "{:?}", start.elapsed());
}

#[test]
fn every_name_of_a_long_list_is_listed() {
    let Some(server) = server() else { return };
    let disk = open(&server, &bucket(&server));
    let count = if is_full() { 100_000 } else { 2_500 };
    std::thread::scope(|scope| {
        for part in 0..16 {
            let disk = &disk;
            scope.spawn(move || {
                for number in (part..count).step_by(16) {
                    let path = at(disk, &format!("markers/{number:06}"));
                    disk.put(&path, &path, b"").unwrap();
                }
            });
        }
    });
    let start = Instant::now();
    let names = disk.list(&at(&disk, "markers")).unwrap();
    println!("{count} names listed in {:?}", start.elapsed());
    assert_eq!(names.len(), count);
    assert!(names.iter().zip(0..).all(|(name, number)| *name == format!("{number:06}")));
}
