//! The source `narrativeqa`: the released files in their own columns, and everything that can be wrong with them.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fs, path::Path};

use storymill_core::{AskedDocument, Decisions, Env, Fault, Known, Listing, Reviews, Source};
use storymill_sources::NarrativeQa;

const DOCUMENTS: &str = "document_id,set,kind,story_url,wiki_title\n\
    d1,test,gutenberg,http://www.gutenberg.org/ebooks/84.txt.utf-8,The Mill\n\
    d2,valid,gutenberg,http://www.gutenberg.org/files/85/85-0.txt,The Tide\n\
    d3,train,movie,http://www.imsdb.com/scripts/Up.html,Up\n";
const QUESTIONS: &str = "document_id,set,question,answer1,answer2\n\
    d1,test,Who came?,Ann,It was Ann\n\
    d2,valid,\"Who sang, and where?\",Jos,\n\
    d1,test,Who left?,Jos,Jos\n\
    d3,train,Who flies?,Carl,Carl\n";
const SUMMARIES: &str = "document_id,set,summary\nd1,test,Ann comes.\nd3,train,Carl flies.\n";

const PAGE: &str = "<html><head><title>T</title></head><body><h1>The Mill</h1><p>Ann came to the mill in the rain, and the \
    keeper let her in. They spoke of the tide until the lamp went out, and nobody heard the bell.</p>\
    <p>In the morning the water stood at the door. Jos rowed over from the other bank with bread and a rope, and asked who had rung, and \
    why the wheel was turning the wrong way round.</p></body></html>";

/// A folder with these files, and pages of both books.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("pages")).unwrap();
    for page in ["84.html", "85.html"] {
        fs::write(dir.path().join("pages").join(page), PAGE).unwrap();
    }
    for (name, bytes) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    dir
}

fn source(more: &str) -> NarrativeQa {
    serde_json::from_str(&format!("{{\"path\": \".\", \"pages\": \"pages\"{more}}}")).unwrap()
}

fn read_at(root: &Path, source: &NarrativeQa) -> Result<(Vec<AskedDocument>, Listing), Fault> {
    let open = source.open(&Env::at(root))?;
    let listing = open.units(&Known::default())?;
    let mut documents = Vec::new();
    for unit in &listing.units {
        documents.extend(open.read(unit, &mut Reviews::new(Decisions::NONE)).unwrap());
    }
    Ok((documents, listing))
}

fn released() -> [(&'static str, &'static [u8]); 3] {
    [
        ("documents.csv", DOCUMENTS.as_bytes()),
        ("qaps.csv", QUESTIONS.as_bytes()),
        ("summaries.csv", SUMMARIES.as_bytes()),
    ]
}

#[test]
fn a_unit_is_a_book_with_what_is_asked_about_it() {
    let dir = folder(&released());
    let (documents, listing) = read_at(dir.path(), &source("")).unwrap();
    assert_eq!(listing.notes, ["1 document left out: they are scripts of films"]);
    let [mill, tide] = documents.try_into().unwrap();
    assert_eq!((mill.of.as_str(), &*mill.split, &*mill.summary), ("84", "test", "Ann comes."));
    assert_eq!((tide.of.as_str(), &*tide.split, &*tide.summary), ("85", "validation", ""));
    let ids: Vec<&str> = mill.questions.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["84/q001", "84/q002"]);
    let of = |document: &AskedDocument, at: usize| -> Vec<(u8, String)> {
        document.questions[at].answers.iter().map(|one| (one.number, one.text.clone())).collect()
    };
    assert_eq!(of(&mill, 0), [(1, "Ann".into()), (2, "It was Ann".into())]);
    assert_eq!(of(&tide, 0), [(1, "Jos".into())]);
    assert!(mill.book.unwrap().text.contains("Ann came to the mill"));
    assert_eq!((mill.passed[0].questions, &*mill.passed[0].step), (2, "narrativeqa"));
}

#[test]
fn columns_in_any_order_with_a_bom_and_crlf_are_the_same() {
    let dir = folder(&released());
    let (expected, listing) = read_at(dir.path(), &source("")).unwrap();
    let turned = |text: &str, order: &[usize]| {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        for row in reader.records() {
            let row = row.unwrap();
            writer.write_record(order.iter().map(|at| &row[*at])).unwrap();
        }
        [b"\xef\xbb\xbf".to_vec(), writer.into_inner().unwrap()].concat()
    };
    let (documents, questions) =
        (turned(DOCUMENTS, &[4, 3, 2, 1, 0]), turned(QUESTIONS, &[3, 4, 0, 2, 1]));
    let summaries = turned(SUMMARIES, &[2, 0, 1]);
    let dir = folder(&[
        ("documents.csv", &documents),
        ("qaps.csv", &questions),
        ("third_party/wikipedia/summaries.csv", &summaries),
    ]);
    let (found, other) = read_at(dir.path(), &source("")).unwrap();
    assert_eq!(found, expected);
    let digests =
        |listing: &Listing| listing.units.iter().map(|unit| unit.digest).collect::<Vec<_>>();
    assert_eq!(digests(&other), digests(&listing));
}

