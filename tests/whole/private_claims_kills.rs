//! A private set whose commands are killed or out of space: it goes on, and no claim is in clear.

use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    leaks::{Private, Said, marked, nothing_leaks},
    models::Server,
    private_claims::{SHELF, at, models, table},
    project::full,
};

/// Which of the steps takes a pair out.
const REMOVES: usize = 5;
/// Which of them writes sealed requests.
const SEALS: usize = 3;

/// Everything that is done with the claims of a set, one command after the other.
fn steps(private: &Private, port: u16) -> Vec<Vec<String>> {
    let (table, models) = (at(private, "claims.csv", table(1, 10)), models(private, port));
    let votes = at(private, "votes.csv", "pair,claim,reader,verdict\nn01/0001,true,ann,false\n");
    let bob = private
        .run(&["shelf", "init", "--key-only", "--key", "bob.key", "--no-passphrase"])
        .exits(0)
        .text;
    let bob = bob.trim();
    let batch = ["answers", "export-batch", "family-teller", "--format", "openai"];
    let batch = [&batch[..], &["--to", bob, "--out", "tmp/batch"]].concat();
    let all: [&[&str]; 8] = [
        &["claims", "import", &table, "--into", "family"],
        &["review", "family", "--import", &votes],
        &["evaluate", "family", "--models", &models, "--plan"],
        &batch,
        &["evaluate", "family", "--models", &models],
        &["claims", "remove", "family", "n01/0002", "--reason", "not minimal"],
        &["claims", "import", &table, "--into", "family", "--update"],
        &["shelf", "rekey", "--trust"],
    ];
    let whole = |args: &[&str]| -> Vec<String> {
        args.iter().chain(&SHELF).map(ToString::to_string).collect()
    };
    all.iter().map(|args| whole(args)).collect()
}

/// Goes on where it was stopped: what is half is made anew by the same commands.
#[track_caller]
fn goes_on(private: &Private, steps: &[Vec<String>], from: usize) {
    for (at, step) in steps.iter().enumerate().skip(from) {
        if at == SEALS {
            // A folder that was begun is not gone on with: each batch has its own.
            drop(fs::remove_dir_all(private.project.path("tmp/batch")));
        }
        let said = private.run(&step.iter().map(String::as_str).collect::<Vec<_>>());
        // What was done before the kill came is not done twice.
        if at != REMOVES || said.code != Some(4) {
            said.exits(0);
        }
    }
    private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0);
    nothing_leaks(&private.project.path(""));
}

#[test]
fn killed_or_out_of_space_at_any_point_no_claim_is_in_clear() {
    let server = Server::start(0, Duration::from_millis(1));
    let fresh = || {
        let private = Private::new(2, 4);
        private.add();
        let steps = steps(&private, server.port);
        (private, steps)
    };
    let (private, all) = fresh();
    let took: Vec<Duration> = all
        .iter()
        .map(|step| {
            let start = Instant::now();
            private.run(&step.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
            start.elapsed()
        })
        .collect();
    nothing_leaks(&private.project.path(""));
    let limited = |private: &Private, step: &[String], limit: &str| {
        let mut child = Command::new("sh");
        child
            .args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_storymill")])
            .args(step);
        let out = tempfile::tempfile().unwrap();
        child
            .current_dir(private.project.path(""))
            .env("TMPDIR", private.project.path("tmp"))
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out.try_clone().unwrap());
        (child, out)
    };
    let said = |mut out: fs::File| {
        use std::io::{Read, Seek};
        let mut text = Vec::new();
        out.rewind().unwrap();
        out.read_to_end(&mut text).unwrap();
        assert_eq!(marked(&text), None, "{}", String::from_utf8_lossy(&text));
    };
    // A kill within each of the steps, at points of time spread over it.
    let (points, mut died) = (if full() { 27 } else { 9 }, 0);
    for point in 0..points {
        let (private, all) = fresh();
        let at = point % all.len();
        for step in &all[..at] {
            private.run(&step.iter().map(String::as_str).collect::<Vec<_>>()).exits(0);
        }
        let (mut child, out) = limited(&private, &all[at], "ulimit -c unlimited 2>/dev/null");
        let mut child = child.spawn().unwrap();
        let share = f64::from(u32::try_from(point / all.len()).unwrap() + 1)
            / f64::from(u32::try_from(points / all.len()).unwrap() + 2);
        std::thread::sleep(took[at].mul_f64(0.6 * share).max(Duration::from_millis(2)));
        let signal = if point % 2 == 0 { "-KILL" } else { "-QUIT" };
        Command::new("kill")
            .args([signal, &child.id().to_string()])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        died += usize::from(child.wait().unwrap().code().is_none());
        said(out);
        nothing_leaks(&private.project.path(""));
        goes_on(&private, &all, at);
    }
    println!("{points} kills, {died} of them before the command had ended");
    assert!(died > 0, "every command had ended before it was killed");
    // No space: files may not grow beyond some size.
    let sizes: &[u32] = if full() { &[0, 1, 2, 4, 8, 16, 32] } else { &[0, 4] };
    let mut failed = 0;
    for blocks in sizes {
        let (private, all) = fresh();
        for step in &all {
            let (mut child, out) =
                limited(&private, step, &format!("trap '' XFSZ; ulimit -f {blocks}"));
            // What it says goes through a pipe: a file would be too long as well.
            drop(out);
            let output = child.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
            let said = Said::of(&output);
            assert_eq!(marked(said.text.as_bytes()), None, "{}", said.text);
            assert!([Some(0), Some(74)].contains(&said.code), "{} {step:?}", said.text);
            nothing_leaks(&private.project.path(""));
            private.run(&["verify", "--shelf", "shelf", "--key", "ann.key"]).exits(0);
            if said.code == Some(74) {
                failed += 1;
                let again: Vec<&str> = step.iter().map(String::as_str).collect();
                drop(fs::remove_dir_all(private.project.path("tmp/batch")));
                private.run(&again).exits(0);
            }
        }
        nothing_leaks(&private.project.path(""));
    }
    println!("{failed} commands failed for want of space, at {} sizes", sizes.len());
    assert!(failed > 4, "nothing failed for want of space");
}
