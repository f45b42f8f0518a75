//! Private books: sealed, built from, and nowhere in clear. What is looked for are words that stand in
//! no other book.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use storymill_core::{Digest, Disk, Fault};
use storymill_disk::RealDisk;
use storymill_pipeline::{Claim, NoModel, Registry, RunOptions, Store, Workflow, run};
use storymill_shelf::{Access, Books, Key, MOUNT, Mount, Shelf};

use crate::faulty::{Failure, FaultyDisk};
use crate::{
    leaks::{MARKS, Private, Said, epub, files, marked},
    models::Server,
    project::full,
};

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
    // Pages would show words to whoever looks at the screen.
    let pages = ["review", "my.toml", "--shelf", "shelf", "--key", "ann.key"];
    private.run(&pages).exits(4).says("the words of private books").says("--list");
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
        .says("not a choice");
    let table = format!("review,choice\n{id},burn\n");
    private.project.write("votes.csv", table);
    private
        .run(&[&pages[..], &["--import", "votes.csv", "--by", "a reader"]].concat())
        .exits(4)
        .says("line 2 cannot be read as votes")
        .says("`--texts` tells why");
    fs::remove_file(private.project.path("votes.csv")).unwrap();
    let decide = format!("{id}={other}");
    private
        .run(&[&reviews[..], &["--decide", &decide, "--by", "a reader"]].concat())
        .exits(0)
        .says("written to the shelf");
    private.run(&reviews).exits(0).says("decided");
    let open: serde_json::Value = serde_json::from_str(
        &private.run(&[&reviews[..], &["--list=open", "--format", "json"]].concat()).exits(0).text,
    )
    .unwrap();
    assert!(open.as_array().unwrap().iter().all(|one| one["id"] != id));
    // The next build obeys, and keeps to it.
    let after = parts(private.run(&[&Private::BUILD[..], &["--format", "json"]].concat()));
    assert_ne!(before, after);
    private.run(&reviews).exits(0).says("decided");
    // The vote is a row of the dataset, which lies in the shelf with the file of decisions; nothing of it is anywhere else.
    let votes = ["inspect", "mine", "--config", "votes", "--shelf", "shelf", "--key", "ann.key"];
    private.run(&votes).exits(0).says("1 row");
    private.keeps_quiet();
    for (file, bytes) in files(&private.project.path("")) {
        let holds = |word: &str| bytes.windows(word.len()).any(|at| at == word.as_bytes());
        for word in ["a reader", "reader-01", id] {
            assert!(!holds(word), "`{word}` in {}", file.display());
        }
        assert!(!file.to_string_lossy().contains("votes"), "{}", file.display());
    }
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
    private
        .run(&["shelf", "add", &private.book(), "--rights", "public domian", "--key", "ann.key"])
        .exits(4)
        .says("did you mean `public-domain`?");
    let titles =
        private.command(&["shelf", "list", "--titles", "--key", "ann.key"]).output().unwrap();
    assert!(Said::of(&titles).text.contains(MARKS[0]), "titles are told to who asks for them");
    let bob = private
        .run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"])
        .exits(0)
        .text;
    private
        .run(&["shelf", "list", "--key", "bob.key"])
        .exits(4)
        .says("this key does not open the shelf");
    private
        .run(&["shelf", "rekey", "--add", bob.trim(), "--key", "ann.key"])
        .exits(0)
        .says("2 maintainers");
    private
        .run(&["verify", "--shelf", "shelf", "--key", "bob.key"])
        .exits(0)
        .says("all of them whole");
    // Parts of it are checked on different days, and together they are the whole.
    let part = |part: &[&str]| {
        let args = ["verify", "--shelf", "shelf", "--format", "json", "--key", "bob.key"];
        let said = private.run(&[&args[..], part].concat()).exits(0).text;
        serde_json::from_str::<serde_json::Value>(&said).unwrap()["files"].as_u64().unwrap()
    };
    let parts: u64 = (1..=3).map(|at| part(&["--subset", &format!("{at}/3")])).sum();
    assert_eq!(parts, part(&[]));
    private
        .run(&["verify", "--shelf", "shelf", "--subset", "5/4", "--key", "bob.key"])
        .exits(2)
        .says("expected `i/N`");
    private.run(&["shelf", "rekey", "--remove", bob.trim(), "--key", "ann.key"]).exits(0);
    private.run(&["verify", "--shelf", "shelf", "--key", "bob.key"]).exits(4).says("removed");
    private.run(&["shelf", "remove", "n01", "--key", "ann.key"]).exits(0);
    private.run(&["shelf", "list", "--key", "ann.key"]).exits(0).says("0 books");
    assert_eq!(fs::read_dir(private.project.path("shelf/records")).unwrap().count(), 0);
    private.keeps_quiet();
}