#[test]
fn a_question_that_changes_moves_its_own_unit_alone() {
    let dir = folder(&released());
    let before = read_at(dir.path(), &source("")).unwrap().1;
    fs::write(dir.path().join("qaps.csv"), QUESTIONS.replace("Who came?", "Who comes?")).unwrap();
    let after = read_at(dir.path(), &source("")).unwrap().1;
    let moved: Vec<bool> =
        before.units.iter().zip(&after.units).map(|(a, b)| a.digest != b.digest).collect();
    assert_eq!(moved, [true, false]);
}

#[test]
fn sets_and_ids_choose_and_missing_pages_are_told() {
    let dir = folder(&released());
    let of = |more: &str| {
        let (documents, _) = read_at(dir.path(), &source(more)).unwrap();
        documents.into_iter().map(|document| document.id).collect::<Vec<_>>()
    };
    assert_eq!(of(", \"sets\": [\"valid\"]"), ["d2"]);
    assert_eq!(of(", \"ids\": [\"84\"]"), ["d1"]);
    fs::remove_file(dir.path().join("pages/85.html")).unwrap();
    let (_, listing) = read_at(dir.path(), &source("")).unwrap();
    assert!(
        listing.notes.contains(&"1 document without a page: 85".to_owned()),
        "{:?}",
        listing.notes
    );
    let fault = read_at(dir.path(), &source(", \"sets\": [\"dev\"]")).unwrap_err();
    assert!(fault.hint.unwrap().contains("`valid`, `test`"), "{}", fault.message);
    fs::rename(dir.path().join("pages/84.html"), dir.path().join("pages/99.html")).unwrap();
    let fault = read_at(dir.path(), &source("")).unwrap_err();
    assert!(fault.hint.unwrap().contains("84, 85"), "{}", fault.message);
}

/// A file in place of the good one, and what is said: the file's name, and the message.
#[track_caller]
fn check(name: &str, bytes: &[u8], message: &str) {
    let mut files = released();
    for file in &mut files {
        if file.0 == name {
            file.1 = bytes;
        }
    }
    let dir = folder(&files);
    let fault = read_at(dir.path(), &source("")).map(|_| ()).unwrap_err();
    assert!(fault.message.contains(message), "{}", fault.message);
    assert!(fault.path.as_ref().is_some_and(|path| path.ends_with(name)), "{:?}", fault.path);
}

#[test]
fn what_is_wrong_is_named_with_file_and_line() {
    let more = |text: &str, row: &str| format!("{text}{row}\n").into_bytes();
    check(
        "qaps.csv",
        &more(QUESTIONS, "d9,test,Who?,Ann,Ann"),
        "line 6 has a question of the document `d9`",
    );
    check(
        "summaries.csv",
        &more(SUMMARIES, "d9,test,Nobody."),
        "line 4 has a summary of the document `d9`",
    );
    check(
        "summaries.csv",
        &more(SUMMARIES, "d1,test,Again."),
        "line 4 is a second summary of the document `d1`",
    );
    let row = "d1,test,gutenberg,http://www.gutenberg.org/ebooks/86,Again";
    check("documents.csv", &more(DOCUMENTS, row), "line 5 is a second row of the document `d1`");
    let row = "d4,dev,gutenberg,http://www.gutenberg.org/ebooks/86,Again";
    check(
        "documents.csv",
        &more(DOCUMENTS, row),
        "line 5 says that the document is of the set `dev`",
    );
    let row = "d4,test,gutenberg,https://example.org/,Again";
    check("documents.csv", &more(DOCUMENTS, row), "line 5 has the address `https://example.org/`");
    check("qaps.csv", b"document_id,question,answer1\n", "line 1 names no column `answer2`");
    check(
        "qaps.csv",
        b"question,question,document_id,answer1,answer2\n",
        "names the column `question` twice",
    );
    check(
        "qaps.csv",
        &more(QUESTIONS, "d1,test,Who, and why?,Ann,Ann"),
        "line 6 has 6 fields, and the header names 5",
    );
    check("qaps.csv", &more(QUESTIONS, "d1,test,,Ann,Ann"), "line 6 has no question");
    check("qaps.csv", &more(QUESTIONS, ",test,Who?,Ann,Ann"), "line 6 has no document_id");
    check(
        "qaps.csv",
        &more(QUESTIONS, "d1,test,\"Who?,Ann,Ann"),
        "line 6: a field begins with a double quote",
    );
    check(
        "qaps.csv",
        &[QUESTIONS.as_bytes(), b"d1,test,Who\xff?,Ann,Ann\n"].concat(),
        "line 6 is not UTF-8",
    );
    let dir = folder(&[("documents.csv", DOCUMENTS.as_bytes())]);
    let fault = read_at(dir.path(), &source("")).map(|_| ()).unwrap_err();
    assert!(fault.path.unwrap().ends_with("qaps.csv") && fault.hint.is_some());
}
