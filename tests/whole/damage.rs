//! Damage to the answer log: told before anything is asked again, and asked again only where that is said.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::Duration,
};

use crate::{
    models::{Server, build, project},
    project::Project,
};

/// The files of the log that end so.
fn files(project: &Project, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.path(".storymill/answers")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|own| own == end)).collect()
}

/// The number behind some words.
fn number_behind(words: &str, text: &str) -> u32 {
    let behind = text.split_once(words).unwrap_or_else(|| panic!("`{words}` in {text}")).1;
    behind
        .split(|c: char| !c.is_ascii_digit())
        .find(|part| !part.is_empty())
        .unwrap()
        .parse()
        .unwrap()
}

/// Flips bits all over a stretch of the only pack; its name.
fn flip(project: &Project, bits: usize, stretch: std::ops::Range<usize>) -> String {
    let [pack] = &files(project, "pack")[..] else { panic!("one pack") };
    flip_in(pack, bits, stretch)
}

fn flip_in(pack: &Path, bits: usize, stretch: std::ops::Range<usize>) -> String {
    let mut bytes = fs::read(pack).unwrap();
    let (from, to) = (bytes.len() * stretch.start / 100, bytes.len() * stretch.end / 100);
    for bit in 0..bits {
        let at = (from + (to - from) * bit / bits).max(16);
        bytes[at] ^= 1 << (bit % 8);
    }
    fs::write(pack, bytes).unwrap();
    pack.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn lost_answers_are_told_before_they_are_asked_for_again() {
    // The index is whole, or it is hit too.
    for stretch in [0..60, 0..100] {
        let server = Server::start(0, Duration::ZERO);
        let project = project(&server, 4);
        assert_eq!(build(&project, &[]).0, 0);
        let (requests, manifest) = (server.asked(), project.manifest("out/mine"));
        let pack = flip(&project, 30, stretch);

        let plan = project.run(&["plan", "my.toml", "--cost"]).exits(0);
        let plan = plan.says(&pack).says("--ask-again").says("asks `default` next");
        let lost = number_behind("has lost ", &plan.err());
        assert!((8..=30).contains(&lost), "{lost} of {requests}");
        assert_eq!(number_behind("asks `default` next: ", &plan.out()), lost);
        for args in [&[][..], &["--frozen"], &["--prices", "prices.toml"]] {
            project.write("prices.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\n");
            let (code, text) = build(&project, args);
            assert_eq!(code, 7, "{text}");
            assert_eq!(number_behind("has lost ", &text), lost, "{text}");
            assert!(text.contains(&pack) && text.contains("--ask-again"), "{text}");
            let tokens =
                format!("{lost} of `teller` ({} tokens in and {} out", 100 * lost, 60 * lost);
            assert!(text.contains(&tokens), "{text}");
            assert_eq!(text.contains(", $0.0"), args.contains(&"--prices"), "{text}");
        }
        assert_eq!(server.asked(), requests, "nothing is asked");

        let (code, text) = build(&project, &["--ask-again"]);
        assert_eq!((code, server.asked()), (0, requests + lost), "{text}");
        assert_eq!(project.manifest("out/mine"), manifest);
        assert_eq!(files(&project, "damaged").len(), 1, "what was damaged is kept: {text}");
        // It was decided once and for all.
        assert_eq!((build(&project, &[]).0, server.asked()), (0, requests + lost));
        project.run(&["answers", "verify"]).exits(0);
        let plan = project.run(&["plan", "my.toml"]).exits(0);
        assert!(!plan.err().contains("damaged"), "{}", plan.err());
    }
}

#[test]
fn an_answer_that_was_read_is_not_replaced_in_silence_by_another_under_its_key() {
    for stretch in [0..60, 0..100] {
        let server = Server::start(0, Duration::ZERO);
        let project = project(&server, 2);
        assert_eq!(build(&project, &[]).0, 0);
        let [older] = &files(&project, "pack")[..] else { panic!("one pack") };
        server.later.store(100, Ordering::SeqCst);
        assert_eq!(build(&project, &["--mode", "live"]).0, 0);
        let (requests, manifest) = (server.asked(), project.manifest("out/mine"));
        let newer = files(&project, "pack").into_iter().find(|pack| pack != older).unwrap();
        let sound = fs::read(&newer).unwrap();
        let name = flip_in(&newer, 20, stretch);

        project.run(&["plan", "my.toml"]).exits(0).says(&name).says("has lost");
        let (code, text) = build(&project, &[]);
        assert_eq!((code, server.asked()), (7, requests), "{text}");
        assert!(text.contains(&name), "{text}");
        assert_eq!(project.manifest("out/mine"), manifest);
        // A copy under another name is as good.
        let copy = newer.with_file_name("copy.pack");
        fs::write(&copy, &sound).unwrap();
        project.run(&["plan", "my.toml"]).exits(0);
        let (code, text) = build(&project, &[]);
        assert_eq!((code, server.asked()), (0, requests), "{text}");
        assert_eq!(project.manifest("out/mine"), manifest);

        fs::remove_file(&copy).unwrap();
        let (code, text) = build(&project, &["--ask-again"]);
        assert!(code == 0 && text.contains("has lost"), "{text}");
    }
}

#[test]
fn a_pack_that_was_emptied_or_replaced_is_damaged() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    assert_eq!(build(&project, &[]).0, 0);
    let requests = server.asked();
    let [pack] = &files(&project, "pack")[..] else { panic!("one pack") };
    for bytes in
        [&b""[..], b"0123456789", b"version https://git-lfs.github.com/spec/v1\noid sha256:0"]
    {
        fs::write(pack, bytes).unwrap();
        project.run(&["plan", "my.toml"]).exits(0).says("at least");
        let (code, text) = build(&project, &[]);
        assert_eq!((code, server.asked()), (7, requests), "{text}");
    }
    let (code, text) = build(&project, &["--ask-again"]);
    assert_eq!((code, server.asked()), (0, 2 * requests), "{text}");
    assert_eq!(files(&project, "damaged").len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_answers_is_refused() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    project.write("precious/mine.log", "");
    fs::create_dir_all(project.path(".storymill")).unwrap();
    std::os::unix::fs::symlink(project.path("precious"), project.path(".storymill/answers"))
        .unwrap();
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 9, "{text}");
    assert!(text.contains("symbolic link"), "{text}");
    assert_eq!(fs::read_dir(project.path("precious")).unwrap().count(), 1);
}

