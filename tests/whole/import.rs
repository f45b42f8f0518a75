//! Importing an archive in NarrativeXL's file formats: the files in tests/archives/narrativexl were
//! written for this test, one book whole, one with all that can be wrong with rows, one lost.

use std::fs;

use serde_json::Value;

use crate::{
    project::{Project, texts, top},
    questions::{laws, rows},
};

fn archive() -> String {
    top().join("tests/archives/narrativexl").display().to_string()
}

/// The list of rows without a place: book, file, row, column, value and code.
fn unplaced(project: &Project) -> Vec<String> {
    let text = project.read("p/unplaced.csv");
    let cells = |line: &str| line.splitn(7, ',').take(6).collect::<Vec<_>>().join(" ");
    text.lines().skip(1).map(cells).collect()
}

fn imported() -> (Project, Value) {
    let project = Project::new();
    let out = project
        .run(&["import", "narrativexl", &archive(), "--out", "p", "--format", "json"])
        .exits(5)
        .says("1 file with substituted names left out")
        .out();
    let value = serde_json::from_str(&out).unwrap();
    (project, value)
}

#[test]
fn an_archive_becomes_a_project_that_builds_without_a_model() {
    let (project, value) = imported();
    let account = &value["account"];
    let tally = |column: &str| {
        let found = &account["columns"][column];
        (found["cells"].as_u64().unwrap(), found["placed"].as_u64().unwrap())
    };
    assert_eq!((account["books"].as_u64(), account["books_lost"].as_u64()), (Some(2), Some(1)));
    assert_eq!(tally("tagseparated Summaries"), (13, 12));
    assert_eq!(tally("tagseparated FakeSummaries"), (23, 23));
    assert_eq!(tally("tagseparated_hierarch_sum TRUE_SUMMARY"), (5, 1));
    assert_eq!(tally("tagseparated_hierarch_sum FALSE_SUMMARY"), (3, 1));
    assert_eq!(tally("questions_shortform QUESTIONS"), (29, 18));
    assert_eq!(
        (account["borders"].as_u64(), account["borders_found"].as_u64()),
        (Some(11), Some(10))
    );
    assert_eq!(account["missing"], 8);

    // What the import made is current; and the answers alone are enough to make it anew.
    let workflow = "p/narrativexl.toml";
    let build = ["build", workflow, "--frozen", "--out", "out/p"];
    project.run(&[&build[..], &["--store", "p/.storymill"]].concat()).exits(0);
    let manifest = project.manifest("out/p");
    fs::remove_dir_all(project.path("out/p")).unwrap();
    project.run(&[&build[..], &["--store", "fresh"]].concat()).exits(0).says("expected");
    assert_eq!(project.manifest("out/p"), manifest);
    project.run(&["verify", "out/p", "--rows"]).exits(0);

    // The questions obey the laws of any others: the context is whole, the demand is what it says.
    let configs = rows(&project, "out/p");
    laws(&configs, 12);
    assert_eq!((configs["read-along"].len(), configs["books"].len()), (18, 2));
    assert_eq!(configs["summaries"].len(), 13);
    assert_eq!(configs["distortions"].len(), 24);
    let question = |id: &str| {
        configs["read-along"]
            .iter()
            .find(|row| row["question_id"] == id)
            .unwrap_or_else(|| panic!("{id}"))
    };
    let row = question("lamp/0006/scene-distortion");
    assert_eq!(
        (&row["memload"], &row["demand_scenes"], &row["context_scenes"]),
        (&6.into(), &7.into(), &7.into())
    );
    assert_eq!(row["question"], "Which of the following scenes was in the book?");
    let none = question("lamp/0004/scene-distortion");
    assert_eq!(none["none_of_the_above"], 1);
    // Nobody knows where the decoys of other books are from.
    let other = question("lamp/0005/other-book");
    let scenes = other["option_scenes"].as_array().unwrap();
    assert_eq!(scenes.iter().filter(|scene| **scene != -1).count(), 1, "{other}");

    // The borders that the overlapped chunks show are as they were.
    let texts = texts(&configs["books-text"]);
    let lamp = &texts["lamp"];
    assert!(lamp.starts_with("Orla Vance climbed the ninety steps of the tower before supper."));
    assert_eq!(lamp.matches("\n\n").count(), 7, "{lamp}");
    assert!(texts["mill"].contains("A “water doctor” came from the city"));
    assert!(texts["mill"].contains("Agnès"));
}

