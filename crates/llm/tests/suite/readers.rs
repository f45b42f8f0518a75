//! Readers: each line as the script has it, one process after another text, several at once; whatever a program does instead
//! is named; nothing is left behind, and nothing is read twice.

#![cfg(unix)]

use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use storymill_core::{
    Asked, Asker, Content, Fault, FaultKind, Request,
    reader::{Line, READER, Replies, Script, Who},
};
use storymill_llm::{
    Mode,
    reader::{Reader, Readers, introduced},
};

use crate::world::{Setting, World, world};

/// A program that does what it should, with a line of shell for each `read` and `ask`.
fn shell(read: &str, ask: &str) -> String {
    format!(
        "sh -c 'while read -r line; do case $line in {{\\\"reset*) echo {{}};; {{\\\"read*) {read};; *) {ask};; esac; done'"
    )
}

const FINE: &str = "echo {}";
const FIRST: &str = "echo {\\\"answer\\\":1}";

fn text(scenes: u32) -> Vec<Line> {
    let mut lines = vec![Line::reset("en")];
    for scene in 0..scenes {
        lines.push(Line::Read { scene, text: format!("Scene {scene}: “rain”.\n") });
        let options = vec!["Rain.".to_owned(), "Sun.".to_owned()];
        lines.push(Line::Ask { id: scene + 1, question: "What is it?".into(), options });
    }
    lines
}

fn reads(command: &str) -> Readers {
    let (commands, limit) = (vec![command.to_owned()], Duration::from_secs(20));
    Readers { commands, limit, at_once: 2 }
}

fn with(folder: &Path, readers: Readers, private: bool, mode: Mode) -> World {
    let World { asker, log, ear, stop } =
        world(folder, "http://127.0.0.1:9/v1", Setting { mode, ..Setting::default() });
    let asker = asker.with_local(READER, Arc::new(Reader::new(readers, private)));
    World { asker, log, ear, stop }
}

fn asked(world: &World, unit: &str, command: &str, lines: Vec<Line>) -> Asked {
    let reader = Who { command: command.to_owned(), ..Who::default() };
    let raw = serde_json::to_value(Script { reader, asked: Vec::new(), lines }).unwrap();
    let request = Request { model: READER.to_owned(), content: Content::Raw(raw), tries: 1 };
    world.asked(unit, request, 0, 0)
}

fn replies(world: &World, asked: &Asked) -> Replies {
    Replies::of(&world.asker.get(&asked.key).unwrap().unwrap().text).unwrap()
}

/// What comes of a text of three scenes.
fn plays(command: &str, limit: Duration) -> Result<Replies, Fault> {
    let folder = tempfile::tempdir().unwrap();
    let readers = Readers { limit, ..reads(command) };
    let world = with(folder.path(), readers, false, Mode::Prefer);
    let asked = asked(&world, "t", command, text(3));
    world.asker.ask(std::slice::from_ref(&asked))?;
    Ok(replies(&world, &asked))
}

fn is_alive(pid: &str) -> bool {
    // One that is dead and not yet fetched has a name and runs no more.
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    state.is_ok_and(|state| {
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    })
}

#[test]
fn a_reader_hears_each_line_of_one_text_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let command = format!(
        "sh -c 'while read -r line; do printf \"%s\\n\" \"$line\" >> {}; case $line in {{\\\"ask*) {FIRST};; *) {FINE};; esac; done'",
        heard.display()
    );
    let readers = Readers { at_once: 1, ..reads(&command) };
    let world = with(folder.path(), readers, false, Mode::Prefer);
    let wave: Vec<Asked> = [("a", 2), ("b", 3)]
        .map(|(unit, scenes)| asked(&world, unit, &command, text(scenes)))
        .into();
    world.asker.ask(&wave).unwrap();
    let lines = [text(2), text(3)].concat();
    let expected: Vec<String> =
        lines.iter().map(|line| serde_json::to_string(line).unwrap()).collect();
    assert_eq!(fs::read_to_string(&heard).unwrap().lines().collect::<Vec<_>>(), expected);
    assert_eq!(replies(&world, &wave[1]).answers.len(), 3);
    assert_eq!(world.asker.answered_here(), 2);
    // Both are in the log: another run reads nothing, and a frozen one neither.
    drop(world);
    for mode in [Mode::Prefer, Mode::Frozen] {
        let world = with(folder.path(), Readers::default(), false, mode);
        world.asker.ask(&wave).unwrap();
        assert_eq!(replies(&world, &wave[0]).answers.len(), 2);
    }
}

