//! Everything that can be wrong with what a user gives: a clear message, its exit code, nothing lost.

use std::{fs, path::Path};

use crate::project::{Project, page};

fn project() -> Project {
    let project = Project::new();
    project.book("one", 2).workflow(&[]);
    project
}

#[test]
fn no_such_workflow() {
    Project::new()
        .run(&["build", "none.toml"])
        .exits(4)
        .says("cannot read the workflow: none.toml");
    project().run(&["build", "me.toml"]).exits(4).says("did you mean `my.toml`?");
}

#[test]
fn a_typing_mistake_on_the_command_line() {
    Project::new().run(&["bild"]).exits(2).says("build");
    project().run(&["build", "my.toml", "--shard", "6/5"]).exits(2).says("1 <= i <= N");
    project().run(&["build", "my.toml", "--threads", "0"]).exits(2);
}

#[test]
fn no_such_folder_and_an_empty_one() {
    let project = Project::new();
    project.workflow(&[]);
    project.run(&["build", "my.toml"]).exits(4).says("books");
    fs::create_dir(project.path("books")).unwrap();
    project.run(&["build", "my.toml"]).exits(4).says("hint:");
}

#[test]
fn pages_that_are_no_books_are_named_and_the_others_go_on() {
    let project = project();
    project
        .write("books/empty.html", "")
        .write("books/binary.html", [0_u8, 159, 146, 150, 0, 0, 1, 2].repeat(99));
    project
        .write("books/cut.html", &page("cut", 3)[..700])
        .write("books/torn.html.gz", [0x1f, 0x8b, 8, 0, 1, 2, 3]);
    let ran = project.run(&["build", "my.toml"]).exits(0);
    for id in ["empty", "binary", "torn"] {
        assert!(ran.err().contains(id), "{id} is named in\n{}", ran.err());
    }
    assert!(ran.out().contains("rejected"), "{}", ran.out());
    let json = project
        .run(&["inspect", "out/mine", "--config", "books", "--format", "json"])
        .exits(0)
        .out();
    assert!(json.contains("\"one\""));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_not_followed_unless_asked() {
    use std::os::unix::fs::symlink;
    let project = project();
    project.write("elsewhere/private.html", page("private", 2));
    symlink(project.path("elsewhere/private.html"), project.path("books/private.html")).unwrap();
    symlink("one.html", project.path("books/again.html")).unwrap();
    let ran = project.run(&["build", "my.toml"]).exits(0);
    let told = ran.says("1 link left out, leading out of the folder: private.html");
    assert!(told.err().contains("`follow_links = true`"), "{}", told.err());
    let books = || {
        let rows = project.run(&["inspect", "out/mine", "--config", "books", "--format", "json"]);
        rows.exits(0).out()
    };
    // A link to a file of the same folder is a book.
    assert!(books().contains("\"again\"") && !books().contains("\"private\""), "{}", books());
    project.run(&["book", "clean", "books"]);
    project.workflow(&[("path = \"books\"", "path = \"books\"\nfollow_links = true")]);
    project.run(&["build", "my.toml"]).exits(0);
    assert!(books().contains("\"private\""), "{}", books());
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_never_opened() {
    let project = project();
    let pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(project.path(name)).status();
        made.is_ok_and(|status| status.success())
    };
    if !pipe("books/pipe.html") || !pipe("flow.toml") {
        println!("skip: no mkfifo here");
        return;
    }
    std::os::unix::fs::symlink("/dev/zero", project.path("books/zero.txt")).unwrap();
    let ran = project.run(&["build", "my.toml"]).exits(0);
    ran.says("2 special files left out, being pipes or devices: pipe.html, zero.txt");
    project.run(&["build", "flow.toml"]).exits(4).says("it is not a plain file");
    for command in [
        &["book", "clean", "books/pipe.html"][..],
        &["inspect", "flow.toml"],
        &["book", "cast", "/dev/zero"],
    ] {
        let ran = project.run(command);
        assert!(matches!(ran.code(), 2 | 4 | 74), "{command:?}: {}", ran.err());
    }
}

#[test]
fn no_more_is_read_of_a_file_than_such_a_file_has() {
    let project = project();
    let sparse = |name: &str| {
        fs::File::create(project.path(name)).unwrap().set_len(1 << 40).unwrap();
    };
    sparse("books/vast.txt");
    let ran = project.run(&["build", "my.toml"]).exits(0);
    assert!(ran.err().contains("vast.txt: it is larger than 512 MB"), "{}", ran.err());
    sparse("vast");
    sparse("vast.csv");
    for command in [
        &["build", "vast"][..],
        &["plan", "vast"],
        &["book", "clean", "vast"],
        &["book", "cast", "vast"],
        &["diff", "vast", "vast"],
        &["labels", "check", "vast"],
        &["claims", "import", "vast.csv", "--into", "set", "--books", "books"],
        &["shelf", "init", "--key-only", "--key", "vast"],
        &["review", "my.toml", "--import", "vast", "--by", "ann"],
    ] {
        let ran = project.run(command);
        assert_ne!(ran.code(), 0, "{command:?}");
        assert!(ran.err().contains("it is larger than"), "{command:?}: {}", ran.err());
    }
    sparse("out/mine/manifest.json");
    sparse("out/mine/dataset.lock");
    for command in [["inspect", "out/mine"], ["verify", "out/mine"], ["view", "out/mine"]] {
        project.run(&command).says("it is larger than");
    }
}

#[test]
fn many_mistakes_are_counted_and_the_first_shown() {
    let project = project();
    let text = project.read("my.toml");
    let stages: String = (0..4000).map(|n| format!("[stage.s{n}.take]\nfrom = \"x\"\n")).collect();
    project.write("my.toml", format!("{text}\n{stages}"));
    let begun = std::time::Instant::now();
    let ran = project.run(&["plan", "my.toml"]).exits(3).says("(the first 20 are shown)");
    assert!(ran.err().len() < 20_000, "{} bytes", ran.err().len());
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    for arguments in [&["--help"][..], &["build", "--help"], &["--version"]] {
        let mut command = Project::new().command(arguments);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = command.current_dir("/").stdout(full).status().unwrap();
        assert_eq!(status.code(), Some(74), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let project = project();
    project.book("secret", 1);
    fs::set_permissions(project.path("books/secret.html"), fs::Permissions::from_mode(0o000))
        .unwrap();
    if fs::read(project.path("books/secret.html")).is_ok() {
        println!("skip: this user may read everything");
        return;
    }
    project.run(&["build", "my.toml"]).says("secret");
}

#[test]
fn two_books_with_one_id() {
    let project = project();
    project.write("books/pg11.html", page("a", 1)).write("books/11-h.htm", page("b", 1));
    let ran = project.run(&["build", "my.toml"]).exits(4);
    assert!(ran.err().contains("pg11.html") && ran.err().contains("11-h.htm"), "{}", ran.err());
}

#[test]
fn catalogs_that_do_not_fit() {
    let project = project();
    project.workflow(&[("path = \"books\"", "path = \"books\"\ncatalog = \"catalog.csv\"")]);
    project.run(&["build", "my.toml"]).exits(4).says("catalog.csv");
    project.write("catalog.csv", "id,title,author\ntwo,Two,\"Brook, Anna\"\n");
    project.run(&["build", "my.toml"]).exits(4).says("one");
    project.write(
        "catalog.csv",
        "id,title,author\none,One,\"Brook, Anna\"\ntwo,Two,\"Brook, Anna\"\n",
    );
    project.run(&["build", "my.toml"]).exits(0).says("two");
    project.write("catalog.csv", "id,title,author\none,One,\"Brook, Anna\"\nbad id/..,Two,x\n");
    project.run(&["build", "my.toml"]).exits(4).says("3");
}

#[test]
fn a_store_that_another_run_holds() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    let lock = fs::OpenOptions::new().write(true).open(project.path(".storymill/lock")).unwrap();
    lock.lock().unwrap();
    project.run(&["build", "my.toml"]).exits(75).says("another run is working on this store");
}

#[test]
fn a_store_by_a_newer_version_and_a_folder_that_is_no_store() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    project.write(".storymill/FORMAT", "storymill store 99\n");
    project.run(&["build", "my.toml"]).exits(9).says("newer storymill");
    project.run(&["build", "my.toml", "--store", "books"]).exits(9).says("not a store");
}

#[test]
fn damage_in_the_store_is_set_aside_and_mended_in_the_same_run() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    let manifest = project.manifest("out/mine");
    let folder = |name: &str| {
        let entries = fs::read_dir(project.path(name)).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let turn = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    turn(&folder(".storymill/markers/chunk/one")[0]);
    let once = project.run(&["build", "my.toml"]).exits(0);
    assert!(once.err().contains("1 file of the store was damaged"), "{}", once.err());
    turn(&folder(".storymill/markers/chunk/one")[0]);
    let plan = project.run(&["plan", "my.toml", "--cost"]).exits(0);
    assert!(plan.err().contains("1 file of the store was damaged"), "{}", plan.err());

    // All rows, which are read again because other files than before are published.
    let parts: Vec<_> = folder(".storymill/parts")
        .iter()
        .flat_map(|below| fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()))
        .collect();
    parts.iter().for_each(|path| turn(path));
    let again = project.run(&["build", "my.toml", "--out", "again"]).exits(0);
    assert!(again.err().contains("files of the store were damaged"), "{}", again.err());
    assert!(again.err().contains("damaged and made anew"), "{}", again.err());
    assert_eq!(project.manifest("again"), manifest);
    let kept = folder(".storymill/damaged").len();
    assert!(kept > 8, "{kept} of {} were read", parts.len());
}

