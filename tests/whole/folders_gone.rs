//! A folder of a store that goes away while a build asks: whenever that is, what was paid for is kept, or the build fails
//! and says how much is lost.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use crate::{
    models::{Server, build, project},
    project::{Project, full},
};

/// Requests in flight, as the workflow has it.
const CONCURRENCY: u32 = 4;

/// The folders of a store, and the store.
const FOLDERS: [&str; 7] = ["", "answers", "tmp", "parts", "markers", "markers/chunk", "index"];

/// What somebody does to a folder.
/// What is done to a folder.
type Deed = (&'static str, fn(&Path));

const DEEDS: [Deed; 4] = [
    ("removed", |folder| drop(fs::remove_dir_all(folder))),
    ("replaced", |folder| {
        let _ = fs::rename(folder, folder.with_added_extension("moved"));
        let _ = fs::create_dir(folder);
    }),
    ("a file", |folder| {
        let _ = fs::remove_dir_all(folder);
        let _ = fs::write(folder, "a file");
    }),
    ("protected", protect),
];

/// Takes away the right to write.
fn protect(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o555));
        if fs::write(folder.join("probe"), "").is_ok() {
            println!("skip: a folder that is write-protected: this user may write all the same");
            let _ = fs::remove_file(folder.join("probe"));
        }
    }
}

fn unprotect(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o755));
    }
}

/// The answers that are kept, wherever.
fn kept(project: &Project) -> u32 {
    let places = [".storymill/answers", ".storymill/answers.rescued", ".storymill.rescued"];
    let beside = [".storymill/answers.moved", ".storymill.moved/answers"];
    // What a build left in both is one answer: all are put together.
    let all = project.path("all");
    fs::create_dir_all(&all).unwrap();
    for place in places.iter().chain(&beside).map(|place| project.path(place)) {
        let Ok(entries) = fs::read_dir(&place) else { continue };
        for entry in entries {
            let path: PathBuf = entry.unwrap().path();
            let _ = fs::copy(&path, all.join(path.file_name().unwrap()));
        }
    }
    let ran = project.run(&["answers", "stats", "--answers", "all", "--format", "json"]);
    let stats: serde_json::Value = serde_json::from_str(&ran.out()).unwrap();
    u32::try_from(stats["answers"].as_u64().unwrap()).unwrap()
}

#[test]
fn whenever_a_folder_of_the_store_goes_what_was_paid_is_kept_or_counted() {
    let mut moments = 0;
    for (which, folder) in FOLDERS.iter().enumerate() {
        for (deed, (what, change)) in DEEDS.iter().enumerate() {
            // Twenty moments of a build each, or one of them.
            let all: Vec<u32> = if full() {
                (0..20).collect()
            } else {
                vec![u32::try_from((which * DEEDS.len() + deed) * 7 % 20).unwrap()]
            };
            for moment in all {
                moments += 1;
                goes_at(moment * 2, folder, what, *change);
            }
        }
    }
    assert!(moments >= 20);
}

fn goes_at(asked: u32, folder: &str, what: &str, change: fn(&Path)) {
    let server = Server::start(0, Duration::from_millis(10));
    let project = project(&server, 6);
    let mut command = project.command(&["build", "my.toml"]);
    command.env("TELLER_KEY", "sk-teller").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while server.requests() < asked.max(1) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let folder = project.path(Path::new(".storymill").join(folder));
    change(&folder);
    let output = child.wait_with_output().unwrap();
    let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
    unprotect(&folder);
    let (paid, kept) = (server.requests(), kept(&project));
    let case = format!(
        "{} {what} after {asked}: {kept} of {paid} kept, exit {code:?}: {said}",
        folder.display()
    );
    let lost = paid.saturating_sub(kept);
    assert!(
        lost == 0 || (code != Some(0) && lost <= CONCURRENCY && said.contains("lost")),
        "{case}"
    );
    assert!(!said.contains("panicked"), "{case}");
    // A build that says nothing has published.
    assert!(code != Some(0) || project.path("out/mine/manifest.json").exists(), "{case}");
}

#[test]
fn where_no_answer_can_be_kept_none_is_asked_for() {
    for in_the_way in [".storymill/answers", ".storymill"] {
        let server = Server::start(0, Duration::ZERO);
        let project = project(&server, 2);
        project.write(in_the_way, "a file");
        let (code, text) = build(&project, &[]);
        assert!(code != 0 && server.requests() == 0, "{in_the_way}: {code}: {text}");
    }
}
