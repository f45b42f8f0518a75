//! `storymill view` of a workflow: what has no row, casts, pages with their cuts.

use crate::{
    project::{Project, top},
    view::{Shown, show, stories},
};

pub fn has(page: &str, wanted: &[&str]) {
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for wanted in wanted {
        assert!(page.contains(wanted), "`{wanted}` in\n{page}");
    }
}

/// The first link of a page to what begins so, below the base.
fn link(page: &str, begins: &str) -> String {
    let link = page.split("href=\"").find(|rest| rest.split('"').next().unwrap().contains(begins));
    let link =
        link.unwrap_or_else(|| panic!("a link to {begins} in\n{page}")).split('"').next().unwrap();
    link[link.find(begins).unwrap()..].split('#').next().unwrap().replace("&amp;", "&")
}

fn workflow() -> Shown {
    let file = top().join("workflows/stories.toml");
    let args = ["view", file.to_str().unwrap(), "--out", "out", "--store", "store"];
    show(stories(), &args)
}

#[test]
fn what_has_no_row_says_why_and_what_was_answered() {
    let shown = workflow();
    let page = shown.pages();
    has(&page("left"), &["same-event", "ambiguous", "left/distortions/sm07/0000/d4"]);
    let some = page("left?reason=ambiguous");
    assert!(
        some.contains("sm01/0005/scene-distortion") && !some.contains("sm07/0000/d4"),
        "{some}"
    );
    has(&page("left/distortions/sm07/0000/d4"), &["rejected by distortions", "companion", "<pre"]);
    let asked_nobody = page("left/questions/sm01/0005/scene-distortion");
    has(&asked_nobody, &["left out on purpose", "No model was asked"]);
    assert!(page("left/distortions/sm07/0000/d9").starts_with("HTTP/1.1 404"));
    // A folder alone tells how many.
    let folder = show(stories(), &["view", "out"]);
    let left = folder.pages()("left");
    has(&left, &["same-event", "storymill view WORKFLOW"]);
    assert!(!left.contains("sm07/0000/d4"), "{left}");
}

#[test]
fn a_question_leads_to_the_raw_answer_and_to_the_bytes_of_the_page() {
    let shown = workflow();
    let page = shown.pages();
    let row = page("c/distortions/sm02/0000/d0");
    has(&page(&link(&row, "answer/")), &["What the model answered", "<pre"]);
    let source = link(&row, "page/");
    assert!(source.starts_with("page/sm02?from="), "{source}");
    let shown_page = page(&source);
    // The bytes are those of the file, whatever the page shows of them.
    let number = |name: &str| {
        let value = source.split(&format!("{name}=")).nth(1).unwrap();
        value.split('&').next().unwrap().parse::<usize>().unwrap()
    };
    let file = std::fs::read(top().join("data/books/sm02.html")).unwrap();
    let bytes = String::from_utf8(file[number("from")..number("to")].to_vec()).unwrap();
    let first: String = bytes.chars().take_while(|letter| !"<&\"'".contains(*letter)).collect();
    assert!(first.len() > 3, "{bytes}");
    has(&shown_page, &["id=\"here\"", &first, "why-cut"]);
    has(&page("book/sm02?in=read-along"), &["page/sm02\""]);
    assert!(page("page/nothing").starts_with("HTTP/1.1 404"));
    assert!(page("answer/sm02/00").starts_with("HTTP/1.1 404"));
    assert!(page("cast/sm02").starts_with("HTTP/1.1 404"), "nobody made a cast here");
}

#[test]
fn casts_show_who_is_who_and_what_names_became() {
    let project = Project::new();
    let text = std::fs::read_to_string(top().join("tests/browser/names.toml")).unwrap();
    let data = top().join("data");
    project.write("names.toml", text.replace("../../data", data.to_str().unwrap()));
    project.run(&["build", "names.toml"]).exits(0);
    let names = ["inspect", "out/names", "--config", "names", "--rows", "200", "--format", "json"];
    let names: serde_json::Value = serde_json::from_str(&project.run(&names).out()).unwrap();
    let rows = names["tables"].as_array().unwrap().iter();
    let rows = rows.flat_map(|table| table["sample"].as_array().unwrap());
    let row = rows.max_by_key(|row| row["values"]["count"].as_u64()).unwrap();
    let text = |column: &str| row["values"][column].as_str().unwrap().to_owned();
    let book = format!("cast/{}", text("book_id"));
    let (old, new) =
        (format!("<del>{}</del>", text("part")), format!("<ins>{}</ins>", text("substitute")));
    for args in [&["view", "names.toml"][..], &["view", "out/names"]] {
        let shown = show(&project, args);
        let page = shown.pages();
        has(&page(""), &["casts"]);
        has(&page("casts"), &[&book]);
        has(&page(&book), &[&old, &new, "class=\"passage\""]);
    }
}