#[test]
fn every_row_without_a_place_is_listed_with_its_reason() {
    let (project, _) = imported();
    let questions = "mill questions_shortform";
    let ladder = "mill tagseparated_hierarch_sum";
    let expected = [
        "gone questions_shortform    no-summaries".to_owned(),
        format!("{questions} 2 QUESTIONS 2 no-true-scene"),
        format!("{questions} 3 QUESTIONS 1 memload-disagrees"),
        format!("{questions} 3 QUESTIONS 2 answer-out-of-range"),
        format!("{questions} 4 QUESTIONS 1 decoy-was-read"),
        format!("{questions} 4 QUESTIONS 2 unknown-type"),
        format!("{questions} 5 QUESTIONS 1 no-such-scene"),
        format!("{questions} 6 QUESTIONS 1 chunk-disagrees"),
        format!("{questions} 7 QUESTIONS 1 broken-row"),
        format!("{questions} 8 QUESTIONS 1 bad-number"),
        format!("{questions} 9 QUESTIONS 1 no-options"),
        format!("{questions} 10 QUESTIONS 1 broken-row"),
        "mill tagseparated 4 Summaries 1 failed-in-original".to_owned(),
        format!("{ladder} 2 TRUE_SUMMARY 1 no-such-summary"),
        format!("{ladder} 3 TRUE_SUMMARY 1 broken-row"),
        format!("{ladder} 4 FALSE_SUMMARY 1 not-asked"),
        format!("{ladder} 4 TRUE_SUMMARY 1 packs-differ"),
        format!("{ladder} 5 FALSE_SUMMARY 1 not-asked"),
        format!("{ladder} 5 TRUE_SUMMARY 1 packs-differ"),
    ];
    assert_eq!(unplaced(&project), expected);
    let list = project.read("p/unplaced.csv");
    assert!(list.starts_with("book,file,row,column,value,code,reason\n"), "{list}");
    assert!(list.contains("no answer in five tries"), "{list}");
    // What is doubtful and was taken can be looked at.
    let reviews = ["reviews", "p/narrativexl.toml", "--store", "p/.storymill"];
    project.run(&reviews).exits(0).says("original-warning").says("perhaps-cut");
}

#[test]
fn answers_say_where_in_the_archive_they_stand() {
    let (project, _) = imported();
    let out = project
        .run(&["answers", "stats", "--answers", "p/answers", "--format", "json"])
        .exits(0)
        .out();
    let stats: Value = serde_json::from_str(&out).unwrap();
    // 13 summaries, 2 of summaries, 24 false ones, 8 more that the archive lacks.
    assert_eq!(stats["answers"], 47, "{stats}");
    assert!(out.contains("narrativexl-archive"), "{out}");
}

#[test]
fn bad_archives_are_refused_and_nothing_is_written() {
    let project = Project::new();
    let import = |from: &str, to: &str| project.run(&["import", "narrativexl", from, "--out", to]);
    import("nowhere", "p").exits(4).says("cannot read the archive");
    project.book("84", 1);
    import("books", "p").exits(4).says("the folder holds no NarrativeXL archive");
    let missing = ["import", "narrativexl", &archive(), "--out", "p", "--catalog", "no.csv"];
    project.run(&missing).exits(4).says("cannot read the catalog");
    assert!(!project.path("p").exists());
    project.write("full/note.txt", "mine");
    import(&archive(), "full").exits(4).says("this folder is not empty");
    assert!(!project.path("full/archive").exists());
    import(&archive(), "full/note.txt").exits(4).says("not a folder");
    // One that was interrupted goes on; one that is whole is left alone.
    project
        .write("again/import.unfinished", "")
        .write("again/archive/lamp.tagseparated", "torn")
        .write("again/archive/other.tagseparated", "of another archive");
    import(&archive(), "again").exits(5).says("2 books in again").says("next: cd again");
    assert!(!project.path("again/archive/other.tagseparated").exists());
    import(&archive(), "again").exits(4).says("this folder is not empty");
}

