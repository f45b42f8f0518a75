//! `storymill books`: what a filter finds, in every form, and what is said about mistakes.

use crate::project::Project;

const CATALOG: &str = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n\
    7,Text,2001-01-01,\"The Mill\nA Tale\",en,\"Writer, Ann, 1801-1850; Ink, P., 1830- [Illustrator]\",Fiction,PR,\n\
    8,Text,2001-01-01,Die Mühle,de,\"Schreiber, Jörg, 43 BCE-18?\",Fiction,PT,\n\
    9,Sound,2001-01-01,Readings,en,,,,\n";

fn project() -> Project {
    let project = Project::new();
    project.write("pg_catalog.csv", CATALOG);
    project
}

#[test]
fn books_are_found_and_printed_in_every_form() {
    let project = project();
    let books =
        |args: &[&str]| project.run(&[&["books", "pg_catalog.csv"], args].concat()).exits(0);
    let table = books(&[]);
    assert!(table.out().contains("7   The Mill A Tale  Writer, Ann, 1801-1850"), "{}", table.out());
    assert!(table.err().contains("2 books of 3; 1 more left out as no texts"), "{}", table.err());
    assert_eq!(books(&["--where", "title ~ muhle", "--format", "ids"]).out(), "8\n");
    assert_eq!(books(&["--where", "type = sound", "--format", "ids"]).out(), "9\n");
    let json = books(&["--where", "id = 7", "--format", "json"]).out();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value[0]["contributors"][0]["role"], "illustrator");
    assert_eq!(value[0]["authors"][0]["death"], 1850);
    let csv = books(&["--format", "csv"]).out();
    project.write("again.csv", &csv);
    assert_eq!(project.run(&["books", "again.csv", "--format", "csv"]).exits(0).out(), csv);
}

#[test]
fn a_chosen_catalog_serves_a_build() {
    let project = project();
    project.book("7", 3);
    let csv =
        project.run(&["books", "pg_catalog.csv", "--where", "id = 7", "--format", "csv"]).exits(0);
    project.write("mine.csv", csv.out());
    project.workflow(&[("path = \"books\"", "path = \"books\"\ncatalog = \"mine.csv\"")]);
    project.run(&["build", "my.toml"]).exits(0);
    project.run(&["inspect", "out/mine", "--config", "books", "--full"]).says("The Mill A Tale");
}

#[test]
fn every_mistake_of_a_filter_has_its_place() {
    let project = project();
    let ran =
        project.run(&["books", "pg_catalog.csv", "--where", "langauge = en and issued > soon"]);
    let ran = ran.exits(2).says("did you mean `language`?").says("2 mistakes in --where");
    assert!(ran.err().contains("--where:1:27") && ran.out().is_empty(), "{}", ran.err());
    project.run(&["books", "none.csv"]).exits(4).says("cannot read the catalog: none.csv");
    project.write("bad.csv", "a,b\n1,2\n");
    project.run(&["books", "bad.csv"]).exits(4).says("no column `id`");
}