#[test]
fn a_dataset_of_another_name_is_replaced_only_where_that_is_asked_for() {
    let project = project();
    project.run(&["build", "my.toml", "--out", "out/shared"]).exits(0);
    let before = project.manifest("out/shared");
    project.workflow(&[("name = \"mine\"", "name = \"other\"")]);
    project
        .run(&["build", "my.toml", "--out", "out/shared"])
        .exits(9)
        .says("holds the dataset `mine`, and this one is `other`")
        .says("--replace");
    assert_eq!(project.manifest("out/shared"), before);
    project.run(&["build", "my.toml", "--out", "out/shared", "--replace"]).exits(0);
    assert!(project.manifest("out/shared").contains("\"name\": \"other\""));
}

#[test]
fn a_dataset_without_a_row_is_not_published() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    let before = project.manifest("out/mine");
    // Pages without a text: their rejection is expected.
    project.write("books/one.html", "").write("books/two.html", "");
    project.run(&["build", "my.toml"]).exits(15).says("nothing is published").says("exit code 15");
    assert_eq!(project.manifest("out/mine"), before);
    let json = project.run(&["build", "my.toml", "--format", "json"]).exits(15);
    let json: serde_json::Value = serde_json::from_str(&json.out()).unwrap();
    assert_eq!((&json["empty"], &json["published"]), (&true.into(), &serde_json::Value::Null));
    project.run(&["build", "my.toml", "--out", "fresh"]).exits(15);
    assert!(!project.path("fresh").exists());
}