#[test]
fn damage_stays_in_sight_until_somebody_decides() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 2);
    assert_eq!(build(&project, &[]).0, 0);
    let pack = flip(&project, 5, 0..100);
    // Whatever writes and seals meanwhile.
    for number in 0..9 {
        project.write("more.jsonl", format!("{{\"key\": \"{number:064}\", \"text\": \"x\"}}\n"));
        project.run(&["answers", "import", "more.jsonl"]).exits(0);
    }
    assert!(files(&project, "damaged").is_empty());
    assert_eq!(build(&project, &[]).0, 7);
    let (code, text) = build(&project, &["--ask-again"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(&pack), "{text}");
}

#[test]
fn what_a_killed_run_left_is_no_damage() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 2);
    assert_eq!(build(&project, &[]).0, 0);
    let asked = server.asked();
    let [pack] = &files(&project, "pack")[..] else { panic!("one pack") };
    let frames = fs::read(pack).unwrap();
    // A segment that ends in the middle of its second record.
    let length = u32::from_le_bytes(frames[20..24].try_into().unwrap()) as usize + 18;
    for cut in [1, 17, length - 1] {
        let torn = [b"storymill log 1\n", &frames[16..16 + length], &frames[16..16 + cut]].concat();
        project.write(".storymill/answers/1-0123456789abcdef.log", torn);
        let plan = project.run(&["plan", "my.toml"]).exits(0);
        assert!(!plan.err().contains("damaged"), "{}", plan.err());
        project.write("books/more.html", crate::project::page(&format!("more{cut}"), 2));
        let (code, text) = build(&project, &[]);
        assert_eq!(code, 0, "{text}");
        assert!(!text.contains("damaged"), "{text}");
    }
    assert!(server.asked() > asked);
    assert!(files(&project, "damaged").is_empty());
}

#[test]
fn answers_that_are_not_there_are_named_and_nothing_is_asked() {
    let server = Server::start(0, Duration::ZERO);
    let project = project(&server, 1);
    project.write(
        "my.toml",
        project.read("my.toml").replace("seed = 7", "seed = 7\nanswers = [\"anwsers\"]"),
    );
    let (code, text) = build(&project, &[]);
    assert_eq!((code, server.requests()), (4, 0), "{text}");
    assert!(text.contains("anwsers"), "{text}");
}