#[test]
fn a_private_build_says_why_it_ends_so() {
    let private = Private::new(2, 5);
    private.add().workflow(None);
    let text = private.project.read("my.toml");
    let (text, _) = text.rsplit_once("from = \"questions\"").unwrap();
    let french = "from = \"kept\"\n\n[stage.kept.sort]\nfrom = \"books\"\nlanguages = [\"fr\"]\n";
    private.project.write("my.toml", format!("{text}{french}"));
    private.run(&Private::BUILD).exits(15).says("exit code 15: the reasons above");
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
    // No passphrase is asked for where no shelf can be made.
    let init = ["shelf", "init", "--key", "eve.key"];
    private.run(&init).exits(4).says("there is a shelf in this folder already");
    private.run(&[&init[..], &["--shelf", "eve"]].concat()).exits(4).says("in a terminal you are");
    assert!(!private.project.path("eve.key").exists());
    say(&["shelf", "init", "--shelf", "bob", "--key", "bob.key"], "correct horse").exits(0);
    assert!(!private.project.path("bob.key").to_string_lossy().is_empty());
    say(&["shelf", "list", "--shelf", "bob", "--key", "bob.key"], "correct horse").exits(0);
    let said = say(&["shelf", "list", "--shelf", "bob", "--key", "bob.key"], "Tr0ub4dor").exits(4);
    assert!(said.text.contains("passphrase") && !said.text.contains("Tr0ub4dor"), "{}", said.text);
    private.keeps_quiet();
}

