//! Everything that can be wrong with what a user gives: a clear message, its exit code, nothing lost.

use std::fs;

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
fn damage_in_the_store_is_set_aside_and_mended_by_the_next_run() {
    let project = project();
    project.run(&["build", "my.toml"]).exits(0);
    let manifest = project.manifest("out/mine");
    let marker = fs::read_dir(project.path(".storymill/markers/chunk/one"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    fs::write(&marker, "{}").unwrap();
    project.run(&["build", "my.toml"]).exits(75).says("damaged");
    project.run(&["build", "my.toml"]).exits(0);
    assert_eq!(project.manifest("out/mine"), manifest);
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