#[cfg(unix)]
#[test]
fn links_inside_our_folders_are_refused() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    project.write("precious/README.md.begun", "mine").write("precious/0123456789abcdef-0", "mine");
    let link = |name: &str| {
        let _ = fs::remove_dir_all(project.path(name));
        std::os::unix::fs::symlink(project.path("precious"), project.path(name)).unwrap();
        project.run(&["build", "my.toml"]).exits(9).says("symbolic link").says(name);
        assert_eq!(fs::read_dir(project.path("precious")).unwrap().count(), 2);
        fs::remove_file(project.path(name)).unwrap();
    };
    for name in ["out/mine/.tmp", "out/mine/scenes", ".storymill/tmp", ".storymill/parts"] {
        link(name);
    }
}

#[test]
fn an_output_folder_that_is_not_ours() {
    let project = project();
    project.write("thesis/chapter1.txt", "years of work");
    project.run(&["build", "my.toml", "--out", "thesis"]).exits(9).says("thesis");
    assert_eq!(project.read("thesis/chapter1.txt"), "years of work");
    assert!(
        !project.path(".storymill").exists(),
        "nothing is built for a folder that will be refused"
    );
}

#[test]
fn a_base_lock_that_is_none_and_one_from_the_future() {
    let project = project();
    project.workflow(&[("seed = 7", "seed = 7\nbase = \"old.lock\"")]);
    project.run(&["build", "my.toml"]).exits(4).says("old.lock");
    project.write("old.lock", "{ \"format\": 1,\n oops }");
    project.run(&["build", "my.toml"]).exits(6).says("line 2");
    project.write("old.lock", "{ \"format\": 99 }");
    project.run(&["build", "my.toml"]).exits(6).says("newer storymill");
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let project = project();
    project.write("my.toml", "name = \"a\u{1b}[31m\"\n\u{1b}");
    let ran = project.run(&["build", "my.toml", "--color", "never"]).exits(3);
    assert!(!ran.err().contains('\u{1b}'), "{:?}", ran.err());
}