/// A key that is opened once serves commands that nobody can be asked by, until it is locked or its time is over.
#[cfg(unix)]
#[test]
fn a_key_stays_open_for_some_time() {
    use std::os::unix::fs::PermissionsExt;
    let private = Private::new(2, 5);
    let session = private.books.path().join("session");
    fs::create_dir(&session).unwrap();
    let word = private.books.path().join("word");
    fs::write(&word, "correct horse\nbattery\n").unwrap();
    fs::set_permissions(&word, fs::Permissions::from_mode(0o600)).unwrap();
    let bob = ["--key", "bob.key"];
    let run = |args: &[&str], file: Option<&std::path::Path>| {
        let mut command = private.command(args);
        command.env("XDG_RUNTIME_DIR", &session).env_remove("STORYMILL_PASSPHRASE_FILE");
        if let Some(file) = file {
            command.env("STORYMILL_PASSPHRASE_FILE", file);
        }
        Said::of(&command.output().unwrap())
    };
    let made = ["shelf", "init", "--shelf", "bob", "--key", "bob.key"];
    let list = ["shelf", "list", "--shelf", "bob", "--key", "bob.key"];
    let unlock = |time| ["shelf", "unlock", "--for", time, "--key", "bob.key"];
    run(&made, Some(&word)).exits(0);
    run(&list, None).exits(4).says("no passphrase came");
    run(&list, Some(&word)).exits(0);
    let open = session.join("storymill");
    let keys = || fs::read_dir(&open).map_or(0, Iterator::count);
    // Only the right passphrase opens, for a time that there is, a key that is locked, in a session.
    run(&unlock("8h"), None).exits(4);
    run(&unlock("30h"), Some(&word)).exits(2).says("at most `24h`");
    run(&["shelf", "unlock", "--key", "ann.key"], Some(&word)).exits(4).says("has no passphrase");
    let mut nowhere = private.command(&["shelf", "unlock", bob[0], bob[1]]);
    nowhere.env_remove("XDG_RUNTIME_DIR").env("STORYMILL_PASSPHRASE_FILE", &word);
    Said::of(&nowhere.output().unwrap()).exits(4).says("STORYMILL_PASSPHRASE_FILE");
    assert_eq!(keys(), 0);
    run(&unlock("8h"), Some(&word)).exits(0).says("bob.key is open until 20");
    let file = fs::read_dir(&open).unwrap().next().unwrap().unwrap().path();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&open), mode(&file)), (0o700, 0o600));
    run(&list, None).exits(0);
    // What others may read is not trusted, and another key file is another key.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    run(&list, None).exits(4);
    run(&["shelf", "unlock", "--end"], None).exits(0).says("1 key closed");
    run(&list, None).exits(4);
    assert_eq!(keys(), 0);
    // What a kill has left is no key of anybody's, and goes as well.
    fs::write(open.join("0.1.new"), "# open until 99999999999\n").unwrap();
    run(&["shelf", "unlock", "--end"], None).exits(0).says("1 key closed");
    run(&unlock("1s"), Some(&word)).exits(0);
    std::thread::sleep(std::time::Duration::from_millis(2100));
    run(&list, None).exits(4);
    assert_eq!(keys(), 0);
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
    private.run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"]).exits(0);
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
        .says("cannot make a book");
    private.run(&["build", "my.toml"]).exits(4).says("no shelf is open");
    fs::remove_dir_all(private.project.path(".storymill")).ok();
    assert_eq!(files(&shelf), before);
    // Damage, file by file.
    for (path, bytes) in before.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let (last, rest) = bytes.split_last().unwrap();
        for bad in [&bytes[..bytes.len() / 2], &[rest, &[last ^ 1]].concat()] {
            fs::write(path, bad).unwrap();
            let damaged = files(&shelf);
            private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(9).says("shelf");
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
    private.run(&Private::BUILD).exits(8).says("may quote private text");
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
        private.core_before_the_key();
        private.keeps_quiet();
        private.run(&Private::BUILD).exits(0);
        private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0);
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
    let mut workflow = Workflow::read(&folder.join("my.toml"), &registry()).unwrap();
    let shelf = Arc::new(Shelf::open(&folder.join("shelf"), disk, key, Access::Change)?);
    let cleaned = storymill_sources::clean(page, "n01.epub").unwrap();
    Books(&shelf).add(cleaned.book("n01".parse().unwrap(), None), "n01.epub", page, true)?;
    workflow.lent.lend(Arc::clone(&shelf));
    let disk: Arc<dyn Disk> = Arc::new(Mount::new(shelf));
    let store = Store::open(Path::new(MOUNT).join("store"), disk, Claim::Whole)?;
    let options = RunOptions { threads: 1, shard: None, stop: &AtomicBool::new(false) };
    let run = run(&workflow, &store, &NoModel, &(), &options)?;
    Ok(run.outcome.parts.values().flatten().map(|part| part.digest).collect())
}

#[test]
fn whatever_fails_on_the_way_nothing_is_in_clear_and_it_can_go_on() {
    let (page, key) = (epub(1, 3), Key::mint().unwrap());
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
    // The best of three: other tests run beside it.
    let add = |id: &str| {
        let start = Instant::now();
        let add = ["shelf", "add", long.to_str().unwrap(), "--id", id, "--key", "ann.key"];
        let said = private.run(&add).exits(0);
        let took = start.elapsed();
        let words: u64 = said.text.split_whitespace().nth(2).unwrap().parse().unwrap();
        assert!(words >= 250_000, "{}", said.text);
        took
    };
    let took = ["long1", "long2", "long3"].into_iter().map(add).min().unwrap();
    println!("{took:?}");
    let most = if cfg!(debug_assertions) { 20 } else { 2 };
    assert!(took < Duration::from_secs(most), "{took:?}");
    private.keeps_quiet();
}
