//! Private books: sealed, built from, and nowhere in clear. What is looked for are words that stand in
//! no other book.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use storymill_core::{Digest, Disk, Fault};
use storymill_pipeline::{
    Claim, NoModel, Registry, RunOptions, Store, Workflow, run,
    store::{
        RealDisk,
        faults::{Failure, FaultyDisk},
    },
};
use storymill_shelf::{Access, Books, Key, MOUNT, Mount, Shelf};

use crate::{
    models::Server,
    project::{Project, full},
};

pub const MARKS: [&str; 4] = ["Zyxomander", "quillifrax", "Brennadotte", "Vossikund"];

/// An EPUB of chapters that each hold words which stand nowhere else.
pub fn epub(chapters: usize, paragraphs: usize) -> Vec<u8> {
    let (mut manifest, mut spine, mut files) = (String::new(), String::new(), Vec::new());
    for chapter in 0..chapters {
        manifest += &format!(
            "<item id=\"c{chapter}\" href=\"c{chapter}.xhtml\" media-type=\"application/xhtml+xml\"/>"
        );
        spine += &format!("<itemref idref=\"c{chapter}\"/>");
        let mut text = format!("<h2>Chapter {}</h2>", chapter + 1);
        for paragraph in 0..paragraphs {
            let at = chapter * paragraphs + paragraph;
            text += &format!(
                "<p>Captain {} found the {} at the mill on the {}th of May. Mrs. {} opened the door before noon and \
                 carried it to the harbour. “You are late, {},” said Anna Brook. She paid {} shillings for it and left the town.</p>",
                MARKS[at % 4],
                MARKS[1],
                4 + at % 20,
                MARKS[(at + 2) % 4],
                MARKS[3],
                3 + at % 40,
            );
        }
        files.push((format!("c{chapter}.xhtml"), format!(
            "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>c</title></head><body>{text}</body></html>"
        )));
    }
    files.push(("content.opf".into(), format!(
        "<?xml version=\"1.0\"?><package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"i\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\
         <dc:identifier id=\"i\">x</dc:identifier><dc:title>The {} Letters</dc:title><dc:creator>Ann {}</dc:creator><dc:language>en</dc:language></metadata>\
         <manifest>{manifest}</manifest><spine>{spine}</spine></package>", MARKS[0], MARKS[2]
    )));
    files.push(("META-INF/container.xml".into(),
        "<?xml version=\"1.0\"?><container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
         <rootfile full-path=\"content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>".into()));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default();
    zip.start_file("mimetype", plain.compression_method(zip::CompressionMethod::Stored)).unwrap();
    zip.write_all(b"application/epub+zip").unwrap();
    for (name, content) in files {
        zip.start_file(name, plain).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// Whether one of the words stands in some bytes, in whatever case.
pub fn marked(bytes: &[u8]) -> Option<&'static str> {
    let lower = bytes.to_ascii_lowercase();
    let holds = |mark: &&&str| {
        let mark = mark.to_ascii_lowercase();
        lower.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    MARKS.iter().find(holds).copied()
}

/// Nothing below a folder holds one of the words, in clear or by its name; and what lies in the shelf
/// is sealed, so that compressing would not hide them either.
#[track_caller]
pub fn nothing_leaks(folder: &Path) {
    for (path, bytes) in files(folder) {
        assert_eq!(marked(&bytes), None, "in {}", path.display());
        assert_eq!(marked(path.as_os_str().as_encoded_bytes()), None, "{}", path.display());
        if path.parent().is_some_and(|parent| parent.ends_with("records"))
            || path.ends_with("index")
        {
            // What a kill or a full disk cut off is a beginning of a sealed record.
            let head = b"age-encryption.org/v1\n";
            let length = bytes.len().min(head.len());
            assert_eq!(&bytes[..length], &head[..length], "{}", path.display());
        }
    }
}

/// A project whose books lie elsewhere, and what the binary says there, kept to be searched.
pub(crate) struct Private {
    pub project: Project,
    pub books: tempfile::TempDir,
}

impl Private {
    pub(crate) fn new(chapters: usize, paragraphs: usize) -> Self {
        let books = tempfile::tempdir().unwrap();
        fs::write(books.path().join("n01.epub"), epub(chapters, paragraphs)).unwrap();
        let project = Project::new();
        fs::create_dir(project.path("tmp")).unwrap();
        let private = Self { project, books };
        private.run(&["shelf", "init", "--key", "ann.key", "--no-passphrase"]).exits(0);
        private
    }

    pub(crate) fn book(&self) -> String {
        self.books.path().join("n01.epub").to_str().unwrap().to_owned()
    }

    pub(crate) fn add(&self) -> &Self {
        self.run(&["shelf", "add", &self.book(), "--key", "ann.key"]).exits(0);
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.project.command(args);
        command
            .env("TMPDIR", self.project.path("tmp"))
            .env("HOME", self.project.path(""))
            .env_remove("STORYMILL_KEY")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Said {
        let output = self.command(args).output().unwrap();
        let said = Said::of(&output);
        assert_eq!(marked(said.text.as_bytes()), None, "{}", said.text);
        said
    }

    pub(crate) fn workflow(&self, model: Option<u16>) -> &Self {
        let (model, retell) = match model {
            Some(port) => (
                format!(
                    "[model.default]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"teller\"\nconcurrency = 4\nretries = 2\n\n"
                ),
                "[stage.summaries.summarize]\nfrom = \"scenes\"\ntries = 2\nneighbours = 100\n",
            ),
            None => (String::new(), "[stage.summaries.extract]\nfrom = \"scenes\"\n"),
        };
        let text = format!(
            "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n\n[publish]\ntitle = \"Mine\"\nlicense = \"mit\"\ncanary = \"storymill-canary-0123456789\"\nexpected_rejects = 999\n\n\
             {model}[source.books.shelf]\n\n[stage.scenes.chunk]\nfrom = \"books\"\nmax = 600\n\n{retell}\n\
             [stage.distortions.swap-facts]\nscenes = \"scenes\"\nsummaries = \"summaries\"\n\n\
             [stage.questions.read-along]\nscenes = \"scenes\"\nsummaries = \"summaries\"\ndistortions = \"distortions\"\n\n[dataset.questions]\nfrom = \"questions\"\n"
        );
        self.project.write("my.toml", text);
        self
    }

    pub(crate) const BUILD: [&'static str; 6] =
        ["build", "my.toml", "--shelf", "shelf", "--key", "ann.key"];

    #[track_caller]
    pub(crate) fn keeps_quiet(&self) {
        nothing_leaks(&self.project.path(""));
        let allowed = ["shelf", "ann.key", "my.toml", "tmp", "bob.key", "bob"];
        for entry in fs::read_dir(self.project.path("")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(allowed.contains(&name.as_str()), "`{name}` was written beside the shelf");
        }
        assert_eq!(fs::read_dir(self.project.path("tmp")).unwrap().count(), 0);
    }
}

pub(crate) struct Said {
    pub code: Option<i32>,
    pub text: String,
}

impl Said {
    pub(crate) fn of(output: &Output) -> Self {
        let text = [&output.stdout[..], &output.stderr].concat();
        Self { code: output.status.code(), text: String::from_utf8_lossy(&text).into_owned() }
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.text);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.text.contains(part), "expected `{part}` in\n{}", self.text);
        self
    }
}

#[test]
fn decisions_about_private_books_lie_in_the_shelf() {
    let private = Private::new(2, 3);
    private.workflow(None);
    // A long section before chapter I, full of words that stand nowhere else, is doubtful.
    let told =
        format!("Here {} came to write down how {} was lost in the winter. ", MARKS[0], MARKS[1]);
    let page =
        crate::decisions::doubtful("mill").replace("<p>Here is", &format!("<p>{}Here is", told));
    let mill = private.books.path().join("mill.html");
    fs::write(&mill, page).unwrap();
    private.run(&["shelf", "add", mill.to_str().unwrap(), "--key", "ann.key"]).exits(0);
    private.run(&Private::BUILD).exits(0);
    let reviews = ["reviews", "my.toml", "--shelf", "shelf", "--key", "ann.key"];
    let ask = |more: &[&str]| private.command(&[&reviews[..], more].concat()).output().unwrap();
    // The list tells ids and codes; words only to who asks for them.
    private.run(&reviews).exits(0).says("--texts");
    private.run(&[&reviews[..], &["--format", "json"]].concat()).exits(0);
    let texts = Said::of(&ask(&["--texts", "--format", "json"]));
    let items: serde_json::Value = serde_json::from_str(&texts.text).unwrap();
    let Some(item) = items
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["review"]["choices"].as_array().unwrap().len() > 1)
    else {
        panic!("nothing can be decided: {items:#}")
    };
    assert!(marked(texts.text.as_bytes()).is_some());
    let (id, choices) =
        (item["id"].as_str().unwrap(), item["review"]["choices"].as_array().unwrap());
    let other = choices
        .iter()
        .find(|choice| **choice != item["review"]["default"])
        .unwrap()
        .as_str()
        .unwrap();
    let parts = |said: Said| said.exits(0).text;
    let before = parts(private.run(&[&Private::BUILD[..], &["--format", "json"]].concat()));
    private
        .run(&[&reviews[..], &["--decide", &format!("{id}=burn")]].concat())
        .exits(4)
        .says("no choice");
    let decide = format!("{id}={other}");
    private
        .run(&[&reviews[..], &["--decide", &decide, "--by", "a reader"]].concat())
        .exits(0)
        .says("written to the shelf");
    private.run(&reviews).exits(0).says("decided");
    let open: serde_json::Value = serde_json::from_str(
        &private.run(&[&reviews[..], &["--open", "--format", "json"]].concat()).exits(0).text,
    )
    .unwrap();
    assert!(open.as_array().unwrap().iter().all(|one| one["id"] != id));
    // The next build obeys, and keeps to it.
    let after = parts(private.run(&[&Private::BUILD[..], &["--format", "json"]].concat()));
    assert_ne!(before, after);
    private.run(&reviews).exits(0).says("decided");
    private.keeps_quiet();
    // Files of decisions beside the shelf are refused.
    let text = private.project.read("my.toml");
    private.project.write("my.toml", format!("decisions = [\"tmp/decisions.jsonl\"]\n{text}"));
    private.project.write("tmp/decisions.jsonl", "");
    private.run(&Private::BUILD).exits(4).says("would lie in clear");
    fs::remove_file(private.project.path("tmp/decisions.jsonl")).unwrap();
    private.keeps_quiet();
}

#[test]
fn a_book_is_added_listed_sealed_anew_and_removed() {
    let private = Private::new(4, 5);
    private
        .run(&["shelf", "add", &private.book(), "--key", "ann.key"])
        .exits(0)
        .says("added n01: ");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("1 book, 1 maintainer");
    let titles =
        private.command(&["shelf", "list", "--titles", "--key", "ann.key"]).output().unwrap();
    assert!(Said::of(&titles).text.contains(MARKS[0]), "titles are told to who asks for them");
    let bob = private.run(&["shelf", "key", "--key", "bob.key", "--no-passphrase"]).exits(0).text;
    private
        .run(&["shelf", "list", "--key", "bob.key"])
        .exits(4)
        .says("this key does not open the shelf");
    private
        .run(&["shelf", "rekey", "--add", bob.trim(), "--key", "ann.key"])
        .exits(0)
        .says("2 maintainers");
    private.run(&["shelf", "check", "--key", "bob.key"]).exits(0).says("all of them whole");
    private.run(&["shelf", "rekey", "--remove", bob.trim(), "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "check", "--key", "bob.key"]).exits(4).says("removed");
    private.run(&["shelf", "remove", "n01", "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("0 books");
    assert_eq!(fs::read_dir(private.project.path("shelf/records")).unwrap().count(), 0);
    private.keeps_quiet();
}

#[cfg(unix)]
#[test]
fn a_key_file_is_its_owners_alone_and_may_have_a_passphrase() {
    use std::os::unix::fs::PermissionsExt;
    let private = Private::new(2, 5);
    let mode = fs::metadata(private.project.path("ann.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let say = |args: &[&str], word: &str| {
        let mut child = private.command(args);
        let mut child = child
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(format!("{word}\n").as_bytes()).unwrap();
        Said::of(&child.wait_with_output().unwrap())
    };
    say(&["shelf", "init", "--shelf", "bob", "--key", "bob.key"], "correct horse").exits(0);
    assert!(!private.project.path("bob.key").to_string_lossy().is_empty());
    say(&["shelf", "list", "--shelf", "bob", "--key", "bob.key"], "correct horse").exits(0);
    let said = say(&["shelf", "list", "--shelf", "bob", "--key", "bob.key"], "Tr0ub4dor").exits(4);
    assert!(said.text.contains("passphrase") && !said.text.contains("Tr0ub4dor"), "{}", said.text);
    private.keeps_quiet();
}

#[test]
fn bad_input_is_told_in_words_of_our_own_and_the_shelf_stays_as_it_was() {
    let private = Private::new(4, 5);
    private.add().workflow(None);
    let shelf = private.project.path("shelf");
    let before = files(&shelf);
    let list = ["shelf", "list", "--key", "ann.key"];
    private.run(&["shelf", "list"]).exits(4).says("no key was named");
    private.run(&["shelf", "list", "--key", "none.key"]).exits(4).says("cannot read the key");
    private.run(&["shelf", "list", "--key", "my.toml"]).exits(4).says("holds no key of age");
    private.run(&["shelf", "list", "--key", &private.book()]).exits(4).says("holds no key of age");
    private.run(&["shelf", "key", "--key", "bob.key", "--no-passphrase"]).exits(0);
    private.run(&["shelf", "list", "--key", "bob.key"]).exits(4).says("does not open the shelf");
    private
        .run(&["shelf", "init", "--key", "ann.key"])
        .exits(4)
        .says("there is a shelf in this folder already");
    private
        .run(&["shelf", "list", "--shelf", "tmp", "--key", "ann.key"])
        .exits(4)
        .says("there is no shelf");
    private.run(&["shelf", "add", &private.book(), "--key", "ann.key"]).exits(4).says("already");
    private.run(&["shelf", "remove", "n02", "--key", "ann.key"]).exits(4).says("no book `n02`");
    private
        .run(&["shelf", "rekey", "--add", "age1zzz", "--key", "ann.key"])
        .exits(4)
        .says("not a public key");
    private.run(&["shelf", "rekey", "--remove", "age1zzz", "--key", "ann.key"]).exits(4);
    let broken = private.books.path().join("broken.epub");
    let whole = epub(4, 5);
    fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    private
        .run(&["shelf", "add", broken.to_str().unwrap(), "--key", "ann.key"])
        .exits(4)
        .says("no book can be made");
    private.run(&["build", "my.toml"]).exits(4).says("no shelf is open");
    fs::remove_dir_all(private.project.path(".storymill")).ok();
    assert_eq!(files(&shelf), before);
    // Damage, file by file.
    for (path, bytes) in before.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let (last, rest) = bytes.split_last().unwrap();
        for bad in [&bytes[..bytes.len() / 2], &[rest, &[last ^ 1]].concat()] {
            fs::write(path, bad).unwrap();
            let damaged = files(&shelf);
            private.run(&["shelf", "check", "--key", "ann.key"]).exits(9).says("shelf");
            assert_eq!(files(&shelf).len(), damaged.len());
            fs::write(path, bytes).unwrap();
        }
    }
    private.run(&list).exits(0);
    private.keeps_quiet();
}

#[test]
fn a_private_build_is_in_the_shelf_and_nowhere_else() {
    let server = Server::start(1, Duration::ZERO);
    let private = Private::new(6, 6);
    private.add().workflow(Some(server.port));
    private.run(&Private::BUILD).exits(0).says("nothing is published");
    private.keeps_quiet();
    // It goes on from what is in there: nothing is asked again.
    let seen = server.asked();
    assert!(seen > 0);
    let json: Vec<&str> = Private::BUILD.into_iter().chain(["--message-format", "json"]).collect();
    private.run(&json).exits(0);
    private.run(&Private::BUILD.into_iter().chain(["--frozen"]).collect::<Vec<_>>()).exits(0);
    assert_eq!(server.asked(), seen);
    private.keeps_quiet();
    // Another key, another machine: refused before anything is asked.
    let text = private.project.read("my.toml").replace("127.0.0.1", "192.0.2.1");
    private.project.write("my.toml", &text);
    private.run(&Private::BUILD).exits(4).says("send_private_to");
    private.project.write(
        "my.toml",
        format!("send_private_to = [\"http://192.0.2.1:{}\"]\n{text}", server.port),
    );
    private.run(&Private::BUILD).exits(0);
    private.keeps_quiet();
}

#[test]
fn a_server_that_repeats_what_it_was_sent_is_not_repeated() {
    let server = Server::echoing();
    let private = Private::new(4, 5);
    private.add().workflow(Some(server.port));
    private.run(&Private::BUILD).exits(8).says("kept in the shelf");
    private
        .run(&Private::BUILD.into_iter().chain(["--message-format", "json"]).collect::<Vec<_>>())
        .exits(8);
    private.keeps_quiet();
}

#[test]
fn killed_at_any_point_nothing_is_in_clear_and_the_next_build_goes_on() {
    let server = Server::start(0, Duration::from_millis(2));
    let private = Private::new(10, 8);
    private.add().workflow(Some(server.port));
    let start = Instant::now();
    private.run(&Private::BUILD).exits(0);
    let took = start.elapsed();
    let wanted = if full() { 20 } else { 5 };
    for point in 0..wanted {
        let private = Private::new(10, 8);
        private.add().workflow(Some(server.port));
        // Every other time a signal that would leave a core file, where core files are on.
        let mut child = Command::new("sh");
        child
            .args([
                "-c",
                "ulimit -c unlimited 2>/dev/null; exec \"$0\" \"$@\"",
                env!("CARGO_BIN_EXE_storymill"),
            ])
            .args(Private::BUILD);
        let out = tempfile::tempfile().unwrap();
        let mut child = child
            .current_dir(private.project.path(""))
            .env("TMPDIR", private.project.path("tmp"))
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out.try_clone().unwrap())
            .spawn()
            .unwrap();
        std::thread::sleep(
            took.mul_f64(f64::from(point) / f64::from(wanted)).max(Duration::from_millis(3)),
        );
        let signal = if point % 2 == 0 { "-KILL" } else { "-QUIT" };
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        private.keeps_quiet();
        private.run(&Private::BUILD).exits(0);
        private.run(&["shelf", "check", "--key", "ann.key"]).exits(0);
        private.keeps_quiet();
    }
}

fn registry() -> Registry {
    let registry = Registry::new()
        .with_source::<storymill_shelf::ShelfBooks>()
        .with_all(storymill_transforms::register);
    storymill_dataset::Tables::standard().names().fold(registry, Registry::with_table_named)
}

/// Adds the book and builds, all of it over one disk; the digests of everything that came of it.
fn build(folder: &Path, key: &Key, page: &[u8], disk: Arc<dyn Disk>) -> Result<Vec<Digest>, Fault> {
    // A shelf that a failed build was lent is given back.
    storymill_shelf::lend(None);
    let workflow = Workflow::read(&folder.join("my.toml"), &registry()).unwrap();
    let shelf = Arc::new(Shelf::open(&folder.join("shelf"), disk, key, Access::Change)?);
    let cleaned = storymill_sources::clean(page, "n01.epub").unwrap();
    Books(&shelf).add(cleaned.book("n01".parse().unwrap(), None), "n01.epub", page, true)?;
    storymill_shelf::lend(Some(Arc::clone(&shelf)));
    let disk: Arc<dyn Disk> = Arc::new(Mount::new(shelf));
    let store = Store::open(Path::new(MOUNT).join("store"), disk, Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let outcome = run(&workflow, &store, &NoModel, &(), &options);
    storymill_shelf::lend(None);
    Ok(outcome?.parts.values().flatten().map(|part| part.digest).collect())
}

#[test]
fn whatever_fails_on_the_way_nothing_is_in_clear_and_it_can_go_on() {
    let (page, key) = (epub(1, 3), Key::mint());
    let fresh = || {
        let private = Private::new(1, 3);
        private.workflow(None);
        fs::remove_dir_all(private.project.path("shelf")).unwrap();
        Shelf::make(&private.project.path("shelf"), Arc::new(RealDisk), &key, &[]).unwrap();
        private
    };
    let calm = fresh();
    let counting = Arc::new(FaultyDisk::new(u64::MAX, Failure::Once));
    let expected = build(&calm.project.path(""), &key, &page, counting.clone()).unwrap();
    let steps = counting.operations();
    let every = if full() { 1 } else { (steps / 12).max(1) };
    for failure in [Failure::Once, Failure::Dead, Failure::Full] {
        for at in (0..steps).step_by(usize::try_from(every).unwrap()) {
            let private = fresh();
            let folder = private.project.path("");
            let failed = build(&folder, &key, &page, Arc::new(FaultyDisk::new(at, failure)));
            if let Err(fault) = &failed {
                let mut told = format!("{fault} {fault:?}");
                let mut source = std::error::Error::source(fault);
                while let Some(cause) = source {
                    told += &cause.to_string();
                    source = cause.source();
                }
                assert_eq!(marked(told.as_bytes()), None, "{told}");
            }
            private.keeps_quiet();
            let again = build(&folder, &key, &page, Arc::new(RealDisk)).unwrap();
            assert_eq!(again, expected, "{failure:?} at {at} of {steps}");
            private.keeps_quiet();
        }
    }
    println!("{steps} operations of the disk, every {every}th of them made to fail in three ways");
}

#[test]
fn a_long_novel_is_added_within_two_seconds() {
    let private = Private::new(1, 1);
    // 250,000 words and a few: 43 in a paragraph.
    fs::write(private.books.path().join("long.epub"), epub(62, 95)).unwrap();
    let long = private.books.path().join("long.epub");
    let start = Instant::now();
    let said = private.run(&["shelf", "add", long.to_str().unwrap(), "--key", "ann.key"]).exits(0);
    let took = start.elapsed();
    let words: u64 = said.text.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!(words >= 250_000, "{}", said.text);
    println!("{words} words in {took:?}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    private.keeps_quiet();
}

/// Pairs of claims as lines of JSON, with words that stand nowhere else.
fn pairs(book: &str, from: usize, count: usize) -> String {
    let pair = |at: usize| {
        let id = format!("{book}/{at:04}");
        serde_json::json!({
            "id": id, "book": book, "true_claim": format!("{} finds the {} in May, on day {at}.", MARKS[0], MARKS[1]),
            "false_claim": format!("{} finds the {} in May, on day {at}.", MARKS[2], MARKS[1]), "explanation": format!("It was {}.", MARKS[0]),
            "true_scope": "sentence", "false_scope": "passage", "model_written": false, "added_in": "1.0.0",
        })
        .to_string()
    };
    (from..from + count).map(pair).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_set_is_stated_grown_retired_revealed_and_published() {
    let private = Private::new(3, 5);
    private.add();
    let at = |name: &str| private.books.path().join(name).to_str().unwrap().to_owned();
    fs::copy(private.book(), at("open.epub")).unwrap();
    private
        .run(&["shelf", "add", &at("open.epub"), "--public-domain", "--key", "ann.key"])
        .exits(0);
    fs::write(at("pairs"), pairs("n01", 0, 7) + "\n" + &pairs("open", 0, 3)).unwrap();
    private
        .run(&["shelf", "pairs", "family", &at("pairs"), "--key", "ann.key"])
        .exits(0)
        .says("10 pairs");
    let state = |version: &str, out: &str| {
        private.run(&[
            "shelf",
            "state",
            "family",
            "--version",
            version,
            "--out",
            out,
            "--key",
            "ann.key",
        ])
    };
    private
        .run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"])
        .exits(4)
        .says("no statement");
    state("1.0.0", "one.json").exits(0).says("10 pairs");
    private.run(&["verify", "one.json"]).exits(0).says("10 pairs");
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("statement 1");

    // A pair goes: not without a word.
    fs::write(at("pairs"), pairs("n01", 1, 7) + "\n" + &pairs("open", 0, 3)).unwrap();
    private.run(&["shelf", "pairs", "family", &at("pairs"), "--key", "ann.key"]).exits(0);
    private
        .run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"])
        .exits(4)
        .says("has changed");
    state("1.1.0", "two.json").exits(4).says("nobody has said why");
    assert!(!private.project.path("two.json").exists());
    private
        .run(&[
            "shelf",
            "retire",
            "family",
            "n01/0000",
            "--reason",
            "two events in one",
            "--key",
            "ann.key",
        ])
        .exits(0);
    state("1.1.0", "two.json").exits(0);
    private
        .run(&["verify", "two.json", "--before", "one.json"])
        .exits(0)
        .says("9 kept, 1 added; 1 retired");
    private.run(&["verify", "one.json", "--before", "two.json"]).exits(7).says("not so");
    let forged = private.project.read("two.json").replace("two events in one", "another reason");
    private.project.write("forged.json", forged);
    private.run(&["verify", "forged.json", "--before", "one.json"]).exits(0);
    private
        .run(&[
            "shelf",
            "retire",
            "family",
            "n01/0001",
            "--reason",
            "subjective",
            "--key",
            "ann.key",
        ])
        .exits(0);
    fs::write(at("pairs"), pairs("n01", 2, 6) + "\n" + &pairs("open", 0, 3)).unwrap();
    private.run(&["shelf", "pairs", "family", &at("pairs"), "--key", "ann.key"]).exits(0);
    state("1.2.0", "three.json").exits(0);
    private
        .run(&["verify", "three.json", "--before", "forged.json"])
        .exits(7)
        .says("does not follow");
    private.run(&["verify", "three.json", "--before", "two.json"]).exits(0).says("2 retired");

    // What is published holds no word of the private book; what is revealed holds one pair.
    private
        .run(&[
            "shelf", "publish", "family", "--public", "out", "--text", "n01", "--key", "ann.key",
        ])
        .exits(4)
        .says("i-hold-rights");
    private.run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"]).exits(0);
    let open = private.project.read("out/pairs.jsonl");
    assert_eq!((open.lines().count(), open.contains("n01")), (3, false));
    assert!(open.lines().all(|line| line.contains("storymill-canary-")));
    for (path, bytes) in files(&private.project.path("out")) {
        assert!(path.ends_with("pairs.jsonl") || marked(&bytes).is_none(), "{}", path.display());
    }
    let about: serde_json::Value =
        serde_json::from_str(&private.project.read("out/about.json")).unwrap();
    assert_eq!(
        (&about["pairs"], &about["pairs_in_full"], &about["pairs_retired"]),
        (&9.into(), &3.into(), &2.into())
    );
    assert_eq!(about["by_scope"]["passage"], 9);
    private
        .run(&["verify", "out/statements/0003.json", "--before", "out/statements/0002.json"])
        .exits(0);
    private.run(&["shelf", "publish", "family", "--public", "out", "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "publish", "family", "--public", "tmp/..", "--key", "ann.key"]).exits(9);
    let rights = private
        .workflow(None)
        .project
        .read("my.toml")
        .replace("license = ", "i-hold-rights = true\nlicense = ");
    private.project.write("my.toml", rights);
    private
        .run(&[
            "shelf",
            "publish",
            "family",
            "--public",
            "all",
            "--text",
            "n01",
            "--workflow",
            "my.toml",
            "--key",
            "ann.key",
        ])
        .exits(0);
    assert!(marked(private.project.read("all/texts/n01.txt").as_bytes()).is_some());
    assert!(private.project.read("all/about.json").contains("\"i_hold_rights\": true"));
    private
        .run(&["shelf", "reveal", "family", "n01/0004", "--out", "pair.json", "--key", "ann.key"])
        .exits(0);
    private.run(&["verify", "three.json", "--revealed", "pair.json"]).exits(0).says("1 of 1");
    let other = private.project.read("pair.json").replace(MARKS[0], MARKS[2]);
    private.project.write("other.json", other);
    private
        .run(&["verify", "three.json", "--revealed", "other.json"])
        .exits(7)
        .says("not what the set held");
    private
        .run(&["verify", "two.json", "--revealed", "pair.json"])
        .exits(7)
        .says("another statement");
    nothing_leaks(&private.project.path("shelf"));
}

#[test]
fn pairs_that_are_wrong_are_told_by_their_line_alone() {
    let private = Private::new(2, 5);
    private.add();
    let file = private.books.path().join("pairs");
    private.project.write("my.toml", "");
    let before = files(&private.project.path("shelf"));
    let lost = pairs("n01", 0, 1).replace("\"id\"", "\"ident\"");
    for (text, says) in [
        (format!("{}\n{{\"id\": \"{}", pairs("n01", 0, 1), MARKS[0]), "line 2 is no JSON"),
        (lost, "line 1 holds no pair with an `id`"),
        (pairs("n02", 0, 1), "pair 1 is about a book that is not on the shelf"),
        (pairs("n01", 0, 2) + "\n" + &pairs("n01", 1, 1), "pair 3 has the id of another"),
    ] {
        fs::write(&file, text).unwrap();
        private
            .run(&["shelf", "pairs", "family", file.to_str().unwrap(), "--key", "ann.key"])
            .exits(4)
            .says(says);
    }
    private.run(&["shelf", "pairs", "a/b", file.to_str().unwrap(), "--key", "ann.key"]).exits(4);
    private
        .run(&["shelf", "state", "family", "--version", "1.0.0", "--key", "ann.key"])
        .exits(4)
        .says("no set `family`");
    private.run(&["shelf", "state", "family", "--version", "one", "--key", "ann.key"]).exits(2);
    private
        .run(&["shelf", "retire", "family", "n01/0000", "--reason", "no", "--key", "ann.key"])
        .exits(4);
    private
        .run(&["shelf", "reveal", "family", "n01/0000", "--out", "pair.json", "--key", "ann.key"])
        .exits(4);
    private.run(&["verify", "my.toml"]).exits(4).says("this is no statement");
    assert_eq!(files(&private.project.path("shelf")), before);
    private.keeps_quiet();
}
