//! Commands of private sets on a disk that fails at each of its operations: what was there stays, a command that fails says
//! that the disk did, the same command goes on afterwards, and no word is in clear. The commands are run in this
//! process, with the shelf on a `FaultyDisk`.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    sync::Arc,
};

use storymill::Registry;
use storymill_claims::draft::Proposal;
use storymill_core::{Disk, FaultKind};
use storymill_disk::RealDisk;
use storymill_shelf::{Access, Key, Shelf};

#[path = "../../tests/disks/faulty.rs"]
mod faulty;

use self::faulty::{Failure as How, FaultyDisk};
use crate::{args::Args, exit::Failure, session::Session};

thread_local! {
    static DISK: RefCell<Arc<dyn Disk>> = RefCell::new(Arc::new(RealDisk));
}

/// The disk that shelves lie on, in tests.
pub(crate) fn disk() -> Arc<dyn Disk> {
    DISK.with_borrow(Arc::clone)
}

const MARK: &str = "zyxomander";

/// A build whose retellings offer claims.
const WORKFLOW: &str = r#"name = "mine"
version = "1.0.0"
seed = 7

[publish]
title = "Mine"
license = "mit"
canary = "storymill-canary-0123456789"
expected_rejects = 999

[source.books.shelf]

[stage.scenes.chunk]
from = "books"
max = 600

[stage.summaries.extract]
from = "scenes"

[stage.distortions.swap-facts]
scenes = "scenes"
summaries = "summaries"

[dataset.distortions]
from = "distortions"
"#;

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// A folder with a shelf, a set, requests and answers in it; what is in clear lies in another one.
struct World {
    folder: tempfile::TempDir,
    inputs: tempfile::TempDir,
    port: u16,
}

impl World {
    fn run_on(disk: Arc<dyn Disk>, args: &[String]) -> Result<u8, Failure> {
        DISK.set(disk);
        let args = Args::read(&[&["storymill".to_owned()], args].concat()).unwrap();
        let ran = crate::commands::run(args, &Session::new(Registry::standard(), None));
        DISK.set(Arc::new(RealDisk));
        ran.map(|exit| exit.code)
    }

    /// A command as it is typed: `@x` is a file of the folder, `%x` one that is in clear.
    fn typed(&self, line: &str) -> Vec<String> {
        let place = |word: &str| match word.split_at_checked(1) {
            Some(("@", name)) => self.folder.path().join(name).to_str().unwrap().to_owned(),
            Some(("%", name)) => self.inputs.path().join(name).to_str().unwrap().to_owned(),
            _ => word.to_owned(),
        };
        line.split_whitespace().map(place).collect()
    }

    #[track_caller]
    fn does(&self, line: &str) {
        let done = Self::run_on(Arc::new(RealDisk), &self.typed(line));
        assert_eq!(done.unwrap_or_else(|failure| panic!("{line}: {failure:?}")), 0, "{line}");
    }

