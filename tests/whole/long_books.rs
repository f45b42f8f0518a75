//! A book that is too long for one row: its text is published in rows that viewers show, by chapter.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{
    project::{Project, WORKFLOW, texts},
    questions::rows,
};

/// Two short chapters about a long one of 1.2 MB.
fn page() -> String {
    let mut page = "<html><head><title>Long</title></head><body><h1>Long</h1>\n".to_owned();
    for (chapter, paragraphs) in [(1, 9), (2, 4_000), (3, 9)] {
        let _ = writeln!(page, "<h2>CHAPTER {chapter}</h2>");
        for at in 0..paragraphs {
            let said =
                "“Così,” said the captain, and nobody in the harbour answered him. ".repeat(4);
            let _ = writeln!(page, "<p>{said}It was the {at}th day of chapter {chapter}.</p>");
        }
    }
    page + "</body></html>"
}

#[test]
fn a_long_book_is_published_by_chapter_and_joined_is_its_text() {
    let (head, _) = WORKFLOW.split_once("[stage.splits").unwrap();
    let workflow = head.replace("split = \"splits\"\n", "") + "[dataset.books]\nfrom = \"books\"\n";
    let project = Project::new();
    project.write("books/long.html", page()).write("my.toml", &workflow);
    project.run(&["build", "my.toml"]).exits(0);
    let configs = rows(&project, "out/mine");
    let (book, pieces) = (&configs["books"][0], &configs["books-text"]);
    assert!(book.get("text").is_none());
    let length = |piece: &Value| piece["text"].as_str().unwrap().len();
    assert!(pieces.iter().all(|piece| length(piece) <= 1_000_000), "no row is too long");
    assert!(pieces.iter().map(length).sum::<usize>() > 1_100_000);
    let text = &texts(pieces)["long"];
    assert_eq!(book["symbols"], text.chars().count());
    // A chapter begins a piece, and a long one goes on in the next, at a paragraph.
    let chapters = book["chapters"].as_array().unwrap();
    assert_eq!((chapters.len(), pieces.len()), (3, 4));
    for chapter in chapters {
        let begins = |piece: &&Value| piece["start_symbols"] == chapter["start_symbols"];
        assert_eq!(pieces.iter().find(begins).unwrap()["chapter_title"], chapter["title"]);
    }
    assert_eq!((&pieces[1]["chapter"], &pieces[2]["chapter"]), (&1.into(), &1.into()));
    assert!(pieces[1]["text"].as_str().unwrap().ends_with("\n\n"));
    // A name that the texts of a config have is nobody else's.
    project.write("my.toml", workflow + "\n[dataset.Books-Text]\nfrom = \"books\"\n");
    project
        .run(&["plan", "my.toml"])
        .exits(3)
        .says("`books-text` holds the texts of books, so `Books-Text` needs another name");
}