#[test]
fn a_project_never_overwrites_what_it_is_made_of() {
    let project = Project::new();
    let from = top().join("tests/archives/narrativexl/TrueAndFalseSummaries/lamp.tagseparated");
    let lamp = fs::read(from).unwrap();
    let import = |args: &[&str]| project.run(&[&["import", "narrativexl"][..], args].concat());
    // Even a mark that an import was interrupted gives no leave.
    project.write("p/archive/lamp.tagseparated", &lamp).write("p/import.unfinished", "");
    project.write("c.csv", "id,title\nlamp,The Lamp\n").write("q/import.unfinished", "");
    fs::copy(project.path("c.csv"), project.path("q/catalog.csv")).unwrap();
    for out in ["p", "p/archive", "p/archive/new", "nowhere/../p", "."] {
        import(&["p/archive", "--out", out]).exits(4).says("inside what it is made of");
    }
    let catalog = ["p/archive", "--out", "q", "--catalog", "q/catalog.csv"];
    import(&catalog).exits(4).says("inside what it is made of");
    assert_eq!(fs::read(project.path("p/archive/lamp.tagseparated")).unwrap(), lamp);
    assert_eq!(project.read("q/catalog.csv"), project.read("c.csv"));
    assert!(!project.path("q/archive").exists() && !project.path("nowhere").exists());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(project.path("p/archive"), project.path("q/archive")).unwrap();
        import(&["p/archive", "--out", "q"]).exits(4).says("inside what it is made of");
    }
    import(&["p/archive", "--out", "beside"]).exits(0);
    assert_eq!(fs::read(project.path("beside/archive/lamp.tagseparated")).unwrap(), lamp);
}

#[test]
fn files_that_are_cut_or_no_tables_lose_their_book_only() {
    let project = Project::new();
    let from = top().join("tests/archives/narrativexl/TrueAndFalseSummaries");
    let whole = fs::read(from.join("lamp.tagseparated")).unwrap();
    project
        .write("a/lamp.tagseparated", &whole)
        .write("a/cut.tagseparated", &whole[..whole.len() / 2])
        .write("a/pickle.tagseparated", b"\x80\x04}\x94\x8c\x04Anna\x94\x8c\x04Zoe\x94s.")
        .write("a/empty.tagseparated", "")
        .write("a/lamp.repl", b"\x80\x04}\x94.")
        .write("a/wide.tagseparated", utf16(std::str::from_utf8(&whole).unwrap()));
    project.write("c.csv", "id,title,author\nlamp,The Lamp,\"Vance, Ida\"\n");
    project
        .run(&["import", "narrativexl", "a", "--out", "p", "--catalog", "c.csv"])
        .exits(5)
        .says("2 books in p")
        .says("3 books could not be read");
    let expected = [
        "cut tagseparated    broken-row",
        "empty tagseparated    no-table",
        "pickle tagseparated    no-table",
    ];
    assert_eq!(unplaced(&project), expected);
    let build =
        ["build", "p/narrativexl.toml", "--store", "p/.storymill", "--frozen", "--out", "o"];
    project.run(&build).exits(0);
    let configs = rows(&project, "o");
    let texts: Vec<_> = texts(&configs["books-text"]).into_values().collect();
    assert_eq!(texts[0], texts[1]);
    assert!(
        configs["books"].iter().any(|row| row["title"] == "The Lamp"),
        "{:?}",
        configs["books"]
    );
    assert!(configs.get("read-along").is_none_or(Vec::is_empty));
}

fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Five pairs on each of eight invented books, in CLIPPER's tables; in two pairs of each book the false claim
/// has a word that gives it away.
fn clipper(project: &Project) {
    let metals = ["copper", "silver", "iron", "glass", "ivory"];
    for (book, name) in
        ["Ada", "Bruno", "Clara", "Dorian", "Edith", "Felix", "Greta", "Hugo"].iter().enumerate()
    {
        let head =
            "facts,corrupted_facts,corrupted_reasoning,source,verify_facts,verify_corruption";
        let mut tables = [head.to_owned(), head.to_owned()];
        for at in 0..5 {
            let [yes, no] = [metals[(at + book) % 5], metals[(at + 2 * book + 1 + book / 5) % 5]];
            let no = if yes == no { metals[(at + book + 1) % 5] } else { no };
            let given = if at < 2 { "secretly " } else { "" };
            let chapters = if at == 0 { "Chapter 2" } else { "\"Chapter 1, 3\"" };
            tables[usize::from(at == 0)] += &format!(
                "\n{name} hides the {yes} key of room {at}.,{name} {given}hides the {no} key of room {at}.,It is {yes}.,{chapters},VALID,INVALID"
            );
        }
        tables[0] += "\nA claim.,Another claim.,,Chapter 1,INVALID,INVALID\n";
        let folder = format!("output/{}/claims", 100 + book);
        project.write(&format!("{folder}/claims_multiple.csv"), &tables[0]);
        project.write(&format!("{folder}/claims_single.csv"), &tables[1]);
        for chapter in 1..4 {
            let text = format!("  Chapter {chapter} — {name} walks to room {chapter}.\n\n");
            project.write(&format!("books/{}/{chapter}.txt", 100 + book), text);
        }
    }
}

#[test]
fn clippers_claims_become_a_set_and_a_planted_bias_is_repaired() {
    let project = Project::new();
    clipper(&project);
    let import = ["import", "clipper", "output", "--into", "set", "--books", "books"];
    project
        .run(&import)
        .exits(0)
        .says("40 pairs added")
        .says("8 rows left out: CLIPPER found the true claim not to hold");
    let again = project.run(&[&import[..], &["--format", "json"]].concat()).exits(0).out();
    let again: Value = serde_json::from_str(&again).unwrap();
    assert_eq!((&again["same"], &again["pairs"]), (&40.into(), &40.into()));
    // Evidence is the chapters that a pair names, in the text that the set has.
    let text = project.read("set/books/100.txt");
    let pairs = |project: &Project, file: &str| -> Vec<Value> {
        project.read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = pairs(&project, "set/pairs.jsonl");
    for pair in all.iter().filter(|pair| pair["book"] == "100") {
        let evidence = pair["false_evidence"].as_array().unwrap();
        let place = |span: &Value, end: &str| span[end].as_u64().unwrap() as usize;
        let shown: Vec<String> = evidence
            .iter()
            .map(|span| {
                let (start, end) = (place(span, "start"), place(span, "end"));
                text.chars().skip(start).take(end - start).collect()
            })
            .collect();
        let chapter = |at: usize| format!("Chapter {at} — Ada walks to room {at}.");
        let is_single = pair["true_scope"] == "passage";
        let expect = if is_single { vec![chapter(2)] } else { vec![chapter(1), chapter(3)] };
        assert_eq!(shown, expect);
    }
    let told = |set: &str| {
        let out =
            project.run(&["claims", "lint", set, "--balance", "--format", "json"]).exits(0).out();
        let found: Value = serde_json::from_str(&out).unwrap();
        let count = |key: &str| found["shortcut"][key].as_u64().unwrap();
        (count("told_apart"), count("pairs"))
    };
    let (apart, of) = told("set");
    assert!(of == 40 && apart >= 26, "{apart} of {of}");
    project.run(&["claims", "lint", "set", "--balance"]).exits(0).says("--balanced");
    project
        .run(&["claims", "export", "set", "--balanced", "--out", "part.jsonl"])
        .exits(0)
        .says("8 of 8 books");
    let part = pairs(&project, "part.jsonl");
    let given = |pair: &&Value| pair["false_claim"].as_str().unwrap().contains("secretly");
    let kept_given = part.iter().filter(given).count();
    assert!(part.len() >= 24 && part.len() - kept_given >= 20, "{} {kept_given}", part.len());
    project
        .run(&["claims", "import", "part.jsonl", "--into", "part", "--books", "set/books"])
        .exits(0);
    let (apart, of) = told("part");
    assert!(of as usize == part.len() && apart as f64 <= 0.55 * of as f64, "{apart} of {of}");
    // What cannot be is said; chance is the least that can be asked for.
    project
        .run(&["claims", "export", "set", "--balanced=0.4"])
        .exits(2)
        .says("0.5, which is chance");
    project
        .run(&["import", "clipper", "books", "--into", "none"])
        .exits(4)
        .says("no table of CLIPPER");
}