#[track_caller]
fn check(read: &str, ask: &str, answers: usize, expected: &str) {
    let begun = Instant::now();
    let replies = plays(&shell(read, ask), Duration::from_millis(700)).unwrap();
    let failed = replies.failed.unwrap_or_default();
    assert!(failed.contains(expected), "{failed}");
    assert_eq!(replies.answers.len(), answers, "{failed}");
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn what_a_program_does_instead_is_named() {
    check(
        "echo Oh no >&2; exit 3",
        FIRST,
        0,
        "the program ended (exit status: 3), with no reply to `read` of scene 0; its last words: Oh no",
    );
    check(FINE, "exit 0", 0, "the program ended (exit status: 0), with no reply to `ask` 1");
    check("kill -9 $$", FIRST, 0, "the program ended (signal: 9");
    check("exec >&-; sleep 60", FIRST, 0, "the program closed its output, with no reply");
    check("sleep 60", FIRST, 0, "no reply to `read` of scene 0 within 0.7 s");
    check(FINE, "sleep 60", 0, "no reply to `ask` 1 within 0.7 s");
    check(
        "echo loading",
        FIRST,
        0,
        "the reply to `read` of scene 0 is not JSON (only replies belong on standard output, a line each): `loading`",
    );
    check("echo", FIRST, 0, "is not JSON");
    check("echo 3", FIRST, 0, "is not a JSON object: `3`");
    check("head -c 1100000 /dev/zero | tr \"\\000\" x; echo", FIRST, 0, "is longer than 1 MiB");
    check(
        FIRST,
        FIRST,
        0,
        "the reply to `read` of scene 0 has an `answer`: the program is out of step",
    );
    check("echo {}; echo {}; sleep 0.1", FIRST, 0, "out of step");
    check(FINE, FINE, 0, "the reply to `ask` 1 has no `answer`");
    check(
        FINE,
        "echo {\\\"answer\\\":1,\\\"id\\\":7}",
        0,
        "`ask` 1 is to 7: the program is out of step",
    );
    check(FINE, "echo {\\\"answer\\\":[1]}", 0, "neither a text nor the number of an option");
    check(
        FINE,
        "echo {\\\"answer\\\":1,\\\"tokens\\\":\\\"many\\\"}",
        0,
        "the reply to `ask` 1: invalid type",
    );
    // What was answered before counts.
    let twice = "n=$((n+1)); [ $n = 3 ] && exit 1; echo {\\\"answer\\\":1}";
    check(FINE, twice, 2, "with no reply to `ask` 3");
    let good = plays(&shell(FINE, FIRST), Duration::from_secs(20)).unwrap();
    assert_eq!((good.answers.len(), good.failed), (3, None));
}

#[test]
fn one_that_cannot_begin_ends_the_run() {
    for (command, expected) in [
        ("no-such-program-here --x", "there is no program `no-such-program-here`"),
        ("sh -c 'exit 4'", "cannot begin: the program ended (exit status: 4)"),
        (
            "sh -c 'read -r x; echo Hello; cat >/dev/null'",
            "cannot begin: the reply to `reset` is not JSON",
        ),
        ("sh -c 'exit", "a ' has no end"),
        ("cat /dev/null", "cannot begin: the program ended"),
        (
            "sh -c 'read -r x; echo {\\\"name\\\":7}; cat >/dev/null'",
            "cannot begin: its reply to `reset`: invalid type",
        ),
        (
            "sh -c 'read -r x; echo {\\\"version\\\":\\\"2\\\"}; cat >/dev/null'",
            "says that it is `2`, and was ``",
        ),
    ] {
        let fault = plays(command, Duration::from_secs(20)).unwrap_err();
        assert!(fault.to_string().contains(expected), "{fault}");
        assert!(fault.hint.is_some() || command.ends_with("'exit"), "{fault:?}");
    }
    let who = introduced(
        "sh -c 'read -r x; echo {\\\"name\\\":\\\"a\\\",\\\"version\\\":\\\"2\\\"}'",
        Duration::from_secs(20),
    )
    .unwrap();
    assert_eq!((who.name.as_str(), who.version.as_str()), ("a", "2"));
}

#[test]
fn only_what_was_typed_is_started_and_nothing_private_is_read() {
    let command = shell(FINE, FIRST);
    for (readers, private, expected) in [
        (Readers::default(), false, "a workflow alone starts no program"),
        (reads("other"), false, "a workflow alone starts no program"),
        (reads(&command), true, "is private"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let world = with(folder.path(), readers, private, Mode::Prefer);
        let wave = [asked(&world, "t", &command, text(1))];
        let fault = world.asker.ask(&wave).unwrap_err();
        assert!(fault.to_string().contains(expected), "{fault}");
    }
}

#[test]
fn a_program_that_is_ended_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let read = format!("sleep 300 & echo $! $$ >> {}; wait", pids.display());
    let replies = plays(&shell(&read, FIRST), Duration::from_millis(500)).unwrap();
    assert!(replies.failed.unwrap().contains("no reply"));
    let pids = fs::read_to_string(pids).unwrap();
    assert_eq!(pids.split_whitespace().count(), 2);
    for pid in pids.split_whitespace() {
        assert!(!is_alive(pid), "{pid} is alive");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_behind_what_was_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let (pids, slow) = (folder.path().join("pids"), folder.path().join("slow"));
    fs::write(&slow, "").unwrap();
    // Its third text takes for ever while there is a file.
    let ask = format!("n=$((n+1)); [ $n = 3 ] && [ -e {} ] && sleep 300; {FIRST}", slow.display());
    let read = format!("echo $$ >> {}; {FINE}", pids.display());
    let command = shell(&read, &ask);
    let readers = Readers { at_once: 1, ..reads(&command) };
    let wave = |world: &World| -> Vec<Asked> {
        ["a", "b", "c", "d"].map(|unit| asked(world, unit, &command, text(1))).into()
    };
    let first = with(folder.path(), readers.clone(), false, Mode::Prefer);
    let (all, stop) = (wave(&first), Arc::clone(&first.stop));
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(1_500));
        stop.store(true, Ordering::SeqCst);
    });
    let begun = Instant::now();
    let fault = first.asker.ask(&all).unwrap_err();
    stopper.join().unwrap();
    assert_eq!(fault.kind, FaultKind::Interrupted);
    assert!(begun.elapsed() < Duration::from_secs(10));
    drop(first);
    let heard = |pids: &Path| fs::read_to_string(pids).unwrap().lines().count();
    assert_eq!(heard(&pids), 3);
    for pid in fs::read_to_string(&pids).unwrap().split_whitespace() {
        assert!(!is_alive(pid), "{pid} is alive");
    }
    fs::remove_file(&slow).unwrap();
    let second = with(folder.path(), readers, false, Mode::Prefer);
    second.asker.ask(&all).unwrap();
    // The third and the fourth, and nothing that was there.
    assert_eq!((heard(&pids), second.asker.answered_here()), (5, 2));
    assert!(all.iter().all(|asked| replies(&second, asked).failed.is_none()));
    assert_eq!(second.log.len(), 4);
}

#[test]
fn several_texts_are_read_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("here");
    fs::create_dir(&here).unwrap();
    // Each waits until another one reads too.
    let read = format!(
        "touch {0}/$$; while [ $(ls {0} | wc -l) -lt 2 ]; do sleep 0.05; done; {FINE}",
        here.display()
    );
    let command = shell(&read, FIRST);
    let world = with(folder.path(), reads(&command), false, Mode::Prefer);
    let wave = ["a", "b"].map(|unit| asked(&world, unit, &command, text(1)));
    world.asker.ask(&wave).unwrap();
    assert!(wave.iter().all(|asked| replies(&world, asked).failed.is_none()));
}
