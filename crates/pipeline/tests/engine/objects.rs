//! A store of objects, which nobody locks: shards side by side, cut off at any request, to the same rows. Over a
//! folder, and with `STORYMILL_S3`, the address of moto's server (`http://127.0.0.1:5000`), over buckets too.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use storymill_bucket::BucketDisk;
use storymill_core::{Asker, Disk, DiskFile, DiskReader, Fault, FaultKind, Held, Hold};
use storymill_pipeline::{Claim, Outcome, RunOptions, Shard, Store, run};

use crate::toy::{Parrot, World, lock};

/// A store that cannot be reached any more from some request on.
#[derive(Debug)]
struct Cut {
    disk: BucketDisk,
    requests: AtomicU64,
    at: u64,
}

/// A bucket on moto's server, if there is one.
fn bucket(name: &str) -> Option<BucketDisk> {
    #[expect(clippy::disallowed_methods, reason = "a test that wants a server")]
    let endpoint = std::env::var("STORYMILL_S3").ok().filter(|endpoint| !endpoint.is_empty())?;
    let host = endpoint.trim_start_matches("http://").trim_end_matches('/');
    let name = format!("e{}-{}", std::process::id(), name.replace(' ', "-"));
    let mut server = TcpStream::connect(host).unwrap();
    let request = format!(
        "PUT /{name} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    server.write_all(request.as_bytes()).unwrap();
    server.read_to_end(&mut Vec::new()).unwrap();
    let environment = |name: &str| {
        let value = match name {
            "AWS_ENDPOINT_URL" => endpoint.as_str(),
            "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" => "none",
            "AWS_REGION" => "us-east-1",
            "AWS_ALLOW_HTTP" => "true",
            _ => return None,
        };
        Some(value.to_owned())
    };
    Some(BucketDisk::open(Path::new(&format!("s3://{name}/toy")), &environment).unwrap())
}

impl Cut {
    fn new(world: &World, name: &str, at: u64) -> Arc<Self> {
        let url = format!("file://{}", world.dir.path().join(name).display());
        Self::on(BucketDisk::open(Path::new(&url), &|_| None).unwrap(), at)
    }

    fn on(disk: BucketDisk, at: u64) -> Arc<Self> {
        Arc::new(Self { disk, requests: AtomicU64::new(0), at })
    }

    fn root(&self) -> PathBuf {
        self.disk.root().to_owned()
    }

    fn asked(&self) -> io::Result<&BucketDisk> {
        if self.requests.fetch_add(1, Ordering::SeqCst) >= self.at {
            return Err(io::Error::other("the store is out of reach"));
        }
        Ok(&self.disk)
    }
}

impl Disk for Cut {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.asked()?.read(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskReader>> {
        self.disk.open(path)
    }

    fn lock(&self, path: &Path, hold: Hold) -> io::Result<Option<Box<dyn Held>>> {
        self.disk.lock(path, hold)
    }

    fn create(&self, _: &Path) -> io::Result<Box<dyn DiskFile>> {
        Err(io::Error::other("nothing is appended to an object"))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.asked()?.rename(from, to)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.disk.create_dir_all(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.asked()?.remove(path)
    }

    fn remove_empty_dir(&self, path: &Path) -> io::Result<()> {
        self.disk.remove_empty_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.asked()?.list(path)
    }

    fn len(&self, path: &Path) -> io::Result<Option<u64>> {
        self.asked()?.len(path)
    }

    fn is_link(&self, path: &Path) -> io::Result<bool> {
        self.disk.is_link(path)
    }

    fn put_new(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<bool> {
        self.asked()?.put_new(path, scratch, bytes)
    }

    fn put(&self, path: &Path, scratch: &Path, bytes: &[u8]) -> io::Result<()> {
        self.asked()?.put(path, scratch, bytes)
    }

    fn has_objects(&self, path: &Path) -> bool {
        self.disk.has_objects(path)
    }
}

fn run_on(
    world: &World,
    asker: &dyn Asker,
    disk: &Arc<Cut>,
    shard: Option<Shard>,
) -> Result<Outcome, Fault> {
    let claim = shard.map_or(Claim::Whole, Claim::Shard);
    let store = Store::open(disk.root(), Arc::clone(disk) as _, claim)?;
    let options = RunOptions { threads: 2, shard, stop: &AtomicBool::new(false) };
    run(&world.workflow(), &store, asker, &(), &options).map(|run| run.outcome)
}

#[test]
fn shards_side_by_side_make_what_one_run_makes_on_a_folder() {
    let world = World::new();
    let expected = lock(&world.run());
    for round in 0..8 {
        let disk = if round < 5 {
            Cut::new(&world, &format!("far {round}"), u64::MAX)
        } else {
            let Some(disk) = bucket(&format!("far {round}")) else {
                println!("skip: the engine over S3: STORYMILL_S3 names no server");
                return;
            };
            Cut::on(disk, u64::MAX)
        };
        let asker = Parrot::default();
        std::thread::scope(|scope| {
            // The first is there twice, as where somebody thinks that it hangs.
            for shard in ["1/3", "1/3", "2/3", "3/3"] {
                let (world, disk, asker) = (&world, &disk, &asker);
                scope.spawn(move || {
                    run_on(world, asker, disk, Some(shard.parse().unwrap())).unwrap();
                });
            }
        });
        let outcome = run_on(&world, &asker, &disk, None).unwrap();
        assert_eq!(lock(&outcome), expected);
        // Two runs of the whole at one time keep nobody out, and make the same.
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let (world, disk, asker, expected) = (&world, &disk, &asker, &expected);
                scope.spawn(move || {
                    assert_eq!(lock(&run_on(world, asker, disk, None).unwrap()), *expected);
                });
            }
        });
    }
}

#[test]
fn a_run_that_is_cut_off_at_any_request_goes_on_to_the_same_rows() {
    let world = World::new();
    let expected = lock(&world.run());
    let calm = Cut::new(&world, "calm", u64::MAX);
    assert_eq!(lock(&run_on(&world, &Parrot::default(), &calm, None).unwrap()), expected);
    let requests = calm.requests.load(Ordering::SeqCst);
    assert!(requests > 50, "the run does enough to be cut off at: {requests}");
    let mut cut = 0;
    for at in 0..requests {
        let name = format!("far {at}");
        let result = run_on(&world, &Parrot::default(), &Cut::new(&world, &name, at), None);
        // With two threads the number of requests moves a little, and a memory may be lost for nothing.
        if let Err(fault) = result {
            assert!(matches!(fault.kind, FaultKind::Io | FaultKind::Again), "{fault}");
            cut += 1;
        }
        let again = run_on(&world, &Parrot::default(), &Cut::new(&world, &name, u64::MAX), None);
        assert_eq!(lock(&again.unwrap()), expected, "cut off at request {at}");
    }
    assert!(cut > requests / 2, "{cut} of {requests}");
    println!("{requests} requests for 3 units; cut off at each");
}