    fn new() -> Self {
        let (folder, inputs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let world = Self { folder, inputs, port: server() };
        let put = |name: &str, text: &str| fs::write(world.inputs.path().join(name), text).unwrap();
        let told = |at: usize| {
            let paid = ["two", "three", "five", "seven"][at % 4];
            format!(
                "On the {at}th of May Ann {MARK} walked to the mill and paid {paid} shillings.\n\n"
            )
        };
        let prose: String = (4..28).map(told).collect();
        put("n01.txt", &format!("THE MILL\n\nCHAPTER I\n\n{prose}"));
        put("n02.txt", &format!("THE TOWN\n\nCHAPTER I\n\n{prose}"));
        put("my.toml", WORKFLOW);
        let row = |at: usize| {
            format!("n01/000{at},n01,{MARK} paid {at} pounds.,{MARK} paid {at} crowns.\n")
        };
        let head = "id,book,true_claim,false_claim\n";
        put("claims.csv", &format!("{head}{}", (1..4).map(row).collect::<String>()));
        put("more.csv", &format!("{head}{}", row(4) + &row(3).replace("crowns", "guineas")));
        put(
            "votes.csv",
            "pair,claim,reader,verdict\nn01/0001,true,ann,true\nn01/0001,true,bob,false\n",
        );
        put("late.csv", "pair,claim,reader,verdict\nn01/0002,true,ann,true\n");
        let answer = |pair: &str| {
            format!(
                "{{\"system\":\"s\",\"pair\":\"{pair}\",\"claim\":\"true\",\"answer\":\"TRUE {MARK}\"}}\n"
            )
        };
        put("answers.jsonl", &(answer("n01/0001") + &answer("n01/0002")));
        put(
            "models.toml",
            &format!(
                "[model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"m\"\nconcurrency = 1\nretries = 0\n",
                world.port
            ),
        );
        let home = "--shelf @shelf --key @ann.key";
        world.does(&format!("shelf init {home} --no-passphrase"));
        world.does("shelf init --key-only --key @bob.key --no-passphrase");
        world.does(&format!("shelf add %n01.txt {home}"));
        world.does(&format!("shelf add %n02.txt --id n03 {home}"));
        // A copy from before: it comes back in the case that asks for trust.
        for (path, operation) in files(&world.folder.path().join("shelf/log")) {
            let old = format!("old-{}", path.file_name().unwrap().to_str().unwrap());
            fs::write(world.inputs.path().join(old), operation).unwrap();
        }
        world.does(&format!("claims import %claims.csv --into family {home}"));
        world.does(&format!("review family --import %votes.csv {home}"));
        world.does(&format!("evaluate family --models %models.toml --plan {home}"));
        world.does(&format!("shelf state family --version 1.0.0 --out %one {home}"));
        world.does(&format!("build %my.toml {home}"));
        world.does(&format!("claims draft %my.toml --into family {home}"));
        world
    }

    fn bob(&self) -> String {
        let key = fs::read(self.folder.path().join("bob.key")).unwrap();
        let key = Key::from_file(&key, || unreachable!("it has no passphrase"));
        key.unwrap().recipient().whole()
    }

    /// What the shelf holds.
    fn held(&self) -> BTreeMap<String, Vec<u8>> {
        let key = fs::read(self.folder.path().join("ann.key")).unwrap();
        let key = Key::from_file(&key, || unreachable!("it has no passphrase")).unwrap();
        let (root, disk) = (self.folder.path().join("shelf"), Arc::new(RealDisk));
        let shelf = Shelf::open(&root, disk, &key, Access::Look).unwrap();
        let read = |name: String| {
            let bytes = shelf.read(&name).unwrap().unwrap().expose().clone();
            (name, bytes)
        };
        shelf.names("").into_iter().map(read).collect()
    }

    /// The claim that the votes of the template dispute, as an item to decide.
    fn disputed(&self) -> String {
        use storymill_claims::{
            deciding::votes::disputed,
            set::{Set, read_pairs},
        };
        let (mut set, mut decisions) = (Set::default(), storymill_core::Decisions::default());
        let held = self.held();
        read_pairs(&held["sets/family/pairs"], &mut set).unwrap();
        for line in String::from_utf8_lossy(&held["sets/family/decisions"]).lines() {
            decisions.take(serde_json::from_str(line).unwrap());
        }
        disputed(&set, &decisions)[0].id().to_string()
    }

    /// A pair that was drafted, as an item to decide.
    fn drafted(&self) -> String {
        let drafts = self.held().remove("sets/family/drafts").unwrap();
        let text = String::from_utf8(drafts).unwrap();
        let mut all = text.lines().map(|line| serde_json::from_str::<Proposal>(line).unwrap());
        let whole = |one: &Proposal| {
            ![&one.pair.true_claim, &one.pair.false_claim].contains(&&String::new())
        };
        all.find(whole).unwrap().review.id().to_string()
    }

    fn back_to(&self, copy: &BTreeMap<PathBuf, Vec<u8>>) {
        for path in files(self.folder.path()).keys().filter(|path| !copy.contains_key(*path)) {
            fs::remove_file(path).unwrap();
        }
        for (path, bytes) in copy {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    #[track_caller]
    fn leaks_nothing(&self, line: &str) {
        for (path, bytes) in files(self.folder.path()) {
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(!text.contains(MARK), "{line}: {}", path.display());
        }
    }
}

/// A model that finds everything true.
fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut said, mut some) = (Vec::new(), [0; 4096]);
            loop {
                let read = stream.read(&mut some).unwrap_or(0);
                said.extend_from_slice(&some[..read]);
                let text = String::from_utf8_lossy(&said).to_lowercase();
                let length = text.split("content-length: ").nth(1).and_then(|rest| {
                    rest.split("\r\n").next().and_then(|count| count.parse::<usize>().ok())
                });
                let body =
                    text.split_once("\r\n\r\n").map_or(0, |(head, _)| said.len() - head.len() - 4);
                if read == 0 || length.is_some_and(|length| body >= length) {
                    break;
                }
            }
            let body = format!(
                "{{\"choices\":[{{\"message\":{{\"content\":\"<answer>TRUE</answer> {MARK}\"}},\"finish_reason\":\"stop\"}}]}}"
            );
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    port
}

/// What is done, and whether doing it again says that it is done already.
const COMMANDS: [(&str, bool); 21] = [
    ("claims draft %my.toml --into family", false),
    ("review family --decide DRAFT=take --by ann", false),
    ("answers export-batch family-m --format openai --to BOB --out @batch", true),
    ("answers export-batch family-m --format anthropic --clear --out %clear", true),
    ("shelf init --key-only --key @zoe.key --no-passphrase", false),
    ("shelf state family --retire n01/0002 --undo", true),
    ("shelf rekey --remove BOB", true),
    ("review family --decide ITEM=keep --by ann", false),
    ("shelf init --shelf @other --key @ann.key", true),
    ("shelf remove n03", true),
    ("shelf add %n02.txt", true),
    ("shelf rekey --add BOB", false),
    ("shelf state family --version 1.1.0 --out %two", true),
    ("shelf state family --retire n01/0001 --reason subjective", true),
    ("shelf rekey --trust --yes", false),
    ("claims import %claims.csv --into other", false),
    ("claims import %more.csv --into family --update", false),
    ("review family --import %late.csv", false),
    ("evaluate family --models %models.toml", false),
    ("evaluate family --responses %answers.jsonl", false),
    ("claims remove family n01/0002 --reason subjective", true),
];

#[cfg_attr(not(feature = "private"), ignore = "wants the feature `private`")]
#[test]
fn commands_of_private_sets_survive_a_disk_that_fails_at_each_operation() {
    #[expect(clippy::disallowed_methods, reason = "a test may be made longer")]
    let full = std::env::var("CI_FULL").is_ok_and(|value| value == "1");
    let world = World::new();
    let bob = world.bob();
    let (template, item, draft) = (files(world.folder.path()), world.disputed(), world.drafted());
    for (line, once) in COMMANDS {
        let mut line = line.replace("BOB", &bob);
        line = line.replace("ITEM", &item).replace("DRAFT", &draft);
        let own = ["--shelf", "--key"].iter().any(|named| line.contains(named));
        if !own {
            line += " --shelf @shelf --key @ann.key";
        }
        let args = world.typed(&line);
        let begin = || {
            world.back_to(&template);
            for made in ["two", "clear"] {
                let made = world.inputs.path().join(made);
                drop(fs::remove_file(&made).or_else(|_| fs::remove_dir_all(&made)));
            }
            let home = "--shelf @shelf --key @ann.key";
            if line.starts_with("shelf rekey --trust") {
                let log = world.folder.path().join("shelf/log");
                for path in files(&log).keys() {
                    fs::remove_file(path).unwrap();
                }
                for (path, operation) in files(world.inputs.path()) {
                    if let Some(name) =
                        path.file_name().unwrap().to_str().unwrap().strip_prefix("old-")
                    {
                        fs::write(log.join(name), operation).unwrap();
                    }
                }
            } else if line.contains("--undo") {
                world.does(&format!(
                    "shelf state family --retire n01/0002 --reason subjective {home}"
                ));
            } else if line.contains("rekey --remove") {
                world.does(&format!("shelf rekey --add {bob} {home}"));
            }
        };
        begin();
        let before = world.held();
        let calm = FaultyDisk::new(u64::MAX, How::Once);
        let done = World::run_on(Arc::new(calm.clone()), &args);
        assert!(done.is_ok(), "{line}: {done:?}");
        let (operations, after) = (calm.operations(), world.held());
        let moved: BTreeSet<&String> = before
            .keys()
            .chain(after.keys())
            .filter(|name| before.get(*name) != after.get(*name))
            .collect();
        let points = if full { operations } else { operations.min(6) };
        let mut failed = 0;
        for turn in 0..points {
            let at = turn * operations / points;
            let how = [How::Once, How::Dead, How::Full][usize::try_from(turn % 3).unwrap()];
            begin();
            let ran = World::run_on(Arc::new(FaultyDisk::new(at, how)), &args);
            let place = format!("{line}: {how:?} at {at} of {operations}: {ran:?}");
            if let Err(failure) = &ran {
                failed += 1;
                assert!(!format!("{failure} {failure:?}").to_lowercase().contains(MARK), "{place}");
                let kind = match failure {
                    Failure::Fault(fault) => fault.kind,
                    other => panic!("{place}: {other}"),
                };
                assert!(matches!(kind, FaultKind::Io | FaultKind::Again), "{place}");
            }
            world.leaks_nothing(&place);
            // What the command does not touch is as it was; what it does is as before, or as it would be.
            let now = world.held();
            for (name, bytes) in &before {
                assert!(
                    moved.contains(name) || now.get(name) == Some(bytes),
                    "{place}: {name} is lost"
                );
            }
            let again = World::run_on(Arc::new(RealDisk), &args);
            let fine = match &again {
                Ok(code) => *code == 0,
                Err(Failure::Fault(fault)) => once && fault.kind == FaultKind::Input,
                Err(_) => false,
            };
            assert!(fine, "{place}; and again: {again:?}");
            world.leaks_nothing(&place);
            world.held();
        }
        assert!(operations > 0 && failed > 0, "{line}: {failed} of {points}");
        println!("{line}: {operations} operations, {points} faults, {failed} ended the command");
    }
}
